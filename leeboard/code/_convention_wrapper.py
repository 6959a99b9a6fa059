"""Modules of a work tree through which a library is used, instead of importing it everywhere."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from leeboard.code._choice_sets import family_of, members_shown
from leeboard.code._file_use import SUPPORT, FileUse, Uses, agree
from leeboard.code.module_path import ENTRIES, top_of
from leeboard.code.words import split_name
from leeboard.model.symbol import Habit

_WRAPPED = {"http client", "orm", "database driver", "cache client", "logger", "job queue", "date and time"}
"""Roles of libraries that are hidden behind a module of one's own."""
_WRAPPER_WORDS = frozenset(
    "client wrapper adapter gateway db database session http api logger log logging cache storage mail mailer queue "
    "connection connector driver store repository sdk fetch fetcher".split()
)
_EVERYWHERE = frozenset(
    "os sys re io json time math typing types collections functools itertools datetime pathlib abc enum logging "
    "dataclasses contextlib copy string random hashlib uuid threading asyncio inspect warnings traceback shutil "
    "subprocess tempfile base64 struct operator decimal __future__ typing_extensions six attr attrs pydantic "
    "react vue lodash fs path util events url crypto stream child_process assert buffer process "
    "fmt errors strings context strconv sort sync bytes bufio reflect unicode log net "
    "java javax kotlin kotlinx System std core alloc serde set ostruct forwardable".split()
)
"""Libraries of which a module that imports them is no wrapper."""
_MOST_LIBRARIES = 8
"""A module that imports more than this does something of its own."""


def learn_wrappers(uses: Uses) -> Iterator[Habit]:
    direct: dict[str, set[str]] = {}
    for item in uses.sources:
        for library in {top_of(module) for module in uses.libraries(item)}:
            direct.setdefault(library, set()).add(item.path)
    for item in uses.sources:
        yield from _wrapped(item, direct, uses)


def _wrapped(item: FileUse, direct: dict[str, set[str]], uses: Uses) -> Iterator[Habit]:
    libraries = sorted({top_of(module) for module in uses.libraries(item)})
    if len(libraries) > _MOST_LIBRARIES:
        return
    home = posixpath.dirname(item.path)
    through = {path for path in _through(item.path, uses) if posixpath.dirname(path) != home}
    if len(through) < SUPPORT:
        return
    for library in libraries:
        if not _may_wrap(item, library):
            continue
        around = {path for path in direct.get(library, ()) if posixpath.dirname(path) != home}
        users = len(around | through)
        if agree(len(through), users) and (len(around) <= 1 or _roles(item, library)):
            yield Habit(
                role=f"wrapper of {library}",
                usual=item.path,
                others=(library,),
                support=len(through),
                users=users,
                where=item.path,
            )


def _through(path: str, uses: Uses) -> set[str]:
    """Files that use the module, also by way of the entry of its folder."""
    through = set(uses.users.get(path, ()))
    for user in sorted(through):
        folder, name = posixpath.split(user)
        if folder == posixpath.dirname(path) and name.partition(".")[0] in ENTRIES:
            through |= uses.users.get(user, set())
    return through - {path}


def _may_wrap(item: FileUse, library: str) -> bool:
    """Whether a module is made to hide a library: it is called so, or after it."""
    if not library or library in item.path.replace(".", "/").split("/"):
        return False  # it is the library, or a part of it
    name = posixpath.basename(item.path).partition(".")[0]
    words = {*split_name(name), *split_name(posixpath.basename(posixpath.dirname(item.path)))}
    called_after = bool(words & {word for word in split_name(library) if len(word) > 2})
    if _roles(item, library):
        return called_after or bool(words & _WRAPPER_WORDS)
    # Of a library nobody knows it is the one place that imports it; another one may be the file being written.
    return called_after and library not in _EVERYWHERE and not members_shown(library, family_of(item.language))


def _roles(item: FileUse, library: str) -> bool:
    """Whether the library plays a role that is hidden behind a module of one's own."""
    return any(role in _WRAPPED for role, _member in members_shown(library, family_of(item.language)))
