from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from leeboard.settings import toml

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

SCHEMA = Path(__file__).resolve().parents[4] / "docs" / "leeboard.schema.json"
SETTINGS = (
    'profile = "enforce"\nidle_minutes = 12.5\n[rules.circling]\nenabled = false\n'
    '[goal]\nscope = ["a \\"b\\" \\\\ \\u007f ä/**"]\n[protect]\nfiles = ["LICENSE"]\n[contract]\nmax_files = 3\n'
    '[judge]\nendpoint = "https://models.example/v1"\nmodel = "small"\n'
)


def own(desk: Desk, text: str) -> Path:
    path = desk.home / ".config" / "leeboard" / "leeboard.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


def test_what_is_shown_is_the_same_settings_again(desk: Desk) -> None:
    own(desk, SETTINGS)
    again, given = (toml.parse(text, "leeboard.toml") for text in (desk.ok("config", "show").out, SETTINGS))
    assert (again.policy, again.scope, again.judge) == (given.policy, given.scope, given.judge)
    assert again.contract is not None
    assert given.contract is not None
    assert again.contract.contract == given.contract.contract


def test_each_line_says_where_it_comes_from(desk: Desk) -> None:
    path = own(desk, "[interrupts]\nbudget = 4\n")
    (desk.repo / "leeboard.toml").write_text("[interrupts]\nbudget = 1\n")
    ran = desk.ok("config", "show", "--origin", env={"LEEBOARD_PROFILE": "observe"})
    lines = ran.out.splitlines()
    assert 'profile = "observe"  # LEEBOARD_PROFILE' in lines
    assert "idle_minutes = 60  # default" in lines
    shown = next(line for line in lines if line.startswith("interrupts.budget"))
    assert shown.startswith(f"interrupts.budget = 4  # {path}:2; ")
    assert shown.endswith("leeboard.toml:2 says otherwise and does not count")
    assert "leeboard trust" in ran.err
    budget = next(one for one in desk.ok("config", "show", "--json").objects if one["key"] == "interrupts.budget")
    assert (budget["value"], budget["layer"], budget["origin"]) == (4, "user", [f"{path}:2"])


def test_the_schema_is_the_one_in_the_documentation(desk: Desk) -> None:
    assert json.loads(desk.ok("config", "schema").out) == json.loads(SCHEMA.read_text())
