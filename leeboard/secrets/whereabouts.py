"""Where in its file a secret stands, and what that takes from it: test, example, docstring, scratch file, comment."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from leeboard.model.text import lazy
from leeboard.secrets.claims import why_open
from leeboard.secrets.fixture import (
    SAYS_TEST,
    is_key_file,
    is_key_of_a_set,
    is_mock,
    is_of_a_build,
    is_of_a_case,
    is_unit_test,
)
from leeboard.secrets.hit import KEYS_OF_ONES_OWN, SecretHit, is_document, is_scratch, style_of
from leeboard.secrets.provider import has_format
from leeboard.secrets.shown import COMMENT, ShownText
from leeboard.secrets.weight import class_count, is_random, is_strong, is_uuid
from leeboard.text.language import is_measurement, is_sample, is_sample_file, is_test_path

SHOWN_OFF = frozenset({"example", "examples", "sample", "samples"})
"""What stands under such a name is there to be seen."""
_ALLOWED = lazy(
    r"(?i)pragma:\s?allowlist\s(?:nextline\s)?secret|gitleaks:allow|\bnosec\b|trufflehog:ignore|ggignore|"
    r"noboost|pragma: whitelist secret"
)
_ALLOW_WORDS = ("allowlist", "gitleaks", "nosec", "trufflehog", "ggignore", "noboost", "whitelist")
_NOTE = lazy(r"(?:#|//|/?\*|--[ \t])[^\n]{0,200}")
_SAID_OPEN = lazy(
    r"(?i)\bsafe to (?:be )?(?:embed|commit|publish|share|expose|check|store|ship|include)|"
    r"\bnot (?:a |really a? ?)?secret\b|\bpublicly known\b|"
    r"\b(?:intentionally|deliberately) (?:public|committed|checked in)"
)
_SELF_SIGNED = lazy(r"(?i)\bself-?signed\b")
"""Of a key that one makes for oneself; of a password beside it that says nothing."""
_ABOVE, _NOTES = 3, 1_000
_ELSEWHERE = lazy(r"@(?!localhost\b|127\.|0\.0\.0\.0)[\w\-]+\.[\w.\-]+")
_AN_ID = lazy(r"(?i)[=:>,(]\s{0,4}[\"'{]{1,3}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}[}\"']")
_SAYS_SECRET = lazy(r"(?i)(?:secret|token|key|password)[\"']?\Z")
_REPEATED = lazy(r"""["'][ \t]{0,2}(?:\*[ \t]{0,2}(?:[2-9]|\d{2,4})\b|\.repeat\()""")
_GOES_ON = lazy(r"""[.:_/=-]["'](?:[ \t]*(?:\+|\.(?=[ \t]*\$))[ \t]*[A-Za-z$(]|[ \t]+[A-Z][A-Z_]{2,40}[ \t]*["');])""")
"""A prefix, and what is put behind it; one that is drawn is a key with something behind it."""
_PARAMETER = lazy(r"[?&][\w-]{1,60}=\Z")
_ENDS = lazy(
    r"(?i)[?&](?:x-amz-)?expires=\d{1,12}\b[^\s\"']*[?&](?:x-amz-)?signature=|"
    r"[?&](?:x-amz-)?signature=[^\s\"']*[?&](?:x-amz-)?expires=\d"
)
_SIGNERS = ("aws-", "alibaba-")
"""Whose key ids and tokens for a session stand in the addresses that they sign."""
_ROOM, _REST = 80, 1_200
_ANNOTATED = lazy(r"""\b\w+:\s{0,4}["']\Z""")
_TYPE = lazy(r"(?:[a-z_][a-z_]*\.)+[A-Z][A-Za-z]*(?:\[[\w., ]*\])?")
PROVIDERS = 0.95
"""From this on a key is one wherever it stands."""
_MADE_FOR_TESTS = KEYS_OF_ONES_OWN | {"jwt", "jwt-base64", "jwe"}
"""What a program makes for itself in a moment: a test or a document has one of its own."""
_SIGNED = frozenset({"jwt", "kubernetes-token"})
SHOWN = 0.8
"""How sure such a one is where it is shown: worth a look, not a refusal."""
_LONGEST_WRITTEN = 4_000
_VENDORED = lazy(r"(?:^|/)(?:node_modules|bower_components|site-packages|vendor|third_party)/")
"""Copies of what others publish: whoever wrote it has shown it already."""
_PACKED = (".js", ".mjs", ".cjs", ".css", ".html", ".map", ".php", ".ts", ".tsx", ".jsx")
_GIVEN_TO = lazy(r"""([A-Za-z_]\w{2,60})(?:[ \t]*,[ \t]*_)?[ \t]*(?::=|=)[^=\n][^\n]{0,60}\n?[^\n]{0,20}\Z""")


