"""A session as people read it: its goal, each drift with its score and words, and how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.app.views.said import HOW_TOLD, SaidView
from leeboard.app.views.session import AllowanceView, GoalView, LimitView
from leeboard.app.views.why import SignalPage
from leeboard.model.session import Drift, Session
from leeboard.model.verdict import Action, Disposition, Verdict
from leeboard.rule import with_code
from leeboard.surfaces.cli.screen import LEVEL_STYLES, MODE_STYLES, fields, printable, score_bar, words, wrapped
from leeboard.text.words import counted, cut

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console, Text


_FATES = {
    Action.QUEUE: "noted, to be said at the next pause",
    Action.INJECT: "told the agent",
    Action.ASK: "asked the user",
    Action.DENY: "refused",
}


def goal_rows(goal: GoalView) -> list[tuple[str, Text | str]]:
    """The goal as it was understood, for `fields`."""
    rows: list[tuple[str, Text | str]] = [("goal", cut(goal.objective or "not stated", 200))]
    rows += [("first asked", cut(goal.first_asked, 200))] if goal.first_asked else []
    rows += [("scope", ", ".join(goal.named[:8]))] if goal.named else []
    rows += [("agreed", f"{', '.join(goal.let_stand[:8])}: you said yes")] if goal.let_stand else []
    rows += [("about", ", ".join(goal.areas))] if goal.areas else []
    rows += [("limit", limit_text(limit)) for limit in goal.limits]
    return rows


def limit_text(limit: LimitView) -> str:
    """A limit, where it is written, and whether anything comes of it."""
    text = f"{limit.text} ({limit.source})" if limit.source else limit.text
    text = f"{text}, but no longer for {', '.join(limit.lifted_for)}: you said yes" if limit.lifted_for else text
    return text if limit.is_judged else f"{text} (not checkable: given to the agent, not judged)"


def described(allowance: AllowanceView) -> str:
    """What an allowance lets pass."""
    if allowance.fingerprint:
        return allowance.fingerprint
    return f"{allowance.rule or 'every rule'} on {allowance.path or 'every path'}"


def how_long(allowance: AllowanceView) -> str:
    """In which session, where it is one alone, and until when."""
    where = f"in session {allowance.session[:8]} alone" if allowance.session else ""
    until = f"until {allowance.until}" if allowance.until else "" if where else "for good"
    return ", ".join(filter(None, (where, until)))


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


def print_said(said: SaidView, console: Console) -> None:
    """A correction as it was said: what became of it and how far off the action was, what it is about, its words."""
    told = words(
        (said.level, LEVEL_STYLES[said.level]), f"  {HOW_TOLD[said.how]}  turn {said.turn}", ("  " + said.id, "dim")
    )
    if said.score:
        told.append_text(words("  ")).append_text(score_bar(said.score, said.level, console))
    console.print(words("  ").append_text(told))
    about = ", ".join(said.paths[:6])
    rules = ", ".join(map(with_code, said.rules))
    if about or rules:
        console.print(words("    ", (rules, "dim"), "  " if about else "", about))
    print_message(said.words, console)


def print_message(message: str, console: Console, indent: int = 4) -> None:
    """Words for the agent, exactly as it receives them, behind a bar."""
    bar = "│ " if console.encoding.lower().startswith("utf") else "| "
    lead = words(" " * indent, (bar, "dim"))
    for line in printable(message).splitlines():
        for piece in wrapped(words(line), max(30, console.width - len(lead))):
            shown = lead.copy().append_text(piece)
            shown.rstrip()
            console.print(shown)


def ending_rows(session: Session, skipped: int = 0) -> list[tuple[str, Text | str]]:
    """How it ended, in figures, for `fields`."""
    ended = f"{counted(session.scored, 'action')} scored in {counted(session.turns, 'turn')}: "
    ended += (
        f"{session.drifted} off course; {counted(session.spoken, 'correction')} said, "
        f"{counted(session.denied, 'call')} refused"
    )
    rows: list[tuple[str, Text | str]] = [("in all", ended)]
    if session.last_score:
        last = words(f"{session.last_score}/10, mode ", (session.mode, MODE_STYLES[session.mode]))
        rows.append(("at the end", last))
    rows += [("not read", f"{counted(skipped, 'line')} that are not session records")] if skipped else []
    return rows


def plain(markdown: str) -> str:
    """The lines of a report without the marks of Markdown, which a terminal would show as they are."""
    return "\n".join(line.removeprefix("## ").replace("**", "") for line in markdown.splitlines())


def history_line(history: tuple[Drift, ...], most: int = 48) -> Text:
    """The scores in order, each in the colour of its level; the newest where there are too many."""
    shown = history[-most:]
    line = words((f"(the last {most} of {len(history)}) ", "dim") if len(history) > most else "")
    for drift in shown:
        line.append_text(words((str(drift.score), LEVEL_STYLES[drift.level]), " "))
    return line


STATE_STYLES = {
    "fired": "bold red",
    "delivered": "yellow",
    "waiting": "yellow",
    "logged": "dim",
    "self-corrected": "green",
    "dropped": "dim",
}


_HEARD: dict[Disposition, str] = {
    "FIRE": "the agent hears of it at once",
    "QUEUE": "the agent hears of it at the next pause",
    "LOG": "it only stands in the report",
}


def show_signal(page: SignalPage, console: Console) -> None:
    """One finding with an urgency: what it is about, how that came about, and what was said."""
    signal = page.signal
    spoken = f", said in turn {page.spoken_turn}" if page.spoken_turn >= 0 else ""
    name = f"{signal.id}, {with_code(signal.rule)}, "
    fields(
        [
            ("finding", words(name, (signal.became, STATE_STYLES[signal.state]))),
            ("about", f"{page.place}, turn {signal.turn}{spoken}, session {signal.session}"),
            ("urgency", f"{signal.told_urgency}, confidence {signal.confidence:g}; {_HEARD[signal.disposition]}"),
            *(("allowed", one) for one in page.allowed),
        ],
        console,
    )
    console.print()
    for line in signal.steps:
        console.print(words(f"  {line}"))
    console.print()
    label = "said" if page.is_spoken else "not said"
    console.print(words((f"  {label}: ", "dim"), signal.message))
