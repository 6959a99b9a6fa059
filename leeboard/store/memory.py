"""The store of a replay: the same questions, answered from dictionaries of one process.

It sits in the innermost loop of replays, so a transaction is the store itself and a commit keeps references. Nothing
is taken back when a transaction fails after a commit: a replay that fails is thrown away whole.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from itertools import islice
from typing import Self

from msgspec.structs import replace

from leeboard.errors import ConfigError, StateError
from leeboard.model.contract import Allowance, Held
from leeboard.model.known import Known
from leeboard.model.ledger import Entry, Rows
from leeboard.model.lookup import Cursor, Heartbeat, Receipt
from leeboard.model.outcome import Capture, Judged, Offer, Outcome, Step
from leeboard.model.session import Session
from leeboard.model.verdict import Finding, Verdict
from leeboard.store.history import distinct, judged, may_decide, modifies, newest, top


class MemoryStore:
    """With `keep_rows=False` it forgets steps, verdicts, findings and corrections as they come."""

    def __init__(self, *, keep_rows: bool = True) -> None:
        self._keep_rows = keep_rows
        self._sessions: dict[str, Session] = {}
        self._ledger: dict[str, dict[str, int]] = {}
        self._answers: dict[tuple[str, str], Verdict] = {}
        self._captures: dict[str, Capture] = {}
        self._registry: dict[tuple[str, str], list[Entry]] = {}
        self._by_key: dict[tuple[str, str, str], list[Entry]] = {}
        self._cursors: dict[str, Cursor] = {}
        self._receipts: list[Receipt] = []
        self._allowances: dict[str, tuple[str, Allowance]] = {}
        self._known: dict[tuple[str, str, str, str], Known] = {}
        self._rows = MemoryRows()
        self._open = ""
        self._loaded = 0

    def put(self, session: Session, allowances: Iterable[Allowance] = ()) -> None:
        """Begin with a session as another store knew it."""
        self._sessions[session.id] = session
        for allowance in allowances:
            self.allow(allowance, session.root)

    def transaction(self, session_id: str) -> Self:
        held = self._sessions.get(session_id)
        self._open, self._loaded = session_id, 0 if held is None else held.version
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._open = ""

    def commit(self, outcome: Outcome) -> None:
        session = outcome.session
        if session.id != self._open:
            raise ValueError(f"a transaction of {self._open!r} can not commit {session.id}")
        if session.version < self._loaded:
            raise StateError(f"session {session.id} has moved on since it was loaded")
        held = self._sessions.get(session.id)
        self._sessions[session.id] = replace(session, version=1 if held is None else held.version + 1)
        met = self._ledger.setdefault(session.id, {})
        for mention in outcome.mentions:
            met[mention.term] = met.get(mention.term, 0) | mention.met
        for entry in outcome.entries:
            self._registry.setdefault((session.id, entry.kind), []).append(entry)
            self._by_key.setdefault((session.id, entry.kind, entry.key), []).append(entry)
        for row in outcome.known:
            self._known.pop((row.session, row.agent, row.root, row.path), None)
            self._known[row.session, row.agent, row.root, row.path] = row
        if outcome.key:
            self._answers[session.id, outcome.key] = outcome.verdict
        if outcome.capture is not None:
            self._captures[session.id] = outcome.capture
        if self._keep_rows:
            self._rows.keep(outcome)

    def set_cursor(self, cursor: Cursor) -> None:
        self._cursors[cursor.path] = cursor

    def session(self, session_id: str) -> Session | None:
        return self._sessions.get(session_id)

    def held(self, root: str) -> Held | None:
        asked = [one for one in self._sessions.values() if one.root == root and one.contract.objective]
        newest = max(asked, key=lambda one: one.updated, default=None)
        if newest is None:
            return None
        contract = newest.contract
        return Held(root=root, contract=contract, title=contract.objective, session=newest.id, updated=newest.updated)

    def rows(self, session_id: str, terms: Iterable[str]) -> Rows:
        met = self._ledger.get(session_id)
        return {term: met[term] for term in terms if term in met} if met else {}

    def entries(self, session_id: str, kind: str, keys: Iterable[str]) -> tuple[Entry, ...]:
        found = [
            entries for key in dict.fromkeys(keys) if (entries := self._by_key.get((session_id, kind, key))) is not None
        ]
        if len(found) <= 1:
            return tuple(found[0][::-1]) if found else ()
        order = self._registry.get((session_id, kind), ())
        wanted = {id(entry) for entries in found for entry in entries}
        return tuple(entry for entry in order[::-1] if id(entry) in wanted)

    def newest(self, session_id: str, kind: str, limit: int) -> tuple[Entry, ...]:
        return tuple(self._registry.get((session_id, kind), [])[: -limit - 1 : -1])

    def known(self, session_id: str, agent: str, root: str, path: str) -> Known | None:
        return self._known.get((session_id, agent, root, path))

    def newest_known(self, session_id: str, root: str, limit: int, agent: str | None = None) -> tuple[Known, ...]:
        here = [row for row in self._known.values() if (row.session, row.root) == (session_id, root)]
        own = [row for row in here if agent is None or row.agent == agent]
        return tuple(replace(row, lines=b"") for row in sorted(own, key=lambda row: -row.time)[:limit])

    def writers(self, root: str, path: str, digest: str) -> tuple[Known, ...]:
        same = [row for row in self._known.values() if row.wrote and (row.root, row.path) == (root, path)]
        found = sorted((row for row in same if row.digest == digest), key=lambda row: -row.time)
        return tuple(replace(row, lines=b"") for row in found)

    def answered(self, session_id: str, key: str) -> Verdict | None:
        return self._answers.get((session_id, key))

    def allowances(self, project: str, session_id: str | None, now: float) -> tuple[Allowance, ...]:
        return tuple(
            allowance
            for place, allowance in self._allowances.values()
            if place == project
            and (session_id is None or allowance.session in {"", session_id})
            and not 0 < allowance.until <= now
        )

    def cursor(self, path: str) -> Cursor | None:
        return self._cursors.get(path)

    def receipt(self, receipt: Receipt) -> None:
        self._receipts.append(receipt)

    def past_steps(
        self, session_id: str, files: Iterable[str], folders: Iterable[str], keywords: Iterable[str]
    ) -> tuple[Step, ...]:
        held = self._sessions.get(session_id)
        return self._rows.past_steps(session_id, held.root if held else "", (files, folders, keywords))

    def sessions(self, project: str | None, limit: int) -> tuple[Session, ...]:
        found = [held for held in self._sessions.values() if project is None or held.root == project]
        return tuple(sorted(found, key=lambda held: held.updated)[::-1][:limit])

    def steps(self, session_id: str) -> tuple[Step, ...]:
        return tuple(step for step in self._rows.steps.values() if step.session_id == session_id)

    def verdicts(self, session_id: str) -> tuple[Verdict, ...]:
        return tuple(verdict for verdict in self._rows.verdicts.values() if verdict.session == session_id)

    def verdict(self, verdict_id: str) -> Verdict | None:
        known = self._rows.verdicts
        if verdict_id in known or not verdict_id:
            return known.get(verdict_id)
        found = [verdict for name, verdict in known.items() if name.startswith(verdict_id)]
        if len(found) > 1:
            raise ConfigError(f"several verdicts start with {verdict_id!r}: give more of the id")
        return found[0] if found else None

    def findings(self, verdict_id: str) -> tuple[Finding, ...]:
        return tuple(self._rows.findings.get(verdict_id, {}).values())

    def corrections(self, session_id: str) -> tuple[Offer, ...]:
        return tuple(self._rows.offers.get(session_id, {}).values())

    def signals(self, session_id: str) -> tuple[Judged, ...]:
        return tuple(self._rows.judged.get(session_id, {}).values())

    def signal(self, signal_id: str) -> Judged | None:
        every = [judged for of_session in self._rows.judged.values() for judged in of_session.values()]
        found = {judged.id: judged for judged in every if judged.id.startswith(signal_id) and signal_id}
        if len(found) > 1:
            raise ConfigError(f"several signals start with {signal_id!r}: give more of the id")
        return next(iter(found.values()), None)

    def captures(self, project: str) -> tuple[Capture, ...]:
        found = [capture for capture in self._captures.values() if capture.project_path == project]
        return tuple(sorted(found, key=lambda capture: capture.updated)[::-1])

    def receipts(self, limit: int) -> tuple[Receipt, ...]:
        return tuple(self._receipts[::-1][:limit])

    def hook_receipts(self, project: str, limit: int) -> tuple[Receipt, ...]:
        ours = {session.id for session in self.sessions(project, len(self._sessions))}
        found = (one for one in self._receipts[::-1] if one.session in ours and one.event != "cli")
        return tuple(islice(found, limit))

    def heartbeats(self, project: str) -> tuple[Heartbeat, ...]:
        found: dict[tuple[str, str, str], Heartbeat] = {}
        for one in self._receipts:
            if one.client and one.project == project:
                part = ("sub-agent" if one.agent else "main") + (" in a worktree" if one.place else "")
                known = found.get((one.client, one.event, part))
                ts, count = (max(known.ts, one.ts), known.count + 1) if known else (one.ts, 1)
                beat = Heartbeat(client=one.client, event=one.event, part=part, ts=ts, count=count)
                found[one.client, one.event, part] = beat
        return tuple(found[key] for key in sorted(found))

    def calls_heard(self, session_id: str, at: tuple[str, ...] = ()) -> tuple[frozenset[str], float]:
        own = [one for one in self._receipts if one.session == session_id and one.client and one.event != "cli"]
        own = [one for one in own if not at or one.event in at]
        return frozenset(one.call for one in own if one.call), min((one.ts for one in own), default=0.0)

    def receipts_ended(self, outcome: str, limit: int) -> tuple[Receipt, ...]:
        return tuple(islice((one for one in self._receipts[::-1] if one.outcome == outcome), limit))

    def allow(self, allowance: Allowance, project: str) -> None:
        self._allowances[allowance.id] = (project, allowance)

    def revoke(self, allowance_id: str) -> bool:
        return self._allowances.pop(allowance_id, None) is not None

    def mark_abandoned(self, before: float) -> int:
        idle = [held for held in self._sessions.values() if held.status == "active" and held.updated < before]
        for held in idle:
            self._sessions[held.id] = replace(held, status="abandoned", version=held.version + 1)
        return len(idle)

    def purge(self, before: float) -> int:
        old = {held.id for held in self._sessions.values() if held.updated < before}
        for session_id in old:
            for kept in (self._sessions, self._ledger, self._captures):
                kept.pop(session_id, None)
        self._registry = {key: rows for key, rows in self._registry.items() if key[0] not in old}
        self._by_key = {key: rows for key, rows in self._by_key.items() if key[0] not in old}
        self._answers = {key: verdict for key, verdict in self._answers.items() if key[0] not in old}
        self._cursors = {path: cursor for path, cursor in self._cursors.items() if cursor.session not in old}
        self._known = {key: row for key, row in self._known.items() if key[0] not in old}
        self._receipts = [receipt for receipt in self._receipts if receipt.ts >= before]
        self._allowances = {
            name: (place, allowance)
            for name, (place, allowance) in self._allowances.items()
            if not 0 < allowance.until < before and allowance.session not in old
        }
        self._rows.forget(old)
        return len(old)


# What grows with every event of a replay, and what a replay can do without.


class MemoryRows:
    def __init__(self) -> None:
        self.steps: dict[str, Step] = {}
        self.verdicts: dict[str, Verdict] = {}
        self.findings: dict[str, dict[str, Finding]] = {}
        self.offers: dict[str, dict[str, Offer]] = {}
        self.judged: dict[str, dict[str, Judged]] = {}
        self._projects: dict[str, str] = {}
        self._modifiers: dict[tuple[str, str], set[str]] = {}
        """Session and file to the validated steps that changed it."""

    def keep(self, outcome: Outcome) -> None:
        verdict, session = outcome.verdict, outcome.session
        self.verdicts[verdict.id] = verdict
        for step in outcome.steps:
            self._keep_step(step, session.root)
        for finding in outcome.findings:
            self.findings.setdefault(verdict.id, {})[finding.fingerprint] = finding
        for offer in outcome.offers:
            self.offers.setdefault(session.id, {})[offer.correction.id] = offer
        self._keep_judged(outcome)

    def _keep_judged(self, outcome: Outcome) -> None:
        for signal in outcome.judged:
            self.judged.setdefault(outcome.session.id, {})[signal.id] = signal

    def forget(self, sessions: Container[str]) -> None:
        self.steps = {name: step for name, step in self.steps.items() if step.session_id not in sessions}
        self._projects = {name: self._projects[name] for name in self.steps}
        self.verdicts = {name: verdict for name, verdict in self.verdicts.items() if verdict.session not in sessions}
        self._modifiers = {key: steps for key, steps in self._modifiers.items() if key[0] not in sessions}
        self.findings = {name: found for name, found in self.findings.items() if name in self.verdicts}
        self.judged = {name: found for name, found in self.judged.items() if name not in sessions}
        self.offers = {name: offers for name, offers in self.offers.items() if name not in sessions}

    def past_steps(self, session_id: str, project: str, terms: tuple[Iterable[str], ...]) -> tuple[Step, ...]:
        files, folders, keywords = ({*distinct(some)} for some in terms)
        known = list(self.steps.values())
        asked: tuple[Callable[[Step], bool], ...] = (
            lambda step: step.is_key_decision,
            lambda step: step.is_validated and not files.isdisjoint(step.files),
            lambda step: step.is_validated and not folders.isdisjoint(step.folders),
            lambda step: step.is_validated and not keywords.isdisjoint(step.keywords),
        )
        places = top(*(self._newest(known, matches, session_id, project) for matches in asked))
        return tuple(known[place] for place in places)

    def _newest(self, known: list[Step], matches: Callable[[Step], bool], session_id: str, project: str) -> list[int]:
        found = [(place, step) for place, step in enumerate(known) if matches(step)]
        own = (place for place, step in found if step.session_id == session_id)
        others = (place for place, step in found if project and self._projects[step.id] == project)
        return newest(own, others)

    def _is_first(self, step: Step) -> bool:
        return any(not self._modifiers.get((step.session_id, file)) for file in step.files)

    def _keep_step(self, step: Step, project: str) -> None:
        known = self.steps.get(step.id)
        for file in known.files if known else ():
            self._modifiers.get((step.session_id, file), set()).discard(step.id)
        kept = judged(step, first=may_decide(step) and self._is_first(step))
        if kept.is_validated and modifies(kept):
            for file in kept.files:
                self._modifiers.setdefault((kept.session_id, file), set()).add(kept.id)
        self.steps[kept.id], self._projects[kept.id] = kept, project
