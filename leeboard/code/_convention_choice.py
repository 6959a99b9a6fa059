"""Which of several libraries a work tree takes for a role, or which module of its own."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator

from leeboard.code._choice_sets import Choice, choices, family_of, members_shown
from leeboard.code._file_use import FileUse, Uses, agree
from leeboard.code.name_scan import ScannedImport
from leeboard.code.words import split_name
from leeboard.model.symbol import Habit

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
