"""A call that the model writes for half a minute, on a clock that the test drives: the client hears a sign of life."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from leeboard.app.proxy.orders import RequestOrders
from leeboard.io import clock
from leeboard.surfaces.proxy.coding import find_coding
from leeboard.surfaces.proxy.judging import Judging
from leeboard.surfaces.proxy.watch import KEEP_ALIVE_SECONDS, SILENCE_SECONDS, Prepared, WatchedAnswer
from leeboard.wire.seam import Api, CallRuling
from tests.surfaces.proxy.scripted_desk import WITHHELD, ScriptedDesk
from tests.wire.answers import (
    anthropic_stream,
    chat_stream,
    facts,
    function_call,
    responses_stream,
    said,
    text_block,
    thinking,
    tool_use,
)
from tests.wire.carrying import one_by_one
from tests.wire.sdk import read_anthropic, read_chat, read_responses

COMMENT = b": keep-alive\n\n"
TOLD = "echo " + "x" * 200
STREAMS: dict[Api, bytes] = {
    "anthropic": anthropic_stream([thinking("Hm."), text_block("I look."), tool_use("c", command=TOLD)]),
    "responses": responses_stream([said("m", "I look."), function_call("c", command=TOLD)]),
    "chat": chat_stream("I look.", [("c", "bash", f'{{"command": "{TOLD}"}}')]),
}
SDKS = {"anthropic": read_anthropic, "responses": read_responses, "chat": read_chat}


class DrivenLoop(asyncio.SelectorEventLoop):
    """Its time stands still until somebody moves it."""

    now = 1000.0

    def time(self) -> float:
        return self.now


class Written:
    """What the client was given."""

    def __init__(self) -> None:
        self.data = b""
        self.ended: bool | None = None

    def write_part(self, text: bytes) -> None:
        self.data += text

    def finish(self, *, cut: bool) -> None:
        self.ended = cut


class SlowAnswer:
    """An answer whose pieces come when the test says so."""

    def __init__(self, loop: DrivenLoop, api: Api, ruling: CallRuling | None) -> None:
        self._loop = loop
        self.client = Written()
        self._desk = desk = ScriptedDesk(lambda _: ruling) if ruling else ScriptedDesk()
        self._judging = Judging(desk)
        kept = loop.create_task(asyncio.sleep(0))
        orders = RequestOrders(watch=True, may_withhold=True)
        prepared = Prepared(desk=desk, facts=facts(api), orders=orders, body=b"")
        self.answer = WatchedAnswer(self._judging, prepared, kept)
        assert self.answer.open("text/event-stream")
        coding = find_coding([])
        assert coding is not None
        self.answer.begin(self.client, coding)

    async def passes(self, seconds: float) -> None:
        """So much time, in steps that no timer can jump over."""
        for _ in range(int(seconds * 4)):
            self._loop.now += 0.25
            for _ in range(3):
                await asyncio.sleep(0)

    async def ends(self) -> None:
        self.answer.close(cut=False)
        await self.is_told_of()

    async def is_told_of(self) -> None:
        """The desk has heard that it is over."""
        await asyncio.to_thread(self._desk.wait_for_end)
        await self._judging.close()


def play(
    monkeypatch: pytest.MonkeyPatch, api: Api, ruling: CallRuling | None, scene: Callable[[SlowAnswer], object]
) -> Written:
    loop = DrivenLoop()
    monkeypatch.setattr(clock, "monotonic", loop.time)

    async def main() -> Written:
        slow = SlowAnswer(loop, api, ruling)
        await scene(slow)  # type: ignore[misc]  # scenes are coroutines
        return slow.client

    try:
        return loop.run_until_complete(main())
    finally:
        loop.close()


@pytest.mark.parametrize("api", STREAMS)
@pytest.mark.parametrize("ruling", [None, WITHHELD], ids=["released", "withheld"])
def test_a_call_of_thirty_seconds(api: Api, ruling: CallRuling | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """One byte after the other: whenever the sign of life comes, it may be the middle of a frame that upstream is at."""
    stream = STREAMS[api]
    call = stream.index(b"xxxx")
    pieces = one_by_one(stream[call : stream.rindex(b"xxxx")])
    told: list[int] = []

    async def scene(slow: SlowAnswer) -> None:
        slow.answer.feed(stream[:call])
        for number, byte in enumerate(pieces):
            slow.answer.feed(byte)
            if number % (len(pieces) // 30) == 0:
                await slow.passes(1)
                told.append(slow.client.data.count(COMMENT))
        slow.answer.feed(stream[stream.rindex(b"xxxx") :])
        await slow.ends()

    client = play(monkeypatch, api, ruling, scene)
    assert told[-1] >= 30 / KEEP_ALIVE_SECONDS - 1
    assert told[int(KEEP_ALIVE_SECONDS) - 2] == 0, "nobody is told before it takes long"
    assert client.ended is False
    parts = client.data.split(b"\n\n")
    assert all(part == COMMENT.strip() for part in parts if b"keep-alive" in part), "none stands inside a frame"
    without = client.data.replace(COMMENT, b"")
    assert SDKS[api](client.data) == SDKS[api](without), "the SDK sees no difference"
    if ruling is None:
        assert without == stream
    else:
        assert b"xxxx" not in without


def test_a_call_that_stops_coming_is_given_up_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = STREAMS["anthropic"]

    async def scene(slow: SlowAnswer) -> None:
        slow.answer.feed(stream[: stream.index(b"xxxx")])
        ended: list[bool | None] = []
        for seconds in (SILENCE_SECONDS - 1, KEEP_ALIVE_SECONDS):
            await slow.passes(seconds)
            ended.append(slow.client.ended)
        assert ended == [None, True]
        slow.answer.drop()
        await slow.is_told_of()

    client = play(monkeypatch, "anthropic", None, scene)
    assert client.data.count(COMMENT) >= SILENCE_SECONDS / (1.5 * KEEP_ALIVE_SECONDS) - 1
    assert b"event: error" in client.data
    assert b'"tool_use"' not in client.data
