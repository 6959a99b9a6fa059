from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def fill(desk: Desk) -> None:
    for number in range(6):
        (desk.repo / f"part{number}.py").write_text(f"import requests\n\ndef part_{number}(): ...\n")


def test_it_is_made_and_told(desk: Desk) -> None:
    fill(desk)
    (found,) = desk.ok("index", "--wait", "--json").objects
    assert (found["exists"], found["complete"], found["files"], found["started"], found["note"]) == (
        True,
        True,
        6,
        False,
        "",
    )
    assert found["path"].startswith(str(desk.home / ".cache" / "leeboard"))
    assert [habit["usual"] for habit in found["habits"]] == ["requests"]
    shown = desk.ok("index").out
    assert "python http client: requests (6 of 6 files)" in shown


def test_without_waiting_a_refresh_is_started(desk: Desk) -> None:
    fill(desk)
    assert "none yet" in desk.run("index", env={**desk.env, "LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0"}).out
    (found,) = desk.run("index", "--json", env={**desk.env, "LEEBOARD_INDEX": "1"}).objects
    assert found["started"]
    desk.ok("index", "--wait")


def test_a_place_that_can_not_be_written(desk: Desk) -> None:
    ran = desk.run("index", "--wait", env={**desk.env, "LEEBOARD_CACHE_DIR": "/dev/null/x"})
    assert ran.code == 5
    assert "can not write" in ran.out


def test_another_folder(desk: Desk) -> None:
    fill(desk)
    (desk.repo / "sub").mkdir()
    (found,) = desk.ok("index", "sub", "--json", "--wait").objects
    assert found["root"] == str(desk.repo)
    assert desk.run("index", "nowhere").code == 2
