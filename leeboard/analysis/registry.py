"""What an event adds to the context registry: files read, things fetched and built, decisions, plans, failures.

It runs on every event, so that what ordinary results cost is one digest; code is parsed only where a call wrote some.
All texts are redacted first and cut then: half a secret would not be known as one. A denied call did nothing; a failed
one brought only its failure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from leeboard.analysis.analyse import TEXT_KEPT
from leeboard.analysis.feature import units_of
from leeboard.analysis.segment import segments_of
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
from leeboard.model.text import digest, lazy
from leeboard.model.touch import Diff, Diffs
from leeboard.model.world import Analysis
from leeboard.secrets.redaction import redact, redact_end, redact_start
from leeboard.source.new_code import added_text
from leeboard.speech.decision import decisions_of
from leeboard.speech.red_flags import plain, red_flags, told
from leeboard.speech.rest import is_pause_text
from leeboard.text.language import is_generated, language_of
from leeboard.text.words import content_words

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
            yield from written_entries(event, diffs, turn)
        yield from _other_changes(event, analysis, diffs, turn)
    if event.call.action == "bash" and _may_fail(event.output) and not only_looks(event.call, analysis):
        from leeboard.analysis.segment import segments_of  # noqa: PLC0415 - for what programs print only

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
    from leeboard.text.words import content_words  # noqa: PLC0415 - for lists of things to do only

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
        yield Entry(kind="research", key="ran", turn=turn, agent=event.agent, call=call.id, data=data)


# What a call wrote: changes with their size, new functions and classes with their fingerprints, features.


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
