from __future__ import annotations

from msgspec.structs import replace

from leeboard.store.database import Database
from leeboard.store.rows import MOST_ROWS, read_known, read_newest_known, read_writers, write_known
from tests.known_suite import KNOWN


def test_of_an_agent_only_so_much_is_kept(database: Database) -> None:
    for start in range(0, 2_000, 50):
        rows = [replace(KNOWN, path=f"{number}.py", time=float(number)) for number in range(start, start + 50)]
        write_known(database, rows)
    kept = read_newest_known(database, "s1", KNOWN.root, 10_000)
    assert MOST_ROWS <= len(kept) <= MOST_ROWS + 150
    assert kept[0].path == "1999.py"
    assert read_known(database, "s1", "", KNOWN.root, "0.py") is None


def test_another_sessions_rows_stay(database: Database) -> None:
    write_known(database, [replace(KNOWN, session="s2", path="old.py", time=0.0)])
    write_known(database, [replace(KNOWN, path=f"{number}.py", time=float(number)) for number in range(1_500)])
    assert read_known(database, "s2", "", KNOWN.root, "old.py") is not None
    assert read_writers(database, KNOWN.root, "old.py", "d1")


def test_nothing_is_written_for_nothing(database: Database) -> None:
    write_known(database, [])
    assert read_newest_known(database, "s1", KNOWN.root, 9) == ()


def test_who_left_it_so_is_found_by_an_index(database: Database) -> None:
    plan = database.all(
        "EXPLAIN QUERY PLAN SELECT 1 FROM known_files WHERE root = '' AND path = '' AND wrote AND digest = ''"
    )
    assert "known_files_writers" in str(plan)


def test_the_newest_of_an_agent_are_found_by_an_index(database: Database) -> None:
    plan = database.all(
        "EXPLAIN QUERY PLAN SELECT 1 FROM known_files WHERE session = '' AND root = '' AND agent = '' ORDER BY time DESC"
    )
    assert "known_files_newest" in str(plan)
    assert "TEMP B-TREE" not in str(plan)


def test_an_agent_takes_no_rows_from_another(database: Database) -> None:
    write_known(database, [replace(KNOWN, agent="helper", path="old.py", time=0.0)])
    write_known(database, [replace(KNOWN, path=f"{number}.py", time=float(number)) for number in range(1_500)])
    assert read_known(database, "s1", "helper", KNOWN.root, "old.py") is not None
