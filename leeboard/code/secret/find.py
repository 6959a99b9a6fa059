"""The secrets of a text: every way to know one, the surest for each place, weighed by file and line."""

from __future__ import annotations

from _blake2 import blake2b
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from leeboard.code.language import is_test_path
from leeboard.code.secret._long_line import UNREAD
from leeboard.code.secret.assignment import by_name
from leeboard.code.secret.generated import by_entropy
from leeboard.code.secret.hit import Hit, Secret
from leeboard.code.secret.key_block import by_block
from leeboard.code.secret.kubernetes import by_manifest
from leeboard.code.secret.place import by_place
from leeboard.code.secret.provider import by_format, providers_met, worth_a_look
from leeboard.code.secret.randomness import is_random
from leeboard.code.secret.style import Style, is_sample, is_translation, style_of
from leeboard.model.pattern import lazy

_ALLOWED = lazy(
    r"(?i)pragma:\s?allowlist\s(?:nextline\s)?secret|gitleaks:allow|\bnosec\b|trufflehog:ignore|ggignore|"
    r"noboost|pragma: whitelist secret"
)
_ALLOW_WORDS = ("allowlist", "gitleaks", "nosec", "trufflehog", "ggignore", "noboost", "whitelist")
_LONGEST_KEY = 64
_SHOWN_OFF = frozenset({"example", "examples", "sample", "samples"})
"""What stands under such a name is there to be seen."""
_GIVEN_TO = lazy(
    r"""(?P<name>[A-Za-z_$][\w$.\-]{0,60})["'\]]{0,2}[ \t]{0,8}(?:=>|:=|=|:|,|"""
    r"""\()[ \t]{0,8}[bruf@]?["'`]?(?:\w{1,10}[ \t])?\Z"""
)
_SIGN = lazy(r"[=:,(]")
_COMMENT = lazy(r"[ \t]{0,400}(?:#|//|/?\*|<!--|--[ \t]|;[ \t]|\"\"\"|>>>)")


class _File(NamedTuple):
    path: str
    text: str
    starts: list[int]
    """Of its lines."""
    allowing: list[int]
    """Where comments allow secrets."""


def find_secrets(text: str, path: str = "", lines: Iterable[int] | None = None) -> tuple[Secret, ...]:
    """Every secret on these lines (all where None), in their order. A placeholder is among them, with that note."""
    wanted = None if lines is None else frozenset(lines)
    hits = hits_in(text, style_of(path), translated=is_translation(path))
    if not hits:
        return ()
    file = _File(path, text, _line_starts(text), _allowing(text))
    placed = (_placed(hit, file) for hit in hits)
    return tuple(secret for secret in placed if wanted is None or secret.line in wanted)


def hits_in(text: str, style: Style, *, translated: bool = False) -> list[Hit]:
    """What is known of a text in this style of file, by place; where two overlap, the surer one."""
    return _apart(hit for hit in _found(text, style, translated=translated) if hit.kind != UNREAD)


def _found(text: str, style: Style, *, translated: bool = False) -> Iterator[Hit]:
    lowered = lower(text)
    pieces = worth_a_look(text)
    found: list[Iterator[Hit]] = [by_block(text), by_format(text, pieces)]
    if style != "lock":
        found.append(by_place(text, lowered))
    if style not in {"lock", "style"} and not translated:
        found.append(by_name(text, lowered, style, providers_met(pieces)))
        found.append(by_manifest(text))
    if style in {"code", "any"}:
        found.append(by_entropy(text))
    return chain.from_iterable(found)


def lower(text: str) -> str:
    """In lower case, every character at its place: the dotted capital I alone would become two."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.replace("\u0130", "i").lower()


def keyed_digest(value: str, key: bytes) -> str:
    """The one thing of a secret that may be kept: nobody without the key can try values against it."""
    return blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8, key=key[:_LONGEST_KEY]).hexdigest()


def secret_spans(text: str) -> list[tuple[int, int]]:
    """Where something stands that `find_secrets` takes for a secret in any kind of file, placeholders apart; merged."""
    spans: list[tuple[int, int]] = []
    for start, end in sorted((hit.start, hit.end) for hit in _found(text, "any") if hit.note != "placeholder"):
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _apart(hits: Iterable[Hit]) -> list[Hit]:
    kept: list[Hit] = []
    starts: list[int] = []
    for hit in sorted(hits, key=lambda hit: (-hit.confidence, -len(hit.value), hit.start)):
        at = bisect_right(starts, hit.start)
        free_before = at == 0 or kept[at - 1].end <= hit.start
        if free_before and (at == len(kept) or hit.end <= starts[at]):
            kept.insert(at, hit)
            starts.insert(at, hit.start)
    return kept


def _line_starts(text: str) -> list[int]:
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def _allowing(text: str) -> list[int]:
    """Where comments stand that allow a secret on their line."""
    lowered = text.lower()
    return [mark.start() for mark in _ALLOWED.finditer(text)] if any(word in lowered for word in _ALLOW_WORDS) else []


def _placed(hit: Hit, file: _File) -> Secret:
    text, starts = file.text, file.starts
    index = bisect_right(starts, hit.start) - 1
    begin = starts[index]
    end = min(starts[index + 1] if index + 1 < len(starts) else len(text), hit.end + 400)
    confidence, note = _weighed(hit, file, max(begin, hit.start - 400), end)
    name = hit.name or _name_before(text[max(begin, hit.start - 100) : hit.start])
    if name.lower() in _SHOWN_OFF and not note:
        confidence, note = min(confidence, 0.3), "placeholder"
    return Secret(
        kind=hit.kind,
        name=name,
        value=hit.value,
        line=index + 1,
        column=hit.start - begin + 1,
        confidence=confidence,
        note=note,
    )


def _name_before(text: str) -> str:
    """The variable or key a value is given to."""
    match = _GIVEN_TO.search(text) if _SIGN.search(text[-30:]) else None
    return match["name"] if match else ""


def _weighed(hit: Hit, file: _File, first: int, end: int) -> tuple[float, str]:
    """What file and line take from it: a provider's key stays one wherever it stands."""
    path = file.path
    if hit.note:
        return hit.confidence, hit.note
    if bisect_left(file.allowing, first) < bisect_left(file.allowing, end):
        return hit.confidence, "allowed by a comment"
    if hit.confidence >= 0.95:
        return hit.confidence, ""
    confidence = hit.confidence
    if is_test_path(path):
        if not is_random(hit.value):
            return hit.confidence, "test fixture"
        confidence -= 0.1
    if is_sample(path) or style_of(path) == "prose" or _COMMENT.match(file.text, first, end):
        confidence -= 0.12
    return round(confidence, 2), ""
