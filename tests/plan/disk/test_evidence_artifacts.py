from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.model.studio import Template
from leeboard.model.unit import Unit
from leeboard.plan.disk.evidence import is_there, missing_inputs, missing_templates, missing_unit_outputs


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("a.md", True),
        ("gone.md", False),
        ("docs/", True),
        ("docs", True),
        ("kept/", False),
        ("a.md/", False),
        ("../outside.md", False),
        ("docs/../../outside.md", False),
        ("/etc/passwd", False),
        ("a\0b", False),
    ],
)
def test_what_is_there(tmp_path: Path, path: str, *, there: bool) -> None:
    top = tmp_path / "top"
    for name in ("a.md", "docs/deep/b.md", "kept/.gitkeep", "../outside.md"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text("x")
    assert is_there(path, str(top)) is there


@pytest.mark.parametrize(
    ("location", "required", "missing"),
    [
        (".haiku/intents/{intent-slug}/knowledge/A.md", True, False),
        (".haiku/intents/{intent-slug}/knowledge/B.md", True, True),
        (".haiku/intents/{intent-slug}/knowledge/B.md", False, False),
        ("(the project tree)", True, False),
        ("", True, False),
        ("../A.md", True, True),
    ],
)
def test_templates(tmp_path: Path, location: str, *, required: bool, missing: bool) -> None:
    """SH-27."""
    (tmp_path / ".haiku/intents/x/knowledge").mkdir(parents=True)
    (tmp_path / ".haiku/intents/x/knowledge/A.md").write_text("x")
    template = Template(name="A", kind="discovery", location=location, required=required)
    assert bool(missing_templates([template], str(tmp_path), "x")) is missing


def test_inputs_exist_or_are_made_by_a_unit_before(tmp_path: Path) -> None:
    """SH-26: near or far; a unit that is no dependency promises nothing."""
    (tmp_path / "app.py").write_text("x")
    (tmp_path / ".haiku/intents/x").mkdir(parents=True)
    (tmp_path / ".haiku/intents/x/intent.md").write_text("x")
    units = [
        Unit(id="a", stage="s", outputs=("made/a.md",), inputs=("app.py", "intent.md")),
        Unit(id="b", stage="s", depends_on=("a",), inputs=("gone.md",)),
        Unit(id="c", stage="s", depends_on=("b", "c"), inputs=("./made/a.md", "../app.py")),
        Unit(id="d", stage="s", inputs=("made/a.md",)),
        Unit(id="e", stage="s", inputs=("gone.md",), status="completed"),
    ]
    assert missing_inputs(units, str(tmp_path), "x") == (("b", "gone.md"), ("c", "../app.py"), ("d", "made/a.md"))


def test_outputs_lie_in_the_units_own_tree(tmp_path: Path) -> None:
    (tmp_path / "tree/.haiku/intents/x/stages").mkdir(parents=True)
    (tmp_path / "tree/a.md").write_text("x")
    (tmp_path / "tree/.haiku/intents/x/stages/b.md").write_text("x")
    units = [
        Unit(id="a", stage="s", status="active", outputs=("a.md", "stages/b.md", "gone.md")),
        Unit(id="b", stage="s", status="active", outputs=("a.md",)),
        Unit(id="c", stage="s", outputs=("a.md",)),
    ]
    trees = {"a": str(tmp_path / "tree")}
    assert missing_unit_outputs(units, trees, str(tmp_path), "x") == (("a", "gone.md"), ("b", "a.md"))
