"""Errors in what a program printed: tracebacks, failed tests, compilers that refuse."""

from __future__ import annotations

import re

from leeboard.model.pattern import lazy

_SEEN = 40_000
"""Characters read at the start and at the end of an output: an error stands in one of them."""
_KEPT = 4_000
_STARTS = (
    r"Traceback \(most recent call last\)|(?:FAILED|FAIL|ERROR)(?:[ :]|$)|-{3} FAIL:|={2,80} (?:FAILURES|ERRORS) =="
    r"|(?:fatal|error|panic|Error)(?:\[\w{1,20}\])?: |npm (?:ERR!|error)|BUILD FAILURE|FAILURE: |Exception in thread"
    r"|Uncaught \w|Unhandled|thread '[^'\n]{1,80}' panicked|Segmentation fault|not ok \d|E {3}\S"
    r"|[\w.]{0,80}(?:Error|Exception)(?:: |$)|test result: FAILED|make(?:\[\d{1,3}\])?: \*\*\*|✕ |✗ |× "
)
_INSIDE = (
    r"[1-9]\d{0,6} (?:failed|failing|failures?|errors?)\b|error TS\d|: error[: ]|: fatal error:|: command not found"
    r"|: No such file or directory$|Tests? run: .{0,60}?Failures: [1-9]|FAILED \("
)
_LINE = lazy(rf"^[ \t]{{0,12}}(?:{_STARTS})|^[^\n]{{0,200}}?(?:{_INSIDE})", re.MULTILINE)
_STRICT = lazy(
    rf"{_STARTS}"
    r"|[^\s:]{1,160}:\d{1,7}(?::\d{1,5})?: (?:fatal )?error|[^\s(]{1,160}\(\d{1,7},\d{1,5}\): error"
)
_HARMLESS = lazy(r"\b0 errors?\b|\bno errors?\b", re.IGNORECASE)


def error_in(output: str) -> str:
    """The first error of an output with what follows it, empty where there is none."""
    if len(output) > 2 * _SEEN:
        output = f"{output[:_SEEN]}\n{output[-_SEEN:]}"
    for found in _LINE.finditer(output):
        end = output.find("\n", found.end())
        if not _HARMLESS.search(output[found.start() : end if end >= 0 else len(output)][:_KEPT]):
            return output[found.start() : found.start() + _KEPT].strip()
    return ""


def starts_error(line: str) -> bool:
    """Whether a line of a bare text begins an error. Told by its beginning: prose may speak of errors anywhere."""
    return _STRICT.match(line.lstrip()[:400]) is not None
