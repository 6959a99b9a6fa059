"""How a call ended, by what a client tells the model of it: each says it in words of its own."""

from __future__ import annotations

from leeboard.clients import client_named, client_names
from leeboard.model.event import Outcome


def read_result(client: str, text: str, *, is_error: bool) -> tuple[Outcome, str]:
    """The outcome, and the output without what the client wrote around it. Of an unknown client the flag counts."""
    if client not in client_names():
        return ("failed" if is_error else "done"), text
    return client_named(client).read_result(text, is_error=is_error)
