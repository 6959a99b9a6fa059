"""Words, identifiers and paths in a text. All of it runs over every tool output: one pass of one expression each."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.text.word_gate import WordGate, ascii_words, parts_of, words_in

# Words that are everywhere and therefore say nothing.


class _CommonWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stop_words: frozenset[str]
    identifiers: frozenset[str]
    path_words: frozenset[str]


_COMMON = load("speech/common_words", _CommonWords)
STOP_WORDS = _COMMON.stop_words
COMMON_IDENTIFIERS = _COMMON.identifiers
COMMON_PATH_WORDS = _COMMON.path_words


TEXT_LIMIT = 40_000
"""Beyond this a text repeats itself; what it names stands in its beginning or nowhere."""

_LONGEST = 240
"""Characters that a path has at most."""
_CLOSING = "./-~)]"
_ENDS_OF_WORD = r"\s\"'`,;:=<>|{}()\[\]*?!#$%^&“”‘’«»„‚（）「」『』【】《》，。；：、！？…"
# Possessive throughout, so that no text can make it go back: brackets belong to a path only when they close again.
_PATH = lazy(
    rf"(?:(?<![^{_ENDS_OF_WORD}])[A-Za-z]:(?=[\\/]))?"
    rf"(?:[^{_ENDS_OF_WORD}]++|\([\w.\-]{{1,40}}\)(?=[\\/])|\[{{1,2}}[\w.\-]{{1,40}}\]{{1,2}}(?=[\\/.]))+"
)
_BLANKED = str.maketrans(dict.fromkeys("\"'`,;:=<>|{}*?!#$%^&", " "))
_DRIVE = lazy(r":[\\/](?<=[A-Za-z].{2})(?<![A-Za-z%].{3})(?![\\/])")
_JSON_ESCAPE = lazy(r"\\[nrtu\"']")
_WIDE = lazy(r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]")
_ASCII_RUN = lazy(r"[\w.@~+\-/\\()\[\]]+", re.ASCII)
_WORD = lazy(r"[A-Za-zÀ-ÖØ-öø-ɏѐ-ӿЀ-я][A-Za-z0-9À-ÖØ-öø-ɏЀ-ӿ]+")
_ASCII_WORD = lazy(r"[A-Za-z][A-Za-z0-9]+")
"""The same where nothing else can stand: it takes a tenth of the time to compile."""
_CAMEL = lazy(
    r"[A-ZÀ-ÖØ-ÞЀ-Я]+(?=[A-ZÀ-ÖØ-ÞЀ-Я][a-zß-öø-ɏа-ӿ])|[A-ZÀ-ÖØ-ÞЀ-Я]?[a-zß-öø-ɏа-ӿ]+[0-9]*|[A-ZÀ-ÖØ-ÞЀ-Я]+[0-9]*|"
    r"[0-9]+"
)
_IDENTIFIER = lazy(r"\b[A-Za-z_][A-Za-z0-9_]{4,}", re.ASCII)
_ALL_BUT_NAMES = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
_LONGEST_IDENTIFIER = 48
_MANY_DIGITS = lazy(r"[0-9][^0-9]*[0-9][^0-9]*[0-9]")
_NOT_DISTINCTIVE = COMMON_IDENTIFIERS | STOP_WORDS
_IMPORT = lazy(
    r"""(?:import|from|require|use|\#include)(?:
        (?<=\bfrom)[ \t]+([\w.]+)[ \t]+import\b
      | (?<=\bimport)[ \t]+([\w.]+)
      | (?<=\buse)[ \t]+([\w:]+)
      | (?<=include)[ \t]*["<]([\w./\-]+)
      | (?:_relative)?[ \t]*\(?[ \t]*["']([@\w./\-]+)["']
    )""",
    re.VERBOSE,
)
_SEGMENT = lazy(r"[^./:\\]{3,}")


def path_like(text: str, limit: int = 160) -> list[str]:
    """Tokens of the text that look like paths or file names, without repeats: in order, those hard to cut out last."""
    clean, awkward = _chunks(text[:TEXT_LIMIT])
    found: dict[str, None] = {}
    for chunk in [chunk for chunk in dict.fromkeys(clean) if "/" in chunk or "." in chunk or "\\" in chunk]:
        if "\\" in chunk or ("/" in chunk and ("(" in chunk or "[" in chunk)):
            found.update(dict.fromkeys(_paths_in(chunk)))
        elif is_path_token(token := chunk.strip("([").rstrip(_CLOSING)):
            found[token] = None
        if len(found) >= limit:
            break
    for chunk in dict.fromkeys(awkward):
        if len(found) < limit and "://" not in chunk:
            found.update(dict.fromkeys(_paths_in(chunk)))
    return list(found)[:limit]


def _chunks(text: str) -> tuple[list[str], list[str]]:
    """The text at its spaces and at the signs no path holds; and, uncut, chunks with a drive or in another script."""
    drives = (":/" in text or ":\\" in text) and _DRIVE.search(text)
    if text.isascii() and not drives:
        return text.translate(_BLANKED).split(), []
    clean: list[str] = []
    awkward: list[str] = []
    for chunk in dict.fromkeys(text.split()):
        if not ("/" in chunk or "." in chunk or "\\" in chunk):
            continue
        if chunk.isascii() and not (drives and _DRIVE.search(chunk)):
            clean += chunk.translate(_BLANKED).split()
        else:
            awkward.append(chunk)
    return clean, awkward


def _paths_in(chunk: str) -> Iterator[str]:
    if "\\" in chunk:
        chunk = _JSON_ESCAPE.sub(" ", chunk) if "/" in chunk else chunk.replace("\\", "/")
    if not chunk.isascii():
        chunk = cut_from_sentence(chunk)
    for match in _PATH.finditer(chunk):
        token = match.group().rstrip(_CLOSING)
        if is_path_token(token, called=chunk.startswith("(", match.end())):
            yield token


def cut_from_sentence(chunk: str) -> str:
    """Scripts without spaces run on into a path: an ASCII path inside is cut out, others stand alone."""
    if not _WIDE.search(chunk):
        return chunk
    inside = [run for run in _ASCII_RUN.findall(chunk) if is_path_token(run.strip(_CLOSING))]
    return " ".join(inside) or chunk


def is_path_token(token: str, *, called: bool = False) -> bool:
    """Whether a token has the shape of a path. `called`: an opening parenthesis follows it."""
    if "/" not in token:
        name, _dot, extension = token.rpartition(".")
        if name and (extension in EXTENSIONS or extension.lower() in EXTENSIONS):
            return not called and "@" not in name[1:] and len(token) <= _LONGEST and token.lower() not in NOT_FILES
        return token in BARE_NAMES
    if "//" in token or len(token) > _LONGEST or (lowered := token.lower()) in PROSE_PAIRS:
        return False
    if lowered == token.upper() and token.isascii():
        return False
    first, _slash, rest = token.partition("/")
    return ("." not in first and "@" not in first) or ("@" not in first[1:] and _not_web(first, rest))


def _not_web(first: str, rest: str) -> bool:
    """`github.com/owner/name` is an address, not a folder."""
    host, dot, ending = first.rpartition(".")
    return not (dot and host and ending in DOMAIN_ENDINGS and rest)


def split_words(name: str) -> Iterator[str]:
    """`getUserToken_v2` to get, user, token, v2."""
    for part in (_ASCII_WORD if name.isascii() else _WORD).findall(name):
        if part.islower():
            yield part
        else:
            for piece in _CAMEL.findall(part):
                yield piece.lower()


def _composed(text: str) -> str:
    """An accent and its letter as one."""
    from unicodedata import normalize  # noqa: PLC0415 - a hook pays for every import, and most texts need none

    return normalize("NFC", text)


def keywords(text: str, limit: int = 120) -> tuple[str, ...]:
    """Words that carry the subject: three letters or more, identifiers split, common ones left out.

    Latin and Cyrillic words; of scripts that write no spaces only the ASCII words between them.
    """
    found: dict[str, None] = {}
    text = text[:TEXT_LIMIT]
    for word in split_words(text if text.isascii() else _composed(text)):
        if len(word) >= 3 and word not in STOP_WORDS and not word.isdigit():
            found[word] = None
            if len(found) >= limit:
                break
    return tuple(found)


def distinctive_identifiers(texts: Iterable[str], limit: int = 40) -> tuple[str, ...]:
    """Identifiers that say something about the subject of some code: the longest ones, sorted. Digests are none."""
    names: set[str] = set()
    for text in texts:
        names.update(_identifiers(text[:TEXT_LIMIT]))
        if len(names) >= limit * 40:
            break
    ranked = sorted([name for name in names if len(name) > 4 and name.lower() not in _NOT_DISTINCTIVE])
    ranked.sort(key=_rank)
    chosen: list[str] = []
    for name in ranked:
        if len(chosen) >= limit:
            break
        if len(name) <= _LONGEST_IDENTIFIER and not name[0].isdigit() and not _MANY_DIGITS.search(name):
            chosen.append(name)
    return tuple(sorted(chosen))


def _identifiers(text: str) -> list[str]:
    """Splitting is half as dear as matching, where the text allows it."""
    return text.translate(_ALL_BUT_NAMES).split() if text.isascii() else _IDENTIFIER.findall(text)


def _rank(name: str) -> int:
    return -len(name) if len(name) < 16 else -16


@lru_cache(maxsize=4096)
def path_words(path: str) -> tuple[str, ...]:
    """The words of a path's last three segments that tell what it is about."""
    tail = "/".join(path.split("/")[-3:])
    stem, dot, _extension = tail.rpartition(".")
    words = split_words(stem if dot else tail)
    return tuple(dict.fromkeys(w for w in words if len(w) >= 3 and w not in COMMON_PATH_WORDS))


def import_statements(text: str) -> str:
    """The places of some code that name what it imports, one a line."""
    return "\n".join(match.group() for match in _IMPORT.finditer(text[:TEXT_LIMIT]))


def imported_names(text: str, limit: int = 60) -> tuple[str, ...]:
    """Last segments of what some code imports: `src/auth/token` and `auth.token` both give token."""
    found: dict[str, None] = {}
    for groups in _IMPORT.findall(text[:TEXT_LIMIT]):
        for part in _SEGMENT.findall("".join(groups))[-2:]:
            found[part.lower()] = None
        if len(found) >= limit:
            break
    return tuple(found)[:limit]


@lru_cache(maxsize=4096)
def stem(path: str) -> str:
    """File name without extension and without the marks of a test: `test_token.py` and `token.spec.ts` give token."""
    name = posixpath.basename(path)
    bare = name.split(".", 1)[0] if not name.startswith(".") else name
    for mark in ("test_", "tests_", "spec_"):
        if len(bare) > len(mark):
            bare = bare.removeprefix(mark)
    for mark in ("_test", "_tests", "_spec", "-test", "-spec", "Test", "Tests", "Spec"):
        if len(bare) > len(mark):
            bare = bare.removesuffix(mark)
    return bare.lower()


def singular(word: str) -> str:
    """A lower-case noun as a table of nouns has it; unlike a stem it can be read."""
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def folders(path: str) -> tuple[str, ...]:
    """Folders above a path, nearest first, with trailing slashes; empty for a path at the root."""
    parts = path.split("/")[:-1]
    return tuple("/".join(parts[:count]) + "/" for count in range(len(parts), 0, -1))


# What tells a file's name from prose: endings, names without one, and words that only look like paths.


class _FileNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    extensions: frozenset[str]
    bare_names: frozenset[str]
    """Files that are told by their whole name."""
    not_files: frozenset[str]
    """Products and calls that look like file names, in lower case."""
    domain_endings: frozenset[str]
    prose_pairs: frozenset[str]
    """Two words and a slash that prose is full of, in lower case."""
    media_kinds: frozenset[str]
    """First half of a media type such as `application/json`."""


_NAMES = load("speech/file_names", _FileNames)
EXTENSIONS = _NAMES.extensions
BARE_NAMES = _NAMES.bare_names
NOT_FILES = _NAMES.not_files
DOMAIN_ENDINGS = _NAMES.domain_endings
PROSE_PAIRS = _NAMES.prose_pairs
MEDIA_KINDS = _NAMES.media_kinds


# The distinct words of a text as one short text: to look for a word in it costs a tenth of a look through the text.


_ANY_WORD = lazy(r"\w+", re.ASCII)
_LETTERS = lazy(r"\w+")


@lru_cache(maxsize=8)
def vocabulary(text: str) -> str:
    """Its words of ASCII letters, digits and underscores, each once, in any order, with a blank between them."""
    return " ".join(words_in(text))


def words_of(text: str) -> list[str]:
    """All its words, numbers among them, in order: of any letters."""
    return ascii_words(text.encode()) if text.isascii() else _LETTERS.findall(text)


class Clues:
    """Literals, each with the longest word in it: where a text holds the literal, one of its words holds that."""

    def __init__(self, literals: Iterable[str]) -> None:
        self._pairs = tuple((max(_ANY_WORD.findall(literal), key=len, default=""), literal) for literal in literals)
        self._parts = tuple((literal, parts_of(literal)) for _word, literal in self._pairs)
        self._gate = WordGate(part for _literal, parts in self._parts for part in parts)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._pairs)

    def __bool__(self) -> bool:
        return bool(self._pairs)

    @lru_cache(maxsize=16)  # noqa: B019 - tables of words live as long as the process
    def held(self, text: str) -> tuple[str, ...]:
        """Those that may stand in the text. Several ask in turn."""
        met = self._gate.held(words_in(text))
        return tuple([literal for literal, parts in self._parts if met.issuperset(parts)])


def clues(literals: Iterable[str]) -> Clues:
    return Clues(literals)


def held_of(text: str, wanted: Clues) -> tuple[str, ...]:
    """The literals that may stand in the text: their words do."""
    return wanted.held(text)
