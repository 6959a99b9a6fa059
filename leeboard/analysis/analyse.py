"""An event to its Analysis: touches, mentions for the ledger, digests, and the redacted text that may be kept."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from msgspec.structs import replace

from leeboard.analysis.occasion import word_term
from leeboard.analysis.ties.wording import TEXT_READ
from leeboard.model.event import (
    CALLS,
    ContextCompacted,
    Event,
    FilesChanged,
    MessageSaid,
    PromptGiven,
    Stopped,
    TextEdit,
    ThoughtShown,
    TodosUpdated,
    ToolCall,
    ToolFinished,
    ToolProposed,
)
from leeboard.model.ledger import Mention, Met
from leeboard.model.text import digest, lazy
from leeboard.model.touch import ShellEffects, Touch, TouchKind
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, PromptIntent
from leeboard.secrets.redaction import redact, redact_start
from leeboard.shell.effects import may_change, shell_effects
from leeboard.text.names import (
    distinctive_identifiers,
    folders,
    import_statements,
    imported_names,
    keywords,
    path_like,
    path_words,
)

COMMAND_LIMIT = 300
COMMAND_READ = 8_000
"""Redacted before it is cut: half a secret would not be known as one."""
TEXT_KEPT = 1_000
CLOSING_KEPT = 500
ECHO_READ = 4_000
WAITED = "~"
"""The echo of a line that waited: what comes after it may be another matter."""
FEW_PATHS = 8
"""An answer that names no more says something about each."""

_PROSE = (".md", ".mdx", ".txt", ".rst", ".adoc")
"""What people write plans in: the files a plan names were led to."""
_WRITING_TOOL = lazy(r"write|edit|creat|replac|insert|delet|mov|renam|patch|updat|remov", re.IGNORECASE)
_WAITS = lazy(r"\bsleep\b")
_VOLATILE = lazy(
    r"[\da-fA-F/](?:(?<=0)[xX][\da-fA-F]+|(?<=\d)\d*(?:\.\d+)?(?:[mM]?[sS])?|(?<=/)tmp/\S+|(?<=[a-fA-F])[\da-fA-F]{6,39})"
)
"""Addresses, numbers, durations, temporary files, digests. One class in front: the engine skips to where it may fit."""


def analyse(event: Event, workspace: Workspace) -> Analysis:
    """What there is to know about an event by itself. Pure: equal events give equal analyses."""
    event, unread = bounded(event)
    analysis = _analysed(event, workspace)
    return replace(analysis, unread=unread) if unread else analysis


def _analysed(event: Event, workspace: Workspace) -> Analysis:
    match event:
        case ToolProposed():
            return _proposed(event, workspace)
        case ToolFinished():
            return _finished(event, workspace)
        case PromptGiven():
            from leeboard.speech.prompt import (  # noqa: PLC0415 - a third of the import cost, for prompts only
                understand_prompt,
            )

            intent = understand_prompt(event.text, event.command, workspace)
            return Analysis(event=event, intent=intent, mentions=_named(intent, workspace))
        case FilesChanged(paths=paths):
            return Analysis(event=event, touches=tuple(Touch(_spelled(path, workspace, ""), "write") for path in paths))
        case _:
            return _spoken(event, workspace)


def _spoken(event: Event, workspace: Workspace) -> Analysis:
    """What the agent put into words."""
    match event:
        case MessageSaid() | ThoughtShown():
            text = redact_start(event.text, TEXT_READ)
            closing = text[-CLOSING_KEPT:]
            return Analysis(event=event, text=text[:TEXT_KEPT], closing=closing, mentions=_said(text, workspace))
        case Stopped(text=text):
            text = redact_start(text, TEXT_READ)
            return Analysis(event=event, text=text[:TEXT_KEPT], closing=text[-CLOSING_KEPT:])
        case TodosUpdated(items=items):
            return Analysis(event=event, mentions=_plan("\n".join(items), workspace))
        case ContextCompacted(summary=summary):
            met = Met.SAID | Met.FOUND | Met.LISTED
            return Analysis(event=event, mentions=_paths_met(redact_start(summary, TEXT_READ), workspace, met))
        case _:
            return Analysis(event=event)


def touches_of(call: ToolCall, workspace: Workspace, cwd: str) -> tuple[tuple[Touch, ...], ShellEffects]:
    """The paths a call reads or changes, spelled relative to the work tree."""
    if call.action == "bash":
        effects = shell_effects(call.command, cwd)
        named = (*effects.touches, *(Touch(path, "write") for path in call.paths))
        return tuple(Touch(_spelled(touch.path, workspace, cwd), touch.kind) for touch in named), effects
    if call.action == "other":
        reads = call.paths if not _WRITING_TOOL.search(call.tool) else ()
        return tuple(Touch(_spelled(path, workspace, cwd), "read") for path in reads), ShellEffects()
    kind: TouchKind = "write" if call.action in {"edit", "write"} else "read"
    return tuple(Touch(_spelled(path, workspace, cwd), kind) for path in call.paths), ShellEffects()


def _spelled(path: str, workspace: Workspace, cwd: str) -> str:
    """Even a file name may be a secret."""
    return redact(workspace.spell(path, cwd))


def _proposed(event: ToolProposed, workspace: Workspace) -> Analysis:
    call = event.call
    touches, effects = touches_of(call, workspace, event.cwd)
    texts = [text for edit in call.edits for text in (edit.old, edit.new)] or [call.command]
    words = distinctive_identifiers(redact_start(text, TEXT_READ) for text in texts)
    return Analysis(
        event=event,
        touches=touches,
        unnamed=_unnamed(event, effects, workspace),
        opaque=effects.opaque,
        unsure=may_change(call, effects),
        programs=effects.programs,
        words=words,
        mentions=_planned(call, touches, workspace),
        subjects=_subjects(touches, words),
        digest=_edit_digest(call, reverse=False),
        reverse=_edit_digest(call, reverse=True),
        command=redact_start(call.command, COMMAND_READ)[:COMMAND_LIMIT],
    )


def _unnamed(event: ToolProposed, effects: ShellEffects, workspace: Workspace) -> tuple[str, ...]:
    if event.call.action != "bash" or not effects.opaque:
        return ()
    from leeboard.shell.losses.unnamed import unnamed_deletions  # noqa: PLC0415 - for opaque lines only

    found = unnamed_deletions(event.call.command, effects, event.cwd)
    return tuple(dict.fromkeys(_spelled(path, workspace, event.cwd) for path in found))


def _planned(call: ToolCall, touches: tuple[Touch, ...], workspace: Workspace) -> tuple[Mention, ...]:
    """A plan the agent lays out: for approval, or in its own notes outside the work tree."""
    notes = any(touch.path.endswith(_PROSE) and not workspace.holds(touch.path) for touch in touches)
    if call.tool.lower() == "exitplanmode":
        return _plan(call.query, workspace)
    return _plan("\n".join(edit.new for edit in call.edits), workspace) if notes and call.edits else ()


def _plan(text: str, workspace: Workspace) -> tuple[Mention, ...]:
    """Every word of a plan counts, not only its identifiers."""
    text = redact_start(text, TEXT_READ)
    words = (Mention(word_term(word), Met.SAID | Met.PLANNED) for word in keywords(text))
    return (*_paths_met(text, workspace, Met.SAID | Met.FOUND), *words)


def _subjects(touches: tuple[Touch, ...], words: tuple[str, ...]) -> tuple[str, ...]:
    names = [posixpath.basename(touch.path) for touch in touches if touch.modifies]
    return tuple(dict.fromkeys(word_term(word) for word in (*(w for name in names for w in path_words(name)), *words)))


def _finished(event: ToolFinished, workspace: Workspace) -> Analysis:
    call = event.call
    touches, effects = touches_of(call, workspace, event.cwd)
    output = redact_start(event.output, ECHO_READ if _shows_code(event, touches) else TEXT_READ)
    failed = event.outcome == "failed" and call.action == "bash"
    return Analysis(
        event=event,
        touches=touches,
        opaque=effects.opaque,
        unsure=may_change(call, effects),
        programs=effects.programs,
        mentions=_met_by_result(event, touches, effects, output, workspace),
        digest=failure_digest(call.command, output) if failed else "",
        echo=_echo(event, output),
        command=redact_start(call.command, COMMAND_READ)[:COMMAND_LIMIT],
    )


def _shows_code(event: ToolFinished, touches: tuple[Touch, ...]) -> bool:
    """Whether it shows a file of code: it is known again by its beginning, and leads to what it imports."""
    return _shows_file(event.call) and not any(touch.path.endswith(_PROSE) for touch in touches)


def _shows_file(call: ToolCall) -> bool:
    return call.action == "read" and call.tool.lower() not in {"grep", "glob", "ls"}


def _met_by_result(
    event: ToolFinished, touches: tuple[Touch, ...], effects: ShellEffects, output: str, workspace: Workspace
) -> tuple[Mention, ...]:
    """What a result shows the agent. Denied calls showed nothing; edits are entered by the fold once judged."""
    call = event.call
    if event.outcome == "denied" or call.action in {"edit", "write"}:
        return ()
    met: list[Mention] = []
    for touch in touches:
        if touch.kind == "read" and event.outcome == "done" and call.tool.lower() not in {"grep", "glob", "ls"}:
            met.extend(path_mentions(touch.path, Met.READ))
    reads_code = _shows_file(call)
    if reads_code or (call.action == "bash" and any(touch.kind == "read" for touch in touches)):
        imports = redact(import_statements(event.output[:TEXT_READ])) if _shows_code(event, touches) else output
        met.extend(Mention(word_term(name), Met.IMPORTED) for name in imported_names(imports))
        if any(touch.path.endswith(_PROSE) for touch in touches):
            met.extend(_plan(output, workspace))
    if not reads_code:
        listing = effects.listing or call.tool.lower() in {"glob", "ls"}
        failed = Met.FAILED if event.outcome == "failed" else 0
        met.extend(_paths_met(output, workspace, (Met.LISTED if listing else Met.FOUND) | failed))
    return tuple(met)


def path_mentions(path: str, met: int) -> tuple[Mention, ...]:
    """Rows for a path, its file name and its folders."""
    name = path.rsplit("/", 1)[-1]
    return (Mention(path, met), Mention(f"name:{name}", met), *(Mention(folder, met) for folder in folders(path)[:4]))


def _paths_met(text: str, workspace: Workspace, met: int) -> tuple[Mention, ...]:
    found: list[Mention] = []
    tokens = path_like(text[:TEXT_READ])
    if met & Met.FOUND and len(tokens) <= FEW_PATHS:
        met |= Met.PINNED
    for token in tokens:
        spelled = workspace.spell(token)
        if workspace.holds(spelled):
            found.append(Mention(spelled, met))
            folder, _, name = spelled.rpartition("/")
            found.append(Mention(f"name:{name}", met))
            if folder and met & Met.PINNED:  # a folder is found with the one thing that was found in it
                found.append(Mention(folder, met))
    return tuple(found)


def _said(text: str, workspace: Workspace) -> tuple[Mention, ...]:
    words = distinctive_identifiers([text[:TEXT_READ]])
    return (*_paths_met(text, workspace, Met.SAID), *(Mention(word_term(word), Met.SAID) for word in words))


def _named(intent: PromptIntent, workspace: Workspace) -> tuple[Mention, ...]:
    """What the human spoke of; what they ruled out is not what they asked for."""
    words = {*intent.keywords, *(name.lower() for name in distinctive_identifiers([intent.wanted], limit=80))}
    paths = _paths_met("\n".join((intent.wanted, *intent.scope)), workspace, Met.NAMED)
    return (*paths, *(Mention(word_term(word), Met.WORD) for word in sorted(words)))


def _edit_digest(call: ToolCall, *, reverse: bool) -> str:
    if not call.edits:
        return ""
    parts = [call.paths[0] if call.paths else ""]
    for edit in call.edits:
        old, new = (edit.new, edit.old) if reverse else (edit.old, edit.new)
        parts += [edit.at, " ".join(old.split()), " ".join(new.split())]
    return digest("\x1f".join(parts))


def _echo(event: ToolFinished, output: str) -> str:
    """Known again when the same call gives the same, but for numbers, addresses and times."""
    call = event.call
    if event.outcome == "denied":
        return ""
    if _WAITS.search(call.command):
        return WAITED
    edits = "\x1e".join(f"{edit.old}\x1d{edit.new}" for edit in call.edits)
    asked = "\x1f".join((call.tool, call.command, *call.paths, call.query, call.flags, str(call.span), edits))
    came = _VOLATILE.sub("0", output[:ECHO_READ])
    return f"{digest(asked, 5)}/{digest(came, 5)}{'!' if event.outcome == 'failed' else ''}"


def failure_digest(command: str, output: str) -> str:
    """Equal for the same command failing twice in ways that differ only in numbers, addresses and times."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    told = "\n".join((" ".join(command.split()), *lines[-40:]))
    return digest(_VOLATILE.sub("0", told)) if lines else ""


