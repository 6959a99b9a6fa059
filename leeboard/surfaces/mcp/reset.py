"""An intent begun anew. What is wiped is moved aside, below `.haiku/tmp`, so that a person can get it back."""

from __future__ import annotations

from typing import Any

from leeboard.app.plan.engine import look_over
from leeboard.io.clock import now
from leeboard.model.plan import Plan
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder, hold
from leeboard.plan.disk.layout import intent_file, intent_folder
from leeboard.plan.disk.read import SealedPlan, look_at
from leeboard.plan.disk.truth.reset import set_aside
from leeboard.plan.files.files import engine_values, with_fields
from leeboard.plan.machine.drift_gate import baseline_lost, change_unassessed
from leeboard.plan.machine.look import looking
from leeboard.surfaces.mcp.calls import RefusedError, sealing

FRESH: dict[str, Any] = {
    "status": "active",
    "active_stage": "",
    "phase": "",
    "intent_reviewed": False,
    "started_at": None,
    "completed_at": None,
}


def reset(folder: PlanFolder, slug: str) -> str:
    """Where the old state is. RefusedError where a person's word, or work that is not merged, would be lost."""
    with hold(folder, slug):
        seen = look_at(folder, slug)
        _check(seen.plan)
        _assessed(folder, slug)
        aside = f"tmp/reset-{slug}-{int(now() * 1000)}"
        text = with_fields(folder.text(intent_file(slug)) or "", FRESH)
        with sealing(seen, _coming(seen, text)):
            folder.write(intent_file(slug), text.encode("utf-8", "surrogateescape"))
            for part in ("stages", "feedback"):
                if part in folder.names(intent_folder(slug)):
                    folder.move_folder(f"{intent_folder(slug)}/{part}", f"{aside}/{part}")
        set_aside(folder, slug, aside)
    return folder.spelled(aside)


def _assessed(folder: PlanFolder, slug: str) -> None:
    """Files are looked at anew, as a tick does: what nobody accounts for would never be asked about again."""
    look = looking(look_over(folder, slug, truth=True, full=True).plan, "")
    found = baseline_lost(look) or change_unassessed(look)
    if found or layout.DISPATCH in folder.names(intent_folder(slug)):
        words = found.text if found else "What they mean was asked, and nobody said it."
        raise RefusedError("assessment_open", f"Somebody changed files, and it would never be asked again. {words}")


def _coming(seen: SealedPlan, text: str) -> dict[str, Any]:
    gone: dict[str, Any] = {path: {} for path in seen.values if path.startswith(("stages/", "feedback/"))}
    return gone | {"intent.md": engine_values("intent", text)}


def _check(plan: Plan) -> None:
    if not plan.sealed:
        raise RefusedError(
            "tampered", "Fields of the engine were changed by hand: a person runs `leeboard flow repair`."
        )
    if plan.git.worktrees:
        names = ", ".join(sorted(plan.git.worktrees))
        raise RefusedError("units_under_way", f"Work that is not merged would be lost: {names}. Finish it first.")
    ruled = [view.spec.name for view in plan.stages if view.rulings]
    human = [
        item.id for item in (*plan.feedback, *(item for view in plan.stages for item in view.feedback)) if item.is_human
    ]
    if ruled or human:
        words = f"A person's word would be lost ({', '.join([*ruled, *human])}). Begin a new intent instead."
        raise RefusedError("persons_word", words, "haiku_intent_create")
