"""Which language a file is in, and whether anybody wrote it by hand: told by its name and its first lines."""

from __future__ import annotations

import posixpath
import re
from functools import cache, lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.pattern import lazy
from leeboard.text import folder
from leeboard.text.area import is_test


class _Languages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    extensions: dict[str, tuple[str, ...]]
    names: dict[str, tuple[str, ...]]
    interpreters: dict[str, tuple[str, ...]]


class _Told(msgspec.Struct, frozen=True):
    """The language by what tells it."""

    extensions: dict[str, str]
    names: dict[str, str]
    interpreters: dict[str, str]


@cache
def _told_by() -> _Told:
    table = load("source/languages", _Languages)
    return _Told(_turned(table.extensions), _turned(table.names), _turned(table.interpreters))


def _turned(signs: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {sign: language for language, of_language in signs.items() for sign in of_language}


_SHEBANG = lazy(
    r"\#![ \t]{0,4}(?:[^\s]{1,80}/)?(?:env[ \t]{1,4}(?:-\S{1,20}[ \t]{1,4})?)?([a-z][a-z\-]{1,20}?)[0-9.]{0,8}(?=\s|$)"
)
_IS_CPP = lazy(
    r"^[ \t]*(?:class[ \t]+\w|namespace\b|template[ \t]*<|using[ \t]+\w|public:|private:)|\bstd::", re.MULTILINE
)
_HEAD = 2_000

_TEST_PATH = lazy(
    r"(?:^|/)(?:__fixtures__|mocks|Tests?|UnitTests?|IntegrationTests?|testFixtures|androidTest|jvmTest|commonTest)/"
    r"|\.(?:Unit|Integration)?Tests?/|(?:^|/)Test[A-Z]\w{0,80}\.(?:java|kt|cs|php)$"
    r"|[a-z0-9](?:TestCase|IT)\.(?:java|kt|php)$|\.(?:cy|stories|e2e)\.[cm]?[jt]sx?$"
)

_MADE_NAMES = lazy(
    r"[.\-]min\.(?:js|css|mjs|html)$|[.\-]bundle\.(?:js|css)$|_pb2(?:_grpc)?\.pyi?$|\.pb\.(?:go|cc|h)$|_grpc\.pb\.go$"
    r"|\.(?:g|freezed)\.dart$|[._]generated\.\w{1,8}$|\.designer\.cs$|\.g\.cs$|_string\.go$|zz_generated\.\w"
    r"|\.(?:map|lock|snap|sum|lockb|d\.ts\.map)$|^(?:package-lock|npm-shrinkwrap|composer\.lock|packages\.lock)\.json$"
    r"|^(?:pnpm-lock|pubspec\.lock)\.ya?ml$",
    re.IGNORECASE,
)
_MADE_BY = lazy(
    r"^[ \t]{0,20}(?://|\#|/?\*{1,2}|<!--|--|;|%|\"\"\")?[ \t!]{0,8}[^\n]{0,120}?(?:\bcode generated\b|@generated\b"
    r"|\bauto-?generated (?:file|by|code|from)\b|\bautomatically generated\b"
    r"|\bthis file (?:is|was) (?:auto-?)?generated\b"
    r"|\bgenerated (?:file|code)\W{1,3}do not (?:edit|modify))",
    re.IGNORECASE | re.MULTILINE,
)
_LONG_LINES = 400
"""Characters a line has on average where a machine wrote it."""
_ENOUGH = 4_000


def language_of(path: str, text: str = "") -> str:
    """The name of the language, as the parser knows it; empty where it is none of those known."""
    name = posixpath.basename(path.replace("\\", "/")).lower()
    extension = name.rpartition(".")[2] if "." in name[1:] else ""
    if extension == "h":
        return "cpp" if _IS_CPP.search(text[: 4 * _HEAD]) else "c"
    if extension == "ipynb":
        # A notebook is written whole as JSON, or cell by cell.
        return "json" if text[:_HEAD].lstrip().startswith("{") else "python"
    found = _told_by().extensions.get(extension) or _told_by().names.get(name)
    if found == "php" and extension == "inc" and "<?" not in text[:_HEAD]:
        return ""
    return found or ("" if extension else _by_shebang(text))


def _by_shebang(text: str) -> str:
    found = _SHEBANG.match(text) if text.startswith("#!") else None
    return _told_by().interpreters.get(found[1].rstrip("-"), "") if found else ""


@lru_cache(maxsize=4_096)
def is_test_path(path: str) -> bool:
    """Whether a file holds tests, or what only tests use: told by its name and its folders."""
    plain = path.replace("\\", "/")
    return is_test(plain) or bool(_TEST_PATH.search(plain))


def is_generated(path: str, text: str = "") -> bool:
    """Whether a tool made it or brought it along: generated, vendored, minified, a lock file."""
    plain = path.replace("\\", "/")
    if folder.lies_in(plain, "made") or _MADE_NAMES.search(posixpath.basename(plain)):
        return True
    head = text[:_HEAD]
    # A look for the word costs a hundredth of the pattern, and hardly any file has it.
    return ("enerated" in head and bool(_MADE_BY.search(head))) or _is_minified(plain, text)


def _is_minified(path: str, text: str) -> bool:
    if len(text) < _ENOUGH or language_of(path) not in {"javascript", "typescript", "html", ""}:
        return False
    return len(text) > _LONG_LINES * (text.count("\n") + 1) and path.endswith(
        (".js", ".mjs", ".cjs", ".css", ".ts", ".html")
    )
