"""Our hooks in a settings file of Claude Code (or in Codex's hooks.json, which has the same shape).

The file is the user's: a change is cut into its text, so that every byte which is not ours stays. What we put in says
by the space around it whether we also made the brackets that hold it. Brackets of ours have space on both sides;
empty brackets that were there before keep one side bare. `remove` reads that, and so gives the text back as it was.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator

import msgspec

from leeboard.clients.call import SettingsState
from leeboard.errors import ConfigError
from leeboard.model.text import lazy

HOOK_EVENTS: tuple[str, ...] = (
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"),
    *("Stop", "SubagentStart", "SubagentStop", "PostCompact", "ConfigChange", "SessionEnd"),
)
"""Where our hook is put: all that tells us something, and nothing that only costs a process."""

SLOW_EVENTS = ("Stop", "SubagentStop")
"""Where the quality gates of a workflow may be run."""
SLOW_SECONDS = 120
BATCHES_SINCE = (2, 1, 142)
"""The first version that reports the end of a batch of calls."""

_SCRIPT = lazy(r"(?:.*/)?leeboard/surfaces/hook\.py", re.DOTALL)
_LINE_SCRIPT = lazy(r"(?:.*/)?leeboard/surfaces/status_line\.py", re.DOTALL)
_WORD = lazy(r"""(?:"[^"]*"|'[^']*'|\\\s|[^\s"'])+""")
_RUNNER = lazy(r"(?:.*/)?(?:python|pypy|py|pyw|env|exec)[\d.]*w?(?:\.exe)?|\w+=.*|.*[;&|({]", re.DOTALL)
_VALUE_OPTIONS = (["-X"], ["-W"])

_PLUGIN = "leeboard"

Cuts = list[tuple[int, int]]
Pruned = tuple[bool, Cuts]


def install(text: str, command: str, timeout: int = 10) -> str:
    """The settings with our hook at each of HOOK_EVENTS, once, whatever stood there of us before.

    An empty text stands for no file. Raises ConfigError, and so changes nothing, where the text is not what Claude
    Code would read.
    """
    if not is_ours(command):
        raise ValueError(f"a command that would not be found again: {command}")
    clean = remove(text)
    if not clean.strip():
        hooks = _Writer(command=command, timeout=timeout, unit="  ").hooks("\n  ")
        return f"{{\n  {hooks}\n}}\n"
    top = read_container(clean, first_bracket(clean))
    lead = _lead_of(top) if top.parts else "\r\n  " if "\r\n" in clean else "\n  "
    unit = lead.rpartition("\n")[2] if "\n" in lead else "  "
    insertions = _insertions(clean, _Place(top, lead), _Writer(command=command, timeout=timeout, unit=unit))
    for position, addition in sorted(insertions, reverse=True):
        clean = clean[:position] + addition + clean[position:]
    return clean


def remove(text: str) -> str:
    """The settings without our hooks and without the brackets that were made for them; the rest byte for byte.

    Empty where the whole file was ours. Raises ConfigError where the text is no JSON object.
    """
    if not text.strip():
        return text
    check_object(text)
    gone, cuts = _prune(text, first_bracket(text), lambda part: _prune_hooks(text, part))
    if gone:
        return ""
    for start, end in sorted(cuts, reverse=True):
        text = text[:start] + text[end:]
    return text


def read_state(text: str) -> SettingsState:
    """What of a settings file counts for the guard; ConfigError where the text is no JSON object."""
    if not text.strip():
        return SettingsState()
    check_object(text)
    told = json.loads(text.removeprefix(_MARK))
    hooks, env = tuple(_standing(told.get("hooks"))), told.get("env")
    return SettingsState(
        hooks=hooks,
        asked_first=tuple(command for event, command in hooks if event == "PreToolUse"),
        env=env if isinstance(env, dict) else {},
        switched_off=told.get("disableAllHooks") is True,
        plugin=any(_runs_plugin(told.get("enabledPlugins"))),
    )


