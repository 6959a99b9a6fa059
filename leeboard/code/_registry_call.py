"""What a finished call showed the agent, and what it says about whether the agent looks or builds."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.redaction import redact
from leeboard.model.analysis import Analysis
from leeboard.model.digest import digest
from leeboard.model.event import ToolCall, ToolFinished
from leeboard.model.registry import Entry

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
    from leeboard.code._shell_look import look_of  # noqa: PLC0415 - shlex, for shell lines only

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
        yield Entry(kind="research", key="ran", turn=turn, agent=event.agent, call=call.id, data=data)
