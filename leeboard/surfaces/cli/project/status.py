"""`leeboard status`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from leeboard.app.guard.alive import HookLife, Life
from leeboard.app.install.hook_files import short_path
from leeboard.app.pause import Pause
from leeboard.app.views.guard import Hooks, StatusPage, index_text, status_page
from leeboard.app.views.kept import kept_text
from leeboard.app.views.projects import WaitingWork
from leeboard.app.views.proxy import TrafficView, traffic_text
from leeboard.app.views.session import GoalView, paused_text
from leeboard.app.views.trust import asleep_text
from leeboard.clients import first_sign
from leeboard.io.clock import ago, iso, now
from leeboard.io.places import current_project
from leeboard.model.lookup import Receipt
from leeboard.model.session import Session
from leeboard.rule import with_code
from leeboard.surfaces.cli.screen import MODE_STYLES, fields, json_option, print_json, screen, words
from leeboard.surfaces.cli.session_view import goal_rows
from leeboard.text.words import counted, cut
from leeboard.trust.record import escaped

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Text

Row = tuple[str, "Text | str"]

_PROFILES = {
    "observe": "observe (records, says nothing)",
    "advise": "advise (speaks; refuses lost work, secrets, injections, what you ruled out, and loosening the guard)",
    "enforce": "enforce (as advise, and refuses scores below 5 and broken limits too)",
}


@click.command(epilog="Example:  leeboard status --json | jq .session.mode")
@json_option
def command(*, as_json: bool) -> int:
    """Is the guard alive here, and what does it think?

    Shows where the hooks stand, when each of them was last observed in this project, by the main agent and by
    sub-agents, and how long the answer took; of the newest session the goal, the scope, the mode, the score and what
    waits to be said. What went silent is said first: hooks whose program is gone, calls in the client's own transcript
    that no hook was asked about, failures that the client recorded. Exits 1 when no hook stands here, when one went
    silent, and when the guard is off because its state can not be used.
    """
    page = status_page(current_project())
    if as_json:
        print_json(_object(page))
    else:
        console, problem = screen(), page.health.stored.problem
        if problem:
            console.print(words(("the guard is off: ", "bold red"), problem))
            console.print(
                words("until that is fixed, only what must never pass is refused; `leeboard doctor` says more")
            )
        for line in page.health.unguarded[-1:]:
            console.print(words(("the guard was off: ", "bold red"), line))
        for line in page.health.stored.life.silences:
            console.print(words(("the guard is not heard: ", "bold red"), line))
        if page.health.stored.life.pause:
            console.print(words(("the guard is ", "bold yellow"), (page.health.stored.life.pause.words, "bold yellow")))
        fields([*_guard_rows(page), *_session_rows(page), *waiting_rows(page.waiting)], console)
    return 0 if page.is_guarded else 1


def waiting_rows(waiting: tuple[WaitingWork, ...]) -> list[Row]:
    """What waits for this person, in every project."""
    return [
        ("waits", words((f"{work.title or work.intent}: ", "bold"), f"{work.text} ({work.project})"))
        for work in waiting
    ]


def _guard_rows(page: StatusPage) -> list[Row]:
    health = page.health
    rows: list[Row] = [("project", health.root)]
    rows += [("hooks", _hooks_text(held)) for held in health.hooks if held.events or held.problem]
    rows += [
        ("hooks", words(f"those of the plugin, enabled in {short_path(held.place.path)}"))
        for held in health.hooks
        if held.plugin
    ]
    if not health.installed:
        alone = ": only what `leeboard run` starts is judged" if health.stored.traffic else ""
        rows.append(("hooks", words(("none", "bold red"), f"{alone}; `leeboard init` puts them in")))
    rows.append(("profile", _PROFILES[health.settings.policy.profile]))
    if health.sleeping_profile:
        rows.append(("", words((health.sleeping_profile, "yellow"))))
    rows += [("team policy", health.policy)] * bool(health.policy)
    if not health.settings.enabled:
        rows.append(("off", words(("LEEBOARD_OFF is set", "bold red"), ": nothing is watched, recorded or said")))
    if not health.stored.problem:
        rows.append(("last heard", _heard_text(page)))
        rows += [("", text) for text in life_texts(health.stored.life, now())]
    if health.stored.traffic:
        rows.append(("proxy", _traffic_text(health.stored.traffic)))
    rows.append(("resident", "runs" if health.resident else "does not run; the next hook starts it"))
    rows.append(("index", index_text(page.index)))
    if kept := kept_text(page.kept):
        rows.append(("your work", words((kept, "yellow" if page.kept.trouble or page.kept.gone else ""))))
    rows += [("settings", words((note, "yellow"))) for note in health.notes]
    texts = filter(None, (health.trust_problem, asleep_text(health.asleep)))
    rows += [("trust", words((text, "yellow"))) for text in texts]
    if page.server_trouble:
        rows.append(("workflow", words((page.server_trouble, "yellow"))))
    if health.misses:
        rows.append(("misses", words((str(len(health.misses)), "yellow"), f"; the last: {health.misses[-1]}")))
    if health.stored.refused:
        newest = health.stored.refused[0]
        rows.append(("refused", words((newest.note, "yellow"), f", {ago(newest.ts)}")))
    return rows


def _traffic_text(traffic: TrafficView) -> Text:
    text = words(traffic_text(traffic))
    if traffic.unchecked:
        text.append_text(words(("; `leeboard doctor` says more", "yellow")))
    return text


def _hooks_text(held: Hooks) -> Text:
    if held.problem:
        return words((held.problem, "bold red"))
    wanted = len(held.place.format.HOOK_EVENTS)
    text = words(short_path(held.place.path), f" ({held.place.scope}), {len(held.events)} of {wanted} events")
    if held.posted:
        text.append_text(words(f", {len(held.posted)} of them posted to the resident"))
    if not held.current:
        text.append_text(words(("; they run another installation: `leeboard doctor`", "yellow")))
    return text


def _heard_text(page: StatusPage) -> str:
    if page.speed is None:
        return "never in this project"
    newest, speed = page.health.stored.receipts[0], page.speed
    took = f"judging takes {speed.median:.0f} ms, 95 of 100 below {speed.slow:.0f} ms"
    return f"{ago(newest.ts)} ({newest.event}); {took}"


def life_texts(life: Life, at: float) -> list[str]:
    """For each client: which of its hook events were observed here, and when; then those that never were."""
    texts = []
    for client in dict.fromkeys(hook.client for hook in life.hooks):
        own = [hook for hook in life.hooks if hook.client == client]
        heard = ", ".join(_heard_words(hook, at, is_paused=life.pause is not None) for hook in own if hook.heard)
        never = [hook.event for hook in own if hook.configured and not hook.heard]
        title = first_sign(client, "title")
        if heard:
            texts.append(f"{title}: {heard}")
        if heard and never:
            texts.append(f"{title}: configured and not observed here yet: {', '.join(never)}")
    if life.canary:
        texts.append(f"self-test at the start of a session answered {ago(life.canary, at)}")
    return texts


def _heard_words(hook: HookLife, at: float, *, is_paused: bool) -> str:
    agents = f" (sub-agents {ago(hook.heard_in_agents, at)})" if hook.heard_in_agents else ""
    off = "" if hook.enabled or is_paused else " and off now" if hook.configured else " and not configured now"
    return f"{hook.event} {ago(hook.heard, at)}{agents}{off}"


def _session_rows(page: StatusPage) -> list[Row]:
    stored, goal = page.health.stored, page.goal
    session = stored.session
    if stored.problem:
        return []
    if session is None or goal is None:
        return [("session", "none was recorded here yet")]
    score = f"last score {session.last_score}/10" if session.last_score else "nothing scored yet"
    mode = words((session.mode, MODE_STYLES[session.mode]), f", {score}, escalation {session.escalation} of 3")
    rows: list[Row] = [
        ("session", f"{session.id}, {session.status}, {ago(session.updated)}"),
        *goal_rows(goal),
        ("mode", mode),
    ]
    rows.append(("watching", _watching(session)))
    rows += [("paused", paused_text(session))] if session.paused else []
    if goal.grown:
        rows.append(("grown", ", ".join(goal.grown[:8])))
    for agent in session.agents:
        rows += [
            ("waiting", f"{with_code(one.finding.rule)} about {one.finding.path or one.finding.subject} ({one.id})")
            for one in agent.pending
        ]
        rows += [("waiting", f"{one.level} about {', '.join(one.paths[:3])} ({one.id})") for one in agent.waiting]
    if stored.allowances:
        shared = f", {stored.shared} of them shared by the team" if stored.shared else ""
        rows.append(("allowed", f"{stored.allowances}{shared}; `leeboard allow --list` shows them"))
    return rows


def _watching(session: Session) -> str:
    """Silence is only worth something from one who watches."""
    waiting = sum(len(agent.pending) + len(agent.waiting) for agent in session.agents)
    refused = f", {session.denied} of them refused a call" if session.denied else ""
    return (
        f"{counted(session.turns, 'turn')}; {counted(session.spoken, 'correction')} said{refused}; {waiting} waiting, "
        f"{counted(session.logged, 'finding')} noted and not said"
    )


def _object(page: StatusPage) -> dict[str, object]:
    health, stored = page.health, page.health.stored
    return {
        "kind": "status",
        "project": health.root,
        "installed": health.installed,
        "profile": health.settings.policy.profile,
        "enabled": health.settings.enabled and not stored.problem,
        "hooks": [_hooks_object(held) for held in health.hooks],
        "paused": _pause_object(stored.life.pause),
        "silences": list(stored.life.silences),
        "observed": [_observed_object(hook) for hook in stored.life.hooks],
        "canary_seconds_ago": round(now() - stored.life.canary, 1) if stored.life.canary else None,
        "unheard_calls": sum(one.unheard for one in stored.life.witnessed),
        "last_heard": _receipt_object(stored.receipts[0]) if stored.receipts else None,
        "resident": health.resident,
        "proxy": msgspec.to_builtins(stored.traffic),
        "index": index_text(page.index),
        "session": _session_object(stored.session, page.goal) if stored.session and page.goal else None,
        "allowances": stored.allowances,
        "shared_allowances": stored.shared,
        "team_policy": health.policy,
        "misses": len(health.misses),
        "kept": {
            "files": page.kept.files,
            "copies": page.kept.copies,
            "bytes": page.kept.bytes,
            "gone": page.kept.gone,
            "left_out": page.kept.left_out,
            "trouble": page.kept.trouble,
        },
        "asleep": [{"part": actor.part, "place": escaped(actor.place)} for actor in health.asleep if actor.acts],
        "self_allowances": len(stored.refused),
        "waiting": [msgspec.to_builtins(work) for work in page.waiting],
        "problems": [*health.notes, *filter(None, (page.server_trouble, stored.problem, health.trust_problem))],
    }


def _hooks_object(held: Hooks) -> dict[str, object]:
    return {
        "scope": held.place.scope,
        "file": held.place.path,
        "events": list(held.events),
        "posted": list(held.posted),
        "missing": list(held.missing),
        "current": held.current,
        "plugin": held.plugin,
        "problem": held.problem,
    }


def _observed_object(hook: HookLife) -> dict[str, object]:
    def since(moment: float) -> float | None:
        return round(now() - moment, 1) if moment else None

    return {
        "client": hook.client,
        "event": hook.event,
        "configured": hook.configured,
        "enabled": hook.enabled,
        "seconds_ago": since(hook.heard),
        "sub_agent_seconds_ago": since(hook.heard_in_agents),
        "worktree_seconds_ago": since(hook.heard_in_worktrees),
        "count": hook.count,
    }


def _pause_object(pause: Pause | None) -> dict[str, object] | None:
    if pause is None:
        return None
    return {"reason": pause.reason, "by": pause.by, "until": iso(pause.until) if pause.until else None}


def _receipt_object(receipt: Receipt) -> dict[str, object]:
    return {
        "seconds_ago": round(now() - receipt.ts, 1),
        "event": receipt.event,
        "outcome": receipt.outcome,
        "ms": round(receipt.ms, 1),
        "note": receipt.note,
    }


def _session_object(session: Session, goal: GoalView) -> dict[str, object]:
    return {
        "id": session.id,
        "status": session.status,
        "goal": cut(session.contract.objective, 400),
        "scope": {"named": list(goal.named), "grown": list(goal.grown)},
        "constraints": [constraint.text for constraint in session.contract.constraints],
        "mode": session.mode,
        "last_score": session.last_score,
        "escalation": session.escalation,
        "turns": session.turns,
        "said": session.spoken,
        "refused": session.denied,
        "let_pass_in_pause": session.paused,
        "interrupt_budget": session.interrupt_budget,
        "interrupts_fired": session.fired,
        "interrupts_queued": [one.id for agent in session.agents for one in agent.pending],
        "signals_logged": session.logged,
        "waiting": [one.id for agent in session.agents for one in agent.waiting],
    }
