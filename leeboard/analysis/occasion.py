"""What is known about an action besides the paths it changes: the orders it answers, the names in it, how it is done.

Whether it creates, deletes, takes back, edits what nobody read; what of it the human listed; which words of the ledger
decide about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from leeboard.analysis.ties.fact import terms_of_path
from leeboard.analysis.ties.wording import CallWording, wording_of
from leeboard.model.contract import Contract
from leeboard.model.event import Event, ToolProposed
from leeboard.model.lookup import Surroundings
from leeboard.model.text import lazy
from leeboard.model.world import Analysis, World
from leeboard.text.names import singular, split_words

if TYPE_CHECKING:
    from leeboard.speech.listed import EditContent, Item


class Occasion(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about the action besides its path."""

    contract: Contract
    named: tuple[str, ...]
    """Scope entries in the human's own words."""
    asked: tuple[str, ...] = ()
    """Words of the human's newest message."""
    listed: tuple[Item, ...] = ()
    """What the human's orders list beside the files they name."""
    written: EditContent | None = None
    """What the edit defines and uses, where they list anything."""
    wording: CallWording = CallWording()
    """The names in what it writes."""
    words: tuple[str, ...] = ()
    """Distinctive identifiers of the edit."""
    shell: bool = False
    """A shell line does it."""
    creates: frozenset[str] = frozenset()
    """Paths it writes as a whole, so that they may be new."""
    deletes: tuple[str, ...] = ()
    takes_back: tuple[str, ...] = ()
    """Paths on which it undoes an earlier change."""
    in_place: frozenset[str] = frozenset()
    """Paths it changes as they are, which takes having read them; none where reads are not shown to us."""
    opening: bool = False
    """Nothing was changed yet since the human spoke."""
    forgotten: bool = False
    """What led here may lie before our time."""
    whole: bool = False
    """The newest request is about the whole repository."""
    defining: frozenset[str] = frozenset()
    """Files that define what the user named."""
    unsure: frozenset[str] = frozenset()
    """Files that were changed before and only just belonged, or not."""
    made: frozenset[str] = frozenset()
    """Those of them that the session itself made."""


def terms_of(path: str, parts: Iterable[str]) -> tuple[str, ...]:
    """The ledger terms that decide about a path; `parts` are words of the edit."""
    return (*terms_of_path(path), *(f"#{part}" for part in parts))


@lru_cache(maxsize=16_384)
def word_term(word: str) -> str:
    """One spelling for a word in the ledger: without case, in the singular."""
    return f"#{singular(word.lower())}"


_PLAIN = 5
"""Letters up to which a word without capitals is just a word."""
_SYMBOL = lazy(r"[A-Za-z_]\w{3,60}", re.ASCII)


def defining(world: World, around: Surroundings) -> frozenset[str]:
    """Files that define what the newest requests name: `slugify` leads to where it is defined."""
    texts = "\n".join(goal.text for goal in world.session.goals[-2:])
    names = {name for name in _SYMBOL.findall(texts) if len(name) > _PLAIN or name.lower() != name or "_" in name}
    symbols = around.symbols if names else None
    if symbols is None:
        return frozenset()
    from leeboard.text.words import stem  # noqa: PLC0415 - only where a symbol is named and there is an index

    words = {stem(part) for name in names for part in split_words(name)}
    return frozenset(symbol.path for symbol in symbols.named(words) if symbol.name in names)


def terms_wanted(world: World) -> tuple[str, ...]:
    """The ledger terms that decide about an action."""
    judged = judged_paths(world.analysis)
    if not judged:
        return ()
    parts = wording_of(world.analysis.event, world.workspace).parts
    return tuple(dict.fromkeys(term for path in judged for term in terms_of(path, parts)))


def judged_paths(analysis: Analysis) -> tuple[str, ...]:
    """What an action changes, and the patterns of what it deletes unseen; of the whole tree nobody can tell which."""
    if not analysis.unnamed:
        return analysis.modified
    return tuple(dict.fromkeys((*analysis.modified, *(path for path in analysis.unnamed if "/" in path))))


def with_orders(occasion: Occasion, world: World) -> Occasion:
    """The occasion with what the orders of the session list."""
    listed = _listed(world)
    event = world.analysis.event
    return replace(occasion, listed=listed, written=_written(event)) if listed else occasion


