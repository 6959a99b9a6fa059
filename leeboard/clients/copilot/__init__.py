"""GitHub Copilot: its hooks and settings. Its transcripts are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.clients.copilot import hooks
from leeboard.clients.hooks_alone import HooksAlone

if TYPE_CHECKING:
    from leeboard.clients.call import Client

CLIENT: Client = HooksAlone("copilot", hooks, rehearsed=True)
