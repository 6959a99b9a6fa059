"""What every request has to pass before a page sees it, and what every answer says to the browser.

A foreign name in `Host` is a page that had its name point here (DNS rebinding); a foreign `Origin` is a page of
somebody else. Without a cookie of this server nothing is shown, and a change needs its token beside the cookie.
"""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from leeboard.surfaces.web.doorkeeper import Doorkeeper, Visitor

COOKIE = "leeboard"
LARGEST_REQUEST = 64 << 20
OPEN_PATHS = ("/enter", "/static/")
"""What anybody may ask for: it says nothing of anything."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_SAFE = {"GET", "HEAD"}


class Guard:
    def __init__(self, app: ASGIApp, doorkeeper: Doorkeeper, host: str) -> None:
        self._app = app
        self._doorkeeper = doorkeeper
        self._host = host
        """Name and port, as a browser sends them."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is None:
            cookie = cookie_of(headers)
            visitor = self._doorkeeper.visitor(cookie)
            if visitor is None and not scope["path"].startswith(OPEN_PATHS):
                refusal = (403, "You are not signed in here. Run `leeboard open` in a terminal of your own.")
            scope.setdefault("state", {}).update(visitor=visitor, cookie=cookie)
        answer = self._app if refusal is None else Response(refusal[1], refusal[0], media_type="text/plain")
        await answer(scope, receive, self._sending(scope["path"], send))

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Status and words. A request that names the server in its first line is one for a proxy."""
        if headers.getlist("host") != [self._host] or not scope["path"].startswith("/"):
            return 421, "This server answers to another name."
        origin = headers.getlist("origin")
        own = f"http://{self._host}"
        followed = scope["method"] in _SAFE and headers.get("sec-fetch-mode") == "navigate"
        strange = headers.get("sec-fetch-site", "same-origin") == "cross-site" and not followed
        if strange or any(each != own for each in origin):
            return 403, "Requests of other pages are refused."
        if scope["method"] in _SAFE:
            return None
        if origin != [own]:
            return 403, "A change has to come from a page of this server."
        length = headers.get("content-length", "")
        if "transfer-encoding" in headers or not length.isdigit() or int(length) > LARGEST_REQUEST:
            return 413, f"At most {LARGEST_REQUEST >> 20} MB are taken at once."
        return None

    def _sending(self, path: str, send: Send) -> Send:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "max-age=3600" if path.startswith("/static/") else "no-store")
            await send(message)

        return with_headers


def cookie_of(headers: Headers) -> str:
    found: SimpleCookie = SimpleCookie()
    try:
        found.load(headers.get("cookie", ""))
    except CookieError:
        return ""
    return found[COOKIE].value if COOKIE in found else ""


def state_of(scope: Scope) -> tuple[Visitor, str]:
    """The visitor and their cookie, behind the guard."""
    state: dict[str, Any] = scope["state"]
    return state["visitor"], state["cookie"]
