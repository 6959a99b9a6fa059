"""Where in its file a secret stands, and what that takes from it: test, example, docstring, scratch file, comment."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property

from leeboard.model.text import lazy
from leeboard.secrets.claims import why_open
from leeboard.secrets.described import Examples
from leeboard.secrets.fixture import (
    SAYS_TEST,
    is_key_of_a_set,
    is_manual,
    is_mock,
    is_of_a_build,
    is_of_a_case,
    is_unit_test,
)
from leeboard.secrets.hit import KEYS_OF_ONES_OWN, SecretHit, is_document, is_scratch, style_of
from leeboard.secrets.provider import has_format
from leeboard.secrets.weight import class_count, is_random, is_strong
from leeboard.text.language import is_measurement, is_sample, is_sample_file, is_test_path

SHOWN_OFF = frozenset({"example", "examples", "sample", "samples"})
"""What stands under such a name is there to be seen."""
_ALLOWED = lazy(
    r"(?i)pragma:\s?allowlist\s(?:nextline\s)?secret|gitleaks:allow|\bnosec\b|trufflehog:ignore|ggignore|"
    r"noboost|pragma: whitelist secret"
)
_ALLOW_WORDS = ("allowlist", "gitleaks", "nosec", "trufflehog", "ggignore", "noboost", "whitelist")
_COMMENT = lazy(r"[ \t]{0,400}(?:#|//|/?\*|<!--|--[ \t]|;[ \t]|\"\"\"|>>>)")
_TRIPLE = lazy(r"\"\"\"|'''")
_CALLED_EXAMPLE = lazy(
    r"(?i)(?:\A|\n)[ \t]{0,200}_{0,2}(?:\w{1,40}_)?(?:(?P<example>examples?|documentation)|docs?|usage|help|epilog)"
    r"_{0,2}[ \t]{0,4}=[ \t]{0,4}[rRuU]?\Z"
)
_CALLED_SO = lazy(r"""(?i)\b(?:examples?|e\.g\.|for instance)[:,]?\s+[\w.\-]{1,40}\s{0,3}[=:]\s{0,3}[\\"'`]{0,3}\Z""")
"""`Example key='...'` in a sentence."""
_FOR_EXAMPLE = lazy(r"(?i)\be\.g\.|\bfor (?:example|instance)\b|\bexample:")
_NOTE = lazy(r"(?:#|//|/?\*|--[ \t])[^\n]{0,200}")
_SAID_OPEN = lazy(
    r"(?i)\bsafe to (?:be )?(?:embed|commit|publish|share|expose|check|store|ship|include)|"
    r"\bnot (?:a |really a? ?)?secret\b|\bpublicly known\b|"
    r"\b(?:intentionally|deliberately) (?:public|committed|checked in)"
)
_SELF_SIGNED = lazy(r"(?i)\bself-?signed\b")
"""Of a key that one makes for oneself; of a password beside it that says nothing."""
_ABOVE, _NOTES = 3, 1_000
_SHEET = 8_000
"""How far a page may go on inside of one `<pre>`."""
_ELSEWHERE = lazy(r"@(?!localhost\b|127\.|0\.0\.0\.0)[\w\-]+\.[\w.\-]+")
_ANNOTATED = lazy(r"""\b\w+:\s{0,4}["']\Z""")
_TYPE = lazy(r"(?:[a-z_][a-z_]*\.)+[A-Z][A-Za-z]*(?:\[[\w., ]*\])?")
_ELIXIR_DOC = lazy(r"@(?:module|type)?doc[ \t]{1,4}(?:~[sS])?\Z")
_DOCSTRING_LEAD = lazy(r"(?:\A|\n)[ \t]{0,200}[rRuU]?\Z")
_ROOM = 420
PROVIDERS = 0.95
"""From this on a key is one wherever it stands."""
_MADE_FOR_TESTS = KEYS_OF_ONES_OWN | {"jwt", "jwt-base64", "jwe"}
"""What a program makes for itself in a moment: a test or a document has one of its own."""
SHOWN = 0.8
"""How sure such a one is where it is shown: worth a look, not a refusal."""
_DOCUMENTING = 5
_CODE_LINE = lazy(r"""[{}()\[\],;]\Z|["'\w\]]\s{0,3}(?:=|:=|=>)\s|["']\s{0,3}:\s""")
_LONGEST_WRITTEN = 4_000
_VENDORED = lazy(r"(?:^|/)(?:node_modules|bower_components|site-packages|vendor|third_party)/")
"""Copies of what others publish: whoever wrote it has shown it already."""
_PACKED = (".js", ".mjs", ".cjs", ".css", ".html", ".map", ".php", ".ts", ".tsx", ".jsx")
_GIVEN_TO = lazy(r"""([A-Za-z_]\w{2,60})(?:[ \t]*,[ \t]*_)?[ \t]*(?::=|=)[^=\n][^\n]{0,60}\n?[^\n]{0,20}\Z""")


