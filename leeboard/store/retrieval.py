"""Past steps by index: each term is one seek into a side table, whatever the size of the history."""

from __future__ import annotations

from collections.abc import Iterable

from leeboard.model.outcome import Step
from leeboard.store.database import STEP, Database
from leeboard.store.history import distinct, newest, top

# The rows of the session itself may fill the first five places of its project.
BY_TERM = {
    "step_files": (
        "SELECT seq FROM step_files WHERE session_id = ? AND term = ? ORDER BY seq DESC LIMIT 5",
        "SELECT seq FROM step_files WHERE project = ? AND term = ? ORDER BY seq DESC LIMIT 10",
    ),
    "step_folders": (
        "SELECT seq FROM step_folders WHERE session_id = ? AND term = ? ORDER BY seq DESC LIMIT 5",
        "SELECT seq FROM step_folders WHERE project = ? AND term = ? ORDER BY seq DESC LIMIT 10",
    ),
    "step_keywords": (
        "SELECT seq FROM step_keywords WHERE session_id = ? AND term = ? ORDER BY seq DESC LIMIT 5",
        "SELECT seq FROM step_keywords WHERE project = ? AND term = ? ORDER BY seq DESC LIMIT 10",
    ),
}
DECISIVE = (
    "SELECT seq FROM step_order WHERE session_id = ? AND decisive ORDER BY seq DESC LIMIT 5",
    "SELECT seq FROM step_order WHERE project = ? AND decisive ORDER BY seq DESC LIMIT 10",
)
STEP_AT = STEP.select("FROM steps WHERE id = (SELECT step_id FROM step_order WHERE seq = ?)")


class StepSearch:
    """One question: whose steps come first, and whose after."""

    def __init__(self, database: Database, session_id: str, project: str) -> None:
        self._database = database
        self._session = session_id
        self._project = project

    def decisive(self) -> list[int]:
        return newest(self._places(DECISIVE[0], self._session), self._places(DECISIVE[1], self._project))

    def by_term(self, table: str, terms: Iterable[str]) -> list[int]:
        of_session, of_project = BY_TERM[table]
        wanted = distinct(terms)
        own = [place for term in wanted for place in self._places(of_session, self._session, term)]
        return newest(own, [place for term in wanted for place in self._places(of_project, self._project, term)])

    def _places(self, sql: str, whose: str, *terms: str) -> list[int]:
        """Nowhere for a project without a name: sessions that nobody could place have nothing in common."""
        return [int(row[0]) for row in self._database.all(sql, (whose, *terms))] if whose else []


def past_steps(
    database: Database, session_id: str, files: Iterable[str], folders: Iterable[str], keywords: Iterable[str]
) -> tuple[Step, ...]:
    row = database.one("SELECT project FROM session_hot WHERE session_id = ?", (session_id,))
    asking = StepSearch(database, session_id, str(row[0]) if row else "")
    places = top(
        asking.decisive(),
        asking.by_term("step_files", files),
        asking.by_term("step_folders", folders),
        asking.by_term("step_keywords", keywords),
    )
    rows = (database.one(STEP_AT, (place,)) for place in places)
    return tuple(STEP.read(row) for row in rows if row is not None)
