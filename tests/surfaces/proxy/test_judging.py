"""Those who judge are asked in threads, and can fail as they like."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest

from leeboard.app.misses import misses
from leeboard.surfaces.proxy import judging as judging_module
from leeboard.surfaces.proxy.judging import FAILURES, Judging
from tests.surfaces.proxy.running_proxy import LIMIT
from tests.surfaces.proxy.scripted_desk import ScriptedDesk


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))


def done(work: Coroutine[None, None, object]) -> object:
    return asyncio.run(work)


def failing() -> None:
    raise ValueError("what a request said: sk-ant-secret")


def test_an_answer_comes_from_a_thread() -> None:
    async def asked() -> object:
        judging = Judging(None)
        own = threading.get_ident()
        return await judging.ask(threading.get_ident) != own

    assert done(asked()) is True


def test_a_failure_is_no_answer_and_is_noted_without_what_it_was_about(tmp_path: Path) -> None:
    async def asked() -> object:
        judging = Judging(None)
        answer: object = await judging.ask(failing)
        return answer, judging.failures

    assert done(asked()) == (None, 1)
    (line,) = misses(str(tmp_path))
    assert "proxy ValueError" in line
    assert "secret" not in line


def test_who_fails_again_and_again_is_left_alone_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    async def asked() -> object:
        judging = Judging(ScriptedDesk())
        there = []
        for _ in range(FAILURES):
            there.append(judging.desk is not None)
            await judging.ask(failing)
        there.append(judging.desk is not None)
        monkeypatch.setattr(judging_module, "REST_SECONDS", 0.0)
        for _ in range(FAILURES):
            await judging.ask(failing)
        return [*there, judging.desk is not None]

    assert done(asked()) == [True, True, True, False, True]


def test_one_success_makes_up_for_failures() -> None:
    async def asked() -> object:
        judging = Judging(ScriptedDesk())
        for _ in range(FAILURES):
            await judging.ask(failing)
            await judging.ask(lambda: 1)
        return judging.desk is not None

    assert done(asked()) is True


def test_who_takes_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging_module, "ASK_SECONDS", 0.05)
    go = threading.Event()

    async def asked() -> object:
        answer = await Judging(None).ask(lambda: go.wait(LIMIT))
        go.set()
        return answer

    assert done(asked()) is None


def test_what_was_told_is_done_before_the_end() -> None:
    heard: list[int] = []

    async def told() -> object:
        judging = Judging(None)
        for number in range(20):
            judging.tell(lambda number=number: heard.append(number))  # type: ignore[misc] # a default binds the number
        await judging.close()
        return sorted(heard)

    assert done(told()) == list(range(20))


def test_an_answer_that_is_told_early_is_not_waited_for_to_the_end() -> None:
    may_end = threading.Event()

    def work(early: Callable[[str], None]) -> str:
        early("first")
        assert may_end.wait(LIMIT)
        return "last"

    async def ask() -> tuple[str | None, bool, str | None]:
        judging = Judging(None)
        answer, whole = await judging.ask_early(work)
        was_done = whole.done()
        may_end.set()
        return answer, was_done, await whole

    assert asyncio.run(ask()) == ("first", False, "last")


@pytest.mark.parametrize("tells", [False, True])
def test_work_that_fails_gives_what_it_told_before_or_nothing(*, tells: bool) -> None:
    def work(early: Callable[[str], None]) -> str:
        if tells:
            early("first")
        raise ArithmeticError

    async def ask() -> tuple[str | None, str | None]:
        judging = Judging(None)
        answer, whole = await judging.ask_early(work)
        return answer, await whole

    assert asyncio.run(ask()) == ("first" if tells else None, None)


def test_what_is_told_after_something_waits_for_it() -> None:
    heard: list[str] = []
    may_end = threading.Event()

    def work(early: Callable[[str], None]) -> str:
        early("first")
        assert may_end.wait(LIMIT)
        heard.append("kept")
        return "last"

    async def ask() -> None:
        judging = Judging(None)
        _, whole = await judging.ask_early(work)
        judging.tell(lambda: heard.append("finished"), whole)
        may_end.set()
        await judging.close()

    asyncio.run(ask())
    assert heard == ["kept", "finished"]


def test_what_is_told_while_everybody_is_busy_waits_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a record, so that no time limit is a reason to lose one."""
    monkeypatch.setattr(judging_module, "ASK_SECONDS", 0.05)
    busy, go, heard = threading.Barrier(judging_module.THREADS + 1), threading.Event(), list[int]()

    def occupied() -> None:
        busy.wait(LIMIT)
        go.wait(LIMIT)

    async def told() -> object:
        judging = Judging(None)
        for _ in range(judging_module.THREADS):
            judging.tell(occupied)
        await asyncio.to_thread(busy.wait, LIMIT)
        for number in range(5):
            judging.tell(lambda number=number: heard.append(number))  # type: ignore[misc] # a default binds the number
        missed = await judging.ask(lambda: "in time")
        go.set()
        await judging.close()
        return missed, sorted(heard), judging.failures

    assert done(told()) == (None, [0, 1, 2, 3, 4], 1)


def test_what_is_told_while_it_ends_is_done_as_well() -> None:
    heard: list[str] = []

    async def told() -> None:
        judging = Judging(None)

        async def one_after_the_other() -> None:
            await judging.ask(lambda: heard.append("first"))
            judging.tell(lambda: heard.append("second"))

        judging.follow(one_after_the_other())
        await judging.close()

    asyncio.run(told())
    assert heard == ["first", "second"]


def test_what_can_not_be_kept_to_the_end_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging_module, "KEEP_SECONDS", 0.05)
    go = threading.Event()

    async def told() -> None:
        judging = Judging(None)
        judging.tell(lambda: go.wait(LIMIT))
        await judging.close()
        go.set()

    asyncio.run(told())
    (line,) = misses(str(tmp_path))
    assert "proxy EffectError" in line
