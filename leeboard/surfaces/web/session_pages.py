"""Sessions: the list of all, one with its events, and what a person lets stand in it, always with a reason."""

from __future__ import annotations

from posixpath import join
from urllib.parse import urlencode

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from leeboard.app.archive import known_archive, opened_archive
from leeboard.app.person.allowance import allowances_for, widenings_for
from leeboard.app.person.baseline import accept_all
from leeboard.app.views.sessions import EVENTS, session_page, sessions_page
from leeboard.app.views.why import how_it_came
from leeboard.errors import ConfigError
from leeboard.model.session import Session
from leeboard.store.paging import SessionFilter, SessionPlace
from leeboard.surfaces.web.drawing import score_chart, spark
from leeboard.surfaces.web.site import Refused, Site, number_of, text_of, there, words_of

STATUSES = ("active", "completed", "abandoned")


def sessions(site: Site, request: Request) -> Response:
    wanted = _wanted(site, request)
    values = {
        "page": sessions_page(wanted, place_in(request)),
        "wanted": wanted,
        "statuses": STATUSES,
        "spark": spark,
        "further": further,
        "asked": {name: request.query_params.get(name, "") for name in ("project", "status")},
        "is_first": place_in(request) is None,
    }
    return site.page(request, "sessions.html", values)


def sessions_json(site: Site, request: Request) -> Response:
    found = sessions_page(_wanted(site, request), place_in(request))
    keys = ("id", "project", "goal", "status", "mode", "last_score", "events", "scored", "drifted", "updated")
    rows = [{key: getattr(row, key) for key in keys} for row in found.rows]
    following = further({}, found.following) if found.following else ""
    return JSONResponse({"sessions": rows, "next": following})


def _wanted(site: Site, request: Request) -> SessionFilter:
    key, status = request.query_params.get("project", ""), request.query_params.get("status", "")
    project = next((each.root for each in site.projects if each.key == key), "")
    if key and not project:
        raise HTTPException(404, "There is no such project here.")
    return SessionFilter(project=project, status=status if status in STATUSES else "")


def place_in(request: Request) -> SessionPlace | None:
    """Where the page begins; None: at the newest."""
    updated, _, row = request.query_params.get("after", "").partition("-")
    try:
        return SessionPlace(float.fromhex(updated), int(row)) if updated else None
    except ValueError as error:
        raise HTTPException(400, "That is no place in the list.") from error


def further(asked: dict[str, str], place: SessionPlace) -> str:
    """The query of the page that begins there."""
    given = {name: value for name, value in asked.items() if value}
    return urlencode({**given, "after": f"{place.updated.hex()}-{place.row}"})


def session(site: Site, request: Request) -> Response:
    return _shown(site, request)


def _shown(site: Site, request: Request, refusal: Refused | None = None) -> Response:
    id_ = request.query_params.get("id", "")
    before = number_of(request, "before")
    try:
        page = session_page(id_, before, number_of(request, "signals"))
    except ConfigError as error:
        raise HTTPException(404, str(error)) from error
    values = {
        "page": page,
        "chart": score_chart(page.history),
        "before": before,
        "everything": request.query_params.get("all", "") == "1",
        "at_once": EVENTS,
        "query": urlencode,
        "refusal": refusal,
        "done": request.query_params.get("done", ""),
    }
    return site.page(request, "session.html", values, 409 if refusal else 200)


def why(site: Site, request: Request) -> Response:
    """How an answer came about."""
    id_ = request.query_params.get("id", "")
    try:
        page = how_it_came(id_, "")
    except ConfigError as error:
        raise HTTPException(404, str(error)) from error
    return site.page(request, "why.html", {"page": page, "id": id_, "query": urlencode})


def allow(site: Site, request: Request, form: FormData) -> Response:
    """A finding, exactly that one: by the id of its verdict or signal, or as rule:subject."""
    found = _session(form)
    terms = {"reason": words_of(form, "reason"), "until": text_of(form, "until")}
    try:
        with opened_archive() as store:
            for allowance in allowances_for(store, found.root, text_of(form, "what"), terms):
                store.allow(allowance, found.root)
    except ConfigError as error:
        return _refused(site, request, error)
    return _back(found, "allowed")


def widen(site: Site, request: Request, form: FormData) -> Response:
    found = _session(form)
    paths = tuple(join(found.root, path.strip()) for path in text_of(form, "paths").splitlines() if path.strip())
    if not paths:
        return _refused(site, request, ConfigError("name a folder or a file that the work may touch too"))
    try:
        made = widenings_for(found.root, paths, words_of(form, "reason"), text_of(form, "until"))
        with opened_archive() as store:
            for allowance in made:
                store.allow(allowance, found.root)
    except ConfigError as error:
        return _refused(site, request, error)
    return _back(found, "widened")


def revoke(_site: Site, _request: Request, form: FormData) -> Response:
    found = _session(form)
    with opened_archive() as store:
        store.revoke(text_of(form, "allowance"))
    return _back(found, "revoked")


def rebaseline(site: Site, request: Request, form: FormData) -> Response:
    """Tracked files of the project, all as they are now."""
    found = _session(form)
    try:
        accept_all(found.root, site.name, words_of(form, "reason"))
    except ConfigError as error:
        return _refused(site, request, error)
    return _back(found, "accepted")


def _session(form: FormData) -> Session:
    try:
        with known_archive() as store:
            found = store.session(text_of(form, "id"))
    except ConfigError as error:
        raise HTTPException(404, str(error)) from error
    if found is None:
        raise HTTPException(404, "There is no such session.")
    return found


def _refused(site: Site, request: Request, error: ConfigError) -> Response:
    return _shown(site, request, Refused(code="not_done", text=str(error)))


def _back(found: Session, done: str) -> Response:
    return there(f"/session?{urlencode({'id': found.id, 'done': done})}")
