from __future__ import annotations

from msgspec.structs import replace

from leeboard.store.database import Database
from leeboard.store.rows import write_steps
from tests.store_suite import a_step

STEP = a_step("one", 9, action_type="edit", files=("a.py", "b.py"), folders=("src/",), keywords=("k",))


def side_rows(database: Database) -> dict[str, list[tuple[object, ...]]]:
    return {
        "files": database.all("SELECT session_id, term, seq, project, modifies FROM step_files"),
        "folders": database.all("SELECT session_id, term, seq, project FROM step_folders"),
        "keywords": database.all("SELECT session_id, term, seq, project FROM step_keywords"),
        "order": database.all("SELECT seq, step_id, session_id, project, decisive FROM step_order"),
    }


def test_each_term_leads_to_its_step(database: Database) -> None:
    write_steps(database, [STEP], "/shop")
    assert side_rows(database) == {
        "files": [("s1", "a.py", 1, "/shop", 1), ("s1", "b.py", 1, "/shop", 1)],
        "folders": [("s1", "src/", 1, "/shop")],
        "keywords": [("s1", "k", 1, "/shop")],
        "order": [(1, "one", "s1", "/shop", 1)],
    }


def test_columns_hold_json_and_plain_values(database: Database) -> None:
    """AD-86 to AD-97: readable by whoever knows the table."""
    write_steps(database, [replace(STEP, drift_score=4, drift_type="major", correction_given="back", timestamp=7)], "")
    row = database.one("SELECT * FROM steps")
    assert row == (
        *("one", "s1", "edit", '["a.py","b.py"]', '["src/"]', None, None),
        *(4, "major", "back", 0, 0, '["k"]', 7),
    )


def test_a_step_told_again_keeps_its_place_and_loses_its_old_terms(database: Database) -> None:
    write_steps(database, [STEP, a_step("two")], "/shop")
    write_steps(database, [replace(STEP, files=("c.py",), folders=(), keywords=("l",))], "/shop")
    assert side_rows(database) == {
        "files": [("s1", "c.py", 1, "/shop", 1)],
        "folders": [],
        "keywords": [("s1", "l", 1, "/shop")],
        "order": [(1, "one", "s1", "/shop", 1), (2, "two", "s1", "/shop", 0)],
    }


def test_a_term_named_twice_leads_once(database: Database) -> None:
    write_steps(database, [replace(STEP, files=("a.py", "a.py"))], "/shop")
    assert len(side_rows(database)["files"]) == 1


def test_nothing_leads_to_a_step_that_does_not_count(database: Database) -> None:
    write_steps(database, [replace(STEP, drift_score=4)], "/shop")
    rows = side_rows(database)
    assert (rows["files"], rows["folders"], rows["keywords"]) == ([], [], [])
    assert rows["order"] == [(1, "one", "s1", "/shop", 0)]
