"""What an order lists beside the files it names: "a settings module", "tests", "a health endpoint", "a CI workflow".

An order that names one file and lists other things asks for all of them. Each thing is an item: the kinds of places it
may live in, and the words it goes by. An edit answers an item when its path is of that kind, or when what it defines
goes by those words. Subordinate clauses ("for the service", "when the settings page opens") tell about a thing and are
no items themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import dropwhile, islice

import msgspec
from msgspec.structs import replace

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.text.language import areas_of_path, is_manifest, is_test
from leeboard.text.names import STOP_WORDS, singular, split_words
from leeboard.text.prose_path import MARK, scan
from leeboard.text.words import stem

ITEM_LIMIT = 24
LISTED = 3.0
"""What it is worth to be a thing that the order lists."""
CALLED_SO = 2.0
"""To be called what the order calls the thing."""
DEFINES_IT = 1.75
"""To define something that is called so."""
LIKE_LISTED = 0.75
"""To be a new file that is merely of the same kind."""
TEXT_READ = 16_000
TEXTS_READ = 20

_SENTENCE_END = lazy(r"[.!?](?=\s|$)|\n")
_JOINT = lazy(
    r"[,;:()]|\s[\-–—•*+&]\s|\b(?:and|or|plus|then|also|with|including|incl|as well as|und|sowie|mit|dann|et|avec|con|"
    r"com|puis|luego)\b|\s[ye]\s"
)
_PLACE = lazy(r"\b(?:in|into|to|on|inside|under|im|dans|en)\b")
_BEYOND = lazy(
    r"\b(?:for|of|from|that|which|where|when|whenever|because|so|since|if|while|who|whose|like|as|about|than|after|"
    r"before|without|using|via|by|until|not|no|für|von|pour|para|por|sin|sans|de|del|du)\b"
)
_POLITE = lazy(
    r"(?:(?:please|pls|can you|could you|would you|now|next|first|let's|lets|go ahead|just|bitte|kannst du|"
    r"por favor)\s{1,3}){1,3}"
)
_ORDERED = lazy(
    r"(?:set\s?up|add|create|write|make|build|generate|implement|introduce|put|provide|update|document|include|scaffold|"
    r"define|configure|extend|prepare|draft|wire(?: up)?|fix|adjust|change|improve|bump|"
    r"(?:(?:i |we )?(?:need|want)|i'd like)(?=\s(?:an?|the|some|new)\s)|"
    r"give (?:me|us)|ergänze|erstelle|schreibe?|lege|baue|füge|ajoute[rz]?|crée[rz]?|écri[st]|añad[ea]|agrega|crea|"
    r"escribe|adicion[ea]|crie|добавь|создай|напиши)\b"
)
"""Verbs that ask for something to be there."""
_DETERMINER = lazy(
    r"(?:an?|the|some|its|their|our|my|another|one|two|any|new|ein(?:e[nrm]?)?|de[nr]|die|das|une?|una|les?|la|el|los|las|"
    r"uma?|os|as)\s"
)
_TOLD = lazy(
    r"\b(?:is|are|was|were|am|has|had|can|could|does|did|gets?|got|fails?|failed|breaks?|broke|should|would|will|seems?|"
    r"looks?|they|he|she)\b|n['’]t\b"
)
"""A statement tells how things are; what it speaks of is not asked for."""
_DEFINED = lazy(
    r"\b(?:def|class|function|func|fn|fun|interface|type|struct|enum|trait|const|let|var|val|module|variable|resource)\b"
    r"[ \t\"'`]{1,4}([\w\-]{2,60})|\b(?:describe|it|test)\([\"'`]([\w \-]{2,60})|"
    r"\bfunc \([^()\n]{1,60}\) (\w{2,60})|"
    r"^[ \t]{0,12}[.#]?([A-Za-z_][\w\-]{1,60})[ \t]?[:={]|[\"'`(]/([\w\-/]{2,60})|[\s'\"]--([a-z][\w\-]{1,40})|"
    r"\b(?:TABLE|INDEX|VIEW)[ \t](?:IF NOT EXISTS )?[\"`]?(\w{2,60})|[a-z]\([\"']([\w\-]{2,60})[\"']",
    re.MULTILINE,
)
"""What an edit brings into being: definitions, assignments and keys, routes, options, tables, what a call names."""
_EMPTY = frozenset(
    "module class script helper function file component service setup support step page code layer definition package "
    "app application project thing part section small simple basic minimal proper short little plain unit integration "
    "regression name key list data type system whole readme main base default".split()
)
"""Nouns that say what something is made of, not what it is about."""


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One thing an order asks for."""

    text: str
    kinds: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    """What it is called besides, as stems."""
    about: frozenset[str] = frozenset()
    """What the whole order is about, as stems."""
    is_place: bool = False
    """It is only told as the place of something else."""


