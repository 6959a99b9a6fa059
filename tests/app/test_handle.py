"""Load, drive, commit, answer: every source enters at `handle`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import pytest
from msgspec.structs import replace

from leeboard.app.handle import SILENT, RunSetting, handle
from leeboard.app.replay import MOMENTS
from leeboard.model.contract import Allowance
from leeboard.model.event import Event, PromptGiven, SessionStarted, Stopped, ToolCall, ToolFinished, ToolProposed
from leeboard.model.ledger import Rows
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.verdict import Action, Moment
from leeboard.model.workspace import Workspace
from leeboard.rule import discover
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play, tell
from leeboard.testing.scenario_lines import ROOT, SESSION, events_of

SETTING = RunSetting(workspace=Workspace(ROOT), policy=Policy(), rules=discover())
ENFORCE = replace(SETTING, policy=Policy(profile="enforce"))
BEFORE = MOMENTS[ToolProposed]
AFTER = MOMENTS[ToolFinished]


def edit(number: int, path: str) -> tuple[ToolProposed, ToolFinished]:
    call = ToolCall(id=f"t{number}", tool="Edit", action="edit", paths=(path,))
    proposed = ToolProposed(session=SESSION, cwd=ROOT, key=f"call:t{number}", call=call)
    return proposed, ToolFinished(session=SESSION, cwd=ROOT, key=f"result:t{number}", call=call, outcome="done")


def prompt(text: str, key: str = "prompt:1") -> PromptGiven:
    return PromptGiven(session=SESSION, cwd=ROOT, key=key, text=text)


def session_in(store: MemoryStore) -> Session:
    session = store.session(SESSION)
    assert session is not None
    return session


class BehindStore(MemoryStore):
    """A sibling moves the session between its first read and the transaction, as two hooks at once see it."""

    def __init__(self, sibling: Event) -> None:
        super().__init__()
        self.sibling: Event | None = sibling

    def transaction(self, session_id: str) -> Self:
        if self.sibling is not None:
            sibling, self.sibling = self.sibling, None
            handle((sibling,), SILENT, self, SETTING)
        return super().transaction(session_id)


def test_nothing_to_tell_is_nothing_to_answer() -> None:
    assert handle((), BEFORE, MemoryStore(), SETTING) is None


def test_a_start_makes_one_record_without_a_goal() -> None:
    """AD-09, AD-10, AD-11."""
    store = MemoryStore()
    for _ in range(2):
        verdict = handle((SessionStarted(session=SESSION, key="start"),), SILENT, store, SETTING)
        assert verdict is not None
        assert (verdict.score, verdict.message) == (0, "")
    (record,) = store.sessions(ROOT, 9)
    assert (record.status, record.mode, record.goals, record.history) == ("active", "NORMAL", (), ())


# The example that the whole thing is about: fix auth bug; token.ts, theme.css, Button.tsx, "looks good".
TIMELINE = ("@ fix auth bug", "edit src/auth/token.ts", "edit src/styles/theme.css", "edit src/components/Button.tsx")


def test_the_work_itself_is_on_track_and_silent() -> None:
    """AD-61."""
    played = play(TIMELINE[:2])
    assert played.proposed()[0].score >= 8
    assert not played.spoken()


def test_both_steps_away_are_drift_and_spoken_of_at_once() -> None:
    """AD-62: at the result of the very call."""
    played = play(TIMELINE)
    assert [verdict.score < 8 for verdict in played.proposed()] == [False, True, True]
    said = [(verdict.event, verdict.tool_use_id, verdict.paths) for verdict in played.spoken()]
    assert said == [
        ("ToolFinished", "toolu_2", ("src/styles/theme.css",)),
        ("ToolFinished", "toolu_3", ("src/components/Button.tsx",)),
    ]


def test_at_looks_good_nothing_is_left_to_say() -> None:
    assert len(play((*TIMELINE, "@ looks good")).spoken()) == 2


def prompt_only(store: MemoryStore) -> None:
    """Everything is seen, but until the next prompt nobody can be answered."""
    for event in events_of(TIMELINE):
        tell(event, store, moment=SILENT)


def test_with_prompts_alone_the_next_one_names_both_files() -> None:
    """AD-59, AD-60, AD-63: one inside, two outside is 3 by the ratio."""
    store = MemoryStore()
    prompt_only(store)
    verdict = tell(prompt("looks good", "prompt:2"), store)
    assert verdict is not None
    assert (verdict.event, verdict.action, verdict.score) == ("PromptGiven", Action.INJECT, 3)
    assert "src/styles/theme.css" in verdict.message
    assert "src/components/Button.tsx" in verdict.message
    assert "src/auth/token.ts" not in verdict.paths


def test_a_second_check_without_new_actions_scores_nothing() -> None:
    """AD-15."""
    store = MemoryStore()
    prompt_only(store)
    tell(prompt("looks good", "prompt:2"), store)
    before = session_in(store).history
    again = tell(prompt("ok", "prompt:3"), store)
    assert again is not None
    assert (again.action, again.score) == (Action.ALLOW, 0)
    assert session_in(store).history == before


def test_what_the_human_asks_for_in_that_prompt_is_not_named() -> None:
    store = MemoryStore()
    prompt_only(store)
    verdict = tell(prompt("good, src/styles/ is fine too", "prompt:2"), store)
    assert verdict is not None
    assert "theme.css" not in verdict.message


def test_the_same_call_from_a_second_source_changes_nothing() -> None:
    store = MemoryStore()
    play(TIMELINE, store=store)
    before = session_in(store)
    for event in events_of(TIMELINE):
        if event.key:
            tell(replace(event, source="transcript"), store)
    assert session_in(store) == before


def test_a_denial_stands_when_it_is_asked_again() -> None:
    store = MemoryStore()
    tell(prompt("Fix src/a.py. Don't modify the schema."), store)
    proposed, _ = edit(1, "db/schema.sql")
    first = handle((proposed,), BEFORE, store, ENFORCE)
    again = handle((proposed,), BEFORE, store, ENFORCE)
    assert first is not None
    assert (first.action, again) == (Action.DENY, first)
    assert session_in(store).denied == 1


def test_words_are_not_said_twice() -> None:
    store = MemoryStore()
    play(TIMELINE[:2], store=store)
    proposed, finished = edit(9, "src/styles/theme.css")
    handle((proposed,), BEFORE, store, SETTING)
    first, again = (handle((finished,), AFTER, store, SETTING) for _ in range(2))
    assert first is not None
    assert again is not None
    assert (first.action, again.action, again.message) == (Action.INJECT, Action.ALLOW, "")


def test_a_denial_is_not_lost_among_what_the_transcript_brings() -> None:
    """The hook asks again about a call, and the transcript has news: the denial is the answer."""
    store = MemoryStore()
    tell(prompt("Fix src/a.py. Don't modify the schema."), store)
    proposed, _ = edit(1, "db/schema.sql")
    handle((proposed,), BEFORE, store, ENFORCE)
    news = edit(2, "src/a.py")[0]
    verdict = handle((replace(news, source="transcript"), proposed), BEFORE, store, ENFORCE)
    assert verdict is not None
    assert (verdict.action, verdict.tool_use_id) == (Action.DENY, "t1")


def test_one_thing_told_twice_in_one_breath_counts_once() -> None:
    store = MemoryStore()
    proposed, _ = edit(1, "src/a.py")
    handle((prompt("fix src/a.py"), replace(proposed, source="transcript"), proposed), BEFORE, store, SETTING)
    assert (session_in(store).events, session_in(store).scored) == (2, 1)


def test_judged_again_when_a_sibling_moved_the_session() -> None:
    """The ban came in between: what was judged without it is judged again."""
    store = BehindStore(prompt("Fix src/a.py. Don't modify the schema."))
    proposed, _ = edit(1, "db/schema.sql")
    verdict = handle((proposed,), BEFORE, store, ENFORCE)
    assert verdict is not None
    assert (verdict.action, "broken_constraint" in verdict.rules) == (Action.DENY, True)
    assert session_in(store).events == 2


def test_a_sibling_that_answered_the_same_call_first_gives_the_answer() -> None:
    proposed, _ = edit(1, "src/a.py")
    store = BehindStore(proposed)
    verdict = handle((proposed,), BEFORE, store, SETTING)
    assert verdict is not None
    assert verdict.tool_use_id == "t1"
    assert session_in(store).events == 1


def test_later_events_of_a_batch_see_the_rows_of_earlier_ones() -> None:
    """A search and the edit it led to may arrive together."""
    found = ToolCall(id="g", tool="Grep", action="read", query="verify")
    grep = ToolFinished(
        session=SESSION,
        cwd=ROOT,
        key="result:g",
        call=found,
        outcome="done",
        output="src/billing/invoice.ts:3: verify()",
    )
    stray = edit(2, "src/billing/invoice.ts")[0]
    with_search, without = MemoryStore(), MemoryStore()
    for store in (with_search, without):
        play(("@ fix the auth bug", "edit src/auth/token.ts"), store=store)
    led = handle((grep, stray), BEFORE, with_search, SETTING)
    not_led = handle((stray,), BEFORE, without, SETTING)
    assert led is not None
    assert not_led is not None
    assert led.score > not_led.score


def test_the_answer_belongs_to_the_call_that_can_be_denied() -> None:
    store = MemoryStore()
    tell(prompt("Fix src/a.py. Don't modify the schema."), store)
    todo = replace(prompt("nothing", "prompt:later"), text="ok")
    verdict = handle((edit(1, "db/schema.sql")[0], todo), BEFORE, store, ENFORCE)
    assert verdict is not None
    assert (verdict.action, verdict.event) == (Action.DENY, "ToolProposed")


class DeafStore(MemoryStore):
    """Counts what is asked of the ledger."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def rows(self, session_id: str, terms: Iterable[str]) -> Rows:
        self.asked += 1
        return super().rows(session_id, terms)


