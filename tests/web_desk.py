"""A page that is really served, and people who look at it: through plain requests, or with a browser."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import msgspec

from leeboard.surfaces.web.doorkeeper import change_token
from leeboard.surfaces.web.guard import COOKIE
from leeboard.surfaces.web.server import ServerSettings, WebServer

Headers = Mapping[str, str | None]


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class WebDesk:
    """The server runs in a thread of this process; whoever connects is taken for a person's browser."""

    def __init__(self, root: str, agent: str = "", **settings: Any) -> None:
        self.root = root
        self.said: list[str] = []
        given = {"root": root, "port": 0, **settings}
        doubt = f"{agent} says that an agent sent this" if agent else ""
        self.server = WebServer(ServerSettings(**given), self.said.append, lambda *_: doubt, lambda _: agent)
        self.host = self.server.host
        self.port = int(self.host.rpartition(":")[2])
        self.cookie = ""
        self._thread = threading.Thread(target=self.server.run)

    def begin(self) -> None:
        self._thread.start()
        while not self.server.is_up and self._thread.is_alive():
            self._thread.join(0.01)

    def end(self) -> None:
        self.server.stop()
        self._thread.join()

    @property
    def address(self) -> str:
        return self.server.address.rstrip("/")

    def enter(self) -> None:
        token = self.server.entrance().partition("token=")[2]
        came = self.ask("GET", f"/enter?token={token}")
        assert came.status == 200, came.text
        self.cookie = came.headers["set-cookie"].partition(";")[0].partition("=")[2]

    def ask(self, method: str, path: str, body: bytes = b"", headers: Headers | None = None) -> Answered:
        """One request; a header that is None is not sent."""
        own: dict[str, str | None] = {"Host": self.host, "Cookie": f"{COOKIE}={self.cookie}" if self.cookie else None}
        if method != "GET":
            own |= {"Origin": self.address, "Content-Type": "application/x-www-form-urlencoded"}
            own["Content-Length"] = str(len(body))
        own |= headers or {}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in own.items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders(body)
            came = connection.getresponse()
            told = {name.lower(): value for name, value in came.getheaders()}
            return Answered(status=came.status, headers=told, body=came.read())
        finally:
            connection.close()

    def get(self, path: str, headers: Headers | None = None) -> Answered:
        return self.ask("GET", path, headers=headers)

    def shown(self, path: str) -> str:
        came = self.get(path)
        assert came.status == 200, (came.status, came.text[:2000])
        return came.text

    def post(self, path: str, fields: Mapping[str, Any], headers: Headers | None = None) -> Answered:
        given = {"token": self.token, **fields}
        return self.ask("POST", path, urlencode(given, doseq=True).encode(), headers)

    @property
    def token(self) -> str:
        return change_token(self.cookie)


@contextmanager
def served(root: str, agent: str = "", **settings: Any) -> Iterator[WebDesk]:
    desk = WebDesk(root, agent, **settings)
    desk.begin()
    try:
        if not agent:
            desk.enter()
        yield desk
    finally:
        desk.end()
