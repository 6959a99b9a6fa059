"""opencode: what our plugin in it tells, and the file it lies in. Its database is not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.clients.hooks_alone import HooksAlone
from leeboard.clients.opencode import hooks

if TYPE_CHECKING:
    from leeboard.clients.call import Client

CLIENT: Client = HooksAlone("opencode", hooks, words_for_person="person", rehearsed=True)
