from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_everything_about_the_project_is_printed_as_json(drifted: Desk) -> None:
    told = drifted.ok("export").objects
    assert {each["table"] for each in told if each["kind"] == "row"} >= {"session_hot", "steps", "receipts"}
    assert drifted.ok("export", "--json").objects == told


def test_before_anything_was_recorded_it_says_so(desk: Desk) -> None:
    ran = desk.run("export")
    assert (ran.code, ran.out) == (2, "")


def test_which_lines_agents_wrote_is_one_record(desk: Desk) -> None:
    (record,) = desk.ok("export", "--attribution", str(desk.repo)).objects
    assert (record["version"], record["files"]) == ("0.1", [])
    assert "was found; looked in no folder" in " ".join(desk.ok("export", "--attribution").err.split())
    failed = desk.run("export", "--attribution", "nope.jsonl")
    assert (failed.code, failed.out) == (5, "")
    assert "nope.jsonl" in failed.err
    assert "--attribution alone" in desk.run("export", "some.jsonl").err
