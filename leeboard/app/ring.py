"""Calling a person: something waits for them that an agent, or a whole team, waits for too.

Everything is the user's own choice and none of it can come from a repository: a line of text leaves this process, to
the desktop, to a terminal, to a command or to an address that this user named. What can not be done is left out, and
the first reason is kept.
"""

from __future__ import annotations

import os
import shlex
import shutil
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from posixpath import join
from urllib.error import URLError

import msgspec

from leeboard.app.views.projects import WaitingWork, project_key
from leeboard.errors import ConfigError
from leeboard.io import clock, system
from leeboard.io.places import state_dir
from leeboard.io.process import Bounds, run
from leeboard.model.session import Session, words_of_end
from leeboard.model.text import digest
from leeboard.trust.record import escaped

_SECONDS = 10.0
_PRINTED = 1 << 20
_SCHEMES = ("https://", "http://127.0.0.1", "http://localhost", "http://[::1]")
_LONGEST = 240
_KEPT_SECONDS = 14 * 86_400.0


class RingSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How this user wants to be called."""

    desktop: bool = True
    bell: bool = True
    command: str = ""
    """Run with the text as its last argument, and the particulars in its environment."""
    webhook: str = ""
    """Told in JSON."""

    def check(self) -> None:
        """ConfigError for an address that is told over an open line, and for a command that can not be read."""
        if self.webhook and not self.webhook.startswith(_SCHEMES):
            raise ConfigError(f"--webhook {self.webhook!r} is no https:// address")
        try:
            shlex.split(self.command)
        except ValueError as error:
            raise ConfigError(f"--ring-command {self.command!r} can not be read: {error}") from error


def settings_in(env: Mapping[str, str]) -> RingSettings:
    """For a process that nobody gives options to; `LEEBOARD_RING=off`: none at all. What is wrong there is left out."""
    if env.get("LEEBOARD_RING", "").strip().lower() in {"off", "0", "no"}:
        return RingSettings(desktop=False, bell=False)
    found = RingSettings(command=env.get("LEEBOARD_RING_COMMAND", ""), webhook=env.get("LEEBOARD_RING_WEBHOOK", ""))
    try:
        found.check()
    except ConfigError:
        return RingSettings()
    return found


def words_for(work: WaitingWork, address: str = "") -> str:
    """One line, with nothing in it that a terminal or a desktop could obey."""
    said = escaped(f"{work.title or work.intent}: {work.text}")[:_LONGEST]
    return f"{said} {address}".strip()


def forced_end(session: Session) -> WaitingWork | None:
    """What a person is called for where a forced action was outlasted; None where none was."""
    if not session.outlasted:
        return None
    return WaitingWork(
        kind="course",
        project=session.root,
        key=project_key(session.root),
        intent=session.id,
        title=f"session {session.id[:8]} in {session.root}",
        stage="",
        text=words_of_end(session),
        since=f"the {session.outlasted}. time",
    )


class Ring:
    """Calls a person. Several processes may see the same gate open: each way to call is taken once for it, by whoever
    comes first; a bell belongs to the terminal it rings in, and is rung in each.
    """

    def __init__(self, settings: RingSettings) -> None:
        self._settings = settings
        self.problem = ""

    def ring(self, work: WaitingWork, address: str = "") -> None:
        for call in self._calls(work, words_for(work, address), address):
            try:
                call()
            except (OSError, URLError, ValueError) as error:
                self.problem = self.problem or str(error)

    def _calls(self, work: WaitingWork, text: str, address: str) -> Iterator[Callable[[], object]]:
        settings = self._settings
        if settings.bell and _is_first(work, f"bell of session {os.getsid(0)}"):
            yield _bell
        if settings.desktop and (command := _desktop(text)) and _is_first(work, "desktop"):
            yield lambda: _run(command, {})
        if settings.command and _is_first(work, settings.command):
            particulars = {
                "LEEBOARD_RING_KIND": work.kind,
                "LEEBOARD_RING_INTENT": work.intent,
                "LEEBOARD_RING_PROJECT": work.project,
                "LEEBOARD_RING_ADDRESS": address,
            }
            yield lambda: _run([*shlex.split(settings.command), text], particulars)
        if settings.webhook and _is_first(work, settings.webhook):
            yield lambda: _post(settings.webhook, work, text)


def _is_first(work: WaitingWork, way: str) -> bool:
    """Whether nobody called this way for it before. Where that can not be written down, it is called once more."""
    folder = join(state_dir(), "rung")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103 - paths are strings here
        _forget_old(folder)
        name = join(folder, digest(f"{work.mark}\0{way}", 16))
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.CLOEXEC, 0o600))
    except FileExistsError:
        return False
    except OSError:
        return True
    return True


def _forget_old(folder: str) -> None:
    with os.scandir(folder) as found:
        for kept in found:
            if clock.now() - kept.stat().st_mtime > _KEPT_SECONDS:
                os.unlink(kept.path)  # noqa: PTH108 - as above


def _bell() -> None:
    """To the terminal that this process has, if any."""
    terminal = os.open("/dev/tty", os.O_WRONLY | system.NOCTTY | system.CLOEXEC)
    try:
        os.write(terminal, b"\a")
    finally:
        os.close(terminal)


def _desktop(text: str) -> list[str]:
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        program = shutil.which("notify-send")
        return [program, "--app-name=leeboard", "--", "Leeboard", text] if program else []
    program = shutil.which("osascript")
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return [program, "-e", f'display notification "{quoted}" with title "Leeboard"'] if program else []


def _run(command: list[str], particulars: dict[str, str]) -> None:
    ran = run(command, "/", {**os.environ, **particulars}, Bounds(_SECONDS, _PRINTED))
    if ran.code != 0:
        raise OSError(f"{command[0]}: ended with {'no code in time' if ran.code is None else ran.code}")


def _post(address: str, work: WaitingWork, text: str) -> None:
    told = {"text": text, "kind": work.kind, "intent": work.intent, "stage": work.stage, "since": work.since}
    request = urllib.request.Request(  # noqa: S310 - the scheme was checked when it was given
        address, msgspec.json.encode(told), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=_SECONDS):  # noqa: S310 - as above
        return
