"""What becomes of the calls of one answer."""

from __future__ import annotations

import pytest

from leeboard.wire.docket import CallRun, Docket, HeldCall, closing_words, read_arguments
from leeboard.wire.seam import RELEASE, UNCHECKED, CallRuling, Substitute, WireCall
from tests.wire.carrying import withhold


def call(call_id: str) -> WireCall:
    return WireCall(id=call_id, name="Bash", input={}, input_text="{}", index=0)


def on_docket(docket: Docket, *ids: str) -> list[HeldCall]:
    found = []
    for call_id in ids:
        found.append(docket.open())
        docket.complete(found[-1], call(call_id))
    return found


def test_a_call_waits_until_it_is_ruled_on() -> None:
    docket = Docket()
    [held] = on_docket(docket, "a")
    assert [fresh.id for fresh in docket.take_fresh()] == ["a"]
    assert docket.take_fresh() == ()
    assert docket.waiting == {"a"}
    before = held.may_go
    assert docket.rule("a", RELEASE)
    assert (before, held.may_go, held.is_refused) == (False, True, False)
    assert docket.summary.released == ("a",)


def test_only_the_first_ruling_counts() -> None:
    docket = Docket()
    [held] = on_docket(docket, "a")
    assert docket.rule("a", withhold())
    assert not docket.rule("a", RELEASE)
    assert not docket.rule("b", RELEASE)
    assert held.is_refused


def test_a_second_call_of_one_id_is_ruled_on_by_itself() -> None:
    """Where the two shared a ruling, the one on the harmless call would let the other through."""
    docket = Docket()
    held = on_docket(docket, "a", "a", "a+2", "a")
    calls = docket.take_fresh()
    assert len({call.id for call in calls}) == 4
    assert [bool(call.unreadable) for call in calls] == [False, True, True, True]
    docket.rule("a", RELEASE)
    for call in calls[1:]:
        docket.rule(call.id, withhold())
    assert [one.is_refused for one in held] == [False, True, True, True]
    assert not docket.waiting


def test_words_are_said_only_where_no_call_is_left() -> None:
    docket = Docket()
    on_docket(docket, "a", "b")
    docket.rule("a", withhold("One."))
    docket.rule("b", RELEASE)
    assert closing_words(docket.calls) == ""
    docket = Docket()
    on_docket(docket, "a", "b", "c")
    docket.rule("a", withhold("One."))
    docket.rule("b", withhold("Two."))
    docket.rule("c", withhold("One."))
    assert closing_words(docket.calls) == "One.\n\nTwo."
    assert closing_words([]) == ""


def test_words_are_never_empty() -> None:
    docket = Docket()
    on_docket(docket, "a")
    docket.rule("a", withhold(" "))
    assert closing_words(docket.calls).strip()


def test_a_substitute_stands_for_its_call() -> None:
    docket = Docket()
    [held] = on_docket(docket, "a")
    docket.rule("a", CallRuling("withhold", "No.", Substitute("Read", {"file_path": "x"})))
    assert held.is_refused
    assert held.substitute == Substitute("Read", {"file_path": "x"})
    assert closing_words(docket.calls) == ""
    assert docket.summary.substituted == ("a",)


def test_what_can_not_wait_any_longer_passes_and_is_noted() -> None:
    docket = Docket()
    [done] = on_docket(docket, "a")
    begun = docket.open()
    docket.hurry(UNCHECKED)
    docket.complete(begun, call("b"))
    assert done.may_go
    assert begun.may_go
    assert docket.take_fresh() == ()
    assert docket.waiting == frozenset()
    noted = [docket.summary.unchecked]
    docket.go_blind()
    noted.append(docket.summary.unchecked)
    assert noted == [("a", "b"), ("a", "b", "*")]


def test_what_is_not_written_to_its_end_is_dropped_when_the_answer_breaks_off() -> None:
    docket = Docket()
    [done] = on_docket(docket, "a")
    begun = docket.open()
    docket.abandon()
    assert begun.is_refused
    assert not done.may_go
    assert docket.is_changed


def test_calls_that_belong_together() -> None:
    docket = Docket()
    run = CallRun()
    for held in on_docket(docket, "a", "b"):
        run.add(held)
    docket.rule("b", RELEASE)
    before = (run.may_go, run.has_left)
    docket.rule("a", withhold())
    assert before == (False, False)
    assert (run.may_go, run.has_left, run.is_refused) == (True, True, True)


def test_arguments_are_an_object_or_nothing() -> None:
    assert read_arguments('{"a": 1}') == ({"a": 1}, "")
    assert read_arguments("") == ({}, "")
    assert read_arguments("[1]") == (None, "they are no JSON object")
    assert read_arguments('{"a": ') == (None, "they are no JSON")
    code = '{"content": "' + "{[" * 1_000 + '"}'
    assert read_arguments(code)[1] == "", "what stands in a string is not nested"


@pytest.mark.parametrize("depth", [300, 2_000, 200_000])
def test_arguments_that_are_nested_too_deeply_are_told_apart(depth: int) -> None:
    text = '{"command": "rm x", "more": ' + "[" * depth + "]" * depth + "}"
    assert read_arguments(text) == (None, "they are nested too deeply")
