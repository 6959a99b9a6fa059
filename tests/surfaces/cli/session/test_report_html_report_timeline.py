"""The picture: one circle is one signal, inside the frame, in the lane of its class."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.app.views.report import Kept, page_of
from leeboard.model.outcome import Judged, JudgedState
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.verdict import Action, Verdict
from leeboard.surfaces.cli.session.report_html import LANE_HEIGHT, LANE_TOP, LEFT, WIDTH, legend, timeline

STATES: tuple[JudgedState, ...] = ("fired", "delivered", "waiting", "logged", "self-corrected", "dropped")


def signal(subclass: str = "B1", turn: int = 2, state: JudgedState = "fired", message: str = "Move it.") -> Judged:
    return Judged(
        id="s1",
        agent="",
        turn=turn,
        subclass=subclass,
        urgency="2.4",
        disposition="QUEUE",
        state=state,
        rule="r",
        subject="x",
        path="a.py",
        line=1,
        confidence=0.9,
        message=message,
        reason="It is.",
    )


def verdict(turn: int, score: int = 10, action: Action = Action.ALLOW) -> Verdict:
    return Verdict(id=f"v{turn}", session="s", agent="", turn=turn, action=action, event="ToolProposed", score=score)


def draw(*judged: Judged, turns: int = 10, verdicts: tuple[Verdict, ...] = ()) -> Element:
    page = page_of(Session(id="s", turns=turns), Kept(judged=judged, verdicts=verdicts), Policy())
    return fromstring(timeline(page))


def circles(picture: Element) -> list[tuple[float, float]]:
    return [(float(one.attrib["cx"]), float(one.attrib["cy"])) for one in picture.iter("circle")]


def test_each_signal_is_a_circle_in_the_lane_of_its_class() -> None:
    picture = draw(*(signal(subclass) for subclass in ("A1", "B2", "C3", "D1")))
    assert [y for _, y in circles(picture)] == [LANE_TOP + number * LANE_HEIGHT for number in range(4)]


def test_later_is_further_to_the_right() -> None:
    places = [x for x, _ in circles(draw(*(signal(turn=turn) for turn in (1, 4, 10))))]
    assert places == sorted(places)
    assert len(set(places)) == 3


def test_signals_of_one_turn_do_not_cover_each_other() -> None:
    places = [x for x, _ in circles(draw(*[signal(turn=3)] * 5))]
    assert len(set(places)) == 5


@pytest.mark.parametrize("turns", [0, 1, 7, 5_000])
def test_nothing_is_drawn_outside(turns: int) -> None:
    picture = draw(*[signal(turn=turns)] * 6, turns=turns, verdicts=(verdict(turns, 1),))
    assert all(LEFT - 30 <= x <= WIDTH - 8 for x, _ in circles(picture))
    assert len(list(picture.iter("text"))) < 40


def test_states_differ_in_colour_or_size_and_the_legend_names_them() -> None:
    picture = draw(*(signal(turn=turn, state=state) for turn, state in enumerate(STATES)))
    looks = {
        state: (one.attrib["fill"], one.attrib["r"]) for state, one in zip(STATES, picture.iter("circle"), strict=True)
    }
    assert len({looks[state] for state in ("fired", "waiting", "logged", "self-corrected")}) == 4
    named = ["".join(one.itertext()) for one in fromstring(legend()).iter("li")]
    assert named[:3] == ["said", "waiting, or said at a pause", "noted and not said"]
    assert named[3:] == ["corrected by the agent, or dropped", "call refused", "said to the agent"]
    words = [one.text for one in picture.iter("text")]
    assert {"turn", "score"} <= {*words}


def test_scores_are_a_line_and_words_are_ticks() -> None:
    picture = draw(verdicts=(verdict(1), verdict(2, 4), verdict(3, 9, Action.INJECT)))
    (line,) = picture.iter("polyline")
    assert len(line.attrib["points"].split()) == 3
    (tick,) = [one for one in picture.iter("line") if list(one.iter("title"))]
    assert "turn 3: told" in "".join(tick.itertext())
    assert circles(picture) == []


@given(st.lists(st.tuples(st.sampled_from(STATES), st.integers(-1, 10_000), st.text(max_size=20)), max_size=8))
def test_any_session_has_a_picture(told: list[tuple[JudgedState, int, str]]) -> None:
    clean = [(state, turn, re.sub(r"[^\x20-\x7e]", "", text)) for state, turn, text in told]
    picture = draw(*(signal(turn=turn, state=state, message=text) for state, turn, text in clean))
    assert len(circles(picture)) == len(told)
