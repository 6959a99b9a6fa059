"""The record that is kept of a session and of its steps."""

from __future__ import annotations

import posixpath

from leeboard.model.event import ToolFinished
from leeboard.model.outcome import Capture, Step
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.verdict import Verdict, type_of
from leeboard.model.world import Analysis
from leeboard.text.language import is_generated, language_of
from leeboard.text.words import counted


def needs_review(session: Session, policy: Policy) -> bool:
    """Drift that was louder than a nudge, is unresolved, or came to a halt; and interrupts that fired."""
    unresolved = 0 < session.last_score < policy.speak_below or session.escalation > 0
    return unresolved or session.halts > 0 or session.above_nudge > 0 or session.fired > 0


def capture(session: Session, policy: Policy) -> Capture:
    """The one record of a session, whatever number of stops it had. Only scores below 8 count as drift."""
    review = needs_review(session, policy)
    tags = (*(("needs-review",) if review else ()), *(("had-drift",) if session.drifted else ()))
    return Capture(
        session_id=session.id,
        project_path=session.root,
        goal=session.goals[0].text if session.goals else "",
        status=session.status,
        drift_events=session.drifted,
        final_score=session.last_score,
        had_halt=session.halts > 0,
        needs_review=review,
        tags=tags,
        reasoning_trace=_trace(session),
        updated=session.updated,
    )


def _trace(session: Session) -> str:
    turns, actions = counted(session.turns, "turn"), counted(session.scored, "action")
    lines = [f"{turns}, {actions} scored, {session.drifted} off course."]
    if session.drifted:
        resolved = "resolved" if session.last_score >= 8 and not session.escalation else "unresolved"
        score = "score so far" if session.status == "active" else "final score"
        lines.append(f"Drift is {resolved}; {score} {session.last_score}.")
    if session.halts:
        lines.append(f"WARNING: the work was brought to a halt {counted(session.halts, 'time')}; review what it did.")
    if session.outlasted:
        lines.append("A forced action was not carried out for many turns: a person is to look at the session.")
    return "\n".join(lines)


def step_of(agent: AgentState, analysis: Analysis, verdict: Verdict, keywords: tuple[str, ...]) -> tuple[Step, ...]:
    """The row of an action that was carried out; `agent` as it was before the result came."""
    event = analysis.event
    if not isinstance(event, ToolFinished) or event.outcome == "denied":
        return ()
    call = next((known for known in agent.open_calls if known.id == event.call.id), None)
    bare = not event.call.tool and call is not None  # who tells of the result has not seen the call
    action = call.action if call and bare else event.call.action
    if action == "other":
        return ()
    score = call.score if call else 10
    touched = call.modifies if call and bare else tuple(touch.path for touch in analysis.touches)
    files = tuple(dict.fromkeys(touched))[:32]
    changes = action in {"edit", "write"}
    first = changes and not any(mark.path in files for mark in agent.marks)
    step = Step(
        id=f"{event.session}:{event.call.id}",
        session_id=event.session,
        action_type=action,
        files=files,
        folders=tuple(dict.fromkeys(path.rpartition("/")[0] + "/" for path in files if "/" in path)),
        command=analysis.command if action == "bash" else None,
        reasoning=_reasoning(agent) or None,
        drift_score=score,
        drift_type=type_of(score),
        correction_given=verdict.message or None,
        is_key_decision=first and score >= 9 and event.outcome == "done",
        is_validated=score >= 5,
        keywords=keywords[:20],
        timestamp=int(event.time * 1000),
    )
    return (step,)


def _reasoning(agent: AgentState) -> str:
    """What it said before the step, and the end of what it thought where somebody could see that."""
    thought = f"thought: … {agent.last_thought}" if agent.last_thought else ""
    return "\n".join(filter(None, (agent.last_text, thought)))


# Why the rules could not judge a file that was written, or not all of it. What is no code needs no parser.


_NO_CODE = frozenset(
    """
    md mdx markdown rst adoc txt text log csv tsv toml ini cfg conf properties env xml svg css scss sass less styl lock
    pem crt key patch diff example sample template tmpl j2 po pot arb plist in dockerignore gitignore editorconfig
    """.split()
)
"""Endings of prose, data and settings: secrets are looked for in any text, and nothing else would be."""
_MACROS = frozenset(("c", "cpp"))
"""Where a grammar without the preprocessor stumbles over code that compiles."""
_MOSTLY = 0.2


NOT_PARSED = "too large, too broken or too deeply nested for the parser"


def why_not_analysed(path: str, text: str) -> str:
    """Empty where all of it was understood."""
    if is_generated(path, text):
        return ""
    language = language_of(path, text)
    if not language:
        unknown = f"its language is not supported (.{_ending(path)}); only secrets were looked for"
        return unknown if is_code(path) else ""
    from leeboard.source.syntax import parse  # noqa: PLC0415 - the parser, for who asks for a report

    tree = parse(text, language)
    if tree is None:
        return f"{NOT_PARSED}; only secrets were looked for"
    broken = sum(end - start + 1 for start, end in tree.errors)
    if not broken or (language in _MACROS and broken < _MOSTLY * (text.count("\n") + 1)):
        return ""
    return f"does not parse as {language} (line {tree.errors[0][0]}); what lies there was not judged"


def is_code(path: str) -> bool:
    """Whether a file in no language that is known looks like code by its name."""
    ending = _ending(path)
    return bool(ending) and ending.isalpha() and ending not in _NO_CODE


def _ending(path: str) -> str:
    name = posixpath.basename(path).lower()
    return name.rpartition(".")[2] if "." in name[1:] else ""
