from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from leeboard.app.tree_watch import ALONE_SECONDS, LINE_ROOM, MOST_PATHS, NEAR_SECONDS, TreeWatch, line_text
from leeboard.clients.call import HookCall
from leeboard.clients.claude_code.hooks import parse
from leeboard.model.contract import Constraint, Contract
from leeboard.model.event import ToolCall
from leeboard.model.session import AgentState, Mark, OpenCall, Session
from leeboard.model.workspace import Workspace
from tests.hook_process import edit, shell
from tests.leak import live_key


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    path = tmp_path / "repo"
    subprocess.run(("git", "init", "-q", str(path)), check=True)
    return path


@pytest.fixture
def watch(tmp_path: Path, repo: Path) -> TreeWatch:
    return TreeWatch(folder=str(tmp_path / "trees"), workspace=Workspace(str(repo)))


def before(command: str, call: str = "t1") -> HookCall:
    return parse(shell(call, command), now=1.0)


def after(command: str, call: str = "t1", name: str = "PostToolUse", now: float = 2.0) -> HookCall:
    return parse(shell(call, command, name=name, tool_response={"stdout": ""}, error="Exit code 1"), now=now)


@pytest.mark.parametrize("name", ["PostToolUse", "PostToolUseFailure"])
def test_what_an_opaque_line_changed_is_told(watch: TreeWatch, repo: Path, name: str) -> None:
    (repo / "old.txt").write_text("untouched", encoding="utf-8")
    assert watch.remember(before("make gen")) == ""
    (repo / "gen").mkdir()
    (repo / "gen" / "api.py").write_text("x = 1\n", encoding="utf-8")
    (changed,) = watch.changes(after("make gen", name=name), None)
    assert changed.paths == ("gen/api.py",)
    assert (changed.call, changed.key, changed.session) == ("t1", "files:t1", "s")
    assert watch.changes(after("make gen"), None) == (), "a look is used once"


def test_a_line_that_says_what_it_touches_needs_no_look(watch: TreeWatch) -> None:
    for command in ("cat a.txt", "sed -i s/a/b/ a.txt", "git status"):
        assert watch.remember(before(command)) == ""
    assert watch.remember(parse(edit("t1", "/repo/a.py"), now=1.0)) == ""
    assert not Path(watch.folder).exists()


def test_nothing_changed_is_nothing_told(watch: TreeWatch) -> None:
    watch.remember(before("make test"))
    assert watch.changes(after("make test"), None) == ()
    assert list(Path(watch.folder).iterdir()) == []


def test_what_was_predicted_is_not_told_again(watch: TreeWatch, repo: Path) -> None:
    command = f"make gen > {repo}/log.txt"
    watch.remember(before(command))
    (repo / "log.txt").write_text("made", encoding="utf-8")
    assert watch.changes(after(command), None) == ()


def test_what_another_call_accounts_for_is_not_blamed_on_this_one(watch: TreeWatch, repo: Path) -> None:
    agents = (
        AgentState(marks=(Mark(kind="edit", digest="d", path="edited.py"),)),
        AgentState(id="sub", open_calls=(OpenCall(id="t9", action="edit", turn=1, modifies=("open.py",)),)),
    )
    watch.remember(before("make gen"))
    for name in ("edited.py", "open.py", "new.py"):
        (repo / name).write_text("x", encoding="utf-8")
    (changed,) = watch.changes(after("make gen"), Session(id="s", agents=agents))
    assert changed.paths == ("new.py",)
    assert changed.call == "", "another call is open: nobody is blamed alone"


def test_its_own_call_is_no_other_one(watch: TreeWatch, repo: Path) -> None:
    session = Session(id="s", agents=(AgentState(open_calls=(OpenCall(id="t1", action="bash", turn=1),)),))
    watch.remember(before("make gen"))
    (repo / "new.py").write_text("x", encoding="utf-8")
    assert watch.changes(after("make gen"), session)[0].call == "t1"


def test_a_build_that_changes_everything_is_told_in_part(watch: TreeWatch, repo: Path) -> None:
    watch.remember(before("make"))
    for number in range(MOST_PATHS + 50):
        (repo / f"{number}.o").write_text("x", encoding="utf-8")
    assert len(watch.changes(after("make"), None)[0].paths) == MOST_PATHS


