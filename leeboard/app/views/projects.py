"""The projects of this user, and what waits in each of them for a person: gates, questions, changed files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from posixpath import basename, dirname, exists, isdir, join

import msgspec

from leeboard.app.archive import opened_archive
from leeboard.app.plan.engine import Engine
from leeboard.app.views.next_step import next_step
from leeboard.app.views.plan import choices, waiting_decision
from leeboard.app.views.tool_words import for_people
from leeboard.errors import LeeboardError
from leeboard.io import clock
from leeboard.io.places import database
from leeboard.model.plan import Plan
from leeboard.model.text import digest
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import intent_homes
from leeboard.store import paging
from leeboard.trust import record

_GIT = ".git"
_WATCHED = ("rulings.jsonl", "state.json", "gate-runs.json", "feedback", "units", "reviews/reports.jsonl")


class ShownProject(msgspec.Struct, frozen=True, kw_only=True):
    """A folder on this machine in which a session was recorded or a workflow lies."""

    key: str
    """Stands for it in addresses: no path ever does."""
    root: str
    name: str
    has_plan: bool


class WaitingWork(msgspec.Struct, frozen=True, kw_only=True):
    """Something that goes on once a person has spoken."""

    kind: str
    """`gate`, `plan`, `changes` or `question`; `course` for a session that a person is to look at."""
    project: str
    key: str
    """The project's, as in `ShownProject`."""
    intent: str
    title: str
    stage: str
    text: str
    since: str
    """Empty where nobody knows."""

    @property
    def mark(self) -> str:
        """By this a reader knows an entry again when the list is drawn anew."""
        return f"{self.project}\0{self.intent}\0{self.stage}\0{self.kind}\0{self.since}"


def project_key(root: str) -> str:
    return digest(root, 6)


def known_projects(also: Iterable[str] = ()) -> tuple[ShownProject, ...]:
    """Those that are still there, by name; `also` are looked at though nothing was recorded in them."""
    found = dict.fromkeys((*also, *_recorded(), *map(_top, record.repositories())))
    views = [_view(root) for root in found if root and isdir(root)]
    return tuple(sorted(views, key=lambda view: (view.name.lower(), view.root)))


def _recorded() -> tuple[str, ...]:
    if not exists(database()):
        return ()
    with opened_archive() as store:
        return paging.projects(store.pages)


def _top(repository: str) -> str:
    return dirname(repository) if basename(repository) == _GIT else repository


def _view(root: str) -> ShownProject:
    has_plan = any(isdir(join(root, layout.HOME, name)) for name in ("intents", "worktrees"))
    return ShownProject(key=project_key(root), root=root, name=basename(root) or root, has_plan=has_plan)


# What waits, looked for again only where the files of an intent look different.


Sight = tuple[tuple[str, int, int], ...]


class WaitingWatch:
    """Everything that waits in some projects; asked often, it reads little."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[Sight, tuple[WaitingWork, ...]]] = {}

    def look(self, projects: Iterable[ShownProject]) -> tuple[WaitingWork, ...]:
        return tuple(work for project in projects if project.has_plan for work in self._of_project(project))

    def _of_project(self, project: ShownProject) -> Iterator[WaitingWork]:
        """An engine is started only where something looks different: this is asked every second."""
        top = layout.top_of(layout.home_of(project.root))
        engine: Engine | None = None
        for slug, home in sorted(intent_homes(top).items()):
            sight = _sight(join(home, layout.HOME, layout.intent_folder(slug)))
            known = self._known.get((project.root, slug))
            if known is None or known[0] != sight:
                engine = engine or Engine(project.root)
                known = (sight, tuple(_waiting(engine, slug, project)))
                self._known[project.root, slug] = known
            yield from known[1]


def waiting_here(root: str) -> tuple[WaitingWork, ...]:
    return WaitingWatch().look((_view(root),))


def _waiting(engine: Engine, slug: str, project: ShownProject) -> Iterator[WaitingWork]:
    """Nothing where the plan can not be read, or nobody trusts it here: that is said elsewhere."""
    try:
        if engine.is_asleep(slug) or slug not in engine.slugs():
            return
        plan = engine.look(slug)
        found = _found(engine, plan)
    except (LeeboardError, OSError):
        return
    if found is None:
        return
    kind, text, since = found
    active = plan.active
    yield WaitingWork(
        kind=kind,
        project=project.root,
        key=project.key,
        intent=slug,
        title=plan.intent.title,
        stage=active.spec.name if active else "",
        text=for_people(text, {"intent": slug}),
        since=since,
    )


def _found(engine: Engine, plan: Plan) -> tuple[str, str, str] | None:
    """Kind, words and since when."""
    active = plan.active
    if Path(engine.home, layout.HOME, layout.below(plan.intent.slug, layout.DISPATCH)).exists():
        return "changes", "Files were changed by somebody else, and nobody has said what that means.", ""
    asked = plan.last.name in _ASKED if plan.last is not None else False
    if active is not None and choices(plan) and (asked or active.state.phase == "gate"):
        decided = waiting_decision(plan)
        if decided is not None and decided.counts:
            return None
        is_plan = active.state.phase == "elaborate"
        what = f"The plan of stage {active.spec.name}" if is_plan else f"Stage {active.spec.name}"
        return ("plan" if is_plan else "gate"), f"{what} waits for your decision.", _since(plan)
    if plan.intent.status != "active" or plan.last is None or not plan.sealed:
        return None
    clue = next_step(plan, clock.iso(clock.now())).clue
    if clue is not None and clue.waits and plan.last.name == clue.action:
        choice = active.state.question if active is not None else None
        return "question", str(choice.get("decision")) if choice else clue.message, plan.last.at
    return None


def _since(plan: Plan) -> str:
    return plan.active.state.gate_entered_at or (plan.last.at if plan.last else "") if plan.active else ""


_ASKED = frozenset(("gate_review", "external_review_requested", "awaiting_external_review"))
"""Actions an agent was given, and that a person has to answer: before that it may still be at work."""


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - names as the system gives them
    except OSError:
        return []


def _sight(folder: str) -> Sight:
    stages = _names(join(folder, "stages"))
    top = (".last_action.json", layout.DISPATCH, "intent.md", "user-turns.jsonl", "feedback")
    paths = (
        *(join(folder, name) for name in top),
        *(join(folder, "stages", stage, name) for stage in stages for name in _WATCHED),
    )
    return tuple(mark for path in paths if (mark := _mark(path)))


def _mark(path: str) -> tuple[str, int, int] | None:
    try:
        seen = os.lstat(path)
    except OSError:
        return None
    return path, seen.st_mtime_ns, seen.st_size
