"""How a process knows that an agent runs it."""

from __future__ import annotations

from collections.abc import Mapping

AGENT_MARKS = (
    *("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"),
    *("CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID"),
    *("GEMINI_CLI", "OPENCODE", "CURSOR_AGENT"),
)
"""Variables that coding agents set for the commands they run."""


def agent_mark(env: Mapping[str, str]) -> str:
    """The first variable that shows we run inside an agent; empty when none does."""
    return next((name for name in AGENT_MARKS if env.get(name, "") not in {"", "0", "false"}), "")


def in_agent_shell(env: Mapping[str, str]) -> bool:
    """Whether a command of an agent runs us. Clients mark their hooks too, and tell those alone of the project."""
    return bool(agent_mark(env)) and not env.get("CLAUDE_PROJECT_DIR")
