"""From the rules that are asked to one score, and what that amounts to.

The order of findings never matters, and one more never makes it milder. The score of a path is ten less what its
findings take, each thing counted once; the action has the score of its worst path, under every cap.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.judge.footing import rests_on
from leeboard.model.contract import Allowance
from leeboard.model.event import Event
from leeboard.model.policy import Policy
from leeboard.model.session import HISTORY_WINDOW, AgentState, Drift, Mode, Session
from leeboard.model.text import lazy, matches
from leeboard.model.verdict import (
    LEVELS,
    Assessment,
    Confidence,
    Evidence,
    Finding,
    Level,
    Signal,
    subclass_of,
    type_of,
)
from leeboard.model.world import World
from leeboard.rule import LoadedRule, listening, permit_of, same_as
from leeboard.secrets.redaction import redact, redact_name, redact_shaped

if TYPE_CHECKING:
    from leeboard.judge.urgency import Give


LOW_CONFIDENCE_FLOOR = 5
_GLOB = lazy(r"[*?\[]")


def score_of(findings: Iterable[Finding], confidence: Confidence) -> int:
    """1 to 10. With low confidence only an explicit cap takes it below the floor."""
    by_subject: dict[str, int] = defaultdict(lambda: 10)
    strongest: dict[tuple[str, str], int] = {}
    cap = 10
    for finding in findings:
        same = (finding.rule, finding.subject)
        strongest[same] = min(strongest.get(same, 0), finding.delta)
        cap = min(cap, finding.cap)
    for (_rule, subject), delta in strongest.items():
        by_subject[subject] += delta
    worst = min(by_subject.values(), default=10)
    if confidence == "low":
        worst = max(worst, LOW_CONFIDENCE_FLOOR)
    return max(1, min(worst, cap))


def ratio_score(inside: int, outside: int) -> int:
    """Score of a batch of actions from the share that stayed inside: what a check at the next prompt sees at once."""
    if outside == 0:
        return 10
    if inside == 0:
        return max(1, 4 - outside)
    share = inside / (inside + outside)
    return max(1, math.floor(2 + 8 * share + 0.5) - outside)


def level_of(score: int) -> Level:
    """The seed's table: 8-10 none, 7 nudge, 5-6 correct, 3-4 intervene, 1-2 halt."""
    if score >= 8:
        return "none"
    if score == 7:
        return "nudge"
    if score >= 5:
        return "correct"
    return "intervene" if score >= 3 else "halt"


def raised(level: Level, steps: int) -> Level:
    """The level so many steps louder, at most halt; none stays none."""
    return level if level == "none" else LEVELS[min(LEVELS.index(level) + steps, len(LEVELS) - 1)]


def louder(one: Level, other: Level) -> Level:
    return max(one, other, key=LEVELS.index)


# What the findings about one action amount to.


def confidence_in(session: Session, agent: AgentState) -> Confidence:
    """Low while nothing is known of where the work lies, or what led to it may lie before our time."""
    named = bool(session.goals) and bool(session.goals[-1].scope)
    return "high" if (named or agent.edits) and agent.remembers else "low"


def standing(findings: tuple[Finding, ...], allowances: tuple[Allowance, ...]) -> tuple[Finding, ...]:
    """The findings that no person allowed."""
    return tuple(finding for finding in findings if not is_allowed(finding, allowances))


def is_allowed(finding: Finding, allowances: tuple[Allowance, ...]) -> bool:
    return any(_covers(allowance, finding) for allowance in allowances)


def _covers(allowance: Allowance, finding: Finding) -> bool:
    by_value = finding.signal is not None and subclass_of(finding.signal.subclass).passes_by_value
    if by_value and not allowance.fingerprint:
        return False  # a secret is let pass by its digest, never by the place it stands in
    if permit_of(finding.rule) == "terminal" and not lets_guard_pass(allowance):
        return False
    if allowance.fingerprint and allowance.fingerprint == f"{same_as(finding.rule)}:{finding.subject}":
        return True
    return allowance.covers(finding.rule, finding.path or finding.subject, finding.fingerprint)


_NO_ONE_FILE = frozenset("*?[ \t\n")


def lets_guard_pass(allowance: Allowance) -> bool:
    """Whether it may count for a rule that guards the guard: it names one file, no command and no number of files."""
    place = allowance.fingerprint.partition(":")[2] or allowance.path
    return bool(place) and not _NO_ONE_FILE.intersection(place) and not place.endswith("/")


