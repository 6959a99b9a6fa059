"""A place where a secret stands, and what is told from around it: the line, the kind of file, the name in front."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from typing import Literal

import msgspec
from msgspec.structs import replace

from leeboard.data import load
from leeboard.model.text import lazy

KEYS_OF_ONES_OWN = frozenset({"private-key", "age-secret-key", "nkey-seed"})
"""Kinds that anybody makes in a moment, and no provider hands out."""


class SecretHit(msgspec.Struct, frozen=True, kw_only=True):
    """`start` is the value's place in the text. What is heard of it is weighed later, by file and line."""

    kind: str
    value: str
    start: int
    confidence: float
    name: str = ""
    note: str = ""
    """Why it may stand: `placeholder`."""

    @property
    def end(self) -> int:
        return self.start + len(self.value)


class Secret(msgspec.Struct, frozen=True, kw_only=True):
    """A secret with its line. `value` lives in memory only: whoever keeps or shows anything takes a keyed digest."""

    kind: str
    name: str
    """The variable, key, header or option in front of it; empty where there is none."""
    value: str
    line: int
    column: int
    """Both count from one."""
    confidence: float
    note: str = ""
    """Why it is at most logged: `placeholder`, `test fixture`."""
    in_comment: bool = False
    marked: bool = False
    """A comment for another tool lets it stand (`nosec`): that is worth something once a person has seen it."""


# How much of a very long line is looked at: nobody wrote it, and made for it one could cost minutes.
#
# Up to its share every place counts; behind that nothing is reported, and what is kept of a text leaves the rest out.


UNREAD = "unread"
"""The kind of what nobody looked at: no secret is known there, and none is known not to be."""
LONG = 8_000
_LEAST, _FOR_EACH, _LARGE = 50, 600, 100
_ENOUGH = 1 << 60


