"""Everything that was said, whichever rule it came from, in one list with one count."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.app.views.said import counted_said, said_view, said_views
from leeboard.model.verdict import Action, Verdict
from leeboard.text.words import element

PLAIN = Verdict(id="v1", session="s", agent="", turn=1, action=Action.ALLOW, event="ToolProposed")


def verdict(action: Action, **parts: object) -> Verdict:

    return replace(PLAIN, action=action, **parts)


def test_what_was_only_noted_was_not_said() -> None:
    quiet = [verdict(action) for action in (Action.ALLOW, Action.LOG, Action.QUEUE)]
    assert said_views(quiet) == ()
    assert counted_said(()) == "nothing was said"


def test_each_way_of_saying_it_has_its_name_and_all_are_counted_together() -> None:
    said = said_views(
        (
            verdict(Action.DENY, message="a"),
            verdict(Action.INJECT, message="b", event="ToolFinished"),
            verdict(Action.INJECT, message="c", event="Stopped"),
            verdict(Action.ASK, message="d"),
            verdict(Action.DENY, message="e"),
        )
    )
    assert [one.how for one in said] == ["refused", "told", "kept going", "asked", "refused"]
    assert counted_said(said) == "5 corrections: 2 refused, 1 asked, 1 kept going, 1 told"


def test_words_come_without_the_element_around_them() -> None:
    assert said_view(verdict(Action.DENY, message=element("one\ntwo", {"level": "halt"}))).words == "one\ntwo"


def test_what_has_no_score_has_a_level_all_the_same_and_shows_no_score() -> None:
    refused = said_view(verdict(Action.DENY, message="a", score=10))
    assert (refused.level, refused.score) == ("intervene", 0)
    assert said_view(verdict(Action.INJECT, message="a")).level == "correct"
    assert said_view(verdict(Action.INJECT, briefing="a")).level == "nudge"
    scored = said_view(verdict(Action.INJECT, message="a", level="halt", score=2))
    assert (scored.level, scored.score) == ("halt", 2)
