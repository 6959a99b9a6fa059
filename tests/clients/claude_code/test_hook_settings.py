from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.clients import FIRST, signs
from leeboard.clients.call import PostedTo
from leeboard.clients.claude_code.hook_settings import HOOK_EVENTS, install, read_state, remove
from leeboard.clients.claude_code.hooks import parse
from leeboard.clients.hook_file import is_ours
from leeboard.errors import ConfigError
from leeboard.model.verdict import Action

COMMAND = "/usr/bin/python3 -S -I '/opt/my tools/leeboard/surfaces/hook.py'"
NEWER = "/opt/venv/bin/python3.13 -X utf8 -I /opt/venv/lib/leeboard/surfaces/hook.py"
OURS = {"hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]}
AT_STOP = {"hooks": [{"type": "command", "command": COMMAND, "timeout": 120}]}
THEIRS = {"matcher": "Bash", "hooks": [{"type": "command", "command": "ruff check leeboard/surfaces/hook.py"}]}

ALL_OURS = {event: [AT_STOP if event in {"Stop", "SubagentStop"} else OURS] for event in HOOK_EVENTS}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
GROUPS: st.SearchStrategy[list[Any]] = st.lists(st.just(THEIRS) | st.just({"hooks": []}) | JSON, max_size=3)
HOOKS = st.dictionaries(st.sampled_from([*HOOK_EVENTS, "Notification", "Odd"]), GROUPS, max_size=4)
SETTINGS = st.builds(
    lambda others, hooks, at: dict([*list(others.items())[:at], *hooks.items(), *list(others.items())[at:]]),
    st.dictionaries(st.text(max_size=6).filter(lambda key: key != "hooks"), JSON, max_size=4),
    st.just({}) | HOOKS.map(lambda hooks: {"hooks": hooks}),
    st.integers(0, 4),
)


def installed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(event for event, _ in read_state(text).hooks))


def installed_commands(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(command for _, command in read_state(text).hooks))


@st.composite
def texts(draw: st.DrawFn) -> str:
    value = draw(SETTINGS)
    indent = draw(st.sampled_from([2, 4, "\t", None, 0, 1]))
    separators = draw(st.sampled_from([None, (",", ":"), (" ,", " : ")]))
    text = json.dumps(value, indent=indent, separators=separators, ensure_ascii=draw(st.booleans()))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from(["", "\ufeff", "\n "])) + text + draw(st.sampled_from(["", "\n", "\r\n", " \n\n"]))


def load(text: str) -> Any:
    return json.loads(text.removeprefix("\ufeff"))


@settings(deadline=None)
@given(texts())
def test_remove_gives_back_every_byte(text: str) -> None:
    assert remove(install(text, COMMAND)) == text


@settings(deadline=None)
@given(texts())
def test_install_twice_is_install_once(text: str) -> None:
    once = install(text, COMMAND)
    assert install(once, COMMAND) == once
    assert install(install(text, NEWER, timeout=3), COMMAND) == once


@settings(deadline=None)
@given(texts())
def test_install_only_adds(text: str) -> None:
    before, after = load(text), load(install(text, COMMAND))
    hooks, theirs = after.pop("hooks"), before.pop("hooks", {})
    assert after == before
    assert [*hooks][: len(theirs)] == [*theirs]
    for event in HOOK_EVENTS:
        assert hooks[event] == [*theirs.get(event, []), *ALL_OURS[event]]
    assert {event: hooks[event] for event in theirs if event not in HOOK_EVENTS} == {
        event: groups for event, groups in theirs.items() if event not in HOOK_EVENTS
    }


@settings(deadline=None)
@given(texts(), st.sampled_from([2, 4, "\t", None]))
def test_remove_after_another_program_wrote_the_file_anew_leaves_the_rest(text: str, indent: int | str | None) -> None:
    rewritten = json.dumps(load(install(text, COMMAND)), indent=indent)
    removed = remove(rewritten)
    left, before = load(removed or "{}"), load(text)
    assert installed(removed) == ()
    for value in (left, before):
        # Empty brackets can not be told from ours once the space around them is lost.
        value["hooks"] = {event: groups for event, groups in value.get("hooks", {}).items() if groups}
    assert left == before


@settings(deadline=None)
@given(texts())
def test_untouched_text_stays(text: str) -> None:
    assert remove(text) == text
    assert installed(text) == ()


