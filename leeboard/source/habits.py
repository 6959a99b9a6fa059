"""The habits that are learnt of a work tree: libraries it takes, what files of a folder share, how layers import."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.symbol import Habit
from leeboard.model.text import lazy
from leeboard.source.module_path import ENTRIES, is_relative, keys_of_import, keys_of_path, meant
from leeboard.source.name_scan import ScannedImport, ScannedName, ScannedStyle
from leeboard.text.language import is_test_path
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


# Libraries of which a project takes one: for each role the members, each with the modules that show it is used.


class _Libraries(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    families: dict[str, str]
    weights: dict[str, int]
    roles: dict[str, dict[str, dict[str, tuple[str, ...]]]]
    """By role, family and library: the modules that show it is used."""


class Choice(msgspec.Struct, frozen=True):
    role: str
    family: str
    members: tuple[tuple[str, tuple[str, ...]], ...]


@lru_cache(maxsize=1)
def _libraries() -> _Libraries:
    return load("source/libraries", _Libraries)


def family_of(language: str) -> str:
    """Languages that share libraries share a family."""
    return _libraries().families.get(language, language)


def weight_of(role: str) -> int:
    """What a second member costs: 5 where everything hangs on it, 3 where it is a matter of few calls, else 4."""
    return _libraries().weights.get(role.partition(" ")[2], 4)


@lru_cache(maxsize=16)
def choices(family: str) -> tuple[Choice, ...]:
    return tuple(
        Choice(role, family, tuple(families[family].items()))
        for role, families in _libraries().roles.items()
        if family in families
    )


@lru_cache(maxsize=16)
def _by_module(family: str) -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for choice in choices(family):
        for name, modules in choice.members:
            for module in modules:
                found.setdefault(module, []).append((choice.role, name))
    return {module: tuple(pairs) for module, pairs in found.items()}


@lru_cache(maxsize=16_384)
def members_shown(module: str, family: str) -> tuple[tuple[str, str], ...]:
    """Role and member an import of this module shows; several where a library plays several roles."""
    known = _by_module(family)
    ends = [at for at, char in enumerate(module) if char in "./:\\" and at] + [len(module)]
    return tuple(dict.fromkeys(pair for end in ends for pair in known.get(module[:end], ())))


# The files of a work tree as habits are learned from them: what each imports, resolved to files where it means one.


SUPPORT = 5
"""Files that must do it."""
SHARE = 0.8
"""The share of those that could."""

_MOST_ALIKE = 40
"""Files one key may lead to; a name that more files share says nothing."""
_BESIDE = lazy(
    r"(?:^|/)(?:scripts?|tools?|bin|examples?|samples?|demos?|docs?|migrations?|migrate|alembic|benchmarks?|bench|hack|"
    r"playground|sandbox|seeds?|fixtures|contrib|ci|\.github|devtools|build|deploy|infra|ops)/"
    r"|(?:^|/)(?:setup|conftest|manage|noxfile|fabfile|tasks|gulpfile|webpack\.config|vite\.config)\.\w{1,4}$"
    r"|(?:^|/)(?:\d{3,14}_|V\d{1,14}__)[^/]{1,200}$|\.config\.[cm]?[jt]s$",
)


class FileUse(msgspec.Struct, frozen=True):
    path: str
    language: str
    imports: tuple[ScannedImport, ...]
    names: tuple[ScannedName, ...] = ()
    style: ScannedStyle = ScannedStyle()


def stands_beside(path: str) -> bool:
    """Scripts, migrations, examples and settings of tools: they may do as they like."""
    return bool(_BESIDE.search(path))


class Uses:
    """Sorted by path. `sources` are those that make up the product."""

    def __init__(self, files: Iterable[FileUse]) -> None:
        self.files = sorted(files, key=lambda item: item.path)
        self.tests = [item for item in self.files if is_test_path(item.path)]
        tests = {item.path for item in self.tests}
        self.sources = [item for item in self.files if item.path not in tests and not stands_beside(item.path)]

    @cached_property
    def targets(self) -> dict[str, dict[str, frozenset[str]]]:
        """By source, each module as written and the files of the work tree it means; without those that mean none."""
        return {item.path: self._resolved(item) for item in self.sources}

    @cached_property
    def users(self) -> dict[str, set[str]]:
        """By file, the sources that import it."""
        found: dict[str, set[str]] = {}
        for path, modules in self.targets.items():
            for target in frozenset().union(*modules.values()):
                found.setdefault(target, set()).add(path)
        return found

    def libraries(self, item: FileUse) -> Iterator[str]:
        """Modules from outside the work tree, as written."""
        own = self.targets.get(item.path, {})
        for used in item.imports:
            if used.module not in own and not is_relative(used.module):
                yield used.module

    @cached_property
    def _by_key(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for item in self.files:
            for key in keys_of_path(item.path):
                found.setdefault(key, []).append(item.path)
        return {key: paths for key, paths in found.items() if len(paths) <= _MOST_ALIKE}

    def _resolved(self, item: FileUse) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for used in item.imports:
            near = {path for key in keys_of_import(used) for path in self._by_key.get(key, ())}
            files = frozenset(meant(used, item.path, near)) if near else frozenset()
            if files:
                found[used.module] = files | found.get(used.module, frozenset())
        return found


def agree(support: int, users: int) -> bool:
    return support >= SUPPORT and support >= SHARE * users