def test_only_actions_ask_the_ledger() -> None:
    store = DeafStore()
    for event in events_of(("@ fix src/a.py", "read src/a.py", "~ I see", "stop")):
        tell(event, store)
    assert store.asked == 0
    tell(edit(1, "src/a.py")[0], store)
    assert store.asked == 1


@pytest.mark.parametrize("path", ["src/styles/theme.css", "src/styles/"])
def test_a_person_may_let_it_stand(path: str) -> None:
    store = MemoryStore()
    play(TIMELINE[:2], store=store)
    allowance = Allowance(id="a1", path=path, reason="asked for")
    allowed = replace(SETTING, allowances=(allowance,))
    verdict = handle((edit(2, "src/styles/theme.css")[0],), BEFORE, store, allowed)
    assert verdict is not None
    assert (verdict.score, verdict.action) == (10, Action.ALLOW)


def test_a_start_after_a_compaction_is_answered_with_the_goal() -> None:
    store = MemoryStore()
    play(TIMELINE[:2], store=store)
    moment = Moment(kind="start", actions=(Action.ALLOW, Action.INJECT), pause=True)
    verdict = handle((SessionStarted(session=SESSION, reason="compact"),), moment, store, SETTING)
    assert verdict is not None
    assert "Goal: fix auth bug" in verdict.briefing


def test_stops_keep_one_record() -> None:
    """AD-27."""
    store = MemoryStore()
    play((*TIMELINE, "stop"), store=store)
    tell(Stopped(session=SESSION), store)
    (kept,) = store.captures(ROOT)
    assert kept.tags == ("needs-review", "had-drift")
    assert kept.goal == "fix auth bug"
