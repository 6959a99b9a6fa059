"""What a call puts into words: the names in what it takes away and puts in place, path by path, worked out once.

Asked for when a change is proposed (its facts, the terms of the ledger) and again when it is done (its sketch).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

import msgspec

from leeboard.model.event import Event, ToolCall, ToolFinished, ToolProposed
from leeboard.model.text import lazy
from leeboard.model.touch import Started
from leeboard.model.workspace import Workspace
from leeboard.secrets.redaction import redact_start
from leeboard.shell.effects import shell_effects
from leeboard.text.names import COMMON_IDENTIFIERS, STOP_WORDS, singular, split_words

TEXT_READ = 24_000
"""Characters of a text that are looked at. One length for all who ask, so that what is redacted for one serves all."""
NAMES = 160
"""Of one text."""
_PARTS = 80
_BLOCK, _ENOUGH = 2_000, NAMES + 60
"""Some of the names are common ones, or another spelling of one."""
_TELLING = 3
"""Letters of a word that tells something."""
_NAME = lazy(r"[A-Za-z_][A-Za-z0-9_]{3,47}", re.ASCII)
_COMMON = COMMON_IDENTIFIERS | STOP_WORDS


def spelled_names(text: str) -> list[str]:
    """Identifiers and words that say something about the subject of a text, as they are spelled, each once.

    A long text is read block by block, until it has shown as many as anybody wants.
    """
    found: dict[str, None] = {}
    start, end = 0, len(text)
    while start < end and len(found) < _ENOUGH:
        stop = text.find("\n", start + _BLOCK) + 1 or end
        found.update(dict.fromkeys(_NAME.findall(text, start, stop)))
        start = stop
    return [name for name in found if name.lower() not in _COMMON]


def names_in(text: str) -> tuple[str, ...]:
    """The same of a short text, in lower case, in the order they come."""
    found = dict.fromkeys(map(str.lower, _NAME.findall(text)))
    return tuple(dict.fromkeys([name.strip("_") for name in found if name not in _COMMON]))[:NAMES]


def _lowered(spelled: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for name in spelled:
        found[name.lower().strip("_")] = None
        if len(found) >= NAMES:
            break
    return tuple(found)


class Wording(msgspec.Struct, frozen=True):
    """The names in one change, but for the project's own, which stands everywhere."""

    names: tuple[str, ...] = ()
    """Old and new."""
    added: tuple[str, ...] = ()
    """Those it brings in."""
    parts: tuple[str, ...] = ()
    """Words of the names."""


NO_WORDS = Wording()


class CallWording(msgspec.Struct, frozen=True):
    """The wording of a call for each path it changes."""

    whole: Wording = NO_WORDS
    apart: tuple[tuple[str, Wording], ...] = ()
    """Of paths whose text is known by itself: here-documents of a line that changes other files as well."""
    in_place: frozenset[str] = frozenset()
    """What a shell line changes and does not make."""

    def of(self, path: str) -> Wording:
        return next((wording for known, wording in self.apart if known == path), self.whole)

    @property
    def parts(self) -> tuple[str, ...]:
        every = (*self.whole.parts, *(part for _path, wording in self.apart for part in wording.parts))
        return tuple(dict.fromkeys(every))


def wording_of(event: Event, place: Workspace) -> CallWording:
    """What a call says in words: nothing for an event that is no call."""
    if not isinstance(event, ToolProposed | ToolFinished):
        return CallWording()
    return _wording(event.call, place, event.cwd)


@lru_cache(maxsize=4)
def _wording(call: ToolCall, place: Workspace, cwd: str) -> CallWording:
    own = place.root.rsplit("/", 1)[-1]
    if call.edits:
        return CallWording(_named([edit.old for edit in call.edits], [edit.new for edit in call.edits], own))
    if call.action != "bash":
        return CallWording(_named((), (call.command,), own))
    line = line_wording(call.command, cwd)
    texts: dict[str, str] = {}
    for path, text in line.written:
        spelled = place.spell(path, cwd)
        texts[spelled] = f"{texts.get(spelled, '')}{text}"
    return CallWording(
        _named((), (line.rest,), own),
        tuple((path, _named((), (text,), own)) for path, text in texts.items()),
        frozenset(place.spell(path, cwd) for path in line.in_place),
    )


