"""What every store must do. A test module runs it by a subclass that gives the fixture `store`:

class TestMine(StoreSuite):
    @pytest.fixture
    def store(self) -> MyStore: ...
"""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.errors import ConfigError, LeeboardError, StateError
from leeboard.model.contract import Allowance, Contract
from leeboard.model.ledger import Mention, Met
from leeboard.model.lookup import Archive, Cursor, Receipt
from leeboard.model.outcome import Capture, Offer, Outcome, Step
from leeboard.model.session import Drift, Goal, Session
from leeboard.model.verdict import Action, Correction, Evidence, Finding, Verdict

NOON = 1_800_000_000.0


def a_session(session_id: str = "s1", *, root: str = "/work/shop", updated: float = NOON) -> Session:
    goal = Goal(text="fix the basket", exchange=1, keywords=("basket",))
    history = (Drift(9, "none", NOON), Drift(6, "correct", NOON + 1))
    return Session(id=session_id, root=root, started=NOON, updated=updated, goals=(goal,), history=history)


def a_verdict(verdict_id: str, session_id: str = "s1") -> Verdict:
    return Verdict(
        id=verdict_id,
        session=session_id,
        agent="",
        turn=3,
        action=Action.INJECT,
        event="ToolProposed",
        score=6,
        level="correct",
        rules=("scope_drift",),
        paths=("src/a.py",),
        message="back to the basket",
        briefing="the goal",
        trace=("scope_drift: -4",),
    )


def a_step(step_id: str, score: int = 8, **parts: object) -> Step:
    step = Step(id=step_id, session_id="s1", action_type="read", drift_score=score, timestamp=1)
    return replace(step, **parts)


def keep(store: Archive, session: Session, *steps: Step, **parts: object) -> Session:
    """Commit one outcome on top of what the store holds; the session as the store holds it then."""
    with store.transaction(session.id) as transaction:
        held = transaction.session(session.id)
        moved = replace(session, version=held.version if held else 0)
        bare = Outcome(session=moved, verdict=a_verdict(f"v-{session.id}", session.id), steps=steps)
        transaction.commit(replace(bare, **parts))
    kept = store.session(session.id)
    assert kept is not None
    return kept


def raised(kind: type[LeeboardError], call: object, *arguments: object) -> bool:
    assert callable(call)
    try:
        call(*arguments)
    except kind:
        return True
    return False


class SessionSuite:
    """Sessions, their ledger and the answers given."""

    def test_an_unknown_session_is_none(self, store: Archive) -> None:
        assert store.session("nobody") is None
        assert store.rows("nobody", ["src/a.py"]) == {}
        assert store.answered("nobody", "tool:1") is None
        assert store.past_steps("nobody", ["src/a.py"], ["src/"], ["a"]) == ()

    def test_a_committed_session_comes_back_one_version_on(self, store: Archive) -> None:
        session = a_session()
        assert keep(store, session) == replace(session, version=1)
        assert keep(store, replace(session, escalation=2)) == replace(session, escalation=2, version=2)

    def test_each_commit_of_a_batch_counts(self, store: Archive) -> None:
        session = keep(store, a_session())
        with store.transaction("s1") as transaction:
            transaction.commit(Outcome(session=replace(session, events=1), verdict=a_verdict("v1")))
            transaction.commit(Outcome(session=replace(session, events=2), verdict=a_verdict("v2")))
            seen = transaction.session("s1")
        assert seen is not None
        assert (seen.version, seen.events) == (3, 2)
        assert store.session("s1") == seen

    def test_a_session_that_a_sibling_moved_is_refused(self, store: Archive) -> None:
        loaded = keep(store, a_session())
        keep(store, loaded)
        with store.transaction("s1") as transaction:
            stale = Outcome(session=replace(loaded, events=9), verdict=a_verdict("v1"))
            assert raised(StateError, transaction.commit, stale)
        kept = store.session("s1")
        assert kept is not None
        assert (kept.version, kept.events) == (2, 0)

    def test_leaving_without_a_commit_changes_nothing(self, store: Archive) -> None:
        with store.transaction("s1") as transaction:
            assert transaction.session("s1") is None
        assert store.session("s1") is None

    def test_the_ledger_only_ever_accumulates(self, store: Archive) -> None:
        keep(store, a_session(), mentions=(Mention("src/a.py", Met.READ), Mention("#basket", Met.WORD)))
        keep(store, a_session(), mentions=(Mention("src/a.py", Met.EDITED), Mention("src/a.py", Met.READ)))
        rows = store.rows("s1", ["src/a.py", "#basket", "src/never.py"])
        assert rows == {"src/a.py": Met.READ | Met.EDITED, "#basket": Met.WORD}
        assert store.rows("s2", ["src/a.py"]) == {}

    def test_many_terms_are_looked_up_at_once(self, store: Archive) -> None:
        terms = [f"src/{number}.py" for number in range(700)]
        keep(store, a_session(), mentions=tuple(Mention(term, Met.LISTED) for term in terms))
        assert store.rows("s1", terms) == dict.fromkeys(terms, Met.LISTED)
        assert store.rows("s1", []) == {}

    def test_an_event_is_answered_the_same_way_again(self, store: Archive) -> None:
        verdict = a_verdict("v7")
        keep(store, a_session(), verdict=verdict, key="proposed:toolu_7")
        assert store.answered("s1", "proposed:toolu_7") == verdict
        assert store.answered("s2", "proposed:toolu_7") is None
        with store.transaction("s1") as transaction:
            assert transaction.answered("s1", "proposed:toolu_7") == verdict

    def test_the_newest_sessions_come_first(self, store: Archive) -> None:
        for name, root, updated in (("a", "/one", 3.0), ("b", "/two", 5.0), ("c", "/one", 4.0), ("d", "/one", 4.0)):
            keep(store, a_session(name, root=root, updated=updated))
        assert [session.id for session in store.sessions(None, 9)] == ["b", "d", "c", "a"]
        assert [session.id for session in store.sessions("/one", 2)] == ["d", "c"]


