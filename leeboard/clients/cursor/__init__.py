"""Cursor: its hooks and settings. Its transcripts are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.clients import answer_words
from leeboard.clients.cursor.hooks import parse, render
from leeboard.clients.hook_input import folder_told
from leeboard.clients.unread_transcripts import (
    context_left,
    hook_faults,
    is_line,
    is_start,
    main_transcript,
    open_reader,
    project_transcripts,
    prove,
    read_result,
    transcript_folders,
)

if TYPE_CHECKING:
    from leeboard.clients.call import ClientProbe, ClientSettings

__all__ = [
    "context_left",
    "folder_told",
    "hook_faults",
    "is_line",
    "is_start",
    "main_transcript",
    "open_reader",
    "parse",
    "probe",
    "project_transcripts",
    "prove",
    "read_result",
    "refuse_settings",
    "render",
    "settings",
    "telling_person",
    "transcript_folders",
]


def probe() -> ClientProbe | None:
    """Nobody has written down how it is tried by itself."""
    return None


def settings() -> ClientSettings:
    from leeboard.clients.cursor import hook_settings  # noqa: PLC0415 - only where such a file is read

    return hook_settings


def refuse_settings(words: str) -> bytes:
    """The client asks nobody about its settings: it is told to the person."""
    return telling_person(b"", words)


def telling_person(answer: bytes, words: str) -> bytes:
    return answer_words.telling_person(answer, words, "user_message")
