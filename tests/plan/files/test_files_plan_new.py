"""New files say what they were given."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.plan import Intent
from leeboard.model.studio import GateCommand
from leeboard.model.unit import Feedback, Pass, Unit
from leeboard.plan.files.files import new_feedback, new_intent, new_unit, parse_feedback, parse_intent, parse_unit
from leeboard.plan.files.splice import read_page
from leeboard.plan.files.state import protected

line = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs")), min_size=1, max_size=12)
lines = st.lists(line, max_size=3).map(tuple)
gates = st.builds(GateCommand, name=line, command=line, dir=st.just("") | line)
worn = st.builds(
    Pass, hat=line, started_at=line, completed_at=line, result=st.sampled_from(["advance", "reject"]), reason=line
)
units = st.builds(
    Unit,
    id=st.just("unit-01-a"),
    stage=st.just("s"),
    title=line,
    type=line,
    depends_on=lines.map(lambda names: tuple(name.removesuffix(".md") or "x" for name in names)),
    inputs=lines,
    outputs=lines,
    touch=lines,
    quality_gates=st.lists(gates, max_size=2).map(tuple),
    closes=lines,
    model=line,
    status=st.sampled_from(["pending", "active", "completed"]),
    bolt=st.integers(0, 9),
    hat=line,
    started_at=line,
    hat_started_at=line,
    completed_at=line,
    passes=st.lists(worn, max_size=2).map(tuple),
)


@given(units)
def test_a_unit_is_read_back(unit: Unit) -> None:
    """SH-21"""
    assert parse_unit(new_unit(unit), unit.id, unit.stage) == unit


@given(
    title=line,
    origin=st.sampled_from(["agent", "user-chat"]),
    author=line,
    passes=st.lists(worn, max_size=2).map(tuple),
)
def test_feedback_is_read_back(title: str, origin: str, author: str, passes: tuple[Pass, ...]) -> None:
    item = Feedback(
        id="FB-01", file="01-x.md", title=title, origin=origin, author=author, passes=passes, resolution="inline_fix"
    )
    text = new_feedback(item)
    assert parse_feedback(text, "01-x.md", "") == item
    assert read_page(text).fields["author_type"] == ("human" if item.is_human else "agent")


@given(title=line, studio=line, skip=lines, gate=st.lists(gates, max_size=2).map(tuple), archived=st.booleans())
def test_an_intent_is_read_back(
    title: str, studio: str, skip: tuple[str, ...], gate: tuple[GateCommand, ...], *, archived: bool
) -> None:
    intent = Intent(slug="s", title=title, studio=studio, skip_stages=skip, quality_gates=gate, archived=archived)
    assert parse_intent(new_intent(intent), "s") == intent


def test_a_body_stays_as_it_is() -> None:
    unit = Unit(id="unit-01-a", stage="s", title="T", body="\n# T\n\n- [ ] one\n---\n- [x] two\n")
    found = parse_unit(new_unit(unit), "unit-01-a", "s")
    assert found == msgspec.structs.replace(unit, criteria=(("one", False), ("two", True)))


def test_a_fresh_unit_claims_nothing_of_the_engine() -> None:
    assert protected("unit", "", new_unit(Unit(id="unit-01-a", stage="s", title="T"))) == ()
