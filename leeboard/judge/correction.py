"""The words for an agent: short, factual, naming file and rule, and how the user widens the scope."""

from __future__ import annotations

import hashlib

from leeboard.code.wording import cut
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.verdict import Assessment, Correction, Level

_WIDEN = "If the user wants this, they say so or run `leeboard scope widen {path} --reason ...`."


def build(session: Session, agent: str, assessment: Assessment, tool_use_id: str, policy: Policy) -> Correction:
    """The correction for one drifting action."""
    paths = tuple(dict.fromkeys(finding.subject for finding in assessment.findings if finding.delta))
    room = policy.nudge_room if assessment.level == "nudge" else policy.correction_room
    turn = session.agent(agent).turn
    return Correction(
        id=_id(session.id, tool_use_id, assessment.level, paths),
        agent=agent,
        turn=turn,
        level=assessment.level,
        score=assessment.score,
        text=_text(session, assessment, paths, room),
        rules=tuple(dict.fromkeys(finding.rule for finding in assessment.findings if finding.delta)),
        paths=paths,
        tool_use_id=tool_use_id,
        confidence=assessment.confidence,
    )


def mandatory_action(forced: str) -> str:
    """The one first action that ends FORCED."""
    return f"read {forced}" if forced else "run `git diff` and tell the user which of the changes the goal needs"


def _text(session: Session, assessment: Assessment, paths: tuple[str, ...], room: int) -> str:
    level = assessment.level
    goal = _goal(session, 80 if level == "nudge" else 160)
    scope = ", ".join(session.contract.scope[: 2 if level == "nudge" else 5]) or "not known yet"
    widen = _WIDEN.format(path=_folder(paths[0]) if paths else "PATH")
    lines = _lines(session, assessment, goal, scope)
    head = f'<leeboard level="{level}" score="{assessment.score}/10">'
    tail = "</leeboard>"
    fixed = len(head) + len(tail) + 2
    body = "\n".join(lines)
    if fixed + len(body) + len(widen) + 1 <= room:
        body = f"{body}\n{widen}"
    return f"{head}\n{cut(body, room - fixed)}\n{tail}"


def _lines(session: Session, assessment: Assessment, goal: str, scope: str) -> list[str]:
    level, diagnostic = assessment.level, assessment.diagnostic
    if level == "nudge":
        return [cut(diagnostic, 110), f"Goal: {goal}. Scope: {cut(scope, 60)}."]
    steps = [f"{number}. {step}" for number, step in enumerate(assessment.recovery[:3], 1)]
    lines = [diagnostic, f"Goal: {goal}", f"Scope: {scope}"]
    if level == "correct":
        return [*lines, "Next steps:", *steps]
    limits = [constraint.text for constraint in session.contract.constraints[:3]]
    lines += [f"Limits the user set: {'; '.join(limits)}"] if limits else []
    lines.append(f"Escalation: {session.escalation} of 3.")
    if level == "intervene":
        verify = "Verification required: before any other change, say in one line how it serves the goal, or undo it."
        return [*lines, verify, *steps]
    first = mandatory_action(session.forced or session.agent("").last_good)
    return [*lines, "Stop here: make no other change.", f"Mandatory first action, and nothing before it: {first}."]


def combine(waiting: tuple[Correction, ...], policy: Policy) -> Correction:
    """Several things that wait, said as one: the loudest, naming the paths of all."""
    worst = max(waiting, key=lambda correction: (_loudness(correction.level), -correction.score))
    others = [path for correction in waiting for path in correction.paths if path not in worst.paths]
    if not others:
        return worst
    more = f"Also outside the goal: {', '.join(dict.fromkeys(others))}."
    room = policy.nudge_room if worst.level == "nudge" else policy.correction_room
    head, _, rest = worst.text.partition("\n")
    text = f"{head}\n{cut(more, room // 3)}\n{rest}"
    if len(text) > room:
        text = text[: room - len("\n</leeboard>")].rsplit("\n", 1)[0] + "\n</leeboard>"
    paths = tuple(dict.fromkeys((*worst.paths, *others)))
    rules = tuple(dict.fromkeys(rule for correction in (worst, *waiting) for rule in correction.rules))
    return Correction(
        id=worst.id, agent=worst.agent, turn=worst.turn, level=worst.level, score=worst.score, text=text,
        rules=rules, paths=paths, tool_use_id=worst.tool_use_id, confidence=worst.confidence,
    )  # fmt: skip


def _loudness(level: Level) -> int:
    return ("none", "nudge", "correct", "intervene", "halt").index(level)


def _goal(session: Session, room: int) -> str:
    return cut(session.contract.objective or "not stated yet", room)


def _folder(path: str) -> str:
    return path.rsplit("/", 1)[0] + "/" if "/" in path else path


def _id(session: str, tool_use_id: str, level: Level, paths: tuple[str, ...]) -> str:
    seed = "\x1f".join((session, tool_use_id, level, *paths))
    return "c" + hashlib.blake2b(seed.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
