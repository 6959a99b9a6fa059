"""Cursor: its hooks and settings. Its transcripts are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.clients.cursor import hooks
from leeboard.clients.hooks_alone import HooksAlone

if TYPE_CHECKING:
    from leeboard.clients.call import Client

CLIENT: Client = HooksAlone("cursor", hooks, words_for_person="user_message")
