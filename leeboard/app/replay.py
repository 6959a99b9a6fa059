"""Play a recorded session through the pipeline as if it were happening now.

The transcript is the only witness: the repository is usually not there, and every moment a live client would have
offered (before a call, after it, after the batch, at the prompt) is offered here in the same order, so what is spoken
is what the agent would have heard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from leeboard.app.handle import SILENT, RunSetting, handle, load_rules
from leeboard.clients.session_file import open_reader, sniff
from leeboard.model.event import Event, PromptGiven, SessionStarted, Stopped, ToolFinished, ToolProposed, TurnEnded
from leeboard.model.lookup import Tree
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.text import lazy
from leeboard.model.verdict import Action, Moment, Verdict
from leeboard.model.workspace import Workspace
from leeboard.rule import code_of
from leeboard.store.memory import MemoryStore

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
    setting = RunSetting(workspace=workspace, policy=policy, rules=rules, tree=Tree(files), secret_key=_KEY)
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


# The files of a recorded session, as far as the recording itself shows them: what was read whole and what was written.
#
# Held in memory while a session is played, and nowhere else.


LARGEST = 2 << 20

_NUMBERED = lazy(r"^[ \t]{0,8}(\d{1,7})[\t→](.*)$")


class RecordedFiles:
    """`given` are files known beforehand; with them, what is not known does not exist."""

    def __init__(self, spell: Callable[[str, str], str], given: Mapping[str, str] | None = None) -> None:
        self._spell = spell
        self._texts: dict[str, str] = dict(given or {})
        self._all_known = given is not None

    def text(self, path: str) -> str | None:
        return self._texts.get(path)

    def exists(self, path: str) -> bool | None:
        return True if path in self._texts else False if self._all_known else None

    def lies_at(self, place: str) -> bool | None:  # noqa: ARG002 - a recording tells of its own project alone
        return None

    def ignored(self, path: str) -> bool | None:
        known = self._texts.get(".gitignore")
        if known is None:
            return None
        return path in known.split() or path.rpartition("/")[2] in known.split()

    @property
    def texts(self) -> Mapping[str, str]:
        return self._texts

    def change(self, path: str, text: str) -> None:
        """Somebody the recording does not tell of has written it."""
        self._texts[path] = text

    def observe(self, event: Event) -> None:
        """What the result of a call shows of the files, before the event is judged: the file is as the call left it."""
        if not isinstance(event, ToolFinished) or event.outcome != "done":
            return
        call = event.call
        for path in call.paths[:1]:
            spelled = self._spell(path, event.cwd)
            if call.action == "read" and call.tool.lower() == "read" and call.span == (0, 0):
                shown = _unnumbered(event.output)
                self._keep(spelled, self._texts.get(spelled) if shown is None else shown)
            elif call.action in {"write", "edit"} and len(call.paths) == 1:
                self._keep(spelled, self._edited(spelled, event))

    def _edited(self, path: str, event: ToolFinished) -> str | None:
        text = self._texts.get(path)
        for edit in event.call.edits:
            if not edit.old and not edit.at:
                text = edit.new
            elif text is None or edit.old not in text:
                return None
            else:
                text = text.replace(edit.old, edit.new, 1)
        return text

    def _keep(self, path: str, text: str | None) -> None:
        if text is None or len(text) > LARGEST:
            self._texts.pop(path, None)
        else:
            self._texts[path] = text


def _unnumbered(output: str) -> str | None:
    """The file in a listing with line numbers that begins at the first line; None for anything else."""
    lines = output.split("\n")
    found = [_NUMBERED.match(line) for line in lines]
    while found and found[-1] is None:
        found.pop()
    if not found or any(one is None for one in found):
        return None
    numbers = [int(one[1]) for one in found if one is not None]
    if numbers != list(range(1, len(numbers) + 1)):
        return None
    return "\n".join(one[2] for one in found if one is not None) + "\n"
