from __future__ import annotations

import pytest

from leeboard.model.event import ToolCall, ToolFinished
from leeboard.model.known import OVERWRITTEN, UNRETURNED
from leeboard.truth.learn import what_ran
from tests.known_world import BEGAN, ROOT, bash_done, world_of
from tests.leak import live_key


def named(line: str) -> str:
    done = bash_done(line, BEGAN + 60)
    return what_ran(world_of(done), done)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("make", "make"),
        ("cd src && cd .. && sleep 6 && python3 fix.py && npm test", "python3"),
        ("sleep 12; python3 fix.py", "python3"),
        ("FOO=1 timeout 20 bash -c 'sleep 6; python3 fix.py'", "python3"),
        ("nice -n 5 env A=1 make all", "make"),
        ("export A=1; set -e; test -f x || true; wait; ./gen.sh", "gen.sh"),
        ("echo start && uv run fix.py", "fix.py"),
        ("npm run fix", "npm run"),
        ("git status && git pull", "git pull"),
        ("cd /repo/.venv && source bin/activate && pytest -q", "pytest"),
        ("sleep 6; source fix.sh", "source"),
        ("bash fix.sh; make", "bash"),
        ("sleep 6; echo make | bash", "make"),
        ("bash <<'END'\nsleep 6\nmake\nEND", "make"),
        ("grep -rl a . | xargs sed -i s/a/b/", "sed"),
        ("find . -name x -exec sed -i s/a/b/ {} +", "sed"),
        ("find . -name 'x*' -delete", "find"),
        ("mkdir -p out && make", "make"),
        ("sleep 6; cp $FROM $TO", "cp"),
        ("(cd sub; make) & wait", "make"),
    ],
)
def test_the_program_that_can_write_is_named(line: str, name: str) -> None:
    assert named(line) == name


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("sleep 6 && $TOOL  --all && make", "sleep 6 && $TOOL --all && make"),
        ("sleep 6\ncat a.py > $OUT", "sleep 6 cat a.py > $OUT"),
        ('eval "$LINE"', 'eval "$LINE"'),
        ("sleep 6 && $TOOL --with many words behind it, more than fit", "sleep 6 && $TOOL --with many words…"),
    ],
)
def test_else_the_line_is(line: str, said: str) -> None:
    assert named(line) == said


@pytest.mark.parametrize("line", ["", "\t", "\n", "\0", "'", "$(", "timeout", "sleep 6 |", "\x1b[2J"])
def test_whatever_the_line_is_something_is_named_that_stands_for_nothing_else(line: str) -> None:
    name = named(line)
    assert name
    assert name.isprintable()
    assert name != OVERWRITTEN
    assert not name.startswith(UNRETURNED)


def test_a_secret_in_the_line_is_not_kept() -> None:
    secret = live_key(8)
    assert secret[8:] not in named(f"$TOOL {secret}")


def test_a_tool_goes_by_its_own_name() -> None:
    call = ToolCall(id="b", tool="mcp__ide__rename", action="other", paths=("a.py",))
    done = ToolFinished(session="s", call=call, outcome="done", time=BEGAN + 7, cwd=ROOT)
    assert what_ran(world_of(done), done) == "mcp__ide__rename"
