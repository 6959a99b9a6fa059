"""Every address of the page, in one table: what is shown, what changes something, what goes on and on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from leeboard.app.views.projects import WaitingWork
from leeboard.errors import LeeboardError
from leeboard.surfaces.web import drift_page, file_page, plan_page, review_page, session_pages, trend_page
from leeboard.surfaces.web.guard import COOKIE, Guard, cookie_of
from leeboard.surfaces.web.live import Newsroom, live
from leeboard.surfaces.web.rendering import render
from leeboard.surfaces.web.site import Change, Handler, Site, changed, shown

STATIC = Path(__file__).parent / "static"
INTENT = "/p/{key}/i/{slug}"
PAGES: dict[str, Handler] = {
    "/": plan_page.overview,
    "/waiting.json": plan_page.waiting,
    "/sessions": session_pages.sessions,
    "/sessions.json": session_pages.sessions_json,
    "/session": session_pages.session,
    "/why": session_pages.why,
    "/trends": trend_page.trends,
    "/p/{key}": plan_page.project,
    INTENT: review_page.review,
    f"{INTENT}/plan": plan_page.plan,
    f"{INTENT}/changes": drift_page.changes,
    f"{INTENT}/files": file_page.files,
    f"{INTENT}/picture/{{sha}}": file_page.picture,
    f"{INTENT}/document/{{sha}}": file_page.document,
}
CHANGES: dict[str, Change] = {
    f"{INTENT}/decide": review_page.decide,
    f"{INTENT}/say": review_page.say,
    f"{INTENT}/reply": review_page.reply,
    f"{INTENT}/changes/classify": drift_page.classify,
    f"{INTENT}/changes/override": drift_page.override,
    f"{INTENT}/files/upload": file_page.upload,
    "/session/allow": session_pages.allow,
    "/session/widen": session_pages.widen,
    "/session/revoke": session_pages.revoke,
    "/session/rebaseline": session_pages.rebaseline,
}


def application(site: Site, host: str, called: Callable[[WaitingWork], None], ending: Callable[[], bool]) -> Starlette:
    """`host`: name and port as a browser sends them. The others are what a `Newsroom` wants."""
    newsroom = Newsroom(site, called, ending)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        newsroom.begin()
        yield
        newsroom.end()

    routes: list[Any] = [Route(path, shown(site, handler), methods=["GET"]) for path, handler in PAGES.items()]
    routes += [Route(path, changed(site, change), methods=["POST"]) for path, change in CHANGES.items()]
    routes += [
        Route("/enter", entering(site), methods=["GET"]),
        Route("/live", live(newsroom), methods=["GET"]),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Guard, doorkeeper=site.doorkeeper, host=host)],
        exception_handlers={HTTPException: _http_error, LeeboardError: _own_error, OSError: _own_error},
    )


def entering(site: Site) -> Callable[[Request], object]:
    """The token in the address is good once; from then on it is the cookie.

    The answer is a page that leads on by itself: a redirect would count as coming from wherever the link stood, and
    the browser would keep the cookie to itself.
    """

    async def endpoint(request: Request) -> Response:
        if "prefetch" in request.headers.get("sec-purpose", request.headers.get("purpose", "")):
            return PlainTextResponse("", 204)
        token = request.query_params.get("token", "")
        doubt = await run_in_threadpool(site.doubt, request, is_elsewhere=site.doorkeeper.invites_elsewhere(token))
        if doubt:
            raise HTTPException(403, f"Only a person enters here, and {doubt}.")
        program = await run_in_threadpool(site.program, request)
        cookie = site.doorkeeper.admit(token, cookie_of(request.headers), program)
        if not cookie:
            words = "This address was used, or is too old. Run `leeboard open` in a terminal of your own for a new one."
            raise HTTPException(403, words)
        answer = HTMLResponse(render("enter.html", {"to": _inside(request.query_params.get("to", "/"))}))
        answer.set_cookie(COOKIE, cookie, max_age=30 * 86_400, httponly=True, samesite="strict", path="/")
        return answer

    return endpoint


def _inside(path: str) -> str:
    """Never to somewhere else."""
    return path if path.startswith("/") and not path.startswith("//") and "\\" not in path else "/"


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    text = str(error.detail) if isinstance(error, HTTPException) else "This is a fault of Leeboard."
    return _error_page(request, status, text)


async def _own_error(request: Request, error: Exception) -> Response:
    return _error_page(request, 503, str(error))


def _error_page(request: Request, status: int, text: str) -> Response:
    if request.url.path.endswith(".json"):
        return PlainTextResponse(text, status)
    return HTMLResponse(render("error.html", {"status": status, "text": text}), status)
