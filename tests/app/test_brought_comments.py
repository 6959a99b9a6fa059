from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.tree_watch import TreeWatch
from leeboard.clients.call import HookCall
from leeboard.clients.claude_code.hooks import parse
from leeboard.model.session import AgentState, OpenCall, Session
from leeboard.model.workspace import Workspace
from tests.git_repository import GitRepository
from tests.hook_process import shell

COMMENT = "h = md5(p)  # leeboard: allow LB-B301 the old protocol asks for it\n"
OPEN = Session(id="s", agents=(AgentState(open_calls=(OpenCall(id="t1", action="bash", turn=1),)),))


@pytest.fixture
def repo(tmp_path: Path) -> GitRepository:
    made = GitRepository(tmp_path / "repo")
    made.write("old.py", COMMENT)
    made.write("a.py", "x = 1\n")
    made.commit("first")
    return made


def told(repo: GitRepository, command: str, done: str = "", session: Session | None = OPEN) -> tuple[str, ...]:
    """What of the comments is told when the line has ended; `done` is what it really runs."""
    watch = TreeWatch(folder=str(repo.path.parent / "trees"), workspace=Workspace(repo.root))
    watch.remember(_heard(repo, command, "PreToolUse"))
    repo.run("-c", f"alias.line=!{done or command}", "line")
    changed = watch.changes(_heard(repo, command, "PostToolUse"), session)
    return tuple(place for one in changed for place in one.comments)


def _heard(repo: GitRepository, command: str, name: str) -> HookCall:
    return parse(shell("t1", command, name=name, cwd=repo.root, tool_response={"stdout": ""}), now=2.0)


@pytest.mark.parametrize("command", ["make x", "base64 -d c.b64 >> a.py", "cat c >> a.py", "sed -i -f c a.py"])
def test_one_that_came_while_a_line_ran_is_told_whatever_wrote_it(repo: GitRepository, command: str) -> None:
    done = "cat old.py >> a.py"
    assert told(repo, command, done) == ("a.py:2",)
    assert told(repo, command, done) == ("a.py:3",), "what was there before the line is not told again"


def test_one_that_moved_or_came_from_a_commit_is_not(repo: GitRepository) -> None:
    assert told(repo, "make x", "git mv old.py new.py") == ()
    assert told(repo, "mv new.py newer.py") == ()
    repo.commit("moved")
    assert told(repo, "git checkout HEAD~1 -- old.py") == ()


def test_what_a_person_had_there_is_none_of_it(repo: GitRepository) -> None:
    repo.write("mine.py", COMMENT)
    repo.write("a.py", f"x = 2\n{COMMENT}")
    assert told(repo, "make fmt", "for f in *.py; do echo >> $f; done") == ()
    assert told(repo, "sed -i s/2/3/ a.py") == ()


def test_what_stands_in_the_line_was_judged_before_it_ran(repo: GitRepository) -> None:
    assert told(repo, f"echo '{COMMENT.strip()}' >> a.py") == ()


def test_a_list_of_what_was_found_is_no_comment(repo: GitRepository) -> None:
    assert told(repo, "grep -rn leeboard: . > found.txt", "cp old.py found.txt") == ()


def test_of_a_line_that_nobody_was_asked_about_nothing_is_known(repo: GitRepository) -> None:
    assert told(repo, "sed -i -f c a.py", "cat old.py >> a.py", Session(id="s")) == ()
