"""opencode: what our plugin in it tells, and the file it lies in. Its database is not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.clients.hooks_alone import HooksAlone
from leeboard.clients.opencode import hooks

if TYPE_CHECKING:
    from leeboard.clients.call import Client, HookCall
    from leeboard.model.verdict import Verdict


class OpencodeClient(HooksAlone):
    name = "opencode"
    words_for_person = "person"

    def parse(self, payload: bytes, now: float) -> HookCall:
        return hooks.parse(payload, now)

    def render(self, verdict: Verdict, call: HookCall, task: str = "", for_person: str = "") -> bytes:
        return hooks.render(verdict, call, task, for_person)


CLIENT: Client = OpencodeClient()
