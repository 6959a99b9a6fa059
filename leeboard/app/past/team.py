"""What others in the team did on the same thing, from the copy on this machine: no event waits for the team."""

from __future__ import annotations

from posixpath import exists

from leeboard.errors import LeeboardError
from leeboard.judge.briefing import told_of_team
from leeboard.model.outcome import TeamStep
from leeboard.model.verdict import Level, Verdict
from leeboard.text.words import element

LOUD: tuple[Level, ...] = ("correct", "intervene", "halt")
"""What says more than a nudge, which stays as brief as it is."""


def team_past(
    path: str, files: tuple[str, ...], folders: tuple[str, ...], keywords: tuple[str, ...]
) -> tuple[TeamStep, ...]:
    """`path` is the copy's file, empty where there is no team. A copy that can not be read has nothing to tell."""
    if not path or not exists(path):
        return ()
    from leeboard.store.team.copy import team_copy  # noqa: PLC0415 - only where a team has shared something

    try:
        with team_copy(path) as copy:
            return copy.past_steps(files, folders, keywords)
    except LeeboardError:
        return ()


def words_of_team(path: str, verdict: Verdict) -> str:
    """Beside a correction: who else in the team changed the files that it is about, or others in their folders."""
    if verdict.level not in LOUD:
        return ""
    folders = tuple(one.rpartition("/")[0] + "/" for one in verdict.paths if "/" in one)
    told = told_of_team(team_past(path, verdict.paths, folders, ()))
    return element(told[0]) if told else ""
