"""A question in words or a path, answered from what was recorded in a project, here and by its team."""

from __future__ import annotations

import os
from itertools import zip_longest
from posixpath import exists, isdir, join

import msgspec

from leeboard.app.archive import known_archive
from leeboard.app.team.ship import team_settings
from leeboard.app.team_files import MISSING, project_name
from leeboard.errors import ConfigError, LeeboardError
from leeboard.model.workspace import Workspace
from leeboard.secrets.redaction import redact
from leeboard.store.history import TOP
from leeboard.store.recall import Recalled, RecallQuestion, recall
from leeboard.text.names import keywords, path_like
from leeboard.text.words import content_words

LONGEST = 2_000
"""Characters of a question that are read."""
PATIENCE = 3
"""Seconds that a team's database may take to answer at all."""


class RecallPage(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "recall"
    question: str
    project: str
    found: tuple[Recalled, ...]
    note: str = ""


def recalled(asked: str, root: str, cwd: str, *, ask_team: bool = True) -> RecallPage:
    """ConfigError where the question says nothing that could be looked for."""
    told = redact(asked[:LONGEST])
    question = question_of(told, root, cwd)
    if question == RecallQuestion():
        raise ConfigError(
            'nothing to look for: give a file, a folder, or a question with words in it, such as "token refresh"'
        )
    narrow = _one_place(told, root, question)
    found, notes = _found(root, narrow, ask_team=ask_team)
    if not found and narrow != question:
        found, notes = _found(root, question, ask_team=ask_team)
    return RecallPage(question=told, project=root, found=found, note="; ".join(filter(None, notes)))


def _found(root: str, question: RecallQuestion, *, ask_team: bool) -> tuple[tuple[Recalled, ...], tuple[str, str]]:
    with known_archive() as store:
        own, note = recall(store.pages, root, question)
    theirs, outage = _of_team(root, question) if ask_team else ((), "")
    return _together(own, theirs), (note, outage)


def _one_place(asked: str, root: str, question: RecallQuestion) -> RecallQuestion:
    """What was done there and nothing else, where the question names one file or folder of the project and no more."""
    there = [path for path in question.files if exists(join(root, path))]
    if not there or not _is_name(asked.strip()):
        return question
    folders = tuple(f"{path}/" for path in there if isdir(join(root, path)))
    return RecallQuestion(files=tuple(there), folders=folders)


def _of_team(root: str, question: RecallQuestion) -> tuple[tuple[Recalled, ...], str]:
    """What the team's sessions knew, and why it could not be asked. A project that is not copied has no team."""
    team = team_settings(os.environ)
    project = project_name(team, root)
    if team is None or not project:
        return (), ""
    try:
        from leeboard.store.team.postgres import connected  # noqa: PLC0415 - only where a team is asked
        from leeboard.store.team.recall import recall_from_team  # noqa: PLC0415 - as above
    except ImportError:
        return (), MISSING
    try:
        with connected(team.url, PATIENCE) as remote:
            return recall_from_team(remote, project, question), ""
    except LeeboardError as error:
        return (), f"only what was recorded here was looked at: {error}"


def _together(own: tuple[Recalled, ...], theirs: tuple[Recalled, ...]) -> tuple[Recalled, ...]:
    """In turn, so that neither hides the other; decisions stay first. What was copied from here is here already."""
    known = {one.id for one in own if one.id}
    others = [one for one in theirs if one.id not in known]
    mixed = [one for pair in zip_longest(own, others) for one in pair if one is not None]
    return tuple(sorted(mixed, key=lambda one: not one.is_key_decision)[:TOP])


def question_of(asked: str, root: str, cwd: str) -> RecallQuestion:
    """Paths are those of the project, wherever in it one asks from; a whole question may also be one path."""
    whole = asked.strip()
    named = dict.fromkeys((*path_like(asked), *((whole,) if _is_name(whole) else ())))
    workspace = Workspace(root)
    paths = [path.rstrip("/") or path for name in named for path in _spellings(workspace, name, cwd)]
    folders = [f"{path}/" if isdir(join(root, path)) else path.rpartition("/")[0] + "/" for path in paths]
    return RecallQuestion(
        files=tuple(dict.fromkeys(paths)),
        folders=tuple(dict.fromkeys(folder for folder in folders if folder != "/")),
        words=content_words(asked),
        keywords=keywords(asked),
    )


def _is_name(text: str) -> bool:
    """Whether it may be a file or a folder, such as `Makefile`."""
    return not any(map(str.isspace, text)) and any(map(str.isalnum, text))


def _spellings(workspace: Workspace, name: str, cwd: str) -> list[str]:
    """As it lies below the folder one asks from, and as it lies below the project."""
    return [path for path in (workspace.spell(name, cwd), workspace.spell(name)) if workspace.holds(path)]
