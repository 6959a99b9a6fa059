"""Questions about what lies between two turns of one agent, answered from the context registry.

Turns are counted by agent, so what another agent did has no place between them: where it matters, it may be anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from leeboard.analysis.relation import in_scope
from leeboard.model.ledger import Entry, Kind
from leeboard.model.lookup import Files, Registry
from leeboard.model.symbol import Fingerprint
from leeboard.model.text import lazy
from leeboard.model.touch import Diff
from leeboard.model.workspace import is_inside
from leeboard.model.world import World
from leeboard.source.counterpart import is_exempt
from leeboard.source.fingerprint import fingerprints, overlap, pack_text, unpack
from leeboard.source.likeness import SAME, similarity
from leeboard.source.new_code import NewFunction, added_text, may_be_old
from leeboard.source.syntax import Definition, parse
from leeboard.speech.build_intent import telling_words
from leeboard.speech.red_flags import plain, spoken
from leeboard.text import language as folder
from leeboard.text.language import language_of
from leeboard.text.names import path_words
from leeboard.text.words import content_words, sentences, stem

WINDOW = 200
"""Rows of a kind that are looked through."""


def asked_in(registry: Registry, agent: str) -> int:
    """The turn in which the human spoke last; zero where nobody did."""
    return next((entry.turn for entry in registry.find("research", ("asked",)) if entry.agent == agent), 0)


def marked(registry: Registry, agent: str, keys: Iterable[str], first: int, last: int) -> bool:
    """Whether one of these marks lies between two turns, both included."""
    return any(first <= entry.turn <= last for entry in registry.find("research", tuple(keys)) if entry.agent == agent)


def failed_between(registry: Registry, agent: str, first: int, last: int) -> tuple[Entry, ...]:
    """The failures of these turns, newest first."""
    failures = registry.newest("error", WINDOW)
    return tuple(entry for entry in failures if entry.agent == agent and first <= entry.turn <= last)


def names(failure: Entry, path: str) -> bool:
    """Whether a failure is about a file: the call was, or what came back names it."""
    name = path.rsplit("/", 1)[-1]
    return bool(name) and (failure.path == path or name in failure.text)


def flagged(registry: Registry, agent: str, ids: Iterable[str], first: int, last: int) -> tuple[Entry, ...]:
    """The red flags of these turns, newest first."""
    found = registry.find("flag", tuple(ids))
    return tuple(entry for entry in found if entry.agent == agent and first <= entry.turn <= last)


def learned(registry: Registry, agent: str, words: frozenset[str], first: int, last: int) -> str:
    """What could be new information on a subject from turn `first` up to the words of turn `last`; empty: nothing."""
    if marked(registry, agent, ("asked", "forgot"), first, last):
        return "the user spoke, or the context was compacted"
    if failed_between(registry, agent, first, last - 1):
        return "something failed"
    for entry in (*registry.newest("read", WINDOW), *registry.newest("fetched", WINDOW)):
        if entry.agent == agent and first <= entry.turn < last and words & set(content_words(entry.key)):
            return f"{entry.key} was looked at"
    return ""


# How long an agent has been looking around since it last built something, and where it looked.
#
# A turn of research looks at files, searches or pages, writes nothing and runs nothing. Calls inside one turn count
# once. A stretch ends where something was written, run or failed, where the user spoke and where a part of the work was
# done.


_WINDOW = 80
"""Rows of a kind that are looked through: several looks in each of many turns."""
_QUIET = 2
"""Turns without any call that a stretch may hold."""
_DOCUMENT = lazy(r"\.(?:md|mdx|rst|adoc)$", re.IGNORECASE)
_WEB = ("http://", "https://", "web: ")


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """Turns of research in a row, newest last."""

    turns: tuple[int, ...] = ()
    looks: tuple[Entry, ...] = ()
    after_failure: bool = False
    """Something failed right before: this is debugging."""
    after_rest: bool = False
    """A part of the work was done right before: this is the first look at the next."""
    built: bool = False
    """Something was written before it, since the user spoke last."""

    @property
    def start(self) -> int:
        return self.turns[0] if self.turns else 0


def stretch_at(registry: Registry, agent: str, turn: int, first: int) -> Stretch:
    """The stretch that ends with `turn`; nothing before turn `first` counts."""
    seen = (*_rows(registry, "read", agent), *_rows(registry, "fetched", agent))
    looks = [entry for entry in seen if entry.turn <= turn]
    if not any(entry.turn == turn for entry in looks):
        return Stretch()
    asked = asked_in(registry, agent)
    changes = {entry.turn for entry in _rows(registry, "change", agent) if entry.turn > asked}
    failures = {entry.turn for entry in _rows(registry, "error", agent)}
    marks = {entry.turn: entry.key for entry in _rows(registry, "research", agent) if entry.key != "asked"}
    ends = {*changes, *failures, *marks}
    looked = {entry.turn for entry in looks}
    turns, at, quiet = [], turn, 0
    while at >= max(first, asked + 1) and at not in ends and quiet <= _QUIET:
        quiet = 0 if at in looked else quiet + 1
        if at in looked:
            turns.append(at)
        at -= 1
    chosen = tuple(reversed(turns))
    return Stretch(
        turns=chosen,
        looks=tuple(entry for entry in looks if entry.turn in set(chosen)),
        after_failure=at in failures,
        after_rest=marks.get(at) in {"rested", "forgot"},
        built=any(change < (chosen[0] if chosen else 0) for change in changes),
    )


def _rows(registry: Registry, kind: Kind, agent: str) -> list[Entry]:
    return [entry for entry in registry.newest(kind, _WINDOW) if entry.agent == agent]


def lies_outside(look: Entry, world: World, worked_in: frozenset[str], *, exploring: bool = False) -> bool | None:
    """Whether a look leaves the work. None: nobody can tell.

    Pages, documents and packages do. Other code of the project may be needed for the next change; it leaves the work
    where the agent says that it is `exploring`.
    """
    if look.key.startswith(_WEB):
        return not _is_about_the_work(content_words(look.key.partition(":")[2]), world, worked_in)
    if look.kind != "read":
        return None
    path = look.path
    if path.rpartition("/")[0] in worked_in or in_scope(path, world.contract.scope) or _is_spoken_of(path, world):
        return False
    if exploring or not is_inside(path) or _DOCUMENT.search(path):
        return True
    return True if folder.lies_in(path, "reference", any_case=True) else None


def has_ended(registry: Registry, agent: str, turn: int) -> bool:
    """Whether this turn does more than look."""
    done = (*_rows(registry, "change", agent), *_rows(registry, "error", agent), *_rows(registry, "research", agent))
    return any(entry.turn >= turn for entry in done)


def _is_about_the_work(words: tuple[str, ...], world: World, worked_in: frozenset[str]) -> bool:
    """Whether a page shares a word with what the user said or with the folders of the work."""
    places = {stem(word) for folder in worked_in for word in path_words(f"{folder}/x")}
    wanted = _wanted(world)
    return any(word in places or word in wanted for word in words)


def _is_spoken_of(path: str, world: World) -> bool:
    """Whether the user's words name it or what it is about."""
    named = any(path.rsplit("/", 1)[-1].lower() in goal.text.lower() for goal in world.session.goals)
    wanted = _wanted(world)
    return named or any(stem(word) in wanted for word in path_words(path))


