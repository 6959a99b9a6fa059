"""Imports of this package without looking around, for a hook that judges by itself: it loads 125 modules and more.

The interpreter asks for each of them every finder, a folder's time and list, and the bytecode's name by way of a parser
of file names, under a lock of its own for each. Of our own modules all of that is known: the file follows from the
name, the bytecode from the file, and the hook has one thread. The same source is looked at and the same bytecode is
read; where that is not as fresh as the source, or is kept otherwise, the interpreter's own loader takes over.
"""

from __future__ import annotations

import _frozen_importlib
import marshal
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader
from types import CodeType, ModuleType

TYPE_CHECKING = False  # as in `typing`, which is not there yet
if TYPE_CHECKING:
    from collections.abc import Callable

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

    def get_data(self, path: str) -> bytes:
        """Without a file object around it: a hook reads dozens of tables and rules."""
        return _content(path) or super().get_data(path)


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


class QuickImport:
    """What the interpreter asks for a module that is not there yet: ours are loaded at once, others as ever."""

    def __init__(self, finder: QuickFinder, plainly: Callable[[str, object], ModuleType]) -> None:
        self._finder = finder
        self._plainly = plainly

    def __call__(self, name: str, import_: object) -> ModuleType:
        spec = self._finder.find_spec(name) if name not in sys.modules else None
        if spec is None or not isinstance(spec.loader, QuickLoader):
            return self._plainly(name, import_)
        parent, _, child = name.rpartition(".")
        if parent not in sys.modules:
            self(parent, import_)
            if name in sys.modules:  # it was imported on the way
                return sys.modules[name]
        code = spec.loader.get_code(name)
        if code is None:
            return self._plainly(name, import_)
        module = sys.modules[name] = _module_of(spec)
        try:
            exec(code, module.__dict__)  # noqa: S102 - our own module
        except BaseException:
            sys.modules.pop(name, None)
            raise
        setattr(sys.modules[parent], child, sys.modules[name])
        return sys.modules[name]


def _module_of(spec: ModuleSpec) -> ModuleType:
    module = ModuleType(spec.name)
    folder = spec.submodule_search_locations
    module.__dict__.update(
        __spec__=spec,
        __loader__=spec.loader,
        __file__=spec.origin,
        __cached__=spec.cached,
        __package__=spec.parent,
        **({"__path__": folder} if folder is not None else {}),
    )
    return module


def import_quickly(package: str) -> None:
    """From here on, in this process."""
    finder = QuickFinder(package)
    sys.meta_path.insert(0, finder)
    plainly = getattr(_frozen_importlib, "_find_and_load", None)
    if plainly is not None:
        setattr(_frozen_importlib, "_find_and_load", QuickImport(finder, plainly))  # noqa: B010 - typeshed does not know it


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
    if "datetime" not in sys.modules:
        try:  # noqa: SIM105 - contextlib would have to be imported
            # `datetime` is this, and the same once more in Python, which nobody uses.
            sys.modules["datetime"] = __import__("_datetime")
        except ImportError:
            pass
    _import_msgspec()
    _evaluate_quickly()


_BY_CLASS_ALONE: dict[str, dict[str, object]] = {
    "decimal": {"Decimal": type("Decimal", (), {})},
    "uuid": {"UUID": type("UUID", (), {}), "SafeUUID": type("SafeUUID", (), {"unknown": None})},
}
"""Modules that msgspec wants for a class of values each: nothing that a hook reads or writes has such a value."""


def _import_msgspec() -> None:
    missing = [name for name in _BY_CLASS_ALONE if name not in sys.modules]
    for name in missing:
        _stand_in(name, _BY_CLASS_ALONE[name])
    try:
        import msgspec  # noqa: F401, PLC0415 - while those stand there
    except (AttributeError, ModuleNotFoundError):
        pass  # one that asks for more, or is found later: it is imported again, with all that it needs
    finally:
        for name in missing:
            del sys.modules[name]


def _evaluate_quickly() -> None:
    """Have msgspec read the annotations of our structs without `typing` looking for names inside of their names: each
    text is compiled once, not for each of the hundreds of fields, and what it names is what is meant.
    """
    found = sys.modules.get("msgspec._utils")
    plainly, referred = getattr(found, "_eval_type", None), getattr(found, "_forward_ref", None)
    if found is None or plainly is None or referred is None:
        return
    compiled: dict[str, CodeType] = {}

    def evaluated(value: object, local: dict[str, object], everywhere: dict[str, object]) -> object:
        if type(value) is not str:
            return plainly(value, local, everywhere)
        if value in everywhere:
            return everywhere[value]
        code = compiled.get(value)
        if code is None:
            code = compiled[value] = compile(value, "annotation", "eval")
        return eval(code, local, everywhere)  # noqa: S307 - our own module's words

    setattr(found, "_forward_ref", lambda value: value)  # noqa: B010 - no attributes of that module's own making
    setattr(found, "_eval_type", evaluated)  # noqa: B010 - as above


def _stand_in(name: str, attributes: dict[str, object]) -> None:
    module = type(sys)(name)
    module.__dict__.update(attributes)
    sys.modules[name] = module
