"""Whether the user asked for the second one: in words, by its name or path, or as the twin for another entity.

What the user orders is no drift, whichever rule finds it: a finding about it is logged and never spoken of.
"""

from __future__ import annotations

from collections.abc import Iterable

from leeboard.model.symbol import Fingerprint, Symbol
from leeboard.model.world import World
from leeboard.source.code_features import anchors_of
from leeboard.source.counterpart import parts_of
from leeboard.source.new_code import NewFunction
from leeboard.source.tokens import tokens
from leeboard.speech.order import named, ordered, subject_words
from leeboard.text.words import stem

DIRECTED = "user-directed: not signaled"
_SECOND = (
    *"separate duplicate copy clone split extract".split(),
    *("new version", "second version", "side by side"),
)
"""Orders after which there are two of a kind."""
_AGAIN = (
    *"rewrite reimplement fork port backport replace move rename like similar".split(),
    *("from scratch", "own version", "same as", "same way", "same for", "just as"),
)
_BESIDE = (
    *"v2 alternative parallel".split(),
    *("feature flag", "keep the old", "new file", "new module"),
)
_CREATES = "add create implement build write make support introduce generate provide scaffold need want".split()


def asks_again(world: World, about: Iterable[str]) -> bool:
    """Whether a goal orders to build again, elsewhere or alike what is there."""
    return ordered(world, (*_SECOND, *_AGAIN), about)


def asks_beside(world: World, about: Iterable[str]) -> bool:
    """Whether a goal orders a second version beside the first."""
    return ordered(world, (*_SECOND, *_BESIDE), about)


def names_it(world: World, new: Symbol) -> bool:
    """Whether a goal names the new file by its path, or the new function as it is written."""
    if new.kind == "file":
        return named(world, (new.path, new.name))
    return len(parts_of(new.name)) > 1 and named(world, (new.name,))


def is_asked_twin(world: World, new: NewFunction, old: Symbol, known: Fingerprint) -> bool:
    """`list_orders` beside `list_users`, where the user asked for orders and the code speaks of them.

    A copy that speaks of the same things as the old one, and only is called otherwise, is none.
    """
    entity = _entity(new, old)
    if not entity or not _asks_for(world, entity):
        return False
    fresh = set(new.fingerprint.anchors).difference(known.anchors)
    spoken_of = frozenset().union(*map(_forms, entity))
    found = tokens(new.text, new.fingerprint.language)
    return any(
        spoken_of.intersection(map(stem, parts_of(token))) and not fresh.isdisjoint(anchors_of(token))
        for token in found
    )


def asks_for_entity(world: World, new: str, old: str) -> bool:
    """Whether two names differ by a noun alone and the user asked for that of the new one."""
    entity = _swapped(parts_of(new), parts_of(old), shared=1)
    return bool(entity) and _asks_for(world, entity)


def _asks_for(world: World, entity: frozenset[str]) -> bool:
    said = subject_words(word for goal in world.session.goals for word in goal.text.split())
    forms = [_forms(word) for word in entity]
    return all(said & one for one in forms) and ordered(world, _CREATES, (*entity, *(f"{word}s" for word in entity)))


def _forms(word: str) -> frozenset[str]:
    """The stems of a noun, for one and for several of it: those of `cookie` and `cookies` are not the same."""
    return frozenset((stem(word), stem(f"{word}s"), stem(word.removesuffix("s"))))


def _entity(new: NewFunction, old: Symbol) -> frozenset[str]:
    """The words by which one differs from the other: in its name, or for the same name in its class or path."""
    if new.name != old.name:
        return _swapped(parts_of(new.name), parts_of(old.name), shared=1)
    if new.owner != old.owner:
        return _swapped(parts_of(new.owner), parts_of(old.owner), shared=0)
    return _swapped(_path_words(new.path), _path_words(old.path), shared=0)


def _path_words(path: str) -> tuple[str, ...]:
    return parts_of(path.rpartition(".")[0] or path)


def _swapped(new: tuple[str, ...], old: tuple[str, ...], shared: int) -> frozenset[str]:
    """The middle of the new words where the old ones have another; so many words around it are the same."""
    most = min(len(new), len(old))
    first = next((at for at in range(most) if new[at] != old[at]), most)
    last = next((at for at in range(most - first) if new[-1 - at] != old[-1 - at]), most - first)
    middle, other = new[first : len(new) - last], old[first : len(old) - last]
    if not middle or not other or first + last < shared:
        return frozenset()
    return frozenset(word for word in middle if not word.isdigit())