def assess(findings: tuple[Finding, ...], session: Session, agent: AgentState) -> Assessment:
    """Score, type, level, diagnostic and the way back. Low confidence never gets louder than a nudge, but for a cap."""
    confidence = confidence_in(session, agent)
    score = score_of(findings, confidence)
    level = level_now(score, session, unheard=agent.unheard)
    capped = any(finding.cap < 10 for finding in findings)
    if confidence == "low" and not capped and level != "none":
        level = "nudge"
    costly = [finding for finding in findings if finding.delta]
    ordered = sorted(costly, key=lambda finding: (finding.delta, finding.rule, finding.subject))
    return Assessment(
        score=score,
        type=type_of(score),
        level=level,
        confidence="high" if capped else confidence,
        findings=findings,
        diagnostic="; ".join(f"{finding.rule}: {finding.evidence[0].text}" for finding in ordered[:3]),
        recovery=_recovery(ordered, session, agent) if score <= 7 else (),
    )


def way_back(session: Session, agent: AgentState, doubted: Collection[str] = (), *, or_scope: bool = False) -> str:
    """The place where the work went well last. Where that is none the user named, it is the file they did name."""
    contract = session.contract
    good = agent.last_good if agent.last_good not in doubted else ""
    if not agent.id and not is_of_goal(good, session):  # a sub-agent may have been asked for just that
        good = ""
    named = [path for path in contract.scope if path in contract.objective and path not in doubted]
    if named and not (good and matches(good, [f"{path.rstrip('/')}{end}" for path in named for end in ("", "/**")])):
        return next((path for path in named if not _GLOB.search(path) and not path.endswith("/")), good or named[0])
    known = (path for path in contract.scope if path not in doubted and is_of_goal(path, session)) if or_scope else ()
    return good or next(iter(known), "")


def is_of_goal(path: str, session: Session) -> bool:
    """Whether the goal may lie there: in a document, which any change may bring along, only where it speaks of one."""
    from leeboard.text.language import areas_of_path  # noqa: PLC0415 - only once something is corrected

    contract = session.contract
    named = path in contract.objective or path in session.given_scope
    return named or "docs" in contract.areas or areas_of_path(path) != ("docs",)


def _recovery(findings: list[Finding], session: Session, agent: AgentState) -> tuple[str, ...]:
    steps = [finding.remedy for finding in findings if finding.remedy]
    # Who is told to leave a file is not sent back to that same file.
    back = way_back(session, agent, {finding.subject for finding in findings}, or_scope=True)
    steps.append(f"return to the goal in {back}" if back else "return to the goal")
    return tuple(dict.fromkeys(steps))[:3]


# Escalation and the session's mode.
#
#     NORMAL  --score < 5------------------>  DRIFTED
#     DRIFTED --score >= 5----------------->  NORMAL
#     DRIFTED --escalation >= 3------------>  FORCED
#     FORCED  --forced action executed----->  NORMAL   (the fold sees its result; a human message ends it too)
#     FORCED  --ten turns without it------->  DRIFTED  (in the fold as well: nobody is frozen for good)
#
# The level of a drift is the worse of what (score - escalation) and what the score's own level, raised once for every
# drift since the last action on course, say. A drift whose correction was not heard yet raises nothing: two strays of
# one message are one lapse. Scores 6, 5, 4 give correct, intervene, halt. A score of 8 or more lowers
# the count by one and never yields a correction; a nudge leaves it.


def level_now(score: int, session: Session, *, unheard: bool = False) -> Level:
    """The level a score gets in this session; `unheard`: the last rise of the count was not spoken of yet."""
    plain = level_of(score)
    if plain == "none":
        return plain
    count, drifts = max(0, session.escalation - unheard), max(0, session.uncorrected - unheard)
    return louder(level_of(max(1, score - count)), raised(plain, drifts))


def escalated(
    session: Session, assessment: Assessment, policy: Policy, forced: str, *, unheard: bool = False
) -> Session:
    """The session after a check: history, count and mode. `forced` is the way out, should it come to FORCED."""
    count, uncorrected = session.escalation, session.uncorrected
    if assessment.score >= policy.speak_below:
        count, uncorrected = max(0, count - 1), 0
    elif assessment.level != "nudge" and not unheard:
        count, uncorrected = min(policy.escalation_max, count + 1), uncorrected + 1
    mode = _next_mode(session.mode, assessment.score, count, policy)
    drift = Drift(assessment.score, assessment.level, session.updated)
    return replace(
        session,
        escalation=count,
        uncorrected=uncorrected,
        mode=mode,
        forced=forced if mode == "FORCED" and session.mode != "FORCED" else session.forced if mode == "FORCED" else "",
        history=(*session.history, drift)[-HISTORY_WINDOW:],
        checked=session.updated,
        scored=session.scored + 1,
        drifted=session.drifted + (assessment.score < policy.speak_below),
        halts=session.halts + (assessment.level == "halt"),
        above_nudge=session.above_nudge + (assessment.level not in {"none", "nudge"}),
        last_score=assessment.score,
    )


