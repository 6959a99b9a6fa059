"""The words for an agent: short, factual, naming file and rule, and how the user widens the scope.

Every part has its own room, so that no goal, path or number of findings can push out the part the level is about: the
steps of a correction, the verification of an intervention, the one first action of a halt.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from leeboard.judge.score import is_of_goal, way_back
from leeboard.model.contract import Constraint
from leeboard.model.outcome import Judged
from leeboard.model.policy import Policy
from leeboard.model.session import FORCED_ROOM, AgentState, Pending, Session
from leeboard.model.text import digest, lazy
from leeboard.model.verdict import (
    LEVELS,
    Action,
    Assessment,
    Correction,
    Disposition,
    Finding,
    Level,
    Moment,
    Verdict,
    letter_of,
)
from leeboard.rule import code_attribute, code_of, permit_of, remedy_comes_first, with_code
from leeboard.text.words import body_of, cut, element, untagged

PATH_WINDOW = 12

_GOAL, _DIAGNOSTIC, _SCOPE, _LIMITS, _STEP = 160, 220, 140, 120, 100
_NUDGE_GOAL, _NUDGE_DIAGNOSTIC, _NUDGE_SCOPE = 70, 100, 50
_WIDEN_START = "If the user wants this"
_WIDEN = _WIDEN_START + ", they can say so or run `leeboard scope widen {path} --reason ...`."
_ALLOW = _WIDEN_START + ", they can say so or run `leeboard allow {id} --reason ...`."
_SAY_SO = _WIDEN_START + ", they can say so."
_THEIRS = _WIDEN_START + ", they can do it in their own terminal."
_ALSO = "Also outside the goal: "
_REFUSED = "Refused, and not run. "
_VERIFY = "Verification required: before any other change, say in one line how it serves the goal, or undo it."


def build(
    session: Session, agent: str, assessment: Assessment, tool_use_id: str, policy: Policy, *, refusal: str = ""
) -> Correction:
    """The correction for one drifting action; `refusal`: it alone is refused, under this id, and all else may go on."""
    doubted = [finding for finding in assessment.findings if finding.delta]
    paths = tuple(dict.fromkeys(finding.subject[:300] for finding in doubted))[:PATH_WINDOW]
    about = (evidence.about for finding in doubted for evidence in finding.evidence)
    also = tuple(dict.fromkeys(path for path in about if path and path not in paths))
    state = session.agent(agent)
    own = _id(session.id, tool_use_id, assessment.level, paths)
    lines = _lines(session, state, assessment, not_run=bool(refusal))
    text = _text([*lines, _how_to_permit(assessment, paths, refusal or own)], assessment, policy)
    return Correction(
        id=own,
        agent=agent,
        turn=state.turn,
        level=assessment.level,
        score=assessment.score,
        text=_naming_more(text, also, _room(assessment.level, policy)) if also else text,
        rules=tuple(dict.fromkeys(finding.rule for finding in doubted)),
        paths=(*paths, *also)[:PATH_WINDOW],
        tool_use_id=tool_use_id,
        confidence=assessment.confidence,
    )


def by_word_alone(assessment: Assessment) -> bool:
    """Whether something in it is permitted by the user's words, and by no scope."""
    return any(permit_of(finding.rule) == "word" for finding in assessment.findings if finding.delta)


def mandatory_action(forced: str) -> str:
    """The one first action that ends FORCED."""
    if forced and len(forced) <= FORCED_ROOM:
        return f"read {_plain(forced)}"
    return "run `git diff` and tell the user which of the changes the goal needs"


def combine(waiting: tuple[Correction, ...], policy: Policy) -> Correction:
    """Several things that wait, said as one: the loudest, naming the paths of all."""
    worst = max(waiting, key=lambda correction: (LEVELS.index(correction.level), -correction.score))
    others = [path for correction in waiting for path in correction.paths if path not in worst.paths]
    if not others:
        return worst
    return replace(
        worst,
        text=_naming_more(worst.text, tuple(dict.fromkeys(others)), _room(worst.level, policy)),
        paths=tuple(dict.fromkeys((*worst.paths, *others))),
        rules=tuple(dict.fromkeys(rule for correction in (worst, *waiting) for rule in correction.rules)),
    )