class Share:
    """Counts the places of one text that were looked at, line by line; it need not be asked in their order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._start = self._end = 0
        self._left = 0
        self._has_long_lines = len(text) > LONG

    def is_spent(self, at: int, size: int = 0) -> bool:
        """Whether the line has had its share; else this place takes a part of it, and more where much stands there."""
        if not self._has_long_lines:
            return False
        if not self._start <= at < self._end:
            self._move(at)
        self._left -= 1 + size // _LARGE
        return self._left < 0

    def rest(self, at: int) -> SecretHit:
        """From this place, the last one that was asked about, to the end of its line."""
        return SecretHit(kind=UNREAD, value=self._text[at : self._end], start=at, confidence=0.0)

    def _move(self, at: int) -> None:
        self._start = self._text.rfind("\n", 0, at) + 1
        end = self._text.find("\n", at)
        self._end = end + 1 if end >= 0 else len(self._text) + 1
        size = self._end - self._start
        self._left = _LEAST + size // _FOR_EACH if size > LONG else _ENOUGH


# The part of a text that is asked about: whole lines, as places in the text.


class Region:
    """`starts` are those of the lines of the text; `lines` count from one, and what is beyond the text is left out."""

    def __init__(self, text: str, starts: list[int], lines: Iterable[int]) -> None:
        self._text = text
        self.spans: list[tuple[int, int]] = []
        ends = [*starts[1:], len(text) + 1]
        for line in sorted({line for line in lines if 1 <= line <= len(starts)}):
            start, end = starts[line - 1], ends[line - 1]
            if self.spans and self.spans[-1][1] == start:
                start = self.spans.pop()[0]
            self.spans.append((start, end))
        self._firsts = [start for start, _end in self.spans]

    def touches(self, start: int, end: int) -> bool:
        """Whether a character from `start` up to `end`, that one included, lies in it."""
        at = bisect_right(self._firsts, end) - 1
        return at >= 0 and self.spans[at][1] > start

    @property
    def is_plain(self) -> bool:
        """No line of it is so long that a part of it would go unread."""
        return all(
            end - start <= LONG or all(len(line) <= LONG for line in self._text[start:end].split("\n"))
            for start, end in self.spans
        )

    def with_margin(self, margin: int) -> str:
        """Its lines, and as many characters on both sides of each run of them."""
        parts: list[str] = []
        done = 0
        for start, end in self.spans:
            if start - margin > done:
                done = start - margin
                parts.append("\n")
            parts.append(self._text[done : end + margin])
            done = end + margin
        return "".join(parts)

    def each(self, find: Callable[[int, int], Iterable[SecretHit]]) -> Iterator[SecretHit]:
        """What is found in each run of its lines, at its place in the whole text."""
        for start, end in self.spans:
            for hit in find(start, end):
                yield replace(hit, start=hit.start + start)


# What kind of file a line stands in, and with it what a value without quotes can be there.


Style = Literal["code", "shell", "config", "prose", "style", "lock", "shell line", "any"]
"""`any`: whatever one of the others would take for a secret is one. `style`: sheets, maps, minified and drawn things,
where only formats and key blocks count. `lock`: digests by trade."""


class _FileStyles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    suffixes: dict[Style, frozenset[str]]
    lock_names: frozenset[str]
    shell_names: frozenset[str]
    prose_names: frozenset[str]


@cache
def _file_styles() -> _FileStyles:
    return load("secrets/file_styles", _FileStyles)


_MINIFIED = lazy(r"(?i)[.\-]min\.(?:js|css|mjs)\Z|\.(?:bundle|chunk)\.js\Z")
_TRANSLATED = lazy(
    r"(?i)(?:\A|/)(?:i18n|l10n|locales?|translations?|lang|langs|languages|lc_messages|nls)(?:/|\Z)|"
    r"messages[_\-][a-z]{2}"
)
_SCRATCH = lazy(r"(?i)(?:/private)?(?:/var)?/tmp/|[a-z]:/(?:users/[^/]{1,60}/appdata/local/|windows/)?temp/|/dev/shm/")


_STARTED_BY = lazy(r"#![^\n]{0,80}?\b(?:(?P<shell>(?:ba|da|z|k)?sh)|python|perl|ruby|node|php|lua|tclsh)[\d.]*\b")


def style_of(path: str, text: str = "") -> Style:
    """By its name; a shell line has none. A script without an ending tells by its first line what starts it."""
    if not path:
        return "shell line"
    name = path.replace("\\", "/").rsplit("/", 1)[-1].lower()
    started = _STARTED_BY.match(text) if text.startswith("#!") and "." not in name else None
    if started is not None:
        return "shell" if started["shell"] else "code"
    return _style_by_name(path, name)


def _style_by_name(path: str, name: str) -> Style:
    if name in _file_styles().lock_names:
        return "lock"
    if _MINIFIED.search(name):
        return "style"
    if name in _file_styles().shell_names or name.startswith(("dockerfile.", "makefile.")):
        return "shell"
    suffix = name.rsplit(".", 1)[-1]
    for style, suffixes in _file_styles().suffixes.items():
        if suffix in suffixes:
            return style
    return "config" if (name.startswith(".") or "." not in name) and not is_document(path) else "prose"


def is_document(path: str) -> bool:
    """Surely there to be read; an ending that nobody knows (`.http`, `.conf.prod`) says nothing."""
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    styles = _file_styles()
    return name in styles.prose_names or ("." in name and name.rsplit(".", 1)[-1].lower() in styles.suffixes["prose"])


def is_translation(path: str) -> bool:
    """Texts for people, in their languages."""
    return bool(_TRANSLATED.search(path))


def is_scratch(path: str) -> bool:
    """In a folder of the system for what is thrown away: nobody commits from there."""
    return bool(_SCRATCH.match(path.replace("\\", "/")))


# What the name in front of a value promises: a password, a secret, a key that has to look like one, or nothing.


Promise = Literal["password", "secret", "key", ""]
"""A password may be anything, a secret is no plain word, and what is called a key counts only when it looks drawn."""


class _Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stems: tuple[str, ...]
    """What a name of interest has in it, in lower case."""
    passwords: frozenset[str]
    secrets: tuple[str, ...]
    keys: frozenset[str]
    open_tails: frozenset[str]
    leaning_tails: frozenset[str]
    alphabet_tails: frozenset[str]
    neutral_tails: frozenset[str]
    open_keys: frozenset[str]
    open_tokens: frozenset[str]
    no_keys: frozenset[str]


_NAMES = load("secrets/names", _Names)
LEANING_TAILS, ALPHABET_TAILS = _NAMES.leaning_tails, _NAMES.alphabet_tails
"""Names that end so are mostly about a secret: what they hold tells; of the second kind, the signs one is made of."""
_PASSED_OVER = _NAMES.neutral_tails | LEANING_TAILS | ALPHABET_TAILS
STEMS = _NAMES.stems
"""What a name of interest has in it, in lower case."""
_WORDS = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PASSWORD = lazy(
    r"passw(?:or)?d(?!less)|passphrase|passphase|passcode|pwd|(?:\A|[^a-z]|db|user|my|sql|ftp|smtp|admin|"
    r"root|mail|key|store|http|require|master|bind|auth|redis|rpc|proxy|sudo|login|account|pg)pass\Z"
)


_NO_PASSWORDS = frozenset(
    "hash hashed encrypted enc forgot reset no nopasswd pbkdf bcrypt scrypt argon ssha smd sha md".split()
)
"""What was made of one, or is done about one."""


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, in lower case, without numbers."""
    return tuple(word.lower() for word in _WORDS.findall(name) if not word.isdigit())


def is_open(name: str) -> bool:
    """Whether the last word says that the value is meant to be seen: an id, an address, a label."""
    words = words_of(name)
    return bool(words) and words[-1] in _NAMES.open_tails


@lru_cache(maxsize=2048)
def promise_of(name: str) -> Promise:
    """What a value under this name is by its name alone."""
    words = words_of(name)
    while len(words) > 1 and words[-1] in _PASSED_OVER:
        words = words[:-1]
    if not words or words[-1] in _NAMES.open_tails:
        return ""
    joined = "".join(words)
    if _PASSWORD.search(joined) or _NAMES.passwords.intersection(words):
        return "" if _NO_PASSWORDS.intersection(words) else "password"
    return _promise_of_key(words, joined)


def _promise_of_key(words: tuple[str, ...], joined: str) -> Promise:
    before = words[-2] if len(words) > 1 else ""
    if "public" in words or "publishable" in words or "pubkey" in joined or "publickey" in joined:
        return ""
    # That of a form is made for one page and worth nothing outside of it.
    of_form = joined.startswith(("csrf", "xsrf")) and joined.endswith("token")
    if of_form or (words[-1] in {"token", "tokens"} and before in _NAMES.open_tokens):
        return ""
    if words[-1] in {"key", "keys"} and before in _NAMES.open_keys:
        return ""
    if any(part in joined for part in _NAMES.secrets) or words[-1] in {"cred", "creds"}:
        return "" if joined.startswith("tokeni") else "secret"
    tail = words[-1]
    if tail in _NAMES.keys or _NAMES.keys.intersection(words[-3:]):
        return "key"
    return "key" if tail.endswith(("key", "salt", "nonce", "auth")) and tail not in _NAMES.no_keys else ""
