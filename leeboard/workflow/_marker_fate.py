"""How a pending marker ends: with the finding or the revisit it hangs on, and never by being forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from leeboard.model.feedback import ENDED, Feedback
from leeboard.model.plan import Plan, StageState
from leeboard.model.truth import Marker

Fate = Literal["holds", "ended", "lost"]
"""`lost`: what was to handle the change is gone, so it has to be told again."""

_MOVED = "moved to "
"""How a finding ends that goes on in another stage."""


def fate(plan: Plan, marker: Marker) -> Fate:
    if marker.outcome == "trigger-revisit":
        return _of_revisit(plan, marker)
    item = _followed(plan, linked(plan, marker))
    if item is None:
        return "lost"
    return "ended" if item.status in ENDED else "holds"


def linked(plan: Plan, marker: Marker) -> Feedback | None:
    """The finding a marker hangs on: where it was filed, or the nearest of that name for a marker that does not say."""
    stages = _nearest(plan, marker.path) if marker.feedback_stage is None else (marker.feedback_stage,)
    items = [item for stage in stages for item in filed_for(plan, stage)]
    by_id = next((item for item in items if item.id == marker.linked_feedback_id), None)
    source = drift_ref(marker.path, marker.sha)
    return by_id or next((item for item in items if item.source_ref.startswith(source)), None)


def drift_ref(path: str, sha: str) -> str:
    """How a finding says which divergence it is about."""
    return f"drift:{path}@{sha}"


def filed_for(plan: Plan, stage: str) -> tuple[Feedback, ...]:
    """`stage` empty: for the intent as a whole."""
    view = plan.stage(stage) if stage else None
    if stage and view is None:
        return ()
    return view.feedback if view else plan.feedback


def stage_of(path: str) -> str:
    """Whose file it is; empty: the intent's."""
    parts = path.split("/", 2)
    return parts[1] if parts[0] == "stages" and len(parts) > 1 else ""


def _nearest(plan: Plan, path: str) -> tuple[str, ...]:
    active = (plan.active.spec.name,) if plan.active else ()
    return tuple(dict.fromkeys((stage_of(path), *active, "", *(view.spec.name for view in plan.stages))))


def _followed(plan: Plan, item: Feedback | None) -> Feedback | None:
    """A finding that was put to another stage goes on there."""
    passed: set[tuple[str, str]] = set()
    while item is not None and item.closed_by.startswith(_MOVED) and (item.stage, item.id) not in passed:
        passed.add((item.stage, item.id))
        heirs = (each for each in all_filed(plan) if each.source_ref and each.source_ref == item.source_ref)
        item = next((each for each in heirs if (each.stage, each.id) not in passed), item)
    return item


def all_filed(plan: Plan) -> Iterator[Feedback]:
    yield from plan.feedback
    for view in plan.stages:
        yield from view.feedback


def _of_revisit(plan: Plan, marker: Marker) -> Fate:
    view = plan.stage(marker.linked_revisit_target_stage or "")
    if view is None:
        return "lost"
    if _is_completed_since(view.state, marker):
        return "ended"
    was_gone_back_to = view.state.visits > marker.visit  # for whatever reason: its next completion settles this too
    return "lost" if not was_gone_back_to and _was_never_begun(plan, marker) else "holds"


def _is_completed_since(state: StageState, marker: Marker) -> bool:
    """A marker of an earlier tool knows no visit."""
    is_later = state.visits > marker.visit if marker.revisit_ref else state.completed_at > marker.created_at
    return is_later and state.status == "completed" and state.gate_outcome == "advanced"


def _was_never_begun(plan: Plan, marker: Marker) -> bool:
    """The finding that asked to go back was settled or taken away before anybody went."""
    kind, _, rest = marker.revisit_ref.partition("/")
    stage, _, visits = rest.rpartition("/")[0].partition("/")
    view = plan.stage(stage)
    if kind != "revisit" or view is None or not visits.isdecimal() or view.state.visits > int(visits):
        return False
    return not any(item.is_open and item.source_ref == marker.revisit_ref for item in view.feedback)
