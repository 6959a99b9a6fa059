from __future__ import annotations

import pytest

from leeboard.clients import client_named
from leeboard.clients.hooks_alone import HooksAlone


@pytest.mark.parametrize("name", ["copilot", "cursor", "gemini_cli", "opencode"])
def test_whatever_stands_in_a_file_of_such_a_client_tells_nothing(name: str) -> None:
    client = client_named(name)
    assert isinstance(client, HooksAlone)
    assert client.settings().HOOK_EVENTS or name == "opencode"
    reader = client.open_reader("s")
    assert reader.feed(b'{"a": 1}\nnot json\n') == []
    assert (reader.finish(), reader.lines, reader.skipped) == ([], 2, 0)
    assert client.read_result("x", is_error=True) == ("failed", "x")
    assert not client.is_line({"type": "user"})
    assert client.prove((), (), bool, b"") is None
    assert b"words" in client.refuse_settings("words")