# How much of a call is analysed: a hook has to answer while its client waits, however much the agent writes.
#
# Of a longer text the beginning and the end are read, and of what lies between the surroundings of a few signs that
# hardly anything but a key has. The rest is *not analysed*, and that is said.


MOST = 2 << 20
"""Characters of a call that are analysed."""
SIGNS = ("AKIA", "ghp_", "sk-ant-", "PRIVATE KEY-----")
LOOKED_THROUGH = 64 << 20
"""Characters between beginning and end that are looked through for each sign."""
_BEFORE, _AFTER, _PLACES = 200, 3_000, 50


def bounded(event: Event) -> tuple[Event, int]:
    """The event with as much of its texts as is analysed, and how many characters are not."""
    if not isinstance(event, CALLS):
        return event, 0
    size = _size(event)
    if size <= MOST:
        return event, 0
    room = MOST // max(1, sum(1 for text in _texts(event) if len(text) > MOST // 64))
    short = _shortened(event, room)
    return short, max(0, size - _size(short))


def told_unread(event: Event, unread: int) -> str:
    """That part of a call was too long to be read: what nobody looked at is not called clean."""
    paths = event.call.paths if isinstance(event, CALLS) else ()
    where = paths[0] if paths else "the call"
    return f"not analysed: {unread / 1e6:.1f} million characters of {where}, all but its beginning and its end"


