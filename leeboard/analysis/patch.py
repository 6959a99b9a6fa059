"""What a tool call writes, file by file, with each file as it is after it."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.model.event import TextEdit, ToolCall
from leeboard.model.lookup import BaseFiles
from leeboard.model.text import lazy
from leeboard.model.touch import Diff, Diffs, Health, Span
from leeboard.source.name_scan import scan_names
from leeboard.text.language import is_test_path, language_of

if TYPE_CHECKING:
    from leeboard.shell.written_texts import ShellWrite


_PATCH = "*** Begin Patch"
_PATCH_END = "*** End Patch"
_TELLING = 20
"""Characters a text must have to be known again in a file that may or may not show it."""
_SHORT = 8
"""A text that is shorter may stand in a line for other reasons."""

Spell = Callable[[str], str]
"""The one spelling of a path as sent."""
Before = Callable[[str], str | None]
"""The text of a file by its spelled path; None where there is none or nobody knows it."""
Exists = Callable[[str], bool | None]
"""Whether there is such a file; None where nobody knows."""


def diffs_of(
    call: ToolCall, spell: Spell, before: Before, *, exists: Exists | None = None, done: bool = False
) -> Diffs:
    """The changes of a call, proposed or done.

    `before` gives the files as they were before the call. Where only the files as they are after it are at hand, say
    `done`: an edit is then looked up in them and taken back to see what it changed; a file written whole counts as
    new from its first to its last line, because nobody knows what it replaced. `exists` tells a new file (its `before`
    is empty then) from one that nobody has read. A shell line comes last, with the empty path: what it writes into
    files stands in diffs of their own and is blank there.
    """
    known = _Known(before, exists, done=done)
    found: list[Diff] = []
    for diff in _diffs(call, spell, known):
        known.follow(diff)
        found.append(diff)
    return tuple(found)


def against_commit(diff: Diff, base: BaseFiles) -> Diff:
    """A file that a shell line wrote whole, against what was last committed: nobody else knows what it replaced."""
    if diff.before is not None or diff.fragment or not diff.path:
        return diff
    text = base.text(diff.path)
    if text is None:
        return diff
    added, removed = compare(text, diff.after)
    return replace(diff, before=text, added=added, removed=removed)


class _Known:
    """The files as far as anybody knows them, one call's changes on top of each other."""

    def __init__(self, before: Before, exists: Exists | None, *, done: bool) -> None:
        self._before = before
        self._exists = exists
        self._texts: dict[str, str | None] = {}
        self.done = done

    def text(self, path: str) -> str | None:
        if path not in self._texts:
            found = self._before(path)
            if found is None and not self.done and self._exists is not None and self._exists(path) is False:
                found = ""
            self._texts[path] = found
        return self._texts[path]

    def follow(self, diff: Diff) -> None:
        """What comes later in the call finds the file as this left it."""
        if not self.done and not diff.fragment:
            self._texts[diff.path] = diff.after


def _diffs(call: ToolCall, spell: Spell, known: _Known) -> Iterator[Diff]:
    paths = tuple(dict.fromkeys(spell(path) for path in call.paths))
    if call.action == "write" and paths and call.edits:
        yield _whole(paths[0], call.edits[0].new, known)
    elif call.action in {"edit", "bash"} and paths and call.edits:
        first_only = "patch" in call.tool.lower() or call.action == "bash"
        for path, edits in _shared_out(call.edits, paths, known):
            yield from _edited(path, edits, known, first_only=first_only)
    if call.action == "bash" and call.command:
        yield from _shell(call.command, spell, known)


def _whole(path: str, text: str, known: _Known) -> Diff:
    old = None if known.done else known.text(path)
    if old is None:
        return Diff(path=path, after=text, added=all_of(text))
    added, removed = compare(old, text)
    return Diff(path=path, after=text, before=old, added=added, removed=removed)


def _shared_out(
    edits: tuple[TextEdit, ...], paths: tuple[str, ...], known: _Known
) -> Iterator[tuple[str, tuple[TextEdit, ...]]]:
    """Edits by path. A patch names its files and its hunks in one order, but not which hunk is in which file."""
    if len(paths) == 1:
        yield paths[0], edits
        return
    shares: dict[str, list[TextEdit]] = {}
    at = 0
    for number, edit in enumerate(edits):
        candidates = [place for place in range(at, len(paths)) if _fits(edit, known.text(paths[place]), known)]
        if candidates:
            at = candidates[0]
        elif len(edits) == len(paths):
            at = number
        shares.setdefault(paths[at], []).append(edit)
    for path, share in shares.items():
        yield path, tuple(share)


