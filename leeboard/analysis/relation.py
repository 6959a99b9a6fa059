"""How an action is tied to what the human asked: for each path it changes, what led there and what that weighs.

Nothing here says "wrong folder". The question is whether *anything* leads to the path: the human's words, a search that
found it, a failing run that named it, work done beside it, the same names. `ties` makes facts of all that and weighs
them as the fit has it; here is what settles a path without weighing, what is known of the action, and the relation that
rules see.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from leeboard.analysis.occasion import Occasion, bare_occasion, defining, judged_paths, occasion_of, with_orders
from leeboard.analysis.path_role import is_guarded, is_hub, is_left_behind, is_own_notes
from leeboard.analysis.ties.doubt import DOUBTED, UNSURE, doubts_after, evidence_of, in_doubt
from leeboard.analysis.ties.fact import DELETED, UNREAD, Facts, Subject, facts_of, is_new, topic_of, usual_after
from leeboard.analysis.ties.sketch import WINDOW, marks
from leeboard.analysis.ties.weight import NEW_FILE, Tie, goal_table, weigh
from leeboard.analysis.ties.work import WorkSoFar
from leeboard.model.ledger import Met, Rows
from leeboard.model.lookup import Surroundings
from leeboard.model.session import Doubt, Session
from leeboard.model.text import matches
from leeboard.model.workspace import is_inside
from leeboard.model.world import World
from leeboard.text.language import areas_of_path, is_manifest, unrelated_area
from leeboard.text.names import folders, singular

SETTLED = -9.0
"""The weight of a path where one thing alone decides that it belongs."""

Distance = Literal["inside", "folder", "module", "far"]


class Relation(msgspec.Struct, frozen=True, kw_only=True):
    """What ties a path to the work."""

    path: str
    weight: float = SETTLED
    """Log odds that it is no part of the work."""
    evidence: float = 0.0
    """What the run of doubts amounts to with this one in it."""
    run: tuple[str, ...] = ()
    """The other paths that make it one, where this one alone would not do and nobody was told of them."""
    reasons: tuple[Tie, ...] = ()
    """All that weighs, the heaviest first."""
    facts: Facts = {}
    settled: str = ""
    """The one thing that decides; empty where the facts were weighed."""
    distance: Distance = "far"
    unrelated_area: str = ""
    """The path's area, when it has nothing in common with the goal's."""
    is_new: bool = False
    """The session itself makes the file."""
    undoes: bool = False
    """The change gives back what an earlier one took."""

    @property
    def belongs(self) -> bool:
        return self.weight <= DOUBTED

    @property
    def seeds(self) -> bool:
        """Whether what lies beside it may count as led to by it: only just to belong does not pave the way."""
        return self.weight <= UNSURE

    @property
    def strays(self) -> bool:
        """Whether to speak of it: it is in doubt, and the run it stands in weighs enough."""
        return not self.belongs and self.evidence >= goal_table().speak

    @property
    def told(self) -> tuple[Tie, ...]:
        """The reasons as people are told them: facts about the same thing are one, in the words of the heaviest."""
        found: dict[tuple[str, bool], Tie] = {}
        for reason in self.reasons:
            key = reason.topic or reason.text, reason.weight > 0
            first = found.get(key, replace(reason, weight=0.0))
            found[key] = replace(first, weight=round(first.weight + reason.weight, 3))
        return tuple(sorted(found.values(), key=lambda reason: (-abs(reason.weight), reason.text)))

    @property
    def against(self) -> tuple[str, ...]:
        """What speaks against it, the heaviest first."""
        return tuple(reason.text for reason in self.told if reason.weight > 0)


Relations = Mapping[str, Relation]


def settled(path: str, occasion: Occasion, rows: Rows) -> Relation | None:
    """The relation where one thing alone decides it; None where every tie has to be weighed."""
    if path == "." or not is_inside(path):
        return Relation(path=path, settled="outside the work tree", distance="inside")
    if path in occasion.takes_back or (path in occasion.deletes and rows.get(path, 0) & Met.STRAYED):
        return Relation(path=path, settled="takes back an earlier change", distance="inside", undoes=True)
    left = is_left_behind(f"{path}/" if path in occasion.deletes else path)
    if is_own_notes(path) or is_guarded(path) or (occasion.shell and left):
        return Relation(path=path, settled="not a file of the project's work", distance="inside")
    if occasion.named and in_scope(path, occasion.named):
        return Relation(path=path, settled="named by the user", distance="inside")
    holds_work = path in occasion.deletes and f"{path}/" in occasion.contract.scope
    if holds_work or (rows.get(path, 0) & Met.EDITED and path not in occasion.unsure):
        return Relation(path=path, settled="worked on before", distance="inside")
    return None


def relate(path: str, occasion: Occasion, rows: Rows, work: WorkSoFar, usual: tuple[float, ...] = ()) -> Relation:
    """Weigh every tie between a path that is not settled and the work; `rows` answers `terms_of`."""
    area, wording = unrelated_area(path, occasion.contract.areas), occasion.wording.of(path)
    subject = Subject(
        path=path,
        names=marks(wording.names),
        added=marks(wording.added),
        parts=wording.parts,
        asked=frozenset(singular(word.lower()) for word in occasion.asked),
        creates=path in occasion.creates or (path in occasion.made and path not in occasion.deletes),
        given=(("other_kind", float(bool(area))),),
        reading_leads="build" not in areas_of_path(path),
    )
    facts = facts_of(subject, work, rows, usual)
    weight, reasons = weigh(facts, _given(subject, occasion, rows, work), was_read=bool(rows.get(path, 0) & Met.READ))
    return Relation(
        path=path,
        weight=weight,
        reasons=reasons,
        facts=facts,
        is_new=is_new(subject, rows),
        distance="inside" if weight <= DOUBTED else _distance(path, work),
        unrelated_area=area,
    )


def in_scope(path: str, scope: Iterable[str]) -> bool:
    """Whether a scope entry speaks of the path: anchored at the root, or as a suffix of folders."""
    return any(matches(path, (entry, f"**/{entry}")) for entry in scope)


def _ordered(path: str, occasion: Occasion) -> float:
    """How surely an order lists it; what is listed has to be wired in somewhere, in a file that is there already."""
    if not occasion.listed:
        return 0.0
    from leeboard.speech.listed import (  # noqa: PLC0415 - only where something is listed
        CALLED_SO,
        EditContent,
        answer,
        spoken_of,
    )

    if is_hub(path) and path not in occasion.creates and spoken_of(occasion.words, occasion.listed):
        return 0.5
    return min(1.0, answer(path, occasion.written or EditContent(), occasion.listed)[0] / CALLED_SO)


GIVEN_TEXTS = {
    "it is the first change since the user spoke": "opening",
    "what led here may lie before this session's beginning": "forgotten",
    "the user asked for the whole repository": "whole",
    "the user asked for it everywhere": "everywhere",
    "it defines what the user named": "defines",
    "an order of the user lists it": "ordered",
    "it is the test or twin of a file of the work": "sibling",
    "it is a manifest, which any change may bring along": "manifest",
    "it is a translation, which any change may bring along": "translation",
    "it is documentation, which any change may bring along": "documentation",
    "it wires the project together": "hub",
    NEW_FILE: "new_file",
    UNREAD: "unread",
    DELETED: "deletion",
    "a whole folder is deleted": "folder_deletion",
}
"""What common sense knows and no fit has to teach, by its words."""


_KNOWN = Met.READ | Met.EDITED | Met.STRAYED


def _given(subject: Subject, occasion: Occasion, rows: Rows, work: WorkSoFar) -> tuple[Tie, ...]:
    path = subject.path
    deleted, new = path in occasion.deletes, is_new(subject, rows)
    areas, manifest = areas_of_path(path), is_manifest(path)
    holds = (
        occasion.opening,
        occasion.forgotten,
        occasion.whole,
        occasion.contract.wide,
        path in occasion.defining,
        _ordered(path, occasion),
        work.has_twin(path),
        manifest and (not folders(path) or _distance(path, work) != "far"),
        "i18n" in areas,
        "docs" in areas and not new,
        not manifest and is_hub(path) and (subject.reading_leads or not folders(path)),
        new,
        path in occasion.in_place and not deleted and not rows.get(path, 0) & _KNOWN,
        deleted,
        deleted and "." not in path.rpartition("/")[2],
    )
    given = goal_table().given
    told = zip(GIVEN_TEXTS.items(), holds, strict=True)
    return tuple(Tie(text, round(given[name] * so, 3), topic_of(name)) for (text, name), so in told if so)


def _distance(path: str, work: WorkSoFar) -> Distance:
    above, others = folders(path), work.other_folders(path)
    if above and above[0][:-1] in others:
        return "folder"
    return "module" if any(set(folders(f"{one}/")) & set(above[1:]) for one in others) else "far"


def settled_relations(world: World, rows: Rows) -> Relations | None:
    """Those of an action whose every path is settled; None where one has to be weighed. `rows` answers the paths."""
    return _all_of(_plain(world, rows))


def _plain(world: World, rows: Rows) -> dict[str, Relation | None]:
    occasion = bare_occasion(world)
    return {path: settled(path, occasion, rows) for path in judged_paths(world.analysis)}


def _all_of(plain: Mapping[str, Relation | None]) -> Relations | None:
    return None if None in plain.values() else {path: one for path, one in plain.items() if one is not None}


def relations_of(world: World, rows: Rows, around: Surroundings) -> Relations:
    """How each path the action changes is tied to the work; `rows` answers `terms_of` for all of them."""
    plain = _plain(world, rows)
    if (known := _all_of(plain)) is not None:
        return known
    occasion = replace(with_orders(occasion_of(world), world), defining=defining(world, around))
    if occasion.shell and world.analysis.event.is_live:
        there = {path for path in occasion.creates if around.files.exists(path)}
        occasion = replace(occasion, creates=occasion.creates - there, in_place=occasion.in_place | there)
    session = world.session
    doubts = tuple(doubt for doubt in session.doubts if not _is_let_in(doubt.path, world))
    work = WorkSoFar(around.newest("sketch", WINDOW), in_doubt(doubts))
    found = {path: one or relate(path, occasion, rows, work, session.usual) for path, one in plain.items()}
    return _in_their_run(found, doubts)


def _in_their_run(found: Relations, doubts: tuple[Doubt, ...]) -> Relations:
    speak = goal_table().speak
    run = doubts_after(doubts, map(_doubt, found.values()), speak)
    evidence, still = evidence_of(run), in_doubt(run)
    before = {doubt.path: doubt.weight for doubt in doubts if doubt.path in still and doubt.weight > DOUBTED}
    alone = any(doubt.path in found and doubt.weight >= speak for doubt in run)
    heavy = () if alone else (doubt for doubt in run if doubt.weight >= speak / 2 and not doubt.told)
    untold = tuple(doubt.path for doubt in heavy if doubt.path not in found)
    return {
        path: replace(relation, weight=max(relation.weight, before.get(path, SETTLED)), evidence=evidence, run=untold)
        for path, relation in found.items()
    }


def _is_let_in(path: str, world: World) -> bool:
    """What a person let in is work as long as their word holds, and no longer."""
    return any(one.covers("scope_drift", path, f"scope_drift:{path}") for one in world.allowances)


def _doubt(relation: Relation) -> Doubt:
    return Doubt(relation.path, relation.weight, relation.is_new)


def moved_on(session: Session, relations: Relations, doubted: Collection[str], *, refused: bool = False) -> Session:
    """The session after an action: the run of doubts (`doubted` are the paths found to be so), and what is usual.

    What was `refused` has been told with that, and is nothing that a later correction would have to name.
    """
    weighed = (_doubt(one) for path, one in relations.items() if one.belongs or path in doubted)
    doubts, usual = doubts_after(session.doubts, weighed, goal_table().speak), session.usual
    if any(one.strays and path in doubted for path, one in relations.items()):
        doubts = tuple(replace(doubt, told=True) if doubt.weight > DOUBTED else doubt for doubt in doubts)
    if refused:
        doubts = tuple(replace(doubt, told=True) if doubt.path in relations else doubt for doubt in doubts)
    known = {doubt.path for doubt in session.doubts}
    for path, relation in relations.items():
        if relation.facts and path not in known:
            usual = usual_after(usual, relation.facts)
    if doubts == session.doubts and usual == session.usual:
        return session
    return replace(session, doubts=doubts, usual=usual)