def _size(event: ToolProposed | ToolFinished) -> int:
    return sum(map(len, _texts(event)))


def _texts(event: ToolProposed | ToolFinished) -> Iterator[str]:
    yield event.call.command
    for edit in event.call.edits:
        yield edit.old
        yield edit.new
    if isinstance(event, ToolFinished):
        yield event.before or ""
        yield event.after or ""


def _shortened(event: ToolProposed | ToolFinished, room: int) -> ToolProposed | ToolFinished:
    call = _shortened_call(event.call, room)
    if isinstance(event, ToolProposed):
        return replace(event, call=call)
    before = None if event.before is None else _cut(event.before, room)
    after = None if event.after is None else _cut(event.after, room)
    return replace(event, call=call, before=before, after=after)


def _shortened_call(call: ToolCall, room: int) -> ToolCall:
    edits: list[TextEdit] = []
    left = MOST
    for edit in call.edits:
        if left <= 0:
            break
        edits.append(TextEdit(_cut(edit.old, room), _cut(edit.new, room), edit.at))
        left -= len(edits[-1].old) + len(edits[-1].new)
    return replace(call, command=_cut(call.command, room), edits=tuple(edits))


def _cut(text: str, room: int) -> str:
    """Its beginning, what lies around the signs of a key, and its end; whole lines, where it has lines."""
    if len(text) <= room:
        return text
    head, tail = room * 3 // 4, len(text) - room // 4
    head = text.rfind("\n", 0, head) + 1 or head
    tail = text.find("\n", tail, tail + room // 8) + 1 or tail
    return "\n".join((text[:head], *_around_signs(text, head, tail), text[tail:]))


def _around_signs(text: str, start: int, end: int) -> Iterator[str]:
    stop = min(end, start + LOOKED_THROUGH)
    for sign in SIGNS:
        at, found = text.find(sign, start, stop), 0
        while at >= 0 and found < _PLACES:
            yield text[max(start, at - _BEFORE) : min(end, at + _AFTER)]
            found += 1
            at = text.find(sign, at + _AFTER, stop)