def first_payload(session: str, folder: str) -> bytes:
    told = {"session_id": session, "hook_event_name": "SessionStart", "source": "startup", "cwd": folder}
    return json.dumps(told).encode()


def version_trouble(version: tuple[int, ...]) -> str:
    wanted = ".".join(map(str, BATCHES_SINCE))
    return "" if version >= BATCHES_SINCE else f"does not tell where a batch of calls ends; {wanted} does"


def is_ours(command: str, script: re.Pattern[str] = _SCRIPT) -> bool:
    """Whether a command line runs our hook. One that only names its file, such as a linter's, does not."""
    words = [_bare(word) for word in _WORD.findall(command)]
    return any(script.fullmatch(word) and _runs(words[:at]) for at, word in enumerate(words))


def _bare(word: str) -> str:
    return word.replace('"', "").replace("'", "").replace("\\", "/")


def _runs(before: list[str]) -> bool:
    """Whether a script behind these words is run by them."""
    while before and (before[-1].startswith("-") or before[-2:-1] in _VALUE_OPTIONS):
        before = before[:-1]
    return not before or bool(_RUNNER.fullmatch(before[-1]))


class _Place(msgspec.Struct, frozen=True):
    """A container and the space before each of its parts."""

    container: JsonContainer
    lead: str


class _Writer(msgspec.Struct, frozen=True, kw_only=True):
    """Writes our entries in the style of the file."""

    command: str
    timeout: int
    unit: str

    def deeper(self, lead: str) -> str:
        return lead + self.unit if "\n" in lead else " "

    def group(self, name: str, lead: str) -> str:
        seconds = max(self.timeout, SLOW_SECONDS) if name in SLOW_EVENTS else self.timeout
        entry = {"type": "command", "command": self.command, "timeout": seconds}
        indent = self.unit if "\n" in lead else None
        return json.dumps({"hooks": [entry]}, indent=indent, ensure_ascii=False).replace("\n", lead)

    def event(self, name: str, lead: str) -> str:
        inner = self.deeper(lead)
        return f'"{name}": [{inner}{self.group(name, inner)}{lead}]'

    def hooks(self, lead: str) -> str:
        inner = self.deeper(lead)
        events = f",{inner}".join(self.event(name, inner) for name in HOOK_EVENTS)
        return f'"hooks": {{{inner}{events}{lead}}}'


def _lead_of(container: JsonContainer) -> str:
    """The space before a further part. Blank lines are not repeated."""
    if "\n" not in container.lead:
        return container.lead or " "
    newline = "\r\n" if "\r\n" in container.lead else "\n"
    return newline + container.lead.rpartition("\n")[2]


def _insertions(text: str, top: _Place, writer: _Writer) -> list[tuple[int, str]]:
    hooks = top.container.find("hooks")
    if hooks is None:
        return [_insertion(top, [writer.hooks(top.lead)])]
    held = _inner_place(text, hooks, top.lead, writer)
    insertions: list[tuple[int, str]] = []
    missing: list[str] = []
    for name in HOOK_EVENTS:
        event = held.container.find(name)
        if event is None:
            missing.append(writer.event(name, held.lead))
        else:
            groups = _inner_place(text, event, held.lead, writer)
            insertions.append(_insertion(groups, [writer.group(name, groups.lead)]))
    return [*insertions, _insertion(held, missing)] if missing else insertions


def _inner_place(text: str, part: JsonPart, lead: str, writer: _Writer) -> _Place:
    wanted, brackets = (dict, "an object, written in { }") if part.name == "hooks" else (list, "a list, written in [ ]")
    if not isinstance(part.value, wanted):
        raise ConfigError(
            f'{place(text, part.at)}: "{part.name}" must be {brackets}. '
            "Correct the file and run the command again; it was left as it is."
        )
    container = read_container(text, part.at)
    return _Place(container, _lead_of(container) if container.parts else writer.deeper(lead))


