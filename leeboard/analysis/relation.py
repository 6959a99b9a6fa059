"""How much leads from what the human asked to a path the agent changes.

Nothing here says "wrong folder". The question is whether *anything* led to the path: the human's words, a search that
found it, a failing run that named it, a file that imports it, work already done beside it, the same identifiers. Each
way of having met it is worth some points; a path with enough of them belongs to the work. A path with next to none is a
stray: the agent changed it although nothing in the session pointed there.

The points are hand-set and watched by `python -m tools.splice`, which measures silence on ordinary
sessions and speech on sessions with another task's edits spliced in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec.structs import replace

from leeboard.model.contract import Contract
from leeboard.model.event import Event, ToolProposed
from leeboard.model.ledger import Met, Rows
from leeboard.model.text import lazy, matches
from leeboard.model.workspace import is_inside
from leeboard.model.world import World
from leeboard.speech.listed import EditContent, Item, answer, items_of, spoken_of, written
from leeboard.text import language
from leeboard.text.language import areas_of_path, is_manifest, is_test, unrelated_area
from leeboard.text.names import folders, path_words, singular, stem

BELONGS = 2.5
"""Points from which a path belongs to the work."""
STRAY = 1
"""Points up to which a path is a stray by itself; between the two it takes a second such path to say so."""

SEEDS = 3.0
"""Points from which it counts as a place of the work for what comes after; a doubtful step must not pave the next."""

Distance = Literal["inside", "folder", "module", "far"]
Tie = tuple[float, str]


class Relation(msgspec.Struct, frozen=True, kw_only=True):
    """What ties a path to the work: points, and the ties in words."""

    path: str
    points: float
    ties: tuple[str, ...] = ()
    distance: Distance = "far"
    unrelated_area: str = ""
    """The path's area, when it has nothing in common with the goal's."""
    against: tuple[str, ...] = ()
    """What speaks against it, in words."""
    undoes: bool = False
    """The change gives back what an earlier one took."""

    @property
    def belongs(self) -> bool:
        return self.points >= BELONGS

    @property
    def seeds(self) -> bool:
        """Whether what lies beside it may count as led to by it."""
        return self.points >= SEEDS

    def strays(self, doubted: tuple[str, ...]) -> bool:
        """Whether to speak of it: nothing ties it to the work, or it is the second that hardly anything does."""
        return self.points <= STRAY or (not self.belongs and any(path != self.path for path in doubted))


Relations = Mapping[str, Relation]


class Occasion(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about the action besides its path."""

    contract: Contract
    named: tuple[str, ...]
    """Scope entries in the human's own words."""
    asked: tuple[str, ...] = ()
    """Words of the human's newest message."""
    listed: tuple[Item, ...] = ()
    """What the human's orders list beside the files they name."""
    written: EditContent = EditContent()
    """What the edit defines and uses."""
    worked: tuple[str, ...] = ()
    """Stems of the files the agent changed lately while on course."""
    words: tuple[str, ...] = ()
    """Distinctive identifiers of the edit."""
    shell: bool = False
    """A shell line does it."""
    creates: bool = False
    """It writes a whole file."""
    deletes: tuple[str, ...] = ()
    takes_back: tuple[str, ...] = ()
    """Paths on which it undoes an earlier change."""
    unread: bool = False
    """It edits a file in place, which takes having read it."""
    opening: bool = False
    """Nothing was changed yet since the human spoke."""
    forgotten: bool = False
    """What led here may lie before our time."""


def terms_of(path: str, words: Iterable[str]) -> tuple[str, ...]:
    """The ledger terms that decide about a path."""
    name = path.rsplit("/", 1)[-1]
    named = (path, f"name:{name}", f"name:{stem(path)}", *folders(path))
    return (*named, *(word_term(word) for word in (*path_words(path), stem(path), *words)))


@lru_cache(maxsize=16_384)
def word_term(word: str) -> str:
    """One spelling for a word in the ledger: without case, in the singular."""
    return f"#{singular(word.lower())}"


