"""What an agent's words add to the registry: sentences of its plan, red flags, decisions."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from leeboard.code.decision import decisions_of
from leeboard.code.pause import is_pause_text
from leeboard.code.phrase import plain, red_flags, told
from leeboard.code.redaction import redact_start
from leeboard.code.segment import segments_of
from leeboard.code.words import content_words
from leeboard.model.event import MessageSaid, ThoughtShown
from leeboard.model.pattern import lazy
from leeboard.model.registry import Entry

TEXT_READ = 24_000
MOST_SENTENCES = 40
SENTENCE_ROOM = 240
_SHORTEST = 20
"""Characters: `Done.` and `Now the tests.` are said all the time and repeat nothing."""
_NEXT_PART = lazy(
    r"\b(?:now|next)[,:]? (?:i will|the next|on to|we will) ?(?:\w+ ){0,2}"
    r"(?:add|implement|create|write|update|fix|build|handle|wire|move|do|step|part|task)\b"
)


def word_entries(event: MessageSaid | ThoughtShown, turn: int, redacted: str = "") -> tuple[Entry, ...]:
    """The rows of one message, in order: sentences, flags, decisions, and whether a part of the work ends here.

    `redacted` is its text without secrets, where somebody has it already.
    """
    bare = replace(event, text=redacted or redact_start(event.text, TEXT_READ))
    text = "\n".join(segment.text for segment in segments_of(bare) if segment.kind == "PLAN")
    if not text:
        return ()
    return (
        *_plans(text, event.agent, turn),
        *_flags(text, event.agent, turn),
        *_decisions(text, event.agent, turn),
        *_rests(text, event.agent, turn),
    )


def _plans(text: str, agent: str, turn: int) -> Iterator[Entry]:
    said = [sentence for sentence, _words in told(text) if len(sentence) >= _SHORTEST]
    for sentence in said[:MOST_SENTENCES]:
        if words := content_words(sentence):
            yield Entry(kind="plan", key=" ".join(words), turn=turn, agent=agent, text=sentence[:SENTENCE_ROOM])


def _flags(text: str, agent: str, turn: int) -> Iterator[Entry]:
    for flag in red_flags(text):
        yield Entry(kind="flag", key=flag.id, turn=turn, agent=agent, text=flag.sentence[:SENTENCE_ROOM])


def _decisions(text: str, agent: str, turn: int) -> Iterator[Entry]:
    """`data` is empty for a decision, `reopened` where one is taken up, `learned` where the reason stands beside it."""
    for found in decisions_of(text):
        data = "" if found.step == "decided" else "learned" if found.reason else "reopened"
        said = found.choice if found.step == "decided" else found.sentence
        yield Entry(
            kind="decided",
            key=" ".join(found.subject),
            turn=turn,
            agent=agent,
            text=said[:SENTENCE_ROOM],
            data=data,
        )


def _rests(text: str, agent: str, turn: int) -> Iterator[Entry]:
    if is_pause_text(text) or _NEXT_PART.search(plain(text[:1_000])):
        yield Entry(kind="research", key="rested", turn=turn, agent=agent)
