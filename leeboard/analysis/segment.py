"""Splits what an agent does into plan text, tool calls, written code, errors and to-do lists.

A client shows events, and each is told by its kind; what an agent says is split line by line, since it may show code
and errors between its plans. The texts are raw: whoever keeps one redacts it first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from leeboard.model.event import Event, MessageSaid, ThoughtShown, TodosUpdated, ToolCall, ToolFinished, ToolProposed
from leeboard.model.text import lazy
from leeboard.shell.written_texts import written_by
from leeboard.text.names import path_like


class Segment(msgspec.Struct, frozen=True):
    kind: Kind
    text: str
    path: str = ""
    """The file a DIFF writes or a TOOL looks at, as sent; empty where none is named."""


def segments_of(event: Event) -> tuple[Segment, ...]:
    """In order. A call gives its TOOL or DIFF when it is proposed and its ERROR when it is finished.

    The human's words give none, and neither does what a call prints when all is well.
    """
    match event:
        case MessageSaid() | ThoughtShown():
            return tuple(Segment(*piece) for piece in pieces_of(event.text))
        case TodosUpdated():
            return (Segment("TODO", "\n".join(event.items)),) if event.items else ()
        case ToolProposed():
            return tuple(_of_call(event.call))
        case ToolFinished():
            return tuple(_of_result(event))
        case _:
            return ()


def _of_call(call: ToolCall) -> Iterator[Segment]:
    if call.action in {"edit", "write"}:
        text = "\n".join(edit.new for edit in call.edits)
        for path in call.paths or ("",):
            yield Segment("DIFF", text if len(call.paths) < _SEVERAL else "", path)
        return
    yield Segment("TOOL", call.command or call.query or call.tool, call.paths[0] if call.paths else "")
    if call.action == "bash":
        for path in call.paths:
            yield Segment("DIFF", "\n".join(edit.new for edit in call.edits), path)
        for piece in written_by(call.command):
            yield Segment("DIFF", piece.text, piece.path)


_SEVERAL = 2
"""A patch of this many files does not say which lines go where."""


def _of_result(event: ToolFinished) -> Iterator[Segment]:
    if event.outcome == "failed":
        yield Segment("ERROR", event.output)
    elif event.outcome == "done" and event.call.action in {"bash", "other"} and (found := error_in(event.output)):
        yield Segment("ERROR", found)


# What an agent says, line by line: which lines plan, and which only show code, a diff or a traceback.
#
# Tool calls, to-do lists and the human's words are events of their own, so a message holds none of them.


Kind = Literal["PLAN", "TOOL", "DIFF", "ERROR", "TODO"]
Piece = tuple[Kind, str, str]
"""Kind, text, path."""

_LONGEST_LINE = 2_000
_SHOWN = ("```", "~~~", "diff --git ", "@@ -", "--- ", "Index: ", "*** Begin Patch", "Traceback (most")
"""A text without any of these is a plan from end to end."""
_FENCE = lazy(r"[ \t]{0,12}(`{3,}|~{3,})[ \t]{0,4}([^\n`]{0,200})")
_TRACEBACK = lazy(r"[ \t]{0,12}Traceback \(most recent call last\)")
_DIFF_STARTS = ("diff --git ", "@@ -", "*** Begin Patch", "--- a/", "--- /dev/null")
_DIFF_HEADS = (("--- ", "+++ "), ("Index: ", "=" * 20))
"""Lines that begin a diff where such a one follows; by themselves they are prose."""
_DIFF_LINES = (
    *("+", "-", " ", "@@", "\\ No newline", "diff --git ", "index ", "new file mode", "deleted file mode", "*** "),
    *("similarity index", "rename from", "rename to", "old mode", "new mode", "Binary files", "=" * 20),
)
_DIFF_PATH = lazy(
    r"^(?:\+\+\+ (?:b/)?|\*\*\* (?:Add|Update) File: |diff --git a/\S{1,240} b/)(\S{1,240})", re.MULTILINE
)
_NAMED = lazy(r"""(?:^|[:\s=])["']?([\w@./\-]{0,200}\.\w{1,8})["']?$""")
_WRITES = lazy(
    r"\b(?:creat|writ|add|updat|replac|chang|edit|modif|sav|implement|append|insert|overwrit|put|rewrit|patch)"
    r"(?:e|es|ed|ing|s|y|ies|ten|ding|ting)?\b",
    re.IGNORECASE,
)
_QUOTES = lazy(
    r"\b(?:currently|existing|for example|e\.g\.|looks like|output|printed|prints|shows|returned|instead of|before)\b",
    re.IGNORECASE,
)
_OUTPUT_FENCES = frozenset(
    {"", "text", "txt", "console", "log", "output", "shell", "bash", "sh", "pytest", "plaintext"}
)


def pieces_of(text: str) -> Iterator[Piece]:
    """In order; code that is neither written nor an error is left out."""
    if any(mark in text for mark in _SHOWN):
        yield from _Splitter(text).run()
    elif plan := text.strip():
        yield "PLAN", plan, ""


class _Splitter:
    def __init__(self, text: str) -> None:
        self.lines = text.replace("\r\n", "\n").split("\n")
        self.at = 0
        self.plan: list[str] = []

    def run(self) -> Iterator[Piece]:
        while self.at < len(self.lines):
            found = self.piece()
            if found is None:
                self.plan.append(self.lines[self.at])
                self.at += 1
                continue
            yield from self.planned()
            if found[1].strip():
                yield found
        yield from self.planned()

    def planned(self) -> Iterator[Piece]:
        text = "\n".join(self.plan).strip()
        self.plan.clear()
        if text:
            yield "PLAN", text, ""

    def piece(self) -> Piece | None:
        """What begins at this line and is no plan; an empty text for what is skipped."""
        line = self.lines[self.at][:_LONGEST_LINE]
        if fence := _FENCE.match(line):
            return self.fenced(fence[1], fence[2].strip())
        if line.startswith(_DIFF_STARTS) or self.heads_diff(line):
            return self.diff()
        if _TRACEBACK.match(line):
            return "ERROR", self.traceback(), ""
        return None

    def heads_diff(self, line: str) -> bool:
        return any(line.startswith(head) and self.peek().startswith(below) for head, below in _DIFF_HEADS)

    def peek(self) -> str:
        return self.lines[self.at + 1] if self.at + 1 < len(self.lines) else ""

    def fenced(self, fence: str, info: str) -> Piece:
        """A fence that nobody closes goes on to the end."""
        before = next((line for line in reversed(self.plan[-3:]) if line.strip()), "")[:_LONGEST_LINE]
        start = self.at + 1
        end = start
        while end < len(self.lines) and not _closes(self.lines[end], fence):
            end += 1
        self.at = end + 1
        return _fence_piece(info, before, "\n".join(self.lines[start:end]))

    def diff(self) -> Piece:
        start = self.at
        self.at += 1
        while self.at < len(self.lines) and self.goes_on(self.lines[self.at]):
            self.at += 1
        text = "\n".join(self.lines[start : self.at])
        return "DIFF", text, _path_of_diff(text)

    def goes_on(self, line: str) -> bool:
        """An empty line is one of a diff whose editor cuts blanks, where the diff goes on behind it."""
        if line:
            return line.startswith(_DIFF_LINES)
        return self.peek().startswith(("+", "@@", " ", "diff --git "))

    def traceback(self) -> str:
        """Up to the line that names what was raised, or an empty one."""
        start = self.at
        self.at += 1
        while self.at < len(self.lines) and (line := self.lines[self.at]).strip():
            self.at += 1
            if not line.startswith((" ", "\t")):
                break
        return "\n".join(self.lines[start : self.at])


def _closes(line: str, fence: str) -> bool:
    mark = _FENCE.match(line[:_LONGEST_LINE])
    return mark is not None and mark[1].startswith(fence) and not mark[2].strip()


def _fence_piece(info: str, before: str, body: str) -> Piece:
    """Code in a fence is written where a file name or a verb of writing stands before it; else it is quoted."""
    language = info.split(maxsplit=1)[0].lower() if info else ""
    if language in {"diff", "patch", "udiff"}:
        return "DIFF", body, _path_of_diff(body)
    if language in _OUTPUT_FENCES and (starts_error(body.lstrip("\n").split("\n", 1)[0]) or "Traceback (most" in body):
        return "ERROR", error_in(body) or body, ""
    named = _NAMED.search(info)
    if named is not None:
        return "DIFF", body, named[1]
    paths = path_like(before, limit=1)
    if (paths or _WRITES.search(before)) and not _QUOTES.search(before):
        return "DIFF", body, paths[0] if paths else ""
    return "PLAN", "", ""


def _path_of_diff(text: str) -> str:
    return next((found[1] for found in _DIFF_PATH.finditer(text) if found[1] != "/dev/null"), "")


# Errors in what a program printed: tracebacks, failed tests, compilers that refuse.


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
