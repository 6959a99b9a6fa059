"""What a call wrote, and what words add to the registry: changes, functions and features; plans and decisions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from leeboard.analysis.feature import units_of
from leeboard.analysis.segment import segments_of
from leeboard.model.event import (
    MessageSaid,
    ThoughtShown,
    ToolCall,
    ToolFinished,
)
from leeboard.model.ledger import Entry
from leeboard.model.text import digest, git_id, lazy
from leeboard.model.touch import Diff, Diffs
from leeboard.secrets.redaction import redact, redact_start
from leeboard.source.new_code import added_text
from leeboard.speech.decision import decisions_of
from leeboard.speech.red_flags import plain, red_flags, told
from leeboard.speech.rest import is_pause_text
from leeboard.text.language import is_generated, language_of
from leeboard.text.words import content_words

_MOST_BUILT = 60
_SIGNATURE_ROOM = 240
_NAME_ROOM = 120
_BEFORE_NAME = (
    r"\b(?:def|class|function|func|fn|fun|sub|struct|interface|trait|enum|const|let|var)\s{1,4}"
    r"(?:\([^()\n]{0,80}\)\s{0,4})?"
)
_AFTER_NAME = r"\s{0,4}(?:[:=]\s{0,4}(?:async\s{1,4})?(?:function\b|\()|\([^()\n]{0,200}\)\s{0,4}(?:\{|:|=>))"
_LARGEST = 400_000
"""Characters of a file that is looked into."""


def written_entries(event: ToolFinished, diffs: Diffs, turn: int) -> Iterator[Entry]:
    """Rows for each file the call wrote, by its text."""
    for diff in diffs:
        if diff.path:
            yield _change(event, diff, turn)
            yield from _features(event, diff, turn)
            yield from _built(event, diff, turn)


def _change(event: ToolFinished, diff: Diff, turn: int) -> Entry:
    text = added_text(diff)
    return Entry(
        kind="change",
        key=redact(diff.path),
        path=redact(diff.path),
        turn=turn,
        agent=event.agent,
        call=event.call.id,
        line=diff.added[0][0] if diff.added else 0,
        amount=diff.added_count + _lines(diff.removed) or _moved(event.call, diff),
        digest=digest(" ".join(text.split())),
        text=git_id(diff.before or ""),
        data=_packed(text, diff),
    )


def _lines(text: str) -> int:
    return text.count("\n") + bool(text and not text.endswith("\n"))


def _moved(call: ToolCall, diff: Diff) -> int:
    """Lines of an edit that adds and takes away nothing: they only change places."""
    if diff.added or diff.removed or len(call.paths) != 1:
        return 0
    return sum(_lines(edit.new) for edit in call.edits if edit.old and edit.old != edit.new)


def _packed(text: str, diff: Diff) -> str:
    if not text.strip() or len(text) > _LARGEST or is_generated(diff.path, ""):
        return ""
    from leeboard.source.fingerprint import pack_text  # noqa: PLC0415 - the parser, for written code only

    return pack_text(text, language_of(diff.path, diff.after))


def _features(event: ToolFinished, diff: Diff, turn: int) -> Iterator[Entry]:
    """`amount` is one where the whole file was written and nobody knows what it had before."""
    for unit in units_of(diff):
        yield Entry(
            kind="feature",
            key=unit.key,
            path=redact(diff.path),
            line=unit.line,
            turn=turn,
            agent=event.agent,
            call=event.call.id,
            amount=int(diff.before is None and not diff.fragment and event.call.action == "write"),
            text=redact(unit.name)[:_NAME_ROOM],
            data=unit.kind,
        )


def _built(event: ToolFinished, diff: Diff, turn: int) -> Iterator[Entry]:
    language = language_of(diff.path, diff.after)
    if not language or not diff.added or len(diff.after) > _LARGEST or is_generated(diff.path, diff.after):
        return
    from leeboard.source.fingerprint import fingerprint, pack  # noqa: PLC0415 - the parser, for written code only
    from leeboard.source.syntax import parse  # noqa: PLC0415 - as above

    tree = parse(diff.after, language)
    if tree is None:
        return
    lines = diff.after.split("\n")
    had = diff.removed if diff.before is None else diff.before
    new = [it for it in tree.definitions if it.name and diff.wrote(it.start) and not _defines(had, it.name)]
    for it in new[:_MOST_BUILT]:
        print_of = fingerprint(tree, it)
        body = " ".join(" ".join(lines[it.start - 1 : it.end]).split())
        yield Entry(
            kind="built",
            key=it.name.lower(),
            path=redact(diff.path),
            line=it.start,
            turn=turn,
            agent=event.agent,
            call=event.call.id,
            amount=it.end,
            digest=digest(body),
            text=redact(lines[it.start - 1].strip())[:_SIGNATURE_ROOM],
            data=pack(print_of) if print_of is not None else "",
        )


def _defines(text: str, name: str) -> bool:
    """Whether an older text defines this name already: then it is changed, not built."""
    if name not in text:
        return False
    return re.search(rf"{_BEFORE_NAME}{re.escape(name)}\b|\b{re.escape(name)}{_AFTER_NAME}", text) is not None


# What an agent's words add to the registry: sentences of its plan, red flags, decisions.


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
