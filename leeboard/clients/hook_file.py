"""Our hooks in a JSON file of a client's settings.

The file is the user's: a change is cut into its text, so that every byte which is not ours stays. What we put in says
by the space around it whether we also made the brackets that hold it. Brackets of ours have space on both sides;
empty brackets that were there before keep one side bare. `remove` reads that, and so gives the text back as it was.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping

import msgspec

from leeboard.clients.call import PostedTo, SettingsState, TrustQuestion
from leeboard.clients.json_text import (
    BYTE_ORDER_MARK,
    JsonContainer,
    JsonPart,
    check_object,
    cuts_without,
    first_bracket,
    place,
    read_container,
)
from leeboard.errors import ConfigError
from leeboard.model.text import lazy

POST_SECONDS = 5
"""How long a posted hook may take: its client waits, and nothing can be refused by it."""
SLOW_SECONDS = 120
"""How long a hook may take where the quality gates of a workflow may be run."""

_SCRIPT = lazy(r"(?:.*/)?leeboard/surfaces/hook\.py", re.DOTALL)
_POSTED = lazy(r"http://127\.0\.0\.1:[0-9]{1,5}/leeboard/hook")
_WORD = lazy(r"""(?:"[^"]*"|'[^']*'|\\\s|[^\s"'])+""")
_RUNNER = lazy(r"(?:.*/)?(?:python|pypy|py|pyw|env|exec)[\d.]*w?(?:\.exe)?|\w+=.*|.*[;&|({]", re.DOTALL)
_VALUE_OPTIONS = (["-X"], ["-W"])

Cuts = list[tuple[int, int]]
Pruned = tuple[bool, Cuts]
PruneMember = Callable[[JsonPart], bool]


