from __future__ import annotations

import socket

import pytest
from msgspec.structs import replace

from leeboard.app.views.proxy import carried_view, dead_proxies, is_told, traffic_text, traffic_view
from leeboard.app.views.report import report_page
from leeboard.app.views.session import SessionWatch
from leeboard.model.traffic import CarriedRequest
from tests.app.proxy.conftest import GOAL, agent, root, strict
from tests.wire_agent import WireAgent

__all__ = ["agent", "root", "strict"]

ONE = CarriedRequest(ts=100.0, session="s", calls=2, held_ms=4.0, first_byte_ms=30.0)
OTHERS = (
    replace(ONE, ts=101.0, calls=0, held_ms=0.0, outcome="refused"),
    replace(ONE, ts=102.0, withheld=1, held_ms=8.0, inserted=1, note="drifted"),
    replace(ONE, ts=99.0, unchecked=1, outcome="gone", held_ms=1.0),
)


def test_the_figures_of_what_was_carried() -> None:
    assert traffic_view(()) is None
    found = traffic_view((ONE, *OTHERS))
    assert found is not None
    assert (found.requests, found.calls, found.withheld, found.inserted, found.unchecked) == (4, 6, 1, 1, 1)
    assert (found.refused, found.cut, found.gone, found.sensed) == (1, 0, 1, 0)
    assert (found.held_ms, found.held_ms_most, found.first_byte_ms) == (4.0, 8.0, 30.0)
    assert found.last == "1970-01-01T00:01:42Z"
    assert found.notes == ("drifted",)
    told = (
        "4 requests carried, 6 calls held for 4 ms, at most 8 ms, 1 withheld, 1 correction put in, 1 passed unchecked"
    )
    assert traffic_text(found) == told
    sensed = traffic_view((replace(ONE, senses=True),))
    assert sensed is not None
    assert traffic_text(sensed).endswith("hooks are the brake")


@pytest.mark.parametrize(("one", "told"), [(ONE, False), *((other, at > 0) for at, other in enumerate(OTHERS))])
def test_only_what_was_changed_or_unchecked_is_news(one: CarriedRequest, *, told: bool) -> None:
    assert is_told(one) is told
    assert carried_view(one).session == "s"


def test_a_proxy_that_does_not_run_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        alive = f"http://127.0.0.1:{server.getsockname()[1]}/x"
        assert dead_proxies([{"ANTHROPIC_BASE_URL": alive}]) == ()
    dead = dead_proxies([{"ANTHROPIC_BASE_URL": alive, "OPENAI_BASE_URL": "https://example.com"}, {"PATH": alive}])
    assert dead == (f"ANTHROPIC_BASE_URL={alive}",)
    assert dead_proxies([{"OPENAI_BASE_URL": 7}, {"OPENAI_BASE_URL": "http://[::1"}]) == ()


def test_report_and_watch_know_the_traffic(strict: WireAgent) -> None:
    strict.asks(GOAL)
    strict.answers(strict.edit("src/styles/theme.css"))
    strict.goes_on()
    strict.answers(strict.edit("src/auth/token.py"))
    traffic = report_page("s", strict.root).traffic
    assert traffic is not None
    assert (traffic.requests, traffic.calls, traffic.withheld, traffic.held_ms) == (2, 2, 1, 1.5)
    assert traffic.notes[-1] == "recovered: src/auth/token.py is on the way back"
    watch = SessionWatch(strict.root, 0.0, "", everything=False)
    news = [getattr(one, "note", "") for one in watch.look(once=True)]
    assert [words.partition(" ")[0] for words in news if words] == ["drifted", "recovered:"]
    assert [one for one in watch.look(once=True) if getattr(one, "note", "")] == []