def _naming_more(text: str, others: tuple[str, ...], room: int) -> str:
    head, diagnostic, *lines = text.split("\n")
    known = [line[len(_ALSO) :].rstrip(".") for line in lines if line.startswith(_ALSO)]
    lines = [line for line in lines if not line.startswith((_WIDEN_START, _ALSO))]
    more = f"{_ALSO}{', '.join((*known, *map(_plain, others)))}."
    spare = max(0, room - len("\n".join((head, *lines))) - 2)
    diagnostic = cut(diagnostic, max(spare - len(more), spare // 2))
    return "\n".join((head, diagnostic, cut(more, spare - len(diagnostic)), *lines))


def _text(lines: list[str], assessment: Assessment, policy: Policy) -> str:
    """The last line says how the user permits it, and goes where there is no room for it."""
    attributes: dict[str, str] = {"level": assessment.level}
    if assessment.score < policy.speak_below:
        attributes["score"] = f"{assessment.score}/10"
    attributes |= code_attribute(finding.rule for finding in assessment.findings if finding.delta)
    room = _room(assessment.level, policy) - len(element("", attributes))
    body = "\n".join(lines)
    if len(body) > room:
        body = "\n".join(lines[:-1])
    return element(cut(body, room), attributes)


def _how_to_permit(assessment: Assessment, paths: tuple[str, ...], id_: str) -> str:
    """The narrowest way there is: an id lets stand what it was said of, in this session."""
    ways = {permit_of(finding.rule): finding.rule for finding in assessment.findings if finding.delta}
    if "terminal" in ways:
        return _THEIRS
    if not paths:
        return _SAY_SO
    if "allow" in ways:
        return _ALLOW.format(id=id_)
    if "widen" in ways:
        return _SAY_SO if _deletes(assessment) else _WIDEN.format(path=_quoted(_folder(paths[0])))
    return _SAY_SO


def _deletes(assessment: Assessment) -> bool:
    """A wider scope is no answer to a deletion."""
    from leeboard.analysis.ties.fact import DELETED  # noqa: PLC0415 - only once something is corrected

    return any(item.text.endswith(DELETED) for finding in assessment.findings for item in finding.evidence)


def _lines(session: Session, agent: AgentState, assessment: Assessment, *, not_run: bool) -> list[str]:
    level, contract = assessment.level, session.contract
    goal = _plain(contract.objective) or "not stated yet"
    places = [entry for entry in contract.scope if is_of_goal(entry, session)]
    scope = ", ".join(map(_plain, places[:5])) or "not known yet"
    diagnostic = _plain(assessment.diagnostic)
    if level == "nudge":
        place = f"Goal: {cut(goal, _NUDGE_GOAL)}. Scope: {cut(scope, _NUDGE_SCOPE)}."
        return [_whole_parts(diagnostic, _NUDGE_DIAGNOSTIC), place]
    lines = [_whole_parts(diagnostic, _DIAGNOSTIC), f"Goal: {cut(goal, _GOAL)}", f"Scope: {cut(scope, _SCOPE)}"]
    steps = [f"{number}. {_whole_parts(_plain(step), _STEP)}" for number, step in enumerate(assessment.recovery[:3], 1)]
    if level == "correct":
        return [*lines, "Next steps:", *steps]
    apart = _put_right_apart(assessment)
    if not_run and (session.mode != "FORCED" or apart):
        return [f"{_REFUSED}{lines[0]}", lines[1], f"Instead: {_sentence(_instead(assessment), 2 * _STEP)}"]
    said = [constraint for constraint in contract.constraints if constraint.is_told][:3]
    limits = "; ".join(_plain(constraint.told) for constraint in said)
    whose = "the user or the team" if any(constraint.is_team for constraint in said) else "the user"
    lines += [f"Limits {whose} set: {cut(limits, _LIMITS)}"] if limits else []
    lines.append(f"Escalation: {session.escalation} of 3.")
    if level == "intervene":
        return [*lines, _VERIFY, *steps]
    first, then = _first_steps(session, agent, assessment, apart=apart)
    stop = ["Stop here: make no other change.", f"Mandatory first action, and nothing before it: {_ended(first)}"]
    return [*lines, *stop, *(f"Then: {_ended(step)}" for step in then)]


def _first_steps(
    session: Session, agent: AgentState, assessment: Assessment, *, apart: bool
) -> tuple[str, tuple[str, ...]]:
    """The one first action of a halt, and what follows it. Who has left the course is sent back to the work before
    anything else; what has nothing to do with the course is put right by its own remedy.
    """
    forced, told = session.mode == "FORCED", assessment.recovery
    doubted = {finding.subject for finding in assessment.findings if finding.delta}
    back = mandatory_action(session.forced if forced else way_back(session, agent, doubted))
    if not told or not any(remedy_comes_first(one.rule) for one in assessment.findings if one.delta):
        return back, tuple(_whole_parts(_plain(step), _STEP) for step in told[:1])
    after = tuple(_whole_parts(_plain(step), _STEP) for step in told[1:2]) if apart and not forced else (back,)
    return _whole_parts(_plain(told[0]), 2 * _STEP), after


def _put_right_apart(assessment: Assessment) -> bool:
    """Whether all that costs has a remedy of its own, and none of it is a step away from the work."""
    costly = [finding.rule for finding in assessment.findings if finding.delta]
    return bool(costly) and all(map(remedy_comes_first, costly))


def _instead(assessment: Assessment) -> str:
    """What the findings that cost most tell to do; a refusal goes no further than that."""
    return _plain(next(iter(assessment.recovery), "go on with the goal another way"))


def _room(level: Level, policy: Policy) -> int:
    return policy.nudge_room if level == "nudge" else policy.correction_room


def _plain(text: str) -> str:
    """One line that can not end our own tag: goals and paths come from outside."""
    return untagged(" ".join(text.split()))


def _quoted(path: str) -> str:
    """As a word of a line that people can run."""
    from shlex import quote  # noqa: PLC0415 - only once something is corrected

    return quote(_plain(path))


def _folder(path: str) -> str:
    return path.rsplit("/", 1)[0] + "/" if "/" in path else path


def _whole_parts(text: str, limit: int) -> str:
    """As many parts between semicolons as there is room for; only where the first alone is too long is it cut short."""
    shown = text[: limit + 1].rpartition("; ")[0]
    return text if len(text) <= limit else shown or cut(text, limit)


def _sentence(text: str, limit: int) -> str:
    return _ended(_whole_parts(text, limit))


def _ended(text: str) -> str:
    """With a full stop, unless something ends it already."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _id(session: str, tool_use_id: str, level: Level, paths: tuple[str, ...]) -> str:
    seed = "\x1f".join((session, tool_use_id, level, *paths))
    return "c" + digest(seed, 5)


# The words of an interrupt: as context for the agent, and as the block a person reads. Never more than 39 words.


MOST_WORDS = 39
HEARD: dict[Disposition, str] = {"FIRE": "at once", "QUEUE": "at pause", "LOG": "noted"}
"""When it is told: the word for it in every form, where a number would say nothing beside the word for others."""
HOLD: dict[Disposition, str] = {"FIRE": "immediate", "QUEUE": "next pause", "LOG": "end of session"}

_NAME = lazy(r"`[^`]+`")
_PERMIT = "Only the user may permit it: `leeboard allow {id} --reason ...`."


def said(message: str) -> str:
    """One line of under 40 words that can not end our own tag."""
    words = untagged(message).split()
    return " ".join(words) if len(words) <= MOST_WORDS else " ".join(words[:MOST_WORDS]).rstrip(",;:") + "…"


def for_agent(pending: Pending, *, refusal: str = "", along: tuple[Finding, ...] = ()) -> str:
    """What the agent reads. A refusal says by its id how the user, and nobody else, lets it pass, and names what else
    in the call must not pass: who hears of one at a time comes back for each.
    """
    text = pending.finding.message
    permit = _PERMIT.format(id=refusal)
    text = f"{text}{_also(pending.finding, along, MOST_WORDS - len(text.split()) - len(permit.split()))}"
    if refusal and len(text.split()) + len(permit.split()) <= MOST_WORDS:
        text = f"{text} {permit}"
    level: Level = "intervene" if refusal else "correct"
    attributes = {"level": level, "urgency": HEARD[pending.disposition]}
    return element(said(text), {**attributes, **code_attribute((pending.finding.rule,))})


def _also(first: Finding, along: tuple[Finding, ...], room: int) -> str:
    """The others, as many of them by name as there is room for; nothing where not even their number has room."""
    named = list(
        dict.fromkeys(_briefly(one, first.path) for one in sorted(along, key=lambda one: (one.path, one.line)))
    )
    for many in range(len(named), -1, -1):
        left = [f"{len(named) - many} more"] if many < len(named) else []
        text = f"Also {'; '.join((*named[:many], *left))}."
        if named and len(text.split()) <= room:
            return f" {text}"
    return ""


def _briefly(finding: Finding, path: str) -> str:
    """`SENDGRID_KEY`, line 3."""
    name = _NAME.match(finding.evidence[0].text) if finding.evidence else None
    place = f"line {finding.line}" if finding.path == path else f"{finding.path}:{finding.line}"
    return ", ".join(filter(None, (name[0] if name else with_code(finding.rule), place if finding.line else "")))


def block(judged: Judged) -> str:
    """What a person reads: the message to pass on, the reason in one sentence, and how long it could wait."""
    code = code_of(judged.rule)
    return "\n".join(
        (
            f"⚡ SCAFFOLD-WATCH INTERRUPT [CLASS-{letter_of(judged.subclass)} | URGENCY: {judged.urgency}]",
            "",
            f"/btw {said(judged.message)}",
            "",
            f"REASON: {judged.reason}{f' ({code})' if code else ''}",
            f"HOLD UNTIL: {HOLD[judged.disposition]}",
        )
    )


# One line for the person beside the agent: what was refused, or said louder than a nudge, and what they can do.


_PERSON_REASON = 240
_QUIET: tuple[Level, ...] = ("nudge",)


def person_line(verdict: Verdict, moment: Moment) -> str:
    """What the person is told of an answer; empty where it is none of theirs to know at once."""
    if not verdict.message or verdict.action not in moment.actions or verdict.action < Action.INJECT:
        return ""
    held = moment.kind == "stop"
    if verdict.action is Action.INJECT and not held and verdict.level in _QUIET:
        return ""
    did = "kept the agent going" if held else "told the agent"
    did = {Action.DENY: "refused a call", Action.ASK: "asks you"}.get(verdict.action, did)
    codes = " ".join(filter(None, map(code_of, verdict.rules)))
    return f"Leeboard {did}{f' ({codes})' if codes else ''}: {_reason(verdict.message)} {_ways_on(verdict)}"


def _reason(message: str) -> str:
    """The first line of the words, which says what is wrong; what the agent is told of permits has its own place."""
    first = body_of(message).partition("\n")[0].removeprefix(_REFUSED).partition(_PERMIT.partition(":")[0])[0]
    return _ended(cut(" ".join(first.split()), _PERSON_REASON))


def _ways_on(verdict: Verdict) -> str:
    why = f"`leeboard why {verdict.id}` says more"
    if any(permit_of(rule) == "terminal" for rule in verdict.rules):
        return f"{why}."
    lets = "lets it pass" if verdict.action in {Action.DENY, Action.ASK} else "lets it stand"
    return f"{why}; `leeboard allow {verdict.id} --reason ...` {lets}."


# The answer of the user to a correction. A yes that was meant for the tests must not lift a limit: where that is open
# the refusal stands, and the user can say it plainly.


def is_answered(agent: AgentState, limits: Iterable[Constraint]) -> bool:
    """Whether a yes of the user answers what the agent was told last: it asked for it, or it is the last thing it tried
    and nobody knows what it said afterwards.

    What is the user's to do in their own terminal no yes lets pass.
    """
    from leeboard.speech.leave import RefusedCall, asks_leave  # noqa: PLC0415 - only for a yes behind a correction

    told = agent.correction
    if told is None or not agent.heard or any(permit_of(rule) == "terminal" for rule in told.rules):
        return False
    if not agent.closing.strip():
        return agent.heard == "last"
    broken = tuple(limit.text for limit in limits if limit.text in told.text)
    return asks_leave(agent.closing, RefusedCall(told.paths, broken), is_last=agent.heard == "last")
