"""Claude Code: its hooks, settings and transcripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from leeboard.clients.claude_code.hooks import folder_told, parse, refuse_settings, render, telling_person

if TYPE_CHECKING:
    from leeboard.clients.call import ClientProbe, ClientSettings, HookFault
    from leeboard.clients.transcript_lines import Proof, SessionReader, TranscriptEvents
    from leeboard.model.event import Event, Outcome

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


def settings() -> ClientSettings:
    from leeboard.clients.claude_code import hook_settings  # noqa: PLC0415 - only where such a file is read

    return hook_settings


def probe() -> ClientProbe | None:
    from leeboard.clients.claude_code import rehearsal  # noqa: PLC0415 - only where somebody tries it

    return rehearsal


def read_result(text: str, *, is_error: bool) -> tuple[Outcome, str]:
    from leeboard.clients.claude_code.transcript_record import outcome_told  # noqa: PLC0415 - only where it is carried

    return outcome_told(text, is_error=is_error), text


def open_reader(session: str, *, agent: str = "", started: bool = False) -> SessionReader:
    from leeboard.clients.claude_code.transcript import TranscriptReader  # noqa: PLC0415 - most hooks read nothing

    return TranscriptReader(session, agent=agent, started=started)


def prove(
    lines: Sequence[bytes], told: TranscriptEvents, is_told: Callable[[Event], bool], earlier: bytes
) -> Proof | None:
    from leeboard.clients.claude_code.transcript_proof import Chain  # noqa: PLC0415 - only where a prompt is read

    return Chain(lines, told, is_told, earlier).proof()


def context_left(tail: bytes) -> float | None:
    from leeboard.clients.claude_code.transcript_proof import context_use  # noqa: PLC0415 - only in a workflow

    use = context_use(tail)
    return use.left if use else None


def is_line(parsed: dict[str, object]) -> bool:
    kind = parsed.get("type")
    if isinstance(parsed.get("payload"), dict):
        return False
    if kind in ("user", "assistant") and isinstance(parsed.get("message"), dict):
        return True
    return isinstance(kind, str) and not parsed.keys().isdisjoint({"sessionId", "parentUuid", "leafUuid", "snapshot"})


def is_start(start: bytes) -> bool:
    from leeboard.clients.claude_code.transcript import START  # noqa: PLC0415 - only for recordings

    return START.match(start) is not None


def transcript_folders(env: Mapping[str, str], home: str) -> tuple[str, ...]:
    return (f"{env.get('CLAUDE_CONFIG_DIR') or f'{home}/.claude'}/projects",)


def project_transcripts(root: str) -> tuple[str, ...]:
    """The folder is named after the work tree, all but letters and digits made dashes; a long name is cut."""
    named = "".join(char if char.isascii() and char.isalnum() else "-" for char in root)[:200]
    return f"{named}*/*.jsonl", f"{named}*/*/subagents/*.jsonl"


def hook_faults(lines: Sequence[bytes]) -> tuple[HookFault, ...]:
    from leeboard.clients.claude_code import recorded_faults  # noqa: PLC0415 - only for who looks back

    return recorded_faults.hook_faults(lines)


def main_transcript(path: str) -> str:
    """What sub-agents do lies in `<session>/subagents/`, beside `<session>.jsonl`."""
    folder, mark, _ = path.rpartition("/subagents/")
    return f"{folder}.jsonl" if mark else ""
