"""The secrets of a text: every way to know one, the surest for each place, weighed by file and line."""

from __future__ import annotations

from _blake2 import blake2b
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from msgspec.structs import replace

from leeboard.model.text import lazy
from leeboard.secrets.armour import by_block
from leeboard.secrets.assignment import by_name
from leeboard.secrets.hit import (
    UNREAD,
    Region,
    Secret,
    SecretHit,
    Style,
    is_translation,
    promise_of,
    style_of,
)
from leeboard.secrets.manifest import by_manifest
from leeboard.secrets.place import by_place
from leeboard.secrets.provider import by_format, providers_met, worth_a_look
from leeboard.secrets.shown import COMMENT
from leeboard.secrets.weight import by_entropy
from leeboard.secrets.whereabouts import PROVIDERS, SHOWN, SHOWN_OFF, Whereabouts

_LONGEST_KEY = 64
_STAND_IN = lazy(
    r"(?i)dummy|placeholder|redacted|blanking|(?<![a-z])masked?(?![a-z])|(?<![a-z])(?:fake|mock)(?![a-z])|(?-i:^(?:fake|mock)[A-Z])|"
    r"(?<![a-z])(?:invalid|wrong|bogus|malformed|expired|revoked|non_?existent)(?![a-z])"
)
_BEFORE = 200
_MARGIN = 1_200
"""How far from a line the name may stand under which a value on it is known."""
_LOCKED_NAME = lazy(r"(?i)encrypted|obscured|obfuscated|sealed_?(?:secret|key|token)|cipher_?text")
CERTAIN_ABOVE = 0.85


def weighed_secrets(text: str, path: str = "", lines: Iterable[int] | None = None) -> tuple[Secret, ...]:
    """Every secret that touches one of these lines (all where None), by place; placeholders too, with that note.

    What stands on other lines is not weighed, but for what is needed to read these.
    """
    return _all_weighed(text, path) if lines is None else _weighed(text, path, lines)


@lru_cache(maxsize=2)
def _all_weighed(text: str, path: str) -> tuple[Secret, ...]:
    """A scan asks for those of a file, and again for what each is called."""
    return _weighed(text, path, None)


def _weighed(text: str, path: str, lines: Iterable[int] | None) -> tuple[Secret, ...]:
    file = _file(path, text)
    region = None if lines is None else Region(text, file.starts, lines)
    hits = _without_columns(hits_in(text, style_of(path, text), translated=is_translation(path), region=region))
    return tuple(_placed(hit, file) for hit in hits if region is None or region.touches(hit.start, hit.end - 1))


def hits_in(text: str, style: Style, *, translated: bool = False, region: Region | None = None) -> list[SecretHit]:
    """What is known of a text in this style of file, by place; where two overlap, the surer one.

    With a region all that touches it is there, and perhaps more.
    """
    if region is not None and not region.spans:
        return []
    return _apart(hit for hit in _found(text, style, translated=translated, region=region) if hit.kind != UNREAD)


def _found(text: str, style: Style, *, translated: bool = False, region: Region | None = None) -> Iterator[SecretHit]:
    lowered = lower(text)
    blocks = tuple(by_block(text)) if region is None else _blocks(text)
    # A block of many lines, and a line that is not read to its end, decide about more than the lines asked for.
    if region is not None and (any(region.touches(it.start, it.end) for it in blocks) or not region.is_plain):
        region = None
    part = region or Region(text, [0], [1])
    pieces = worth_a_look(text if region is None else region.with_margin(_MARGIN))
    found: list[Iterator[SecretHit]] = [iter(blocks)]
    if pieces:  # no format goes over the end of a line
        found.append(part.each(lambda start, end: by_format(text[start:end], pieces, lowered)))
    if style != "lock":
        found.append(part.each(lambda start, end: by_place(text[start:end], lowered[start:end])))
    if style not in {"lock", "style"} and not translated:
        found.append(by_name(text, lowered, style, providers_met(pieces), region))
        found.append(by_manifest(text))
    if style in {"code", "any"}:
        found.append(part.each(lambda start, end: by_entropy(text[start:end])))
    return chain.from_iterable(found)


