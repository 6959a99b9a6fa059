"""An agent that does what a clue says, and a person who answers: together they finish any work that can be finished."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from leeboard.model.plan import Clue, Plan
from leeboard.model.unit import ReviewReport
from leeboard.plan.effect import PlanStep, Refusal
from leeboard.plan.machine import moves
from tests.plan.plan_world import NOW, PlanWorld, work_unit


class Obedient:
    def __init__(self, world: PlanWorld) -> None:
        self.world = world
        self.seen: list[str] = []

    def finish(self, most: int = 400) -> list[str]:
        """The actions it was given, up to the completion."""
        for _ in range(most):
            clue = self.world.tick()
            assert clue is not None
            self.seen.append(clue.action)
            if clue.action == "complete":
                return self.seen
            self.follow(clue)
        raise AssertionError(f"not finished: {self.seen[-20:]}")

    def follow(self, clue: Clue) -> None:
        handler: Callable[[dict[str, Any]], None] | None = getattr(self, f"on_{clue.action}", None)
        assert handler is not None, f"{clue.action}: {clue.message}"
        handler(clue.payload)

    def do(self, change: Callable[[Plan], PlanStep | Refusal]) -> None:
        found = change(self.world.look())
        assert not isinstance(found, Refusal), found
        self.world.perform(found.do)

    def nothing(self, payload: dict[str, Any]) -> None:
        """The clue only tells; the next call says more."""

    on_start_stage = on_advance_stage = on_intent_approved = on_revisited = on_intent_complete = nothing
    on_plan_changed = nothing

    def on_loop_halted(self, payload: dict[str, Any]) -> None:
        """Somebody called again and again and did nothing: now it is done."""
        self.follow(Clue(action=payload["halted_action"], message="", payload=payload["halted_payload"]))

    def on_error(self, payload: dict[str, Any]) -> None:
        world = self.world
        match payload["error"]:
            case "intent_archived":
                self.do(lambda plan: moves.archive(plan, NOW, archived=False))
            case "tampered":
                world.sealed = True
            case "plan_unreadable":
                world.problems = ()
            case other:
                raise AssertionError(other)

    def on_select_studio(self, _payload: dict[str, Any]) -> None:
        self.do(lambda plan: moves.select_studio(plan, "software"))

    def on_elaborate(self, payload: dict[str, Any]) -> None:
        self.world.say()
        stage = payload["stage"]
        taken = {int(name.split("-")[1]) for name in self.world.units[stage]}
        number = max(taken, default=0) + 1
        items = [item for item in payload["pending_feedback"] if item["resolution"] == "stage_revisit"]
        closes = tuple(item["feedback_id"] if item["stage"] else f"intent/{item['feedback_id']}" for item in items)
        known = {item.id for item in self.world.feedback[stage].values()}
        for unit in self.world.units[stage].values():
            self.world.plan_units(replace(unit, closes=tuple(name for name in unit.closes if name in known)))
        if "validation_error" in payload or not taken:
            self.world.plan_units(work_unit(number, stage=stage, closes=closes))

    def on_elaboration_insufficient(self, _payload: dict[str, Any]) -> None:
        self.world.say()

    def _without_dependencies(self, payload: dict[str, Any]) -> None:
        for unit in self.world.units[payload["stage"]].values():
            self.world.plan_units(replace(unit, depends_on=()))

    on_unresolved_dependencies = on_dag_cycle_detected = _without_dependencies

    def on_unit_naming_invalid(self, payload: dict[str, Any]) -> None:
        wrong = {each["file"].removesuffix(".md") for each in payload["violations"]}
        for units in self.world.units.values():
            for name in wrong & units.keys():
                del units[name]

    def on_spec_validation_failed(self, payload: dict[str, Any]) -> None:
        for each in payload["violations"]:
            unit = self.world.units[payload["stage"]][each["unit"]]
            self.world.plan_units(replace(unit, type=payload["allowed_types"][0]))

    def on_unit_inputs_missing(self, payload: dict[str, Any]) -> None:
        self.world.missing_inputs = ()
        for name in payload["missing_units"]:
            unit = self.world.units[payload["stage"]][name]
            self.world.plan_units(replace(unit, inputs=("intent.md",)))

    def on_discovery_missing(self, _payload: dict[str, Any]) -> None:
        self.world.missing_discovery = ()

    def on_gate_review(self, payload: dict[str, Any]) -> None:
        wanted: Any = "approved" if "approved" in payload["decisions"] else "external_review"
        self.do(lambda plan: moves.decide(plan, wanted, "ann", NOW))

    def on_revise_unit_specs(self, payload: dict[str, Any]) -> None:
        change = moves.FeedbackChange(status="addressed")
        for name in payload["feedback_ids"]:
            self.do(lambda plan, name=name: moves.feedback_update(plan, payload["stage"], name, change, NOW))  # type: ignore[misc]  # a default binds the loop's name

    def on_start_unit(self, payload: dict[str, Any]) -> None:
        self.do(lambda plan: moves.unit_start(plan, payload["unit"], NOW))

    def on_start_units(self, payload: dict[str, Any]) -> None:
        for name in payload["units"]:
            self.on_start_unit({"unit": name})

    def on_continue_unit(self, payload: dict[str, Any]) -> None:
        world, name = self.world, payload["unit"]
        world.work(name)
        stage = world.active()
        unit = world.units[stage][name]
        done = tuple((text, True) for text, _ in unit.criteria)
        world.plan_units(replace(unit, criteria=done, outputs=unit.outputs or ("src/x.py",)))
        world.missing_unit_outputs = ()
        self.do(lambda plan: moves.advance_hat(plan, name, NOW))

    def on_continue_units(self, payload: dict[str, Any]) -> None:
        self.on_continue_unit(payload["units"][0])

    def on_resolve_merge_conflicts(self, payload: dict[str, Any]) -> None:
        self.world.resolve(payload["unit"])

    def on_commit_wip(self, _payload: dict[str, Any]) -> None:
        self.world.dirty = ()

    def on_outputs_missing(self, _payload: dict[str, Any]) -> None:
        self.world.missing_outputs = ()

    def on_fix_quality_gates(self, payload: dict[str, Any]) -> None:
        self.world.failing = set()
        self.world.work(payload.get("unit", ""))

    def on_review(self, payload: dict[str, Any]) -> None:
        for agent in payload["agents"]:
            report = ReviewReport(agent=agent["name"], verdict="pass")
            self.do(lambda plan, report=report: moves.record_report(plan, report, "All is well."))  # type: ignore[misc]  # a default binds the loop's name

    def on_review_fix(self, payload: dict[str, Any]) -> None:
        item = payload["items"][0]
        self.world.work()
        self.do(lambda plan: moves.feedback_advance_hat(plan, item["stage"], item["feedback_id"], NOW))

    def _each(self, items: list[dict[str, Any]], change: moves.FeedbackChange, *, by_person: bool = False) -> None:
        for item in items:
            where, name = item["stage"], item["feedback_id"]
            self.do(lambda plan, w=where, n=name: moves.feedback_update(plan, w, n, change, NOW, by_person=by_person))  # type: ignore[misc]  # a default binds the loop's name

    def on_feedback_triage(self, payload: dict[str, Any]) -> None:
        self._each(payload["items"], moves.FeedbackChange(resolution="inline_fix"))

    def on_feedback_dispatch(self, payload: dict[str, Any]) -> None:
        self._each(payload["items"], moves.FeedbackChange(reply="Because of the deadline."))

    def on_feedback_revisit(self, payload: dict[str, Any]) -> None:
        self._each(payload["pending_items"], moves.FeedbackChange(resolution="stage_revisit"))

    def on_escalate(self, payload: dict[str, Any]) -> None:
        """The person settles it."""
        self._each(payload.get("pending_items", []), moves.FeedbackChange(status="closed"), by_person=True)
        if "failures" in payload:
            self.on_fix_quality_gates(payload)

    def on_external_review_requested(self, _payload: dict[str, Any]) -> None:
        self.do(lambda plan: moves.external_url(plan, "https://example.test/review/1"))

    def on_awaiting_external_review(self, _payload: dict[str, Any]) -> None:
        self.world.external_merged = True
