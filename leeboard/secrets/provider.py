"""Secrets that show by a provider's format, alone or together with the provider's name in front of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.secrets.handed_around import is_handed_around
from leeboard.secrets.hit import SecretHit, Share
from leeboard.secrets.monotonous import is_monotonous
from leeboard.secrets.weight import entropy, evidence, is_example, is_hex
from leeboard.text.word_gate import WordGate, joined_runs, runs_in, words_in

_LEAST_RUN = 14
_LONGEST_RUN = 32_768
"""No key is longer: what is, is data, and to look for every format in it would cost more than all the rest."""
_FEW_RUNS = 12
_RUN = lazy(r"[A-Za-z0-9_+/\-]{14,4000}")
_WITHOUT_RUN = lazy(r"(?i)[^\r\n]{0,200}contribsys[^\r\n]{0,200}")
"""A format with nothing long in it."""
_TELLING = lazy(r"[0-9]|[A-Z]{14}|(?:[a-z]{1,3}[A-Z]){3}|[A-Z]{2}[a-z]{1,2}[A-Z]")
_BEFORE = 64
"""What a format has in front of its longest run."""
_AFTER = 8
_AHEAD = 4000
_REACH = 200
_LEAST_PREFIX = 2
_BEGINNING = 3
_FEW_SIGNS = 300
_UNBROKEN = lazy(r"[A-Za-z0-9_\-]{200,4000}")
"""Where a format did not fit at the beginning of such a run, it is not looked for inside."""
_WORD_BEFORE = lazy(r"[A-Za-z0-9_]")
_ESCAPE_BEFORE = lazy(r"\\[nrt]")
_NOT_AFTER = r"(?![A-Za-z0-9_])"


class Format(msgspec.Struct, frozen=True):
    """`mode`: the hint begins the value, stands inside it, or has to be met anywhere in the text."""

    kind: str
    hint: str
    mode: str
    pattern: re.Pattern[str]
    places: re.Pattern[str]
    """The hint where a value may begin with it."""


class Shapes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By kind of key, and by provider for those that have no mark of their own."""

    cloud: dict[str, tuple[str, ...]]
    product: dict[str, tuple[str, ...]]
    named: dict[str, tuple[str, ...]]
    carried: frozenset[str]
    """Kinds that programs carry to all their users, as their provider says they may."""


@cache
def shapes() -> Shapes:
    return load("secrets/formats", Shapes)


@cache
def formats() -> tuple[Format, ...]:
    """Every format that shows by itself."""
    marked = chain(shapes().cloud.items(), shapes().product.items())
    return tuple(_format(kind, shape) for kind, of_kind in marked for shape in of_kind)


_Hinted = tuple[str, bool, list[Format]]
"""A hint, whether it may stand anywhere in the text, and the formats it tells of."""


@cache
def hinted_formats() -> tuple[_Hinted, ...]:
    """Those with one hint together; those that it may stand anywhere for are apart."""
    found: dict[tuple[str, bool], list[Format]] = {}
    for form in formats():
        found.setdefault((form.hint, form.mode == "anywhere"), []).append(form)
    return tuple((hint, anywhere, forms) for (hint, anywhere), forms in found.items())


@cache
def _formats_by_beginning() -> dict[str, list[int]]:
    """Places in `hinted_formats` by how the hint begins; under nothing those that are always asked."""
    found: dict[str, list[int]] = {"": []}
    for place, (hint, anywhere, _forms) in enumerate(hinted_formats()):
        told = not anywhere and len(hint) >= _BEGINNING
        found.setdefault(hint[:_BEGINNING] if told else "", []).append(place)
    return found


@cache
def named_formats() -> dict[str, re.Pattern[str]]:
    """A provider's name, and what its keys look like as whole values."""
    named = shapes().named.items()
    return {name: lazy("(?:" + "|".join(map(source_of, of_name)) + r")\Z") for name, of_name in named}


