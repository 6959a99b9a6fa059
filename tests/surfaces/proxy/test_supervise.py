"""A client behind a proxy of its own: whatever happens to the proxy, the client reaches its model."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from leeboard.surfaces.proxy.process import open_listener
from tests.surfaces.proxy import small_client
from tests.surfaces.proxy.running_proxy import LIMIT
from tests.surfaces.proxy.scripted_upstream import Upstream, answer, playing, whole

ROOT = Path(__file__).resolve().parents[3]
CLIENT = (sys.executable, str(Path(small_client.__file__)))
SECRET = "sk-ant-api03-of-this-test-alone"


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    with playing(answer(whole(b"hello"))) as playing_upstream:
        yield playing_upstream


class Stand:
    """A home of its own, and `leeboard` in it."""

    def __init__(self, folder: Path, upstream: Upstream) -> None:
        self.folder = folder
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PYTHONPATH": str(ROOT),
            "LEEBOARD_STATE_DIR": str(folder / "state"),
            "LEEBOARD_RUNTIME_DIR": str(folder / "run"),
            "ANTHROPIC_BASE_URL": upstream.address,
            "ANTHROPIC_API_KEY": SECRET,
        }

    def start(self, *words: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        line = (sys.executable, "-m", "leeboard", *words)
        return subprocess.Popen(
            line, cwd=self.folder, env=self.env, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True
        )

    def run(self, *words: str) -> tuple[int, list[str], str]:
        """Exit code, lines on stdout, and what was said."""
        process = self.start(*words)
        out, said = process.communicate(timeout=LIMIT)
        return process.returncode, out.splitlines(), said


@pytest.fixture
def stand(tmp_path: Path, upstream: Upstream) -> Stand:
    return Stand(tmp_path, upstream)


def is_there(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_client_reaches_its_model_and_nothing_is_left(stand: Stand, upstream: Upstream) -> None:
    before = {path.name for path in stand.folder.iterdir()}
    code, lines, said = stand.run("run", "-q", "--", *CLIENT, "ask", "pid", "env", "ANTHROPIC_BASE_URL", "exit", "7")
    assert (code, lines[0], said) == (7, "hello", "")
    assert lines[2].startswith("http://127.0.0.1:")
    assert lines[2].endswith(f"/http/127.0.0.1:{upstream.port}")
    assert not is_there(int(lines[1]))
    assert SECRET.encode() in upstream.requests[0][0], "credentials pass through"
    assert {path.name for path in stand.folder.iterdir()} - before <= {"state", "run"}
    kept = b"".join(path.read_bytes() for path in (stand.folder / "state").rglob("*") if path.is_file())
    assert SECRET.encode() not in kept


def test_the_proxys_process_is_given_no_credential(stand: Stand) -> None:
    process = stand.start("run", "-q", "--", *CLIENT, "pid", "wait")
    assert process.stdin is not None
    assert process.stdout is not None
    number = process.stdout.readline().strip()
    environ = Path(f"/proc/{number}/environ").read_bytes()
    process.communicate("\n", timeout=LIMIT)
    assert SECRET.encode() not in environ
    assert b"LEEBOARD_STATE_DIR=" in environ


def test_a_proxy_that_dies_is_started_again_on_the_same_port(stand: Stand) -> None:
    code, lines, said = stand.run("run", "-q", "--", *CLIENT, "ask", "kill", "ask", "ask")
    assert (code, lines) == (0, ["hello"] * 3)
    assert said.splitlines() == [
        "leeboard: the proxy died (signal 9); it was started again, and the client did not notice"
    ]
    assert "the proxy died (signal 9)" in (stand.folder / "state" / "misses.log").read_text(encoding="utf-8")


def test_one_that_dies_again_and_again_only_forwards(stand: Stand) -> None:
    code, lines, said = stand.run("run", "-q", "--", *CLIENT, "kill", "ask", "kill", "ask", "kill", "ask")
    assert (code, lines) == (0, ["hello"] * 3)
    assert [("plain forwarder" in line) for line in said.splitlines()] == [False, True, True]


def test_one_that_can_not_be_kept_alive_is_told_of(stand: Stand) -> None:
    process = stand.start("run", "-q", "--", *CLIENT, *["kill"] * 5, "wait", "exit", "3")
    assert process.stderr is not None
    said = [process.stderr.readline() for _ in range(5)]
    process.communicate("\n", timeout=LIMIT)
    assert process.returncode == 3
    assert "5 times" in said[-1]
    assert "start it by itself" in said[-1]


def test_signals_are_the_clients(stand: Stand) -> None:
    process = stand.start("run", "-q", "--", *CLIENT, "pid", "wait")
    assert process.stdout is not None
    number = int(process.stdout.readline())
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LIMIT)
    assert process.returncode == 128 + signal.SIGTERM
    assert not is_there(number)


def test_when_we_are_killed_the_proxy_lives_as_long_as_the_client(stand: Stand) -> None:
    with stand.start("run", "-q", "--", *CLIENT, "pid", "wait", "ask", "pid") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        number = int(process.stdout.readline())
        watched = os.pidfd_open(number)
        process.kill()
        process.wait()
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "hello\n"
        assert int(process.stdout.readline()) == number
        assert process.stdout.read() == "", "the client has ended"
    assert select.select([watched], [], [], LIMIT)[0], "and so does the proxy"
    os.close(watched)


def test_a_program_that_is_not_there_is_named(stand: Stand) -> None:
    code, _, said = stand.run("run", "--", "/not/there")
    assert code == 5
    assert "/not/there: can not be started: No such file or directory" in said


def test_a_standing_proxy_is_found_and_replaced_should_it_end(stand: Stand) -> None:
    with open_listener() as free:
        port = int(free.getsockname()[1])
    standing = stand.start("proxy", "--port", str(port))
    assert standing.stderr is not None
    assert standing.stderr.readline() == f"leeboard: the proxy listens on 127.0.0.1:{port}; Ctrl-C ends it\n"
    process = stand.start("run", "-q", "--", *CLIENT, "pid", "wait", "ask", "pid")
    assert process.stdin is not None
    assert process.stdout is not None
    assert int(process.stdout.readline()) == standing.pid
    standing.send_signal(signal.SIGINT)
    standing.communicate(timeout=LIMIT)
    assert standing.returncode == 0
    assert process.stderr is not None
    said = process.stderr.readline()
    assert "one of its own on port" in said
    out, _ = process.communicate("\n", timeout=LIMIT)
    assert out.splitlines()[0] == "hello"
    assert int(out.splitlines()[1]) != standing.pid
    assert process.returncode == 0


def test_whoever_takes_the_port_of_a_standing_proxy_gets_nothing_of_the_client(stand: Stand) -> None:
    with open_listener() as free:
        port = int(free.getsockname()[1])
    standing = stand.start("proxy", "--port", str(port))
    assert standing.stderr is not None
    standing.stderr.readline()
    process = stand.start("run", "-q", "--", *CLIENT, "pid", "wait", "ask")
    assert process.stdout is not None
    assert int(process.stdout.readline()) == standing.pid
    process.send_signal(signal.SIGSTOP)
    standing.kill()
    standing.communicate(timeout=LIMIT)
    with playing(answer(whole(b"{}")), port) as stranger:
        process.send_signal(signal.SIGCONT)
        assert process.stderr is not None
        assert "a process that is none of ours has taken port" in process.stderr.readline()
        process.communicate(timeout=LIMIT)
    assert process.returncode == 128 + signal.SIGTERM
    assert not any(SECRET.encode() in head for head, _ in stranger.requests)


def test_two_runs_share_what_takes_the_place_of_a_standing_proxy(stand: Stand) -> None:
    with open_listener() as free:
        port = int(free.getsockname()[1])
    standing = stand.start("proxy", "--port", str(port))
    assert standing.stderr is not None
    standing.stderr.readline()
    runs = [stand.start("run", "-q", "--", *CLIENT, "pid", "wait", "ask", "wait") for _ in range(2)]
    for process in runs:
        assert process.stdout is not None
        process.stdout.readline()
    standing.kill()
    standing.communicate(timeout=LIMIT)
    ready, _, _ = select.select([process.stderr for process in runs], [], [], LIMIT)
    assert ready, "one of them has taken the port"
    for process in runs:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "hello\n"
    for process in runs:
        process.communicate("\n", timeout=LIMIT)
        assert process.returncode == 0
