"""Codex: its hooks follow Claude Code's, its hooks.json and rollouts are its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.clients.claude_code.hooks import folder_told, refuse_settings, render, telling_person
from leeboard.clients.claude_code.hooks import parse as parse_as_claude_code

if TYPE_CHECKING:
    from leeboard.clients.call import ClientProbe, ClientSettings, HookCall, HookFault
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


def parse(payload: bytes, now: float) -> HookCall:
    return replace(parse_as_claude_code(payload, now), client="codex")


def settings() -> ClientSettings:
    from leeboard.clients.codex import hook_settings  # noqa: PLC0415 - only where such a file is read

    return hook_settings


def probe() -> ClientProbe:
    from leeboard.clients.codex import rehearsal  # noqa: PLC0415 - only where somebody wants it tried

    return rehearsal


def read_result(text: str, *, is_error: bool) -> tuple[Outcome, str]:
    from leeboard.clients.codex.rollout import parse_output  # noqa: PLC0415 - only where its traffic is carried

    found = parse_output(text, "failed" if is_error else "")
    return found.outcome, found.output


def open_reader(session: str, *, agent: str = "", started: bool = False) -> SessionReader:
    from leeboard.clients.codex.rollout import CodexRolloutReader  # noqa: PLC0415 - most hooks read nothing

    return CodexRolloutReader(session, agent=agent, started=started)


def prove(
    lines: Sequence[bytes],  # noqa: ARG001 - as every client has it
    told: TranscriptEvents,  # noqa: ARG001 - as above
    is_told: Callable[[Event], bool],  # noqa: ARG001 - as above
    earlier: bytes,  # noqa: ARG001 - as above
) -> Proof | None:
    """Records of a rollout do not name the one before them."""
    return None


def context_left(tail: bytes) -> float | None:
    """By answers in the shape of Claude Code's: a rollout has none."""
    from leeboard.clients.claude_code.transcript_proof import context_use  # noqa: PLC0415 - only in a workflow

    use = context_use(tail)
    return use.left if use else None


def is_line(parsed: dict[str, object]) -> bool:
    if isinstance(parsed.get("type"), str):
        return isinstance(parsed.get("payload"), dict)
    return "record_type" in parsed or {"id", "timestamp", "instructions"} <= parsed.keys()


def is_start(start: bytes) -> bool:
    from leeboard.clients.codex.rollout import START  # noqa: PLC0415 - only for recordings

    return START.search(start) is not None


def transcript_folders(env: Mapping[str, str], home: str) -> tuple[str, ...]:
    return (f"{env.get('CODEX_HOME') or f'{home}/.codex'}/sessions",)


def project_transcripts(root: str) -> tuple[str, ...]:  # noqa: ARG001 - as every client has it
    """By day, whatever the folder: each rollout names its own."""
    return ("*/*/*/rollout-*.jsonl",)


def hook_faults(lines: Sequence[bytes]) -> tuple[HookFault, ...]:  # noqa: ARG001 - as above
    """A rollout does not speak of hooks."""
    return ()


def main_transcript(path: str) -> str:  # noqa: ARG001 - as every client has it
    """A rollout is always a session of its own."""
    return ""