def _format(kind: str, shape: str) -> Format:
    if shape.startswith("@"):
        hint, _space, shape = shape[1:].partition(" ")
        return Format(kind, hint, "anywhere", lazy(source_of(shape) + _NOT_AFTER), lazy(re.escape(hint)))
    prefix = prefix_of(shape)
    mode, hint = ("start", prefix) if len(prefix) >= _LEAST_PREFIX else ("inside", literal_of(shape))
    return Format(kind, hint, mode, lazy(source_of(shape) + _NOT_AFTER), lazy(_alone(hint)))


def _alone(hint: str) -> str:
    """The hint first, what may stand before it last: the engine then jumps from one to the next."""
    plain = re.escape(hint)
    return rf"{plain}(?:(?<![A-Za-z0-9_]{plain})|(?<=\\[nrt]{plain}))" if _WORD_BEFORE.match(hint) else plain


def worth_a_look(text: str) -> str:
    """The pieces of a text that could hold a generated key, joined: a format is looked for when its hint is here."""
    runs = _telling_runs(text)
    places = _places_of(runs, text) if len(runs) <= _FEW_RUNS else _all_places(text)
    pieces = {text[max(0, start - _BEFORE) : end + _AFTER] for start, end in places}
    pieces.update(_WITHOUT_RUN.findall(text) if "ontribsys" in text or "CONTRIBSYS" in text else ())
    return "\n".join(pieces)


def _telling_runs(text: str) -> list[str]:
    """Long runs of the signs that keys are made of, each once, with a digit or a mix of cases."""
    return [run for run in runs_in(text) if _LEAST_RUN <= len(run) <= _LONGEST_RUN and _TELLING.search(run)]


def _places_of(runs: list[str], text: str) -> Iterator[tuple[int, int]]:
    for run in runs:
        at = text.find(run)
        while at >= 0:
            yield at, at + len(run)
            at = text.find(run, at + len(run))


def _all_places(text: str) -> Iterator[tuple[int, int]]:
    """One way through the text, where to look for each run by itself would take many."""
    return (run.span() for run in _RUN.finditer(text) if _TELLING.search(run.group()))


def by_format(text: str, pieces: str, lowered: str = "") -> Iterator[SecretHit]:
    """Every secret that shows by its own format. `pieces` is `worth_a_look(text)`; `lowered` is all of what the text is
    a part of, in lower case: some hints may stand anywhere in it.
    """
    if not pieces:
        return
    lowered = lowered or text.lower()
    share = Share(text)
    for hint, anywhere, forms in _in_question(pieces):
        if hint in (lowered if anywhere else pieces):
            yield from chain.from_iterable(_drawn(form, text, share) for form in forms)


def has_format(value: str) -> bool:
    """Whether it shows by its maker's format alone, and not only by the name in front of it."""
    return any(hit.note != "placeholder" for hit in by_format(value, worth_a_look(value)))


def _in_question(pieces: str) -> Iterable[_Hinted]:
    """Those whose hint may be met. Of a short text the beginnings in it are told sooner than all hints are tried."""
    if len(pieces) > _FEW_SIGNS:
        return hinted_formats()
    begun = _formats_by_beginning()
    beginnings = set(map("".join, zip(pieces, pieces[1:], pieces[2:], strict=False)))
    places = {place for beginning in beginnings & begun.keys() for place in begun[beginning]}
    everything = hinted_formats()
    return [everything[place] for place in sorted(places.union(begun[""]))]


def _drawn(form: Format, text: str, share: Share) -> Iterator[SecretHit]:
    done = 0
    for match in _matches(form, text):
        start, value = match.start(), match.group()
        if start < done or not _stands_alone(text, start) or _IN_A_BLOB.search(text, max(0, start - _BLOB_ROOM), start):
            continue
        if share.is_spent(start, len(value)):
            yield (unread := share.rest(start))
            done = unread.end
        elif is_drawn(value.removeprefix(form.hint)) and not _is_something_else(value, form.hint, text, start):
            yield _hit(form.kind, value, start)


