"""Tests that are still written down though nothing runs them: renamed, commented out, in a file that is left out."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache

from leeboard.model.text import lazy
from leeboard.source.cases import TestedCase, asserts_in, whole_file_marks
from leeboard.source.syntax import parse
from leeboard.text.language import is_test_path, language_of

_REMARK = lazy(
    r"^[ \t]*(?:#(?!\[|if\b)|//+|\*(?!/)|--)[ \t]?(?P<line>[^\n]*)$|/\*(?P<block>.{0,8000}?)\*/"
    r"|\"\"\"(?P<text>.{0,8000}?)\"\"\"|^=begin\b(?P<ruby>.{0,8000}?)^=end\b",
    re.MULTILINE | re.DOTALL,
)
_CONSTRAINT = lazy(r"^//go:build[ \t]+([^\n]{1,200})$", re.MULTILINE)
_MET_SOMEWHERE = lazy(
    r"linux|darwin|windows|unix|\w*bsd|solaris|android|ios|js|wasm\w*|plan9|aix|illumos|amd64|arm(?:64)?|386|ppc64\w*|mips\w*"
    r"|riscv64|s390x|loong64|cgo|gc|gccgo|race|msan|asan|go1\.\d+|purego|boringcrypto"
)
"""Constraints that the platform or the toolchain meets without anybody asking for it."""


@lru_cache(maxsize=8)
def remarks(text: str) -> str:
    """All comments of a text, and strings that stand where a comment would, in one line."""
    said = (part for match in _REMARK.finditer(text) for part in match.groups() if part)
    return " ".join(" ".join(said).split())


def never_runs(text: str, language: str) -> str:
    """The line that keeps all tests of a file from running wherever it is; empty where none does."""
    if language == "go":
        constraint = _CONSTRAINT.search(text, 0, max(text.find("\npackage "), 0))
        return constraint[0] if constraint and not _is_met(constraint[1]) else ""
    pattern = whole_file_marks(language)
    match = re.search(pattern, text, re.MULTILINE) if pattern else None
    return match[0].split("\n", 1)[0][:120] if match else ""


def _is_met(expression: str) -> bool:
    """Whether an ordinary run somewhere meets it: a word of the project's own is given by hand."""
    ways = expression.replace("(", " ").replace(")", " ").split("||")
    return any(all(map(_is_given, way.split("&&"))) for way in ways)


def _is_given(word: str) -> bool:
    return word.strip().startswith("!") or _MET_SOMEWHERE.fullmatch(word.strip()) is not None


def left_uncalled(case: TestedCase, part: str, whole: str, language: str) -> str:
    """The function that has the test's assertions now, where it is no test and the file does not call it."""
    tree = parse(part, language)
    for definition in tree.definitions if tree is not None else ():
        if definition.kind == "class" or len(re.findall(rf"\b{re.escape(definition.name)}\b", whole)) > 1:
            continue
        if asserts_in(definition.node, language) == case.asserts:
            return definition.name
    return ""


def hides_file(path: str, other: str) -> bool:
    """Whether a test file that gets this other name is found by no runner, though its own name is still in it."""
    name, stem = posixpath.basename(other), posixpath.basename(path).partition(".")[0]
    if not language_of(path) or stem.strip("_") not in name:
        return False
    return name.startswith(("_", ".")) or language_of(other) != language_of(path) or not is_test_path(other)