def settled(path: str, occasion: Occasion, rows: Rows) -> Relation | None:
    """The relation where one thing alone decides it; None where every tie has to be weighed."""
    if path == "." or not is_inside(path):
        return Relation(path=path, points=BELONGS, ties=("outside the work tree",), distance="inside")
    if path in occasion.takes_back or (path in occasion.deletes and rows.get(path, 0) & Met.STRAYED):
        undo = ("takes back an earlier change",)
        return Relation(path=path, points=BELONGS, ties=undo, distance="inside", undoes=True)
    if is_own_notes(path) or (occasion.shell and is_left_behind(path)):
        return Relation(path=path, points=BELONGS, ties=("not a file of the project's work",), distance="inside")
    if occasion.named and in_scope(path, occasion.named):
        return Relation(path=path, points=10.0, ties=("named by the user",), distance="inside")
    if rows.get(path, 0) & Met.EDITED:
        return Relation(path=path, points=10.0, ties=("worked on before",), distance="inside")
    return None


def relate(path: str, occasion: Occasion, rows: Rows) -> Relation:
    """Weigh every tie between a path and the work; `rows` answers `terms_of`."""
    plain = settled(path, occasion, rows)
    if plain is not None:
        return plain
    area = unrelated_area(path, occasion.contract.areas)
    ties = [
        *_path_ties(path, rows),
        *_folder_ties(path, rows),
        *_word_ties(path, occasion, rows),
        *_kind_ties(path, occasion, rows),
        *_order_ties(path, occasion),
        *_occasion_ties(path, occasion, rows),
    ]
    points = sum(worth for worth, _text in ties) - (0.75 if area else 0.0)
    return Relation(
        path=path,
        points=points,
        ties=tuple(text for worth, text in ties if worth > 0),
        against=tuple(text for worth, text in ties if worth < 0),
        distance="inside" if points >= BELONGS else _distance(path, rows),
        unrelated_area=area,
    )


def in_scope(path: str, scope: Iterable[str]) -> bool:
    """Whether a scope entry speaks of the path: anchored at the root, or as a suffix of folders."""
    return any(matches(path, (entry, f"**/{entry}")) for entry in scope)


def _path_ties(path: str, rows: Rows) -> list[Tie]:
    met = rows.get(path, 0)
    name = rows.get(f"name:{path.rsplit('/', 1)[-1]}", 0)
    ties: list[Tie] = []
    if met & Met.EXPLORED:
        ties.append((2.5, "read before the first edit"))
    elif met & Met.READ:
        ties.append((0.75, "read"))
    elif name & Met.EXPLORED:
        ties.append((0.5, "its namesake was read"))
    for flag, worth, weaker, text in (
        (Met.NAMED, 4.0, 3.0, "named by the user"),
        (Met.FOUND, 3.0, 1.0, "found by a search or a run"),
        (Met.SAID, 1.5, 1.0, "named in the agent's plan"),
        (Met.LISTED, 1.5, 0.75, "listed"),
    ):
        if met & flag:
            ties.append((worth, text))
        elif name & flag:
            ties.append((weaker, f"{text} (by file name)"))
    return ties


def _folder_ties(path: str, rows: Rows) -> list[Tie]:
    above = folders(path)
    if not above:
        return [(1.25, "at the root")]
    ties: list[Tie] = []
    if rows.get(above[0], 0) & Met.EDITED:
        ties.append((0.5, f"work in {above[0]}"))
    elif rows.get(above[0], 0) & Met.EXPLORED:
        ties.append((0.75, f"explored {above[0]}"))
    if len(above) > 1 and rows.get(above[1], 0) & Met.EDITED:
        ties.append((0.25, f"work in {above[1]}"))
    return ties


def _word_ties(path: str, occasion: Occasion, rows: Rows) -> list[Tie]:
    def met_as(candidates: Iterable[str], flag: int) -> list[str]:
        return [word for word in candidates if rows.get(word_term(word), 0) & flag]

    ties: list[Tie] = []
    own, words = path_words(path), occasion.words
    for candidates, flag, each, most, text in (
        (own, Met.WORD, 1.75, 3.5, "the user spoke of"),
        (own, Met.SAID, 0.75, 1.5, "the plan speaks of"),
        (path_words(path.rsplit("/", 1)[-1]), Met.WROTE, 0.75, 1.5, "the work is about"),
        (words, Met.WORD, 0.75, 2.25, "the user's words in it:"),
        (words, Met.SAID, 0.75, 1.5, "the plan's words in it:"),
        (words, Met.WROTE, 0.4, 1.6, "shares with the work:"),
    ):
        found = met_as(candidates, flag)
        if found:
            ties.append((min(most, each * len(found)), f"{text} {', '.join(found[:3])}"))
    just_asked = {word_term(word) for word in occasion.asked}
    subject = [word for word in path_words(path.rsplit("/", 1)[-1]) if word_term(word) in just_asked]
    if subject:
        ties.append((1.5, f"just asked for: {', '.join(subject[:3])}"))
    if rows.get(word_term(stem(path)), 0) & Met.IMPORTED:
        ties.append((0.75, f"{stem(path)} is imported by a file of the session"))
    return ties


