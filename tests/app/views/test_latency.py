from __future__ import annotations

from leeboard.app.views.latency import latency_of
from leeboard.model.lookup import Receipt


def receipt(event: str, ms: float, slow: str = "", note: str = "") -> Receipt:
    return Receipt(ts=5.0, event=event, outcome="allow", client="c", ms=ms, slow=slow, note=note)


def test_events_and_rules_are_told_with_what_costs_most_first() -> None:
    many = [receipt("PreToolUse", float(ms), '{"credential": 2.0}') for ms in range(1, 101)]
    page = latency_of([*many, receipt("Stop", 50.0, '{"unproven_claim": 7.5}', "judged without the store: busy")])
    assert [one.name for one in page.events] == ["all hooks", "PreToolUse", "Stop"]
    before = page.events[1]
    assert (before.count, before.median, before.p95, before.p99, before.most) == (100, 50.5, 96.0, 100.0, 100.0)
    assert [(one.name, one.count, one.most) for one in page.rules] == [
        ("credential", 100, 2.0),
        ("unproven_claim", 1, 7.5),
    ]
    assert (page.since, page.without_store) == (5.0, 1)


def test_what_can_not_be_read_of_a_receipt_is_passed_over() -> None:
    page = latency_of([receipt("Stop", 1.0, slow) for slow in ("{", "[]", '{"a": "b"}', "")])
    assert page.rules == ()
    assert latency_of([]).events == ()
