"""The same call again and again, with the same result and nothing changed in between.

## What it catches
One call three times in a row that fails each time; one call four times in a row with the same result; two calls that
take turns six times with the same results; the same failure after each of four rounds of changes, whichever files they
are made in.

## Why it matters
What did not work three times does not work the fourth time. Time and money go, and the user thinks work is being done.

## Example
`npm test` fails with the same error; the agent runs it again, and again.

## Known limits
Changes to one file that go round are `circling`. Polling is no loop: a line that waits, watches or asks for the state
of something that runs elsewhere, and a call after one that waited. Files read again are `refetched_context`. Results
are equal when they differ only in numbers, times and addresses. It is said once for each call.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.analysis.analyse import WAITED
from leeboard.model.event import ToolFinished
from leeboard.model.text import lazy
from leeboard.model.verdict import HIGH, Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.text.words import ordinal

RULE = Rule(
    code="LB-V401",
    channel="signal",
    subclass="V4",
    only_where="repetition",
    summary="the same call again and again, with the same result and nothing changed in between",
)

_FAILS = "$! npm test -> Error: no such module"
FIRES = (
    Sample(name="fails three times", lines=("@ fix a.js", _FAILS, _FAILS, _FAILS)),
    Sample(name="the same four times", lines=("@ fix a.js", *("$ node a.js -> undefined",) * 4)),
    Sample(name="two take turns", lines=("@ fix a.js", *("$ node a.js -> 1", "$ node b.js -> 2") * 3)),
    Sample(
        name="the same failure after each change",
        lines=("@ fix it", *(line for name in "abcd" for line in (f"edit {name}.js | x => {name}", _FAILS))),
    ),
)
SILENT = (
    Sample(name="twice", lines=("@ fix a.js", _FAILS, _FAILS)),
    Sample(name="another failure", lines=("@ fix a.js", _FAILS, _FAILS, "$! npm test -> TypeError: x")),
    Sample(name="waiting", lines=("@ deploy", *("$ sleep 30 && gh run view 5 -> in progress",) * 5)),
    Sample(
        name="a change in between",
        lines=("@ fix a.js", _FAILS, "edit a.js | x = 1 => x = 2", _FAILS, "edit a.js | x = 2 => x = 3", _FAILS),
    ),
)

FAILED, SAME, TURNS, ROUNDS = 3, 4, 6, 4
_WAITS = lazy(
    r"\bsleep\b|\bwatch\b|\bwait\b|--watch\b|--follow\b|\s-f\b|\b(?:gh (?:run|pr|api|workflow)|kubectl|docker|podman"
    r"|aws|systemctl|gcloud|az|ping|nc|curl|wget|ps|pgrep|lsof|netstat|ss|tail|jobs|date|uptime|top|free|df|nvidia-smi|squeue"
    r"|qstat|terraform|heroku|fly|vercel|adb|git (?:status|fetch|pull|ls-remote|log|diff))\b"
)


def detect(event: ToolFinished, world: World) -> Iterator[Finding]:
    """One finding for the call that closes the loop."""
    call = event.call
    if call.action == "read" or (call.action == "bash" and _WAITS.search(call.command)):
        return
    if call.action == "other" and not call.tool.startswith("mcp__"):
        return
    told = _repeated(world.agent.calls) or _rounds(world)
    if told:
        what = (
            f"`{world.analysis.command[:80]}`" if call.command else f"{call.tool} {' '.join(call.paths)[:80]}".strip()
        )
        yield _finding(what, told, world.agent.calls[-1])


def _repeated(calls: tuple[str, ...]) -> str:
    """How the newest calls repeat each other: what was asked, what came back, and whether it failed."""
    newest = calls[-1]
    if newest.endswith("!") and _alike(calls[-FAILED:], FAILED, newest):
        return f"failed {FAILED} times in a row in the same way, with nothing changed in between"
    if _alike(calls[-SAME:], SAME, newest):
        return f"gave the same result {SAME} times in a row"
    last = calls[-TURNS:]
    turns = (
        len(last) == TURNS
        and WAITED not in last
        and len(set(last[::2])) == len(set(last[1::2])) == 1
        and len(set(last)) > 1
    )
    return "takes turns with another call, three times each, with the same results" if turns else ""


def _alike(calls: tuple[str, ...], times: int, newest: str) -> bool:
    return len(calls) == times and set(calls) == {newest}


def _rounds(world: World) -> str:
    """The same failure, each time after other changes."""
    marks = world.agent.marks
    if not marks or marks[-1].kind != "failure":
        return ""
    rounds, paths, changed = 0, dict[str, None](), False
    for mark in reversed(marks):
        if mark.kind == "rest":
            break
        if mark.kind == "edit":
            paths[mark.path], changed = None, True
        elif mark.digest != marks[-1].digest:
            break
        elif changed or not rounds:
            rounds, changed = rounds + 1, False
    if rounds < ROUNDS or len(paths) <= 1:
        return ""
    return f"fails in the same way for the {ordinal(rounds)} time, after changes to {', '.join(list(paths)[:3])}"


def _finding(what: str, told: str, key: str) -> Finding:
    return Finding(
        rule="stuck_loop",
        subject=key.partition("/")[0],
        evidence=(Evidence(f"{what} {told}"),),
        confidence=0.9,
        message=f"{what} {told}. Do not repeat it: say what is known, try another way, or ask the user.",
        remedy="try another way, or ask the user",
        signal=Signal(subclass="V4", rework_cost=2, self_correct_prob=HIGH, fires=True, patience=-1),
    )


def holds(finding: Finding, world: World) -> bool:
    """While the newest call is still that one."""
    return bool(world.agent.calls) and world.agent.calls[-1].partition("/")[0] == finding.subject