def _is_something_else(value: str, hint: str, text: str, start: int) -> bool:
    """A dump of bytes, a beginning whose rest was left out, or a part of an id that goes on behind it:
    `md-ast-27a4d1ff-7d7b-425e-b84f-a4d227f592fa`.
    """
    end = start + len(value)
    if _LEFT_OUT.match(text, end):
        return True
    ids = _AN_ID.finditer(text, max(0, end - _ID_SIZE), end + _ID_SIZE)
    return _is_dumped(value, hint) or any(one.start() < end < one.end() for one in ids)


_LEFT_OUT = lazy(r"(?:\.\.\.|…)(?:[\s\"'`<)]|$)")
_AN_ID = lazy(r"[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}")
_ID_SIZE = 36


def _is_dumped(value: str, hint: str) -> bool:
    """`EAAA08807D06...`: a dump of bytes begins by chance with what a maker begins its keys with."""
    return len(value) >= _DUMP and is_hex(hint) and is_hex(value)


_DUMP = 32
_BLOB = 80
_IN_A_BLOB = lazy(
    rf"[A-Za-z0-9+/]{{{_BLOB}}}\Z|[A-Za-z0-9+/]{{60}}\r?\n[ \t]*[A-Za-z0-9+/]*\Z|"
    rf"[A-Za-z0-9+/]{{60}}[\"'][ \t]*[+.\\]?[ \t]*\r?\n[ \t]*[+.]?[ \t]*[\"'][A-Za-z0-9+/]*\Z"
)
"""Base64 of something large, such as an image, in one line or in many: what looks like a key in there is chance."""
_BLOB_ROOM = 200


def _matches(form: Format, text: str) -> Iterator[re.Match[str]]:
    if form.mode == "anywhere":
        return form.pattern.finditer(text)
    return _at_hint(form, text) if form.mode == "start" else _around_hint(form, text)


def _hit(kind: str, value: str, start: int) -> SecretHit:
    example = is_example(value)
    return SecretHit(
        kind=kind, value=value, start=start, confidence=0.3 if example else 0.95, note="placeholder" if example else ""
    )


def _at_hint(form: Format, text: str) -> Iterator[re.Match[str]]:
    done = 0
    for place in form.places.finditer(text):
        if place.start() < done:
            continue
        match = form.pattern.match(text, place.start())
        if match is not None:
            yield match
        beyond = match or _UNBROKEN.match(text, place.end())
        done = beyond.end() if beyond is not None else done


def _around_hint(form: Format, text: str) -> Iterator[re.Match[str]]:
    """Windows around the hint that do not overlap by more than a format can reach back: time stays linear."""
    at, done = text.find(form.hint), 0
    while at >= 0:
        first, last = max(done, at - _REACH), at + _AHEAD
        for match in form.pattern.finditer(text, first, last):
            yield match
            done = match.end()
        at = text.find(form.hint, last - _REACH)


def _stands_alone(text: str, start: int) -> bool:
    """No letter stands directly in front of it, but for the one of an escaped line break."""
    before = text[max(0, start - 2) : start]
    return (
        not before
        or not _WORD_BEFORE.match(before[-1])
        or not _WORD_BEFORE.match(text[start])
        or bool(_ESCAPE_BEFORE.match(before))
    )


def is_drawn(body: str) -> bool:
    """Neither `xxxx` nor words: what a format asks for could also be a long name."""
    if is_monotonous(body):
        return False
    if len(body) >= 16 and entropy(body) < (2.3 if is_hex(body) else 2.9):
        return False
    return evidence(body) < (_WORDS if any(map(str.isdigit, body)) else 0)


_WORDS = 15.0
"""Evidence above this is that of words with a digit between: `authorizeOauth2WithOption`."""


