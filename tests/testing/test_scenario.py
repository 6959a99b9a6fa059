"""Scenarios, played through the real pipeline."""

from __future__ import annotations

from leeboard.model.event import Stopped, ToolFinished
from leeboard.model.policy import Policy
from leeboard.model.verdict import Action, Moment
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play, tell
from leeboard.testing.scenario_lines import SESSION, events_of


def test_a_denied_call_is_not_carried_out() -> None:
    played = play(("@ Fix a.py. Never push.", "$ git push"), Policy(profile="enforce"))
    assert played.proposed()[-1].action is Action.DENY
    (result,) = [told.event for told in played.told if isinstance(told.event, ToolFinished)]
    assert result.outcome == "denied"


def test_the_story_goes_on_in_the_same_store() -> None:
    store = MemoryStore()
    play(("@ fix a.py",), store=store)
    verdict = tell(Stopped(session=SESSION), store)
    assert verdict is not None
    session = store.session(SESSION)
    assert session is not None
    assert (session.exchange, session.events) == (1, 2)


def test_another_moment_may_be_given() -> None:
    store = MemoryStore()
    play(("@ fix auth bug", "edit src/auth/token.ts"), store=store)
    *_, proposed, _, _ = events_of(("@ a", "@ b", "edit src/styles/theme.css"))
    mute = tell(proposed, store, moment=Moment())
    assert mute is not None
    assert mute.action is Action.QUEUE
