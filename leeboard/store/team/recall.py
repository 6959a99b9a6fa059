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

_SHARED = {
    column: f"SELECT seq FROM leeboard.steps WHERE project = %s AND is_validated AND {column} && %s "  # noqa: S608 - our own names
    "ORDER BY seq DESC LIMIT %s"
    for column in ("files", "folders", "keywords")
}
_WORDS = {
    how: f"SELECT seq, words FROM leeboard.steps WHERE project = %s AND is_validated AND words {how} %s "  # noqa: S608 - as above
    "ORDER BY seq DESC LIMIT %s"
    for how in ("@>", "&&")
}
QUESTIONS = (*_SHARED.values(), *_WORDS.values())
_DECISIVE = "SELECT seq FROM leeboard.steps WHERE seq = ANY (%s) AND project = %s AND is_key_decision"
_ROWS = (
    "SELECT s.seq, s.id, s.session_id, action_type, files, command, reasoning, correction_given, drift_score, "
    "is_key_decision, \"timestamp\", s.member, coalesce(t.data ->> 'goal', '') "
    "FROM leeboard.steps AS s LEFT JOIN leeboard.records AS t "
    "ON t.project = s.project AND t.kind = 'task' AND t.id = s.session_id WHERE s.seq = ANY (%s) AND s.project = %s"
)


def recall_from_team(remote: TeamDatabase, project: str, question: RecallQuestion) -> tuple[Recalled, ...]:
    files, folders, keywords = (
        [int(row[0]) for row in remote.rows(_SHARED[column], project, list(distinct(terms)), PER_QUERY)]
        if terms
        else []
        for column, terms in (
            ("files", question.files),
            ("folders", question.folders),
            ("keywords", question.keywords),
        )
    )
    answers = (files, folders, _by_words(remote, project, list(question.words)), keywords)
    found = sorted({place for answer in answers for place in answer})
    decisive = {int(row[0]) for row in remote.rows(_DECISIVE, found, project)}
    places = about(answers, decisive)
    rows = {int(row[0]): _recalled(row) for row in remote.rows(_ROWS, places, project)}
    return tuple(rows[place] for place in places if place in rows)


def _by_words(remote: TeamDatabase, project: str, words: list[str]) -> list[int]:
    if not words:
        return []
    passages = {int(row[0]): row[1] for sql in _WORDS.values() for row in remote.rows(sql, project, words, NEWEST)}
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
