"""What the traffic tells, as events with the keys that hooks and transcripts give them: nothing is judged twice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator

import msgspec

from leeboard.clients import read_result
from leeboard.clients.human_words import split_command
from leeboard.clients.tool_calls import folder_of, parse_call, parse_todos
from leeboard.clients.transcript_memory import Base
from leeboard.model.event import (
    AgentStarted,
    Event,
    MessageSaid,
    PromptGiven,
    SessionStarted,
    ThoughtShown,
    TodosUpdated,
    ToolCall,
    ToolFinished,
    ToolProposed,
    TurnEnded,
    words_key,
)
from leeboard.model.session import Session
from leeboard.wire.seam import Reasoning, RequestFacts, WireCall

MOST_CALLS = 4_096
MOST_CHARACTERS = 32 << 20
"""Characters of all calls that are remembered until their results come back: what a file is written with is long."""


class ProposedCall(msgspec.Struct, frozen=True):
    """A call as it was proposed, for the result that comes with a later request."""

    call: ToolCall
    cwd: str


class ProposedCalls:
    """The newest calls of all sessions, in memory alone: what they write is never kept as it is."""

    def __init__(self) -> None:
        self._calls: OrderedDict[tuple[str, str], ProposedCall] = OrderedDict()
        self._characters = 0
        self._lock = threading.Lock()

    def put(self, session: str, proposed: ProposedCall) -> None:
        with self._lock:
            self._forget((session, proposed.call.id))
            self._calls[session, proposed.call.id] = proposed
            self._characters += _length(proposed)
            while self._calls and (len(self._calls) > MOST_CALLS or self._characters > MOST_CHARACTERS):
                self._forget(next(iter(self._calls)))

    def find(self, session: str, call_id: str) -> ProposedCall | None:
        with self._lock:
            return self._calls.get((session, call_id))

    def _forget(self, key: tuple[str, str]) -> None:
        gone = self._calls.pop(key, None)
        self._characters -= _length(gone) if gone else 0


def _length(proposed: ProposedCall) -> int:
    call = proposed.call
    return len(call.command) + len(call.query) + sum(len(edit.old) + len(edit.new) for edit in call.edits)


def origin_of(facts: RequestFacts, cwd: str, now: float) -> Base:
    """What all events of one request and its answer share."""
    return {"session": facts.session_id, "agent": facts.agent_id, "cwd": cwd, "time": now, "source": "wire"}


def beginning(facts: RequestFacts, base: Base, session: Session | None) -> Iterator[Event]:
    """A session or a sub-agent that is met for the first time; one that is met in its middle is resumed."""
    if session is None:
        main: Base = {**base, "agent": ""}
        under_way = bool(facts.results) or facts.first_prompt != facts.prompt
        yield SessionStarted(**main, reason="resume" if under_way else "startup")
    if facts.agent_id:
        yield AgentStarted(**base, key=f"agent-started:{facts.agent_id}")


def prompts(facts: RequestFacts, base: Base, session: Session | None) -> Iterator[PromptGiven]:
    """The words of the human. What a sub-agent is given are the words of its parent."""
    if facts.agent_id or not facts.prompt:
        return
    if session is None and facts.first_prompt and facts.first_prompt != facts.prompt:
        yield _prompt(base, "prompt:wire-first", facts.first_prompt)
    told = _prompt(base, f"prompt:wire-{facts.prompt_key}", facts.prompt)
    repeated = session is not None and session.prompts[-1:] == (told.digest,) and not facts.is_new_prompt
    if not repeated:
        yield told


def _prompt(base: Base, key: str, text: str) -> PromptGiven:
    command, words = split_command(text)
    return PromptGiven(**base, key=key, text=words, command=command)


def results(facts: RequestFacts, base: Base, calls: ProposedCalls) -> Iterator[ToolFinished]:
    """Each call that has come back. One that was proposed before our time has nothing but its id."""
    for result in facts.results:
        known = calls.find(facts.session_id, result.id)
        call = known.call if known else ToolCall(id=result.id, tool="", action="other")
        there: Base = {**base, "cwd": known.cwd if known else base["cwd"]}
        outcome, output = read_result(facts.client, result.text, is_error=result.is_error)
        output = "" if call.action in {"edit", "write"} else output
        yield ToolFinished(**there, key=f"result:{result.id}", call=call, outcome=outcome, output=output)


def turn_end(facts: RequestFacts, base: Base) -> TurnEnded:
    """The batch of calls is over when their results go back to the model."""
    ids = tuple(result.id for result in facts.results)
    return TurnEnded(**base, key=f"batch:{ids[0]}", calls=ids)


def never_ran(call_ids: Iterable[str], facts: RequestFacts, base: Base, calls: ProposedCalls) -> Iterator[ToolFinished]:
    """Calls that the client never saw: they touched nothing, and are not open any more."""
    for call_id in call_ids:
        known = calls.find(facts.session_id, call_id)
        call = known.call if known else ToolCall(id=call_id, tool="", action="other")
        yield ToolFinished(**base, key=f"result:{call_id}", call=call, outcome="denied")


def proposals(call: WireCall, facts: RequestFacts, base: Base) -> tuple[ToolProposed, TodosUpdated | None]:
    """The call as the client's hook would tell it, in the turn of this answer, and the plan it writes down."""
    sent = call.input if call.input is not None else call.input_text
    there: Base = {**base, "cwd": folder_of(sent, base["cwd"])}
    parsed = parse_call(call.id, call.name, sent)
    proposed = ToolProposed(**there, key=f"call:{call.id}", message=facts.digest, call=parsed)
    items = parse_todos(call.name, sent)
    todos = TodosUpdated(**base, key=f"todos:{call.id}", message=facts.digest, items=items) if items else None
    return proposed, todos


def reasons(reasoning: Iterable[Reasoning], facts: RequestFacts, base: Base) -> Iterator[MessageSaid | ThoughtShown]:
    """What the model thought and said, under a key made of the words: a transcript knows them by another."""
    for one in reasoning:
        if one.text.strip():
            event = ThoughtShown if one.kind == "thinking" else MessageSaid
            yield event(**base, key=words_key(facts.agent_id, one.text), message=facts.digest, text=one.text)
