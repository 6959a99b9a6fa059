from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_old_sessions_are_forgotten_and_young_ones_stay(drifted_copy: Desk) -> None:
    (kept,) = drifted_copy.ok("purge", "--older-than", "1d", "--json").objects
    assert kept["sessions"] == 0
    age(drifted_copy)
    (gone,) = drifted_copy.ok("purge", "--older-than", "1d", "--json").objects
    assert gone["sessions"] == 1
    assert drifted_copy.run("report").code == 2


def age(desk: Desk) -> None:
    """A session is as old as its last event: let that be long ago."""
    connection = sqlite3.connect(desk.state / "leeboard.db")
    connection.execute("UPDATE session_hot SET updated = 1")
    connection.commit()
    connection.close()


def test_a_span_is_needed_and_read(desk: Desk) -> None:
    ran = desk.run("purge", "--older-than", "soon")
    assert ran.code == 2
    assert "30d" in ran.err or "3d" in ran.err
    assert desk.run("purge", "--older-than", "30d").code == 2


def test_a_whole_project_is_forgotten_at_a_word(drifted_copy: Desk) -> None:
    assert drifted_copy.run("purge").code == drifted_copy.run("purge", "--project", "--older-than", "1d").code == 2
    (gone,) = drifted_copy.ok("purge", "--project", "--json").objects
    assert (gone["project"], gone["rows"] > 20) == (str(drifted_copy.repo), True)
    assert drifted_copy.ok("export").objects == []
