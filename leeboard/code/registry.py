"""What an event adds to the context registry: files read, things fetched and built, decisions, plans, failures.

It runs on every event, so that what ordinary results cost is one digest; code is parsed only where a call wrote some.
All texts are redacted first and cut then: half a secret would not be known as one. A denied call did nothing; a failed
one brought only its failure.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code._registry_call import activity_entries, look_entries, only_looks
from leeboard.code.analyse import TEXT_KEPT
from leeboard.code.redaction import redact_end, redact_start
from leeboard.model.analysis import Analysis
from leeboard.model.diff import Diffs
from leeboard.model.digest import digest
from leeboard.model.event import (
    ContextCompacted,
    FilesChanged,
    MessageSaid,
    PromptGiven,
    SessionStarted,
    ThoughtShown,
    TodosUpdated,
    ToolFinished,
)
from leeboard.model.registry import Entry

ERROR_ROOM = 300
_ERROR_READ = 8_000
_MOST_TODOS = 40
_TODO_ROOM = 240
_TODO_READ = 2_000

_SIGNS = (
    *("rror", "ERR", "FAIL", "fail", "Fail", "Traceback", "anic", "xception", "Uncaught", "Unhandled", "Segmentation"),
    *("not ok", "not found", "No such file", "***", "E   ", "✕", "✗", "×"),
)
"""One of these is in every error."""
_FORGETS = frozenset({"resume", "fork", "clear", "compact"})


def entries_of(analysis: Analysis, diffs: Diffs, turn: int) -> tuple[Entry, ...]:
    """The rows an event adds, in order."""
    event = analysis.event
    if isinstance(event, ToolFinished):
        return tuple(_of_call(event, analysis, diffs, turn))
    return tuple(_of_words(analysis, turn))


def looks_of(analysis: Analysis, turn: int) -> tuple[Entry, ...]:
    """What a finished call read or fetched, alone."""
    event = analysis.event
    if not isinstance(event, ToolFinished) or event.outcome != "done":
        return ()
    return tuple(look_entries(event, analysis, turn))


def _of_words(analysis: Analysis, turn: int) -> Iterator[Entry]:
    event = analysis.event
    match event:
        case MessageSaid() | ThoughtShown():
            from leeboard.code._registry_words import word_entries  # noqa: PLC0415 - for words only

            yield from word_entries(event, turn, analysis.text if len(analysis.text) < TEXT_KEPT else "")
        case TodosUpdated(items=items):
            yield from (_todo(item, event.agent, turn) for item in items[:_MOST_TODOS])
        case PromptGiven():
            yield Entry(kind="research", key="asked", turn=turn, agent=event.agent)
        case FilesChanged():
            for path in dict.fromkeys(touch.path for touch in analysis.touches):
                yield Entry(kind="change", key=path, path=path, turn=turn, data="found")
        case ContextCompacted():
            yield Entry(kind="research", key="forgot", turn=turn, agent=event.agent)
        case SessionStarted(reason=reason) if reason in _FORGETS:
            yield Entry(kind="research", key="forgot", turn=turn, agent=event.agent)
        case _:
            pass


def _of_call(event: ToolFinished, analysis: Analysis, diffs: Diffs, turn: int) -> Iterator[Entry]:
    if event.outcome == "denied":
        return
    if event.outcome == "failed":
        yield _error(event, analysis, event.output, turn)
        return
    if event.call.action in {"edit", "write", "bash"}:
        if diffs:
            from leeboard.code._registry_built import written_entries  # noqa: PLC0415 - for calls that write only

            yield from written_entries(event, diffs, turn)
        yield from _other_changes(event, analysis, diffs, turn)
    if event.call.action == "bash" and _may_fail(event.output) and not only_looks(event.call, analysis):
        from leeboard.code.segment import segments_of  # noqa: PLC0415 - for what programs print only

        yield from (_error(event, analysis, it.text, turn) for it in segments_of(event) if it.kind == "ERROR")
    yield from look_entries(event, analysis, turn)
    yield from activity_entries(event, analysis, turn)


def _may_fail(output: str) -> bool:
    """Whether it is worth looking for an error: what programs print is long and mostly well."""
    return any(sign in output for sign in _SIGNS)


def _other_changes(event: ToolFinished, analysis: Analysis, diffs: Diffs, turn: int) -> Iterator[Entry]:
    """Files that changed though nobody saw the text: `sed -i`, a removal, a checkout."""
    known = {diff.path for diff in diffs}
    changed = dict.fromkeys(touch.path for touch in analysis.touches if touch.modifies)
    for path in changed:
        if path not in known:
            yield Entry(kind="change", key=path, path=path, turn=turn, agent=event.agent, call=event.call.id)


def _error(event: ToolFinished, analysis: Analysis, output: str, turn: int) -> Entry:
    lines = [line for line in redact_end(output, _ERROR_READ).splitlines() if line.strip()]
    text = "\n".join(lines)[-ERROR_ROOM:]
    key = analysis.digest or digest("\n".join(lines[-40:]))
    path = analysis.touches[0].path if analysis.touches else ""
    return Entry(kind="error", key=key, turn=turn, agent=event.agent, call=event.call.id, path=path, text=text)


def _todo(item: str, agent: str, turn: int) -> Entry:
    from leeboard.code.words import content_words  # noqa: PLC0415 - for lists of things to do only

    text = redact_start(item, _TODO_READ)
    return Entry(kind="todo", key=" ".join(content_words(text)), turn=turn, agent=agent, text=text[:_TODO_ROOM])
