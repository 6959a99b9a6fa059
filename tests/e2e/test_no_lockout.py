"""Whatever is broken on our side, a session of the real client goes through, under `enforce` too."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, bash, edit, read, say, use
from tests.hook_process import SCRIPT

pytestmark = pytest.mark.e2e

PACKAGE = Path(SCRIPT).parents[1]


def move_hooks(desk: Desk, package: Path) -> None:
    """Let the installed line run the hook of another package."""
    line = desk.settings.read_text(encoding="utf-8")
    assert str(PACKAGE) in line
    desk.settings.write_text(line.replace(str(PACKAGE), str(package)), encoding="utf-8")


def remove_script(desk: Desk) -> None:
    move_hooks(desk, desk.folder / "gone" / "leeboard")


def break_package(desk: Desk) -> None:
    package = desk.folder / "broken" / "leeboard"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "app" / "handle.py").write_text("def broken(:\n", encoding="utf-8")
    move_hooks(desk, package)


def corrupt_database(desk: Desk) -> None:
    desk.state.mkdir(parents=True, exist_ok=True)
    (desk.state / "leeboard.db").write_bytes(b"SQLite format 3\x00" + b"garbage" * 1000)


def deny_state(desk: Desk) -> None:
    desk.env["LEEBOARD_STATE_DIR"] = "/dev/null/state"


@pytest.mark.parametrize("spoil", [remove_script, break_package, corrupt_database, deny_state])
def test_the_session_goes_through(desk: Desk, spoil: Callable[[Desk], None]) -> None:
    desk.env["LEEBOARD_PROFILE"] = "enforce"
    spoil(desk)
    app = desk.path("app.py")
    script = Script(main=(use(read(app)), use(edit(app, "a - b", "a + b"), bash("python3 app.py")), say("Fixed.")))
    run = desk.run("Fix add() in app.py", script)
    assert (run.code, run.result, len(run.main)) == (0, "Fixed.", 3)
    assert all(result.get("is_error") is not True for result in run.main[-1].results)
    assert "return a + b" in desk.read("app.py")