class EditContent(msgspec.Struct, frozen=True, kw_only=True):
    """What an edit adds, as far as its match with a listed piece of work is judged by it."""

    defined: frozenset[str] = frozenset()
    """Words of the names it defines, as stems."""
    whole: bool = False
    """It writes a whole file."""


@lru_cache(maxsize=64)
def items_of(order: str, wanted: tuple[str, ...]) -> tuple[Item, ...]:
    """The things an order lists; `wanted`: its keywords but for what it rules out."""
    masked = scan(order)[1].replace(MARK, ",").lower()
    allowed = frozenset(wanted)
    about = _telling(word for word in split_words(masked) if word in allowed)
    found: dict[Item, None] = {}
    for sentence in _SENTENCE_END.split(masked):
        for phrase, is_place in _phrases(sentence):
            item = _item(phrase, allowed, about)
            if item and (item.kinds or not is_place):
                found[replace(item, is_place=is_place)] = None
    return tuple(found)[:ITEM_LIMIT]


def _phrases(sentence: str) -> Iterator[tuple[str, bool]]:
    """What follows a verb that orders, thing by thing; and whether it is only told as the place of one."""
    ordered = False
    for segment in _JOINT.split(sentence):
        plain = segment.strip()
        if polite := _POLITE.match(plain):
            plain = plain[polite.end() :]
        verb = _ORDERED.match(plain)
        thing, *places = _PLACE.split(_BEYOND.split(plain[verb.end() if verb else 0 :], maxsplit=1)[0])
        if _TOLD.search(thing):
            continue
        ordered = ordered or bool(verb)
        if verb or (ordered and _is_thing(thing)):
            yield thing, False
        if ordered:
            yield from ((place, True) for place in places)


def _is_thing(phrase: str) -> bool:
    """`a health endpoint` and `CI workflow`, but not `train weekly`."""
    words = list(split_words(phrase))
    return bool(_DETERMINER.match(phrase.lstrip())) or (
        0 < len(words) <= 3 and bool(kinds_of_noun(singular(words[-1])))
    )


def _item(phrase: str, allowed: frozenset[str], about: frozenset[str]) -> Item | None:
    spoken = [word for word in split_words(phrase) if len(word) < 3 or word in allowed or word in STOP_WORDS]
    paired = {near for at in range(1, len(spoken)) if _pair(spoken, at) for near in (at - 1, at)}
    kinds, words = _kinds(spoken), _telling(word for at, word in enumerate(spoken) if at not in paired)
    if not kinds and not words:
        return None
    text = " ".join(dropwhile(STOP_WORDS.__contains__, spoken)) or spoken[-1]
    return Item(text=text, kinds=kinds, words=words, about=about)


def _kinds(words: list[str]) -> tuple[str, ...]:
    """The kind of the last noun, or of the one before where the last says nothing; a kind of few files from any."""
    each = [_pair(words, at) or kinds_of_noun(singular(word)) for at, word in enumerate(words)]
    head = len(words) - 1
    while head > 0 and not each[head] and singular(words[head]) in _EMPTY:
        head -= 1
    told = [kind for at, kinds in enumerate(each) for kind in kinds if at == head or is_sole(kind)]
    return tuple(dict.fromkeys(told))


def _pair(words: list[str], at: int) -> tuple[str, ...]:
    """`release notes` and `entry point` are one noun."""
    return kinds_of_noun(f"{singular(words[at - 1])}-{singular(words[at])}") if at else ()