def looked_around(session: Session, assessment: Assessment) -> Session:
    """The session after an action that changed nothing: it is on record, and neither drifts nor recovers."""
    drift = Drift(assessment.score, assessment.level, session.updated)
    return replace(
        session,
        history=(*session.history, drift)[-HISTORY_WINDOW:],
        checked=session.updated,
        scored=session.scored + 1,
        last_score=session.last_score or assessment.score,
    )


def _next_mode(mode: Mode, score: int, count: int, policy: Policy) -> Mode:
    match mode:
        case "NORMAL":
            return "DRIFTED" if score < policy.drifted_below else "NORMAL"
        case "DRIFTED" if score >= policy.drifted_below:
            return "NORMAL"
        case "DRIFTED":
            return "FORCED" if count >= policy.escalation_max else "DRIFTED"
        case _:
            return "FORCED"


# What the rules find in one event, each on its own: which of them are asked, and how what they found is kept.


def detect(
    world: World, rules: tuple[LoadedRule, ...], give: Give, *, scored: bool, heard: bool = False
) -> tuple[Finding, ...]:
    """What every listening rule finds. A rule that crashes is itself a finding; the others still count.

    Of an event that is only `heard` as it goes by, a rule is not even imported where there is nothing it rests on.
    """
    found: list[Finding] = []
    event = world.analysis.event
    footings: dict[str, bool] = {"": True}
    for loaded in _asked.about(type(event), rules, scored=scored, guarded=bool(world.plan_root)):
        footing = loaded.only_where
        if heard and footing not in footings:
            footings[footing] = rests_on(footing, world, give)
        if heard and not footings[footing]:
            continue
        try:
            found += map(_without_secrets, loaded.detect(event, world, *map(give, loaded.wants)))
        except Exception as crash:  # noqa: BLE001 - one broken rule must not silence the others
            text = f"{loaded.id} crashed: {type(crash).__name__}"
            found.append(Finding(rule="detector_crash", subject=loaded.id, evidence=(Evidence(text),)))
    return tuple(sorted(found, key=_class_by_class)) if found else ()


class _AskedRules:
    """Which of the newest set of rules are asked about an event: one process goes by one set, as a rule."""

    def __init__(self) -> None:
        self._rules: tuple[LoadedRule, ...] = ()
        self._known: dict[tuple[type[Event], bool, bool], tuple[LoadedRule, ...]] = {}

    def about(
        self, event: type[Event], rules: tuple[LoadedRule, ...], *, scored: bool, guarded: bool
    ) -> tuple[LoadedRule, ...]:
        """What takes from the score speaks of actions only, guards of a workflow."""
        if rules is not self._rules:
            self._rules, self._known = rules, {}
        found = self._known.get((event, scored, guarded))
        if found is None:
            found = self._known[event, scored, guarded] = tuple(
                loaded
                for loaded in listening(rules, event)
                if (guarded if loaded.channel == "guard" else scored or loaded.channel != "score")
            )
        return found


_asked = _AskedRules()


def _without_secrets(finding: Finding) -> Finding:
    """Rules see raw text; what they say of it is kept. A finding about a secret names its digest, never itself."""
    if finding.signal is None and not finding.message:
        return _named_bare(finding)
    return replace(
        finding,
        # What has no signal is about a path or a key, by which sessions, trees and allowances know it again: of those
        # only what is a secret by its own signs goes, the same wherever it is met.
        subject=_bare_subject(finding) if finding.signal else redact_shaped(finding.subject),
        path=redact_shaped(finding.path),
        evidence=tuple(Evidence(redact(item.text), item.delta) for item in finding.evidence),
        message=redact(finding.message),
        remedy=redact(finding.remedy),
        signal=_bare_signal(finding),
    )


def _bare_signal(finding: Finding) -> Signal | None:
    """A secret in the name of a function is one as well."""
    signal = finding.signal
    if signal is None or not signal.symbol or (bare := redact_name(signal.symbol)) == signal.symbol:
        return signal
    return replace(signal, symbol=bare)


def _bare_subject(finding: Finding) -> str:
    """What a rule names by parts, `reset_token:predictable random:random.random()`: each by itself, as no part is the
    value of the one before it.
    """
    by_parts = finding.signal is not None and subclass_of(finding.signal.subclass).scan == "text"
    return ":".join(map(redact_name, finding.subject.split(":"))) if by_parts else redact(finding.subject)


def _named_bare(finding: Finding) -> Finding:
    subject, path = redact_shaped(finding.subject), redact_shaped(finding.path)
    same = subject == finding.subject and path == finding.path
    return finding if same else replace(finding, subject=subject, path=path)


def _class_by_class(finding: Finding) -> tuple[str, str, str]:
    """What takes from the score, then A, B, C, D."""
    return finding.signal.subclass if finding.signal else "", finding.rule, finding.subject
