from __future__ import annotations

import pytest

from leeboard.analysis.proof.run import UNKNOWN, CheckRun, runs, runs_of
from leeboard.model.event import ToolCall, ToolFinished
from leeboard.model.lookup import Around, Tree
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play
from leeboard.testing.scenario_lines import SESSION


def past(*lines: str) -> Around:
    """What a session that was played remembers."""
    store = MemoryStore()
    play(("@ fix a.py", *lines), store=store)
    return Around(store, SESSION, Tree())


def newest(line: str, kind: str = "tests") -> CheckRun:
    (run,) = runs(past(line), kind)
    return run


@pytest.mark.parametrize(
    ("line", "ok"),
    [
        ("$ pytest -q -> 3 passed in 0.1s", True),
        ("$! pytest -q -> 1 failed, 2 passed in 0.1s", False),
        ("$ pytest -q | tail -1 -> 1 failed, 2 passed in 0.1s", False),
        ("$ pytest -q | tail -1 -> warnings", None),
        ("$ make test -> all fine", True),
        ("$! make test -> make: *** [test] Error 1", False),
        ("$ pytest -q || true -> nothing to see", None),
        ("$! cd a && pytest -q -> boom", False),
        ("$! npm run build && npm test -> boom", None),
        ("$ pytest -q -> Command running in background with ID: b1", None),
    ],
)
def test_how_a_run_went(line: str, ok: bool | None) -> None:  # noqa: FBT001 - a column of the table
    assert newest(line).ok is ok


def test_a_run_has_its_line_its_exit_code_and_what_failed() -> None:
    run = newest("$! pytest -q -> Exit code 2\nFAILED tests/test_a.py::test_x - no\n1 failed in 0.1s")
    assert (run.command, run.exit, run.failed, run.names) == ("pytest -q", 2, 1, ("tests/test_a.py::test_x",))
    assert run.ended() == "1 failed"
    assert run.output


def test_one_line_shows_several_things() -> None:
    seen = past("$! ruff check && mypy . && pytest -> Found 2 errors.")
    assert [runs(seen, kind)[0].ok for kind in ("lint", "types", "tests")] == [False, None, None]


def test_what_runs_out_of_sight_is_on_record_without_a_result() -> None:
    seen = past("tool mcp__ide__runTests | all", "tool Task | run the tests")
    assert len(seen.find("run", (UNKNOWN,))) == 2
    assert runs(seen, UNKNOWN) == ()


def test_looking_is_no_run() -> None:
    assert past("$ cat tests/test_a.py", "$ git log -3").newest("run", 5) == ()


def test_no_secret_is_kept_in_the_line() -> None:
    key = "sk_" + "live_" + "aB3dE6gH9jK2mN5pQ8sT1vW4"
    call = ToolCall(id="t", tool="Bash", action="bash", command=f"API_KEY={key} pytest")
    (run,) = runs_of(ToolFinished(session="s", call=call, outcome="done", output="1 passed in 0.1s"))
    assert key not in run.command
    assert run.ok
