"""A question that was decided is opened again, though nothing new is known.

## What it catches
The agent decided something in its own words and takes it up again in a later turn: "let me reconsider", "actually, let
me rethink", "should we use X or Y?", or it now chooses the other option, while no failure, no word of the user and no
look at the subject came in between. The first time is logged, the second is queued, the third is spoken at once. A plan
of which two fifths repeat what was said two turns ago or earlier is logged too.

## Why it matters
An agent that has lost track of its decisions goes round in circles, undoes its own work and spends the user's time.

## Example
Turn 4: "I'll use REST instead of GraphQL." Turn 9: "Let me reconsider REST vs GraphQL." Turn 14: the same again.

## Known limits
Decisions are read from sentences with use, go with, choose, instead of, rather than. A sentence that gives a reason
("since the test failed") is no reopening. Weighing options aloud within one turn is logged and never counted. A list
that recaps the plan, and a summary at the end, repeat nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.analysis.timeline import WINDOW, failed_between, learned, marked
from leeboard.model.event import MessageSaid, ThoughtShown
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Registry
from leeboard.model.verdict import Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.speech.decision import repeated_share, same_subject
from leeboard.speech.rest import is_pause_text

RULE = Rule(
    code="LB-C301",
    channel="signal",
    subclass="C3",
    summary="a settled question is reopened though nothing new is known",
)

_DECIDED = "~ I'll use REST instead of GraphQL for the public interface."
_AGAIN = "~ Let me reconsider REST vs GraphQL for the public interface."
_STEPS = ("read a.py", "read b.py", "read c.py")
FIRES = (
    Sample(name="opened once", lines=("@ build the service", *_STEPS, _DECIDED, "read d.py", _AGAIN)),
    Sample(
        name="opened twice",
        lines=("@ build the service", *_STEPS, _DECIDED, "read d.py", _AGAIN, "read e.py", _AGAIN),
    ),
)
SILENT = (
    Sample(
        name="after a failure",
        lines=("@ build the service", *_STEPS, _DECIDED, "$! pytest -> 1 failed", _AGAIN),
    ),
    Sample(
        name="after the user spoke",
        lines=("@ build the service", *_STEPS, _DECIDED, "@ clients need nested queries", _AGAIN),
    ),
    Sample(
        name="before anything was decided",
        lines=("@ build the service", *_STEPS, _AGAIN, "read d.py", _DECIDED),
    ),
)

REHASH = 0.4
_FEWEST = 3
_SHORTEST = 200
"""Sentences and characters from which a plan can be said to repeat another."""
_OLD_PLANS = 160
_NEWEST = 8
_NTH = {1: "once", 2: "twice"}


def detect(event: MessageSaid | ThoughtShown, world: World, registry: Registry) -> Iterator[Finding]:
    """One finding for each question this message opens again, and one where the message repeats the plan."""
    turn, agent = world.agent.turn, event.agent
    newest = registry.newest("decided", _NEWEST)
    if any(entry.turn == turn and entry.agent == agent for entry in newest):
        ledger = [entry for entry in registry.newest("decided", WINDOW) if entry.agent == agent]
        for own in ledger:
            if own.turn == turn and own.data != "learned":
                yield from _reopened(own, ledger, registry, aloud=isinstance(event, MessageSaid))
    yield from _rehashed(world, event.text, registry, agent)


def _reopened(own: Entry, ledger: list[Entry], registry: Registry, *, aloud: bool) -> Iterator[Finding]:
    """`aloud`: it was said, not only thought; a thought is never interrupted."""
    history = sorted((entry for entry in ledger if _one_question(own, entry)), key=lambda entry: entry.turn)
    decided = next((entry for entry in history if not entry.data), None)
    if decided is None or decided is own:
        return
    if decided.turn == own.turn:
        if own.data:
            yield _finding(own, decided, _signal(0), 0)
        return
    times = _times(decided, [entry for entry in history if entry.turn > decided.turn], registry)
    if times and times[-1] == own.turn:
        yield _finding(own, decided, _signal(len(times), aloud=aloud), len(times))


def _one_question(own: Entry, entry: Entry) -> bool:
    """Whether an entry is about the question."""
    subject, other = tuple(own.key.split()), tuple(entry.key.split())
    if subject == other:
        return True
    if not own.data and not entry.data:
        return False
    if entry.data:
        return same_subject(other, subject, own.text if not own.data else "")
    return same_subject(subject, other, entry.text)


def _times(decided: Entry, later: list[Entry], registry: Registry) -> list[int]:
    """The turns in which the question was opened again and nothing had been learned since it last came up.

    To decide the same again opens nothing; to choose the other option does.
    """
    words = frozenset(decided.key.split())
    last, choice, counted = decided.turn, decided.text, list[int]()
    for entry in later:
        opens = entry.data == "reopened" or (not entry.data and entry.text != choice)
        if opens and entry.turn != last and not learned(registry, decided.agent, words, last, entry.turn):
            counted.append(entry.turn)
        choice = choice if entry.data else entry.text
        last = entry.turn
    return counted


def _finding(own: Entry, decided: Entry, signal: Signal, times: int) -> Finding:
    again = _NTH.get(times, f"{times} times") if times else "in the same breath"
    question = decided.text[:60]
    trace = (
        f"C3: decided in turn {decided.turn}: {decided.text}",
        f"taken up again in turn {own.turn}: {own.text}",
        "no failure, no word of the user and no look at the subject in between",
    )
    return Finding(
        rule="reopened_decision",
        subject=f"{decided.key}#{min(times, 3)}",
        evidence=(
            Evidence(f"'{question}' was decided in turn {decided.turn} and is being reopened ({again})."),
            *map(Evidence, trace),
        ),
        confidence=0.8,
        message=f"You decided on '{question}' in turn {decided.turn} and nothing new has come up: keep it and go on.",
        signal=signal,
        remedy="keep the decision and go on",
    )


def _signal(times: int, *, aloud: bool = False) -> Signal:
    """0.5 the first time, 1.6 raised to the queue the second, spoken at once from the third on."""
    if times <= 1:
        why = "thinking aloud within one turn" if not times else ""
        return Signal(subclass="C3", rework_cost=1, self_correct_prob=0.5, stage="PLAN", log_only=why)
    fires = times >= 3 and aloud
    return Signal(subclass="C3", rework_cost=2, self_correct_prob=0.8, stage="PLAN", floor=2.0, fires=fires)


def _rehashed(world: World, text: str, registry: Registry, agent: str) -> Iterator[Finding]:
    turn = world.agent.turn
    if len(text) < _SHORTEST or is_pause_text(text) or _is_list(text):
        return
    if marked(registry, agent, ("asked", "forgot"), turn - 2, turn) or failed_between(registry, agent, turn - 2, turn):
        return
    plans = [entry for entry in registry.newest("plan", _OLD_PLANS) if entry.agent == agent]
    said = [entry for entry in plans if entry.turn == turn]
    share, sources = repeated_share(said, (entry for entry in plans if entry.turn <= turn - 2))
    if share < REHASH or len(sources) < _FEWEST:
        return
    percent = round(share * 100)
    yield Finding(
        rule="reopened_decision",
        subject=f"plan of turn {sources[-1].turn}",
        evidence=(
            Evidence(f"{percent} % of this plan was said before, in turn {sources[-1].turn}."),
            *(Evidence(f"C3 rehash: {source.text[:120]}") for source in sources[:3]),
        ),
        confidence=0.6,
        message=f"{percent} % of this plan repeats turn {sources[-1].turn}: the plan stands; go on with its next step.",
        signal=Signal(subclass="C3", rework_cost=1, self_correct_prob=0.5, stage="PLAN"),
        remedy="go on with the next step of the plan",
    )


def _is_list(text: str) -> bool:
    """A list of steps recaps the plan, and is no going round."""
    lines = [line.lstrip() for line in text.splitlines() if line.strip()]
    listed = sum(line.startswith(("-", "*", "•", "#", "|")) or line[:1].isdigit() for line in lines)
    return 2 * listed >= len(lines) > 1


def holds(finding: Finding, world: World, registry: Registry) -> bool:
    """It stands while nobody has said anything new and nothing has failed since."""
    key = finding.subject.rpartition("#")[0]
    agent, now = world.analysis.event.agent, world.agent.turn
    own = [it for it in registry.newest("decided", WINDOW) if it.agent == agent and it.data == "reopened"]
    words = set(key.split())
    last = next((entry.turn for entry in own if words & set(entry.key.split())), now)
    spoke = marked(registry, agent, ("asked", "forgot"), last, now)
    return not spoke and not failed_between(registry, agent, last, now)
