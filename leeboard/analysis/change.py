"""What one change does to the code, read off the lines it adds and takes away. No parser: it runs for every edit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leeboard.model.event import TextEdit
from leeboard.model.pattern import lazy
from leeboard.model.touch import Diff, Diffs, Health
from leeboard.source.name_scan import scan_names
from leeboard.text.language import is_test_path, language_of

_DECISIONS = (
    *(
        f" {word}{after}"
        for word in "if elif elsif unless for foreach while until case when catch except rescue guard and or".split()
        for after in " (:"
    ),
    *("&&", "||", "??", " ? "),
)
_REMARKS = ("#", "//", "*", "/*", "--", ";", '"""', "'''")
_TEST = lazy(
    r"(?m)^\s*(?:async\s+)?(?:def|fn|func|function|fun|public\s+(?:async\s+)?(?:void|Task))\s+[Tt]est\w*|"
    r"^\s*(?:it|test|specify|describe)(?:\.\w+)?\s*\(|^\s*@Test\b|^\s*\[(?:Fact|Theory|Test)\b|^\s*#\[(?:\w+::)?test\]"
)


def health_of(diffs: Diffs) -> Health:
    """What the changes of one call amount to; prose, data and shell lines count nothing."""
    total = Health()
    for diff in diffs:
        if diff.path and language_of(diff.path):
            total = total.plus(_of(diff))
    return total


def _of(diff: Diff) -> Health:
    lines = diff.after.split("\n")
    added = "\n".join(line for start, end in diff.added for line in lines[start - 1 : end])
    came, went = _measured(added, diff.path), _measured(diff.removed, diff.path)
    return Health(
        lines=came.lines - went.lines,
        functions=came.functions - went.functions,
        decisions=came.decisions - went.decisions,
        tests=came.tests - went.tests,
        files=int(diff.is_new),
    )


def _measured(text: str, path: str) -> Health:
    if not text:
        return Health()
    code = _code_of(text)
    is_test = is_test_path(path)
    return Health(
        lines=text.count("\n") + 1,
        functions=0 if is_test else sum(name.kind != "class" for name in scan_names(text, language_of(path))),
        decisions=0 if is_test else sum(map(code.count, _DECISIONS)),
        tests=len(_TEST.findall(text)) if is_test or "test" in path.lower() else 0,
    )


def _code_of(text: str) -> str:
    """Without remarks and in one line, each word between blanks: then counting needs no pattern."""
    lines = (f" {line.strip()} " for line in text.split("\n") if not line.lstrip().startswith(_REMARKS))
    return "".join(lines)


# What a file holds after an edit, as far as the edit itself says.


LARGEST = 2 << 20


def edited(before: bytes | None, edits: Sequence[TextEdit]) -> Iterator[bytes]:
    """The bytes it may lead to, the likeliest first; nothing where the edit does not fit what is there.

    Clients keep the line ends of a file, and a text that stands there several times is replaced once or everywhere.
    """
    if len(before or b"") > LARGEST:
        return
    if len(edits) == 1 and not edits[0].old:
        yield from _with_ends(edits[0].new, before or b"")
        return
    try:
        text = (before or b"").decode("utf-8")
    except UnicodeDecodeError:
        return
    plain = text.replace("\r\n", "\n")
    for most in (1, -1):
        found: str | None = plain
        for edit in edits:
            fits = found is not None and edit.old and edit.old.replace("\r\n", "\n") in found
            found = found.replace(edit.old.replace("\r\n", "\n"), edit.new, most) if found and fits else None
        if found is not None:
            yield from _with_ends(found, before or b"")


def _with_ends(text: str, before: bytes) -> Iterator[bytes]:
    data = text.encode("utf-8", "surrogatepass")
    if b"\r\n" in before:
        yield data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    yield data