class HookFile(msgspec.Struct, frozen=True, kw_only=True):
    """How one client writes hooks down."""

    events: tuple[str, ...]
    """Where our hook is put: all that tells us something, and nothing that only costs a process."""
    asked_first: str
    """The event before a call, when it can still be refused."""
    slow_events: tuple[str, ...] = ()
    """Where the quality gates of a workflow may be run."""
    posted_events: tuple[str, ...] = ()
    """What may be posted in place of running the command: nothing can be refused there."""
    grouped: bool = True
    """Entries stand in groups, which could have a matcher; else each event has its entries at once."""
    entry: Mapping[str, object] = msgspec.field(default_factory=lambda: {"type": "command"})
    """What every entry has besides its command and its time."""
    command_key: str = "command"
    time_key: str = "timeout"
    per_second: int = 1
    """In which unit the time is told."""
    behind: Mapping[str, object] = msgspec.field(default_factory=dict)
    """What a file has to have besides hooks. In one that we make it stands behind them, and goes with them."""

    def install(self, text: str, command: str, posted_to: PostedTo | None = None, timeout: int = 10) -> str:
        """The settings with our hook at each of the events, once, whatever stood there of us before.

        An empty text stands for no file. Raises ConfigError, and so changes nothing, where the text is not what the
        client would read.
        """
        if not is_ours(command):
            raise ValueError(f"a command that would not be found again: {command}")
        clean = self.remove(text)
        if not clean.strip():
            writer = _Writer(file=self, command=command, posted_to=posted_to, timeout=timeout, unit="  ")
            hooks = writer.hooks("\n  ")
            others = "".join(f",\n  {json.dumps(name)}: {json.dumps(value)}" for name, value in self.behind.items())
            return f"{{\n  {hooks}{others}\n}}\n"
        top = read_container(clean, first_bracket(clean))
        lead = lead_of(top) if top.parts else "\r\n  " if "\r\n" in clean else "\n  "
        unit = lead.rpartition("\n")[2] if "\n" in lead else "  "
        writer = _Writer(file=self, command=command, posted_to=posted_to, timeout=timeout, unit=unit)
        for position, addition in sorted(_insertions(clean, InsertionPlace(top, lead), writer), reverse=True):
            clean = clean[:position] + addition + clean[position:]
        return clean

    def remove(self, text: str, is_ours_too: PruneMember = lambda _: False) -> str:
        """The settings without our hooks and without the brackets that were made for them; the rest byte for byte.

        Empty where the whole file was ours. `is_ours_too` tells it of another member. Raises ConfigError where the text
        is no JSON object.
        """
        if not text.strip():
            return text
        check_object(text)
        hooks_gone_at = -1

        def prune(part: JsonPart) -> Pruned:
            nonlocal hooks_gone_at
            if part.name == "hooks" and isinstance(part.value, dict):
                pruned = _prune(text, part.at, lambda event: self._prune_event(text, event))
                hooks_gone_at = part.at if pruned[0] else -1
                return pruned
            stays_behind = part.name in self.behind and part.value == self.behind[part.name]
            return is_ours_too(part) or (stays_behind and 0 <= hooks_gone_at < part.at), []

        gone, cuts = _prune(text, first_bracket(text), prune, whole=bool(self.behind))
        if gone:
            return ""
        for start, end in sorted(cuts, reverse=True):
            text = text[:start] + text[end:]
        return text

    def read_state(self, text: str) -> SettingsState:
        """Where our hooks stand; ConfigError where the text is no JSON object."""
        told = read_object(text).get("hooks")
        hooks = tuple(self._standing(told, self.our_command))
        asked = tuple(command for event, command in hooks if event == self.asked_first)
        return SettingsState(hooks=hooks, asked_first=asked, posted=tuple(self._standing(told, self.our_address)))

    def our_address(self, entry: object) -> str:
        """Where an entry of ours posts to; empty for any other, and for every one of a client that posts none."""
        url = entry.get("url") if isinstance(entry, dict) and self.posted_events else None
        return url if isinstance(url, str) and _POSTED.fullmatch(url) else ""

    def our_command(self, entry: object) -> str:
        """The command line of an entry of ours; empty for any other."""
        if not isinstance(entry, dict) or not isinstance(command := entry.get(self.command_key), str):
            return ""
        args = entry.get("args")
        words = [word for word in args if isinstance(word, str)] if isinstance(args, list) else []
        line = shlex.join([command, *words]) if words else command
        return line if is_ours(line) else ""

    def _standing(self, hooks: object, ours: Callable[[object], str]) -> Iterator[tuple[str, str]]:
        for event, groups in hooks.items() if isinstance(hooks, dict) else ():
            for group in groups if isinstance(groups, list) else ():
                inner = group.get("hooks") if isinstance(group, dict) and self.grouped else [group]
                for entry in inner if isinstance(inner, list) else ():
                    if found := ours(entry):
                        yield event, found

    def _is_ours(self, entry: object) -> bool:
        return bool(self.our_command(entry) or self.our_address(entry))

    def _prune_event(self, text: str, part: JsonPart) -> Pruned:
        prune = self._prune_group if self.grouped else self._prune_entry
        return _prune(text, part.at, lambda group: prune(text, group)) if isinstance(part.value, list) else (False, [])

    def _prune_entry(self, text: str, part: JsonPart) -> Pruned:  # noqa: ARG002 - as for a group
        return self._is_ours(part.value), []

    def _prune_group(self, text: str, part: JsonPart) -> Pruned:
        """A group with nothing but our hooks goes. One that somebody else put a hook into only loses ours."""
        found = read_container(text, part.at).find("hooks") if isinstance(part.value, dict) else None
        if found is None or not isinstance(found.value, list):
            return False, []
        entries = read_container(text, found.at)
        ours = [entry for entry in entries.parts if self._is_ours(entry.value)]
        return (True, []) if ours and len(ours) == len(entries.parts) else (False, cuts_without(entries, ours))


def is_ours(command: str, script: re.Pattern[str] = _SCRIPT) -> bool:
    """Whether a command line runs our hook. One that only names its file, such as a linter's, does not."""
    words = [_bare(word) for word in _WORD.findall(command)]
    return any(script.fullmatch(word) and _runs(words[:at]) for at, word in enumerate(words))


def read_object(text: str) -> dict[str, object]:
    """The settings as they are read; ConfigError where they are no JSON object. No text is an empty one."""
    if not text.strip():
        return {}
    check_object(text)
    return json.loads(text.removeprefix(BYTE_ORDER_MARK))  # type: ignore[no-any-return]  # it was looked at


def trust_question(folder: str) -> TrustQuestion | None:  # noqa: ARG001 - as a client has it that asks its user
    """Of a client that runs every hook which stands in its settings."""
    return None


def read_trust(answer: bytes) -> str | None:  # noqa: ARG001 - as above
    """The same of such a client."""
    return None


def no_status_line(text: str) -> tuple[str, bool]:  # noqa: ARG001 - as clients have it that show one
    """Of a client that has no status line which a command could fill."""
    return "", False


