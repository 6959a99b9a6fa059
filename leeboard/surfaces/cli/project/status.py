"""`leeboard status`."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

import click

from leeboard.app.guard.off import went_off
from leeboard.io.clock import now
from leeboard.io.places import state_dir
from leeboard.judge.urgency import shown as shown_urgency
from leeboard.model.lookup import Receipt
from leeboard.model.session import Session
from leeboard.rule import with_code
from leeboard.source.index.state import IndexState, read_state
from leeboard.surfaces.cli.change_view import shown
from leeboard.surfaces.cli.here import here
from leeboard.surfaces.cli.project.health import Hooks, ProjectHealth, health_of
from leeboard.surfaces.cli.project.server_file import server_trouble
from leeboard.surfaces.cli.screen import MODE_STYLES, ago, fields, json_option, print_json, screen, words
from leeboard.surfaces.cli.session_view import goal_rows, grown_scope, named_scope
from leeboard.surfaces.cli.trust_view import asleep_text
from leeboard.text.words import counted, cut
from leeboard.trust.record import escaped

if TYPE_CHECKING:
    from rich.text import Text

Row = tuple[str, "Text | str"]

_PROFILES = {
    "observe": "observe (records, says nothing)",
    "advise": "advise (speaks, refuses secrets, injections and the agent loosening its guard)",
    "enforce": "enforce (speaks, refuses that, scores below 5 and broken limits)",
}


@click.command(epilog="Example:  leeboard status --json | jq .session.mode")
@json_option
def command(*, as_json: bool) -> int:
    """Is the guard alive here, and what does it think?

    Shows where the hooks stand, when one was last heard and how long the answer took, and of the newest session the
    goal, the scope, the mode, the score and what waits to be said. Exits 1 when no hook stands here, and when the guard
    is off because its state can not be used.
    """
    health = health_of(here())
    if as_json:
        print_json(_object(health))
    else:
        console = screen()
        if health.stored.problem:
            console.print(words(("the guard is off: ", "bold red"), health.stored.problem))
            console.print(words("until it is mended, only the named few are refused; `leeboard doctor` says more"))
        for line in _unguarded(health):
            console.print(words(("the guard was off: ", "bold red"), line))
        fields([*_guard_rows(health), *_session_rows(health)], console)
    return 0 if health.installed and not health.stored.problem else 1


def _unguarded(health: ProjectHealth) -> list[str]:
    """The newest note that the hooks went from the client's settings, until `doctor --fix` sets the log aside."""
    return went_off(state_dir(), health.root)[-1:]


def _guard_rows(health: ProjectHealth) -> list[Row]:
    rows: list[Row] = [("project", health.root)]
    rows += [("hooks", _hooks_text(held)) for held in health.hooks if held.events or held.problem]
    if not health.installed:
        rows.append(("hooks", words(("none", "bold red"), "; `leeboard init` puts them in")))
    rows.append(("profile", _PROFILES[health.settings.policy.profile]))
    if health.sleeping_profile:
        rows.append(("", words((health.sleeping_profile, "yellow"))))
    if not health.settings.enabled:
        rows.append(("off", words(("LEEBOARD_OFF is set", "bold red"), ": nothing is watched, recorded or said")))
    if not health.stored.problem:
        rows.append(("last heard", _heard_text(health)))
    rows.append(("resident", "runs" if health.resident else "does not run; the next hook starts it"))
    rows.append(("index", index_text(read_state(health.root))))
    rows += [("settings", words((note, "yellow"))) for note in health.notes]
    rows += [("trust", words((text, "yellow"))) for text in _trust_texts(health)]
    if trouble := server_trouble(health.root):
        rows.append(("workflow", words((trouble, "yellow"))))
    if health.misses:
        rows.append(("misses", words((str(len(health.misses)), "yellow"), f"; the last: {health.misses[-1]}")))
    if health.stored.refused:
        newest = health.stored.refused[0]
        rows.append(("refused", words((newest.note, "yellow"), f", {ago(newest.ts)}")))
    return rows


def _trust_texts(health: ProjectHealth) -> list[str]:
    return [text for text in (health.trust_problem, asleep_text(health.asleep)) if text]


def index_text(state: IndexState) -> str:
    """What the rules about duplicates and patterns can know; what they can not is not analysed, never clean."""
    if not state.exists:
        return "none yet: duplicates and patterns are not analysed (`leeboard index`)"
    if state.pending:
        return f"{state.files} files by name, {state.pending} not analysed yet"
    return f"{state.files} files, {state.functions} functions, {ago(state.refreshed)}"


