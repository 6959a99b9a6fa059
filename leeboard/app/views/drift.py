"""Assessments of changed files: what differed, before and after, what was decided over it and by whom."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from leeboard.app.plan.engine import Engine
from leeboard.app.views.documents import text_before
from leeboard.errors import LeeboardError
from leeboard.model.plan import Plan
from leeboard.model.truth import Classification, Dispatch, DriftAssessment, DriftFinding, Outcome
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.truth.surface import LONGEST, text_of
from leeboard.plan.files.truth import assessment_number, parse_assessment
from leeboard.plan.surface import alias, unspelled
from leeboard.secrets.redaction import redact

ASSESSMENTS = 20
"""On one page."""
LARGEST = 64 << 20


class ShownDifference(msgspec.Struct, frozen=True, kw_only=True):
    """A changed file, before and after."""

    id: str
    path: str
    kind: str
    author: str
    is_binary: bool
    written_over: bool
    scope: str
    before: str | None
    """None: its text was not kept, or is none."""
    after: str | None
    before_sha: str
    after_sha: str
    diff: str
    outcome: Outcome | None
    """None while nobody has classified it."""
    rationale: str
    feedback: str
    revisit: str


class ShownAssessment(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    stage: str
    at: str
    rationale: str
    by_person: bool
    """A person said it; else an agent did, and a person may say otherwise."""
    differences: tuple[ShownDifference, ...]


class PendingAssessment(msgspec.Struct, frozen=True, kw_only=True):
    """What holds everything else up until somebody says what it means."""

    tick_id: str
    at: str
    differences: tuple[ShownDifference, ...]
    legal: dict[str, tuple[Outcome, ...]]
    stages: tuple[str, ...]
    """Those that can be gone back to."""
    feedback: tuple[str, ...]
    """Open findings that a change may belong to."""


class AssessmentPage(msgspec.Struct, frozen=True, kw_only=True):
    intent: str
    title: str
    pending: PendingAssessment | None
    assessments: tuple[ShownAssessment, ...]
    """Newest first."""
    older: int
    """How many there are before these."""
    stages: tuple[str, ...]


def drift_page(engine: Engine, slug: str, skip: int = 0) -> AssessmentPage:
    """`skip`: so many of the newest assessments are left out. A text is read where it is shown."""
    plan = engine.look(slug, truth=True)
    folder = PlanFolder(engine.home)
    numbered = sorted(_numbered(folder, plan), reverse=True)
    wanted = numbered[skip : skip + ASSESSMENTS]
    dispatch = plan.truth.dispatch if plan.truth else None
    return AssessmentPage(
        intent=slug,
        title=plan.intent.title,
        pending=_pending(engine.home, plan, dispatch) if dispatch else None,
        assessments=tuple(_read(engine.home, folder, plan, wanted)),
        older=max(0, len(numbered) - skip - ASSESSMENTS),
        stages=tuple(view.spec.name for view in plan.stages if view.state.visits),
    )


def _numbered(folder: PlanFolder, plan: Plan) -> Iterator[tuple[int, str, str]]:
    for scope in layout.all_scopes(plan):
        place = layout.below(plan.intent.slug, layout.assessments_folder(scope))
        for name in folder.names(place):
            if number := assessment_number(name):
                yield number, scope, f"{place}/{name}"


def _read(home: str, folder: PlanFolder, plan: Plan, wanted: list[tuple[int, str, str]]) -> Iterator[ShownAssessment]:
    for _, scope, path in wanted:
        try:
            data = folder.read(path, LARGEST)
        except LeeboardError:
            continue
        found = parse_assessment(data) if data else None
        if found is not None:
            yield _assessment(home, plan, found, scope)


def _assessment(home: str, plan: Plan, found: DriftAssessment, stage: str) -> ShownAssessment:
    said = {each.path: each for each in found.classifications}
    differences = (_difference(home, plan.intent.slug, each, said.get(each.path)) for each in found.findings)
    return ShownAssessment(
        id=found.id,
        stage=stage,
        at=found.created_at,
        rationale=redact(found.agent_rationale),
        by_person=found.confirmed_by_user,
        differences=tuple(differences),
    )


def _pending(home: str, plan: Plan, dispatch: Dispatch) -> PendingAssessment:
    filed = (*plan.feedback, *(item for view in plan.stages for item in view.feedback))
    return PendingAssessment(
        tick_id=dispatch.tick_id,
        at=dispatch.created_at,
        differences=tuple(_difference(home, plan.intent.slug, each, None) for each in dispatch.findings),
        legal=dispatch.legal_outcomes,
        stages=tuple(view.spec.name for view in plan.stages if view.state.visits),
        feedback=tuple(item.id for item in filed if item.is_open),
    )


def _difference(home: str, slug: str, found: DriftFinding, said: Classification | None) -> ShownDifference:
    scope = found.stage or ""
    before = text_before(home, slug, scope, found.before_sha256) if found.before_sha256 else ""
    return ShownDifference(
        id=found.finding_id,
        path=found.path,
        kind=found.change_kind,
        author=found.author_class,
        is_binary=found.is_binary,
        written_over=found.written_over,
        scope=scope,
        before=None if found.is_binary else before,
        after=None if found.is_binary else _after(home, slug, found),
        before_sha=found.before_sha256 or "",
        after_sha=found.after_sha256 or "",
        diff=found.diff_unified or "",
        outcome=said.outcome if said else None,
        rationale=redact(said.rationale_excerpt) if said else "",
        feedback=(said.linked_feedback_id or "") if said else "",
        revisit=(said.linked_revisit_target_stage or "") if said else "",
    )


def _after(home: str, slug: str, found: DriftFinding) -> str | None:
    """The text with the digest that was assessed: as it lies there now, or as it was acknowledged."""
    if not found.after_sha256:
        return ""
    folder, path = PlanFolder(home), unspelled(found.path)
    for place in dict.fromkeys((path, alias(path))):
        text = text_of(folder, layout.below(slug, place), found.after_sha256, LONGEST)
        if text is not None:
            return redact(text)
    return text_before(home, slug, found.stage or "", found.after_sha256)
