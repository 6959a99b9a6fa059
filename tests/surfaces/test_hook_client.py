from __future__ import annotations

import os
import socket
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.io import places
from leeboard.surfaces import hook_client, hook_request, resident
from tests.hook_process import HookProcess, edit, hook_payload, prompt


def environment(**env: str) -> hook_client.Environment:
    return {os.fsencode(name): os.fsencode(value) for name, value in env.items()}


@given(st.binary(max_size=300))
def test_the_checksum_is_zlibs(data: bytes) -> None:
    assert hook_client._crc32(data) == zlib.crc32(data)


ENVIRONMENTS: list[dict[str, str]] = [
    {"HOME": "{t}/home"},
    {"HOME": "{t}/home/"},
    {"HOME": "{t}//home//"},
    {"HOME": "/"},
    {"HOME": ""},
    {"HOME": "relative/home"},
    {},
    {"HOME": "{t}/h", "XDG_STATE_HOME": "{t}/state", "XDG_RUNTIME_DIR": "{t}"},
    {"HOME": "{t}/h", "XDG_STATE_HOME": "{t}/state/", "XDG_RUNTIME_DIR": "{t}/"},
    {"HOME": "{t}/h", "XDG_STATE_HOME": "relative", "XDG_RUNTIME_DIR": "relative"},
    {"HOME": "{t}/h", "XDG_STATE_HOME": "", "XDG_RUNTIME_DIR": ""},
    {"HOME": "{t}/h", "XDG_RUNTIME_DIR": "{t}/is/not/there"},
    {"LEEBOARD_STATE_DIR": "{t}/own", "LEEBOARD_RUNTIME_DIR": "{t}/run"},
    {"LEEBOARD_STATE_DIR": "{t}/own/", "LEEBOARD_RUNTIME_DIR": "{t}/run/"},
    {"LEEBOARD_STATE_DIR": "{t}//own/../other/./x", "LEEBOARD_RUNTIME_DIR": "{t}/run/../run2"},
    {"LEEBOARD_STATE_DIR": "{t}/.hidden", "LEEBOARD_RUNTIME_DIR": "{t}/.run"},
    {"LEEBOARD_STATE_DIR": "own", "LEEBOARD_RUNTIME_DIR": "run"},
    {"LEEBOARD_STATE_DIR": "~/own", "LEEBOARD_RUNTIME_DIR": "~/run", "HOME": "{t}/h"},
    {"LEEBOARD_STATE_DIR": "", "LEEBOARD_RUNTIME_DIR": "", "HOME": "{t}/h"},
    {"LEEBOARD_STATE_DIR": "{t}/räder \udcff", "LEEBOARD_RUNTIME_DIR": "{t}/läufe"},
    {"LEEBOARD_STATE_DIR": "{t}/x", "LEEBOARD_RUNTIME_DIR": "{t}/" + "long" * 30},
]


@pytest.mark.parametrize("env", ENVIRONMENTS, ids=lambda env: " ".join(f"{k[:18]}={v[:14]}" for k, v in env.items()))
def test_client_and_resident_meet_at_one_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, env: dict[str, str]
) -> None:
    """The client can not import `leeboard.io.places`, which has the rule; the two are held together here."""
    monkeypatch.chdir(tmp_path)
    told = {name: value.replace("{t}", str(tmp_path)) for name, value in env.items()}
    for name in [name for name in os.environ if name.startswith(("LEEBOARD_", "XDG_")) or name == "HOME"]:
        monkeypatch.delenv(name)
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    assert hook_client.state_dir(environment(**told)) == os.fsencode(places.state_dir())
    assert hook_client.socket_path(environment(**told)) == os.fsencode(places.socket_path())


def test_what_the_client_asks_is_what_the_resident_reads() -> None:
    env = environment(HOME="/h", PATH="/bin", LEEBOARD_PROFILE="enforce", XDG_X="a=b\n", SECRET="s3cr3t")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(hook_client.request(env, b'{"a": 1}'))
        read = hook_request.read_request(theirs)
    assert read == hook_request.HookRequest(
        fingerprint=resident.fingerprint(),
        env={"HOME": "/h", "PATH": "/bin", "LEEBOARD_PROFILE": "enforce", "XDG_X": "a=b\n"},
        payload=b'{"a": 1}',
    )


def loaded(arguments: tuple[str, ...], payload: bytes, env: dict[str, str]) -> set[str]:
    command = (sys.executable, "-I", "-S", "-X", "importtime", *arguments)
    done = subprocess.run(command, input=payload, env=env, capture_output=True, check=True)
    return {line.rpartition(b"|")[2].strip().decode() for line in done.stderr.splitlines() if b"|" in line}


