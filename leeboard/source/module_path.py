"""Which file of a work tree an import means, told from the spellings alone.

An import names a module; a file has a path. The two are compared part by part: what a relative import leads to, or the
tail of a path below a root of sources. Where two files would do, both may be meant: nothing is looked up on disk.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from functools import lru_cache

from leeboard.model.text import lazy
from leeboard.source.name_scan import ScannedImport

ENTRIES = frozenset({"__init__", "index", "mod", "main", "lib"})
"""Files that stand for the folder they lie in."""
ROOTS = frozenset({"src", "lib", "app", "source", "python", "main", "java", "kotlin", "js", "ts", "packages", "tests"})
"""Folders that are left out where a module is named."""

_SEPARATORS = lazy(r"::|[./\\]")
_ALIASES = ("@/", "~/", "#/", "$lib/", "@@/")
_CODE_ENDINGS = frozenset(
    "py pyi js jsx ts tsx mjs cjs mts cts go java kt kts rb php rs cs c h cc cpp cxx hpp hh vue svelte".split()
)
_CODE_EXTENSIONS = tuple(f".{ending}" for ending in _CODE_ENDINGS)
_BARE_IS_FOREIGN = (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte")
"""A single name without a dot before it is a package there."""
_NAMED_FROM_OUTSIDE = (".go", ".php", ".cs", ".rs")
_FOLDER_MODULES = (".go", ".cs", ".java", ".kt", ".kts")


def keys_of_import(item: ScannedImport) -> Iterator[str]:
    """Lower-case words under which the files it may mean are looked up."""
    parts = _parts(item.module)
    if parts:
        yield parts[-1].lower()
        if parts[-1] == "*" or parts[-1][:1].isupper():
            yield from (part.lower() for part in parts[-2:-1])
    for name in item.names:
        yield name.rpartition("\\")[2].lower()


def keys_of_path(path: str) -> tuple[str, ...]:
    """The words an import of this file has as one of its keys."""
    folder, name = posixpath.split(path)
    above = posixpath.basename(folder).lower()
    bare = _bare(name).lower()
    return (bare, above) if above and above != bare else (bare,)


def refers(item: ScannedImport, importer: str, path: str) -> bool:
    """Whether an import written in the file `importer` may mean the file `path`."""
    return bool(meant(item, importer, (path,)))


def meant(item: ScannedImport, importer: str, paths: Iterable[str]) -> list[str]:
    """Which of these files an import written in the file `importer` may mean; never that file itself."""
    module = item.module
    if importer.endswith(_BARE_IS_FOREIGN) and not module.startswith(".") and "/" not in module:
        return []
    targets = list(_targets(item, importer))
    near = tuple(posixpath.dirname(importer).split("/"))
    return [path for path in paths if path != importer and _is_one_of(targets, path, importer, near)]


def lies_in(item: ScannedImport, importer: str, folder: str) -> bool:
    """Whether an import written in the file `importer` leads into this folder of the work tree."""
    whole = tuple(folder.split("/"))
    bare = whole
    while len(bare) > 1 and bare[0] in ROOTS:
        bare = bare[1:]
    for certain, parts in _targets(item, importer):
        if parts[: len(whole)] == whole or (not certain and parts[: len(bare)] == bare):
            return True
        if not certain and len(bare) < len(parts) and importer.endswith((".go", ".php", ".cs", ".java", ".kt", ".rs")):
            low = "/".join(parts).lower()
            if f"/{'/'.join(bare).lower()}/" in f"/{low}/":
                return True
    return False


def top_of(module: str) -> str:
    """The library an import belongs to: `sqlalchemy.orm` and `@scope/name/x` give sqlalchemy, `@scope/name`."""
    if module.startswith("@") and "/" in module:
        return "/".join(module.split("/")[:2])
    if "/" in module and not module.startswith("."):
        first = module.split("/")
        return "/".join(first[:3]) if "." in first[0] else first[0]
    return next(iter(_parts(module)), "")


def is_relative(module: str) -> bool:
    return module.startswith((".", *_ALIASES, "crate::", "self::", "super::"))


@lru_cache(maxsize=65_536)
def _parts(module: str) -> tuple[str, ...]:
    stripped = module
    for alias in _ALIASES:
        stripped = stripped.removeprefix(alias)
    if "/" in stripped:
        stripped = stripped.removesuffix("/")
        ended = stripped.endswith(_CODE_EXTENSIONS)
        pieces = (stripped.rpartition(".")[0] if ended else stripped).split("/")
    else:
        pieces = _SEPARATORS.split(stripped)
    return tuple(piece for piece in pieces if piece and piece not in {".", "..", "crate", "self", "super"})


def _targets(item: ScannedImport, importer: str) -> Iterator[tuple[bool, tuple[str, ...]]]:
    """Whether the place is certain, and the parts it leads to: of the module and of what is taken from it."""
    certain, parts = _placed(item.module, importer)
    if parts:
        yield certain, parts
    for name in item.names:
        yield certain, (*parts, *name.split("\\"))
    if len(parts) > 1 and parts[-1] == "*":
        yield certain, parts[:-1]


def _placed(module: str, importer: str) -> tuple[bool, tuple[str, ...]]:
    folder = posixpath.dirname(importer)
    by_path = module.startswith(("./", "../")) or module in {".", ".."}
    if by_path and not importer.endswith((".py", ".pyi")):
        return True, _clean(posixpath.normpath(posixpath.join(folder, module)))
    if module.startswith("."):
        bare = module.lstrip(".")
        ups = len(module) - len(bare) - 1
        above = folder.split("/") if folder else []
        return True, (*above[: len(above) - ups if ups else None], *(part for part in bare.split(".") if part))
    if module.startswith(("self::", "super::")):
        own = folder if _bare(posixpath.basename(importer)) in ENTRIES else posixpath.splitext(importer)[0]
        start = posixpath.dirname(own) if module.startswith("super::") else own
        return True, (*(part for part in start.split("/") if part), *_parts(module))
    return False, _parts(module)


def _clean(path: str) -> tuple[str, ...]:
    ended = path.endswith(_CODE_EXTENSIONS)
    return tuple(part for part in (path.rpartition(".")[0] if ended else path).split("/") if part not in {"", "."})


@lru_cache(maxsize=8192)
def _spellings(path: str) -> tuple[tuple[str, ...], ...]:
    """The parts a module of this file may have, from the top of the work tree."""
    folder, name = posixpath.split(path)
    above = tuple(folder.split("/")) if folder else ()
    bare = _bare(name)
    whole = (*above, bare)
    if bare in ENTRIES or path.endswith(_FOLDER_MODULES):
        return (whole, above) if above else (whole,)
    return (whole,)


def _is_one_of(targets: list[tuple[bool, tuple[str, ...]]], path: str, importer: str, near: tuple[str, ...]) -> bool:
    for spelled in _spellings(path):
        for certain, parts in targets:
            if parts == spelled if certain else parts and _below_a_root(parts, spelled, importer, near):
                return True
    return False


def _below_a_root(parts: tuple[str, ...], spelled: tuple[str, ...], importer: str, near: tuple[str, ...]) -> bool:
    if importer.endswith(_NAMED_FROM_OUTSIDE):
        return _is_named_from_outside(parts, spelled, importer)
    if spelled[-1:] != parts[-1:] or spelled[-len(parts) :] != parts:
        return False
    left = spelled[: -len(parts)]
    return not left or left[-1] in ROOTS or left == near[: len(left)] or len(parts) > 2


def _is_named_from_outside(parts: tuple[str, ...], spelled: tuple[str, ...], importer: str) -> bool:
    """Where a module's name begins with something the work tree does not show: the product's, the host's."""
    if importer.endswith(".go"):
        return bool(spelled) and len(parts) > len(spelled) and parts[-len(spelled) :] == spelled
    # The last part of a crate's path may be a thing inside the file.
    return any(_is_tail(cut, spelled) for cut in (parts, parts[1:], parts[:-1]) if len(cut) > 1 or cut == parts)


def _is_tail(parts: tuple[str, ...], spelled: tuple[str, ...]) -> bool:
    low = tuple(part.lower() for part in parts)
    return bool(low) and tuple(part.lower() for part in spelled[-len(low) :]) == low


def _bare(name: str) -> str:
    """A file's name without its ending: `user.d.ts` gives user."""
    stem, _dot, _ending = name.partition(".") if not name.startswith(".") else (name, "", "")
    return stem
