"""What an event adds to the context registry: files read, things fetched and built, decisions, plans, failures.

It runs on every event, so that what ordinary results cost is one digest; code is parsed only where a call wrote some.
All texts are redacted first and cut then: half a secret would not be known as one. A denied call did nothing; a failed
one brought only its failure.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.analysis.analyse import TEXT_KEPT
from leeboard.model.event import (
    ContextCompacted,
    FilesChanged,
    MessageSaid,
    PromptGiven,
    SessionStarted,
    ThoughtShown,
    TodosUpdated,
    ToolCall,
    ToolFinished,
)
from leeboard.model.ledger import Entry
from leeboard.model.text import digest
from leeboard.model.touch import Diffs
from leeboard.model.world import Analysis
from leeboard.secrets.redaction import redact, redact_end, redact_start
from leeboard.text.words import content_words

ERROR_ROOM = 300
_ERROR_READ = 8_000
_MOST_TODOS = 40
RAN_ROOM = 200
_TODO_ROOM = 240
_TODO_READ = 2_000
_PROMPT_ROOM, _PROMPT_READ = 1_000, 4_000

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
            from leeboard.analysis.built import word_entries  # noqa: PLC0415 - for words only

            yield from word_entries(event, turn, analysis.text if len(analysis.text) < TEXT_KEPT else "")
        case TodosUpdated(items=items):
            yield from (_todo(item, event.agent, turn) for item in items[:_MOST_TODOS])
        case PromptGiven(text=text):
            said = redact_start(text, _PROMPT_READ)[:_PROMPT_ROOM]
            yield Entry(kind="research", key="asked", turn=turn, agent=event.agent, call=event.key, text=said)
        case FilesChanged():
            source = "git" if event.by_git else "found"
            for path in dict.fromkeys(touch.path for touch in analysis.touches):
                yield Entry(kind="change", key=path, path=path, turn=turn, data=source)
        case ContextCompacted():
            yield Entry(kind="research", key="forgot", turn=turn, agent=event.agent)
        case SessionStarted(reason=reason) if reason in _FORGETS:
            yield Entry(kind="research", key="forgot", turn=turn, agent=event.agent)
        case _:
            pass


def _of_call(event: ToolFinished, analysis: Analysis, diffs: Diffs, turn: int) -> Iterator[Entry]:
    if event.outcome == "denied":
        return
    yield from _runs(event, analysis, turn)
    if event.outcome == "failed":
        yield _error(event, analysis, event.output, turn)
        return
    if event.call.action in {"edit", "write", "bash"}:
        if any(diff.path for diff in diffs):
            from leeboard.analysis.built import written_entries  # noqa: PLC0415 - for calls that write only

            yield from written_entries(event, diffs, turn)
        yield from _other_changes(event, analysis, diffs, turn)
    if event.call.action == "bash" and _may_fail(event.output) and not only_looks(event.call, analysis):
        from leeboard.analysis.segment import segments_of  # noqa: PLC0415 - for what programs print only

        yield from (_error(event, analysis, it.text, turn) for it in segments_of(event) if it.kind == "ERROR")
    yield from look_entries(event, analysis, turn)
    yield from activity_entries(event, analysis, turn)


def _runs(event: ToolFinished, analysis: Analysis, turn: int) -> Iterator[Entry]:
    """What the call checked, and how that went."""
    if event.call.action not in {"bash", "other"} or only_looks(event.call, analysis):
        return
    from leeboard.analysis.proof.run import run_entries  # noqa: PLC0415 - for what runs programs only

    yield from run_entries(event, analysis, turn)


def _may_fail(output: str) -> bool:
    """Whether it is worth looking for an error: what programs print is long and mostly well."""
    return any(sign in output for sign in _SIGNS)


def _other_changes(event: ToolFinished, analysis: Analysis, diffs: Diffs, turn: int) -> Iterator[Entry]:
    """Files that changed though nobody saw the text: `sed -i`, a removal, a checkout.

    What a line only moves stays whose it is.
    """
    known = {diff.path for diff in diffs}
    changed = dict.fromkeys(touch.path for touch in analysis.touches if touch.modifies)
    how = "moved" if "mv" in analysis.programs or "git mv" in analysis.programs else ""
    for path in changed:
        if path not in known:
            yield Entry(kind="change", key=path, path=path, turn=turn, agent=event.agent, call=event.call.id, data=how)


def _error(event: ToolFinished, analysis: Analysis, output: str, turn: int) -> Entry:
    lines = [line for line in redact_end(output, _ERROR_READ).splitlines() if line.strip()]
    text = "\n".join(lines)[-ERROR_ROOM:]
    key = analysis.digest or digest("\n".join(lines[-40:]))
    path = analysis.touches[0].path if analysis.touches else ""
    return Entry(kind="error", key=key, turn=turn, agent=event.agent, call=event.call.id, path=path, text=text)


def _todo(item: str, agent: str, turn: int) -> Entry:

    text = redact_start(item, _TODO_READ)
    return Entry(kind="todo", key=" ".join(content_words(text)), turn=turn, agent=agent, text=text[:_TODO_ROOM])


# What a finished call showed the agent, and what it says about whether the agent looks or builds.


_OUTPUT_LIMIT = 200_000
_KEY_ROOM = 300
_TAIL = 300
_CUT = ("truncated", "omitted", "[...", "more lines", "too large", "too long", "exceeds max", "exceeds the max")
_UNCHANGED = "File unchanged since last read"
"""What a client answers in place of a file that the agent has in its context already."""
_SEARCHES = frozenset({"grep", "glob", "ls", "list", "search_file_content", "grep_search", "list_directory"})
_PAGES = frozenset({"webfetch", "web_fetch"})
_WEB_SEARCHES = frozenset({"websearch", "web_search", "google_web_search"})
_LOOKING = frozenset(
    "cat bat nl less more head tail sed grep egrep fgrep rg ag ack find fd fdfind ls tree wc jq awk sort uniq cut stat "
    "file which pwd cd echo man diff curl wget".split()
)
_LOOKING_GIT = frozenset({"git log", "git show", "git diff", "git status", "git blame", "git grep", "git ls-files"})


def look_entries(event: ToolFinished, analysis: Analysis, turn: int) -> Iterator[Entry]:
    """Files that were read and things that were fetched, with a digest of what came back."""
    call = event.call
    match call.action:
        case "read" if call.tool.lower() in _SEARCHES or (call.query and not call.paths):
            paths = ",".join(touch.path for touch in analysis.touches)
            yield _fetched(event, turn, f"{call.tool.lower()} {paths} {call.flags} {call.query}")
        case "read":
            yield from (_read(event, turn, touch.path, call.span) for touch in analysis.touches)
        case "bash":
            yield from _shell_look(event, analysis, turn)
        case "other" if call.tool.lower() in _PAGES and call.query:
            yield _fetched(event, turn, call.query.partition("#")[0])
        case "other" if call.tool.lower() in _WEB_SEARCHES and call.query:
            yield _fetched(event, turn, f"web: {call.query}")
        case _:
            return


def _read(event: ToolFinished, turn: int, path: str, span: tuple[int, int]) -> Entry:
    return Entry(
        kind="read",
        key=path,
        path=path,
        turn=turn,
        agent=event.agent,
        call=event.call.id,
        line=span[0],
        amount=span[1],
        digest=digest(event.output),
        data=_state(event.output),
    )


def _fetched(event: ToolFinished, turn: int, key: str) -> Entry:
    return Entry(
        kind="fetched",
        key=redact(" ".join(key.split()))[:_KEY_ROOM],
        turn=turn,
        agent=event.agent,
        call=event.call.id,
        digest=digest(event.output),
        data=_state(event.output),
    )


def _state(output: str) -> str:
    if output.startswith(_UNCHANGED):
        return "unchanged"
    tail = output[-_TAIL:].lower()
    return "truncated" if len(output) >= _OUTPUT_LIMIT or any(word in tail for word in _CUT) else ""


def _shell_look(event: ToolFinished, analysis: Analysis, turn: int) -> Iterator[Entry]:
    """One plain command that looks is known by what it looks at; a longer line that only looks, by itself."""
    if not only_looks(event.call, analysis):
        return
    from leeboard.shell.effects import look_of  # noqa: PLC0415 - shlex, for shell lines only

    look = look_of(event.call.command)
    reads = [touch.path for touch in analysis.touches if touch.kind == "read"]
    if look is not None and look.path and len(reads) == 1:
        yield _read(event, turn, reads[0], look.span)
    else:
        yield _fetched(event, turn, look.query if look is not None and look.query else f"$ {event.call.command}")


def only_looks(call: ToolCall, analysis: Analysis) -> bool:
    """Whether a shell line shows things and changes nothing."""
    if call.action != "bash" or analysis.opaque or not analysis.programs:
        return False
    if any(touch.modifies for touch in analysis.touches):
        return False
    return all(program in _LOOKING or program in _LOOKING_GIT for program in analysis.programs)


def activity_entries(event: ToolFinished, analysis: Analysis, turn: int) -> Iterator[Entry]:
    """That a program was run: it may have changed files, and it is no looking around."""
    call = event.call
    if call.action == "bash" and not only_looks(call, analysis):
        data = "opaque" if analysis.opaque or any(touch.kind == "restore" for touch in analysis.touches) else ""
        line = analysis.command[:RAN_ROOM]
        yield Entry(kind="research", key="ran", turn=turn, agent=event.agent, call=call.id, data=data, text=line)
