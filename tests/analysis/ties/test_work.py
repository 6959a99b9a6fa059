"""The work so far, as rows show it."""

from __future__ import annotations

from leeboard.analysis.ties.sketch import Doc, mark, marks
from leeboard.analysis.ties.work import WorkSoFar
from leeboard.model.ledger import Entry


def row(doc: Doc, path: str = "", *names: str) -> Entry:
    return Entry(kind="sketch", key=doc, path=path, turn=1, data="".join(sorted(marks(names))))


WORK = WorkSoFar(
    [row("wrote", "src/a/two.py", "shared"), row("read", "src/b/x.py"), row("wrote", "src/a/one.py", "shared")]
)


def test_a_place_is_told_by_the_share_of_the_work_beside_it() -> None:
    assert WORK.share_beside("src/a/new.py") == 1.0
    assert WORK.share_beside("src/b/new.py") == 0.0
    assert WORK.nearness("src/a/new.py") > WORK.nearness("src/b/new.py") > WORK.nearness("docs/new.md")


def test_a_file_is_never_compared_with_itself() -> None:
    assert WORK.others("src/a/two.py") == ["src/a/one.py"]
    assert mark("shared") in WORK.shared(marks(("shared",)), "src/a/two.py").written
    assert not set(WorkSoFar([row("wrote", "a.py", "own")]).shared(marks(("own",)), "a.py").known)


def test_read_early_is_read_before_another_file_was_changed() -> None:
    assert WORK.was_read_early("src/b/x.py")
    assert not WorkSoFar([row("read", "x.py"), row("wrote", "a.py")]).was_read_early("x.py")


def test_a_doubtful_step_paves_no_way() -> None:
    doubted = WorkSoFar([row("wrote", "b.py", "strange"), row("wrote", "a.py")], {"b.py"})
    assert doubted.others("") == ["a.py"]
    assert doubted.doubted["b.py"][0] == {mark("strange")}


def test_what_was_read_of_a_doubtful_file_makes_no_name_known() -> None:
    work = WorkSoFar([row("read", "b.py", "strange"), row("wrote", "a.py", "own")], {"b.py"})
    assert set(work.shared(marks(("strange", "own")), "c.py").known) == {mark("own")}
    assert work.read_in_doubt == {"b.py": {mark("strange")}}, "it is what the file is about, when it is deleted"


def test_the_rarer_a_name_the_more_it_says() -> None:
    shared = WORK.shared(marks(("shared", "unheard")), "c.py")
    assert shared.rarest >= shared.rarity(mark("unheard")) > shared.rarity(mark("shared"))


def test_a_twin_is_a_test_or_lies_beside() -> None:
    work = WorkSoFar([row("wrote", "src/a/main.tf")])
    assert work.has_twin("tests/test_main.py")
    assert work.has_twin("src/a/main.css")
    assert not work.has_twin("src/b/main.tf")
