"""One look at an intent: every file of it, git and the seal.

From one look to the next only parses are remembered, by the very text they were made from, and pages that look as they
did when they were read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from leeboard.errors import StateError
from leeboard.model.plan import GitFacts, Intent, LastAction, Plan, StageState, StageView
from leeboard.model.studio import StageSpec, Studio
from leeboard.model.unit import Feedback, Unit
from leeboard.plan.disk import layout
from leeboard.plan.disk.evidence import (
    gather_facts,
    merged_elsewhere,
    missing_inputs,
    missing_templates,
    missing_unit_outputs,
)
from leeboard.plan.disk.folder import PlanFolder, steady
from leeboard.plan.disk.gates import RUNS_FILE, known_runs
from leeboard.plan.disk.lost_intents import way_back
from leeboard.plan.disk.page_cache import PAGES
from leeboard.plan.disk.records import read_reports, read_rulings, reports_file, rulings_file, turns_since
from leeboard.plan.disk.seal import Seal, SignedLines, read_signed
from leeboard.plan.disk.studios import list_studios, load_studio
from leeboard.plan.disk.trusted import settings_text
from leeboard.plan.files import files
from leeboard.plan.files.files import guarding, guarding_changes
from leeboard.plan.files.state import Kind, engine_values, parse_stage_state
from leeboard.plan.machine.policy import is_discrete, loosened

_MOST_PARSED = 1024
_BEGUN = frozenset({"state.json", "units", "feedback", "reviews", "rulings.jsonl"})
"""Where a stage has none of these, there is nothing more to be read: most stages are still to come."""
_parse_unit = lru_cache(_MOST_PARSED)(files.parse_unit)
_parse_state = lru_cache(_MOST_PARSED)(parse_stage_state)
_parse_intent = lru_cache(64)(files.parse_intent)
_parse_feedback = lru_cache(_MOST_PARSED)(files.parse_feedback)
_engine_values = lru_cache(2 * _MOST_PARSED)(engine_values)

Page = TypeVar("Page")


@lru_cache(4)
def _settings(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is wrong with them, and those that guard the work."""
    found = files.parse_settings(text)
    return files.settings_slips(found, text), guarding(found)


class SealedPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A look, and the seal it was checked with."""

    plan: Plan
    seal: Seal
    values: dict[str, Any]
    """The engine's fields of each file, by its path below the intent."""


def look(root: str, slug: str) -> Plan:
    """StateError where there is no such intent, or where its files are no files."""
    return look_at(PlanFolder(layout.home_of(root)), slug).plan


def look_at(folder: PlanFolder, slug: str, *, full: bool = True, work: bool = True) -> SealedPlan:
    """Not `full`: what the next step hangs on is seen, and of git no more than that.

    Without `work` what stands at a gate is named only where somebody approved it already.
    """
    with steady(folder) as held:
        return _Looking(held, slug, work=work).seen(full=full)


def read_intent(folder: PlanFolder, slug: str) -> Intent | None:
    """The intent of this slug; None where there is none."""
    text = folder.text(layout.intent_file(slug)) if files.safe_id(slug, "slug") else None
    return None if text is None else _parse_intent(text, slug)