def marked_lines(text: str) -> Counter[str]:
    """The lines on which a comment for another tool allows a secret."""
    lowered = text.lower()
    if not any(word in lowered for word in _ALLOW_WORDS):
        return Counter()
    return Counter(line.strip() for line in text.split("\n") if _ALLOWED.search(line))


def _is_drawn(value: str) -> bool:
    """Whether a piece of it is: a short one may be the name of a version."""
    return any(len(piece) >= _DRAWN_SIZE and is_random(piece) for piece in _PIECES.findall(value))


_DRAWN_SIZE = 10
_PIECES = lazy(r"[A-Za-z0-9]+")


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

    def is_marked(self, first: int, end: int) -> bool:
        """Whether a comment for another tool allows a secret between these places."""
        return bisect_left(self._allowing, first) < bisect_left(self._allowing, end)

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
        if line < len(self.starts) and COMMENT.match(self.text, self.starts[line - 1], mark + 1):
            yield self.starts[line]

    @cached_property
    def _shown(self) -> ShownText:
        return ShownText(self.path, self.text, self.starts, self.line_at)

    def is_in_docstring(self, at: int) -> bool:
        return self._shown.is_in_docstring(at)

    def weighed(self, hit: SecretHit, first: int, end: int) -> tuple[float, str]:
        """What file and line (`first` to `end`) take from it, and why it is at most logged."""
        shown = hit.kind in _MADE_FOR_TESTS and self._is_shown
        if reason := hit.note or self._allowed(hit, first, shown=shown):
            return hit.confidence, reason
        if reason := self._for_readers(hit, first):
            return hit.confidence, reason
        unknown = style_of(self.path) == "prose" and not is_document(self.path)
        alone = is_key_file(self.path) and not is_key_of_a_set(self.path)
        odd = unknown and hit.kind in _MADE_FOR_TESTS and not alone
        shown = shown or odd or self._is_called_a_test(hit, first)
        if shown or hit.confidence >= PROVIDERS:
            made_up = shown and is_key_of_a_set(self.path)
            told_by_name = is_test_path(self.path) and not has_format(hit.value)
            theirs = self._in_made_line(hit.start) or _VENDORED.search(self.path) is not None
            printed = hit.kind in _MADE_FOR_TESTS and self._shown.is_printed(hit)
            small = shown or told_by_name or theirs or printed or self._is_said_open(hit, first)
            capped = min(hit.confidence, SHOWN) if small else hit.confidence
            return capped, "test fixture" if made_up else ""
        in_document = is_sample(self.path) or is_document(self.path)
        in_words = in_document or unknown or COMMENT.match(self.text, first, end) is not None
        told = hit.kind == "key" or (in_document and not is_random(hit.value)) or class_count(hit.value) == 1
        explained = "it is only explained" if in_words and told else ""
        if reason := self._shown_off(hit) or explained or self._no_value(hit, first):
            return hit.confidence, reason
        confidence = hit.confidence - (0.1 if is_test_path(self.path) else 0.0)
        if in_words:
            confidence -= 0.12
        for_tests = is_measurement(self.path) or SAYS_TEST.search(self.path) is not None
        started = is_of_a_build(self.path) and not is_strong(hit.value) and not self._is_elsewhere(hit)
        printed = self._shown.is_printed(hit)
        most = SHOWN if for_tests or printed or started or self._is_said_open(hit, first) else 1.0
        return round(min(confidence, most), 2), ""

    def _for_readers(self, hit: SecretHit, first: int) -> str:
        """Why it is there for a test or for whoever reads about it; no key in its provider's format is."""
        if hit.confidence >= PROVIDERS and hit.kind not in _MADE_FOR_TESTS and has_format(hit.value):
            return ""
        if is_of_a_case(self.path) or is_unit_test(self.path, self.text[: hit.start]):
            return "test fixture"
        if reason := self._shown.reason(hit, first):
            return reason
        if is_uuid(hit.value) and not _SAYS_SECRET.search(hit.name) and self._is_one_of_ids(first):
            return "one of a list of ids"
        started = is_of_a_build(self.path) and not is_random(hit.value) and not self._is_elsewhere(hit)
        return "for one build" if started else ""

    def _is_one_of_ids(self, first: int) -> bool:
        """Lines above and below give other things an id like that."""
        line = self.line_at(first)
        beyond = (*self.starts, len(self.text))
        near = (number for number in (line - 2, line - 1, line + 1, line + 2) if 0 < number < len(beyond))
        return sum(_AN_ID.search(self.text, beyond[number - 1], beyond[number]) is not None for number in near) > 1

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

    def _is_called_a_test(self, hit: SecretHit, first: int) -> bool:
        """`testKey = ...`: a key of one's own under such a name anywhere, and a provider's inside a test."""
        if hit.kind not in _MADE_FOR_TESTS and not is_test_path(self.path):
            return False
        above = self.text.rfind("\n", 0, max(0, first - 1)) + 1
        named = _GIVEN_TO.search(self.text, above if hit.kind in KEYS_OF_ONES_OWN else first, hit.start)
        return named is not None and SAYS_TEST.search(named[1]) is not None

    def _allowed(self, hit: SecretHit, first: int, *, shown: bool) -> str:
        """What says that it may stand there; empty where nothing does."""
        if SAYS_TEST.search(hit.name) and is_test_path(self.path):
            return "test fixture"
        if shown and hit.kind not in KEYS_OF_ONES_OWN:
            return "a token in a test, an example or a document"
        if self._is_signed(hit, first):
            return "part of a signed address, which ends by itself"
        if hit.kind in _SIGNED and (reason := why_open(hit.value)):
            return reason
        return ""

    def _is_signed(self, hit: SecretHit, first: int) -> bool:
        """A parameter of an address that was signed for a time; the key of another provider does not end with it."""
        if has_format(hit.value) and not hit.kind.startswith(_SIGNERS):
            return False
        if _PARAMETER.search(self.text, max(0, hit.start - _ROOM), hit.start) is None:
            return False
        return _ENDS.search(self.text, first, min(len(self.text), hit.end + _REST)) is not None

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

    def _no_value(self, hit: SecretHit, first: int) -> str:
        """What stands under a name in a packed script, a type in quotes, a word that is written many times over."""
        if self._in_made_line(hit.start):
            return "in a line that a tool made"
        if (
            self.path.endswith((".py", ".pyi"))
            and _TYPE.fullmatch(hit.value)
            and _ANNOTATED.search(self.text, first, hit.start)
        ):
            return "a type, written in quotes"
        if _GOES_ON.match(self.text, hit.end - 1) and not _is_drawn(hit.value):
            return "the beginning of something longer"
        return "made by repeating it" if _REPEATED.match(self.text, hit.end) else ""

    def _shown_off(self, hit: SecretHit) -> str:
        """Why nobody has to hide it; a private key has to be hidden everywhere."""
        for_tests = is_test_path(self.path) or is_measurement(self.path) or SAYS_TEST.search(self.path) is not None
        if for_tests and is_mock(hit):
            return "test fixture"
        if hit.kind == "private-key":
            return ""
        if is_scratch(self.path) and not is_strong(hit.value):
            return "scratch file"
        return "example file" if is_sample_file(self.path) else ""
