"""What the index keeps of one file, made from its text."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from leeboard.model.symbol import Fingerprint, KnownFunction, Symbol, SymbolKind
from leeboard.source.convention import FileUse
from leeboard.source.module_path import keys_of_import
from leeboard.source.name_scan import ScannedImport, ScannedName, ScannedStyle, scan_imports, scan_names, scan_style
from leeboard.text.language import is_generated, is_test_path, language_of
from leeboard.text.words import split_name, stem

LARGEST = 1_000_000
"""Bytes. A longer file is data."""
_HEAD = 4_000
_LONG_LINE = 200
SHARED = 2
"""Hashes two functions have in common to be worth comparing."""
IMPORT_MARK = "<"
"""Before a key of an import, to keep it apart from the words of names."""


class FileNames(msgspec.Struct, frozen=True, array_like=True):
    """What is known of a file by name: the first pass."""

    language: str
    names: tuple[ScannedName, ...] = ()
    imports: tuple[ScannedImport, ...] = ()
    style: ScannedStyle = ScannedStyle()


@lru_cache(maxsize=4)
def names_of(path: str, text: str) -> FileNames:
    """Nothing but the language of a file that nobody writes by hand. Several rules ask about what was just written."""
    language = language_of(path, text[:200])
    if not language or is_made(path, text):
        return FileNames("")
    style = ScannedStyle() if is_test_path(path) else scan_style(text, language)  # nothing is learned from tests
    return FileNames(language, scan_names(text, language), scan_imports(text, language), style)


def is_made(path: str, text: str) -> bool:
    """As `is_generated`, which takes long to find out that a text does not say so: it is shown the lines that might."""
    head = text[:_HEAD]
    if "enerated" in head:
        return is_generated(path, "\n".join(line for line in head.split("\n") if "enerated" in line))
    if not path.endswith(".py") and len(text) > _LONG_LINE * text.count("\n"):
        return is_generated(path, text)
    return is_made_path(path)


@lru_cache(maxsize=50_000)
def is_made_path(path: str) -> bool:
    """By its name alone."""
    folder, name = posixpath.split(path)
    return _is_made_folder(folder) or is_generated(name)


@lru_cache(maxsize=4096)
def _is_made_folder(folder: str) -> bool:
    return bool(folder) and is_generated(f"{folder}/x")


def use_of(path: str, found: FileNames) -> FileUse:
    return FileUse(path, found.language, found.imports, found.names, found.style)


def words_of(found: FileNames) -> set[str]:
    """Under which words the file is looked up: those of its names, and the keys of what it imports."""
    words: set[str] = set()
    for part in {part for item in found.names for part in item.name.split("_")}:
        words.update(_part_words(part))
    for item in found.imports:
        words.update([IMPORT_MARK + key for key in keys_of_import(item)])
    return words


def name_words(name: str) -> frozenset[str]:
    """The words of a name, stemmed; single letters only where there is nothing else."""
    found = [word for part in name.split("_") for word in _part_words(part)]
    return frozenset(found or map(stem, split_name(name)))


@lru_cache(maxsize=100_000)
def _part_words(part: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in split_name(part) if len(word) > 1) if part else ()


def file_words(path: str) -> frozenset[str]:
    return name_words(posixpath.basename(path).partition(".")[0])


def symbols_of(path: str, found: FileNames) -> Iterator[Symbol]:
    for item in found.names:
        yield Symbol(name=item.name, kind=item.kind, path=path, line=item.line)


def file_symbol(path: str) -> Symbol:
    return Symbol(name=posixpath.basename(path), kind="file", path=path)


def known_of(path: str, text: str, language: str) -> tuple[KnownFunction, ...]:
    """Functions with their fingerprints: the second pass, which parses."""
    from leeboard.source.fingerprint import (  # noqa: PLC0415 - it imports the parser, which reading does not need
        fingerprints,
    )
    from leeboard.source.syntax import parse  # noqa: PLC0415 - as above

    tree = parse(text, language) if language else None
    if tree is None:
        return ()
    return tuple(
        KnownFunction(
            Symbol(name=item.name, kind=item.kind, path=path, line=item.start, end=item.end, owner=item.owner),
            made,
        )
        for item, made in fingerprints(tree)
    )


class KeptFunction(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A function as the index keeps it: without the path, which is the manifest's."""

    name: str
    kind: SymbolKind
    line: int
    end: int
    owner: str
    fingerprint: Fingerprint


def kept_of(known: KnownFunction) -> KeptFunction:
    symbol = known.symbol
    return KeptFunction(symbol.name, symbol.kind, symbol.line, symbol.end, symbol.owner, known.fingerprint)


def unpacked(path: str, kept: KeptFunction) -> KnownFunction:
    symbol = Symbol(name=kept.name, kind=kept.kind, path=path, line=kept.line, end=kept.end, owner=kept.owner)
    return KnownFunction(symbol, kept.fingerprint)