def _telling(words: Iterable[str]) -> frozenset[str]:
    """Stems of the words that say what something is about, rather than what kind of thing it is."""
    kept = (word for word in words if len(word) > 2 and word not in STOP_WORDS and singular(word) not in _EMPTY)
    return frozenset(stem(word) for word in kept if not kinds_of_noun(singular(word)))


def written(texts: Iterable[str], *, whole: bool = False) -> EditContent:
    """What the texts of an edit define; `whole`: it writes a whole file."""
    first = islice(texts, TEXTS_READ)
    found = (groups for text in first for groups in _DEFINED.findall(text[:TEXT_READ]))
    defined = frozenset(stem(word) for groups in found for word in split_words("".join(groups)))
    return EditContent(defined=defined, whole=whole)


def answer(path: str, edit: EditContent, items: tuple[Item, ...]) -> tuple[float, str]:
    """What it is worth that an order lists what the edit makes, and the item in words; nothing where it lists none."""
    named = frozenset(stem(word) for word in split_words(path.rsplit("/", 1)[-1]))
    worths = [(_worth(path, named, edit, item), item.text) for item in items]
    return max(worths, default=(0.0, ""), key=lambda worth: worth[0])


def spoken_of(names: Iterable[str], items: tuple[Item, ...]) -> str:
    """The first word in the names that the orders are about; empty where there is none."""
    about = frozenset(word for item in items for word in item.about)
    return next((word for name in names for word in split_words(name) if len(word) > 3 and stem(word) in about), "")


def _worth(path: str, named: frozenset[str], edit: EditContent, item: Item) -> float:
    hit = [kind for kind in item.kinds if lives_in(kind, path)]
    if any(is_sole(kind) for kind in hit):
        return LISTED
    if hit:
        return LISTED if (item.words or item.about) & (named | edit.defined) else _unnamed(path, edit, item, hit)
    if item.words & named:
        return CALLED_SO
    return DEFINES_IT if item.words & edit.defined else 0.0


def _unnamed(path: str, edit: EditContent, item: Item, kinds: list[str]) -> float:
    """For "the client" or "tests" any file of the kind may be meant: one that is called so more than others."""
    if item.words or item.is_place:
        return 0.0
    if any(is_called(kind, path) for kind in kinds):
        return LISTED if edit.whole else CALLED_SO
    return LIKE_LISTED if edit.whole else 0.0


# Kinds of things an order may list without naming a file: the nouns people use, and the paths such things live in.


class _Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nouns: tuple[str, ...]
    places: str
    sole: bool = False


class _Kinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: dict[str, _Kind]
    nouns_only: dict[str, tuple[str, ...]]


@cache
def _read_kinds() -> _Kinds:
    return load("speech/listed_kinds", _Kinds)


@cache
def _places(kind: str) -> re.Pattern[str]:
    return lazy(_read_kinds().kinds[kind].places)


@cache
def _by_noun() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    table = _read_kinds()
    for name, nouns in (*((name, kind.nouns) for name, kind in table.kinds.items()), *table.nouns_only.items()):
        for noun in nouns:
            found[noun] = (*found.get(noun, ()), name)
    return found


def kinds_of_noun(noun: str) -> tuple[str, ...]:
    """By a noun in the singular, or two joined by a hyphen."""
    return _by_noun().get(noun, ())


def is_sole(kind: str) -> bool:
    """A project has one or few such files, so that asking for the kind is asking for the file."""
    return kind == "deps" or (kind in _read_kinds().kinds and _read_kinds().kinds[kind].sole)


def lives_in(kind: str, path: str) -> bool:
    """Whether things of the kind live in such a path."""
    if kind == "tests":
        return is_test(path)
    if kind == "deps":
        return is_manifest(path)
    return bool(_places(kind).search(path.lower())) if kind in _read_kinds().kinds else kind in areas_of_path(path)


def is_called(kind: str, path: str) -> bool:
    """Whether the file's own name says so, not its folder or its extension."""
    bare = path.lower().rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return kind in _read_kinds().kinds and bool(_places(kind).search(bare))