def _insertion(into: _Place, additions: list[str]) -> tuple[int, str]:
    container, lead = into.container, into.lead
    if container.parts:
        return container.parts[-1].end, "".join(f",{lead}{addition}" for addition in additions)
    one_side = "" if container.lead else lead
    return container.start + 1, one_side + f",{lead}".join(additions)


def _prune(text: str, at: int, prune_part: Callable[[JsonPart], Pruned]) -> Pruned:
    """Whether the container at this place goes with all its parts; if not, the cuts inside it."""
    container = read_container(text, at)
    gone: list[JsonPart] = []
    cuts: Cuts = []
    for part in container.parts:
        goes, inner = prune_part(part)
        cuts += inner
        if goes:
            gone.append(part)
    if gone and len(gone) == len(container.parts) and container.lead and container.tail:
        return True, []
    return False, cuts + cuts_without(container, gone)


def _prune_hooks(text: str, part: JsonPart) -> Pruned:
    if part.name == STATUS_LINE:
        return is_ours(_line_command(part.value), _LINE_SCRIPT), []
    if part.name != "hooks" or not isinstance(part.value, dict):
        return False, []
    return _prune(text, part.at, lambda event: _prune_event(text, event))


def _prune_event(text: str, part: JsonPart) -> Pruned:
    return (
        _prune(text, part.at, lambda group: _prune_group(text, group)) if isinstance(part.value, list) else (False, [])
    )


def _prune_group(text: str, part: JsonPart) -> Pruned:
    """A group with nothing but our hooks goes. One that somebody else put a hook into only loses ours."""
    found = read_container(text, part.at).find("hooks") if isinstance(part.value, dict) else None
    if found is None or not isinstance(found.value, list):
        return False, []
    entries = read_container(text, found.at)
    ours = [entry for entry in entries.parts if _our_command(entry.value)]
    return (True, []) if ours and len(ours) == len(entries.parts) else (False, cuts_without(entries, ours))


def _our_command(entry: object) -> str:
    """The command line of an entry of ours; empty for any other."""
    if not isinstance(entry, dict) or not isinstance(command := entry.get("command"), str):
        return ""
    args = entry.get("args")
    words = [word for word in args if isinstance(word, str)] if isinstance(args, list) else []
    line = shlex.join([command, *words]) if words else command
    return line if is_ours(line) else ""


def _runs_plugin(enabled: object) -> Iterator[bool]:
    """Plugins are named with the marketplace they came from, whose name whoever offers it chose."""
    for name, value in enabled.items() if isinstance(enabled, dict) else ():
        yield name.partition("@")[0] == _PLUGIN and value is True


def _standing(hooks: object) -> Iterator[tuple[str, str]]:
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            entries = group.get("hooks") if isinstance(group, dict) else None
            for entry in entries if isinstance(entries, list) else ():
                if command := _our_command(entry):
                    yield event, command


# The status line: one member of the settings, which is the user's where they have one.


STATUS_LINE = "statusLine"


def status_line_of(text: str) -> tuple[str, bool]:
    """The command of the status line in these settings, and whether it is ours; ConfigError as `read_state`."""
    if not text.strip():
        return "", False
    check_object(text)
    told = json.loads(text.removeprefix(_MARK)).get(STATUS_LINE)
    command = _line_command(told)
    return command or (json.dumps(told) if told else ""), is_ours(command, _LINE_SCRIPT)


def with_status_line(text: str, command: str) -> str:
    """Settings that hold our hooks, with our status line behind them; ValueError where another one stands there."""
    standing, ours = status_line_of(text)
    if standing and not ours:
        raise ValueError("there is a status line already")
    if standing == command:
        return text
    top = read_container(text, first_bracket(text))
    lead = _lead_of(top)
    indent = lead.rpartition("\n")[2] if "\n" in lead else None
    entry = json.dumps({"type": "command", "command": command}, indent=indent, ensure_ascii=False).replace("\n", lead)
    part = top.find(STATUS_LINE)
    if part is not None:
        return text[: part.at] + entry + text[part.end :]
    at, addition = _insertion(_Place(top, lead), [f'"{STATUS_LINE}": {entry}'])
    return text[:at] + addition + text[at:]