# Of a file with many secrets each part is asked about in turn: what is of the whole file is looked for once.


@lru_cache(maxsize=2)
def _file(path: str, text: str) -> Whereabouts:
    return Whereabouts(path, text)


@lru_cache(maxsize=2)
def _blocks(text: str) -> tuple[SecretHit, ...]:
    return tuple(by_block(text))


def _kind_of(hit: SecretHit, name: str, text: str) -> str:
    """What stands beside the id of a key that Amazon hands out for hours ends with it."""
    if hit.kind == "aws-access-key":
        return "aws-session-key" if hit.value.startswith(_FOR_HOURS) else hit.kind
    if hit.kind != "secret" or not _OF_A_KEY_PAIR.search(name):
        return hit.kind
    around = text[max(0, hit.start - _PAIR_ROOM) : hit.end + _PAIR_ROOM]
    return "aws-session-key" if _FOR_HOURS_BESIDE.search(around) else hit.kind


_FOR_HOURS = "ASIA"
_FOR_HOURS_BESIDE = lazy(r"(?<![A-Za-z0-9])ASIA[A-Z0-9]{16}(?![A-Za-z0-9])")
_OF_A_KEY_PAIR = lazy(r"(?i)secret_?-?(?:access_?-?)?key|session_?-?token|^token$")
_PAIR_ROOM = 200


def _is_commented(file: Whereabouts, begin: int, start: int) -> bool:
    if style_of(file.path) != "code":
        return False
    return COMMENT.match(file.text, begin, start + 1) is not None or file.is_in_docstring(start)


def _without_columns(hits: list[SecretHit]) -> list[SecretHit]:
    """A name that holds many different keys in one file is that of a column, as ids have one."""
    values: dict[str, set[str]] = {}
    for hit in hits:
        if hit.kind == "key":
            values.setdefault(hit.name, set()).add(hit.value)
    columns = {name for name, held in values.items() if len(held) >= _COLUMN}
    records = _shared_names(hits)
    return [_in_column(hit) if hit.kind == "key" and hit.name in columns else _in_record(hit, records) for hit in hits]


def _in_column(hit: SecretHit) -> SecretHit:
    return replace(hit, note=hit.note or "one of many under its name")


def _in_record(hit: SecretHit, records: set[str]) -> SecretHit:
    """A program has one secret of a name; who has several of them shows records."""
    is_one = hit.kind == "secret" and hit.name in records
    return replace(hit, confidence=min(hit.confidence, SHOWN)) if is_one else hit


def _shared_names(hits: list[SecretHit]) -> set[str]:
    values: dict[str, set[str]] = {}
    for hit in hits:
        if hit.kind == "secret" and hit.name:
            values.setdefault(hit.name, set()).add(hit.value)
    return {name for name, held in values.items() if len(held) >= _RECORDS}


_COLUMN, _RECORDS = 5, 3


def lower(text: str) -> str:
    """In lower case, every character at its place: the dotted capital I alone would become two."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.replace("\u0130", "i").lower()


def keyed_digest(value: str, key: bytes) -> str:
    """The one thing of a secret that may be kept: nobody without the key can try values against it."""
    return blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8, key=key[:_LONGEST_KEY]).hexdigest()


def secret_spans(text: str) -> list[tuple[int, int]]:
    """Where what is taken for a secret in any kind of file stands, placeholders apart; merged."""
    return _spans(_found(text, "any"))


def shaped_spans(text: str) -> list[tuple[int, int]]:
    """The same of what shows by its maker's format alone, whatever stands around it."""
    return _spans(by_format(text, worth_a_look(text)))


def is_certain(text: str) -> bool:
    """Whether one stands there of which nobody would say that it is none: such a text is not written anywhere."""
    return any(not secret.note and secret.confidence > CERTAIN_ABOVE for secret in weighed_secrets(text))


