"""The secrets of a text: every way to know one, the surest for each place, weighed by file and line."""

from __future__ import annotations

from _blake2 import blake2b
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain

from leeboard.code.secret._long_line import UNREAD
from leeboard.code.secret._region import Region
from leeboard.code.secret.assignment import by_name
from leeboard.code.secret.generated import by_entropy
from leeboard.code.secret.hit import Hit, Secret
from leeboard.code.secret.holder import holder_of
from leeboard.code.secret.key_block import by_block
from leeboard.code.secret.kubernetes import by_manifest
from leeboard.code.secret.place import by_place
from leeboard.code.secret.provider import by_format, providers_met, worth_a_look
from leeboard.code.secret.style import Style, is_translation, style_of
from leeboard.code.secret.whereabouts import Whereabouts

_LONGEST_KEY = 64
_SHOWN_OFF = frozenset({"example", "examples", "sample", "samples"})
"""What stands under such a name is there to be seen."""
_BEFORE = 200
CERTAIN_ABOVE = 0.85


def find_secrets(text: str, path: str = "", lines: Iterable[int] | None = None) -> tuple[Secret, ...]:
    """Every secret that touches one of these lines (all where None), by place; placeholders too, with that note.

    What stands on other lines is not weighed, but for what is needed to read these.
    """
    file = Whereabouts(path, text)
    region = None if lines is None else Region(text, file.starts, lines)
    hits = hits_in(text, style_of(path), translated=is_translation(path), region=region)
    return tuple(_placed(hit, file) for hit in hits if region is None or region.touches(hit.start, hit.end - 1))


def hits_in(text: str, style: Style, *, translated: bool = False, region: Region | None = None) -> list[Hit]:
    """What is known of a text in this style of file, by place; where two overlap, the surer one.

    With a region all that touches it is there, and perhaps more.
    """
    if region is not None and not region.spans:
        return []
    return _apart(hit for hit in _found(text, style, translated=translated, region=region) if hit.kind != UNREAD)


def _found(text: str, style: Style, *, translated: bool = False, region: Region | None = None) -> Iterator[Hit]:
    lowered = lower(text)
    pieces = worth_a_look(text)
    blocks = list(by_block(text))
    # A block of many lines, and a line that is not read to its end, decide about more than the lines asked for.
    if region is not None and (any(region.touches(it.start, it.end) for it in blocks) or not region.is_plain):
        region = None
    part = region or Region(text, [0], [1])
    found: list[Iterator[Hit]] = [iter(blocks), by_format(text, pieces)]
    if style != "lock":
        found.append(part.each(lambda start, end: by_place(text[start:end], lowered[start:end])))
    if style not in {"lock", "style"} and not translated:
        found.append(by_name(text, lowered, style, providers_met(pieces), region))
        found.append(by_manifest(text))
    if style in {"code", "any"}:
        found.append(part.each(lambda start, end: by_entropy(text[start:end])))
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
    return _spans(_found(text, "any"))


def shaped_spans(text: str) -> list[tuple[int, int]]:
    """The same of what shows by its maker's format alone, whatever stands around it."""
    return _spans(by_format(text, worth_a_look(text)))


def is_certain(text: str) -> bool:
    """Whether one stands there of which nobody would say that it is none: such a text is not written anywhere."""
    return any(not secret.note and secret.confidence > CERTAIN_ABOVE for secret in find_secrets(text))


def _spans(hits: Iterable[Hit]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end in sorted((hit.start, hit.end) for hit in hits if hit.note != "placeholder"):
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


def _placed(hit: Hit, file: Whereabouts) -> Secret:
    line = file.line_at(hit.start)
    begin = file.starts[line - 1]
    end = min(file.starts[line] if line < len(file.starts) else len(file.text), hit.end + 400)
    confidence, note = file.weighed(hit, max(begin, hit.start - 400), end)
    name = hit.name or holder_of(file.text[max(begin, hit.start - _BEFORE) : hit.start])
    if name.lower() in _SHOWN_OFF and not note:
        confidence, note = min(confidence, 0.3), "placeholder"
    return Secret(
        kind=hit.kind,
        name=name,
        value=hit.value,
        line=line,
        column=hit.start - begin + 1,
        confidence=confidence,
        note=note,
    )
