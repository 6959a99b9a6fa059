"""Edits of what belongs to the engine are told from all others."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.plan.files.splice import new_page
from leeboard.plan.files.state import ENGINE_FIELDS, Kind, engine_values, protected

UNIT = "---\ntitle: T\nstatus: active # now\nbolt: 1\nstarted_at: 2026-01-01T00:00:00Z\n---\nstatus: done\n"


@pytest.mark.parametrize(
    ("kind", "before", "after", "changed"),
    [
        ("unit", UNIT, UNIT.replace("title: T", "title: Other"), ()),
        ("unit", UNIT, UNIT + "status: completed\n", ()),
        ("unit", UNIT, UNIT.replace("active # now", '"active"'), ()),
        ("unit", UNIT, UNIT.replace("2026-01-01T00:00:00Z", "'2026-01-01T00:00:00Z'"), ()),
        ("unit", UNIT, UNIT.replace("title: T", "hat: ''\ncompleted_at: null\niterations: []"), ()),
        ("unit", UNIT, UNIT.replace("active", "completed"), ("status",)),
        ("unit", UNIT, UNIT.replace("status: active", "{status: completed}"), ("status", "bolt", "started_at")),
        ("unit", UNIT, UNIT.replace("bolt: 1", "bolt: 2\nhat: x"), ("bolt", "hat")),
        ("unit", UNIT, UNIT.replace("bolt: 1\n", ""), ("bolt",)),
        ("unit", UNIT, "", ("status", "bolt", "started_at")),
        ("unit", "", "---\ntitle: New\nstatus: pending\nbolt: 0\n---\n", ()),
        ("unit", "", "---\nstatus: completed\n---\n", ("status",)),
        ("unit", "---\n[\n---\n", UNIT, ()),
        ("intent", "", "---\nstatus: active\nmode: continuous\narchived: false\n---\n", ()),
        ("intent", "---\nstudio: a\n---\n", "---\nstudio: b\n---\n", ()),
        ("intent", "---\nstudio: a\nactive_stage: x\n---\n", "---\nstudio: b\nactive_stage: x\n---\n", ("studio",)),
        ("intent", "---\nskip_stages: []\n---\n", "---\nskip_stages: [design]\n---\n", ("skip_stages",)),
        ("stage", '{"phase": "review"}', '{"phase": "gate"}', ("phase",)),
        ("stage", '{"phase": "review"}', '{ "phase":"review", "note": 1}', ()),
        ("stage", '{"phase": "review"}', "{", ("phase",)),
        ("stage", "", '{"status": "pending", "phase": "", "gate_outcome": null}', ()),
        (
            "feedback",
            "---\nstatus: pending\n---\n",
            "---\nstatus: closed\nclosed_by: me\n---\n",
            ("status", "closed_by"),
        ),
        ("feedback", "---\norigin: user-chat\n---\n", "---\norigin: agent\n---\n", ("origin",)),
    ],
)
def test_engine_fields(kind: Kind, before: str, after: str, changed: tuple[str, ...]) -> None:
    """SH-56"""
    assert protected(kind, before, after) == changed


@pytest.mark.parametrize("kind", get_args(Kind))
def test_each_kind_has_its_fields_once(kind: Kind) -> None:
    assert len(set(ENGINE_FIELDS[kind])) == len(ENGINE_FIELDS[kind])
    assert {"status"} <= set(ENGINE_FIELDS[kind])


names = st.sampled_from(sorted({field for fields in ENGINE_FIELDS.values() for field in fields} | {"title", "other"}))
values = st.sampled_from(["x", "2026-01-01T00:00:00Z", 1, True, ["a"], [{"hat": "b"}], None, "", 0, [], False])
fields = st.dictionaries(names, values, max_size=8)
kinds = st.sampled_from(get_args(Kind))


def text_of(kind: Kind, found: dict[str, Any]) -> str:
    return json.dumps(found) if kind == "stage" else new_page(found, "body")


@given(kind=kinds, before=fields, after=fields)
def test_exactly_the_changed_engine_fields_are_found(kind: Kind, before: dict[str, Any], after: dict[str, Any]) -> None:
    """SH-56: an unset value and a missing one are the same."""
    expected = {
        name
        for name in ENGINE_FIELDS[kind]
        if json.dumps(before.get(name) or None) != json.dumps(after.get(name) or None)
    }
    assert set(protected(kind, text_of(kind, before), text_of(kind, after))) == expected


@given(kind=kinds, one=st.text(max_size=60), other=st.text(max_size=60))
def test_garbage_never_raises(kind: Kind, one: str, other: str) -> None:
    protected(kind, one, other)
    protected(kind, f"---\n{one}\n---\n", f"---\n{other}\n---\n")
    engine_values(kind, one)
