from __future__ import annotations

from leeboard.app.replay import RecordedFiles
from leeboard.model.workspace import Workspace
from leeboard.testing.scenario import RecordedDisk


def test_a_change_shows_and_what_is_not_recorded_is_not_there() -> None:
    files = RecordedFiles(Workspace("/repo").spell, {"a.py": "one\n", ".gitignore": "dist.js"})
    disk = RecordedDisk(files, "/repo")
    before = disk.look("a.py")
    assert disk.text("a.py") == "one\n"
    assert disk.settled(before or ())
    files.change("a.py", "two\n")
    assert disk.look("a.py") != before
    assert disk.look("b.py") == ()
    assert disk.ignored_of(("a.py", "dist.js")) == {"dist.js"}
    assert disk.committed(("a.py",), 0.0) == {}
