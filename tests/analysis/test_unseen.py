from __future__ import annotations

from leeboard.analysis.unseen import MOST_FILES, ids_before, unindexed, unseen_diffs
from leeboard.model.event import FilesChanged, Stopped, ToolCall, ToolProposed
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Around, Tree
from leeboard.model.touch import Diff
from leeboard.store.memory import MemoryStore
from tests.known_world import ROOT, world_of


class Held:
    """Files by their text."""

    def __init__(self, **texts: str) -> None:
        self._texts = {name.replace("_", "."): text for name, text in texts.items()}

    def text(self, path: str) -> str | None:
        return self._texts.get(path)

    def exists(self, path: str) -> bool | None:
        return path in self._texts

    def lies_at(self, place: str) -> bool | None:
        return self.exists(place)

    def ignored(self, path: str) -> bool | None:
        return self.exists(path) and False


def around(now: Held, committed: Held) -> Around:
    return Around(MemoryStore(), "s", Tree(files=now, base=committed))


def proposed(command: str) -> ToolProposed:
    return ToolProposed(session="s", cwd=ROOT, call=ToolCall(id="c", tool="Bash", action="bash", command=command))


def test_only_files_whose_new_text_nobody_sees_are_looked_at_beforehand() -> None:
    event = proposed("sed -i s/1/2/ a.py && echo x > b.py && cat c.py")
    written = (Diff(path="b.py", after="x\n"),)
    assert [path for path, _ in ids_before(event, world_of(event), written, Held(a_py="a = 1\n"))] == ["a.py"]
    many = proposed("sed -i s/1/2/ " + " ".join(f"f{number}.py" for number in range(40)))
    assert len(ids_before(many, world_of(many), (), Held())) == MOST_FILES


def test_a_script_is_compared_with_the_commit_unless_the_file_was_changed_before() -> None:
    changed = FilesChanged(
        session="s", paths=("a.py", "b.py", "new.py", "x.bin"), call="c", changed_before=("b.py",), cwd=ROOT
    )
    place = around(Held(a_py="a = 2\n", b_py="b = 2\n", new_py="n = 1\n"), Held(a_py="a = 1\n", b_py="b = 1\n"))
    found = {diff.path: (diff.before, diff.after) for diff in unseen_diffs(changed, world_of(changed), (), place)}
    assert found == {"a.py": ("a = 1\n", "a = 2\n"), "new.py": ("", "n = 1\n")}


def test_what_nobody_is_to_blame_for_is_not_compared() -> None:
    place = around(Held(a_py="a = 2\n"), Held(a_py="a = 1\n"))
    for event in (
        FilesChanged(session="s", paths=("a.py",), cwd=ROOT),
        FilesChanged(session="s", paths=("a.py",), call="c", by_git=True, cwd=ROOT),
        FilesChanged(session="s", paths=("a.py",), call="c", guard=True, cwd=ROOT),
        Stopped(session="s", cwd=ROOT),
    ):
        assert unseen_diffs(event, world_of(event), (), place) == ()


def test_without_an_index_nothing_is_looked_at_again() -> None:
    stop = Stopped(session="s", cwd=ROOT)
    row = Entry(kind="unindexed", key="a.py", path="a.py", turn=1)
    place = around(Held(a_py="a = 2\n"), Held()).remembering((row,))
    assert unseen_diffs(stop, world_of(stop), (), place) == ()
    assert unindexed(stop, (), place, 2) == ()
