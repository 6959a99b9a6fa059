"""Play a recorded session through the pipeline as if it were happening now.

The transcript is the only witness: the repository is usually not there, and every moment a live client would have
offered (before a call, after it, after the batch, at the prompt) is offered here in the same order, so what is spoken
is what the agent would have heard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from leeboard.app.facts import load_rules
from leeboard.app.handle import SILENT, handle
from leeboard.app.recorded_files import RecordedFiles
from leeboard.app.world import Setting
from leeboard.clients.session_file import open_reader, sniff
from leeboard.io.store.memory import MemoryStore
from leeboard.model.event import (
    Event,
    PromptGiven,
    SessionStarted,
    Stopped,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.surroundings import Tree
from leeboard.model.verdict import Action, Moment, Verdict
from leeboard.model.workspace import Workspace
from leeboard.rule import code_of

Observer = Callable[[Event, Verdict | None, Session], None]
"""Told of every event after it was handled, with its verdict and the session as it is then."""

_KEY = b"a replay keeps nothing"
"""Digests of secrets end with the replay, so their key need not be one."""
_STEP = (Action.ALLOW, Action.INJECT)
MOMENTS: dict[type[Event], Moment] = {
    ToolProposed: Moment(kind="before_call", actions=(Action.ALLOW, Action.ASK, Action.DENY)),
    ToolFinished: Moment(kind="after_call", actions=_STEP),
    TurnEnded: Moment(kind="batch_end", actions=_STEP, pause=True),
    PromptGiven: Moment(kind="prompt", actions=_STEP, pause=True),
    SessionStarted: Moment(kind="start", actions=_STEP, pause=True),
    Stopped: Moment(kind="stop", actions=_STEP, pause=True),
}
"""What a live client would let us answer, by event."""


class Replayed(msgspec.Struct, kw_only=True):
    """A played session: its verdicts in order, and how it ended."""

    verdicts: list[Verdict]
    session: Session
    skipped_lines: int


def replay_bytes(data: bytes, *, name: str = "", policy: Policy | None = None) -> list[dict[str, Any]]:
    """The objects of `leeboard replay --json`: a verdict for each event below 8 or answered by more than ALLOW."""
    played = play(data, name=name, policy=policy)
    return [*(verdict_object(verdict) for verdict in played.verdicts), summary_object(played)]


def play(data: bytes, *, name: str = "", policy: Policy | None = None, observer: Observer | None = None) -> Replayed:
    """Play a transcript or rollout; bytes that are neither give a session without events."""
    client = sniff(data[: 1 << 20])
    if not client:
        skipped = sum(1 for line in data.split(b"\n") if line.strip())
        return Replayed(verdicts=[], session=Session(id=name), skipped_lines=skipped)
    reader = open_reader(client)
    events = [*reader.feed(data), *reader.finish()]
    session_id = next((event.session for event in events if event.session), name)
    verdicts, session = _play_events(events, session_id, policy or Policy(), observer)
    return Replayed(verdicts=verdicts, session=session, skipped_lines=reader.skipped)


def _play_events(
    events: Iterable[Event], session_id: str, policy: Policy, observer: Observer | None
) -> tuple[list[Verdict], Session]:
    events = list(events)
    root = next((event.cwd for event in events if event.cwd), "")
    workspace = Workspace(root.replace("\\", "/"))
    files = RecordedFiles(workspace.spell)
    rules = load_rules(policy.disabled_rules)
    setting = Setting(workspace=workspace, policy=policy, rules=rules, tree=Tree(files), secret_key=_KEY)
    store = MemoryStore(keep_rows=False)
    told: list[Verdict] = []
    for event in events:
        own = event if event.session == session_id else replace(event, session=session_id)
        files.observe(own)
        verdict = handle((own,), MOMENTS.get(type(event), SILENT), store, setting)
        if verdict is not None and (0 < verdict.score < policy.speak_below or verdict.action > Action.ALLOW):
            told.append(verdict)
        if observer is not None:
            observer(own, verdict, store.session(session_id) or Session(id=session_id))
    return told, store.session(session_id) or Session(id=session_id)


def verdict_object(verdict: Verdict) -> dict[str, Any]:
    return {
        "kind": "verdict",
        "session": verdict.session,
        "turn": verdict.turn,
        "tool_use_id": verdict.tool_use_id,
        "action": verdict.action.name,
        "score": verdict.score,
        "level": verdict.level,
        "confidence": verdict.confidence,
        "rules": list(verdict.rules),
        "codes": list(filter(None, map(code_of, verdict.rules))),
        "paths": list(verdict.paths),
        "message": verdict.message,
    }


def summary_object(played: Replayed) -> dict[str, Any]:
    session = played.session
    return {
        "kind": "summary",
        "session": session.id,
        "events": session.events,
        "turns": session.turns,
        "scored": session.scored,
        "spoken": session.spoken,
        "denied": session.denied,
        "final_score": session.last_score,
        "mode": session.mode,
        "skipped_lines": played.skipped_lines,
    }