def _order_ties(path: str, occasion: Occasion) -> list[Tie]:
    worth, item = answer(path, occasion.written, occasion.listed) if occasion.listed else (0.0, "")
    return [(worth, f"the order lists: {item}")] if worth else []


def _kind_ties(path: str, occasion: Occasion, rows: Rows) -> list[Tie]:
    above, areas = folders(path), areas_of_path(path)
    ties: list[Tie] = []
    if is_test(path):
        ties.append(_test_tie(path, occasion, rows))
    if is_manifest(path):
        near = not above or rows.get(above[0], 0) & (Met.EDITED | Met.EXPLORED)
        ties.append((3.0, "a manifest") if near else (0.75, "a manifest"))
    elif is_hub(path):
        ties.append(_hub_tie(occasion))
    if "i18n" in areas:
        ties.append((2.0, "translations go along"))
    if "docs" in areas:
        ties.append((2.0, "about the whole project") if not above else (0.5, "docs"))
    return ties


def _hub_tie(occasion: Occasion) -> Tie:
    """What an order lists has to be wired in somewhere, in a file that is there already."""
    wired = "" if occasion.creates else spoken_of(occasion.words, occasion.listed)
    return (2.5, f"wires in {wired}") if wired else (1.0, "wires the project together")


def _test_tie(path: str, occasion: Occasion, rows: Rows) -> Tie:
    """The test of a file on course is on course, by its name or by the file it speaks of."""
    known = rows.get(f"name:{stem(path)}", 0) & (Met.EDITED | Met.NAMED)
    spoken_of = {stem(path), *(word.lower() for word in occasion.words)}
    tested = stem(path) if known else next((one for one in occasion.worked if one in spoken_of), "")
    return (BELONGS, f"test of {tested}") if tested else (1.5, "a test")


def _occasion_ties(path: str, occasion: Occasion, rows: Rows) -> list[Tie]:
    met, above = rows.get(path, 0), folders(path)
    ties: list[Tie] = []
    if path in occasion.deletes:
        ties.append((1.25, "a deletion"))
    elif occasion.creates and not met & (Met.READ | Met.LISTED | Met.FOUND):
        beside = bool(above) and bool(rows.get(above[0], 0) & Met.EDITED)
        what, worth = ("written by the shell", 1.25) if occasion.shell else ("a new file", 0.25)
        ties.append((max(1.0, worth), f"{what} beside the work") if beside or not above else (worth, what))
    if occasion.unread and not met & Met.READ:
        ties.append((-1.5, "changed without having been read"))
    if occasion.opening:
        ties.append((1.0 if occasion.creates else 0.5, "the first change since the user spoke"))
    if occasion.forgotten:
        ties.append((1.5, "what led here may lie before this session's beginning"))
    if occasion.contract.wide:
        ties.append((1.5, "the user asked for it everywhere"))
    return ties


def _distance(path: str, rows: Rows) -> Distance:
    above = folders(path)
    if above and rows.get(above[0], 0) & Met.EDITED:
        return "folder"
    return "module" if any(rows.get(folder, 0) & Met.EDITED for folder in above[1:]) else "far"


# What a path is to a project, told by its name: it wires things together, was left behind, holds an agent's notes.


_HUBS = lazy(
    r"route|config|setting|^index\.|^__init__\.|^(?:mod|lib|main)\.|^app\.|types?\.|constant|errors?\.|makefile|cmakelists|dockerfile|"
    r"manifest|procfile|^schema|^urls\.|^admin\.|compose|\.(?:ya?ml|toml|json|plist|gradle|cfg|ini|lock)$|^\."
)
"""Files that wire a project together: many a change has to pass through them."""


_ARTIFACT = lazy(
    r"\.(?:log|tmp|out|pid|bak|orig|swp|pyc|map|lock|sqlite3?|db|csv|png|jpe?g|gif|pdf|zip|gz)$|(?:^|[_\-/])(?:output|results?)[\w\-]*\.(?:txt|json)$",
    re.IGNORECASE,
)
"""What running things leaves behind: no choice of a file to work on."""
_OWN_NOTES = lazy(
    r"^(?:\.claude|\.cursor|\.codex|memory-bank|\.specstory)/|(?:^|/)(?:claude|agents|todo|plan|notes)\.md$",
    re.IGNORECASE,
)
"""Where agents keep their own plans and memory."""


