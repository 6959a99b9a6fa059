"""Hooks put into settings and taken out again, in the way of each client whose settings are JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.clients.claude_code.hook_settings import FILE as CLAUDE_CODE
from leeboard.clients.codex.hook_settings import FILE as CODEX
from leeboard.clients.copilot.hook_settings import FILE as COPILOT
from leeboard.clients.cursor.hook_settings import FILE as CURSOR
from leeboard.clients.gemini_cli.hook_settings import FILE as GEMINI_CLI
from leeboard.clients.hook_file import HookFile, is_ours, no_status_line, refuse_status_line
from leeboard.errors import ConfigError

LINE = "'/opt/my venv/bin/python' -I -S /opt/leeboard/surfaces/hook.py --client x 2>/dev/null || :"
THEIRS: dict[str, Any] = {"command": "say hello", "bash": "say hello", "type": "command"}
FILES = (CLAUDE_CODE, CODEX, COPILOT, CURSOR, GEMINI_CLI)

TEXTS = st.builds(
    lambda file, hooks, others, indent, end: (file, json.dumps({**others, **hooks}, indent=indent) + end),
    st.sampled_from(FILES),
    st.sampled_from([{}, {"hooks": {}}, {"hooks": {"Odd": [THEIRS]}}, {"hooks": {"Stop": [], "stop": [THEIRS]}}]),
    st.sampled_from([{}, {"version": 1}, {"model": "x", "version": 1, "env": {"a": [1, {}]}}]),
    st.sampled_from([None, 2, 4, "\t"]),
    st.sampled_from(["", "\n", " \r\n"]),
)


@settings(deadline=None, max_examples=60)
@given(TEXTS)
def test_what_is_taken_out_leaves_every_other_byte(case: tuple[HookFile, str]) -> None:
    file, text = case
    once = file.install(text, LINE)
    assert file.install(once, LINE) == once
    assert {command for _, command in file.read_state(once).hooks} == {LINE}
    assert file.remove(once) == text
    assert file.remove(text) == text


@pytest.mark.parametrize("file", FILES)
def test_a_file_of_ours_alone_goes_as_a_whole(file: HookFile) -> None:
    made = file.install("", LINE)
    state = file.read_state(made)
    assert (tuple(event for event, _ in state.hooks), state.asked_first) == (file.events, (LINE,))
    assert file.remove(made) == ""
    beside = json.loads(made) | {"mine": 1}
    assert set(json.loads(file.remove(json.dumps(beside, indent=2)))) == {*file.behind, "mine"}


@pytest.mark.parametrize("file", FILES)
def test_hooks_of_others_beside_ours_stay(file: HookFile) -> None:
    told = json.loads(file.install("", LINE))
    told["hooks"][file.asked_first].insert(0, {"hooks": [THEIRS]} if file.grouped else THEIRS)
    left = json.loads(file.remove(json.dumps(told)))
    assert left["hooks"][file.asked_first] == [{"hooks": [THEIRS]} if file.grouped else THEIRS]


@pytest.mark.parametrize("text", ["[]", "{", '{"hooks": []}', '{"hooks": {"Stop": {}, "stop": {}, "AfterAgent": {}}}'])
def test_what_is_no_settings_file_is_left_as_it_is(text: str) -> None:
    for file in FILES:
        with pytest.raises(ConfigError, match="left as it is"):
            file.install(text, LINE)


def test_a_line_that_would_not_be_found_again_is_not_written() -> None:
    with pytest.raises(ValueError, match="found again"):
        CODEX.install("", "true")
    assert not is_ours("ruff check leeboard/surfaces/hook.py")


def test_a_client_without_a_status_line_is_given_none() -> None:
    assert no_status_line("{}") == ("", False)
    with pytest.raises(ValueError, match="no status line"):
        refuse_status_line("{}", "x")