class Whereabouts:
    """One file. Nothing is looked at before a secret asks for it."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text

    @cached_property
    def starts(self) -> list[int]:
        """The offsets at which its lines begin."""
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def line_at(self, offset: int) -> int:
        """Counted from one."""
        return bisect_right(self.starts, offset)

    @cached_property
    def _allowing(self) -> list[int]:
        """Where comments stand that allow a secret on their line."""
        lowered = self.text.lower()
        if not any(word in lowered for word in _ALLOW_WORDS):
            return []
        return [place for mark in _ALLOWED.finditer(self.text) for place in self._reach(mark.start())]

    def _reach(self, mark: int) -> Iterator[int]:
        """Where a comment allows one: on its line, and where it stands alone on the next."""
        yield mark
        line = self.line_at(mark)
        if line < len(self.starts) and _COMMENT.match(self.text, self.starts[line - 1], mark + 1):
            yield self.starts[line]

    @cached_property
    def _examples(self) -> Examples:
        return Examples(self.path, self.text, self.starts, self.line_at)

    @cached_property
    def _docstrings(self) -> list[tuple[int, int]]:
        """Where strings in three quotes stand that are statements of their own; Python and Elixir have them."""
        if self.path.endswith((".ex", ".exs")):
            return list(_triples(self.text, _is_elixir_doc))
        return list(_triples(self.text, _is_statement)) if self.path.endswith((".py", ".pyi")) else []

    @cached_property
    def _help_texts(self) -> list[tuple[int, int]]:
        """Where strings in three quotes stand that a program prints as its help."""
        return list(_triples(self.text, _is_help)) if self.path.endswith((".py", ".pyi")) else []

    def _is_in(self, spans: list[tuple[int, int]], at: int) -> bool:
        index = bisect_right(spans, (at, len(self.text))) - 1
        return index >= 0 and at < spans[index][1]

    def weighed(self, hit: SecretHit, first: int, end: int) -> tuple[float, str]:
        """What file and line (`first` to `end`) take from it, and why it is at most logged."""
        shown = hit.kind in _MADE_FOR_TESTS and self._is_shown
        if reason := hit.note or self._allowed(hit, first, end, shown=shown):
            return hit.confidence, reason
        if reason := self._for_readers(hit, first):
            return hit.confidence, reason
        unknown = style_of(self.path) == "prose" and not is_document(self.path)
        shown = shown or (unknown and hit.kind in _MADE_FOR_TESTS) or self._is_called_a_test(hit, first)
        if shown or hit.confidence >= PROVIDERS:
            made_up = shown and is_key_of_a_set(self.path)
            told_by_name = is_test_path(self.path) and not has_format(hit.value)
            theirs = self._in_made_line(hit.start) or _VENDORED.search(self.path) is not None
            told = self._is_displayed(hit) or self._is_said_open(hit, first)
            small = shown or told_by_name or theirs or told
            capped = min(hit.confidence, SHOWN) if small else hit.confidence
            return capped, "test fixture" if made_up else ""
        in_document = is_sample(self.path) or is_document(self.path)
        in_words = in_document or unknown or _COMMENT.match(self.text, first, end) is not None
        told = hit.kind == "key" or (in_document and not is_random(hit.value)) or class_count(hit.value) == 1
        explained = "only explained" if in_words and told else ""
        if reason := self._shown_off(hit) or explained or self._printed(hit, first):
            return hit.confidence, reason
        confidence = hit.confidence - (0.1 if is_test_path(self.path) else 0.0)
        if in_words:
            confidence -= 0.12
        called = _CALLED_SO.search(self.text, max(first, hit.start - _ROOM), hit.start)
        for_tests = is_measurement(self.path) or SAYS_TEST.search(self.path) is not None
        shown = self._is_in(self._help_texts, hit.start) or for_tests or called is not None
        started = is_of_a_build(self.path) and not is_strong(hit.value) and not self._is_elsewhere(hit)
        most = SHOWN if shown or started or self._is_said_open(hit, first) else 1.0
        return round(min(confidence, most), 2), ""

    def _for_readers(self, hit: SecretHit, first: int) -> str:
        """Why it is there for a test or for whoever reads about it; no key in its provider's format is."""
        if hit.confidence >= PROVIDERS and hit.kind not in _MADE_FOR_TESTS and has_format(hit.value):
            return ""
        if is_of_a_case(self.path) or is_unit_test(self.path, self.text[: hit.start]):
            return "test fixture"
        if hit.kind in _MADE_FOR_TESTS and self._is_in(self._docstrings, hit.start):
            return "example in a docstring"
        explained = hit.kind not in KEYS_OF_ONES_OWN and (
            self._is_documented(hit, first) or self._is_introduced(hit, first)
        )
        if explained or is_manual(self.path):
            return "only explained"
        started = is_of_a_build(self.path) and not is_random(hit.value) and not self._is_elsewhere(hit)
        return "for one build" if started else ""

    def _is_elsewhere(self, hit: SecretHit) -> bool:
        """The host behind it is not one that a build starts for itself."""
        return _ELSEWHERE.match(self.text, hit.start + len(hit.value)) is not None

    def _is_said_open(self, hit: SecretHit, first: int) -> bool:
        """A comment on its line or just above says that it may be seen: worth a look, and no refusal."""
        line = self.line_at(first)
        above = self.starts[max(0, line - 1 - _ABOVE)]
        end = self.starts[line] if line < len(self.starts) else len(self.text)
        notes = [note[0] for note in _NOTE.finditer(self.text, above, min(end, above + _NOTES))]
        own = hit.kind in KEYS_OF_ONES_OWN
        return any(_SAID_OPEN.search(note) or (own and _SELF_SIGNED.search(note)) for note in notes)

    def _is_displayed(self, hit: SecretHit) -> bool:
        """Below a line that is `<pre>`, as the source of a page has it: worth a look, and no refusal."""
        opened = self.text.rfind("\n<pre>\n", max(0, hit.start - _SHEET), hit.start)
        return opened >= 0 and self.text.find("</pre", opened, hit.start) < 0

    def _is_introduced(self, hit: SecretHit, first: int) -> bool:
        """A comment that says `e.g.` in front of it."""
        comment = _COMMENT.match(self.text, first, hit.start)
        return comment is not None and _FOR_EXAMPLE.search(self.text, comment.end(), hit.start) is not None

    def _is_documented(self, hit: SecretHit, first: int) -> bool:
        """In a comment of many lines that explains code; settings that are switched off are no explanation."""
        if style_of(self.path) != "code":
            return False
        line = self.line_at(first)
        above, below = range(line - 1, 0, -1), range(line, len(self.starts) + 1)
        around = [*self._comment_lines(above), *self._comment_lines(below)]
        if not self._comment_lines(below) or len(around) < _DOCUMENTING:
            return False
        return not is_random(hit.value) or not all(map(_CODE_LINE.search, around))

    def _comment_lines(self, lines: range) -> list[str]:
        """Those of them in a row that are comments, up to what is needed."""
        found = []
        for line in lines[:_DOCUMENTING]:
            start = self.starts[line - 1]
            if not _COMMENT.match(self.text, start):
                break
            found.append(self.text[start : self.starts[line] if line < len(self.starts) else None].rstrip()[-_ROOM:])
        return found

    def _is_called_a_test(self, hit: SecretHit, first: int) -> bool:
        """`testKey = ...`: a key of one's own under such a name anywhere, and a provider's inside a test."""
        if hit.kind not in _MADE_FOR_TESTS and not is_test_path(self.path):
            return False
        above = self.text.rfind("\n", 0, max(0, first - 1)) + 1
        named = _GIVEN_TO.search(self.text, above if hit.kind in KEYS_OF_ONES_OWN else first, hit.start)
        return named is not None and SAYS_TEST.search(named[1]) is not None

    def _allowed(self, hit: SecretHit, first: int, end: int, *, shown: bool) -> str:
        """Who or what says that it may stand there; empty where nobody does."""
        if bisect_left(self._allowing, first) < bisect_left(self._allowing, end):
            return "allowed by a comment"
        if SAYS_TEST.search(hit.name) and is_test_path(self.path):
            return "test fixture"
        if shown and hit.kind not in KEYS_OF_ONES_OWN:
            return "a token that is made to be shown"
        if hit.kind == "jwt" and (reason := why_open(hit.value)):
            return reason
        under_example = hit.confidence < PROVIDERS and self._examples.holds(hit.start)
        return "under the name of an example" if under_example else ""

    @cached_property
    def _is_shown(self) -> bool:
        """Whether what is there is there for tests or readers: by its folders, or by a name that says so."""
        by_place = is_test_path(self.path) or is_sample(self.path) or is_document(self.path)
        return by_place or SAYS_TEST.search(self.path) is not None

    def _in_made_line(self, at: int) -> bool:
        """A script packed into lines that nobody writes: names there are those of a parser."""
        line = self.line_at(at)
        end = self.starts[line] if line < len(self.starts) else len(self.text)
        return end - self.starts[line - 1] > _LONGEST_WRITTEN and self.path.endswith(_PACKED)

    def _printed(self, hit: SecretHit, first: int) -> str:
        """What is shown as text, unless chance made it, and a name in a packed script: neither is worth a look."""
        if self._in_made_line(hit.start):
            return "in a line that a tool made"
        if (
            self.path.endswith((".py", ".pyi"))
            and _TYPE.fullmatch(hit.value)
            and _ANNOTATED.search(self.text, first, hit.start)
        ):
            return "a type, written in quotes"
        shown = not is_random(hit.value) and "&lt;" in self.text[first : hit.start]
        return "shown as text" if shown else ""

    def _shown_off(self, hit: SecretHit) -> str:
        """Why nobody has to hide it; a private key has to be hidden everywhere."""
        for_tests = is_test_path(self.path) or is_measurement(self.path) or SAYS_TEST.search(self.path) is not None
        if for_tests and is_mock(hit):
            return "test fixture"
        if hit.kind == "private-key":
            return ""
        if is_scratch(self.path) and not is_strong(hit.value):
            return "scratch file"
        if is_sample_file(self.path):
            return "example file"
        return "example in a docstring" if self._is_in(self._docstrings, hit.start) else ""


