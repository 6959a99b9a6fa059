"""What a transcript holds beside prompts, messages and calls: files put into the context, and words in a refusal."""

from __future__ import annotations

from leeboard.clients.claude_code.transcript_record import text_of
from leeboard.clients.claude_code.transcript_results import joined_text

_SAID = "the user said:\n"
_NOT_SAID = ("The user wants to clarify these questions",)
_CONTENT_LIMIT = 200_000

READ_ATTACHMENTS = (
    "file",
    "already_read_file",
    "edited_text_file",
    "compact_file_reference",
    "plan_file_reference",
    "directory",
)
"""Attachments that show the agent a file: mentioned by the human, changed by them, given again after a compaction."""


def words_in_refusal(output: str) -> str:
    """What the human told the agent to do instead, when they refused a call with words."""
    _, marked, words = output.partition(_SAID)
    words = words.partition("\n\nNote: ")[0].strip()
    return words if marked and not words.startswith(_NOT_SAID) else ""


def attached_file(attachment: dict[object, object]) -> tuple[str, str, str] | None:
    """Tool that would have shown the same, path and content; None for an attachment that shows no file."""
    kind = attachment.get("type")
    if kind not in READ_ATTACHMENTS:
        return None
    names = (text_of(attachment.get(key)) for key in ("filename", "planFilePath", "path", "filePath"))
    path = next((name for name in names if name), "")
    if not path:
        return None
    return ("LS" if kind == "directory" else "Read"), path, _content(attachment)[:_CONTENT_LIMIT]


def _content(attachment: dict[object, object]) -> str:
    for key in ("content", "planContent", "snippet"):
        value = attachment.get(key)
        if isinstance(value, dict):
            file = value.get("file")
            value = file.get("content") if isinstance(file, dict) else value.get("content")
        if value:
            return text_of(value) or joined_text(value)
    return ""
