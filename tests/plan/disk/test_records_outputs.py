from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.errors import StateError
from leeboard.model.unit import Pass, Unit
from leeboard.plan.disk.records import Writer, produced, record_outputs, written

UNIT = Unit(id="unit-01-form", stage="build", status="active", hat="builder", bolt=1)
KIM = Writer(session="s", at="2026-01-01T00:00:00Z")


@pytest.fixture
def home(tmp_path: Path) -> str:
    (tmp_path / ".haiku/intents/login").mkdir(parents=True)
    return str(tmp_path)


def test_what_was_written_is_kept_in_order(home: str) -> None:
    """SH-61."""
    assert record_outputs(home, "login", UNIT, ["b.py", "a.py", "b.py"], KIM) == 2
    assert record_outputs(home, "login", UNIT, ["a.py", "c.py"], KIM) == 1
    assert produced(home, "login", "build", UNIT.id) == ("b.py", "a.py", "c.py")


def test_who_wrote_it_and_how_the_unit_stood_is_kept_too(home: str) -> None:
    moved = replace(UNIT, hat="reviewer", passes=(Pass(hat="builder"),))
    record_outputs(home, "login", UNIT, ["a.py"], KIM)
    record_outputs(home, "login", moved, ["a.py"], replace(KIM, agent="a1"))
    lines = written(home, "login", "build", UNIT.id)
    assert [(line.agent, line.hat, line.bolt, line.passes) for line in lines] == [
        ("", "builder", 1, 0),
        ("a1", "reviewer", 1, 1),
    ]
    assert produced(home, "login", "build", UNIT.id) == ("a.py",)


def test_it_is_no_output_itself(home: str) -> None:
    record_outputs(home, "login", UNIT, ["a.py"], KIM)
    (found,) = Path(home).rglob("*.jsonl")
    assert found.parent.name not in {"artifacts", "outputs", "knowledge", "discovery"}


def test_many_writers_lose_nothing(home: str) -> None:
    """SH-61: forty processes, two units."""
    children = []
    for number in range(40):
        child = os.fork()
        if child == 0:
            unit = replace(UNIT, id=f"unit-0{number % 2}-x")
            record_outputs(home, "login", unit, [f"{number}.py"], KIM)
            os._exit(0)
        children.append(child)
    assert all(os.waitpid(child, 0)[1] == 0 for child in children)
    for parity in (0, 1):
        found = produced(home, "login", "build", f"unit-0{parity}-x")
        assert sorted(found) == sorted(f"{number}.py" for number in range(parity, 40, 2))


def test_half_a_line_is_passed_over(home: str) -> None:
    record_outputs(home, "login", UNIT, ["a.py"], KIM)
    (file,) = Path(home).rglob("*.jsonl")
    with file.open("ab") as opened:
        opened.write(b'{"path": "half')
    record_outputs(home, "login", UNIT, ["b.py"], KIM)
    assert produced(home, "login", "build", UNIT.id) == ("a.py", "b.py")


def test_no_link_is_followed(home: str, tmp_path: Path) -> None:
    folder = tmp_path / ".haiku/intents/login/stages/build"
    folder.mkdir(parents=True)
    (folder / "produced").symlink_to(tmp_path)
    with pytest.raises(StateError):
        record_outputs(home, "login", UNIT, ["a.py"], KIM)