def _fits(edit: TextEdit, text: str | None, known: _Known) -> bool:
    sought = edit.new if known.done else edit.old
    if text is None or not sought:
        return not text and not edit.old
    return sought in text


def _edited(path: str, edits: tuple[TextEdit, ...], known: _Known, *, first_only: bool) -> Iterator[Diff]:
    text = known.text(path)
    if text is not None and "\r\n" in text and not any("\r" in edit.old + edit.new for edit in edits):
        text = text.replace("\r\n", "\n")
    if text is not None and not path.endswith(".ipynb"):
        found = _applied(path, text, edits, first_only=first_only) if not known.done else None
        if found is None and (known.done or all(len(edit.new) >= _TELLING for edit in edits)):
            found = _taken_back(path, text, edits) or (_located(path, text, edits) if known.done else None)
        if found is not None:
            yield found
            return
    yield from (_fragment(path, edit) for edit in edits if edit.new)


def _applied(path: str, text: str, edits: tuple[TextEdit, ...], *, first_only: bool) -> Diff | None:
    after = text
    for edit in edits:
        changed = _replaced(after, edit, first_only=first_only)
        if changed is None:
            return None
        after = changed
    added, removed = compare(text, after)
    return Diff(path=path, after=after, before=text, added=added, removed=removed)


def _replaced(text: str, edit: TextEdit, *, first_only: bool) -> str | None:
    """A client refuses an edit of words that stand there twice, unless it is to change them all."""
    if edit.old:
        return text.replace(edit.old, edit.new, 1 if first_only else -1) if edit.old in text else None
    if not text:
        return edit.new
    if not edit.at.isdecimal():
        return None
    lines = text.split("\n")
    at = min(int(edit.at[:9]), len(lines))
    return "\n".join([*lines[:at], *lines_of(edit.new), *lines[at:]])


def _taken_back(path: str, text: str, edits: tuple[TextEdit, ...]) -> Diff | None:
    """The same for a file that shows the edits already."""
    before = text
    for edit in reversed(edits):
        if not edit.new or edit.new not in before:
            return None
        before = before.replace(edit.new, edit.old, 1)
    before = before if before.strip() else ""
    added, removed = compare(before, text)
    return Diff(path=path, after=text, before=before, added=added, removed=removed)


def _located(path: str, text: str, edits: tuple[TextEdit, ...]) -> Diff | None:
    """Hunks of a patch come without the lines between them: each line is looked for by itself."""
    added = locate(text, [(edit.old, edit.new) for edit in edits if edit.new])
    removed = "\n".join(edit.old for edit in edits if edit.old)
    return Diff(path=path, after=text, added=added, removed=removed) if added else None


def _fragment(path: str, edit: TextEdit) -> Diff:
    added, removed = compare(edit.old, edit.new)
    return Diff(path=path, after=edit.new, added=added, removed=removed, fragment=True)


def _shell(command: str, spell: Spell, known: _Known) -> Iterator[Diff]:
    written = _written_by(command) if ">" in command or "tee" in command else ()
    for piece in written:
        path = spell(piece.path)
        yield _whole(path, piece.text, known) if not piece.appends else _appended(path, piece.text, known)
    rest = _without(command, written)
    if rest.strip():
        yield Diff(path="", after=rest, added=all_of(rest), fragment=True)


def _written_by(command: str) -> tuple[ShellWrite, ...]:
    from leeboard.shell.written_texts import written_by  # noqa: PLC0415 - the shell's grammar, for lines that write only

    return written_by(command)


def _appended(path: str, text: str, known: _Known) -> Diff:
    old = known.text(path)
    if old is None:
        return Diff(path=path, after=text, added=all_of(text), fragment=True)
    before = old.removesuffix(text) if known.done else old
    gap = "\n" if before and not before.endswith("\n") and not known.done else ""
    after = old if known.done else before + gap + text
    added, _removed = compare(before, after)
    return Diff(path=path, after=after, before=before, added=added)


def _without(command: str, written: tuple[ShellWrite, ...]) -> str:
    """The line without what it writes into files, each line still at its place."""
    begin = command.find(_PATCH)
    if begin >= 0:
        end = command.rfind(_PATCH_END)
        patch = command[begin : end if end > begin else len(command)]
        command = command.replace(patch, "\n" * patch.count("\n"), 1)
    for piece in written:
        text = piece.text.removesuffix("\n")
        if len(text) < _SHORT:
            continue
        if text in command:
            command = command.replace(text, "\n" * text.count("\n"), 1)
        else:
            gone = set(lines_of(text))
            command = "\n".join("" if line in gone else line for line in command.split("\n"))
    return command


