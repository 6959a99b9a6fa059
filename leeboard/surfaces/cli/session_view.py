"""A session as people read it: its goal, each drift with its score and words, and how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.model.contract import Constraint
from leeboard.model.outcome import Judged
from leeboard.model.session import Drift, Session
from leeboard.model.verdict import Action, Verdict
from leeboard.rule import code_of, with_code
from leeboard.surfaces.cli.screen import LEVEL_STYLES, MODE_STYLES, fields, printable, score_bar, words
from leeboard.text.words import counted, cut

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


_FATES = {
    Action.QUEUE: "noted, to be said at the next pause",
    Action.INJECT: "told the agent",
    Action.ASK: "asked the user",
    Action.DENY: "refused",
}


def named_scope(session: Session) -> tuple[str, ...]:
    """The places the human's own words named, newest message first."""
    return tuple(dict.fromkeys(entry for goal in reversed(session.goals) for entry in goal.scope))


def grown_scope(session: Session) -> tuple[str, ...]:
    """The places that joined because the work led there."""
    named = set(named_scope(session))
    return tuple(entry for entry in session.contract.scope if entry not in named)


def goal_rows(session: Session) -> list[tuple[str, Text | str]]:
    """The goal as it was understood, for `fields`."""
    contract = session.contract
    rows: list[tuple[str, Text | str]] = [("goal", cut(contract.objective or "not stated", 200))]
    if session.goals and session.goals[0].text != contract.objective:
        rows.append(("first asked", cut(session.goals[0].text, 200)))
    rows += [("scope", ", ".join(named_scope(session)[:8]))] if named_scope(session) else []
    rows += [("about", ", ".join(contract.areas))] if contract.areas else []
    rows += [("limit", limit_text(constraint)) for constraint in contract.constraints]
    return rows


def limit_text(constraint: Constraint) -> str:
    """A limit, and whether anything comes of it."""
    return constraint.text if constraint.checkable else f"{constraint.text} (given to the agent, not judged)"


def print_verdict(verdict: Verdict, console: Console) -> None:
    """Two lines: how far off and what became of it; then what it was about."""
    level = verdict.level if verdict.level != "none" else "on course"
    console.print(
        words("  "),
        score_bar(verdict.score, verdict.level, console),
        words("  ", (level, LEVEL_STYLES[verdict.level]), f"  turn {verdict.turn}"),
        words(("  " + _FATES[verdict.action], "dim")) if verdict.action in _FATES else words(),
        sep="",
    )
    about = ", ".join(verdict.paths[:6])
    console.print(words("    ", about, ("  " + ", ".join(map(with_code, verdict.rules)), "dim")))


def print_message(message: str, console: Console, indent: int = 4) -> None:
    """Words for the agent, exactly as it receives them, behind a bar."""
    bar = "│ " if console.encoding.lower().startswith("utf") else "| "
    lead = words(" " * indent, (bar, "dim"))
    for line in printable(message).splitlines():
        for piece in words(line).wrap(console, max(30, console.width - len(lead))) or [words()]:
            shown = lead.copy().append_text(piece)
            shown.rstrip()
            console.print(shown)


def ending_rows(session: Session, skipped: int = 0) -> list[tuple[str, Text | str]]:
    """How it ended, in figures, for `fields`."""
    ended = f"{counted(session.scored, 'action')} scored in {counted(session.turns, 'turn')}: "
    ended += f"{session.drifted} off course, {session.spoken} spoken of, {session.denied} refused"
    rows: list[tuple[str, Text | str]] = [("in all", ended)]
    if session.last_score:
        last = words(f"{session.last_score}/10, mode ", (session.mode, MODE_STYLES[session.mode]))
        rows.append(("at the end", last))
    rows += [("not read", f"{counted(skipped, 'line')} of no session record")] if skipped else []
    return rows


def history_line(history: tuple[Drift, ...], most: int = 48) -> Text:
    """The scores in order, each in the colour of its level; the newest where there are too many."""
    shown = history[-most:]
    line = words((f"(the last {most} of {len(history)}) ", "dim") if len(history) > most else "")
    for drift in shown:
        line.append_text(words((str(drift.score), LEVEL_STYLES[drift.level]), " "))
    return line


# One judged signal: for a person's eyes and for programs.


STATE_STYLES = {
    "fired": "bold red",
    "delivered": "yellow",
    "waiting": "yellow",
    "logged": "dim",
    "self-corrected": "green",
    "dropped": "dim",
}


def signal_object(judged: Judged, session: str) -> dict[str, object]:
    return {
        "kind": "signal",
        "id": judged.id,
        "session": session,
        "agent": judged.agent,
        "turn": judged.turn,
        "rule": judged.rule,
        "code": code_of(judged.rule),
        "subclass": judged.subclass,
        "urgency": judged.urgency,
        "disposition": judged.disposition,
        "state": judged.state,
        "path": judged.path,
        "line": judged.line,
        "confidence": judged.confidence,
        "message": judged.message,
        "reason": judged.reason,
        "note": judged.note,
        "trace": list(judged.trace),
    }


def place(judged: Judged) -> str:
    return f"{judged.path}:{judged.line}" if judged.path and judged.line else judged.path or judged.subject


def show_signal(judged: Judged, session: str, console: Console) -> None:
    spoken = f", said in turn {judged.spoken_turn}" if judged.spoken_turn >= 0 else ""
    fields(
        [
            (
                "signal",
                words(
                    f"{judged.id}, {with_code(judged.rule)} ({judged.subclass}), ",
                    (judged.state, STATE_STYLES[judged.state]),
                ),
            ),
            ("about", f"{place(judged)}, turn {judged.turn}{spoken}, session {session}"),
            ("urgency", f"{judged.urgency}, {judged.disposition}, confidence {judged.confidence:g}"),
        ],
        console,
    )
    console.print()
    for line in judged.trace:
        console.print(words(f"  {line}"))
    console.print()
    label = "said" if judged.state in {"fired", "delivered"} else "not said"
    console.print(words((f"  {label}: ", "dim"), judged.message))