class RecordSuite:
    """What is written down for people."""

    def test_what_was_promised_is_found_without_its_session(self, store: Archive) -> None:
        """By the work tree, with its version and the commit the work began at."""
        assert store.held("/work/shop") is None
        contract = Contract(objective="fix it", scope=("src/",), version=3, base="abc")
        asked = replace(a_verdict("v1"), event="PromptGiven")
        keep(store, replace(a_session(), contract=contract), verdict=asked)
        held = store.held("/work/shop")
        assert held is not None
        assert (held.contract, held.session, held.title) == (contract, "s1", "fix it")
        assert store.held("/work/other") is None

    def test_verdicts_tell_the_story_in_order(self, store: Archive) -> None:
        for number in (2, 1, 3):
            keep(store, a_session(), verdict=a_verdict(f"v{number}"))
        keep(store, a_session("s2"))
        assert store.verdicts("s1") == (a_verdict("v2"), a_verdict("v1"), a_verdict("v3"))

    def test_a_verdict_is_found_by_the_start_of_its_id(self, store: Archive) -> None:
        for name in ("ab12", "ab34", "ab"):
            keep(store, a_session(), verdict=a_verdict(name))
        assert store.verdict("ab1") == a_verdict("ab12")
        assert store.verdict("ab") == a_verdict("ab")
        assert store.verdict("zz") is None
        assert store.verdict("") is None
        assert raised(ConfigError, store.verdict, "a")

    def test_findings_belong_to_their_verdict(self, store: Archive) -> None:
        finding = Finding(rule="scope_drift", subject="b.css", evidence=(Evidence("far", -4),), cap=6, remedy="undo")
        keep(store, a_session(), verdict=a_verdict("v1"), findings=(finding,))
        keep(store, a_session(), verdict=a_verdict("v1"), findings=(finding,))
        assert store.findings("v1") == (finding,)
        assert store.findings("v2") == ()

    def test_a_correction_is_kept_in_its_latest_state(self, store: Archive) -> None:
        first = Correction(id="c1", agent="", turn=1, level="nudge", score=7, text="goal", rules=("r",), paths=("p",))
        second = replace(first, id="c2", confidence="low")
        keep(store, a_session(), offers=(Offer(first, "waiting"), Offer(second, "waiting")))
        keep(store, a_session(), offers=(Offer(first, "offered"),))
        assert store.corrections("s1") == (Offer(first, "offered"), Offer(second, "waiting"))

    def test_a_session_has_one_capture(self, store: Archive) -> None:
        capture = Capture(
            session_id="s1",
            project_path="/work/shop",
            goal="fix the basket",
            status="active",
            drift_events=1,
            final_score=6,
            had_halt=False,
            needs_review=True,
            tags=("had-drift",),
            reasoning_trace="one drift",
            updated=NOON,
        )
        keep(store, a_session(), capture=capture)
        keep(store, a_session(), capture=replace(capture, status="completed"))
        keep(store, a_session("s2"), capture=replace(capture, session_id="s2", updated=NOON + 1))
        assert [kept.session_id for kept in store.captures("/work/shop")] == ["s2", "s1"]
        assert store.captures("/work/shop")[1] == replace(capture, status="completed")
        assert store.captures("/elsewhere") == ()

    def test_receipts_come_newest_first(self, store: Archive) -> None:
        one = Receipt(ts=NOON, event="Stop", outcome="ok", ms=1.5, project="/work/shop")
        receipts = [replace(one, outcome=name) for name in ("ok", "miss", "error")]
        for receipt in receipts:
            store.receipt(receipt)
        assert store.receipts(2) == (receipts[2], receipts[1])

    def test_what_was_heard_is_told_by_client_event_and_part(self, store: Archive) -> None:
        told = Receipt(ts=NOON, event="PreToolUse", outcome="allow", session="s1", project="/work/shop", client="c")
        store.receipt(replace(told, call="t1"))
        store.receipt(replace(told, call="t2", ts=NOON + 2))
        store.receipt(replace(told, call="t3", ts=NOON + 1, agent="a1"))
        store.receipt(replace(told, call="t4", ts=NOON + 1, agent="a1", place="worktree"))
        store.receipt(replace(told, session="s2", project="/work/other", call="t5"))
        store.receipt(Receipt(ts=NOON, event="cli", outcome="self_allowance", project="/work/shop"))
        heard = [(beat.part, beat.ts - NOON, beat.count) for beat in store.heartbeats("/work/shop")]
        assert heard == [("main", 2, 2), ("sub-agent", 1, 1), ("sub-agent in a worktree", 1, 1)]
        assert store.calls_heard("s1") == (frozenset({"t1", "t2", "t3", "t4"}), NOON)
        assert store.calls_heard("nobody") == (frozenset(), 0.0)
        store.receipt(replace(told, event="PostToolUse", call="t1", ts=NOON + 3))
        assert store.calls_heard("s1", ("PostToolUse", "PostToolBatch")) == (frozenset({"t1"}), NOON + 3)

    def test_receipts_of_a_project_are_found_behind_any_number_of_anothers(self, store: Archive) -> None:
        keep(store, a_session("s1", root="/work/shop"))
        store.receipt(Receipt(ts=NOON, event="Stop", outcome="ok", session="s1"))
        store.receipt(Receipt(ts=NOON, event="cli", outcome="self_allowance", session="s1"))
        for number in range(300):
            store.receipt(Receipt(ts=NOON + number, event="Stop", outcome="ok", session="elsewhere"))
        assert [one.event for one in store.hook_receipts("/work/shop", 9)] == ["Stop"]
        assert [one.session for one in store.receipts_ended("self_allowance", 9)] == ["s1"]

    def test_a_cursor_moves_with_its_transaction(self, store: Archive) -> None:
        assert store.cursor("/log") is None
        with store.transaction("s1") as transaction:
            transaction.set_cursor(Cursor(path="/log", inode=7, offset=10, session="s1"))
            transaction.set_cursor(Cursor(path="/log", inode=7, offset=20, session="s1"))
        assert store.cursor("/log") == Cursor(path="/log", inode=7, offset=20, session="s1")