def _spans(hits: Iterable[SecretHit]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end in sorted((hit.start, hit.end) for hit in hits if hit.note != "placeholder"):
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _apart(hits: Iterable[SecretHit]) -> list[SecretHit]:
    kept: list[SecretHit] = []
    starts: list[int] = []
    for hit in sorted(hits, key=lambda hit: (-hit.confidence, -len(hit.value), hit.start)):
        at = bisect_right(starts, hit.start)
        free_before = at == 0 or kept[at - 1].end <= hit.start
        if free_before and (at == len(kept) or hit.end <= starts[at]):
            kept.insert(at, hit)
            starts.insert(at, hit.start)
    return kept


def _placed(hit: SecretHit, file: Whereabouts) -> Secret:
    line = file.line_at(hit.start)
    begin = file.starts[line - 1]
    end = min(file.starts[line] if line < len(file.starts) else len(file.text), hit.end + 400)
    name = hit.name or holder_of(file.text[max(begin, hit.start - _BEFORE) : hit.start])
    first = max(begin, hit.start - 400)
    confidence, note = file.weighed(replace(hit, name=name), first, end)
    if (name.lower() in SHOWN_OFF or _STAND_IN.search(name)) and not note:
        confidence, note = min(confidence, 0.3), "placeholder"
    elif _LOCKED_NAME.search(name) and not note and confidence < PROVIDERS:
        note = "encrypted, as its name says"
    return Secret(
        kind=_kind_of(hit, name, file.text),
        name=name,
        value=hit.value,
        line=line,
        column=hit.start - begin + 1,
        confidence=confidence,
        note=note,
        in_comment=_is_commented(file, begin, hit.start),
        marked=file.is_marked(first, end),
    )


def is_real(secret: Secret) -> bool:
    """Worth hiding: neither a placeholder nor merely random."""
    return not secret.note and secret.confidence > 0.5


# What holds a value: the variable, key, option or argument in front of it, never the user name beside it.


_OPENING = r"""[bruf@]?["'`]?(?:[\w.]{1,10}[ \t])?\Z"""
_GIVEN_TO = lazy(r"""(?P<name>[A-Za-z_$][\w$.\-]{0,60})["'\]]{0,2}[ \t]{0,8}(?:=>|:=|=|:|\()[ \t]{0,8}""" + _OPENING)
_PAIRED = lazy(r"""["'](?P<name>[A-Za-z_$][\w$.\-]{0,60})["'][ \t]{0,4},[ \t]{0,8}""" + _OPENING)
_ARGUMENT = lazy(
    r"""(?P<name>[A-Za-z_$][\w$.]{0,60})[ \t]{0,2}(?P<sign>[=:]?)[ \t]{0,2}[(\[]{1,2}(?P<before>[^()\[\]]{1,120})\Z"""
)
_STRING = lazy(r""""[^"]{0,120}"|'[^']{0,120}'""")
_ADDRESS = lazy(r"""[A-Za-z][A-Za-z0-9+.\-]{1,30}://[^\s"'`]{0,120}\Z|(?<=["'`])[\w.\-]{1,60}:\Z""")
_SIGN = lazy(r"[=:,(]")
_NEAR = 30


def holder_of(before: str) -> str:
    """By what stands on the line in front of the value; of a password in an address what the address is given to."""
    address = _ADDRESS.search(before)
    before = before[: address.start()] if address else before
    if not _SIGN.search(before[-_NEAR:]):
        return ""
    given = _GIVEN_TO.search(before)
    if given is not None:
        return given["name"]
    paired = _PAIRED.search(before)
    if paired is not None and promise_of(paired["name"]):
        return paired["name"]
    return _argument(before)


def _argument(before: str) -> str:
    call = _ARGUMENT.search(before)
    if call is None:
        return ""
    place = _STRING.sub("", call["before"]).count(",") + 1
    return call["name"] if call["sign"] else f"argument {place} of {call['name']}()"
