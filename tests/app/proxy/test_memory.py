"""What a proxy remembers, and for how long."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.app.proxy.memory import ProxyMemory
from leeboard.app.proxy.withdrawal import JudgedCall
from leeboard.model.session import Session
from leeboard.wire.seam import RequestFacts

FACTS = RequestFacts(api="anthropic", kind="work", session_id="s", digest="one", anchor="t1", messages=9)
CALL = JudgedCall(id="t9", agent="", before=Session(id="s"), after=Session(id="s"))


def test_a_retry_is_the_same_request_twice_in_a_row() -> None:
    memory = ProxyMemory()
    told = []
    for digest in ("one", "two", "two", "one"):
        facts = replace(FACTS, digest=digest)
        memory.met(facts, hooked=False)
        told.append(memory.is_retry(facts))
    assert told == [False, False, True, False]
    assert memory.sessions_without_hooks() == ["s"]
    memory.met(FACTS, hooked=True)
    assert memory.sessions_without_hooks() == []


def test_a_conversation_is_shortened_when_its_end_is_gone() -> None:
    memory = ProxyMemory()
    at = {"anchors": frozenset({"t1", "t2"})}
    assert not memory.is_shortened(replace(FACTS, **at))
    assert not memory.is_shortened(replace(FACTS, anchor="t2", messages=11, **at))
    assert memory.is_shortened(replace(FACTS, anchor="t3", messages=2, anchors=frozenset({"t3"})))
    assert not memory.is_shortened(replace(FACTS, anchor="t4", messages=4, anchors=frozenset({"t3", "t4"})))


def test_calls_of_an_answer_are_given_once_and_forgotten_with_the_next() -> None:
    memory = ProxyMemory()
    memory.judged(FACTS, CALL)
    memory.judged(FACTS, replace(CALL, id="t8"))
    assert [call.id for call in memory.take_judged(FACTS, ["t8"])] == ["t8"]
    assert [call.id for call in memory.take_judged(FACTS)] == ["t9"]
    assert memory.take_judged(FACTS) == []
    memory.judged(FACTS, CALL)
    assert memory.take_judged(replace(FACTS, digest="two")) == []


def test_notes_and_words_are_taken_once() -> None:
    memory = ProxyMemory("/home/dev")
    memory.note(FACTS, "drifted")
    memory.note(FACTS, "")
    memory.note(FACTS, "forced")
    assert [memory.take_note(FACTS), memory.take_note(FACTS)] == ["drifted; forced", ""]
    memory.said(FACTS, "x" * 9_000)
    assert len(memory.last_words(FACTS)) == 4_000
    assert memory.last_words(FACTS) == ""


def test_it_does_not_grow_without_end() -> None:
    memory = ProxyMemory()
    for number in range(600):
        memory.said(replace(FACTS, session_id=f"s{number}"), "done")
    assert memory.last_words(replace(FACTS, session_id="s0")) == ""
    assert memory.last_words(replace(FACTS, session_id="s599")) == "done"
