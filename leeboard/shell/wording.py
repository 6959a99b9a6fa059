"""What a shell line says about the files it changes: the text it writes into each, and whether that was there before.

A path in a line is where the work goes, not what it is about: `sed -i s/a/b/ src/cart.py` says `s/a/b/`.
"""

from __future__ import annotations

import posixpath
from functools import lru_cache

import msgspec

from leeboard.model.touch import Started
from leeboard.shell.effects import shell_effects

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
    from leeboard.shell.written import written_by  # noqa: PLC0415 - the shell's grammar, for lines that write only

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
