from __future__ import annotations

from leeboard.source.habits import FileUse, Uses, learn_choices, roles_of
from leeboard.source.name_scan import ScannedImport


def files(pattern: str, *modules: str, count: int = 6) -> list[FileUse]:
    imports = tuple(ScannedImport(module, 1) for module in modules)
    language = "typescript" if pattern.endswith(".ts") else "python"
    return [FileUse(pattern.format(number), language, imports) for number in range(count)]


def test_the_member_that_dominates() -> None:
    (habit,) = learn_choices(Uses([*files("a/p{}.py", "requests"), *files("b/p{}.py", "httpx", count=1)]))
    assert (habit.role, habit.usual, habit.support, habit.users) == ("python http client", "requests", 6, 7)
    assert "httpx" in habit.others
    assert "requests" not in habit.others


def test_no_member_dominates() -> None:
    assert not list(learn_choices(Uses([*files("a/p{}.py", "requests"), *files("b/p{}.py", "httpx", count=2)])))


def test_a_module_of_the_work_tree_can_play_the_role() -> None:
    own = FileUse("src/lib/fetchClient.ts", "typescript", ())
    (habit,) = learn_choices(Uses([own, *files("src/ui/p{}.ts", "../lib/fetchClient")]))
    assert habit.where == habit.usual == "src/lib/fetchClient.ts"
    assert "axios" in habit.others


def test_what_the_own_module_is_made_from_is_no_rival() -> None:
    own = FileUse("src/lib/httpClient.ts", "typescript", (ScannedImport("axios", 1),))
    habits = list(learn_choices(Uses([own, *files("src/ui/p{}.ts", "../lib/httpClient")])))
    assert ["axios" in habit.others for habit in habits] == [False]


def test_mocks_are_no_test_framework() -> None:
    assert roles_of(ScannedImport("unittest", 1, ("mock",)), "python") == ()
    assert roles_of(ScannedImport("unittest.mock", 1), "python") == ()
    assert roles_of(ScannedImport("urllib.request", 1, ("pathname2url",)), "python") == ()
    assert roles_of(ScannedImport("urllib.request", 1, ("urlopen",)), "python") == (("python http client", "urllib"),)
    assert roles_of(ScannedImport("unittest", 1, ("TestCase",)), "python") == (("python test framework", "unittest"),)
