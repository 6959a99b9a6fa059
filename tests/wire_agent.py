"""An agent whose traffic is carried through the wire room to a desk with a real store.

It keeps its conversation as Claude Code does, with what the client was given of each answer, and knows nothing of what
was put into its requests. Results come back when the test says so; no tool is really run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from leeboard.app.proxy.desk import ProxyDesk
from leeboard.app.proxy.orders import CarriedTimes, RequestOrders
from leeboard.io import places
from leeboard.model.session import Session
from leeboard.store.sqlite import SqliteStore, open_store
from leeboard.wire.request import read
from leeboard.wire.restore import restore
from leeboard.wire.rewriters import open_rewriter
from leeboard.wire.seam import CallRuling, Carried, RequestFacts, ResponseRewriter, Summary, WireCall
from leeboard.wire.splice import splice
from tests.wire.answers import anthropic_stream, text_block, thinking
from tests.wire.next_request import check_anthropic_history

JSON = dict[str, Any]
TOOLS = ("Bash", "Edit", "Read", "Write")
CHUNK = 97


class PlayedAnswer(msgspec.Struct):
    """What came of one answer of the model."""

    rulings: dict[str, CallRuling]
    summary: Summary
    blocks: list[JSON]
    """As the client got them."""

    @property
    def released(self) -> list[str]:
        return [id_ for id_, ruling in self.rulings.items() if ruling.verdict == "release"]

    @property
    def withheld(self) -> list[str]:
        return [id_ for id_, ruling in self.rulings.items() if ruling.verdict == "withhold"]

    @property
    def text(self) -> str:
        return "\n".join(ruling.text for ruling in self.rulings.values())


class WireAgent:
    def __init__(self, desk: ProxyDesk, root: Path | str, session: str = "s", *, agent: str = "") -> None:
        self.desk = desk
        self.root = str(root)
        self.session = session
        self.agent = agent
        self.tools: Sequence[str] = TOOLS
        self.accepts = True
        """Whether the provider takes the next request."""
        self.tells_late = False
        """Whether the end of an answer is told after the next request."""
        self._late: list[Callable[[], None]] = []
        self.meanwhile: Callable[[], object] = lambda: None
        """What happens between the moment at which the orders are known and the one at which all is kept."""
        self.body = b""
        """The last request as the provider gets it."""
        self.facts = RequestFacts(api="anthropic", kind="work", session_id=session)
        self.orders = RequestOrders()
        self._messages: list[JSON] = []
        self._count = 0

    def asks(self, words: str) -> str:
        """The human speaks, and the request goes out; gives what was put into it."""
        self._messages.append({"role": "user", "content": [text_block(words)]})
        return self.sends()

    def goes_on(self, texts: dict[str, str] | None = None, failed: Sequence[str] = ()) -> str:
        """The calls that the client was given come back, and the next request goes out."""
        told = texts or {}
        results = [
            {"type": "tool_result", "tool_use_id": id_, "content": told.get(id_, "ok"), "is_error": id_ in failed}
            for id_ in self.open_calls
        ]
        assert results, "the client was given no call"
        self._messages.append({"role": "user", "content": results})
        return self.sends()

    @property
    def open_calls(self) -> list[str]:
        """What the client was given and has not answered."""
        last = self._messages[-1]
        return [block["id"] for block in last["content"] if block["type"] == "tool_use"]

    def sends(self) -> str:
        """The conversation as it is: a retry where nothing has changed since."""
        headers = {"x-claude-code-session-id": self.session, "x-claude-code-agent-id": self.agent}
        body = msgspec.json.encode(
            {
                "model": "claude",
                "max_tokens": 32_000,
                "system": [text_block(f"You are an agent.\nWorking directory: {self.root}\n")],
                "tools": [{"name": name, "input_schema": {"type": "object"}} for name in self.tools],
                "messages": self._messages,
                "stream": True,
            }
        )
        found = read("POST", "/v1/messages?beta=true", {name: told for name, told in headers.items() if told}, body)
        assert found is not None
        self.facts = found
        told: list[RequestOrders] = []

        def early(orders: RequestOrders) -> None:
            told.append(orders)
            self.meanwhile()

        orders = self.desk.request(found, early)
        assert told in ([], [orders]), "what was told early is what counts"
        self._tell()
        spliced = splice(body, found, orders.insertions)
        assert spliced.placed == orders.insertions
        self.body, self.orders = restore(spliced.body, found, orders.restored), orders
        check_anthropic_history(msgspec.json.decode(self.body)["messages"])
        if self.accepts:
            self.desk.delivered(found, orders)
        return "\n".join(one.text for one in orders.insertions)

    def _tell(self) -> None:
        while self._late:
            self._late.pop(0)()

    def compacts(self) -> None:
        """The client shortens its conversation to a summary, and goes on with the last message of the model."""
        summary = "This session is being continued from a previous conversation that ran out of context."
        self._messages = [{"role": "user", "content": [text_block(summary)]}, self._messages[-1]]

    def answers(self, *calls: WireCall, thinks: str = "", says: str = "") -> PlayedAnswer:
        """The model answers with these calls, and the answer is carried to its end."""
        blocks = [thinking(thinks)] if thinks else []
        blocks += [text_block(says)] if says else []
        blocks += [{"type": "tool_use", "id": call.id, "name": call.name, "input": call.input} for call in calls]
        stream = anthropic_stream(blocks, "tool_use" if calls else "end_turn")
        rewriter = open_rewriter(self.facts, "text/event-stream")
        assert rewriter is not None
        rulings: dict[str, CallRuling] = {}
        written = bytearray()
        for at in range(0, len(stream), CHUNK):
            self._carry(rewriter.feed(stream[at : at + CHUNK]), rewriter, rulings, written)
        self._carry(rewriter.close(), rewriter, rulings, written)
        assert not rewriter.holding
        if self.orders.may_withhold is False:
            assert bytes(written) == stream
        facts, inserted = self.facts, len(self.orders.insertions)
        self._late.append(
            lambda: self.desk.finished(facts, rewriter.summary, CarriedTimes(held_ms=1.5), inserted=inserted)
        )
        if not self.tells_late:
            self._tell()
        given = _blocks(bytes(written))
        self._messages.append({"role": "assistant", "content": given})
        return PlayedAnswer(rulings, rewriter.summary, given)

    def _carry(
        self, carried: Carried, rewriter: ResponseRewriter, rulings: dict[str, CallRuling], written: bytearray
    ) -> None:
        written += carried.data
        if carried.calls or carried.reasoning:
            ruled = self.desk.judge(self.facts, carried.calls, carried.reasoning)
            for call in carried.calls:
                written += rewriter.rule(call.id, ruled[call.id])
            rulings |= ruled

    def forgets_answer(self) -> None:
        """The client got only a part of the answer, and drops it."""
        self._messages.pop()

    def edit(self, path: str, old: str = "a = 1", new: str = "a = 2") -> WireCall:
        return self.call("Edit", {"file_path": f"{self.root}/{path}", "old_string": old, "new_string": new})

    def read(self, path: str) -> WireCall:
        return self.call("Read", {"file_path": f"{self.root}/{path}"})

    def shell(self, line: str) -> WireCall:
        return self.call("Bash", {"command": line})

    def call(self, name: str, sent: dict[str, object]) -> WireCall:
        self._count += 1
        id_ = f"toolu_{self.agent or 'main'}_{self._count}"
        text = msgspec.json.encode(sent).decode()
        return WireCall(id=id_, name=name, input=sent, input_text=text, index=self._count)


def _blocks(stream: bytes) -> list[JSON]:
    """What a client makes of a stream."""
    blocks: dict[int, JSON] = {}
    written: dict[int, str] = {}
    for line in stream.split(b"\n"):
        told = msgspec.json.decode(line[6:]) if line.startswith(b"data: ") else {}
        match told:
            case {"type": "content_block_start", "index": int(index), "content_block": block}:
                blocks[index] = dict(block)
            case {"type": "content_block_delta", "index": int(index), "delta": {"partial_json": str(part)}}:
                written[index] = written.get(index, "") + part
            case {"type": "content_block_delta", "index": int(index), "delta": delta}:
                for key in delta.keys() & {"text", "thinking", "signature"}:
                    blocks[index][key] = blocks[index].get(key, "") + delta[key]
    for index, text in written.items():
        blocks[index]["input"] = msgspec.json.decode(text or "{}")
    return [block for _, block in sorted(blocks.items())]


def stored() -> SqliteStore:
    return open_store(places.database())


def known_session(session: str = "s") -> Session:
    store = stored()
    found = store.session(session)
    store.close()
    assert found is not None
    return found
