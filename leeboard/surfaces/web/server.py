"""The server: loopback alone, one for each user, in a terminal or behind the scenes.

Who starts it is a person; whatever is decided on its pages is decided under their name. Started anew it finds its
visitors again, and everything else lies on the disk anyway.
"""

from __future__ import annotations

import getpass
import os
import socket
import sys
from collections.abc import Callable
from typing import Any

import msgspec
import uvicorn

from leeboard.app.ring import Ring, RingSettings, words_for
from leeboard.app.views.projects import WaitingWork
from leeboard.errors import EffectError
from leeboard.io.process import hide_memory
from leeboard.surfaces.web.application import application
from leeboard.surfaces.web.control import Control, refusal_for
from leeboard.surfaces.web.doorkeeper import Doorkeeper
from leeboard.surfaces.web.site import DoubtAt, Site, doubt_at

LOOPBACK = "127.0.0.1"
PORT = 4117
NAME = "leeboard.localhost"
"""Browsers lead every name below `localhost` to this machine. A name of its own keeps the cookie from other servers on
it: to a browser all ports of one name are one place.
"""
NAMES = (NAME, "localhost", LOOPBACK)


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True):
    root: str
    """The project it was started in: it is shown, also where nothing was recorded in it yet."""
    port: int = PORT
    """Where it is taken, another one is used; zero: any."""
    name: str = NAME
    ring: RingSettings = RingSettings()


class WebServer:
    """`doubt` and `refusal` say why a browser or a caller is not taken for a person's."""

    def __init__(
        self,
        settings: ServerSettings,
        say: Callable[[str], None],
        doubt: DoubtAt = doubt_at,
        refusal: Callable[[int], str] = refusal_for,
    ) -> None:
        self._say = say
        self._ring = Ring(settings.ring)
        self._socket = _bound(settings.port)
        self.host = f"{settings.name}:{self._socket.getsockname()[1]}"
        self.doorkeeper = Doorkeeper(getpass.getuser())
        self._site = Site(self.doorkeeper, (settings.root,), getpass.getuser(), doubt)
        self._control = Control(self._answer, refusal)
        app = application(self._site, self.host, self._called, lambda: self._server.should_exit)
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                http="h11",  # whatever else is installed: what a request may look like is this one's to say
                ws="none",
                timeout_graceful_shutdown=1,
            )
        )

    @property
    def address(self) -> str:
        return f"http://{self.host}/"

    def entrance(self, to: str = "", *, is_elsewhere: bool = False) -> str:
        """An address that lets one browser in, once."""
        token = self.doorkeeper.invite(is_elsewhere=is_elsewhere)
        return f"{self.address}enter?token={token}" + (f"&to={to}" if to else "")

    def run(self) -> None:
        """Until it is told to end."""
        try:
            self._control.begin()
            self._server.run(sockets=[self._socket])
        finally:
            self._control.end()
            self._socket.close()

    @property
    def is_up(self) -> bool:
        return self._server.started

    def stop(self) -> None:
        self._server.should_exit = True

    def _answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        match asked.get("ask"):
            case "enter":
                elsewhere = asked.get("from") == "elsewhere"
                return {"address": self.entrance(str(asked.get("to", "")), is_elsewhere=elsewhere)}
            case "stop":
                self.stop()
            case "send_away":
                self.doorkeeper.send_away()
        return {"address": self.address, "pid": os.getpid()}

    def _called(self, work: WaitingWork) -> None:
        """A gate that opens rings, and says where."""
        address = f"{self.address}p/{work.key}/i/{work.intent}"
        self._say(words_for(work, address))
        self._ring.ring(work, address)


def _bound(port: int) -> socket.socket:
    """Only this machine reaches it."""
    for wanted in dict.fromkeys((port, 0)):
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((LOOPBACK, wanted))
        except OSError:
            made.close()
            continue
        made.set_inheritable(False)
        return made
    raise EffectError(f"no port of {LOOPBACK} can be bound")


def background() -> None:
    """`leeboard open` starts it so: settings as JSON in the first argument, and nobody to talk to."""
    hide_memory()
    settings = msgspec.json.decode(sys.argv[1], type=ServerSettings)
    WebServer(settings, lambda _: None).run()
