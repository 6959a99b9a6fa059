"""Words, identifiers and paths in a text."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator

from leeboard.code._common_words import COMMON_IDENTIFIERS, COMMON_PATH_WORDS, STOP_WORDS

TEXT_LIMIT = 40_000
"""Beyond this a text repeats itself; what it names stands in its beginning or nowhere."""

_PATH = re.compile(r"[A-Za-z0-9_.@~+\-\[\]()\\/]*[\\/.][A-Za-z0-9_@+\-\[\]()\\/.]*[A-Za-z0-9_\])/\\]")
_FILE_NAME = re.compile(r"^[\w@+.\-\[\]()]+\.[A-Za-z][A-Za-z0-9]{0,9}$")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]+")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{3,}")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+[0-9]*|[A-Z]+[0-9]*|[0-9]+")
_IMPORT = re.compile(
    r"""^\s*(?:from\s+([\w.]+)\s+import|import\s+([\w.]+)|use\s+([\w:]+)|\#include\s+["<]([\w./\-]+)|require(?:_relative)?\s+["']([\w./\-]+))"""
    r"""|(?:from|import|require)\s*\(?\s*["']([@\w./\-]+)["']""",
    re.MULTILINE,
)


def path_like(text: str, limit: int = 160) -> list[str]:
    """Tokens of the text that look like paths or file names, in order, without repeats."""
    found: dict[str, None] = {}
    for match in _PATH.finditer(text, 0, TEXT_LIMIT):
        token = match.group().strip("()[]").replace("\\", "/").rstrip("./") if match.group() else ""
        if token and token not in found and _plausible(token):
            found[token] = None
            if len(found) >= limit:
                break
    return list(found)


def _plausible(token: str) -> bool:
    if "//" in token or len(token) > 240:
        return False
    name = token.rsplit("/", 1)[-1]
    if "/" in token:
        return any(char.isalpha() for char in token)
    return bool(_FILE_NAME.match(name)) and not name.replace(".", "").isdigit()


def split_words(name: str) -> Iterator[str]:
    """`getUserToken_v2` to get, user, token, v2."""
    for part in _WORD.findall(name):
        if part.islower():
            yield part
        else:
            for piece in _CAMEL.findall(part):
                yield piece.lower()


def keywords(text: str, limit: int = 120) -> tuple[str, ...]:
    """Words that carry the subject: three letters or more, identifiers split, common ones left out."""
    found: dict[str, None] = {}
    for word in split_words(text[:TEXT_LIMIT]):
        if len(word) >= 3 and word not in STOP_WORDS and not word.isdigit():
            found[word] = None
            if len(found) >= limit:
                break
    return tuple(found)


def distinctive_identifiers(texts: Iterable[str], limit: int = 40) -> tuple[str, ...]:
    """Identifiers that say something about the subject of some code."""
    found: dict[str, None] = {}
    for text in texts:
        for name in _IDENTIFIER.findall(text[:TEXT_LIMIT]):
            lowered = name.lower()
            if len(name) >= 5 and lowered not in COMMON_IDENTIFIERS and lowered not in STOP_WORDS:
                found[name] = None
        if len(found) >= limit * 4:
            break
    ranked = sorted(found, key=lambda name: (-min(len(name), 16), name))
    return tuple(sorted(ranked[:limit]))


def path_words(path: str) -> tuple[str, ...]:
    """The words of a path's last three segments that tell what it is about."""
    tail = "/".join(path.split("/")[-3:])
    stem, dot, _extension = tail.rpartition(".")
    words = split_words(stem if dot else tail)
    return tuple(dict.fromkeys(w for w in words if len(w) >= 3 and w not in COMMON_PATH_WORDS))


def imported_names(text: str, limit: int = 60) -> tuple[str, ...]:
    """Last segments of what some code imports: `src/auth/token` and `auth.token` both give token."""
    found: dict[str, None] = {}
    for groups in _IMPORT.findall(text[:TEXT_LIMIT]):
        target = next((group for group in groups if group), "")
        segments = [part for part in re.split(r"[./:\\]+", target) if part]
        for part in segments[-2:]:
            if len(part) >= 3:
                found[part.lower()] = None
        if len(found) >= limit:
            break
    return tuple(found)


def stem(path: str) -> str:
    """File name without extension and without the marks of a test: `test_token.py` and `token.spec.ts` give token."""
    name = posixpath.basename(path)
    bare = name.split(".", 1)[0] if not name.startswith(".") else name
    for mark in ("test_", "tests_", "spec_"):
        bare = bare.removeprefix(mark)
    for mark in ("_test", "_tests", "_spec", "-test", "-spec", "Test", "Tests", "Spec"):
        if len(bare) > len(mark):
            bare = bare.removesuffix(mark)
    return bare.lower()


def folders(path: str) -> tuple[str, ...]:
    """Folders above a path, nearest first, with trailing slashes; empty for a path at the root."""
    parts = path.split("/")[:-1]
    return tuple("/".join(parts[:count]) + "/" for count in range(len(parts), 0, -1))