class PeopleSuite:
    """What people allow, and what time does."""

    def test_an_allowance_holds_where_it_was_given(self, store: Archive) -> None:
        everywhere = Allowance(id="a1", rule="scope_drift", path="docs/**", reason="agreed", by="kim")
        here = Allowance(id="a2", session="s1")
        store.allow(everywhere, "/work/shop")
        store.allow(here, "/work/shop")
        assert store.allowances("/work/shop", "s1", NOON) == (everywhere, here)
        assert store.allowances("/work/shop", "s2", NOON) == (everywhere,)
        assert store.allowances("/work/other", "s1", NOON) == ()

    def test_an_allowance_ends_with_its_time(self, store: Archive) -> None:
        store.allow(Allowance(id="a1", until=NOON), "/work/shop")
        assert len(store.allowances("/work/shop", "s1", NOON - 1)) == 1
        assert store.allowances("/work/shop", "s1", NOON) == ()

    def test_an_allowance_can_be_taken_back(self, store: Archive) -> None:
        store.allow(Allowance(id="a1"), "/work/shop")
        assert store.revoke("a1")
        assert not store.revoke("a1")
        assert store.allowances("/work/shop", "s1", NOON) == ()

    def test_an_idle_session_is_given_up(self, store: Archive) -> None:
        keep(store, a_session("idle", updated=NOON))
        keep(store, a_session("busy", updated=NOON + 10))
        keep(store, replace(a_session("done", updated=NOON), status="completed"))
        assert store.mark_abandoned(NOON + 5) == 1
        assert store.mark_abandoned(NOON + 5) == 0
        states = {session.id: (session.status, session.version) for session in store.sessions(None, 9)}
        assert states == {"idle": ("abandoned", 2), "busy": ("active", 1), "done": ("completed", 1)}

    def test_purging_forgets_all_of_an_old_session(self, store: Archive) -> None:
        step = a_step("old", files=("src/a.py",), is_key_decision=True)
        mention = Mention("src/a.py", Met.READ)
        offer = Offer(
            Correction(id="c", agent="", turn=1, level="nudge", score=7, text="", rules=(), paths=()), "waiting"
        )
        finding = Finding(rule="r", subject="s", evidence=())
        keep(store, a_session(), step, key="k", mentions=(mention,), offers=(offer,), findings=(finding,))
        keep(store, a_session("s2", updated=NOON + 10))
        store.receipt(Receipt(ts=NOON, event="Stop", outcome="ok"))
        store.allow(Allowance(id="a1", until=NOON - 1), "/work/shop")
        assert store.purge(NOON + 5) == 1
        assert [session.id for session in store.sessions(None, 9)] == ["s2"]
        assert (store.session("s1"), store.answered("s1", "k")) == (None, None)
        assert not store.rows("s1", ["src/a.py"])
        assert not any((store.steps("s1"), store.verdicts("s1"), store.corrections("s1"), store.findings("v-s1")))
        assert not store.past_steps("s2", ["src/a.py"], [], [])
        assert not store.receipts(9)
        assert not store.revoke("a1")


class StoreSuite(SessionSuite, RecordSuite, PeopleSuite):
    """All but steps, which have a suite of their own."""
