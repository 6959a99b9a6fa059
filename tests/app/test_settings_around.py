from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.settings import held_by, resolve
from leeboard.model.studio import GateCommand
from leeboard.model.unit import Unit
from leeboard.store.memory import MemoryStore
from tests.plan_tree import FORM, PlanTree
from tests.trusting import in_trust


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    in_trust(monkeypatch)
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))


@pytest.mark.parametrize(
    ("unit", "touch"),
    [
        (Unit(id="u", stage="s"), ()),
        (
            Unit(id="u", stage="s", outputs=("src/a/b.py", "src/a/c.py", "docs/", "x.md")),
            ("src/a/**", "docs/**", "x.md"),
        ),
        (Unit(id="u", stage="s", outputs=("src/a.py",), touch=("lib/**",)), ("lib/**",)),
    ],
)
def test_a_unit_yields_its_contract(unit: Unit, touch: tuple[str, ...]) -> None:
    held = held_by(unit, "/r")
    assert held.contract.touch == touch
    assert (held.contract.source, held.contract.task, held.root) == ("unit", "u", "/r")
    assert held.contract.is_explicit


def test_its_gates_are_what_accepts_it() -> None:
    gates = (GateCommand(name="t", command="pytest"), GateCommand(name="l", command="ruff check"))
    assert held_by(Unit(id="u", stage="s", quality_gates=gates), "/r").contract.acceptance == ("pytest", "ruff check")


def test_it_holds_for_who_works_in_the_unit_s_tree(tmp_path: Path) -> None:
    tree = PlanTree(tmp_path)
    inside = resolve(str(tree.tree(FORM)), "s", MemoryStore(), {}).setting
    assert inside.held is not None
    assert inside.held.contract.task == FORM
    assert inside.plan_root == str(tree.top)
    assert inside.tree.files.text(str(tree.unit_file(FORM))) is not None
    outside = resolve(str(tree.top), "t", MemoryStore(), {}).setting
    assert outside.held is None
    assert outside.plan is not None
    assert outside.unit is None


def test_where_there_is_none_nothing_is_laid_over(tmp_path: Path) -> None:
    setting = resolve(str(tmp_path), "s", MemoryStore(), {}).setting
    assert (setting.plan_root, setting.plan) == ("", None)


def test_a_plan_that_can_not_be_read_is_noted(tmp_path: Path) -> None:
    folder = tmp_path / ".haiku/intents/login"
    folder.mkdir(parents=True)
    (folder / "intent.md").symlink_to("/etc/passwd")
    resolved = resolve(str(tmp_path), "s", MemoryStore(), {})
    assert resolved.setting.plan is None
    assert any("workflow" in note for note in resolved.notes)