def is_hub(path: str) -> bool:
    return bool(_HUBS.search(path.rsplit("/", 1)[-1].lower()))


def is_left_behind(path: str) -> bool:
    return language.lies_in(path, "artifact", any_case=True) or bool(_ARTIFACT.search(path))


def is_own_notes(path: str) -> bool:
    return bool(_OWN_NOTES.search(path))


# What an action tells besides its paths: whether it creates, deletes, takes back, or edits what nobody read.


_IN_PLACE = {"sed", "perl", "ruff", "black", "prettier"}
"""Programs that change what is there; what other shell lines write is mostly new."""


def relations_of(world: World, rows: Rows) -> Relations:
    """How each path the action changes is tied to the work; `rows` answers `terms_of` for all of them.

    What the orders list is read only where a path is not settled without it: most are, and a hook process would compile
    a dozen patterns for it.
    """
    occasion = occasion_of(world)
    plain = {path: settled(path, occasion, rows) for path in world.analysis.modified}
    if None in plain.values():
        occasion = with_orders(occasion, world)
    return {path: relation or relate(path, occasion, rows) for path, relation in plain.items()}


def with_orders(occasion: Occasion, world: World) -> Occasion:
    """The occasion with what the orders of the session list."""
    listed = _listed(world)
    return replace(occasion, listed=listed, written=_written(world.analysis.event)) if listed else occasion


def occasion_of(world: World) -> Occasion:
    """The action the world shows, without what the orders list. A change found in the tree counts as the shell's."""
    event, analysis, session = world.analysis.event, world.analysis, world.session
    action = event.call.action if isinstance(event, ToolProposed) else "bash"
    return Occasion(
        contract=world.contract,
        named=(*session.given_scope, *(entry for goal in session.goals for entry in goal.scope)),
        asked=session.goals[-1].keywords if session.goals else (),
        words=_telling_words(world),
        worked=_worked(world),
        shell=action == "bash",
        creates=action == "write" or (action == "bash" and not _IN_PLACE & set(analysis.programs)),
        takes_back=_takes_back(world),
        deletes=tuple(touch.path for touch in analysis.touches if touch.kind == "delete"),
        unread=_must_have_read(world),
        opening=not world.agent.edits,
        forgotten=not world.agent.remembers,
    )


def _listed(world: World) -> tuple[Item, ...]:
    """What the orders of the session list: an older one holds until all of it is done, which nobody can tell."""
    return tuple(item for goal in reversed(world.session.goals) for item in items_of(goal.text, goal.keywords))


def _written(event: Event) -> EditContent:
    """By the texts of an edit, old and new, or the shell line that writes it."""
    if not isinstance(event, ToolProposed):
        return EditContent()
    texts = [text for edit in event.call.edits for text in (edit.old, edit.new)]
    return written(texts or [event.call.command], whole=event.call.action == "write")


def _worked(world: World) -> tuple[str, ...]:
    """What only just belongs leads nowhere but to its own test."""
    edited = (mark.path for mark in world.agent.marks if mark.kind == "edit")
    return tuple(dict.fromkeys(stem(path) for path in edited if path not in world.agent.strays))


def _takes_back(world: World) -> tuple[str, ...]:
    """Paths on which this very edit is the undoing of an earlier one: the way back is never astray."""
    own = world.analysis.digest
    return tuple(mark.path for mark in world.agent.marks if own and mark.reverse == own != mark.digest)


def _telling_words(world: World) -> tuple[str, ...]:
    """The edit's identifiers but for the project's own name, which stands everywhere."""
    name = world.workspace.root.rsplit("/", 1)[-1].lower()
    project = {name, *name.replace("_", "-").split("-")}
    return tuple(word for word in world.analysis.words if word.lower() not in project)


def _must_have_read(world: World) -> bool:
    """The client lets nobody edit in place what was not read; where reads are not shown to us this says nothing."""
    event = world.analysis.event
    in_place = isinstance(event, ToolProposed) and event.call.tool.lower() in {"edit", "multiedit", "notebookedit"}
    return in_place and world.session.reads > 0