def _wanted(world: World) -> frozenset[str]:
    return _words_wanted(tuple(goal.text for goal in world.session.goals), world.contract.keywords)


@lru_cache(maxsize=32)
def _words_wanted(goals: tuple[str, ...], keywords: tuple[str, ...]) -> frozenset[str]:
    """Asked for every look of a session, whose goals change with a prompt."""
    return frozenset(stem(word) for word in (*keywords, *(word for goal in goals for word in content_words(goal))))


# What a session builds a second time: functions by name and fingerprint, changes by what they wrote.


REPEATED = 0.70
"""The share of a change that an earlier one has, above which it is the same work."""
_ANOTHER_PURPOSE = 0.25
"""Below this, two functions of one name have nothing else in common."""
_TEXT = 24_000
_LINES, _LINES_ELSEWHERE = 5, 12
"""Lines of a change that is worth comparing with others of its file, of other files."""
_REVISES = lazy(
    r"\b(?:revis|fix|updat|adjust|correct|improv|extend|chang|modif|mov|extract|relocat|split|renam|refactor|clean|polish|"
    r"simplif|convert|migrat|tweak|address|format|reorganiz|restructur|restor|revert|undo|"
    r"put back|bring back)\w{0,5}\b"
)

_MOVES = lazy(
    r"\b(?:mov|extract|split|relocat|consolidat|centrali[sz]|de-?duplicat|refactor|reorgani[sz]|restructur)\w{0,6}\b|"
    r"\b(?:pull|factor|break)\w{0,3} (?:\w+ ){0,4}(?:out|up|apart)\b|"
    r"\bshared? (?:helper|package|module|between|code)\b|\bre-?export\w{0,3}\b"
)
_MOVED_IN = 3
"""Turns in which an announced move is under way."""

_AGAIN = lazy(
    r"\bi (?:will|should|need to|have to|want to) (?:now |just |have to |need to ){0,2}"
    r"(?:rewrite|redo|replace|re-?implement|recreate|rebuild|re-?write) (?P<thing>[^.,;:!?()…]{2,90})"
)


class Rebuilt(msgspec.Struct, frozen=True, kw_only=True):
    """What is built again, the newest time it was built before, how alike the two are and how often it was built."""

    name: str
    earlier: Entry
    similarity: float
    times: int
    is_seen: bool = True
    """Whether the other place was looked at as it is now; False where nobody has its text."""