def test_without_a_repository_there_is_a_note_once(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    watch = TreeWatch(folder=str(tmp_path / "trees"), workspace=Workspace(str(plain)))
    assert "no git repository" in watch.remember(before("make"))
    assert watch.remember(before("make", call="t2")) == ""
    assert watch.changes(after("make"), None) == ()
    assert TreeWatch(folder=str(tmp_path / "trees"), workspace=Workspace("")).remember(before("make")) == ""


def test_a_look_that_is_damaged_or_of_another_tree_is_passed_over(watch: TreeWatch, repo: Path) -> None:
    watch.remember(before("make"))
    (look,) = Path(watch.folder).iterdir()
    (repo / "new.py").write_text("x", encoding="utf-8")
    look.write_bytes(b"garbage")
    assert watch.changes(after("make"), None) == ()
    watch.remember(before("make"))
    look.write_bytes(look.read_bytes().replace(b"/repo", b"/other"))
    assert watch.changes(after("make"), None) == ()


def test_looks_whose_line_never_came_back_are_forgotten(watch: TreeWatch) -> None:
    watch.remember(before("make", call="lost"))
    (lost,) = Path(watch.folder).iterdir()
    os.utime(lost, (1, 1))
    watch.remember(before("make"))
    assert len(list(Path(watch.folder).iterdir())) == 1
    assert not lost.exists()


def test_a_name_that_is_no_text_does_not_hide_the_others(watch: TreeWatch, repo: Path) -> None:
    Path(os.fsdecode(os.fsencode(repo) + b"/\xff.txt")).write_text("x", encoding="utf-8")
    assert watch.remember(before("make")) == ""
    (repo / "new.py").write_text("x", encoding="utf-8")
    assert "new.py" in watch.changes(after("make"), None)[0].paths


NO_SCHEMA = Constraint(text="DO NOT modify the schema", kind="forbid", patterns=("**/schema*",))
ONLY_AUTH = Constraint(text="ONLY edit src/auth/", kind="only", patterns=("src/auth/**",))


def limited(*limits: Constraint) -> Session:
    return Session(id="s", contract=Contract(constraints=limits))


def beside(path: str, updated: float = 1.5) -> Session:
    return Session(id="b", updated=updated, agents=(AgentState(marks=(Mark(kind="edit", digest="d", path=path),)),))


def run_slowly(watch: TreeWatch, repo: Path, *names: str) -> HookCall:
    watch.remember(before("make gen"))
    for name in names:
        (repo / name).write_text("x", encoding="utf-8")
    return after("make gen", now=1.0 + ALONE_SECONDS + 1)


def test_what_another_session_edited_meanwhile_is_not_blamed_on_this_one(watch: TreeWatch, repo: Path) -> None:
    watch.remember(before("make gen"))
    for name in ("theme.css", "schema.sql"):
        (repo / name).write_text("x", encoding="utf-8")
    assert watch.changes(after("make gen"), limited(), lambda: (limited(), beside("theme.css"))) == ()


def test_beside_another_session_only_what_was_forbidden_is_told(watch: TreeWatch, repo: Path) -> None:
    watch.remember(before("make gen"))
    for name in ("theme.css", "schema.sql", "new.py"):
        (repo / name).write_text("x", encoding="utf-8")
    (changed,) = watch.changes(after("make gen"), limited(NO_SCHEMA), lambda: (beside("theme.css"),))
    assert (changed.paths, changed.call) == (("schema.sql",), "")


def test_a_forbidden_file_that_another_session_edited_is_its_own_affair(watch: TreeWatch, repo: Path) -> None:
    watch.remember(before("make gen"))
    (repo / "schema.sql").write_text("x", encoding="utf-8")
    assert watch.changes(after("make gen"), limited(NO_SCHEMA), lambda: (beside("schema.sql"),)) == ()


def test_a_session_that_fell_silent_long_ago_changes_nothing(watch: TreeWatch, repo: Path) -> None:
    watch.remember(before("make gen"))
    (repo / "theme.css").write_text("x", encoding="utf-8")
    (changed,) = watch.changes(after("make gen"), None, lambda: (beside("theme.css", -NEAR_SECONDS),))
    assert (changed.paths, changed.call) == (("theme.css",), "t1")


def test_a_long_line_leaves_time_for_a_person(watch: TreeWatch, repo: Path) -> None:
    assert watch.changes(run_slowly(watch, repo, "schema.sql"), limited()) == ()


def test_after_a_long_line_what_was_forbidden_is_told(watch: TreeWatch, repo: Path) -> None:
    (changed,) = watch.changes(run_slowly(watch, repo, "schema.sql", "new.py"), limited(NO_SCHEMA))
    assert (changed.paths, changed.call) == (("schema.sql",), "")


def test_after_a_long_line_an_only_does_not_bind_the_person(watch: TreeWatch, repo: Path) -> None:
    assert watch.changes(run_slowly(watch, repo, "readme.txt"), limited(ONLY_AUTH)) == ()


def test_a_line_is_shown_short_and_without_secrets() -> None:
    text = line_text(ToolCall(id="t", tool="Bash", action="bash", command=f"KEY={live_key(1)} make\nx " + "y" * 500))
    assert live_key(1) not in text
    assert "\n" not in text
    assert len(text) == LINE_ROOM