def refuse_status_line(text: str, command: str) -> str:
    """The same of such a client."""
    raise ValueError(f"this client shows no status line: {command} in {len(text)} characters")


def _bare(word: str) -> str:
    return word.replace('"', "").replace("'", "").replace("\\", "/")


def _runs(before: list[str]) -> bool:
    """Whether a script behind these words is run by them."""
    while before and (before[-1].startswith("-") or before[-2:-1] in _VALUE_OPTIONS):
        before = before[:-1]
    return not before or bool(_RUNNER.fullmatch(before[-1]))


class InsertionPlace(msgspec.Struct, frozen=True):
    """A container and the space before each of its parts."""

    container: JsonContainer
    lead: str


class _Writer(msgspec.Struct, frozen=True, kw_only=True):
    """Writes our entries in the style of the file."""

    file: HookFile
    command: str
    posted_to: PostedTo | None
    timeout: int
    unit: str

    def deeper(self, lead: str) -> str:
        return lead + self.unit if "\n" in lead else " "

    def group(self, name: str, lead: str) -> str:
        file = self.file
        seconds = max(self.timeout, SLOW_SECONDS) if name in file.slow_events else self.timeout
        entry: dict[str, object] = {**file.entry, file.command_key: self.command}
        if self.posted_to is not None and name in file.posted_events:
            entry = {"type": "http", "url": self.posted_to.url, "headers": dict(self.posted_to.headers)}
            seconds = POST_SECONDS
        entry[file.time_key] = seconds * file.per_second
        indent = self.unit if "\n" in lead else None
        written = {"hooks": [entry]} if file.grouped else entry
        return json.dumps(written, indent=indent, ensure_ascii=False).replace("\n", lead)

    def event(self, name: str, lead: str) -> str:
        inner = self.deeper(lead)
        return f'"{name}": [{inner}{self.group(name, inner)}{lead}]'

    def hooks(self, lead: str) -> str:
        inner = self.deeper(lead)
        events = f",{inner}".join(self.event(name, inner) for name in self.file.events)
        return f'"hooks": {{{inner}{events}{lead}}}'


def lead_of(container: JsonContainer) -> str:
    """The space before a further part. Blank lines are not repeated."""
    if "\n" not in container.lead:
        return container.lead or " "
    newline = "\r\n" if "\r\n" in container.lead else "\n"
    return newline + container.lead.rpartition("\n")[2]


def _insertions(text: str, top: InsertionPlace, writer: _Writer) -> list[tuple[int, str]]:
    hooks = top.container.find("hooks")
    if hooks is None:
        return [insertion(top, [writer.hooks(top.lead)])]
    held = _inner_place(text, hooks, top.lead, writer)
    insertions: list[tuple[int, str]] = []
    missing: list[str] = []
    for name in writer.file.events:
        event = held.container.find(name)
        if event is None:
            missing.append(writer.event(name, held.lead))
        else:
            groups = _inner_place(text, event, held.lead, writer)
            insertions.append(insertion(groups, [writer.group(name, groups.lead)]))
    return [*insertions, insertion(held, missing)] if missing else insertions


def _inner_place(text: str, part: JsonPart, lead: str, writer: _Writer) -> InsertionPlace:
    wanted, brackets = (dict, "an object, written in { }") if part.name == "hooks" else (list, "a list, written in [ ]")
    if not isinstance(part.value, wanted):
        raise ConfigError(
            f'{place(text, part.at)}: "{part.name}" must be {brackets}. '
            "Correct the file and run the command again; it was left as it is."
        )
    container = read_container(text, part.at)
    return InsertionPlace(container, lead_of(container) if container.parts else writer.deeper(lead))


def insertion(into: InsertionPlace, additions: list[str]) -> tuple[int, str]:
    """Where these parts go into a container, and the text that puts them there."""
    container, lead = into.container, into.lead
    if container.parts:
        return container.parts[-1].end, "".join(f",{lead}{addition}" for addition in additions)
    one_side = "" if container.lead else lead
    return container.start + 1, one_side + f",{lead}".join(additions)


def _prune(text: str, at: int, prune_part: Callable[[JsonPart], Pruned], *, whole: bool = False) -> Pruned:
    """Whether the container at this place goes with all its parts; if not, the cuts inside it.

    `whole`: parts that would stay alone go only together with all the others.
    """
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
    if whole:
        gone = [part for part in gone if part.name == "hooks"]
    return False, cuts + cuts_without(container, gone)