def _line_command(value: object) -> str:
    command = value.get("command") if isinstance(value, dict) else None
    return command if isinstance(command, str) else ""


# Where the parts of a JSON text stand, so that a change can leave every other byte alone.


_SPACE = lazy(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_MARK = "\ufeff"


class JsonPart(msgspec.Struct, frozen=True, kw_only=True):
    """A member of an object or an element of an array."""

    name: str
    """Empty in an array."""
    start: int
    """Where its name stands, or in an array its value."""
    at: int
    """Where its value stands."""
    end: int
    value: object


class JsonContainer(msgspec.Struct, frozen=True, kw_only=True):
    """An object or array in a text, with its parts in order."""

    start: int
    close: int
    """Where its closing bracket stands."""
    parts: tuple[JsonPart, ...]
    lead: str
    """The space behind the opening bracket."""
    tail: str
    """The space before the closing bracket; empty where there are no parts."""

    def find(self, name: str) -> JsonPart | None:
        """The last member of this name: the one that counts."""
        return next((part for part in reversed(self.parts) if part.name == name), None)


def check_object(text: str) -> None:
    """Raise ConfigError, with the place and the way out, for anything but the text of one JSON object."""
    try:
        value = json.loads(text.removeprefix(_MARK))
    except json.JSONDecodeError as error:
        raise ConfigError(
            f"line {error.lineno}, column {error.colno}: not valid JSON ({error.msg}). "
            "Correct the file and run the command again; it was left as it is."
        ) from error
    except (RecursionError, ValueError) as error:
        raise ConfigError(f"this JSON can not be read ({error}); the file was left as it is.") from error
    if not isinstance(value, dict):
        raise ConfigError(
            "line 1, column 1: the settings must be a JSON object, written in { }. "
            "Correct the file and run the command again; it was left as it is."
        )


def first_bracket(text: str) -> int:
    """Where the value of a JSON text begins, behind a byte order mark and space."""
    return _skip(text, len(_MARK) if text.startswith(_MARK) else 0)


def read_container(text: str, start: int) -> JsonContainer:
    """The container that opens at `start` of a valid JSON text."""
    is_object = text[start] == "{"
    position = first = _skip(text, start + 1)
    parts: list[JsonPart] = []
    while text[position] not in "}]":
        part = _read_part(text, position, named=is_object)
        parts.append(part)
        position = _skip(text, part.end)
        if text[position] == ",":
            position = _skip(text, position + 1)
    tail = text[parts[-1].end : position] if parts else ""
    return JsonContainer(start=start, close=position, parts=tuple(parts), lead=text[start + 1 : first], tail=tail)


def place(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    return f"line {line}, column {position - text.rfind(chr(10), 0, position)}"


def cuts_without(container: JsonContainer, gone: Iterable[JsonPart]) -> list[tuple[int, int]]:
    """The spans to cut so that these parts are gone and the rest is valid."""
    spans: list[tuple[int, int]] = []
    kept_before = -1
    removed = {part.start for part in gone}
    parts = container.parts
    if removed >= {part.start for part in parts}:
        return [(container.start + 1, parts[-1].end)] if parts else []
    for index, part in enumerate(parts):
        if part.start not in removed:
            kept_before = index
        elif kept_before >= 0:
            spans.append((parts[index - 1].end, part.end))
        else:
            spans.append((part.start, parts[index + 1].start))
    return spans


def _read_part(text: str, start: int, *, named: bool) -> JsonPart:
    name, at = "", start
    if named:
        name, end = _DECODER.raw_decode(text, start)
        at = _skip(text, _skip(text, end) + 1)
    value, end = _DECODER.raw_decode(text, at)
    return JsonPart(name=name, start=start, at=at, end=end, value=value)


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position
