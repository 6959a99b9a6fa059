"""Evidence that a person spoke: `user-turns.jsonl` of an intent, written where prompts and answers come in.

A prompt that is reported twice has one id and is one turn. What the engine or an agent does leaves nothing here.
"""

from __future__ import annotations

from posixpath import lexists
from typing import Literal

from leeboard.io.plan import layout
from leeboard.io.plan._signed_lines import append_signed, read_signed
from leeboard.io.plan.folder import Folder

Source = Literal["prompt", "answer"]


def record_turn(root: str, slug: str, turn_id: str, source: Source, at: str, stage: str = "") -> None:
    """A person said something; `turn_id` is the prompt's or the question's own. Needs no lock, costs milliseconds."""
    folder = Folder(layout.home_of(root))
    if folder.read(layout.intent_file(slug)) is not None:
        if not lexists(folder.spelled(_path(slug))):
            from leeboard.io.plan.worktrees import hide_transient  # noqa: PLC0415 - once for each intent

            hide_transient(folder.home)
        append_signed(folder, _path(slug), {"id": turn_id, "at": at, "source": source, "stage": stage})


def turns_since(folder: Folder, slug: str, began: str, stage: str = "") -> int:
    """Distinct turns since a moment, those for another stage aside."""
    if not began:
        return 0
    lines = read_signed(folder, _path(slug)).good
    return len(
        {
            line["id"]
            for line in lines
            if isinstance(line.get("id"), str)
            and str(line.get("at", ""))[:19] >= began[:19]
            and line.get("stage", "") in {"", stage}
        }
    )


def _path(slug: str) -> str:
    return f"{layout.intent_folder(slug)}/user-turns.jsonl"