def _triples(text: str, fits: Callable[[str, int], bool]) -> Iterator[tuple[int, int]]:
    """The strings in three quotes whose place fits."""
    opened = _TRIPLE.search(text)
    while opened is not None:
        end = text.find(opened.group(), opened.end())
        if end < 0:
            break
        if fits(text, opened.start()):
            yield opened.start(), end + 3
        opened = _TRIPLE.search(text, end + 3)


def _is_help(text: str, at: int) -> bool:
    called = _CALLED_EXAMPLE.search(text, max(0, at - _ROOM), at)
    return called is not None and called["example"] is None


def _is_elixir_doc(text: str, at: int) -> bool:
    return _ELIXIR_DOC.search(text, max(0, at - _ROOM), at) is not None


def _is_statement(text: str, at: int) -> bool:
    """Alone on its line, behind a colon, a comment or nothing: no value of anything. Or it is called an example."""
    called = _CALLED_EXAMPLE.search(text, max(0, at - _ROOM), at)
    if called is not None:
        return called["example"] is not None
    if _DOCSTRING_LEAD.search(text, max(0, at - _ROOM), at) is None:
        return False
    before = text[max(0, at - _ROOM) : at].rstrip(" \t\r\nrRuU")
    line = before[before.rfind("\n") + 1 :].lstrip()
    return not before or before.endswith(":") or line.startswith("#")
