"""Play a recorded session through the pipeline as if it were happening now.

The transcript is the only witness: the repository is usually not there, and every moment a live client would have
offered (before a call, after it, after the batch, at the prompt) is offered here in the same order, so what is spoken
is what the agent would have heard.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

import msgspec
from msgspec.structs import replace

from leeboard.app.engine.collecting import collecting_seldom
from leeboard.app.handle import SILENT, RunSetting, handle, load_rules
from leeboard.app.settings import given_contract
from leeboard.clients import client_named, client_names
from leeboard.clients.told_paths import respelled_event
from leeboard.clients.transcript_lines import SessionReader, mend_json, strip_line
from leeboard.model.event import (
    Event,
    MessageSaid,
    PromptGiven,
    SessionEnded,
    SessionStarted,
    Stopped,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from leeboard.model.lookup import Tree
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.text import lazy
from leeboard.model.verdict import Action, Moment, Verdict
from leeboard.model.workspace import Workspace, one_spelling, system_of
from leeboard.rule import code_of
from leeboard.settings.settings import Settings
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


class Recording(msgspec.Struct, frozen=True, kw_only=True):
    """A session as its file tells it."""

    session: str
    events: tuple[Event, ...] = ()
    skipped_lines: int = 0
    client: str = ""
    """Empty: nobody we know wrote it."""

    @property
    def cwd(self) -> str:
        """The folder it ran in; empty where it does not say."""
        return next((event.cwd for event in self.events if event.cwd), "")

    @property
    def ended(self) -> float:
        """The newest time in it, zero where it has none."""
        return max((event.time for event in self.events), default=0.0)


class Replayed(msgspec.Struct, kw_only=True):
    """A played session: its verdicts in order, and how it ended."""

    verdicts: list[Verdict]
    session: Session
    skipped_lines: int
    ends: int = 0
    """Ends of turns that were played, of which the recording does not tell."""


def replay_bytes(data: bytes, *, name: str = "", policy: Policy | None = None) -> list[dict[str, Any]]:
    """The objects of `leeboard replay --json`: a verdict for each event below 8 or answered by more than ALLOW."""
    played = play(data, name=name, policy=policy)
    return [*(verdict_object(verdict) for verdict in played.verdicts), summary_object(played)]


def play(data: bytes, *, name: str = "", policy: Policy | None = None, observer: Observer | None = None) -> Replayed:
    """Play a transcript or rollout; bytes that are neither give a session without events."""
    return play_recording(read_recording(data, name), Settings(policy=policy or Policy()), observer)


def read_recording(data: bytes, name: str = "", parts: Sequence[bytes] = ()) -> Recording:
    """`parts` are the files of its sub-agents: what they tell stands where it happened, by the time of each event."""
    client = sniff(data[: 1 << 20])
    if not client:
        skipped = sum(1 for line in data.split(b"\n") if line.strip())
        return Recording(session=name, skipped_lines=skipped)
    events, skipped = _read(client, data)
    session = next((event.session for event in events if event.session), name)
    told = [events]
    for part in parts:
        theirs, passed_over = _read(client, part)
        told.append([event for event in theirs if event.agent])
        skipped += passed_over
    in_order = heapq.merge(*map(_timed, told), key=lambda timed: timed[0]) if parts else _timed(events)
    return Recording(
        session=session, events=tuple(event for _, event in in_order), skipped_lines=skipped, client=client
    )


def recorded_folder(data: bytes, parts: Sequence[bytes] = ()) -> str:
    """The `cwd` of the recording, without parsing more of it than that takes."""
    if parts:
        return read_recording(data, "", parts).cwd
    client = sniff(data[: 1 << 20])
    if not client:
        return ""
    reader, start = open_reader(client), 0
    while start < len(data):
        end = data.find(b"\n", start + _HEAD_READ) + 1 or len(data)
        found = next((event.cwd for event in reader.feed(data[start:end]) if event.cwd), "")
        if found:
            return one_spelling(found, system_of(found))
        start = end
    last = next((event.cwd for event in reader.finish() if event.cwd), "")
    return one_spelling(last, system_of(last))


def _read(client: str, data: bytes) -> tuple[list[Event], int]:
    reader = open_reader(client)
    events = [*reader.feed(data), *reader.finish()]
    system = system_of(next((event.cwd for event in events if event.cwd), ""))
    return [respelled_event(event, system) for event in events], reader.skipped


def _timed(events: list[Event]) -> Iterator[tuple[float, Event]]:
    """With a time that never goes back: the order inside of a file stands."""
    return zip(accumulate((event.time for event in events), max), events, strict=True)


def play_recording(
    recording: Recording, settings: Settings, observer: Observer | None = None, secret_key: bytes = _KEY
) -> Replayed:
    """Under settings as they are given: tasks, allowances and a workflow of today do not count for what was then.

    Whoever keeps what comes of it gives the user's own key for the digests of secrets.
    """
    session_id, workspace = recording.session, Workspace(recording.cwd)
    policy, contract = settings.policy, settings.contract
    files = RecordedFiles(workspace.spell)
    setting = RunSetting(
        workspace=workspace,
        policy=policy,
        rules=load_rules(policy.disabled_rules),
        given=given_contract(settings),
        held=replace(contract, root=workspace.root) if contract else None,
        tree=Tree(files),
        secret_key=secret_key,
    )
    store = MemoryStore(keep_rows=False)
    told: list[Verdict] = []
    events = tuple(with_ends(recording.events))
    with collecting_seldom():
        for event in events:
            own = event if event.session == session_id else replace(event, session=session_id)
            files.observe(own)
            verdict = handle((own,), MOMENTS.get(type(event), SILENT), store, setting)
            if verdict is not None and (0 < verdict.score < policy.speak_below or verdict.action > Action.ALLOW):
                told.append(verdict)
            if observer is not None:
                observer(own, verdict, store.session(session_id) or Session(id=session_id))
    session = store.session(session_id) or Session(id=session_id)
    ends = len(events) - len(recording.events)
    return Replayed(verdicts=told, session=session, skipped_lines=recording.skipped_lines, ends=ends)


_AFTER_A_TURN = (PromptGiven, SessionEnded)
_IN_A_TURN = (MessageSaid, ToolProposed, ToolFinished, Stopped)


def with_ends(events: Sequence[Event]) -> Iterator[Event]:
    """The events with the ends of turns, of which no recording tells: where the agent has said its last word.

    A turn that ends in anything else was broken off, and nobody was asked then.
    """
    last: MessageSaid | None = None
    for event in events:
        if isinstance(event, _AFTER_A_TURN) and last is not None:
            yield _end_of(last)
            last = None
        if not event.agent and isinstance(event, _IN_A_TURN):
            last = event if isinstance(event, MessageSaid) else None
        yield event
    if last is not None:
        yield _end_of(last)


def _end_of(said: MessageSaid) -> Stopped:
    return Stopped(
        session=said.session, cwd=said.cwd, time=said.time, source=said.source, key=f"end:{said.key}", text=said.text
    )


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
        "events": session.events - played.ends,
        "turns": session.turns,
        "scored": session.scored,
        "spoken": session.spoken,
        "denied": session.denied,
        "final_score": session.last_score,
        "mode": session.mode,
        "skipped_lines": played.skipped_lines,
    }


class ReplayTotals:
    """All sessions of a replay together."""

    def __init__(self) -> None:
        self.sessions = 0
        self.scored = 0
        self.off_course = 0
        self.actions: Counter[str] = Counter()
        """Answers of more than ALLOW, and actions that were off course, by what became of them."""
        self.rules: dict[str, Counter[str]] = {}
        """The same by rule."""

    def add(self, played: Replayed) -> None:
        self.sessions += 1
        self.scored += played.session.scored
        self.off_course += played.session.drifted
        for verdict in played.verdicts:
            self.actions[verdict.action.name] += 1
            for rule in verdict.rules:
                self.rules.setdefault(rule, Counter())[verdict.action.name] += 1


def totals_object(totals: ReplayTotals) -> dict[str, Any]:
    return {
        "kind": "totals",
        "sessions": totals.sessions,
        "scored": totals.scored,
        "off_course": totals.off_course,
        "actions": in_order(totals.actions),
        "rules": {rule: in_order(counts) for rule, counts in sorted(totals.rules.items())},
    }


def in_order(counts: Mapping[str, int]) -> dict[str, int]:
    """By the weight of the actions, the mildest first."""
    return {action.name: counts[action.name] for action in Action if counts.get(action.name)}


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


# Which client wrote a session file, and the reader for it.


_HEAD_READ = 64 << 10
_LINES_READ = 50
_CUT_LINE_READ = 4_000


def sniff(first_bytes: bytes) -> str:
    """The client, by the first lines; empty where it is none that is known. The last line may be cut."""
    *lines, cut = first_bytes[:10_000_000].split(b"\n")
    known = {name: client_named(name) for name in client_names()}
    for line in (*lines[:_LINES_READ], cut):
        parsed = _parsed(strip_line(line))
        found = next((name for name, client in known.items() if client.is_line(parsed)), "") if parsed else ""
        if found:
            return found
    start = strip_line(cut)[:_CUT_LINE_READ]
    return next((name for name, client in known.items() if client.is_start(start)), "")


def open_reader(client: str, session: str = "", *, agent: str = "", started: bool = False) -> SessionReader:
    """WireError where there is no such client."""
    return client_named(client).open_reader(session, agent=agent, started=started)


def _parsed(line: bytes) -> dict[str, object] | None:
    mended = mend_json(line) if line else None
    try:
        parsed = msgspec.json.decode(mended) if mended else None
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None
