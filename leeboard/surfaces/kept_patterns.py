"""Compiled patterns, kept from one process to the next as Python keeps the bytecode of modules: for hooks, and for
commands that judge.

A hook that judges by itself uses two dozen patterns, and compiling them takes longer than all the rest of judging. What
the interpreter makes of a pattern is a list of numbers, the same each time. It lies beside the bytecode of this
package, is written by whoever may write there, and counts for the very interpreter that wrote it alone. Where anything
about it is not as expected the pattern is compiled as ever.

Nine numbers of ten fit into a byte and are kept as one, which makes the file less than half as heavy and no slower to
read.
"""

from __future__ import annotations

import marshal
import os
import re
import sys

import leeboard
from leeboard.io import system
from leeboard.model.text import compile_with

MOST, MOST_OF_A_COMMAND = 512, 2_048
LONGEST = 4 << 20
"""Bytes of the file."""
_MADE_BY = f"{sys.version} {leeboard.__version__} bytes"
"""An interpreter and a release: what either of them wrote differently before is written anew, and what it no longer
uses is gone.
"""

Key = tuple[str, int]
Parts = tuple[int, bytes, bytes, int, dict[str, int], tuple[str | None, ...]]
"""Flags, the low bytes of the code, its large numbers, how many groups, groups by name and names by group."""
_LARGE = 256
"""From here on a number of the code stands among the large ones: its place and itself, eight bytes together."""


class KeptPatterns:
    """Those in one file. `save` adds what had to be compiled."""

    def __init__(self, path: str, most: int = MOST) -> None:
        self._path, self._most = path, most
        self._kept = _read(path)
        self._new: dict[Key, bytes] = {}

    def use(self) -> None:
        """From here on, in this process."""
        compile_with(self.pattern)

    def pattern(self, source: str, flags: int) -> re.Pattern[str]:
        try:
            return _made(source, marshal.loads(self._kept[source, int(flags)]))  # noqa: S302 - as trusted as bytecode
        except KeyError:
            pass
        except (EOFError, ValueError, TypeError, RuntimeError, OverflowError, IndexError):
            return re.compile(source, flags)
        try:
            parts = _compiled(source, flags)
            found = _made(source, parts)
            self._new[source, int(flags)] = marshal.dumps(parts)
        except (KeyError, AttributeError, ValueError, TypeError, RuntimeError):  # another interpreter's insides
            return re.compile(source, flags)
        return found

    def save(self) -> None:
        """Whole or not at all. Nobody waits for it by now, and nothing depends on it."""
        if not self._new or sys.dont_write_bytecode or len(self._kept) + len(self._new) > self._most:
            return
        beside = f"{self._path}.{os.getpid()}"
        try:
            file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.CLOEXEC, 0o644)
            try:
                data = marshal.dumps((_MADE_BY, self._kept | self._new))
                whole = len(data) <= LONGEST and os.write(file, data) == len(data)
            finally:
                os.close(file)
            if whole:
                os.replace(beside, self._path)  # noqa: PTH105 - pathlib costs the hook process its import
            else:
                os.unlink(beside)  # noqa: PTH108 - as above
        except OSError:
            return


def patterns_file(package: str, command: str = "") -> str:
    """Those of hooks, or of a command, which uses many more."""
    name = f"{command}-patterns" if command else "patterns"
    return f"{package}/surfaces/__pycache__/{name}.{sys.implementation.cache_tag}"


def _read(path: str) -> dict[Key, bytes]:
    try:
        file = os.open(path, os.O_RDONLY | system.CLOEXEC)
        try:
            made_by, kept = marshal.loads(os.read(file, LONGEST))  # noqa: S302 - as above
        finally:
            os.close(file)
    except (OSError, EOFError, ValueError, TypeError):
        return {}
    return kept if made_by == _MADE_BY and isinstance(kept, dict) else {}


def _compiled(source: str, flags: int) -> Parts:
    """As `re` itself does it."""
    parsed = sys.modules["re._parser"].parse(source, flags)
    code = sys.modules["re._compiler"]._code(parsed, flags)  # noqa: SLF001 - the one way to what is kept
    state = parsed.state
    names: list[str | None] = [None] * state.groups
    for name, number in state.groupdict.items():
        names[number] = name
    numbers = [*map(int, code)]
    large = [part for at, number in enumerate(numbers) if number >= _LARGE for part in (at, number)]
    return (
        int(flags | state.flags),
        bytes(number % _LARGE for number in numbers),
        b"".join(part.to_bytes(4, sys.byteorder) for part in large),
        state.groups - 1,
        dict(state.groupdict),
        tuple(names),
    )


def _made(source: str, parts: Parts) -> re.Pattern[str]:
    """The interpreter looks over the code before it takes it."""
    flags, low, large, groups, by_name, names = parts
    code = list(low)
    numbers = iter(memoryview(large).cast("I"))
    for at, number in zip(numbers, numbers, strict=True):
        code[at] = number
    made: re.Pattern[str] = sys.modules["_sre"].compile(source, flags, code, groups, by_name, names)
    return made
