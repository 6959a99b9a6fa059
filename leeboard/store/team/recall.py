"""What a team's sessions knew about a question: the questions of `leeboard.store.recall`, asked of its database.

Each term is one seek in the index of `step_terms`, and at most as many of its entries as are wanted. Steps with words
of the question are ranked by PostgreSQL: its own rank of each word, weighted by how few steps have it, the newest first
among equal ones. Those that share most of what is rare are read for that, of the newest with each word: a rare word
brings all its steps, a frequent one its newest.
"""

from __future__ import annotations

from typing import Any

from leeboard.io.clock import iso
from leeboard.store.history import PER_QUERY, TOP, about, distinct
from leeboard.store.recall import Recalled, RecallQuestion
from leeboard.store.team.postgres import TeamDatabase

NEWEST = 500
"""So many of the newest steps with each word of a question are looked at."""
RANKED = 50
"""So many of them are read and ranked: those that share most of the question."""
_COLUMNS = (
    "(s).seq, (s).id, (s).session_id, (s).action_type, (s).files, (s).command, (s).reasoning, (s).correction_given, "
    '(s).drift_score, (s).is_key_decision, (s)."timestamp", (s).member, '
)
ABOUT = (
    f"SELECT {_COLUMNS} goal, list FROM leeboard.steps_about(%s, %s, %s, %s, %s, %s) AS f (list, s, goal) "  # noqa: S608 - our own names
    "ORDER BY 1 DESC"
)
_WITH_WORDS = (
    f"SELECT {_COLUMNS} goal FROM leeboard.steps_with_words(%s, %s, %s, %s, %s) AS f (place, s, goal) ORDER BY place"  # noqa: S608 - our own names
)


def recall_from_team(remote: TeamDatabase, project: str, question: RecallQuestion) -> tuple[Recalled, ...]:
    """One query where it names files, folders or keywords; one more for words."""
    lists = {name: list(distinct(getattr(question, name))) for name in ("files", "folders", "keywords")}
    rows = remote.rows(ABOUT, project, 0, *lists.values(), PER_QUERY) if any(lists.values()) else []
    words = list(distinct(question.words))
    ranked = remote.rows(_WITH_WORDS, project, words, NEWEST, RANKED, TOP) if words else []
    files, folders, keywords = ([int(row[0]) for row in rows if row[-1] == name] for name in lists)
    found = {int(row[0]): row for row in (*rows, *ranked)}
    decisive = {place for place, row in found.items() if row[9]}
    places = about((files, folders, [int(row[0]) for row in ranked], keywords), decisive)
    return tuple(_recalled(found[place]) for place in places)


def _recalled(row: tuple[Any, ...]) -> Recalled:
    _seq, id_, session, action, files, command, why, said, score, decisive, at, member, goal = row[:13]
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
