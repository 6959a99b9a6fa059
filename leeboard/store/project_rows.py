"""Every row that is stored about a project, whatever its table: to be given out, or forgotten.

Which rows these are follows from the names of the columns, so that a table of a later version is not left out: what has
a project or a root is the project's, what has a session is a session's of it, and findings are their verdict's.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.store.database import Database

_PROJECT = ("project", "project_path", "root")
_SESSION = ("session_id", "session")
_SESSIONS = (
    "SELECT session_id FROM session_hot WHERE project = ?1 "
    "UNION SELECT session_id FROM session_states WHERE project_path = ?1"
)
_OF_VERDICTS = f"verdict_id IN (SELECT id FROM verdicts WHERE session IN ({_SESSIONS}))"  # noqa: S608 - our own text
LAST = ("session_states", "session_hot")
"""By these it is known which sessions are the project's: they go last."""


def project_tables(database: Database) -> tuple[tuple[str, str], ...]:
    """Each table with rows of projects, and the condition that finds those of one."""
    names = [str(row[0]) for row in database.all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    found = ((name, _condition(database, name)) for name in names if not name.startswith("sqlite_"))
    ordered = sorted((one for one in found if one[1]), key=lambda one: (one[0] in LAST, one[0] == "verdicts", one[0]))
    return tuple(ordered)


def _condition(database: Database, table: str) -> str:
    columns = [str(row[1]) for row in database.all(f"PRAGMA table_info({table})")]
    if "verdict_id" in columns:
        return _OF_VERDICTS
    own = [f"{column} = ?1" for column in _PROJECT if column in columns]
    theirs = [f"{column} IN ({_SESSIONS})" for column in _SESSION if column in columns]
    return " OR ".join((*own, *theirs))


def known_projects(database: Database) -> tuple[str, ...]:
    """Every project that any row is about."""
    found: set[str] = set()
    for table, _condition_of in project_tables(database):
        columns = [str(row[1]) for row in database.all(f"PRAGMA table_info({table})")]
        for column in (name for name in _PROJECT if name in columns):
            found.update(str(row[0]) for row in database.all(f"SELECT DISTINCT {column} FROM {table}") if row[0])  # noqa: S608 - our own names
    return tuple(sorted(found))


def project_rows(database: Database, project: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The table and the columns of each row."""
    for table, condition in project_tables(database):
        columns = [str(row[1]) for row in database.all(f"PRAGMA table_info({table})")]
        for row in database.all(f"SELECT * FROM {table} WHERE {condition}", (project,)):  # noqa: S608 - our own names
            yield table, dict(zip(columns, row, strict=True))


def forget_project(database: Database, project: str) -> int:
    """How many rows there were."""
    with database.writing():
        return sum(
            database.run(f"DELETE FROM {table} WHERE {condition}", (project,))  # noqa: S608 - our own names
            for table, condition in project_tables(database)
        )