def _hooks_text(held: Hooks) -> Text:
    if held.problem:
        return words((held.problem, "bold red"))
    wanted = len(held.place.format.HOOK_EVENTS)
    text = words(shown(held.place.path), f" ({held.place.scope}), {len(held.events)} of {wanted} events")
    if not held.current:
        text.append_text(words(("; they run another installation: `leeboard doctor`", "yellow")))
    return text


def _heard_text(health: ProjectHealth) -> str:
    receipts = health.stored.receipts
    if not receipts:
        return "never in this project"
    newest = receipts[0]
    took = sorted(receipt.ms for receipt in receipts)
    slow = took[min(len(took) - 1, len(took) * 95 // 100)]
    return f"{ago(newest.ts)} ({newest.event}); judging takes {median(took):.0f} ms, 95 of 100 below {slow:.0f} ms"


def _session_rows(health: ProjectHealth) -> list[Row]:
    session = health.stored.session
    if health.stored.problem:
        return []
    if session is None:
        return [("session", "none was recorded here yet")]
    score = f"{session.last_score}/10" if session.last_score else "nothing scored yet"
    mode = words(
        (session.mode, MODE_STYLES[session.mode]), f", last score {score}, escalation {session.escalation} of 3"
    )
    rows: list[Row] = [
        ("session", f"{session.id}, {session.status}, {ago(session.updated)}"),
        *goal_rows(session),
        ("mode", mode),
    ]
    rows.append(("watching", _watching(session)))
    if grown_scope(session):
        rows.append(("grown", ", ".join(grown_scope(session)[:8])))
    for agent in session.agents:
        rows += [
            ("queued", f"{with_code(one.finding.rule)} {shown_urgency(one.urgency)}: {one.id}") for one in agent.pending
        ]
        rows += [("waiting", f"{one.level} about {', '.join(one.paths[:3])}") for one in agent.waiting]
    if health.stored.allowances:
        rows.append(("allowed", f"{health.stored.allowances}; `leeboard allow --list` shows them"))
    return rows


def _watching(session: Session) -> str:
    """Silence is only worth something from one who watches."""
    queued = sum(len(agent.pending) for agent in session.agents)
    return (
        f"{counted(session.turns, 'turn')}; interrupts: {session.fired} fired, budget {session.interrupt_budget}, "
        f"{queued} queued, {session.logged} logged"
    )


def _object(health: ProjectHealth) -> dict[str, object]:
    stored = health.stored
    return {
        "kind": "status",
        "project": health.root,
        "installed": health.installed,
        "profile": health.settings.policy.profile,
        "enabled": health.settings.enabled and not stored.problem,
        "hooks": [_hooks_object(held) for held in health.hooks],
        "last_heard": _receipt_object(stored.receipts[0]) if stored.receipts else None,
        "resident": health.resident,
        "index": index_text(read_state(health.root)),
        "session": _session_object(stored.session) if stored.session else None,
        "allowances": stored.allowances,
        "misses": len(health.misses),
        "asleep": [{"part": actor.part, "place": escaped(actor.place)} for actor in health.asleep if actor.acts],
        "self_allowances": len(stored.refused),
        "problems": [*health.notes, *filter(None, (server_trouble(health.root), stored.problem, health.trust_problem))],
    }


def _hooks_object(held: Hooks) -> dict[str, object]:
    return {
        "scope": held.place.scope,
        "file": held.place.path,
        "events": list(held.events),
        "missing": list(held.missing),
        "current": held.current,
        "problem": held.problem,
    }


def _receipt_object(receipt: Receipt) -> dict[str, object]:
    return {
        "seconds_ago": round(now() - receipt.ts, 1),
        "event": receipt.event,
        "outcome": receipt.outcome,
        "ms": round(receipt.ms, 1),
        "note": receipt.note,
    }


def _session_object(session: Session) -> dict[str, object]:
    return {
        "id": session.id,
        "status": session.status,
        "goal": cut(session.contract.objective, 400),
        "scope": {"named": list(named_scope(session)), "grown": list(grown_scope(session))},
        "constraints": [constraint.text for constraint in session.contract.constraints],
        "mode": session.mode,
        "last_score": session.last_score,
        "escalation": session.escalation,
        "turns": session.turns,
        "interrupt_budget": session.interrupt_budget,
        "interrupts_fired": session.fired,
        "interrupts_queued": [one.id for agent in session.agents for one in agent.pending],
        "signals_logged": session.logged,
        "waiting": [one.id for agent in session.agents for one in agent.waiting],
    }
