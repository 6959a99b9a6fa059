"""The words of an interrupt: as context for the agent, and as the block a person reads. Never more than 39 words."""

from __future__ import annotations

from leeboard.code.wording import element, untagged
from leeboard.model.outcome import Judged
from leeboard.model.session import Pending
from leeboard.model.signal import Disposition
from leeboard.model.signal_class import letter_of
from leeboard.rule import code_attribute, code_of

MOST_WORDS = 39
HOLD: dict[Disposition, str] = {"FIRE": "immediate", "QUEUE": "next pause", "LOG": "end of session"}

_PERMIT = "Only the user may permit it: `leeboard allow {id} --reason ...`."


def said(message: str) -> str:
    """One line of under 40 words that can not end our own tag."""
    words = untagged(message).split()
    return " ".join(words) if len(words) <= MOST_WORDS else " ".join(words[:MOST_WORDS]).rstrip(",;:") + "…"


def for_agent(pending: Pending, urgency: str, *, denied: bool = False) -> str:
    """What the agent reads. A denial says how the user, and nobody else, lets it pass."""
    signal = pending.finding.signal
    subclass = signal.subclass if signal else ""
    text = pending.finding.message
    permit = _PERMIT.format(id=pending.id)
    if denied and len(text.split()) + len(permit.split()) <= MOST_WORDS:
        text = f"{text} {permit}"
    attributes = {"class": subclass, "urgency": urgency, **code_attribute((pending.finding.rule,))}
    return element(said(text), attributes)


def block(judged: Judged) -> str:
    """What a person reads: the message to pass on, the reason in one sentence, and how long it could wait."""
    head = f"[CLASS-{letter_of(judged.subclass)} | URGENCY: {judged.urgency}] {code_of(judged.rule)}"
    return "\n".join(
        (
            f"⚡ SCAFFOLD-WATCH INTERRUPT {head.rstrip()}",
            "",
            f"/btw {said(judged.message)}",
            "",
            f"REASON: {judged.reason}",
            f"HOLD UNTIL: {HOLD[judged.disposition]}",
        )
    )
