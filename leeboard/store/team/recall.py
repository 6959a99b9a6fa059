"""What a team's sessions knew about a question: the questions of `leeboard.store.recall`, asked of its database.

Each term is one seek in the index of `step_terms`, and at most as many of its entries as are wanted. Of words the
newest of each are ranked among each other: a rare word brings all its steps, a frequent one its newest.
"""

from __future__ import annotations

from typing import Any

from leeboard.io.clock import iso
from leeboard.store.history import PER_QUERY, TOP, about, best_first, distinct
from leeboard.store.recall import Recalled, RecallQuestion
from leeboard.store.team.postgres import TeamDatabase

PER_WORD = 50
"""So many of the newest steps with each word of a question are ranked."""
_COLUMNS = (
    "(s).seq, (s).id, (s).session_id, (s).action_type, (s).files, (s).command, (s).reasoning, (s).correction_given, "
    '(s).drift_score, (s).is_key_decision, (s)."timestamp", (s).member, '
)
ABOUT = (
    f"SELECT {_COLUMNS} goal, list FROM leeboard.steps_about(%s, %s, %s, %s, %s, %s) AS f (list, s, goal) "  # noqa: S608 - our own names
    "ORDER BY 1 DESC"
)
_WITH_WORDS = "SELECT seq, is_key_decision, shared FROM leeboard.steps_with_words(%s, %s, %s) ORDER BY 1 DESC"
_ROWS = (
    f"SELECT {_COLUMNS} coalesce(t.data ->> 'goal', '') "  # noqa: S608 - our own names
    "FROM leeboard.steps AS s LEFT JOIN leeboard.records AS t "
    "ON t.project = s.project AND t.kind = 'task' AND t.id = s.session_id WHERE s.seq = ANY (%s) AND s.project = %s"
)


def recall_from_team(remote: TeamDatabase, project: str, question: RecallQuestion) -> tuple[Recalled, ...]:
    """One query where it names files, folders or keywords; two more for words."""
    lists = {name: list(distinct(getattr(question, name))) for name in ("files", "folders", "keywords")}
    rows = remote.rows(ABOUT, project, 0, *lists.values(), PER_QUERY) if any(lists.values()) else []
    found = {int(row[0]): row for row in rows}
    files, folders, keywords = ([int(row[0]) for row in rows if row[-1] == name] for name in lists)
    decisive = {place for place, row in found.items() if row[9]}
    by_words, decided = _by_words(remote, project, list(question.words))
    places = about((files, folders, by_words, keywords), decisive | decided)
    if left := [place for place in places if place not in found]:
        found |= {int(row[0]): row for row in remote.rows(_ROWS, left, project)}
    return tuple(_recalled(found[place]) for place in places if place in found)


def _by_words(remote: TeamDatabase, project: str, words: list[str]) -> tuple[list[int], set[int]]:
    """The best by their words, and those among them that were decisions."""
    rows = remote.rows(_WITH_WORDS, project, words, PER_WORD) if words else []
    best = best_first(words, [(int(row[0]), row[2]) for row in rows])[:TOP]
    return best, {int(row[0]) for row in rows if row[1]} & set(best)


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