def bare_occasion(world: World) -> Occasion:
    """What the world shows without a look at what is written: enough to settle most paths."""
    event, analysis, session = world.analysis.event, world.analysis, world.session
    return Occasion(
        contract=world.contract,
        named=(*session.given_scope, *(entry for goal in session.goals for entry in goal.scope)),
        shell=not isinstance(event, ToolProposed) or event.call.action == "bash",
        takes_back=_takes_back(world),
        deletes=(*(touch.path for touch in analysis.touches if touch.kind == "delete"), *analysis.unnamed),
        unsure=frozenset(doubt.path for doubt in session.doubts),
    )


def occasion_of(world: World) -> Occasion:
    """The action the world shows, without what the orders list. A change found in the tree counts as the shell's."""
    event, analysis, session = world.analysis.event, world.analysis, world.session
    bare, wording = bare_occasion(world), wording_of(event, world.workspace)
    edits = isinstance(event, ToolProposed) and event.call.action == "edit"
    return replace(
        bare,
        asked=session.goals[-1].keywords if session.goals else (),
        wording=wording,
        words=analysis.words,
        creates=frozenset(() if edits else analysis.modified) - wording.in_place - set(bare.deletes),
        in_place=_in_place(world, wording),
        opening=not (world.agent.edits or session.agent("").edits),  # a delegation is no new beginning
        forgotten=not world.agent.remembers,
        made=frozenset(doubt.path for doubt in session.doubts if doubt.is_new),
        whole=bool(session.goals) and asks_for_all(session.goals[-1].text),
    )


def _listed(world: World) -> tuple[Item, ...]:
    """What the orders of the session list: an older one holds until all of it is done, which nobody can tell."""
    from leeboard.speech.listed import items_of  # noqa: PLC0415 - only where nothing else leads to a path

    return tuple(item for goal in reversed(world.session.goals) for item in items_of(goal.text, goal.keywords))


def _written(event: Event) -> EditContent:
    """By the texts of an edit, old and new, or the shell line that writes it."""
    from leeboard.speech.listed import EditContent, written  # noqa: PLC0415 - as above

    if not isinstance(event, ToolProposed):
        return EditContent()
    texts = [text for edit in event.call.edits for text in (edit.old, edit.new)]
    return written(texts or [event.call.command], whole=event.call.action == "write")


def _takes_back(world: World) -> tuple[str, ...]:
    """Paths on which this very edit is the undoing of an earlier one: the way back is never astray."""
    own = world.analysis.digest
    return tuple(mark.path for mark in world.agent.marks if own and mark.reverse == own != mark.digest)


def _in_place(world: World, wording: CallWording) -> frozenset[str]:
    """The client lets nobody edit in place what was not read, and a shell line is no better for asking nobody."""
    event = world.analysis.event
    if not isinstance(event, ToolProposed) or not world.session.reads:
        return frozenset()
    edits = event.call.tool.lower() in {"edit", "multiedit", "notebookedit"}
    return frozenset(world.analysis.modified) if edits else wording.in_place


# Does a request ask for the whole repository? Then no part of it is foreign to the work.

_ALL = lazy(
    r"\b(?:tidy|clean|polish|refactor|moderni[sz]e|reformat|format|lint|audit|harden|simplify)\w{0,3}\s+(?:up\s+)?"
    r"(?:(?:the|our|this|my|all)\s+)?(?:(?:whole|entire|full)\s+)?"
    r"(?:code\s?base|code|project|repo|repository|tree|sources?)\s*(?:[.!?]|$|\band\b)"
    r"|\b(?:whole|entire)\s+(?:code\s?base|project|repo|repository|tree)\b"
    r"|\b(?:all|every|any)\b[^.!?\n]{0,40}\s(?:in|across|of)\s+(?:the|this|our)\s+(?:code\s?base|project|repo|repository)\b"
    r"|\b(?:across|throughout)\s+(?:the|this|our)\s+(?:code\s?base|project|repo|repository|code)\b"
    r"|\b(?:code\s?base|code|project|repo|repository)\s+throughout\b"
    r"|\b(?:upgrade|migrate|port|convert|move|update)\w{0,3}\s+(?:the|this|our)\s+(?:code\s?base|project|repo|repository)\s+(?:to|from)\b"
    r"|\b(?:get\s+rid\s+of|remove|delete|find)\s+(?:all\s+|any\s+|the\s+)?(?:unused|dead|obsolete|orphaned)\s+(?:files?|code|modules?|"
    r"imports?|dependenc\w+)\s*(?:[.!?]|$)",
    re.IGNORECASE,
)


@lru_cache(maxsize=16)
def asks_for_all(text: str) -> bool:
    """True for "tidy up the code base": no part of the repository is foreign to it."""
    return bool(_ALL.search(text))
