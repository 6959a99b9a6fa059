"""An agent whose traffic is carried, played against a desk with a real store: what it says and calls, and what comes back.

It keeps its conversation as Claude Code does, and knows nothing of what was put into its requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from leeboard.app.proxy.desk import ProxyDesk
from leeboard.app.proxy.orders import CarriedTimes, RequestOrders
from leeboard.io import places
from leeboard.model.session import Session
from leeboard.model.text import digest
from leeboard.store.sqlite import SqliteStore, open_store
from leeboard.wire.seam import CallResult, CallRuling, Reasoning, RequestFacts, Summary, WireCall

TOOLS = ("Bash", "Edit", "Read", "Write")


class PlayedAnswer(msgspec.Struct):
    """What came of one answer of the model."""

    rulings: dict[str, CallRuling]

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
        self.tools = TOOLS
        self.client = "claude_code"
        self.accepts = True
        """Whether the provider takes the next request."""
        self.facts = RequestFacts(api="anthropic", kind="work", session_id=session)
        self.orders = RequestOrders()
        self._anchors: list[str] = []
        self._prompts: list[str] = []
        self._results: tuple[CallResult, ...] = ()
        self._open: list[str] = []
        self._count = 0

    def asks(self, words: str) -> str:
        """The human speaks, and the request goes out; gives what was put into it."""
        self._prompts.append(words)
        self._results = ()
        return self._sends(digest(f"{len(self._prompts)} {words}"), is_new_prompt=True)

    def goes_on(self, texts: dict[str, str] | None = None, failed: Sequence[str] = ()) -> str:
        """The calls that were released come back, and the next request goes out."""
        told = texts or {}
        self._results = tuple(CallResult(id_, told.get(id_, "ok"), id_ in failed) for id_ in self._open)
        return self._sends(self._open[-1], is_new_prompt=False)

    def retries(self) -> str:
        """The very same request again."""
        self.orders = self.desk.request(self.facts)
        return self._accepted()

    def _sends(self, anchor: str, *, is_new_prompt: bool) -> str:
        self._anchors.append(anchor)
        self.facts = RequestFacts(
            api="anthropic",
            kind="work",
            client=self.client,
            session_id=self.session,
            agent_id=self.agent,
            cwd=self.root,
            streaming=True,
            prompt=self._prompts[-1],
            prompt_key=digest(f"{len(self._prompts)} {self._prompts[-1]}"),
            first_prompt=self._prompts[0],
            is_new_prompt=is_new_prompt,
            anchor=anchor,
            anchors=frozenset(self._anchors),
            results=self._results,
            tools=self.tools,
            messages=2 * len(self._anchors),
            digest=digest(" ".join(self._anchors)),
        )
        self.orders = self.desk.request(self.facts)
        return self._accepted()

    def _accepted(self) -> str:
        if self.accepts:
            self.desk.delivered(self.facts, self.orders)
        return "\n".join(one.text for one in self.orders.insertions)

    def compacts(self) -> None:
        """The client shortens its conversation: what stood in it is gone."""
        self._anchors.clear()

    def answers(self, *calls: WireCall, thinks: str = "", says: str = "") -> PlayedAnswer:
        """The model answers with these calls, and the answer is carried to its end."""
        thought = [Reasoning(thinks, "thinking", 0)] if thinks else []
        reasoning = [*thought, *([Reasoning(says, "text", 1)] if says else [])]
        played = PlayedAnswer(self.desk.judge(self.facts, calls, reasoning) if calls or reasoning else {})
        self._open = played.released + [id_ for id_ in played.withheld if played.rulings[id_].substitute]
        substituted = tuple(id_ for id_ in played.withheld if played.rulings[id_].substitute)
        summary = Summary(
            calls=len(calls),
            released=tuple(played.released),
            withheld=tuple(id_ for id_ in played.withheld if id_ not in substituted),
            substituted=substituted,
            stop_reason="tool_use" if calls else "end_turn",
            is_complete=True,
        )
        self.desk.finished(self.facts, summary, CarriedTimes(held_ms=1.5), inserted=len(self.orders.insertions))
        return played

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


def stored() -> SqliteStore:
    return open_store(places.database())


def known_session(session: str = "s") -> Session:
    store = stored()
    found = store.session(session)
    store.close()
    assert found is not None
    return found
