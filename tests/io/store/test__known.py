from __future__ import annotations

from msgspec.structs import replace

from leeboard.io.store._database import Database
from leeboard.io.store._known import MOST_ROWS, read_known, read_newest_known, read_writers, write_known
from leeboard.testing.known_suite import KNOWN


def test_of_a_session_only_so_much_is_kept(database: Database) -> None:
    for start in range(0, 1_000, 50):
        rows = [replace(KNOWN, path=f"{number}.py", time=float(number)) for number in range(start, start + 50)]
        write_known(database, rows)
    kept = read_newest_known(database, "s1", 10_000)
    assert MOST_ROWS <= len(kept) <= MOST_ROWS + 90
    assert kept[0].path == "999.py"
    assert read_known(database, "s1", "", "0.py") is None


def test_another_sessions_rows_stay(database: Database) -> None:
    write_known(database, [replace(KNOWN, session="s2", path="old.py", time=0.0)])
    write_known(database, [replace(KNOWN, path=f"{number}.py", time=float(number)) for number in range(600)])
    assert read_known(database, "s2", "", "old.py") is not None
    assert read_writers(database, KNOWN.root, "old.py", "d1")


def test_nothing_is_written_for_nothing(database: Database) -> None:
    write_known(database, [])
    assert read_newest_known(database, "s1", 9) == ()


def test_who_left_it_so_is_found_by_an_index(database: Database) -> None:
    plan = database.all(
        "EXPLAIN QUERY PLAN SELECT 1 FROM known WHERE root = '' AND path = '' AND wrote AND digest = ''"
    )
    assert "known_writers" in str(plan)
