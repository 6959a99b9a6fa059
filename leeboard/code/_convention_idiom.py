"""What the files of one folder have in common: the error they raise, asynchronous functions, one class each."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator

from leeboard.code._file_use import SUPPORT, FileUse, Uses, agree
from leeboard.code.module_path import ENTRIES
from leeboard.code.words import split_name
from leeboard.model.symbol import Habit

PLAIN_ERRORS = frozenset(
    "Exception BaseException RuntimeError ValueError TypeError KeyError IndexError AttributeError OSError IOError "
    "NotImplementedError ImportError StopIteration UnicodeError Error RangeError SyntaxError StandardError "
    "ArgumentError Throwable "
    "RuntimeException IllegalArgumentException IllegalStateException NullPointerException IOException "
    "InvalidArgumentException LogicException InvalidOperationException ArgumentException ArgumentNullException".split()
)
"""What a language brings along: raising one of them says nothing about a project."""
_SERVING = frozenset(
    "util utils helper helpers common shared base misc types constants config register registry factory schema".split()
)
ENOUGH = 2
"""Functions a file has to have before their kind says something."""


def learn_idioms(uses: Uses) -> Iterator[Habit]:
    folders: dict[tuple[str, str], list[FileUse]] = {}
    defined = {item.name for file in uses.sources for item in file.names if item.kind == "class"} - PLAIN_ERRORS
    for item in uses.sources:
        if is_sibling(item.path):
            folders.setdefault((posixpath.dirname(item.path), item.language), []).append(item)
    for (folder, _language), files in sorted(folders.items()):
        if len(files) >= SUPPORT:
            yield from _errors(folder, files, defined)
            yield from _waiting(folder, files)
            yield from _shape(folder, files)


def is_sibling(path: str) -> bool:
    """Whether a file is one among others of its folder: not the entry, not what serves the others."""
    name = posixpath.basename(path).partition(".")[0]
    return name not in ENTRIES and not name.startswith("_") and not _SERVING.intersection(split_name(name))


def _errors(folder: str, files: list[FileUse], defined: set[str]) -> Iterator[Habit]:
    raising = [item for item in files if item.style.raised]
    counted = Counter(name for item in raising for name in item.style.raised if name in defined)
    for name, support in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))[:1]:
        if agree(support, len(raising)):
            yield _habit(f"errors in {folder}", name, support, len(raising), folder)


def _waiting(folder: str, files: list[FileUse]) -> Iterator[Habit]:
    able = [item for item in files if count_functions(item) >= ENOUGH]
    waiting = sum(item.style.waits * 2 >= count_functions(item) for item in able)
    if _nearly_all(waiting, len(able)) and sum(not item.style.waits for item in able) <= 1:
        yield _habit(f"functions in {folder}", "async", waiting, len(able), folder)


def _shape(folder: str, files: list[FileUse]) -> Iterator[Habit]:
    able = [item for item in files if item.names]
    classes = sum(is_class_file(item) for item in able)
    if _nearly_all(classes, len(able)):
        yield _habit(f"shape of {folder}", "class", classes, len(able), folder)


def _nearly_all(support: int, users: int) -> bool:
    """For what nobody decides on purpose four in five are not enough; a single other may be the one being written."""
    return support >= SUPPORT and users - support <= max(1, users // 10)


def count_functions(item: FileUse) -> int:
    return sum(name.kind != "class" for name in item.names)


def is_class_file(item: FileUse) -> bool:
    """Everything in it belongs to a class."""
    kinds = {name.kind for name in item.names}
    return "class" in kinds and "function" not in kinds and "method" in kinds


def _habit(role: str, usual: str, support: int, users: int, where: str) -> Habit:
    return Habit(role=role, usual=usual, support=support, users=users, where=where)