def providers_met(pieces: str) -> tuple[str, ...]:
    """The names of providers in these pieces, in lower case."""
    lowered = pieces.lower()
    return tuple(name for name in named_formats() if name in lowered) if lowered else ()


def by_provider_name(name: str, value: str, providers: Iterable[str]) -> str:
    """The one of these providers whose name is part of this one and whose keys look like this value, or empty."""
    lowered = name.lower()
    for provider in providers:
        if provider in lowered and named_formats()[provider].match(value) and is_drawn(value):
            return "" if is_handed_around(value) else provider
    return ""


# The short spelling of formats, to patterns: `ghp_<a36>` is `ghp_` and 36 letters or digits.


_ALPHABETS = {
    "h": "0-9a-f",
    "x": "0-9A-Fa-f",
    "l": "0-9a-z",
    "u": "0-9A-Z",
    "a": "0-9A-Za-z",
    "w": r"0-9A-Za-z_\-",
    "b": "0-9A-Za-z+/",
    "d": "0-9",
}
_UUID = "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"
_PART = lazy(r"<(?:(?P<uuid>uuid)|(?P<alphabet>[hxluawbd])(?P<least>\d{1,4})(?:-(?P<most>\d{1,4}))?)>")
_CHOICE = lazy(r"\([^)]*\)\??|\[[^\]]*\]|\{[^}]*\}")
_LITERAL = lazy(r"(?:[A-Za-z0-9_/:~+$|=\- ](?![{?*])|\\[.+$|])+")


def source_of(shape: str) -> str:
    """The regular expression a shape stands for."""
    parts: list[str] = []
    at = 0
    for part in _PART.finditer(shape):
        parts.append(shape[at : part.start()])
        at = part.end()
        if part["uuid"]:
            parts.append(_UUID)
        else:
            bounds = f"{part['least']},{part['most']}" if part["most"] else part["least"]
            parts.append(f"[{_ALPHABETS[part['alphabet']]}]{{{bounds}}}")
    return "".join([*parts, shape[at:]])


def prefix_of(shape: str) -> str:
    """The plain characters a shape begins with."""
    end = min((at for sign in "<([{?*" if (at := shape.find(sign)) >= 0), default=len(shape))
    if shape[end : end + 1] in {"{", "?", "*"}:
        end -= 1
    return shape[:end].replace("\\", "")


def literal_of(shape: str) -> str:
    """The longest run of plain characters anywhere in it that no choice can leave out."""
    plain = _CHOICE.sub("<>", _PART.sub("<>", shape))
    return max((run.replace("\\", "") for run in _LITERAL.findall(plain)), key=len, default="")


# Which of many keywords a text holds at all: most hold few, and each look through a long text costs.


_SHORT = 2_000
"""A text of this size is looked through sooner than its words are told apart."""
_LIKE_ASCII = ("\u0130", "\u212a")
"""Letters beyond ASCII that become ASCII ones in lower case."""


def held(keywords: tuple[str, ...], text: str, lowered: str) -> tuple[str, ...]:
    """Those of these keywords, letters in lower case, that stand in the text; `lowered` is the text in lower case."""
    if len(text) <= _SHORT or any(letter in text for letter in _LIKE_ASCII):
        return tuple([word for word in keywords if word in lowered])
    met = _gate(keywords).held(words_in(text))
    return tuple([word for word in keywords if word in met])


def spelled(text: str, lowered: str) -> str:
    """What a blank, letters and the signs of keys are looked for in: they stand in it where they stand in the text."""
    if len(text) <= _SHORT or any(letter in text for letter in _LIKE_ASCII):
        return lowered
    return joined_runs(text).lower()


@lru_cache(maxsize=8)
def _gate(keywords: tuple[str, ...]) -> WordGate:
    return WordGate(keywords, str.lower)


def occurrences(lowered: str, stems: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where each of them stands, and how long it is."""
    for stem in stems:
        at = lowered.find(stem)
        while at >= 0:
            yield at, len(stem)
            at = lowered.find(stem, at + len(stem))