class _Looking:
    """Collects what the seal has to be compared with while it reads."""

    def __init__(self, folder: PlanFolder, slug: str, *, work: bool) -> None:
        self._folder = folder
        self._slug = slug
        self._work = work
        self._place = layout.place_of(folder.home)
        self._values: dict[str, Any] = {}
        self._base = ""
        self._names: dict[str, list[str]] = {}
        """What lies in the folder of each stage."""

    def seen(self, *, full: bool) -> SealedPlan:
        intent = self._intent()
        self._base = intent.base
        studio = load_studio(self._folder.home, intent.studio) if intent.studio else None
        specs = _stages(intent, studio)
        begun = self._begun(spec.name for spec in specs)
        views = tuple(self._view(spec) if spec.name in begun else _to_come(spec) for spec in specs)
        feedback = self._feedback("")
        seal = Seal(self._folder, self._slug)
        seal.check(self._values)
        tampered = (*seal.tampered, *(loosened(intent, (view.spec for view in views)) if studio else ()))
        slips, guarded = _settings(settings_text(self._folder))
        plan = Plan(
            intent=intent,
            studio=studio,
            studios=() if intent.studio and begun else list_studios(self._folder.home),
            stages=views,
            feedback=feedback,
            git=self._facts(views, full=full),
            tick=_tick(self._folder, self._slug),
            last=self._last(),
            sealed=not tampered,
            tampered=tampered,
            problems=tuple(_problems("intent.md", intent.problem)),
            notes=(*slips, *guarding_changes(intent.guarding, guarded)),
            guarding=guarded,
        )
        return SealedPlan(plan=self._with_active(plan), seal=seal, values=self._values)

    def _facts(self, views: tuple[StageView, ...], *, full: bool) -> GitFacts:
        active = next((view for view in views if view.state.status != "completed"), None)
        shown = active is not None and active.state.phase in {"review", "gate"}
        units = tuple(unit for view in views for unit in view.units)
        return gather_facts(self._place, self._slug, units, full=full, shown=shown)

    def _intent(self) -> Intent:
        text = self._text("intent", layout.intent_file(self._slug)) if files.safe_id(self._slug, "slug") else None
        if text is None:
            raise StateError(absent(self._folder, self._slug))
        return _parse_intent(text, self._slug)

    def _begun(self, stages: Iterable[str]) -> set[str]:
        found = self._folder.listings(f"{layout.intent_folder(self._slug)}/stages", stages, PAGES)
        self._names = {stage: names.split("/") for stage, names in found.items()}
        return {stage for stage, names in self._names.items() if not _BEGUN.isdisjoint(names)}

    def _view(self, spec: StageSpec) -> StageView:
        state = _parse_state(self._text("stage", layout.state_file(self._slug, spec.name)) or "", spec.name)
        feedback = self._feedback(spec.name)
        return StageView(
            spec=spec,
            state=state,
            units=self._units(spec.name),
            feedback=feedback,
            reports=read_reports(self._lines(reports_file(self._slug, spec.name)), state.visits)[0],
            rulings=read_rulings(self._lines(rulings_file(self._slug, spec.name)))[0],
            problems=tuple(_problems(f"stages/{spec.name}", state.problem)),
        )

    def _lines(self, path: str) -> SignedLines:
        """The lines of people and of review agents: none may go, and none may come again."""
        found = read_signed(self._folder, path)
        self._values[self._below(path)] = found.sealed
        return found

    def _units(self, stage: str) -> tuple[Unit, ...]:
        folder = f"{layout.stage_folder(self._slug, stage)}/units"
        return self._pages("unit", folder, lambda name, text: _parse_unit(text, name.removesuffix(".md"), stage))

    def _feedback(self, stage: str) -> tuple[Feedback, ...]:
        folder = layout.feedback_folder(self._slug, stage)
        return self._pages(
            "feedback", folder, lambda name, text: _parse_feedback(text, f"{layout.HOME}/{folder}/{name}", stage)
        )

    def _text(self, kind: Kind, path: str) -> str | None:
        text = self._folder.text(path)
        if text is not None:
            self._values[self._below(path)] = _engine_values(kind, text)
        return text

    def _pages(self, kind: Kind, folder: str, parse: Callable[[str, str], Page]) -> tuple[Page, ...]:
        """The pages of a folder in the order of their names, noted for the seal as they are read."""

        def made(texts: Mapping[str, str]) -> tuple[tuple[Page, ...], dict[str, Any]]:
            values = {self._below(f"{folder}/{name}"): _engine_values(kind, text) for name, text in texts.items()}
            return tuple(parse(name, text) for name, text in texts.items()), values

        texts = self._folder.texts(folder, ".md", PAGES)
        found, values = PAGES.made(self._folder.spelled(folder), texts, made)
        self._values |= values
        return found

    def _below(self, path: str) -> str:
        return path.removeprefix(f"{layout.intent_folder(self._slug)}/")

    def _with_active(self, plan: Plan) -> Plan:
        """What is only of interest for the stage that is worked on."""
        active = plan.active
        if active is None:
            return plan
        home, git, specs = self._folder.home, plan.git, active.spec.templates
        began = _visit_began(active.state)
        trees = {"": home, **git.worktrees}
        full = msgspec.structs.replace(
            active,
            missing_discovery=missing_templates((t for t in specs if t.kind == "discovery"), home, self._slug),
            missing_outputs=missing_templates((t for t in specs if t.kind == "output"), home, self._slug),
            missing_inputs=missing_inputs(active.units, home, self._slug),
            missing_unit_outputs=missing_unit_outputs(active.units, git.worktrees, home, self._slug),
            tree=self._stage_work(active, git) if self._shows_work(active) else "",
            reviewed=self._reviewed(active, git),
            gate_runs=known_runs(self._folder, self._slug, active.spec.name, trees, git=git.available)
            if RUNS_FILE in self._names.get(active.spec.name, ())
            else (),
        )
        return msgspec.structs.replace(
            plan,
            stages=tuple(full if view is active else view for view in plan.stages),
            git=self._git(git, active, plan.intent),
            user_turns=turns_since(self._folder, self._slug, began, active.spec.name) if began else 0,
        )

    def _shows_work(self, active: StageView) -> bool:
        """At the gate, to who decides or may go through it: while a decision is waited for, nobody else asks."""
        visit = active.state.visits
        is_approved = any(each.decision == "approved" and each.visit == visit for each in active.rulings)
        return active.state.phase == "gate" and (self._work or is_approved)

    def _stage_work(self, active: StageView, git: GitFacts) -> str:
        from leeboard.plan.disk.evidence import stage_work  # noqa: PLC0415 - most looks do without it

        return stage_work(self._folder, self._slug, active, git=git.available)

    def _reviewed(self, active: StageView, git: GitFacts) -> str:
        """A report counts for the work it looked at: what came after it, nobody has reviewed."""
        if active.state.phase not in {"review", "gate"} or not active.spec.reviewers:
            return ""
        from leeboard.plan.disk.evidence import reviewed_work  # noqa: PLC0415 - as above

        return reviewed_work(self._folder, self._slug, active, git=git.available)

    def _git(self, git: GitFacts, active: StageView, intent: Intent) -> GitFacts:
        elsewhere = is_discrete(intent) or {"external", "await"} & set(active.spec.review)
        waits = active.state.phase == "gate" and elsewhere
        if self._place is None or not waits:
            return git
        return msgspec.structs.replace(git, external_merged=merged_elsewhere(self._place, self._slug, self._base))

    def _last(self) -> LastAction | None:
        found = _decoded(self._folder.read(f"{layout.intent_folder(self._slug)}/.last_action.json"))
        try:
            return msgspec.convert(found, LastAction) if found else None
        except msgspec.ValidationError:
            return None


