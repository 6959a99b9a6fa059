"""One hook call, from what was done before it to the receipt it leaves: the order in which things happen."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from posixpath import exists, join
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from leeboard.app.catch_up import TranscriptReading, catch_up, keep_place
from leeboard.app.guard.watch import After
from leeboard.app.handle import SILENT, handle
from leeboard.app.hook_origin import told_by_agent
from leeboard.app.hook_receipt import begin_timing, receipt_of, slow_rules, timed, unread_note
from leeboard.app.kept_store import store_at
from leeboard.app.misses import NotedFailure
from leeboard.app.missing_store import fallback_files
from leeboard.app.missing_store.fallback_files import forget_old_copies, keep_copy
from leeboard.app.own_processes import knowing_processes
from leeboard.app.real_places import RealPlaces, written_in_trees
from leeboard.app.safety_net.whose import NotedWork
from leeboard.app.settings import Resolved, resolve
from leeboard.app.tree_watch import FOLDER as TREES
from leeboard.app.tree_watch import TreeWatch
from leeboard.clients import client_named
from leeboard.clients.call import HookCall, keeping_on
from leeboard.io import clock, places
from leeboard.model.event import Event, FilesChanged, ToolFinished, ToolProposed
from leeboard.model.lookup import Heartbeat, Receipt
from leeboard.model.session import Session, words_of_end
from leeboard.model.verdict import Action, Verdict
from leeboard.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from leeboard.app.check import TreeAtStop
    from leeboard.app.plan.hooks import PlanHooks
    from leeboard.app.safety_net.net import SafetyNet

Send = Callable[[bytes], object]

STOPS = ("stop", "agent_stop")
_COPIED_AFTER = ("start", "prompt", "before_call")
_NETTED = frozenset(("start", "prompt", "before_call", "after_call", "call_failed", "batch_end", "stop", "agent_stop"))
SESSIONS_BESIDE = 8
"""Sessions of the project that are asked whether they changed what a script seems to have changed."""
CHUNK = 200
"""Events of a transcript that are kept in one transaction: others wait meanwhile."""
QUIET = Verdict(id="", session="", agent="", turn=0, action=Action.ALLOW, event="")
"""Where only the person is told something."""


class Asker(msgspec.Struct, frozen=True, kw_only=True):
    """Who waits for an answer."""

    process: int | None = None
    """Where it is not this one; 0 where nobody can tell."""
    patient: bool = True
    """Nobody else is kept waiting meanwhile."""
    end: float | None = None
    """When there has to be an answer, on the clock that only goes forward."""
    believed: bool = True
    """Else it is known that the client did not tell it."""
    may_enter: Callable[[str], bool] = lambda _: True
    """Told the folder before it is judged; False where its own hooks are to."""

    @property
    def pid(self) -> int:
        return os.getpid() if self.process is None else self.process

    def patience(self, usual: float) -> float:
        """Seconds that may be waited for others in all."""
        return usual if self.end is None else min(usual, max(self.end - clock.monotonic(), fallback_files.HASTE))


def answer_call(call: HookCall, env: Mapping[str, str], send: Send, asker: Asker) -> bool:
    """Judge one call and send its answer, in the store of this user and by the settings of its project.

    False where nothing was done because the answer may take long, as the last one in its folder did, and who asks is
    not patient.
    """
    began = clock.monotonic()
    if not asker.patient and (_resting.get(call.cwd, began) > began or not asker.may_enter(call.cwd)):
        return False
    troubled = fallback_files.last_met()
    with store_at(places.database(), asker.patience(fallback_files.patience(troubled))) as store:
        _take_in(store, env)
        resolved = resolve(call.cwd, call.session, store, env, written_in_trees(call))
        if resolved.enabled:
            call = RealPlaces(resolved.setting.workspace.root, resolved.setting.plan_root).told(call)
            if not asker.believed or told_by_agent(env, asker.pid):
                _refuse(call, store, resolved)
                return True
            if call.kind == "settings_change":
                _hold_back(call, store, resolved, send)
                return True
            answering = CallAnswer(call, store, resolved, env)
            if not asker.patient and answering.is_slow():
                return False
            answering.give(send)
            if troubled is not None:
                fallback_files.is_over()
    if not asker.patient and clock.monotonic() - began > SLOW_SECONDS:
        _let_rest(call.cwd)
    return True


SLOW_SECONDS = 1.0
"""Of one answer, after which whoever answers for many leaves the project to its own hooks."""
REST_SECONDS = 300.0
_MOST_RESTING = 1000
_resting: dict[str, float] = {}
"""Folders whose git or disk took so long that others had to wait, and until when their hooks judge by themselves."""


def _let_rest(folder: str) -> None:
    if len(_resting) >= _MOST_RESTING:
        _resting.clear()
    _resting[folder] = clock.monotonic() + REST_SECONDS


def _refuse(call: HookCall, store: SqliteStore, resolved: Resolved) -> None:
    """Keep what somebody else than the client tried to tell; the agent hears of it at its next chance."""
    from leeboard.app.hook_origin import OUTCOME, attempt, note  # noqa: PLC0415 - only where somebody made a hook up

    now = clock.now()
    handle(attempt(call, now), SILENT, store, resolved.setting)
    store.receipt(Receipt(ts=now, event=call.name, outcome=OUTCOME, session=call.session, note=note(call)))


def _hold_back(call: HookCall, store: SqliteStore, resolved: Resolved, send: Send) -> None:
    """Before the client takes changed settings over: those that would end the guard of this session."""
    from leeboard.app.guard.off import HELD, hold_back  # noqa: PLC0415 - only where settings were changed

    words = b"" if resolved.setting.policy.profile == "observe" else hold_back(call)
    send(words)
    outcome, root = HELD if words else "allow", resolved.setting.workspace.root
    store.receipt(receipt_of(call, clock.now(), outcome, root, root))


def _take_in(store: SqliteStore, env: Mapping[str, str]) -> None:
    """What was answered while there was no store."""
    if fallback_files.find(fallback_files.LATE):
        from leeboard.app.missing_store.answer import take_in  # noqa: PLC0415 - only after the store could not be used

        take_in(store, env)


class CallAnswer:
    """The answer to one hook call, and the order of what is done for it. What only adds to it may fail by itself."""

    def __init__(self, call: HookCall, store: SqliteStore, resolved: Resolved, env: Mapping[str, str]) -> None:
        self.call = call
        self.client = client_named(call.client)
        self.env = env
        self.store = store
        tree, root = resolved.setting.tree, resolved.setting.workspace.root
        if root:
            tree = replace(tree, unsaved=NotedWork(root, lambda: store.session(call.session)))
        setting = replace(resolved.setting, rules=timed(resolved.setting.rules), tree=tree)
        self.setting = knowing_processes(setting, call)
        self.notes = [*resolved.notes, unread_note(call)]
        starts = call.kind == "start" and not call.agent
        self._end_told = f"Leeboard: {resolved.pause.words}" if resolved.pause and starts else ""
        self._taken_over = ""
        self.track = resolved.track
        self.keep = resolved.keep
        self.after = After(call, resolved, env)
        self.watch = TreeWatch(folder=join(places.state_dir(), TREES), workspace=resolved.setting.workspace)
        self.plan = self._plan_hooks()
        self._missed: tuple[FilesChanged, ...] = ()

    def _plan_hooks(self) -> PlanHooks | None:
        if self.setting.plan is None:
            return None
        from leeboard.app.plan.hooks import PlanHooks  # noqa: PLC0415 - only where a workflow is at work

        with NotedFailure(self.notes, "workflow", ours_too=True):
            self.setting = PlanHooks(self.call, self.setting, self.store).bound()
        return PlanHooks(self.call, self.setting, self.store)

    def is_slow(self) -> bool:
        """Whether commands of the project have to be run for the answer."""
        if self.plan is not None and self.call.kind in STOPS:
            with NotedFailure(self.notes, "workflow", ours_too=True):
                return any(True for _ in self.plan.gated())
        return False

    def give(self, send: Send) -> None:
        began = clock.now()
        begin_timing()
        net = self._safety_net()
        self._look_back(began)
        self._take_over(began)
        self._compare()
        self._missed = self._compare_work(net)
        self._try_canary(began)
        answer, verdict = self._kept_going()
        if verdict is not None:
            net = None  # what is gone is told at the next hook
        else:
            verdict = self._judged()
            answer = self._rendered(verdict) if verdict is not None else self._for_person()
        refused = verdict is not None and verdict.action is Action.DENY
        session = self._keep_beside(refused=refused)
        send(answer)
        self._close_refused(began, refused=refused and self.call.silent_refusal)
        if net is not None and net.is_due:
            with NotedFailure(self.notes, "safety net", ours_too=True):
                net.settle()
        self._index()
        self._keep_receipt(verdict, began, session)
        self._keep_copy(session)

    def _keep_beside(self, *, refused: bool) -> Session | None:
        """What the next hooks need of this one. The answer stands by now: what fails here takes nothing of it back."""
        session = None
        with NotedFailure(self.notes, "guard files", ours_too=True):
            session = self._judged_session()
            self.after.keep(session, refused=refused)
        if self.call.kind == "end" and not self.call.agent:
            with NotedFailure(self.notes, "work tree", ours_too=True):
                self.watch.forget(self.call.session)
        if self.call.kind == "before_call" and not refused:
            with NotedFailure(self.notes, "work tree", ours_too=True):
                self.notes.append(self.watch.remember(self.call))
            if self.plan is not None:
                with NotedFailure(self.notes, "workflow", ours_too=True):
                    self.plan.foresee()
        return session

    def _close_refused(self, now: float, *, refused: bool) -> None:
        """No result will come: a call that stayed open would keep its turn open, and others from being blamed."""
        proposed = [one for one in self.call.events if isinstance(one, ToolProposed)] if refused else []
        with NotedFailure(self.notes, "refusal"):
            for one in proposed:
                ended = ToolFinished(session=one.session, agent=one.agent, cwd=one.cwd, call=one.call, outcome="denied")
                handle((replace(ended, time=now),), SILENT, self.store, self.setting)

    def _take_over(self, now: float) -> None:
        """Where the first words of a session go on with work that was begun in another one."""
        if self.call.kind == "prompt" and not self.call.agent and self.call.prompt:
            from leeboard.app.person.moved import take_over  # noqa: PLC0415 - only at prompts

            with NotedFailure(self.notes, "earlier session"):
                self._taken_over = take_over(self.call, self.setting.workspace.root, self.store, now)

    def _try_canary(self, now: float) -> None:
        """Before the first words of a session count: can this installation refuse anything at all?"""
        if self.call.kind != "start" or self.call.agent:
            return
        from leeboard.app.guard.canary import canary_trouble  # noqa: PLC0415 - only where a session begins

        trouble = "the self-test did not end"
        with NotedFailure(self.notes, "canary", ours_too=True):
            trouble = canary_trouble(self.setting.workspace.root)
        if trouble:
            self.notes.append(trouble)
            self._end_told = f"Leeboard: {trouble}"
        else:
            beat = Heartbeat(client=self.call.client, event="canary", part="main", ts=now)
            self.store.beat(self._root_of(self.store.session(self.call.session)), beat)

    def _root_of(self, session: Session | None) -> str:
        """The project that the session is of, wherever this agent works."""
        return session.root if session is not None and session.root else self.setting.workspace.root

    def _judged_session(self) -> Session | None:
        """The session after this hook, for what is kept beside the store; None where nothing is."""
        if not self.after.is_due and self.call.kind not in _COPIED_AFTER:
            return None
        return self.store.session(self.call.session)

    def _keep_copy(self, session: Session | None) -> None:
        """What the session was promised, for the hooks that will find no store."""
        if self.call.kind not in _COPIED_AFTER:
            return
        with NotedFailure(self.notes, "copy"):
            if session is not None:
                keep_copy(session, self.setting.allowances)
        if self.call.kind == "start":
            forget_old_copies()

    def _index(self) -> None:
        """Have the index of the work tree looked after in the background, at times when nobody waits for it."""
        goes_on = self.call.kind in {"start", "prompt"}
        if not goes_on and not any(map(_may_write, self.call.events)):
            return
        from leeboard.app.indexing import keep_up, start_refresh  # noqa: PLC0415 - not needed after a look

        with NotedFailure(self.notes, "index"):
            (start_refresh if goes_on else keep_up)(self.setting.workspace.root, self.env)

    def _look_back(self, now: float) -> None:
        reading = TranscriptReading()
        with NotedFailure(self.notes, "transcript"):
            reading = catch_up(self.call, self.store)
        self.notes.append(reading.note)
        for start in range(0, len(reading.events), CHUNK):
            with NotedFailure(self.notes, "transcript"):
                handle(reading.events[start : start + CHUNK], SILENT, self.store, self.setting)
        if reading.made_up:
            from leeboard.app.hook_origin import MADE_UP, OUTCOME  # noqa: PLC0415 - only where somebody made a prompt up

            receipt = Receipt(ts=now, event="transcript", outcome=OUTCOME, session=self.call.session, note=MADE_UP)
            self.store.receipt(receipt)
        keep_place(reading, self.call, self.store)
        if self.call.kind == "start":
            self.store.mark_abandoned(now - self.setting.policy.idle_seconds)

    def _kept_going(self) -> tuple[bytes, Verdict | None]:
        """Where the workflow does not let the agent end yet: then it has not."""
        if self.plan is None or self.call.kind not in STOPS:
            return b"", None
        with NotedFailure(self.notes, "workflow", ours_too=True):
            event = self.plan.stopping()
            verdict = handle((event,), SILENT, self.store, self.setting) if event else None
            if verdict is not None and verdict.action is Action.INJECT:
                going = keeping_on(self.call)
                return self.client.render(verdict, going, for_person=self._person_words(verdict, going)), verdict
        return b"", None

    def _compare(self) -> None:
        """What must not change, with the last look at it."""
        if not self.after.is_due:
            return
        with NotedFailure(self.notes, "guard files"):
            root = self.setting.workspace.root
            own = self.store.session(self.call.session)
            self.after.compare(own, lambda: self.store.sessions(root, SESSIONS_BESIDE))
        self.notes += self.after.notes

    def _safety_net(self) -> SafetyNet | None:
        """Under a call that may have taken work of the person away, and where a session or the person begins."""
        if not self.after.is_due or not self.setting.workspace.root or self.call.kind not in _NETTED:
            return None
        if self.call.kind not in {"start", "prompt"} and not exists(places.kept_dir()):
            return None
        from leeboard.app.safety_net.net import SafetyNet  # noqa: PLC0415 - not for a look around

        net = SafetyNet(self.call, self.setting.workspace.root, self.keep, self.env)
        if net.speaks:
            net.heard(self.store.session(self.call.session))
        return net

    def _compare_work(self, net: SafetyNet | None) -> tuple[FilesChanged, ...]:
        if net is not None:
            with NotedFailure(self.notes, "safety net", ours_too=True):
                return net.compare(self.store, self.after.running)
        return ()

    def _for_person(self) -> bytes:
        """Where there is nothing to answer: it is said all the same."""
        words = self.after.words
        return self.client.render(QUIET, self.call, for_person=words) if words else b""

    def _rendered(self, verdict: Verdict) -> bytes:
        """With what the workflow has to tell its agents."""
        task = ""
        parts = (self._taken_over, self._tracked_words(verdict.briefing), self._team_words(verdict))
        if told := "\n\n".join(filter(None, parts)):
            verdict = replace(verdict, briefing="\n\n".join(filter(None, (verdict.briefing, told))))
        if self.plan is not None:
            with NotedFailure(self.notes, "workflow", ours_too=True):
                words = self.plan.briefing()
                task = self.plan.rewritten()
                if words:
                    verdict = replace(verdict, briefing="\n\n".join(filter(None, (verdict.briefing, words))))
        words = "\n".join(filter(None, (self._person_words(verdict, self.call), self._asleep())))
        return self.client.render(verdict, self.call, task, words)

    def _person_words(self, verdict: Verdict, call: HookCall) -> str:
        """What the person is told beside the answer: that something was refused or said, and what the guard saw."""
        told = ""
        if verdict.message:
            from leeboard.judge.correction import person_line  # noqa: PLC0415 - only where something is said

            told = person_line(verdict, call.moment)
        return "\n".join(filter(None, (told, self.after.words, self._end_told)))

    def _asleep(self) -> str:
        """To the person, once for each state of the files: that something of the repository sleeps here."""
        if self.call.kind != "start" or self.call.agent:
            return ""
        from leeboard.app.actors import say_asleep  # noqa: PLC0415 - only where a session begins

        with NotedFailure(self.notes, "trust", ours_too=True):
            return say_asleep(self.setting.workspace.root, self.env)
        return ""

    def _team_words(self, verdict: Verdict) -> str:
        """What others in the team did on the files that a correction is about; from a copy, for who has a team."""
        if not self.setting.team_steps or not verdict.message or not verdict.paths:
            return ""
        from leeboard.app.team_files import words_of_team  # noqa: PLC0415 - only where a team is named

        with NotedFailure(self.notes, "team", ours_too=True):
            return words_of_team(self.setting.team_steps, verdict)
        return ""

    def _tracked_words(self, said: str) -> str:
        """What others did to the files that the project's settings name."""
        tells = self.call.kind in {"start", "prompt"} and not self.call.agent
        if not self.track or not tells or self.setting.policy.profile == "observe":
            return ""
        from leeboard.app.tracked import Tracked  # noqa: PLC0415 - only where the settings name any

        with NotedFailure(self.notes, "tracked files", ours_too=True):
            tracked = Tracked(self.setting.workspace.root, self.track, self.store, self.setting.secret_key)
            words, notes = tracked.tell(self.call.session, said)
            self.notes += notes
            return words
        return ""

    def _witnessed(self, changes: tuple[FilesChanged, ...]) -> None:
        if self.plan is not None:
            with NotedFailure(self.notes, "workflow", ours_too=True):
                self.plan.witness()
                self.plan.stamp()
                self.plan.track(changes)

    def _changes(self) -> tuple[FilesChanged, ...]:
        if self.call.kind not in {"after_call", "call_failed"}:
            return ()
        with NotedFailure(self.notes, "work tree"):
            root = self.setting.workspace.root
            own = self.store.session(self.call.session)
            found = self.watch.changes(self.call, own, lambda: self.store.sessions(root, SESSIONS_BESIDE))
            return self.after.without_told(found)
        return ()

    def _judged(self) -> Verdict | None:
        seen = self._tree_seen()
        if seen is not None:
            return seen.judge(self.call.moment, self.store, (*self.after.events, *self._missed))
        changes = self._changes()
        self._witnessed(changes)
        events = (*self.after.events, *self._missed, *changes, *self.call.events)
        return handle(events, self.call.moment, self.store, self.setting, self._notice_end)

    def _notice_end(self, _: Verdict | None, session: Session | None) -> None:
        """To the person, once: nobody has done what was forced, and the agent goes on without it."""
        if session is not None and session.outlasted:
            before = self.store.session(session.id)
            if before is not None and before.outlasted < session.outlasted:
                self._end_told = f"Leeboard: {words_of_end(session)}"

    def _tree_seen(self) -> TreeAtStop | None:
        """Where the agent stops, and works under a contract that somebody wrote down: what all of its work came to."""
        if self.call.kind != "stop" or self.setting.held is None:
            return None
        from leeboard.app.check import tree_at_stop  # noqa: PLC0415 - only where there is a contract

        with NotedFailure(self.notes, "work tree"):
            return tree_at_stop(self.call, self.store.session(self.call.session), self.setting, self.env)
        return None

    def _keep_receipt(self, verdict: Verdict | None, began: float, session: Session | None) -> None:
        unread = (line for line in (verdict.trace if verdict else ()) if line.startswith("not analysed"))
        self.notes += unread
        outcome = verdict.action.name.lower() if verdict is not None else "known"
        project = self._root_of(session or self.store.session(self.call.session))
        receipt = receipt_of(self.call, began, outcome, project, self.setting.workspace.root)
        note = "; ".join(note for note in self.notes if note)
        self.store.receipt(replace(receipt, ms=(clock.now() - began) * 1000, note=note, slow=slow_rules()))


def _may_write(event: Event) -> bool:
    return isinstance(event, ToolFinished) and event.call.action in {"edit", "write", "bash"}
