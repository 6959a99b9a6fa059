"""Steps as rows, and the side tables that lead to them. Nothing leads to a step that is not validated."""

from __future__ import annotations

from collections.abc import Sequence

from leeboard.io.store._database import Database
from leeboard.io.store._history import judged, may_decide, modifies
from leeboard.io.store._rows import STEP
from leeboard.model.outcome import Step

_PUT_STEP = STEP.insert("steps", key="id")
_PUT_ORDER = "INSERT INTO step_order (step_id, session_id, project, decisive) VALUES (?, ?, ?, ?)"
_MOVE_ORDER = "UPDATE step_order SET project = ?, decisive = ? WHERE seq = ?"
_PUT_FILE = "INSERT OR REPLACE INTO step_files (session_id, term, seq, project, modifies) VALUES (?, ?, ?, ?, ?)"
_PUT_FOLDER = "INSERT OR REPLACE INTO step_folders (session_id, term, seq, project) VALUES (?, ?, ?, ?)"
_PUT_KEYWORD = "INSERT OR REPLACE INTO step_keywords (session_id, term, seq, project) VALUES (?, ?, ?, ?)"
_DROP_FILE = "DELETE FROM step_files WHERE session_id = ? AND term = ? AND seq = ?"
_DROP_FOLDER = "DELETE FROM step_folders WHERE session_id = ? AND term = ? AND seq = ?"
_DROP_KEYWORD = "DELETE FROM step_keywords WHERE session_id = ? AND term = ? AND seq = ?"
_GET_STEP = STEP.select("FROM steps WHERE id = ?")
_GET_MODIFIED = "SELECT 1 FROM step_files WHERE session_id = ? AND term = ? AND modifies LIMIT 1"


def write_steps(database: Database, steps: Sequence[Step], project: str) -> None:
    for step in steps:
        seq = _forget(database, step.id)
        kept = judged(step, first=may_decide(step) and _is_first(database, step))
        if seq is None:
            seq = database.put(_PUT_ORDER, (step.id, step.session_id, project, kept.is_key_decision))
        else:
            database.run(_MOVE_ORDER, (project, kept.is_key_decision, seq))
        database.run(_PUT_STEP, STEP.row(kept))
        if kept.is_validated:
            _lead_to(database, kept, seq, project)


def _forget(database: Database, step_id: str) -> int | None:
    """The same step may be told again, perhaps with another score: what led to its old telling goes."""
    known = database.one("SELECT seq FROM step_order WHERE step_id = ?", (step_id,))
    if known is None:
        return None
    seq = int(known[0])
    row = database.one(_GET_STEP, (step_id,))
    if row is not None:
        old = STEP.read(row)
        database.run_each(_DROP_FILE, [(old.session_id, file, seq) for file in old.files])
        database.run_each(_DROP_FOLDER, [(old.session_id, folder, seq) for folder in old.folders])
        database.run_each(_DROP_KEYWORD, [(old.session_id, keyword, seq) for keyword in old.keywords])
    return seq


def _is_first(database: Database, step: Step) -> bool:
    return any(database.one(_GET_MODIFIED, (step.session_id, file)) is None for file in step.files)


def _lead_to(database: Database, step: Step, seq: int, project: str) -> None:
    modifying = modifies(step)
    database.run_each(_PUT_FILE, [(step.session_id, file, seq, project, modifying) for file in step.files])
    database.run_each(_PUT_FOLDER, [(step.session_id, folder, seq, project) for folder in step.folders])
    database.run_each(_PUT_KEYWORD, [(step.session_id, keyword, seq, project) for keyword in step.keywords])
