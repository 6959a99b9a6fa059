"""GitHub Copilot: its hooks and settings. Its transcripts are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.clients.copilot import hooks
from leeboard.clients.hooks_alone import HooksAlone

if TYPE_CHECKING:
    from leeboard.clients.call import Client, HookCall
    from leeboard.model.verdict import Verdict


class CopilotClient(HooksAlone):
    name = "copilot"

    def parse(self, payload: bytes, now: float) -> HookCall:
        return hooks.parse(payload, now)

    def render(self, verdict: Verdict, call: HookCall, task: str = "", for_person: str = "") -> bytes:
        return hooks.render(verdict, call, task, for_person)


CLIENT: Client = CopilotClient()