@pytest.mark.parametrize(
    "text", ["", "{}", "{}\n", "{\n}\n", '{"hooks": {}}', '{\n  "hooks": {\n  }\n}', '{"hooks":{"Stop":[ ]}}']
)
def test_empty_brackets_that_were_there_come_back(text: str) -> None:
    assert remove(install(text, COMMAND)) == text


def test_new_file_is_plain_json() -> None:
    text = install("", COMMAND)
    assert text == json.dumps({"hooks": ALL_OURS}, indent=2) + "\n"
    assert load(install(" \n", COMMAND)) == load(text)


def test_style_of_the_file_is_kept() -> None:
    text = json.dumps({"model": "opus", "env": {"Ä": "ü"}}, indent="\t", ensure_ascii=False) + "\n"
    wanted = {"model": "opus", "env": {"Ä": "ü"}, "hooks": ALL_OURS}
    assert install(text, COMMAND) == json.dumps(wanted, indent="\t", ensure_ascii=False) + "\n"


def test_windows_lines_stay_windows_lines() -> None:
    text = install('{\r\n  "model": "opus"\r\n}\r\n', COMMAND)
    assert text.count("\n") == text.count("\r\n") > 100


def test_no_matcher_means_every_tool() -> None:
    assert all(set(group) == {"hooks"} for groups in load(install("", COMMAND))["hooks"].values() for group in groups)


def test_other_hooks_are_never_touched() -> None:
    text = json.dumps({"hooks": {"PreToolUse": [THEIRS], "Stop": [THEIRS, THEIRS]}}, indent=2)
    after = load(install(text, COMMAND))["hooks"]
    assert after["PreToolUse"] == [THEIRS, OURS]
    assert after["Stop"] == [THEIRS, THEIRS, AT_STOP]


def test_hook_that_somebody_put_beside_ours_stays() -> None:
    settings = load(install("", COMMAND))
    settings["hooks"]["Stop"][0]["hooks"].insert(0, {"type": "command", "command": "say done"})
    settings["hooks"]["SessionEnd"].insert(0, THEIRS)
    assert load(remove(json.dumps(settings, indent=2))) == {
        "hooks": {
            "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
            "SessionEnd": [THEIRS],
        }
    }


def test_ours_goes_wherever_it_stands() -> None:
    settings = {"hooks": {"Notification": [OURS, THEIRS, OURS], "Stop": [OURS, OURS], "Odd": "text"}}
    assert load(remove(json.dumps(settings))) == {"hooks": {"Notification": [THEIRS], "Stop": [], "Odd": "text"}}


def test_the_last_of_two_equal_names_counts() -> None:
    text = '{"hooks": {"Stop": []}, "hooks": {}}'
    after = install(text, COMMAND)
    assert set(load(after)["hooks"]) == set(HOOK_EVENTS)
    assert remove(after) == text


def test_installed_names_events_and_commands() -> None:
    text = json.dumps({"hooks": {"Stop": [THEIRS, OURS, OURS], "PreToolUse": [THEIRS]}})
    assert installed(text) == ("Stop",)
    assert installed_commands(text) == (COMMAND,)
    assert set(installed(install(text, NEWER))) == set(HOOK_EVENTS)
    assert installed_commands(install(text, NEWER)) == (NEWER,)
    assert installed("") == installed_commands("") == ()


def test_form_without_a_shell_is_found() -> None:
    entry = {"type": "command", "command": "/usr/bin/python3", "args": ["-S", "/opt/a b/leeboard/surfaces/hook.py"]}
    text = json.dumps({"hooks": {"Stop": [{"hooks": [entry]}]}}, indent=2)
    assert installed(text) == ("Stop",)
    assert remove(text) == ""


