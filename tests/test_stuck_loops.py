"""Loops without progress, through the real hook in real repositories: what is said once, and what is no loop."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checked_work import Step, said_by

FILES = {"a.js": "let x = 1;\n", "b.js": "let x = 1;\n", "c.js": "let x = 1;\n", "d.js": "let x = 1;\n"}
FAILS: Step = ("run", "npm test", "1", "Error: no such module")


def ran(line: str, output: str, code: str = "0") -> Step:
    return ("run", line, code, output)


SPOKEN: dict[str, tuple[Step, ...]] = {
    "fails three times": (FAILS,) * 3,
    "fails at other lines": tuple(ran("make", f"line {number}: no rule", "2") for number in (3, 7, 9)),
    "fails in a script": (ran("python a.py", "Traceback", "1"),) * 3,
    "the same four times": (ran("node a.js", "undefined"),) * 4,
    "the same build": (ran("make build", "nothing to be done"),) * 4,
    "an edit that fits nowhere": (("fail", "a.js", "no such text"),) * 3,
    "two take turns": (ran("node a.js", "1"), ran("node b.js", "2")) * 3,
    "two that fail take turns": (ran("npm test", "no", "1"), ran("npm run build", "no", "1")) * 3,
    "a test and a look": (ran("npm test", "no", "1"), ran("node --version", "v22")) * 3,
    "the same failure after each change": tuple(
        step for name in "abcd" for step in (("edit", f"{name}.js", "x = 1", f"x = {name}"), FAILS)
    ),
}
SILENT: dict[str, tuple[Step, ...]] = {
    "twice": (FAILS,) * 2,
    "the same three times": (ran("node a.js", "undefined"),) * 3,
    "another failure": (FAILS, FAILS, ran("npm test", "TypeError: x", "1"), FAILS),
    "a change in between": (FAILS, ("edit", "a.js", "1", "2"), FAILS, ("edit", "a.js", "2", "3"), FAILS),
    "the user speaks": (FAILS, FAILS, ("say", "try again, I started the server"), FAILS),
    "waiting": (ran("sleep 1; ./status", "pending"),) * 6,
    "watching a build": (ran("gh run watch 5", "in progress"),) * 6,
    "polling": (ran("kubectl get pods", "Pending"),) * 6,
    "a server that comes up": (ran("curl -sf localhost:8000/health", "refused", "7"),) * 5,
    "asking for the state": (ran("git status", "clean"),) * 5,
    "turns with a wait": (ran("./status", "pending"), ran("sleep 30", "")) * 4,
    "four turns": (ran("node a.js", "1"), ran("node b.js", "2")) * 2,
}


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))


@pytest.mark.parametrize("name", SPOKEN)
def test_what_is_said(name: str, tmp_path: Path) -> None:
    (words,) = said_by("LB-V401", tmp_path, FILES, (("say", "get it to work"), *SPOKEN[name]))
    assert "ask the user" in words


@pytest.mark.parametrize("name", SILENT)
def test_what_is_not_said(name: str, tmp_path: Path) -> None:
    assert said_by("LB-V401", tmp_path, FILES, (("say", "get it to work"), *SILENT[name])) == []
