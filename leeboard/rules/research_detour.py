"""The agent has stopped building and reads about things the task does not need now.

## What it catches
Three or more turns in a row, after something was written, in which the agent only reads, searches or fetches, and what
it looks at lies outside the work: pages, documents and packages that have nothing to do with the task, and other code
where the agent says that it explores. It is queued, and spoken only if the fourth turn is no different. Reading on in
the files of the task is logged.

## Why it matters
Research that could wait, or that is known already, costs time and fills the context with what the work does not need.

## Example
The agent has written half of the parser, then reads four pages about parser generators in four turns.

## Known limits
Not in the first three turns; not after a failure (that is debugging), after a part of the work was done (a look at the
next one) or after the user spoke; not where the user asked to review, explain or investigate. Several calls in one turn
are one turn of research. Searches, and other code of the project that is read without such words, count for neither
side: it may be what the next change needs.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.analysis.timeline import WINDOW, Stretch, asked_in, flagged, has_ended, lies_outside, stretch_at
from leeboard.model.event import ToolFinished, TurnEnded
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Registry
from leeboard.model.verdict import Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.speech.order import ordered

RULE = Rule(
    code="LB-D301",
    channel="signal",
    subclass="D3",
    summary="the agent has stopped building to read what the task does not need now",
)

_WORK = (
    "@ add retries to src/http/client.py",
    "read src/http/client.py",
    "read src/http/errors.py",
    "read src/http/pool.py",
    "edit src/http/client.py | send() => retry(send)",
)
_DETOUR = ("read docs/history.md", "read docs/roadmap.md", "read docs/style.md", "read docs/talks.md")
FIRES = (Sample(name="documents nobody needs now", lines=(*_WORK, *_DETOUR)),)
SILENT = (
    Sample(name="before anything was written", lines=(*_WORK[:-1], *_DETOUR)),
    Sample(name="after a failure", lines=(*_WORK, "$! pytest -> 1 failed", *_DETOUR)),
    Sample(name="one turn", lines=(*_WORK, _DETOUR[0], *(f"& {line}" for line in _DETOUR[1:]))),
    Sample(
        name="the user asked for it",
        lines=("@ research how others do retries, then add them to src/http/client.py", *_WORK[1:], *_DETOUR),
    ),
)

FEWEST = 3
_GRACE = 3
_READING = (
    *(
        "review",
        "explain",
        "investigate",
        "research",
        "explore",
        "analyze",
        "analyse",
        "understand",
        "audit",
        "compare",
    ),
    *(
        "look into",
        "find out",
        "figure out",
        "read",
        "study",
        "check",
        "describe",
        "summarize",
        "summarise",
        "document",
    ),
    *("docs", "debug", "why"),
)
_MANY_CALLS = 3
_NEWEST = 8


def detect(event: TurnEnded | ToolFinished, world: World, registry: Registry) -> Iterator[Finding]:
    """One finding for a stretch of research: at the end of its turn, or when the next turn brings its first result."""
    last = world.agent.turn if isinstance(event, TurnEnded) else world.agent.turn - 1
    if last <= _GRACE:
        return
    built = next((entry.turn for entry in registry.newest("change", _NEWEST) if entry.agent == event.agent), 0)
    if not built or built >= last:
        return
    long_enough = last - built >= FEWEST
    said = not long_enough and flagged(registry, event.agent, ("RF-D4",), last, last)
    if not (long_enough or said) or _began_anew(registry, event.agent, built, last if said else last - FEWEST):
        return
    if ordered(world, _READING):
        return
    now = stretch_at(registry, event.agent, last, _GRACE + 1)
    if not now.built or now.after_failure or now.after_rest:
        return
    if len(now.turns) >= FEWEST:
        yield from _judged(now, world, registry, event.agent)
    elif said and not _places(now, world, registry, event.agent)[0]:
        yield from _announced(now, said[0], last)


def _began_anew(registry: Registry, agent: str, built: int, last: int) -> bool:
    """Whether the user spoke since the last change, or too late for a stretch to begin: no stretch goes on over it."""
    asked = asked_in(registry, agent)
    return built <= asked or last < asked


def _judged(now: Stretch, world: World, registry: Registry, agent: str) -> Iterator[Finding]:
    inside, outside = _places(now, world, registry, agent)
    if inside:
        yield _finding(now, len(now.turns), far=False)
    elif outside >= FEWEST:
        yield _finding(now, outside, far=True)


def _announced(now: Stretch, flag: Entry, turn: int) -> Iterator[Finding]:
    """The words, with several looks and nothing written in their turn: worth noting."""
    looks = sum(look.turn == turn for look in now.looks)
    if looks >= _MANY_CALLS:
        yield Finding(
            rule="research_detour",
            subject=f"said in turn {turn}",
            evidence=(
                Evidence(f"In the middle of building the agent stops to look around: {flag.text[:160]}"),
                Evidence(f"D3: RF-D4 and {looks} calls without a diff in one turn"),
            ),
            confidence=0.4,
            message="Look up only what the next change needs, then make it.",
            signal=Signal(subclass="D3", rework_cost=1, self_correct_prob=0.5, stage="PLAN"),
            remedy="make the next change",
        )


def _places(now: Stretch, world: World, registry: Registry, agent: str) -> tuple[bool, int]:
    """Whether anything of the work was looked at, and the turns in which something outside of it was."""
    worked_in = frozenset(
        entry.path.rpartition("/")[0] for entry in registry.newest("change", WINDOW) if entry.agent == agent
    )
    exploring = bool(flagged(registry, agent, ("RF-D4",), now.start, world.agent.turn))
    leaves = {look: lies_outside(look, world, worked_in, exploring=exploring) for look in now.looks}
    return False in leaves.values(), len({look.turn for look, outside in leaves.items() if outside})


def _finding(now: Stretch, count: int, *, far: bool) -> Finding:
    seen = tuple(dict.fromkeys(look.key[:80] for look in now.looks))
    what = f"{count} turns of reading without a change"
    unblocks = "" if far else "reads the files of its task: it may unblock a decision"
    return Finding(
        rule="research_detour",
        subject=f"since turn {now.start}" if far else f"in the task, since turn {now.start}",
        evidence=(
            Evidence(
                f"Since turn {now.start} the agent has only read, {count} turns in a row, after it had begun to build."
            ),
            Evidence(
                f"D3: {len(now.turns)} turns of research, {count} of them {'outside' if far else 'inside'} the work"
            ),
            *(Evidence(f"looked at {key}") for key in seen[-4:]),
        ),
        confidence=0.7 if far else 0.4,
        message=f"{what}, last at {seen[-1] if seen else 'nothing'}: decide with what you know and go on building.",
        signal=Signal(
            subclass="D3",
            rework_cost=max(1, min(3, count - 2)),
            self_correct_prob=0.5,
            stage="PLAN",
            floor=2.0 if far else 0.0,
            log_only=unblocks,
        ),
        remedy="go on building; look up what is missing when it is needed",
    )


def holds(finding: Finding, world: World, registry: Registry) -> bool:
    """It stands while the fourth turn and all since are no different, and the user has not asked for reading."""
    turn, agent = world.agent.turn, world.analysis.event.agent
    if ordered(world, _READING) or has_ended(registry, agent, turn):
        return False
    for last in (turn, turn - 1):
        now = stretch_at(registry, agent, last, _GRACE + 1)
        if finding.subject == f"since turn {now.start}" and len(now.turns) > FEWEST:
            inside, outside = _places(now, world, registry, agent)
            return not inside and outside > FEWEST
    return False