def _named(before: Iterable[str], after: Iterable[str], own: str) -> Wording:
    spelled = [spelled_names(_redacted(texts)) for texts in (before, after)]
    project = {own.lower(), *own.lower().replace("_", "-").split("-")}
    old, new = (tuple(name for name in _lowered(names) if name not in project) for names in spelled)
    words = set(split_words(own))
    return Wording(
        tuple(dict.fromkeys((*old, *new))),
        tuple(name for name in new if name not in set(old)),
        tuple(part for part in _parts(chain(*spelled)) if part not in words),
    )


def _redacted(texts: Iterable[str]) -> str:
    """Each by itself, as the analysis has it."""
    return "\n".join(redact_start(text, TEXT_READ) for text in texts if text)[:TEXT_READ]


def _parts(names: Iterable[str]) -> tuple[str, ...]:
    """The words of the names, in the singular, as the ledger has them."""
    found: dict[str, None] = {}
    for name in names:
        found.update(dict.fromkeys(_telling(name)))
        if len(found) >= _PARTS:
            break
    return tuple(found)


@lru_cache(maxsize=4_096)
def _telling(name: str) -> tuple[str, ...]:
    return tuple(singular(word) for word in split_words(name) if len(word) >= _TELLING)


# What a shell line says about the files it changes: the text it writes into each, and whether that was there before.
#
# A path in a line is where the work goes, not what it is about: `sed -i s/a/b/ src/cart.py` says `s/a/b/`.

_IN_PLACE = frozenset(
    "sed gsed perl ruby ruff black isort yapf autopep8 prettier eslint biome gofmt goimports rustfmt clang-format "
    "truncate patch ed ex".split()
)
"""Programs that change what is there; what others write may be new."""
_SHOWS = frozenset({"cat", "tee", "echo", "printf"})
"""What they print is known by where it goes."""
_MOVES = frozenset({"cd", "pushd", "mkdir"})


class LineWording(msgspec.Struct, frozen=True):
    """Paths as effects have them: whole, or relative where nobody knows the folder."""

    written: tuple[tuple[str, str], ...] = ()
    """Path and text."""
    rest: str = ""
    """What is said beside that: scripts and arguments, without the paths."""
    in_place: frozenset[str] = frozenset()
    """What the line changes and does not make."""


@lru_cache(maxsize=16)
def line_wording(command: str, cwd: str) -> LineWording:
    effects = shell_effects(command, cwd)
    touched = {touch.path for touch in effects.touches}
    changed = {touch.path for touch in effects.touches if touch.modifies}
    if not changed:
        return LineWording()
    written, appended = _written(command, cwd)
    known = {touch.path for touch in effects.touches if touch.kind in {"read", "delete"}}
    edited = {path for one in effects.started if one.words and one.words[0] in _IN_PLACE for path in _paths(one, cwd)}
    rest = [text for one in effects.started for text in _said(one, touched, cwd)]
    return LineWording(written, "\n".join(rest), frozenset(changed & (known | edited | appended)))


def _written(command: str, cwd: str) -> tuple[tuple[tuple[str, str], ...], set[str]]:
    """The texts by path, and the paths that they are added to."""
    if ">" not in command and "tee" not in command:
        return (), set()
    from leeboard.shell.written_texts import written_by  # noqa: PLC0415 - the shell's grammar, for lines that write only

    found = [(_whole(one.path, cwd), one) for one in written_by(command)]
    return tuple((path, one.text) for path, one in found), {path for path, one in found if one.appends}


def _said(one: Started, touched: set[str], cwd: str) -> list[str]:
    """The words of a program that are neither its name nor an option nor a path of the line, and what it is handed."""
    program = one.words[0].rpartition("/")[2] if one.words else ""
    if not program or program in _SHOWS or program in _MOVES:
        return []
    where = one.folder if one.folder is not None else cwd
    words = [word for word in one.words[1:] if not word.startswith("-") and _whole(word, where) not in touched]
    return [*words, one.handed] if one.handed else words


def _paths(one: Started, cwd: str) -> set[str]:
    where = one.folder if one.folder is not None else cwd
    return {_whole(word, where) for word in one.words[1:]}


def _whole(path: str, folder: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path)) if folder else posixpath.normpath(path)
