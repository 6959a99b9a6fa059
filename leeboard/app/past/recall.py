"""A question in words or a path, answered from what was recorded in a project."""

from __future__ import annotations

from posixpath import isdir, join

import msgspec

from leeboard.app.archive import known_archive
from leeboard.errors import ConfigError
from leeboard.model.workspace import Workspace
from leeboard.store.recall import Recalled, RecallQuestion, recall
from leeboard.text.names import keywords, path_like
from leeboard.text.words import content_words

LONGEST = 2_000
"""Characters of a question that are read."""


class RecallPage(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "recall"
    question: str
    project: str
    found: tuple[Recalled, ...]
    note: str = ""


def recalled(asked: str, root: str, cwd: str) -> RecallPage:
    """ConfigError where the question says nothing that could be looked for."""
    question = question_of(asked[:LONGEST], root, cwd)
    if question == RecallQuestion():
        raise ConfigError(
            'nothing to look for: give a file, a folder, or a question with words in it, such as "token refresh"'
        )
    with known_archive() as store:
        found, note = recall(store.pages, root, question)
    return RecallPage(question=asked[:LONGEST], project=root, found=found, note=note)


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
