"""What a team's sessions knew about a question: the questions of `leeboard.store.recall`, asked of its database.

Each is a lookup in an array with a GIN index, or a walk from the newest row on where so many match that this is
shorter: PostgreSQL decides by its statistics.
"""

from __future__ import annotations

from typing import Any

from leeboard.io.clock import iso
from leeboard.store.history import PER_QUERY, TOP, about, best_first, distinct
from leeboard.store.recall import Recalled, RecallQuestion
from leeboard.store.team.postgres import TeamDatabase
from leeboard.store.word_index import NEWEST

_SHARING = "SELECT seq, words FROM leeboard.steps_sharing(%s, %s, %s, %s, %s)"
_DECISIVE = "SELECT seq FROM leeboard.steps WHERE seq = ANY (%s) AND project = %s AND is_key_decision"
_ROWS = (
    "SELECT s.seq, s.id, s.session_id, action_type, files, command, reasoning, correction_given, drift_score, "
    "is_key_decision, \"timestamp\", s.member, coalesce(t.data ->> 'goal', '') "
    "FROM leeboard.steps AS s LEFT JOIN leeboard.records AS t "
    "ON t.project = s.project AND t.kind = 'task' AND t.id = s.session_id WHERE s.seq = ANY (%s) AND s.project = %s"
)


def recall_from_team(remote: TeamDatabase, project: str, question: RecallQuestion) -> tuple[Recalled, ...]:
    files = _sharing(remote, project, "files", question.files)
    folders = _sharing(remote, project, "folders", question.folders)
    keywords = _sharing(remote, project, "keywords", question.keywords)
    answers = (files, folders, _by_words(remote, project, list(question.words)), keywords)
    found = sorted({place for answer in answers for place in answer})
    decisive = {int(row[0]) for row in remote.rows(_DECISIVE, found, project)}
    places = about(answers, decisive)
    rows = {int(row[0]): _recalled(row) for row in remote.rows(_ROWS, places, project)}
    return tuple(rows[place] for place in places if place in rows)


def _sharing(remote: TeamDatabase, project: str, column: str, terms: tuple[str, ...]) -> list[int]:
    wanted = list(distinct(terms))
    return [int(row[0]) for row in remote.rows(_SHARING, project, column, "&&", wanted, PER_QUERY)] if wanted else []


def _by_words(remote: TeamDatabase, project: str, words: list[str]) -> list[int]:
    if not words:
        return []
    asked = [remote.rows(_SHARING, project, "words", how, words, NEWEST) for how in ("@>", "&&")]
    passages = {int(row[0]): row[1] for rows in asked for row in rows}
    return best_first(words, sorted(passages.items(), reverse=True))[:TOP]


def _recalled(row: tuple[Any, ...]) -> Recalled:
    _seq, id_, session, action, files, command, why, said, score, decisive, at, member, goal = row
    return Recalled(
        kind="step",
        id=id_,
        session=session,
        time=iso(at / 1000),
        goal=goal,
        what=f"{action} {command or ', '.join(files)}".rstrip(),
        why=why or "",
        said=said or "",
        files=tuple(files),
        score=score,
        is_key_decision=decisive,
        member=member,
    )
