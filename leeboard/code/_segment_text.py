"""What an agent says, line by line: which lines plan, and which only show code, a diff or a traceback.

Tool calls, to-do lists and the human's words are events of their own, so a message holds none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from leeboard.code._segment_error import error_in, starts_error
from leeboard.code.names import path_like
from leeboard.model.pattern import lazy

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
