"""What a program prints, where its words or what it is handed say so literally: `echo`, `printf`, `cat`, `tee`."""

from __future__ import annotations

from collections.abc import Sequence

from leeboard.model.text import lazy
from leeboard.shell.expansion import UNKNOWN

_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\\\": "\\", '\\"': '"', "\\0": "\n"}
_ESCAPE = lazy(r"\\[nt0\\\"]")
_FORMAT = lazy(r"%[-+ 0-9.]{0,8}[sdbqif]")


def printed(words: Sequence[str], handed: str | None) -> str | None:
    """None where nobody can tell. `handed` is what it reads, if that stands in the line."""
    program, *args = words or [""]
    operands = [word for word in args if not word.startswith("-")]
    match program.rpartition("/")[2]:
        case "cat" if not operands:
            return body_of(handed) if handed is not None else None
        case "tee":
            return body_of(handed) if handed is not None else None
        case "echo":
            return _echoed(args)
        case "printf" if args and args[0] != "-v":
            return _formatted(args)
    return None


def body_of(text: str) -> str:
    """What a here-document runs stands behind it once more."""
    head, end, tail = text.rpartition("\n")
    return head + end if end and not tail.strip(UNKNOWN) else text


def _echoed(args: list[str]) -> str:
    at = 0
    while at < len(args) and args[at] in {"-n", "-e", "-E", "-ne", "-en"}:
        at += 1
    text = " ".join(args[at:])
    return (_unescaped(text) if any("e" in flag for flag in args[:at]) else text) + "\n"


def _formatted(args: list[str]) -> str:
    shape, *values = [arg for arg in args if arg != "--"] or [""]
    if not _FORMAT.search(shape):
        return _unescaped(shape)
    if len(values) > 1 and len(_FORMAT.findall(shape)) == 1:
        return "".join(_filled(shape, [value]) for value in values)
    return _filled(shape, values)


def _filled(shape: str, values: list[str]) -> str:
    given = iter(values)
    return _unescaped(_FORMAT.sub(lambda _mark: next(given, ""), shape))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda mark: _ESCAPES[mark[0]], text)
