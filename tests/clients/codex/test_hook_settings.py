from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.clients.codex.hook_settings import read_trust, trust_question

LINE = "/usr/bin/python3 -I -S /opt/leeboard/surfaces/hook.py --client codex"


def answer(*hooks: tuple[str, str]) -> bytes:
    listed = [{"command": line, "eventName": "preToolUse", "trustStatus": status} for line, status in hooks]
    lines = ({"id": 1, "result": {}}, {"method": "x"}, {"id": 2, "result": {"data": [{"cwd": "/r", "hooks": listed}]}})
    return b"no json\n" + b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def test_the_client_is_asked_about_one_folder() -> None:
    question = trust_question("/my repo")
    assert question.arguments == ("app-server",)
    assert json.loads(question.told.splitlines()[-1])["params"] == {"cwds": ["/my repo"]}


@pytest.mark.parametrize("status", ["untrusted", "modified", ""])
def test_hooks_that_nobody_reviewed_are_named_with_the_way_out(status: str) -> None:
    trouble = read_trust(answer((LINE, status), (LINE, "trusted"), ("ruff check .", "untrusted")))
    assert trouble is not None
    assert "skips 1 of our 2 hooks" in trouble
    assert "/hooks" in trouble


def test_hooks_that_run_are_no_trouble_and_those_of_others_are_not_counted() -> None:
    assert read_trust(answer((LINE, "trusted"), (LINE, "managed"))) == ""
    assert read_trust(answer(("ruff check .", "untrusted"))) is None


@given(st.binary(max_size=200))
def test_whatever_it_prints_is_read(printed: bytes) -> None:
    assert read_trust(printed) is None
