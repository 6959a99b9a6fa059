"""Run a program and write down in which files of the package it entered a function.

`python tools/files_entered.py OUT PACKAGE cli ARGUMENT...` runs the command line; with a file in place of `cli`, that
file as a script. Python's own `-I -S` may precede it: nothing but the standard library is imported here.
"""

from __future__ import annotations

import os
import posix
import runpy
import sys
import threading
from importlib.metadata import entry_points
from types import FrameType
from typing import NoReturn

OPTIMIZED = 0x1
"""The flag of code that is a function's: a module's and a class's body have none."""
MADE = frozenset({"__init__", "__post_init__", "__new__", "__init_subclass__"})
"""Making a value is no reason to read the file of its class."""


class Profile:
    """Counts what runs, not what an import runs: a table that is built by a function is no step on the way."""

    def __init__(self, package: str) -> None:
        self._package = package.rstrip("/") + "/"
        self.entered: set[str] = set()
        self._importing: dict[int, FrameType] = {}

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event not in {"call", "return"} or not frame.f_code.co_filename.startswith(self._package):
            return
        thread = threading.get_ident()
        if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__":
            if event == "call":
                self._importing.setdefault(thread, frame)
            elif self._importing.get(thread) is frame:
                del self._importing[thread]
        elif thread not in self._importing and frame.f_code.co_flags & OPTIMIZED and frame.f_code.co_name not in MADE:
            self.entered.add(frame.f_code.co_filename)


def end(code: int) -> NoReturn:
    """In place of the end at once, after which nothing could be written down."""
    raise SystemExit(code)


def command_line() -> None:
    """The registered console script, wherever the package keeps it."""
    (script,) = entry_points(group="console_scripts", name="leeboard")
    script.load()()


def main() -> None:
    out, package, program, *arguments = sys.argv[1:]
    profile = Profile(package)
    posix._exit = os._exit = end  # type: ignore[assignment] # it ends all the same  # noqa: SLF001 - os has no other name for it
    sys.argv = ["leeboard" if program == "cli" else program, *arguments]
    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        command_line() if program == "cli" else runpy.run_path(program, run_name="__main__")
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        with open(out, "w", encoding="utf-8") as file:  # noqa: PTH123 - pathlib is not imported where hooks run
            file.writelines(f"{path}\n" for path in sorted(profile.entered))


if __name__ == "__main__":
    main()
