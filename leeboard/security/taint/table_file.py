"""A language's tables as `leeboard/data/taint/<language>.toml` writes them, and whether they have to be asked at all.

A line names all the calls that are alike, and has the fields of `Sink`, `TaintSource`, `Cleaner` or `TaintGuard`, which
`table` makes of it. A pattern is written whole or as a list of its alternatives; `<name>` stands for a text of
`[shared]`. The lines are no types of their own: to make those would cost a hook more than all the rest of a table.

Most files name no sink. That is told here, by words and one pattern, before anything of the engine is loaded.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

import msgspec

from leeboard.data import load
from leeboard.text.names import clues, held_of

Line = dict[str, Any]
Pattern = str | list[str]

PLAIN_TYPES = r"^(?:int|float|bool|UUID|Decimal|date|datetime)$"
"""Declared types whose values are harmless, as most languages spell them."""
LANGUAGES = {
    **{name: name for name in ("python", "javascript", "java", "kotlin", "go", "php", "ruby", "csharp", "rust", "c")},
    **dict.fromkeys(("typescript", "tsx"), "javascript"),
    "cpp": "c",
}
"""By which module of `lowering` and which table a language goes."""


class TableFile(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One language, a dialect of one, or what they have in common: the fields of `Tables`, and some more."""

    prefilter: Pattern = ""
    """A file without a match (searched, as is) holds no sink: it is not even parsed."""
    candidates: Pattern = ""
    web: Pattern = ""
    """A file with a match handles requests; empty: every file may."""
    web_words: list[str] = []
    """Literal pieces of `web`, any of which a match needs: asked first, since that costs next to nothing."""
    marks: list[str] = []
    by_name: bool = False
    origins: list[str] = []
    words: list[str] = []
    """In files that handle no requests, only functions with one of these literal texts are followed, and a file without
    any is not even parsed: sinks that need no request. Empty: `candidates` and `prefilter` decide."""
    shared: dict[str, Pattern] = {}
    sources: dict[str, list[Line]] = {}
    """By trust. In a label, `{name}` is the last name of a path and `{path}` the whole of it."""
    sinks: dict[str, list[Line]] = {}
    """By kind. A list in `needs` stands for as many sinks with one constant each."""
    assigned: dict[str, list[Line]] = {}
    cleaners: list[Line] = []
    guards: list[Line] = []
    handlers: list[Line] = []
    model: dict[str, list[str]] = {}
    requests: list[str] = []
    request_safe: Pattern = ""
    server_keys: Pattern = ""
    own_address: Pattern = ""
    exits: list[str] = []
    demands: list[str] = []
    refuses: list[str] = []
    checks: Pattern = ""
    partial_checks: list[Line] = []
    escapes: list[Line] = []
    numbers: list[str] = []
    lexical: bool = False
    own_methods: bool = False
    safe_types: Pattern = PLAIN_TYPES
    idioms: list[Line] = []
    """See `_idiom.rewriting`."""
    callers: dict[str, float] = {}
    """How sure a flow from a parameter of any function is, by kind, where a caller's text reaches a sink as it is."""
    fixes: dict[str, str] = {}
    """What to do instead, by kind, in words that fit any language."""


@cache
def read_table(language: str) -> TableFile:
    """The table of a language; `common` is what all those share whose calls get the forms of `idiom`."""
    return load(f"taint/{language}", TableFile)


@lru_cache(maxsize=4)
def may_flow(text: str, language: str) -> bool:
    """Whether parsing the file could bring anything to light: it names a sink. Several ask in turn."""
    gate = gate_of(language)
    return gate is not None and gate.may_hold_sinks(text)


@cache
def gate_of(language: str) -> "SinkGate | None":
    """None for a language without tables; a dialect of Java has Java's sinks."""
    name = LANGUAGES.get(language)
    return None if name is None else SinkGate(read_table("java" if name == "kotlin" else name))


class SinkGate:
    """Tells from the text of a file alone where sinks may stand in it."""

    def __init__(self, file: TableFile) -> None:
        calls = [call for lines in file.sinks.values() for line in lines for call in line["calls"]]
        names = frozenset(map(last_name, calls))
        self._prefilter = re.compile(joined(file.prefilter), re.MULTILINE)
        self._web = re.compile(joined(file.web), re.MULTILINE)
        self._clues = clues((*file.words, *file.web_words))
        self._words, self._web_words = frozenset(file.words), frozenset(file.web_words)
        self._whole = frozenset(word for word in file.words if word[:-1] in names)
        """Words that are a call of a sink by its whole name."""
        # Asked when a file is chosen, and again when its functions are.
        self.handles_requests = lru_cache(maxsize=4)(self._handles_requests)

    @property
    def has_words(self) -> bool:
        return bool(self._words)

    def _handles_requests(self, text: str) -> bool:
        """Only the lines with a literal piece of the pattern are asked, where the tables name them."""
        if not self._web_words:
            return self._web.search(text) is not None
        return any(
            self._web.search(line) for word in self._held(text, self._web_words) for line in _lines_with(word, text)
        )

    def _held(self, text: str, words: frozenset[str]) -> list[str]:
        return [word for word in held_of(text, self._clues) if word in words]

    def may_hold_sinks(self, text: str) -> bool:
        """Whether the file is worth parsing."""
        if self._words:
            return any(True for _at in self._sure_places(text)) or self.handles_requests(text)
        return self._prefilter.search(text) is not None

    def sure_places(self, text: str) -> list[int]:
        """Offsets of sinks that need no request."""
        return list(self._sure_places(text))

    def _sure_places(self, text: str) -> Iterator[int]:
        for word in self._held(text, self._words):
            for at in offsets(word, text):
                if word not in self._whole or _starts_a_call(text, at):
                    yield at + 1


def joined(written: Pattern) -> str:
    """The alternatives of a pattern as one."""
    return written if isinstance(written, str) else "|".join(written)


def _starts_a_call(text: str, at: int) -> bool:
    """Neither the end of a longer name nor a definition: `literal_eval(` and `def eval(` are no `eval(`."""
    before = text[max(0, at - 4) : at]
    return before != "def " and not (before[-1:].isalnum() or before[-1:] == "_")


def _lines_with(word: str, text: str) -> Iterator[str]:
    at = text.find(word)
    while at >= 0:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield text[text.rfind("\n", 0, at) + 1 : end]
        at = text.find(word, end)


def offsets(word: str, text: str) -> Iterator[int]:
    """Every place where the word stands."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def last_name(path: str) -> str:
    """`execute` for `db.cursor().execute`."""
    return path.removesuffix("()").rpartition(".")[2]