# Lines of a text against lines of another, in linear time: a real diff of two long files takes seconds.


_TELLING_LINE = 3
"""Characters a line must have to be found again by itself."""


def lines_of(text: str) -> list[str]:
    """Without their ends; the empty piece behind the last line end is no line."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def compare(before: str, after: str) -> tuple[tuple[Span, ...], str]:
    """Lines of `after` that are new, and the lines of `before` that are gone. A line that only moved is neither."""
    old, new = lines_of(before), lines_of(after)
    start = common_start(old, new)
    end = common_start(old[start:][::-1], new[start:][::-1])
    gone, come = old[start : len(old) - end], new[start : len(new) - end]
    added = _unmatched(come, gone)
    removed = "\n".join(gone[at] for at in _unmatched(gone, come))
    return spans(start + at + 1 for at in added), removed


def common_start(one: Sequence[object], other: Sequence[object]) -> int:
    """How many lines both begin with."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def _unmatched(lines: list[str], others: list[str]) -> list[int]:
    left = Counter(others)
    unmatched: list[int] = []
    for at, line in enumerate(lines):
        if left[line] > 0:
            left[line] -= 1
        else:
            unmatched.append(at)
    return unmatched


def spans(lines: Iterable[int]) -> tuple[Span, ...]:
    """Runs of ascending line numbers as first and last."""
    found: list[Span] = []
    for line in lines:
        if found and line == found[-1][1] + 1:
            found[-1] = (found[-1][0], line)
        else:
            found.append((line, line))
    return tuple(found)


def all_of(text: str) -> tuple[Span, ...]:
    count = len(lines_of(text))
    return ((1, count),) if count else ()


def locate(text: str, written: Iterable[tuple[str, str]]) -> tuple[Span, ...]:
    """Where in a text the new lines of some edits (old, new) stand, as far as they are found there in order."""
    lines = lines_of(text)
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines, start=1):
        places.setdefault(line, []).append(number)
    found: set[int] = set()
    for old, new in written:
        fresh = lines_of(new)
        found |= set(_in_order([fresh[at] for at in _unmatched(fresh, lines_of(old))], places))
    return spans(sorted(found))


def _in_order(wanted: list[str], places: dict[str, list[int]]) -> list[int]:
    """Nothing where one of the telling lines is missing: then somebody has changed them since."""
    last = 0
    numbers: list[int] = []
    for line in wanted:
        if len(line.strip()) < _TELLING_LINE:
            continue
        candidates = places.get(line, [])
        at = bisect_right(candidates, last)
        if at == len(candidates):
            return []
        last = candidates[at]
        numbers.append(last)
    return numbers


# What one change does to the code, read off the lines it adds and takes away. No parser: it runs for every edit.


_DECISIONS = (
    *(
        (f" {word}", tuple(f" {word}{after}" for after in " (:"))
        for word in "if elif elsif unless for foreach while until case when catch except rescue guard and or".split()
    ),
    *((sign, (sign,)) for sign in ("&&", "||", "??", " ? ")),
)
"""Signs by how they begin: most beginnings are not there, and then their signs need not be counted."""
_REMARKS = ("#", "//", "*", "/*", "--", ";", '"""', "'''")
_TEST = lazy(
    r"(?m)^[^\S\n]*(?:async\s+)?(?:def|fn|func|function|fun|public\s+(?:async\s+)?(?:void|Task))\s+[Tt]est\w*|"
    r"^[^\S\n]*(?:(?:it|test|specify|describe)(?:\.\w+)?\s*\(|@Test\b|\[(?:Fact|Theory|Test)\b|#\[(?:\w+::)?test\])"
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
    added = "\n".join(["\n".join(lines[start - 1 : end]) for start, end in diff.added])
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
        decisions=0
        if is_test
        else sum(code.count(sign) for start, signs in _DECISIONS if start in code for sign in signs),
        tests=len(_TEST.findall(text)) if is_test or "test" in path.lower() else 0,
    )


def _code_of(text: str) -> str:
    """Without remarks and in one line, each word between blanks: then counting needs no pattern."""
    lines = [line for line in map(str.strip, text.split("\n")) if not line.startswith(_REMARKS)]
    return f" {'  '.join(lines)} "


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
