"""How urgent a finding with a signal is, and what that calls for. A table of products and its exceptions.

    urgency = rework cost x probability that the agent does not correct itself
    FIRE    4.0 and more;  QUEUE  2.0 up to 4.0;  LOG  below 2.0

In this order: what caps it at LOG, the override of a subclass that escalates above 0.85, commitment (of a class
that grows), the product, the
floor, the rule's own word that it fires. Products are rounded where floats drift, never where a threshold lies.
"""

from __future__ import annotations

import math

import msgspec

from leeboard.model.event import Event, MessageSaid, PromptGiven, Stopped, ToolFinished, ToolProposed, TurnEnded
from leeboard.model.session import AgentState
from leeboard.model.verdict import HIGH, Disposition, Finding, Moment, Signal, class_of, subclass_of
from leeboard.model.world import Analysis

FIRE_FROM, QUEUE_FROM = 4.0, 2.0
ESCALATE_ABOVE, QUEUE_ABOVE = 0.85, 0.5
FORCED_URGENCY = 3.0
COMMITTED, SETTLED = 0.9, 1.0
HARDEST = 5


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    urgency: float
    disposition: Disposition
    escalates: bool = False
    """It fires at once, whatever window, cooldown and budget say."""
    trace: tuple[str, ...] = ()
    """The rules that made it, in order."""


def weigh(finding: Finding, *, wired: bool = False) -> Weighed:
    """`wired`: other files import or call what was written."""
    signal = finding.signal
    if signal is None:
        raise ValueError(f"{finding.rule} has no signal to weigh")
    cost, stays = _committed(signal, wired=wired)
    urgency = round(cost * stays, 6)
    trace = [f"{signal.subclass} {signal.stage}: {cost} x {stays:g} = {shown(urgency)}"]
    if signal.log_only:
        return _logged(urgency, trace, signal.log_only)
    if subclass_of(signal.subclass).escalates:
        if finding.confidence > ESCALATE_ABOVE:
            told = f"confidence {finding.confidence:g} above {ESCALATE_ABOVE}: {signal.subclass}-ESCALATE"
            return Weighed(urgency=urgency, disposition="FIRE", escalates=True, trace=(*trace, told))
        if finding.confidence < QUEUE_ABOVE:
            return _logged(urgency, trace, f"confidence {finding.confidence:g} below {QUEUE_ABOVE}")
    floor = _floor(finding, signal)
    if floor > urgency:
        trace.append(f"floor {floor:g}")
        urgency = floor
    if signal.fires:
        urgency = max(urgency, FORCED_URGENCY)
        trace.append(f"fires by its own rule, shown as {shown(urgency)}")
    disposition = "FIRE" if signal.fires else by_threshold(urgency)
    return Weighed(urgency=urgency, disposition=disposition, trace=(*trace, disposition))


def by_threshold(urgency: float) -> Disposition:
    if urgency >= FIRE_FROM:
        return "FIRE"
    return "QUEUE" if urgency >= QUEUE_FROM else "LOG"


def shown(urgency: float) -> str:
    """One decimal, never rounded up over a threshold."""
    return f"{math.floor(round(urgency * 10, 4)) / 10:.1f}"


def label(finding: Finding, weighed: Weighed) -> str:
    """What stands behind URGENCY: the number, or the name of the override."""
    if weighed.escalates and finding.signal is not None:
        return f"{finding.signal.subclass}-ESCALATE"
    return shown(weighed.urgency)


def _committed(signal: Signal, *, wired: bool) -> tuple[int, float]:
    """Some classes get more urgent the further the agent has gone with it."""
    cost, stays = signal.rework_cost, signal.self_correct_prob
    if not class_of(signal.subclass).grows or signal.stage == "PLAN":
        return cost, stays
    if signal.stage == "SETTLED":
        return min(HARDEST, cost + wired), SETTLED
    return cost, COMMITTED if stays >= HIGH else HIGH


def _floor(finding: Finding, signal: Signal) -> float:
    if subclass_of(signal.subclass).escalates and finding.confidence > QUEUE_ABOVE:
        return max(signal.floor, QUEUE_FROM)
    return signal.floor


def _logged(urgency: float, trace: list[str], why: str) -> Weighed:
    return Weighed(urgency=min(urgency, QUEUE_FROM - 0.1), disposition="LOG", trace=(*trace, f"LOG: {why}"))


# Natural pauses: when the agent is between two things and a word does least harm.


_TESTS = frozenset({"pytest", "jest", "vitest", "mocha", "rspec", "phpunit", "ctest", "tox", "nox"})
_TEST_COMMANDS = frozenset({"go test", "cargo test", "npm test", "yarn test", "pnpm test", "dotnet test", "mvn test"})


def lull_after(event: Event, analysis: Analysis, agent: AgentState) -> bool:
    """A complete diff is followed by new plans, a sub-task is said to be done, or tests run."""
    match event:
        case MessageSaid(text=text):
            return agent.lull or agent.wrote or _says_done(text)
        case ToolProposed():
            return agent.lull if not analysis.modified and not runs_tests(analysis) else runs_tests(analysis)
        case _:
            return agent.lull


def _says_done(text: str) -> bool:
    from leeboard.speech.rest import (  # noqa: PLC0415 - only for messages, and a hook pays for every import
        is_pause_text,
    )

    return is_pause_text(text)


def runs_tests(analysis: Analysis) -> bool:
    return any(
        program in _TEST_COMMANDS or program.split(" ", 1)[0] in _TESTS or "pytest" in program
        for program in analysis.programs
    )


def wrote_last(event: Event, analysis: Analysis, agent: AgentState) -> bool:
    """Whether the last call that came back changed a file."""
    if isinstance(event, ToolFinished):
        return event.outcome == "done" and bool(analysis.modified)
    return agent.wrote


def is_pause(moment: Moment, agent: AgentState) -> bool:
    return moment.pause or agent.lull


def ends_turn(event: Event) -> bool:
    """Whether the turn is over with this event: the window of what was detected a turn ago has passed."""
    return isinstance(event, TurnEnded | Stopped | PromptGiven)