def test_a_client_that_is_answered_imports_nothing_but_sockets(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    with process.resident():
        modules = loaded((process.script,), prompt("fix it"), process.environment())
    assert modules - loaded(("-c", "pass"), b"", {}) == {"_socket"}


def test_a_client_alone_imports_nothing_that_only_some_events_need(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    env = process.environment({"LEEBOARD_RESIDENT": "0"})
    modules = loaded((process.script,), edit("t1", "/repo/src/auth/api_keys2.py"), env)
    assert "leeboard.app.handle" in modules
    heavy = {"ast_grep_py", "subprocess", "tomllib", "asyncio", "pathlib", "click", "rich"}
    small = {"msgspec.inspect", "msgspec._json_schema", "platform", "shlex", "textwrap", "unicodedata", "zlib"}
    ours = {"secrets.detection", "truth.underneath", "model.truth", "app.plan.hooks", "app.tracked"}
    assert not modules & (heavy | small | {f"leeboard.{name}" for name in ours})


_SPARED = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("hook_client", sys.argv[1])
client = importlib.util.module_from_spec(spec)
spec.loader.exec_module(client)
for name in ("platform", "uuid"):
    sys.modules.pop(name, None)
client._find_package()
from leeboard.surfaces.quick_imports import spare_imports
spare_imports()
assert not {"platform", "uuid", "decimal"} & {*sys.modules}
import uuid
assert uuid.uuid4().version == 4 and uuid.uuid1().version == 1
import datetime
assert datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC).isoformat() == "2024-01-01T00:00:00+00:00"
import decimal
assert decimal.Decimal("0.1") + decimal.Decimal("0.2") == decimal.Decimal("0.3")
client._find_package()
import msgspec
class Named(msgspec.Struct):
    name: str
    at: datetime.datetime
one = Named("a", datetime.datetime.now(datetime.UTC))
assert msgspec.json.decode(msgspec.json.encode(one), type=Named) == one
"""


def test_what_is_spared_is_missed_by_nobody() -> None:
    """Who asks for the real `uuid` or `decimal` later gets it; `datetime` and msgspec do what they always do."""
    command = (sys.executable, "-I", "-S", "-c", _SPARED, hook_client.__file__)
    subprocess.run(command, check=True, timeout=60)


def test_the_answer_is_the_same_with_and_without_a_resident(tmp_path: Path) -> None:
    payloads = [
        prompt("fix the auth bug, only touch src/auth", prompt_id="p1"),
        edit("t1", "/repo/src/styles/theme.css"),
        edit("t1", "/repo/src/styles/theme.css", name="PostToolUse"),
        hook_payload("Stop"),
    ]
    alone, served = HookProcess(folder=str(tmp_path / "a")), HookProcess(folder=str(tmp_path / "b"))
    told_alone = [alone.run(payload, {"LEEBOARD_RESIDENT": "0"}).stdout for payload in payloads]
    with served.resident():
        told_served = [served.run(payload).stdout for payload in payloads]
    assert told_alone == told_served
    assert b"theme.css" in b"".join(told_alone)


def test_a_socket_in_a_folder_that_others_can_write_to_is_not_trusted(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    with process.resident():
        (tmp_path / "r").chmod(0o777)
        env = {os.fsencode(k): os.fsencode(v) for k, v in process.environment().items()}
        assert hook_client._ask(hook_client.socket_path(env), env, b"{}", hook_client.SECONDS) is None


@pytest.mark.parametrize("answer", [b"", b"5\nabc", b"x\nabc", b"-1\n", b"3\nabcdef", b"nonsense"])
def test_half_an_answer_is_none(tmp_path: Path, answer: bytes) -> None:
    path = os.fsencode(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        child = os.fork()
        if child == 0:
            connection, _ = listener.accept()
            connection.recv(100)
            connection.sendall(answer)
            os._exit(0)
        assert hook_client._exchange(path, b"hello", hook_client.SECONDS) is None
        os.waitpid(child, 0)


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
@pytest.mark.parametrize("spelled", ['"LEEBOARD_OFF"', '"LEEBOARD\\u005fOFF"'])
def test_what_a_clone_gives_its_client_does_not_mute_the_guard(tmp_path: Path, name: str, spelled: str) -> None:
    folder = tmp_path / "repo" / ".claude"
    folder.mkdir(parents=True)
    (folder / name).write_text(f'{{"env": {{{spelled}: "1"}}}}', encoding="utf-8")
    hook = HookProcess(folder=str(tmp_path / "home"))
    env = {"LEEBOARD_OFF": "1", "LEEBOARD_RESIDENT": "0", "CLAUDE_PROJECT_DIR": str(folder.parent)}
    hook.run(hook_payload("SessionStart", cwd=str(folder.parent), source="startup"), env)
    assert (Path(hook.state_dir) / "leeboard.db").exists()


def test_settings_too_long_to_be_read_set_nothing_of_ours(tmp_path: Path) -> None:
    """The variable stands behind what is read, or an escape ends there."""
    folder = tmp_path / "repo" / ".claude"
    folder.mkdir(parents=True)
    env = {b"LEEBOARD_OFF": b"1", b"XDG_STATE_HOME": b"/x", b"PATH": b"/bin"}
    env |= environment(CLAUDE_PROJECT_DIR=str(folder.parent), HOME=str(tmp_path / "home"))
    for padding in (" ", "\\u0020"):
        text = f'{{"pad": "{padding * (1 << 20)}", "env": {{"LEEBOARD_OFF": "1"}}}}'
        (folder / "settings.json").write_text(text, encoding="utf-8")
        left = dict(env)
        hook_client.drop_brought(left)
        assert left.keys() & {b"LEEBOARD_OFF", b"XDG_STATE_HOME", b"PATH"} == {b"PATH"}


def test_what_the_user_says_in_their_shell_counts(tmp_path: Path) -> None:
    hook = HookProcess(folder=str(tmp_path / "home"))
    env = {"LEEBOARD_OFF": "1", "LEEBOARD_RESIDENT": "0", "CLAUDE_PROJECT_DIR": str(tmp_path)}
    hook.run(hook_payload("SessionStart", cwd=str(tmp_path), source="startup"), env)
    assert not (Path(hook.state_dir) / "leeboard.db").exists()