def read_tick(folder: PlanFolder, slug: str) -> int:
    """How often somebody asked for the next action. StateError where there is no such intent."""
    if read_intent(folder, slug) is None:
        raise StateError(absent(folder, slug))
    return _tick(folder, slug)


def _tick(folder: PlanFolder, slug: str) -> int:
    tick = _decoded(folder.read(f"{layout.intent_folder(slug)}/intent-tick.json")).get("tick", 0)
    return tick if isinstance(tick, int) and tick >= 0 else 0


def absent(folder: PlanFolder, slug: str) -> str:
    """What to say of an intent that is not here."""
    gone = way_back(folder.home, slug)
    return f"There is no intent {slug!r} at {folder.spelled('intents')}.{gone} haiku_intent_list names those that are."


def _stages(intent: Intent, studio: Studio | None) -> tuple[StageSpec, ...]:
    """Those the intent goes through, in the studio's order."""
    if studio is None:
        return ()
    wanted = [spec for spec in studio.stages if not intent.stages or spec.name in intent.stages]
    return tuple(spec for spec in wanted if spec.name not in intent.skip_stages)


def _to_come(spec: StageSpec) -> StageView:
    return StageView(spec=spec, state=_parse_state("", spec.name))


def _visit_began(state: StageState) -> str:
    return state.iterations[-1].started_at if state.iterations else state.started_at


def _problems(where: str, problem: str) -> list[str]:
    return [f"{where}: {problem}"] if problem else []


def _decoded(data: bytes | None) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(data or b"{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
