"""What a session builds a second time: functions by name and fingerprint, changes by what they wrote."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from leeboard.code._sentence import sentences
from leeboard.code.added import added_text
from leeboard.code.build_intent import telling_words
from leeboard.code.counterpart import is_exempt
from leeboard.code.fingerprint import SAME, fingerprints, overlap, pack_text, similarity, unpack
from leeboard.code.language import language_of
from leeboard.code.new_code import NewFunction, defines, may_be_old
from leeboard.code.phrase import plain, spoken
from leeboard.code.syntax import parse
from leeboard.code.timeline import WINDOW, asked_in, failed_between
from leeboard.model.diff import Diff
from leeboard.model.lookup import Files, Registry
from leeboard.model.pattern import lazy
from leeboard.model.registry import Entry

REPEATED = 0.70
"""The share of a change that an earlier one has, above which it is the same work."""
_ANOTHER_PURPOSE = 0.4
"""Below this, two functions of one name have nothing else in common."""
_TEXT = 24_000
_LINES, _LINES_ELSEWHERE = 5, 12
"""Lines of a change that is worth comparing with others of its file, of other files."""
_REVISES = lazy(
    r"\b(?:revis|fix|updat|adjust|correct|improv|extend|chang|modif|mov|extract|relocat|split|renam|refactor|clean|polish|"
    r"simplif|convert|migrat|tweak|address|format|reorganiz|restructur|restor|revert|undo|"
    r"put back|bring back)\w{0,5}\b"
)

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
        alike = similarity(new.fingerprint, made)
        if alike >= _ANOTHER_PURPOSE and is_there(entry, new.name, files):
            return Rebuilt(name=new.name, earlier=entry, similarity=alike, times=len({one.call for one in earlier}))
    return None


def is_there(entry: Entry, name: str, files: Files) -> bool:
    """Whether the file still has what was built: moving it is no rework."""
    text = files.text(entry.path)
    if text is None:
        return files.exists(entry.path) is not False
    return defines(text, name, language_of(entry.path, text))


def still_in(name: str, texts: list[str], language: str) -> bool:
    """Whether all of these have the function; also where one of two calls it otherwise now."""
    having = [text for text in texts if defines(text, name, language)]
    if len(having) == len(texts) or len(having) != 1:
        return len(having) == len(texts)
    (other,) = (text for text in texts if text is not having[0])
    kept, renamed = (fingerprints(tree) if (tree := parse(text, language)) else () for text in (having[0], other))
    known = [made for definition, made in kept if definition.name == name]
    return any(similarity(made, one) > SAME for one in known for _definition, made in renamed)


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
    """A good reason to build it again that came up since: a failure, the user's word, an announced revision."""
    since = again.earlier.turn
    if failed_between(registry, agent, since, turn + 1):
        return "something failed since"
    if asked_in(registry, agent) > since:
        return "the user spoke since"
    wanted = {word for name in names for word in telling_words(name.replace("/", " ").replace(".", " "))}
    for entry in registry.newest("plan", WINDOW):
        said = entry.text.lower()
        if entry.agent == agent and entry.turn > since and _REVISES.search(said) and _speaks_of(said, wanted):
            return "an announced revision"
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
