"""How a tool call of Codex ended: it says so in words, in several dialects."""

from __future__ import annotations

import re

import msgspec

from leeboard.clients.claude_code.transcript_results import LONGEST_OUTPUT, joined_text
from leeboard.model.event import Outcome
from leeboard.model.pattern import lazy

_HEADER = lazy(
    r"(?:Chunk ID: [^\n]{0,100}\n)?(?:Exit code: (-?\d{1,9})\n)?Wall time: [^\n]{0,100}\n"
    r"(?:Process exited with code (-?\d{1,9})\n|Process running with session ID [^\n]{0,100}\n)?"
    r"(?:(?:Original token count|Total output lines): [^\n]{0,100}\n){0,2}Output:\n"
)
_DENIAL = lazy(r"[^\n]{0,60}? ?(?:blocked by \w{1,40} hook|rejected by user)", re.IGNORECASE)
_FAILURE = lazy(
    r"unsupported call: |failed to parse|execution error|exec_command failed|apply_patch verification failed"
    r"|aborted by user|tool call error|err: ",
    re.IGNORECASE,
)


class Result(msgspec.Struct, frozen=True):
    outcome: Outcome
    output: str


def parse_output(output: object, status: str) -> Result:
    """`status` is what an event said about the call, for outputs that do not tell."""
    text, failed = _unpack(output)
    header = _HEADER.match(text)
    if header:
        code = header[1] or header[2] or "0"
        return Result("failed" if int(code) or failed else "done", text[header.end() :][:LONGEST_OUTPUT])
    if status == "declined" or _DENIAL.match(text):
        return Result("denied", text[:LONGEST_OUTPUT])
    failed = failed or status == "failed" or _FAILURE.match(text) is not None
    return Result("failed" if failed else "done", text[:LONGEST_OUTPUT])


def _unpack(output: object) -> tuple[str, bool]:
    """The text, and whether fields beside it say that the call failed."""
    if isinstance(output, str) and output.startswith("{"):
        try:
            output = _as_object(msgspec.json.decode(output), output)
        except (ValueError, RecursionError):
            return str(output), False
    if not isinstance(output, dict):
        return joined_text(output), False
    text = next((text for key in ("output", "content", "body") if (text := joined_text(output.get(key)))), "")
    metadata = output.get("metadata")
    code = metadata.get("exit_code") if isinstance(metadata, dict) else output.get("exit_code")
    return text, output.get("success") is False or (isinstance(code, int) and code != 0)


def _as_object(parsed: object, text: str) -> object:
    """Old versions packed output and exit code into JSON. A tool that printed JSON of its own is left alone."""
    return parsed if isinstance(parsed, dict) and isinstance(parsed.get("metadata"), dict) else text