@pytest.mark.parametrize(
    "odd", ["3", '{"Stop": 1}', '{"Stop": [1, {"hooks": 2}, {"hooks": [3, {"command": 4}]}]}', "[]"]
)
def test_reading_passes_over_what_is_not_ours(odd: str) -> None:
    text = f'{{"hooks": {odd}}}'
    assert remove(text) == text
    assert installed(text) == ()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{\n  "a": 1,\n}', "line 3, column 1"),
        ('{\n  // words\n  "a": 1}', "line 2, column 3"),
        ("[]", "object"),
        ("null", "object"),
        ("\x00", "line 1, column 1"),
        ('{"a": 1} x', "line 1, column 10"),
        ('{"a":' + "[" * 200_000, "JSON"),
        ('{"a":' + "9" * 5_000 + "}", "JSON"),
    ],
)
def test_text_that_is_no_settings_object_is_refused(text: str, named: str) -> None:
    for change in (remove, installed, lambda text: install(text, COMMAND)):
        with pytest.raises(ConfigError, match=named):
            change(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{\n  "hooks": []\n}', 'line 2, column 12: "hooks" must be an object'),
        ('{"hooks": null}', '"hooks" must be an object'),
        ('{"hooks": {\n"Stop": {}}}', 'line 2, column 9: "Stop" must be a list'),
    ],
)
def test_hooks_of_another_type_are_never_written_over(text: str, named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        install(text, COMMAND)


@pytest.mark.parametrize(
    "command",
    [
        COMMAND,
        NEWER,
        "/opt/leeboard/surfaces/hook.py --quiet",
        r'"C:\Program Files\Python\python.exe" -I "C:\Users\a b\leeboard\surfaces\hook.py"',
        "LEEBOARD_PROFILE=observe python3 leeboard/surfaces/hook.py",
        "test -f /x/leeboard/surfaces/hook.py && python3 -W ignore /x/leeboard/surfaces/hook.py || true",
    ],
)
def test_command_of_ours(command: str) -> None:
    assert is_ours(command)
    assert remove(install("", command)) == ""


@pytest.mark.parametrize(
    "command",
    [
        "",
        "leeboard status",
        "ruff check leeboard/surfaces/hook.py",
        "python -m ruff check leeboard/surfaces/hook.py",
        "cat '/opt/leeboard/surfaces/hook.py'",
        "python3 /opt/starboard_leeboard/surfaces/hook.py",
        "python3 /opt/leeboard/surfaces/hook.pyc",
    ],
)
def test_command_of_somebody_else(command: str) -> None:
    assert not is_ours(command)
    with pytest.raises(ValueError, match="found again"):
        install("", command)


def test_the_page_of_the_clients_goes_through_every_event_once_and_says_where_a_hook_stands() -> None:
    page = (Path(__file__).parents[3] / "docs" / "clients.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| (yes|no) \| (.+) \|$", page, re.MULTILINE)
    recorded = {path.stem for path in (Path(__file__).parents[2] / "fixtures" / "hooks").glob("[A-Z]*.json")}
    assert sorted(event for event, *_ in rows) == sorted({name.partition(".")[0] for name in recorded})
    assert {event for event, stands, _ in rows if stands == "yes"} == set(HOOK_EVENTS)


POST = PostedTo(url="http://127.0.0.1:20123/leeboard/hook", headers={"Authorization": "Bearer x"})
POSTED = {"PostToolUse", "PostToolUseFailure", "PostToolBatch"}


def test_only_what_can_refuse_nothing_is_posted() -> None:
    text = install("", COMMAND, POST)
    state = read_state(text)
    assert {event for event, _ in state.posted} == POSTED
    assert {event for event, _ in state.hooks} == set(HOOK_EVENTS) - POSTED
    assert state.asked_first == (COMMAND,)
    (entry,) = json.loads(text)["hooks"]["PostToolUse"][0]["hooks"]
    assert entry == {"type": "http", "url": POST.url, "headers": dict(POST.headers), "timeout": 5}


@settings(deadline=None)
@given(texts())
def test_posted_hooks_go_without_a_trace(text: str) -> None:
    posted = install(text, COMMAND, POST)
    assert remove(posted) == text
    assert install(posted, COMMAND) == install(text, COMMAND)
    assert install(posted, COMMAND, POST) == posted


def test_what_somebody_else_posts_stays() -> None:
    theirs = '{"hooks": {"PostToolUse": [{"hooks": [{"type": "http", "url": "http://127.0.0.1:20123/theirs"}]}]}}'
    assert read_state(theirs).posted == ()
    assert remove(install(theirs, COMMAND, POST)) == theirs


@pytest.mark.parametrize("event", sorted(POSTED))
def test_at_what_is_posted_nothing_can_be_refused(event: str) -> None:
    """Else a port at which nobody listens would turn a refusal into leave."""
    told = {"session_id": "s", "cwd": "/repo", "hook_event_name": event, "tool_name": "Bash", "tool_use_id": "t"}
    moment = parse(json.dumps({**told, "tool_input": {"command": "ls"}}).encode(), 0.0).moment
    assert not {Action.ASK, Action.DENY}.intersection(moment.actions)
    assert moment.kind not in {"before_call", "prompt", "stop", "agent_stop"}
    assert event in signs(FIRST, "posted-event")
