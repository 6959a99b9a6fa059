from __future__ import annotations

from leeboard.store.database import Database

SESSION_STATES = [
    ("session_id", "TEXT", 1),
    ("project_path", "TEXT", 0),
    ("original_goal", "TEXT", 0),
    ("expected_scope", "JSON", 0),
    ("constraints", "JSON", 0),
    ("keywords", "JSON", 0),
    ("drift_history", "JSON", 0),
    ("escalation_count", "INTEGER", 0),
    ("last_checked_at", "INTEGER", 0),
    ("status", "TEXT", 0),
    ("created_at", "TEXT", 0),
    ("updated_at", "TEXT", 0),
]
STEPS = [
    ("id", "TEXT", 1),
    ("session_id", "TEXT", 0),
    ("action_type", "TEXT", 0),
    ("files", "JSON", 0),
    ("folders", "JSON", 0),
    ("command", "TEXT", 0),
    ("reasoning", "TEXT", 0),
    ("drift_score", "INTEGER", 0),
    ("drift_type", "TEXT", 0),
    ("correction_given", "TEXT", 0),
    ("is_key_decision", "BOOLEAN", 0),
    ("is_validated", "BOOLEAN", 0),
    ("keywords", "JSON", 0),
    ("timestamp", "INTEGER", 0),
]


def columns(database: Database, table: str) -> list[tuple[str, str, int]]:
    return [(name, kind, key) for _, name, kind, _, _, key in database.all(f"PRAGMA table_info({table})")]


def test_the_known_tables_have_exactly_their_columns(database: Database) -> None:
    """AD-48 to AD-58, AD-86 to AD-97."""
    assert columns(database, "session_states") == SESSION_STATES
    assert columns(database, "steps") == STEPS