def rebuilt_function(new: NewFunction, registry: Registry, files: Files, diff: Diff, call: str) -> Rebuilt | None:
    """A function of that name that this session built in another place, or took out and builds again.

    Where a file is written whole nobody knows what it had: what is in it a second time may never have left it.
    """
    built = [entry for entry in registry.find("built", (new.name.lower(),)) if entry.call != call and entry.data]
    if new.owner or not built:
        return None
    whole = may_be_old(diff)
    earlier = [it for it in built if (it.path != new.path or not whole) and not is_exempt(it.path)]
    for entry in earlier:
        made = unpack(entry.data)
        if made is None:
            continue
        text = files.text(entry.path)
        alike = similarity(new.fingerprint, made)
        if alike >= _ANOTHER_PURPOSE and _is_there(entry, new, text, files):
            times = len({one.call for one in earlier})
            return Rebuilt(name=new.name, earlier=entry, similarity=alike, times=times, is_seen=text is not None)
    return None


def _is_there(entry: Entry, new: NewFunction, text: str | None, files: Files) -> bool:
    """Whether the file still does what was built there: what moved, and left only a call behind, is no rework."""
    if text is None:
        return files.exists(entry.path) is not False
    language = language_of(entry.path, text)
    return any(similarity(made, new.fingerprint) >= _ANOTHER_PURPOSE for made in _named(new.name, text, language))


def still_in(name: str, texts: list[str], language: str) -> bool:
    """Whether all of these do what the function of that name does in one of them, whatever it is called in the others.

    A name that only hands on to another place, as after a move, does it no longer.
    """
    known = [made for text in texts for made in _named(name, text, language)]
    others = [[made for _definition, made in _functions(text, language)] for text in texts]
    return any(all(any(similarity(made, one) > SAME for one in found) for found in others) for made in known)


def _named(name: str, text: str, language: str) -> list[Fingerprint]:
    return [made for definition, made in _functions(text, language) if definition.name == name]


def _functions(text: str, language: str) -> tuple[tuple[Definition, Fingerprint], ...]:
    tree = parse(text, language)
    return fingerprints(tree) if tree is not None else ()


def repeated_change(diff: Diff, registry: Registry, call: str) -> Rebuilt | None:
    """An earlier change of another turn that wrote the same text, here or elsewhere."""
    if diff.added_count < _LINES or not (language := language_of(diff.path, diff.after)):
        return None
    far = diff.added_count >= _LINES_ELSEWHERE
    changes = [entry for entry in registry.newest("change", WINDOW) if entry.call != call and entry.data]
    near = [entry for entry in changes if entry.path == diff.path or (far and not is_exempt(entry.path))]
    found = [entry for entry in near if language_of(entry.path) == language]
    if not found:
        return None
    packed = pack_text(added_text(diff), language)
    alike = [(overlap(packed, entry.data), entry) for entry in found]
    same = [(share, entry) for share, entry in alike if share > REPEATED]
    if not same:
        return None
    share, entry = max(same, key=lambda one: (one[0], one[1].turn))
    return Rebuilt(name=diff.path, earlier=entry, similarity=share, times=len({one.call for _share, one in same}))


def why_again(again: Rebuilt, names: Iterable[str], registry: Registry, agent: str, turn: int) -> str:
    """A good reason to build it again that came up since: a failure, the user's word, an announced revision or move."""
    since = again.earlier.turn
    if failed_between(registry, agent, since, turn + 1):
        return "something failed since"
    if asked_in(registry, agent) > since:
        return "the user spoke since"
    wanted = {word for name in names for word in telling_words(name.replace("/", " ").replace(".", " "))}
    for entry in registry.newest("plan", WINDOW):
        if entry.agent != agent or entry.turn <= since:
            continue
        said = entry.text.lower()
        if _REVISES.search(said) and _speaks_of(said, wanted):
            return "an announced revision"
        if entry.turn >= turn - _MOVED_IN and _MOVES.search(said):
            return "an announced move"
    return ""


def _speaks_of(said: str, wanted: set[str]) -> bool:
    return bool(wanted & set(telling_words(said.replace("/", " ").replace(".", " "))))


def announced_again(text: str, registry: Registry, agent: str) -> tuple[tuple[str, Entry], ...]:
    """Sentences that announce to rewrite, redo or replace what this session built, with its newest row."""
    lowered = text.lower()
    if not any(hint in lowered for hint in ("rewrit", "redo", "replac", "implement", "recreat", "rebuil")):
        return ()
    found: list[tuple[str, Entry]] = []
    for _at, sentence in sentences(spoken(text[:_TEXT])):
        for match in _AGAIN.finditer(" ".join(plain(sentence).split())):
            names = {word.strip("`'\"()") for word in match["thing"].split()}
            rows = [entry for entry in registry.find("built", names) if entry.agent == agent]
            found.extend((sentence, entry) for entry in rows[:1])
    return tuple(found)
