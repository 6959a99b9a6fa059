"""Which calls of a client its hooks are told of, tried with the version that is installed here.

The client is run once, without a terminal, in a home and a repository of its own that are gone afterwards, against a
scripted model on this machine: neither the user's account nor the network nor any of their files is used. What it tells
its hooks is written down by the hooks themselves. The result is kept for the version it was found with.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from posixpath import dirname, join
from shlex import quote
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from leeboard.app.guard.coverage import PARTS, Coverage, PartHeard, keep
from leeboard.clients import client_named, first_sign
from leeboard.clients.call import ClientProbe
from leeboard.errors import EffectError, LeeboardError
from leeboard.io import clock
from leeboard.io.file import read_regular, replace_file
from leeboard.io.process import Bounds, run
from leeboard.model.event import ToolFinished, ToolProposed

if TYPE_CHECKING:
    from leeboard.clients.call import HookCall

SECONDS = 90.0
"""For the whole of it; an ordinary run takes five."""
_LAST_SECONDS = 10.0
"""How long the end is kept back for an agent that works in the background."""
_LONGEST = 64 << 20
_PART = re.compile(r"leeboard-probe-%d-([a-z]+)")
_RAN = re.compile(rb"leeboard-probe-42-([a-z]+)")


def probe(client: str, program: str, version: str) -> Coverage:
    """Try it, and keep what was found. EffectError where the client can not be run, or makes no call at all."""
    script = client_named(client).probe()
    if script is None:
        raise EffectError(f"{first_sign(client, 'title')} can not be tried by itself yet")
    with TemporaryDirectory(prefix="leeboard-probe-") as folder:
        rehearsal = _Rehearsal(script, folder)
        rehearsal.run(program)
        told, over_http = rehearsal.heard(client)
    found = _coverage((client, version), told, over_http, rehearsal.ran)
    if not any(one.ran for one in found.parts):
        raise EffectError(f"{program} made none of the calls it was told to make: {rehearsal.last_words}")
    keep(found)
    return found


def _coverage(who: tuple[str, str], told: list[HookCall], over_http: list[HookCall], ran: Iterable[str]) -> Coverage:
    before, after, by_http = _parts(told, ToolProposed), _parts(told, ToolFinished), _parts(over_http, ToolProposed)
    home = next((call.cwd for call in told if call.kind == "start"), "")  # where the main agent works
    moved = {part for call in told for part in _named(call, ToolProposed) if part == "worktree" and call.cwd != home}
    tried = {part for part in ran if part != "worktree" or not before & {part} or moved}
    return Coverage(
        client=who[0],
        version=who[1],
        time=clock.now(),
        events=tuple(sorted({call.name for call in told})),
        http_events=tuple(sorted({call.name for call in over_http})),
        parts=tuple(
            PartHeard(part=part, ran=part in tried, before=part in before, after=part in after, by_http=part in by_http)
            for part in PARTS
        ),
    )


def _parts(told: list[HookCall], kind: type[ToolProposed | ToolFinished]) -> set[str]:
    return {part for call in told for part in _named(call, kind)}


def _named(call: HookCall, kind: type[ToolProposed | ToolFinished]) -> list[str]:
    lines = [event.call.command for event in call.events if isinstance(event, kind)]
    return [found[1] for line in lines if (found := _PART.search(line))]


class _Rehearsal:
    """A home, a repository and a model, for one run."""

    def __init__(self, script: ClientProbe, folder: str) -> None:
        self._script = script
        self._folder = folder
        self._posted: list[bytes] = []
        self._all_ran = threading.Event()
        self.ran: set[str] = set()
        self.last_words = ""

    def run(self, program: str) -> None:
        repo, home, heard = (join(self._folder, name) for name in ("repo", "home", "heard"))
        for place in (repo, home, heard):
            os.mkdir(place)  # noqa: PTH102 - paths are strings here
        with self._serving() as address:
            files = self._script.files(f"cat > {quote(heard)}/$$.json", f"{address}/heard")
            for name, text in {"repo/README.md": "# a rehearsal\n", **files}.items():
                path = join(self._folder, name)
                os.makedirs(dirname(path), exist_ok=True)  # noqa: PTH103 - as above
                replace_file(path, text.encode())
            env = {**_environment(home), **self._script.variables(address)}
            try:
                for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "begin")):
                    run(("git", *words), repo, env, Bounds(SECONDS))
                done = run(self._script.line(program), repo, env, Bounds(SECONDS, _LONGEST))
            except (OSError, ValueError) as error:
                raise EffectError(f"can not run {program}: {error}") from error
        said = (done.err or done.out).decode("utf-8", "replace").strip()
        self.last_words = said[-200:] or ("it did not end" if done.code is None else f"it ended with {done.code}")

    def heard(self, client: str) -> tuple[list[HookCall], list[HookCall]]:
        """What the hooks were told: by their command, and over HTTP."""
        folder = join(self._folder, "heard")
        files = [join(folder, name) for name in os.listdir(folder)]  # noqa: PTH208 - as above
        return _read(client, [read_regular(path, _LONGEST) for path in files]), _read(client, self._posted)

    def answer(self, path: str, headers: Mapping[str, str], body: bytes) -> tuple[str, bytes]:
        """What the scripted model answers to a client that is tried: content type and body."""
        if path == "/heard":
            self._posted.append(body)
            return "application/json", b"{}"
        self.ran |= {found.decode() for found in _RAN.findall(body)} & PARTS.keys()
        if self.ran >= PARTS.keys():
            self._all_ran.set()
        reply = self._script.reply(path, headers, body)
        if reply.last:
            self._all_ran.wait(_LAST_SECONDS)
        return reply.content_type, reply.body

    def _serving(self) -> _Server:
        return _Server(self)


class _Server:
    """The model, on this machine alone, for the length of a with block; its address."""

    def __init__(self, rehearsal: _Rehearsal) -> None:
        handler = type("Handler", (_Handler,), {"rehearsal": rehearsal})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    rehearsal: _Rehearsal

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
        """Nobody reads it."""

    def do_GET(self) -> None:
        self._send("application/json", b"{}")

    def do_HEAD(self) -> None:
        self._send("application/json", b"")

    def do_POST(self) -> None:
        told = self.headers.get("content-length") or "0"
        size = int(told) if told.isdigit() else 0
        body = self.rfile.read(min(size, _LONGEST))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._send(*self.rehearsal.answer(self.path, headers, body))

    def _send(self, content_type: str, body: bytes) -> None:
        with suppress(OSError):  # the client may have gone
            self.send_response(200)
            self.send_header("content-type", content_type)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)


def _environment(home: str) -> dict[str, str]:
    """Nothing of the user's but where programs lie. What leaves this machine leads to a port where nobody listens."""
    nowhere = "http://127.0.0.1:9"
    identity = {f"GIT_{who}_{what}": "probe" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": home,
        "SHELL": "/bin/sh",
        "TERM": "dumb",
        "LANG": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        **identity,
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"), nowhere),
        "NO_PROXY": "127.0.0.1,localhost",
        "no_proxy": "127.0.0.1,localhost",
    }


def _read(client: str, payloads: list[bytes]) -> list[HookCall]:
    found = []
    for payload in payloads:
        with suppress(LeeboardError):
            found.append(client_named(client).parse(payload, clock.now()))
    return found
