"""Gemini CLI: its hooks and settings. Its session files are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.clients.gemini_cli import hooks
from leeboard.clients.hooks_alone import HooksAlone

if TYPE_CHECKING:
    from leeboard.clients.call import Client

CLIENT: Client = HooksAlone("gemini_cli", hooks, rehearsed=True)
