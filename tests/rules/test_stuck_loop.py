from __future__ import annotations

import pytest

from leeboard.model.verdict import Verdict
from leeboard.testing.scenario import play

FAILS = "$! npm test -> Error: no such module"


def said(*lines: str) -> list[Verdict]:
    return [verdict for verdict in play(("@ fix it", *lines)).spoken() if "stuck_loop" in verdict.rules]


@pytest.mark.parametrize(
    "lines",
    [
        (FAILS,) * 3,
        ("$! npm test -> Error 1 at 0x3f",) * 3,
        ("$! make -> line 3: no rule", "$! make -> line 7: no rule", "$! make -> line 9: no rule"),
        ("$ node a.js -> undefined",) * 4,
        ("tool mcp__db__query | select",) * 4,
        ("$ node a.js -> 1", "$ node b.js -> 2") * 3,
        tuple(line for name in "abcd" for line in (f"edit {name}.js | x => {name}", FAILS)),
        ("$! python a.py -> Traceback",) * 3,
    ],
)
def test_what_is_a_loop(lines: tuple[str, ...]) -> None:
    (verdict,) = said(*lines)
    assert "ask the user" in verdict.message


@pytest.mark.parametrize(
    "lines",
    [
        (FAILS,) * 2,
        ("$ node a.js -> undefined",) * 3,
        (FAILS, FAILS, "$! npm test -> TypeError: x is no function", FAILS),
        (FAILS, "edit a.js | x = 1 => x = 2", FAILS, "edit a.js | x = 2 => x = 3", FAILS),
        (FAILS, FAILS, "@ try again, I started the server", FAILS),
        ("$ sleep 30 && ./status -> pending",) * 6,
        ("$ gh run view 5 -> in progress",) * 6,
        ("$ gh pr checks 5 -> pending", "$ sleep 60") * 4,
        ("$ kubectl get pods -> Pending",) * 6,
        ("$! curl -sf localhost:8000/health -> refused",) * 5,
        ("$ git status -> clean",) * 5,
        ("read a.js -> x",) * 5,
        ("$ node a.js -> 1", "$ node b.js -> 2") * 2,
        tuple(
            line for name in "abcd" for line in (f"edit {name}.js | x => {name}", f"$! npm test -> Error: {name * 5}")
        ),
    ],
)
def test_what_is_none(lines: tuple[str, ...]) -> None:
    assert said(*lines) == []


def test_it_is_said_once() -> None:
    assert len(said(*(FAILS,) * 9)) == 1
