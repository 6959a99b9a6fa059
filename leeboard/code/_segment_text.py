"""A bare text, line by line: which lines plan, which call a tool, which are code to be written, errors or to-dos."""

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
_FENCE = lazy(r"[ \t]{0,12}(`{3,}|~{3,})[ \t]{0,4}([^\n`]{0,200})")
_DIFF_STARTS = ("diff --git ", "@@ -", "Index: ", "*** Begin Patch", "--- a/", "--- /dev/null")
_DIFF_LINES = (
    *("+", "-", " ", "@@", "\\ No newline", "diff --git ", "index ", "new file mode", "deleted file mode", "*** "),
    *("similarity index", "rename from", "rename to", "old mode", "new mode", "Binary files", "=" * 20),
)
_DIFF_PATH = lazy(
    r"^(?:\+\+\+ (?:b/)?|\*\*\* (?:Add|Update) File: |diff --git a/\S{1,240} b/)(\S{1,240})", re.MULTILINE
)
_TODO = lazy(r"[ \t]{0,12}(?:(?:[-*+•]|\d{1,3}[.)])[ \t]{1,4})?(?:\[[ xX~\-]\]|[☐☑☒✔◻◼])[ \t]{1,4}\S")
_CALL = lazy(
    r"[ \t]{0,4}(?:[●⏺•*▶→][ \t]{1,3})?(?:\[?tool(?:[ _](?:call|use))?\]?:?[ \t]{1,4})?"
    r"(?P<name>Read|Grep|Glob|Search|WebSearch|WebFetch|Fetch|Bash|Shell|LS|List|Task|Edit|MultiEdit|Write|Update|Create)"
    r"[ \t]?(?:\((?P<inside>[^\n]{0,600})|:[ \t]{1,4}(?P<rest>\S[^\n]{0,600}))"
)
_WRITERS = frozenset({"Edit", "MultiEdit", "Write", "Update", "Create"})
_TYPED = lazy(r"[ \t]{0,4}\$ (\S[^\n]{0,600})")
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
_ROLE = lazy(r"[ \t]{0,3}(?:\#{1,4}[ \t]{1,3})?\*{0,2}(User|Human|Assistant|Agent|AI)\*{0,2}:", re.IGNORECASE)


_HUMANS = frozenset({"user", "human"})


def _speaker(line: str) -> str:
    found = _ROLE.match(line)
    return found[1].lower() if found else ""


def without_fences(text: str) -> str:
    """The text without its fenced code. A fence that nobody closes goes on to the end."""
    if "```" not in text and "~~~" not in text:
        return text
    kept: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) and not mark[2].strip() else fence
        elif mark:
            fence = mark[1]
        else:
            kept.append(line)
    return "\n".join(kept)


def pieces_of(text: str) -> Iterator[Piece]:
    return _Splitter(text).run()


class _Splitter:
    def __init__(self, text: str) -> None:
        self.lines = text.replace("\r\n", "\n").split("\n")
        self.at = 0
        self.plan: list[str] = []
        speakers = {_speaker(line) for line in self.lines} - {""}
        self.has_roles = bool(speakers & _HUMANS) and bool(speakers - _HUMANS)

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
        if line.startswith(_DIFF_STARTS) or (line.startswith("--- ") and self.peek().startswith("+++ ")):
            return self.diff()
        if _TODO.match(line):
            return "TODO", self.todos(), ""
        if line.startswith("> ") or (self.has_roles and _speaker(line) in _HUMANS):
            return self.human()
        if starts_error(line):
            return "ERROR", self.error(), ""
        return self.call(line)

    def peek(self) -> str:
        return self.lines[self.at + 1] if self.at + 1 < len(self.lines) else ""

    def human(self) -> Piece:
        """The human's words: a quoted line, or all up to where the agent speaks again."""
        is_quoted = self.lines[self.at].startswith("> ")
        self.at += 1
        while not is_quoted and self.at < len(self.lines) and _speaker(self.lines[self.at]) in {"", *_HUMANS}:
            self.at += 1
        return "PLAN", "", ""

    def todos(self) -> str:
        start = self.at
        while self.at < len(self.lines) and _TODO.match(self.lines[self.at][:_LONGEST_LINE]):
            self.at += 1
        return "\n".join(self.lines[start : self.at])

    def fenced(self, fence: str, info: str) -> Piece:
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

    def error(self) -> str:
        """Up to the next empty line; a traceback up to the line that names what was raised."""
        start = self.at
        self.at += 1
        is_traceback = "Traceback (most" in self.lines[start]
        while self.at < len(self.lines) and (line := self.lines[self.at]).strip():
            self.at += 1
            if is_traceback and not line.startswith((" ", "\t")):
                break
        return "\n".join(self.lines[start : self.at])

    def call(self, line: str) -> Piece | None:
        typed = _TYPED.match(line)
        found = None if typed else _CALL.match(line)
        if typed is None and found is None:
            return None
        self.at += 1
        if typed is not None or found is None:
            return "TOOL", line.strip(), ""
        inside = (found["inside"] or found["rest"] or "").rstrip().removesuffix(")")
        path = next(iter(path_like(inside, limit=1)), "")
        return "DIFF" if found["name"] in _WRITERS else "TOOL", line.strip(), path


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
