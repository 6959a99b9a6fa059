"""What grows with every event of a replay, and what a replay can do without."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from leeboard.io.store._history import distinct, judged, may_decide, modifies, newest, top
from leeboard.model.outcome import Judged, Offer, Outcome, Step
from leeboard.model.verdict import Finding, Verdict


class MemoryRows:
    def __init__(self) -> None:
        self.steps: dict[str, Step] = {}
        self.verdicts: dict[str, Verdict] = {}
        self.findings: dict[str, dict[str, Finding]] = {}
        self.offers: dict[str, dict[str, Offer]] = {}
        self.judged: dict[str, dict[str, Judged]] = {}
        self._projects: dict[str, str] = {}
        self._modifiers: dict[tuple[str, str], set[str]] = {}
        """Session and file to the validated steps that changed it."""

    def keep(self, outcome: Outcome) -> None:
        verdict, session = outcome.verdict, outcome.session
        self.verdicts[verdict.id] = verdict
        for step in outcome.steps:
            self._keep_step(step, session.root)
        for finding in outcome.findings:
            self.findings.setdefault(verdict.id, {})[finding.fingerprint] = finding
        for offer in outcome.offers:
            self.offers.setdefault(session.id, {})[offer.correction.id] = offer
        self._keep_judged(outcome)

    def _keep_judged(self, outcome: Outcome) -> None:
        for signal in outcome.judged:
            self.judged.setdefault(outcome.session.id, {})[signal.id] = signal

    def forget(self, sessions: Container[str]) -> None:
        self.steps = {name: step for name, step in self.steps.items() if step.session_id not in sessions}
        self._projects = {name: self._projects[name] for name in self.steps}
        self.verdicts = {name: verdict for name, verdict in self.verdicts.items() if verdict.session not in sessions}
        self._modifiers = {key: steps for key, steps in self._modifiers.items() if key[0] not in sessions}
        self.findings = {name: found for name, found in self.findings.items() if name in self.verdicts}
        self.judged = {name: found for name, found in self.judged.items() if name not in sessions}
        self.offers = {name: offers for name, offers in self.offers.items() if name not in sessions}

    def past_steps(self, session_id: str, project: str, terms: tuple[Iterable[str], ...]) -> tuple[Step, ...]:
        files, folders, keywords = ({*distinct(some)} for some in terms)
        known = list(self.steps.values())
        asked: tuple[Callable[[Step], bool], ...] = (
            lambda step: step.is_key_decision,
            lambda step: step.is_validated and not files.isdisjoint(step.files),
            lambda step: step.is_validated and not folders.isdisjoint(step.folders),
            lambda step: step.is_validated and not keywords.isdisjoint(step.keywords),
        )
        places = top(*(self._newest(known, matches, session_id, project) for matches in asked))
        return tuple(known[place] for place in places)

    def _newest(self, known: list[Step], matches: Callable[[Step], bool], session_id: str, project: str) -> list[int]:
        found = [(place, step) for place, step in enumerate(known) if matches(step)]
        own = (place for place, step in found if step.session_id == session_id)
        others = (place for place, step in found if project and self._projects[step.id] == project)
        return newest(own, others)

    def _is_first(self, step: Step) -> bool:
        return any(not self._modifiers.get((step.session_id, file)) for file in step.files)

    def _keep_step(self, step: Step, project: str) -> None:
        known = self.steps.get(step.id)
        for file in known.files if known else ():
            self._modifiers.get((step.session_id, file), set()).discard(step.id)
        kept = judged(step, first=may_decide(step) and self._is_first(step))
        if kept.is_validated and modifies(kept):
            for file in kept.files:
                self._modifiers.setdefault((kept.session_id, file), set()).add(kept.id)
        self.steps[kept.id], self._projects[kept.id] = kept, project
