"""The habits that are learnt of a work tree: libraries it takes, what files of a folder share, how layers import."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from leeboard.model.symbol import Habit
from leeboard.source.file_use import SUPPORT, FileUse, Uses, agree
from leeboard.source.library_choices import Choice, choices, family_of, members_shown
from leeboard.source.module_path import ENTRIES
from leeboard.source.name_scan import ScannedImport
from leeboard.text.words import split_name

_Roles = frozenset[tuple[str, str]]
"""Which roles a file needs, and what it takes for them."""

_TESTS = "test framework"
_ONLY_WITH = {
    "urllib.request": {"urlopen", "Request", "urlretrieve", "build_opener"},
    "http.client": {"HTTPConnection", "HTTPSConnection"},
}
"""Modules that are taken for other things too: which names show that a request is made."""
_OWN = {
    "http client": ({"http", "fetch", "api", "rest", "request", "requests"}, {"client", "fetcher", "wrapper"}),
    "logger": ({"logger", "log", "logging"}, {"logger", "log", "logging"}),
    "orm": ({"db", "database", "orm"}, {"session", "orm", "client", "models"}),
}
"""Words of which a module of the work tree that plays the role has one of each."""


def learn_choices(uses: Uses) -> Iterator[Habit]:
    for family in sorted({family_of(item.language) for item in uses.files}):
        sources = [item for item in uses.sources if family_of(item.language) == family]
        tests = [item for item in uses.tests if family_of(item.language) == family]
        roles = {item.path: _roles(item) for item in (*sources, *tests)}
        for choice in choices(family):
            files = tests if choice.role == _TESTS else sources
            yield from _dominant(choice, files, uses, roles)


def _dominant(choice: Choice, files: list[FileUse], uses: Uses, roles: dict[str, _Roles]) -> Iterator[Habit]:
    role = f"{choice.family} {choice.role}"
    shown = {item.path: {member for one, member in roles[item.path] if one == role} for item in files}
    for own in _own_modules(choice.role, files):
        for path in uses.users.get(own, ()):
            if path in shown:
                shown[path].add(own)
    counted = Counter(member for members in shown.values() for member in members)
    users = sum(bool(members) for members in shown.values())
    for member, support in counted.most_common(1):
        if agree(support, users):
            others = tuple(name for name, _modules in choice.members if name != member)
            where = member if member in uses.users and "." in posixpath.basename(member) else ""
            if where:
                others = tuple(name for name in others if (role, name) not in roles.get(where, ()))
            yield Habit(
                role=role,
                usual=member,
                others=others,
                support=support,
                users=users,
                where=where,
            )


def _roles(item: FileUse) -> _Roles:
    return frozenset(pair for used in item.imports for pair in roles_of(used, item.language))


def roles_of(used: ScannedImport, language: str) -> tuple[tuple[str, str], ...]:
    """Which roles an import plays, as habits spell them, and as which member."""
    family = family_of(language)
    if used.module.startswith("unittest.") or (used.module == "unittest" and used.names == ("mock",)):
        return ()  # mocks are at home in every test framework
    if used.names and used.module in _ONLY_WITH and not _ONLY_WITH[used.module] & set(used.names):
        return ()
    return tuple((f"{family} {role}", member) for role, member in members_shown(used.module, family))


def _own_modules(role: str, files: Iterable[FileUse]) -> Iterator[str]:
    wanted = _OWN.get(role)
    if wanted is None:
        return
    for item in files:
        words = set(split_name(posixpath.basename(item.path).partition(".")[0]))
        if words & wanted[0] and words & wanted[1] and len(words) <= 3:
            yield item.path


# What the files of one folder have in common: the error they raise, asynchronous functions, one class each.


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


# In which direction the layers of a work tree import each other, told from the names of their folders.


_RANKS = {
    **dict.fromkeys(
        "ui components component views view pages screens widgets templates frontend presentation".split(), 0
    ),
    **dict.fromkeys(
        "controllers controller handlers handler routes routers endpoints resolvers graphql web rest".split(), 1
    ),
    **dict.fromkeys("services service usecases usecase application logic workflows interactors".split(), 2),
    **dict.fromkeys("domain entities entity models model".split(), 3),
    **dict.fromkeys(
        "repositories repository repo repos dao db database persistence storage infrastructure dal queries".split(), 4
    ),
}
"""Folders whose name says which layer they are; the lower the number, the nearer to the user."""


class _Edges:
    """How many files of one layer import another, and how many files each layer has that import any."""

    def __init__(self, uses: Uses) -> None:
        self.count: dict[tuple[str, str], set[str]] = {}
        for path, modules in uses.targets.items():
            source = layer_of(path)
            for target in frozenset().union(*modules.values()) if modules else ():
                aim = layer_of(target)
                if source and aim and source != aim:
                    self.count.setdefault((source, aim), set()).add(path)

    def files(self, source: str, aim: str) -> int:
        return len(self.count.get((source, aim), ()))

    def leads(self, source: str, aim: str) -> bool:
        """Whether many files of one import the other; a single file the other way may be the one being written."""
        return self.files(source, aim) >= SUPPORT and self.files(aim, source) <= 1


@lru_cache(maxsize=8192)
def layer_of(path: str) -> str:
    """The folder that says the layer of a file: `src/ui` for src/ui/forms/login.tsx; empty where none does."""
    parts = path.split("/")[:-1]
    for at, part in enumerate(parts):
        if part.lower() in _RANKS:
            return "/".join(parts[: at + 1])
    return ""


def rank_of(layer: str) -> int:
    return _RANKS.get(layer.rpartition("/")[2].lower(), -1)


def learn_layers(uses: Uses) -> Iterator[Habit]:
    edges = _Edges(uses)
    for source, aim in sorted(edges.count):
        support = edges.files(source, aim)
        if edges.leads(source, aim) and rank_of(source) < rank_of(aim):
            yield Habit(
                role="layer order",
                usual=f"{source} -> {aim}",
                others=(f"{aim} -> {source}",),
                support=support,
                users=support,
            )
            yield from _passages(source, aim, support, edges)


def _passages(source: str, middle: str, support: int, edges: _Edges) -> Iterator[Habit]:
    """Where the first layer reaches a deep one by way of the second only."""
    for start, deep in sorted(edges.count):
        reaches = start == middle and edges.leads(middle, deep)
        if reaches and rank_of(deep) == 4 and rank_of(source) < 2 and edges.files(source, deep) <= 1:
            yield Habit(
                role="layer passage",
                usual=f"{source} -> {middle} -> {deep}",
                others=(f"{source} -> {deep}",),
                support=support,
                users=support,
            )
