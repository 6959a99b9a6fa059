"""How a work tree does things, learned from its files: which library for what, through which module, which direction.

Nothing is learned from fewer than five files or where fewer than four in five agree. The order of files does not
matter. What a repository's own instructions say ("use X, not Y") counts without any file.

| role of the habit | `usual` | `others` | `where` |
|---|---|---|---|
| `python http client` | the member that dominates | its rivals | the file, where the member is one of the work tree |
| `wrapper of sqlite3` | the file that wraps it | the library | that file |
| `layer order` | `ui -> db` | `db -> ui` | |
| `layer passage` | `ui -> api -> db` | `ui -> db` | |
| `errors in FOLDER`, `functions in FOLDER`, `shape of FOLDER` | the type; `async`; `class` | | the folder |
| `instruction` | what to use | what not to | the file that says so |
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from leeboard.model.symbol import Habit
from leeboard.model.text import lazy
from leeboard.source.habits import SUPPORT, FileUse, Uses, agree, family_of, members_shown
from leeboard.source.module_path import ENTRIES, top_of
from leeboard.text.words import split_name

__all__ = ["FileUse", "is_instruction_file", "learn", "rules_in"]


def learn(files: Iterable[FileUse]) -> tuple[Habit, ...]:
    """The habits of a work tree, sorted by role. Tests only teach which test framework is used."""
    from leeboard.source.habits import (  # noqa: PLC0415 - who only reads habits need not learn
        learn_choices,
        learn_idioms,
        learn_layers,
    )

    uses = Uses(files)
    found = [*learn_choices(uses), *learn_wrappers(uses), *learn_layers(uses), *learn_idioms(uses)]
    return tuple(sorted(found, key=lambda habit: (habit.role, habit.usual)))


def rules_in(texts: Mapping[str, str]) -> tuple[Habit, ...]:
    """What files of instructions among these demand."""
    return tuple(
        habit for path in sorted(texts) if is_instruction_file(path) for habit in instructions_in(path, texts[path])
    )


# What a repository's own instructions demand: "use X, not Y", "do not use Y; use X", "prefer X over Y".


MOST_TEXT = 200_000
_NAMES = frozenset({"agents.md", "claude.md", "gemini.md", ".cursorrules", ".windsurfrules", "copilot-instructions.md"})
_DECISIONS = lazy(
    r"(?:^|/)(?:adrs?|decisions?|architecture[-_]decisions?)/[^/]{1,200}\.(?:md|rst|txt|adoc)$", re.IGNORECASE
)

_THING = r"[`\"'*]{0,3}((?:[@\w][\w.@/\-:+]{0,60}[\w+])|\w)[`\"'*]{0,3}"
_USED_FOR = r"(?:[ \t]+(?:for|in|to|when|as)[ \t][^.;,\n]{1,60})?"
_NO = r"(?:do[ \t]+not|don['’]t|never|avoid)"
_TAKE = r"(?:use|using|import|importing|calling|call|add|adding|reach(?:ing)?[ \t]+for)"
_INSTEAD = (
    lazy(rf"\buse[ \t]+{_THING}{_USED_FOR},?[ \t]+(?:and[ \t]+)?not[ \t]+{_THING}", re.IGNORECASE),
    lazy(
        rf"\buse[ \t]+{_THING}{_USED_FOR},?[ \t]+(?:instead[ \t]+of|rather[ \t]+than|over)[ \t]+{_THING}", re.IGNORECASE
    ),
    lazy(
        rf"\bprefer[ \t]+{_THING}{_USED_FOR},?[ \t]+(?:over|to|instead[ \t]+of|rather[ \t]+than)[ \t]+{_THING}",
        re.IGNORECASE,
    ),
    lazy(rf"\buse[ \t]+{_THING}{_USED_FOR}[;.:,–—-]{{1,2}}[ \t]+{_NO}[ \t]+(?:{_TAKE}[ \t]+)?{_THING}", re.IGNORECASE),
)
_AGAINST = (
    lazy(
        rf"\b{_NO}[ \t]+(?:{_TAKE}[ \t]+){_THING}(?:[ \t]+directly)?{_USED_FOR}[;.:,–—-]{{1,2}}[ \t]+"
        rf"(?:but[ \t]+|instead,?[ \t]+)?"
        rf"(?:always[ \t]+)?(?:use|go[ \t]+through|import|prefer)[ \t]+{_THING}",
        re.IGNORECASE,
    ),
)
_NO_THING = frozenset(
    "the a an it this that them these those any our your one only no new old just raw plain direct custom own both all "
    "more less other another either each every some such same what which its their his her we you i to be is are "
    "typescript javascript python".split()
)


def is_instruction_file(path: str) -> bool:
    return posixpath.basename(path).lower() in _NAMES or bool(_DECISIONS.search(path))


def instructions_in(path: str, text: str) -> Iterator[Habit]:
    found: dict[tuple[str, str], None] = {}
    for line in text[:MOST_TEXT].splitlines():
        short = line[:600]
        for expression in _INSTEAD:
            found.update(dict.fromkeys((match[1], match[2]) for match in expression.finditer(short)))
        for expression in _AGAINST:
            found.update(dict.fromkeys((match[2], match[1]) for match in expression.finditer(short)))
    for usual, other in found:
        if usual.lower() != other.lower() and not {usual.lower(), other.lower()} & _NO_THING:
            yield Habit(role="instruction", usual=usual, others=(other,), where=path)


# Modules of a work tree through which a library is used, instead of importing it everywhere.


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
