"""What an agent says it is going to build: the phrase, the thing, the words that tell it from other things."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from leeboard.model.lookup import Registry
from leeboard.model.text import lazy
from leeboard.speech.red_flags import plain, spoken
from leeboard.text.words import content_words, sentences, split_name, stem

TEXT_READ = 24_000
_MOST = 12
_BUILT = 60

_BUILDS = lazy(
    r"\bi will (?:now |first |then |also |just |next |go ahead and |start by |need to ){0,2}"
    r"(?P<verb>build|create|implement|write|make|develop|introduce|add (?=(?:a |an )?(?:brand[ -])?new ))\s?"
    r"(?P<thing>(?:(?:a|an|the|my|our|own|brand[ -]new|new|simple|small|basic|custom|proper) ){0,3}[^.,;:!?()…]{2,90})"
)
_ANOTHER = lazy(
    r"\b(?:i will|i should|i could|we should|plan is to) (?:now |first |then |also |just ){0,2}"
    r"(?:(?:create|write|make|build|add|introduce) (?:a |an )?"
    r"(?:(?:new|improved|simplified) (?:version|copy|variant)|"
    r"(?:(?:new|second|separate|alternative|alternate|parallel) ){1,2}(?<!\bnew )"
    r"(?:version|copy|variant|implementation|handler|function|service|module|component|class|endpoint)) "
    r"(?:of|for|to handle)|duplicate) (?P<thing>[^.,;:!?()…]{2,90})"
)
_THING_ENDS = lazy(
    r"\s(?:that|which|who|to|for|in|into|inside|with|without|from|by|so|and|using|via|on|at|under|based|where|when|as|like|"
    r"because|since|if|before|after|but|then|instead|called|named)\s"
)
_SCRATCH = lazy(r"\bfrom (?:scratch|the ground up|zero)\b")
_NOT_CODE = lazy(
    r"\b(?:tests?|specs?|test case|test suite|fixtures?|mocks?|commit|pull request|pr|branch|todo|list|plan|summary|"
    r"report|docs?|documentation|readme|changelog|migrations?|comments?|notes?|script to (?:test|reproduce|verify)|"
    r"reproduction|reproducer|directory|folder|venv|environment|config(?:uration)? file|dockerfile|package\.json|issue|"
    r"ticket|examples?|backup|scratch file|temp(?:orary)? (?:file|script))\b"
)
_GENERIC = frozenset(
    stem(word)
    for word in """
    a an the new own simple small basic custom proper brand function functions method class classes module file
    files helper helpers utility utilities util component components service services handler handlers manager
    managers wrapper layer client server endpoint endpoints route routes controller model models view views page
    hook hooks interface type types struct object objects code logic implementation version feature features support
    system tool script api main core data value values item items list string number thing one another separate
    second first middleware factory provider repository adapter abstraction schema field fields table query option
    options config error errors request response result user app application base common shared default generic
    command log logs logger logging form button pattern rule step event message text line name path key date time
    count size style state way part section block case loop check change fix two its it details
    """.split()
)

_HOLLOW = frozenset(
    stem(word) for word in "a an the new own simple small basic proper brand quick another one it this".split()
)


class BuildIntent(msgspec.Struct, frozen=True, kw_only=True):
    """`words` are stemmed; what every second name has is not among them."""

    thing: str
    words: tuple[str, ...]
    sentence: str
    from_scratch: bool = False


def build_intents(text: str) -> tuple[BuildIntent, ...]:
    """`I'll build a JWT handler` and its kin: build, create, implement, write, add a new."""
    return _intents(
        text, (" build", " creat", " implement", " writ", " make", " develop", " introduce", " add "), _BUILDS
    )


def another_intents(text: str) -> tuple[BuildIntent, ...]:
    """`I'll create a new version of X`, `add a separate handler for X`: a second one of what there is."""
    return _intents(text, ("version", "separate", "second", "copy", "variant", "alternative", "duplicate"), _ANOTHER)


def _intents(text: str, hints: tuple[str, ...], pattern: re.Pattern[str]) -> tuple[BuildIntent, ...]:
    text = text[:TEXT_READ]
    lowered = text.lower()
    if not any(hint in lowered for hint in hints):
        return ()
    found: list[BuildIntent] = []
    for _at, sentence in sentences(spoken(text)):
        found.extend(_of_sentence(sentence, pattern))
    return tuple(found[:_MOST])


def _of_sentence(sentence: str, pattern: re.Pattern[str]) -> Iterator[BuildIntent]:
    words = " ".join(plain(sentence).split())
    for match in pattern.finditer(words):
        thing = _thing(match["thing"])
        telling = telling_words(thing)
        if telling and not _NOT_CODE.search(match["thing"]) and (pattern is _ANOTHER or not _ANOTHER.search(words)):
            scratch = bool(_SCRATCH.search(words))
            yield BuildIntent(thing=thing, words=telling, sentence=sentence, from_scratch=scratch)


def _thing(said: str) -> str:
    """`a JWT handler` of "a JWT handler that signs"; of "a new service for rate limiting" both parts."""
    parts = _THING_ENDS.split(f"{said} ", maxsplit=2)
    if len(parts) > 1 and not telling_words(parts[0]) and f"{parts[0]} for " in said:
        return f"{parts[0]} {parts[1]}".strip()
    return parts[0].strip()


def telling_words(thing: str) -> tuple[str, ...]:
    """The words of a name or phrase, stemmed, without those that every second name has."""
    parts = [stem(part) for word in thing.split() for part in split_name(word)]
    known = dict.fromkeys((*content_words(thing), *parts))
    kept = [word for word in known if len(word) > 2 and not word.isdigit() and word not in _HOLLOW]
    telling = tuple(word for word in kept if word not in _GENERIC)
    return telling or (tuple(kept) if len(kept) > 1 else ())


def was_carried_out(words: Iterable[str], path: str, name: str, registry: Registry) -> bool:
    """Whether something of these words was built since, while the one that is there was neither read nor changed."""
    if registry.find("read", (path,)) or registry.find("change", (path,)):
        return False
    wanted = set(words)
    return any(
        wanted & set(telling_words(entry.key)) and (entry.path, entry.key) != (path, name.lower())
        for entry in registry.newest("built", _BUILT)
    )
