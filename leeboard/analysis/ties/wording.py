"""What a call puts into words: the names in what it takes away and puts in place, path by path, worked out once.

Asked for when a change is proposed (its facts, the terms of the ledger) and again when it is done (its sketch).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from leeboard.model.event import Event, ToolCall, ToolFinished, ToolProposed
from leeboard.model.text import lazy
from leeboard.model.touch import Started
from leeboard.model.workspace import Workspace
from leeboard.secrets.redaction import redact_start
from leeboard.shell.effects import shell_effects
from leeboard.text.names import COMMON_IDENTIFIERS, STOP_WORDS, singular, split_words

EDIT_READ = 20_000
NAMES = 160
"""Of one text."""
_PARTS = 80
_TELLING = 3
"""Letters of a word that tells something."""
_NAME = lazy(r"[A-Za-z_][A-Za-z0-9_]{3,47}", re.ASCII)
_COMMON = COMMON_IDENTIFIERS | STOP_WORDS


def spelled_names(text: str) -> Iterator[str]:
    """Identifiers and words that say something about the subject of a text, as they are spelled, with repeats."""
    return (name for name in _NAME.findall(text) if name.lower() not in _COMMON)


def names_in(text: str, limit: int = NAMES) -> tuple[str, ...]:
    """The same in lower case, each once, in the order they come."""
    found: dict[str, None] = {}
    for name in spelled_names(text):
        found[name.lower().strip("_")] = None
        if len(found) >= limit:
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
    """Empty for what is no call."""
    if not isinstance(event, ToolProposed | ToolFinished):
        return CallWording()
    return _wording(event.call, place, event.cwd)


@lru_cache(maxsize=4)
def _wording(call: ToolCall, place: Workspace, cwd: str) -> CallWording:
    own = place.root.rsplit("/", 1)[-1]
    if call.edits:
        old, new = ("\n".join(texts) for texts in zip(*((edit.old, edit.new) for edit in call.edits), strict=True))
        return CallWording(_named(old, new, own))
    if call.action != "bash":
        return CallWording(_named("", call.command, own))
    line = line_wording(call.command, cwd)
    texts: dict[str, str] = {}
    for path, text in line.written:
        spelled = place.spell(path, cwd)
        texts[spelled] = f"{texts.get(spelled, '')}{text}"
    return CallWording(
        _named("", line.rest, own),
        tuple((path, _named("", text, own)) for path, text in texts.items()),
        frozenset(place.spell(path, cwd) for path in line.in_place),
    )


def _named(before: str, after: str, own: str) -> Wording:
    before, after = (redact_start(text[:EDIT_READ], EDIT_READ) if text else "" for text in (before, after))
    project = {own.lower(), *own.lower().replace("_", "-").split("-")}
    old, new = (tuple(name for name in names_in(text) if name not in project) for text in (before, after))
    words = set(split_words(own))
    return Wording(
        tuple(dict.fromkeys((*old, *new))),
        tuple(name for name in new if name not in set(old)),
        tuple(part for part in _parts_in(f"{before}\n{after}") if part not in words),
    )


def _parts_in(text: str) -> tuple[str, ...]:
    """The words of the names in a text, in the singular, as the ledger has them."""
    found: dict[str, None] = {}
    for name in spelled_names(text):
        found.update((singular(word), None) for word in split_words(name) if len(word) >= _TELLING)
        if len(found) >= _PARTS:
            break
    return tuple(found)


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
