"""Findings that a classification hangs on: those it names, and those it files."""

from __future__ import annotations

from typing import cast, get_args

import msgspec
from msgspec.structs import replace

from leeboard.model.effect import NewFeedback, Refusal
from leeboard.model.feedback import Feedback, Resolution
from leeboard.model.plan import Plan
from leeboard.model.truth import Dispatch, DriftFinding
from leeboard.workflow._classify_checks import ALL_OTHERS, ClassifyRequest, FeedbackCreate, linked_item
from leeboard.workflow._marker_fate import all_filed, drift_ref, filed_for
from leeboard.workflow.feedback_moves import Finding, feedback_new
from leeboard.workflow.look import looking, named
from leeboard.workflow.refusal import refuse

_PREFIX = "FB-"


class Filed(msgspec.Struct, frozen=True, kw_only=True):
    effects: tuple[NewFeedback, ...] = ()
    links: dict[str, tuple[str, str]] = msgspec.field(default_factory=dict)
    """Path of a changed file to the stage (empty: the intent) and the id of the finding it hangs on."""
    created: tuple[str, ...] = ()


def filed(plan: Plan, request: ClassifyRequest, dispatch: Dispatch, assessment: str, now: str) -> Filed | Refusal:
    """A Refusal where one of them can not be filed."""
    spoken_of = {each.path for each in request.classifications}
    filing = _Filing(plan, assessment, now, request.person)
    for each in request.classifications:
        if each.outcome != "surface-as-feedback":
            continue
        found = [one for one in dispatch.findings if one.path == each.path or _is_other(each.path, one, spoken_of)]
        if each.linked_feedback_id:
            filing.link(found, each.linked_feedback_id)
            continue
        create = next(one for one in request.feedback_creates if one.for_classification_path == each.path)
        if found and (refusal := filing.new(found, create, dispatch)):
            return refusal
    return Filed(effects=tuple(filing.effects), links=filing.links, created=tuple(filing.created))


def _is_other(path: str, found: DriftFinding, spoken_of: set[str]) -> bool:
    return path == ALL_OTHERS and found.path not in spoken_of


class _Filing:
    def __init__(self, plan: Plan, assessment: str, now: str, person: str) -> None:
        self._plan = plan
        self._assessment = assessment
        self._now = now
        self._person = person
        self._worked_on = {"", *(view.spec.name for view in looking(plan, now).reached)}
        self.effects: list[NewFeedback] = []
        self.links: dict[str, tuple[str, str]] = {}
        self.created: list[str] = []

    def link(self, found: list[DriftFinding], name: str) -> None:
        for one in found:
            item = linked_item(self._plan, one.path, name)
            if item is not None:
                self.links[one.path] = (item.stage, item.id)

    def new(self, found: list[DriftFinding], create: FeedbackCreate, dispatch: Dispatch) -> Refusal | None:
        """What is open about just this change, and somebody comes to, is not filed again. A person's word is filed
        beside an agent's: only they close it.
        """
        stage = self._stage(found)
        ref = drift_ref(found[0].path, found[0].sha) if len(found) == 1 else f"drift:{dispatch.tick_id}"
        known = self._known(ref)
        theirs = (item for item in known if item.is_human or not self._person)
        open_one = next((item for item in theirs if item.is_open and item.stage in self._worked_on), None)
        if open_one is not None:
            self.links |= {one.path: (open_one.stage, open_one.id) for one in found}
            return None
        if create.resolution not in get_args(Resolution):
            step_on = f"Choose one of {named([each for each in get_args(Resolution) if each])}, or none."
            return refuse("resolution_unknown", f"There is no resolution {create.resolution}.", step_on)
        wanted = Finding(
            title=create.title,
            body=create.body,
            stage=stage,
            origin="user-chat" if self._person else "agent",
            author=self._person,
            resolution=cast("Resolution", create.resolution),
        )
        step = feedback_new(self._plan, wanted, self._now)
        if isinstance(step, Refusal):
            return step
        key = f"{ref}#{self._assessment}" if known else ref
        self.effects += [replace(one, key=key) for one in step.do if isinstance(one, NewFeedback)]
        number = self._number(stage)
        self.created.append(number)
        self.links |= {one.path: (stage, number) for one in found}
        return None

    def _stage(self, found: list[DriftFinding]) -> str:
        """Of the changed files, where they have one in common; else the active one."""
        stages = {one.stage for one in found}
        active = self._plan.active.spec.name if self._plan.active else ""
        return (stages.pop() if len(stages) == 1 else None) or active

    def _known(self, ref: str) -> list[Feedback]:
        """In whichever stage: one about a file of the intent lies in the stage that was active then."""
        return [
            item for item in all_filed(self._plan) if item.source_ref == ref or item.source_ref.startswith(f"{ref}#")
        ]

    def _number(self, stage: str) -> str:
        """As the files are numbered: one more than the highest there is."""
        ids = [item.id.removeprefix(_PREFIX) for item in filed_for(self._plan, stage)]
        coming = sum(effect.stage == stage for effect in self.effects)
        return f"{_PREFIX}{max((int(number) for number in ids if number.isdecimal()), default=0) + coming:02}"
