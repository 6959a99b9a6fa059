"""Imports of this package without looking around, for a hook that judges by itself: it loads 140 modules.

The interpreter asks for each of them every finder, a folder's time and list, and the bytecode's name by way of a parser
of file names. Of our own modules all of that is known: the file follows from the name, the bytecode from the file. The
same source is looked at and the same bytecode is read; where that is not as fresh as the source, or is kept otherwise,
the interpreter's own loader takes over.
"""

from __future__ import annotations

import marshal
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader
from types import CodeType

_PIECE = 1 << 16
_PLAIN = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
"""`io.system` has these too, and would be imported the slow way."""
_HEAD = 16
"""Bytes before the code: magic number, how it is validated, time and size of the source."""


class QuickLoader(SourceFileLoader):
    """One module, whose source has been looked at."""

    def __init__(self, name: str, path: str, seen: os.stat_result) -> None:
        super().__init__(name, path)
        folder, _, file = path.rpartition("/")
        self.cached = f"{folder}/__pycache__/{file[:-3]}.{sys.implementation.cache_tag}.pyc"
        stamp = (int(seen.st_mtime) & 0xFFFFFFFF, seen.st_size & 0xFFFFFFFF)
        self._head = MAGIC_NUMBER + b"\0\0\0\0" + b"".join(number.to_bytes(4, "little") for number in stamp)

    def get_code(self, fullname: str) -> CodeType | None:
        data = _content(self.cached)
        if data[:_HEAD] == self._head:
            try:
                code = marshal.loads(memoryview(data)[_HEAD:])  # noqa: S302 - the interpreter's own bytecode
            except (EOFError, ValueError, TypeError):
                code = None
            if isinstance(code, CodeType):
                return code
        return super().get_code(fullname)


class QuickFinder:
    """Of the package in this folder, and of no other."""

    def __init__(self, package: str) -> None:
        self._parent, _, self._name = package.rpartition("/")

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """None where the interpreter has to look for it."""
        del path, target
        if not name.startswith(f"{self._name}."):
            return None
        base = f"{self._parent}/{name.replace('.', '/')}"
        for file, folder in ((f"{base}.py", ""), (f"{base}/__init__.py", base)):
            try:
                seen = os.stat(file)  # noqa: PTH116 - pathlib costs the hook process its import
            except OSError:
                continue
            loader = QuickLoader(name, file, seen)
            spec = ModuleSpec(name, loader, origin=file, is_package=bool(folder))
            spec.has_location = True
            spec.cached = loader.cached
            if folder:
                spec.submodule_search_locations = [folder]
            return spec
        return None


def import_quickly(package: str) -> None:
    """From here on, in this process."""
    sys.meta_path.insert(0, QuickFinder(package))


def _content(path: str) -> bytes:
    try:
        file = os.open(path, _PLAIN)
    except OSError:
        return b""
    try:
        data = part = os.read(file, _PIECE)
        while len(part) == _PIECE:
            part = os.read(file, _PIECE)
            data += part
    except OSError:
        return b""
    finally:
        os.close(file)
    return data


def spare_imports() -> None:
    """Keep out what msgspec imports and no hook uses: it would take half as long as a bare interpreter's start."""
    # Where it happens to be installed, msgspec prefers it to `typing`.
    sys.modules.setdefault("typing_extensions", None)  # type: ignore[arg-type] # the mark of what is not there
    _stand_in("msgspec.inspect", {})
    _stand_in("msgspec._json_schema", {"schema": None, "schema_components": None})
    if sys.platform == "linux":
        _stand_in("platform", {"system": lambda: os.uname().sysname})
        try:  # noqa: SIM105 - contextlib would have to be imported
            import uuid  # noqa: F401, PLC0415 - it asks `platform` for the name of the system alone
        except AttributeError:
            pass  # one that asks for more: msgspec imports it again, with all that it needs
        del sys.modules["platform"]


def _stand_in(name: str, attributes: dict[str, object]) -> None:
    module = type(sys)(name)
    module.__dict__.update(attributes)
    sys.modules[name] = module
