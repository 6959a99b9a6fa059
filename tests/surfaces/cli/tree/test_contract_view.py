from __future__ import annotations

import json
from pathlib import Path

import pytest

from leeboard.app.views.tree import page_of
from leeboard.app.work_contract import WorkContract
from leeboard.model.contract import Constraint, Contract, ContractProblem, Held
from leeboard.surfaces.cli.tree.contract import show_contract, show_notes


def told(capsys: pytest.CaptureFixture[str], work_contract: WorkContract, *, as_json: bool = False) -> str:
    show_contract(page_of(work_contract), as_json=as_json)
    return capsys.readouterr().out


def test_what_a_session_was_asked_is_told_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Its places guide and are no limit, so that they are not called what the work may touch."""
    limit = Constraint(text="DO NOT modify the schema", kind="forbid")
    contract = Contract(objective="fix the login", scope=("src/auth/",), constraints=(limit,))
    work_contract = WorkContract(root=str(tmp_path), held=Held(root=str(tmp_path), contract=contract))
    assert [line.split(None, 1) for line in told(capsys, work_contract).splitlines()] == [
        ["from", "inferred from what the newest session here was asked"],
        ["mode", "core"],
        ["objective", "fix the login"],
        ["scope", "src/auth/"],
        ["not", "DO NOT modify the schema"],
        ["at", "most    no limit"],
    ]
    found = json.loads(told(capsys, work_contract, as_json=True))
    assert found["contract"] == {"objective": "fix the login", "scope": ["src/auth/"]}
    assert (found["task_id"], found["source"]) == (None, "inferred")


def test_limits_are_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    contract = Contract(objective="x", max_files=1, max_loc=0)
    assert "1 file, 0 lines" in told(capsys, WorkContract(root="", held=Held(root=str(tmp_path), contract=contract)))
    contract = Contract(objective="x", max_loc=80)
    out = told(capsys, WorkContract(root="", held=Held(root=str(tmp_path), contract=contract)))
    assert "80 lines" in out
    assert "anything" in out


def test_problems_stand_below_with_their_line(capsys: pytest.CaptureFixture[str]) -> None:
    problems = (ContractProblem(text="mode is 'x'", key="mode", line=3), ContractProblem(text="\x1b[31mred"))
    held = Held(root="", contract=Contract(objective="x"), problems=problems, table={"mode": "x"})
    out = told(capsys, WorkContract(root="", held=held))
    assert "! line 3: mode is 'x'" in out
    assert "\x1b" not in out
    found = json.loads(told(capsys, WorkContract(root="", held=held), as_json=True))
    assert found["problems"][0] == {"key": "mode", "line": 3, "text": "mode is 'x'"}
    assert found["contract"] == {"mode": "x"}


def test_notes_go_where_no_program_reads(capsys: pytest.CaptureFixture[str]) -> None:
    show_contract(page_of(WorkContract(root="", notes=("line 2: not an object",))), as_json=True)
    show_notes(("more",))
    said = capsys.readouterr()
    assert said.err == "leeboard: line 2: not an object\nleeboard: more\n"
    assert json.loads(said.out)["contract"] is None
