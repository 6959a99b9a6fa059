"""The files of a work tree as habits are learned from them: what each imports, resolved to files where it means one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import msgspec

from leeboard.model.text import lazy
from leeboard.source.module_path import is_relative, keys_of_import, keys_of_path, meant
from leeboard.source.name_scan import ScannedImport, ScannedName, ScannedStyle
from leeboard.text.language import is_test_path

SUPPORT = 5
"""Files that must do it."""
SHARE = 0.8
"""Of those that could."""

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
        """Of each source: the module as written -> files of the work tree it means; without those that mean none."""
        return {item.path: self._resolved(item) for item in self.sources}

    @cached_property
    def users(self) -> dict[str, set[str]]:
        """Of each file: the sources that import it."""
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
