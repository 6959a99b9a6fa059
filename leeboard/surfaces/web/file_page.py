"""The documents of an intent, and files that a person brings. Nothing that was brought is ever served as a page."""

from __future__ import annotations

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from leeboard.app.person.upload import LARGEST, MOST_FILES, SHELVES, TYPES, BroughtFile, bring
from leeboard.app.plan.engine import Engine
from leeboard.app.views.documents import documents_of, picture_of, picture_type, read_document
from leeboard.model.plan import Plan
from leeboard.model.truth import INTENT_SCOPE
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.effect import Refusal
from leeboard.plan.machine.refusal import refuse
from leeboard.surfaces.web.guard import LARGEST_REQUEST
from leeboard.surfaces.web.site import Refused, Site, refused, text_of, there, words_of

INERT = "default-src 'none'; sandbox"
"""Whatever a browser makes of it, nothing in it runs."""


def files(site: Site, request: Request) -> Response:
    _, engine, slug = site.intent(request)
    return _shown(site, request, engine, slug)


def _shown(site: Site, request: Request, engine: Engine, slug: str, refusal: Refused | None = None) -> Response:
    plan = engine.look(slug)
    values = {
        "project": site.project(request),
        "intent": slug,
        "title": plan.intent.title,
        "documents": documents_of(engine.home, slug, (*_stages(plan), INTENT_SCOPE), texts=False),
        "stages": _stages(plan),
        "active": plan.active.spec.name if plan.active else "",
        "shelves": SHELVES,
        "largest": LARGEST,
        "together": LARGEST_REQUEST,
        "most": MOST_FILES,
        "types": sorted(TYPES),
        "refusal": refusal,
        "brought": request.query_params.getlist("brought"),
    }
    return site.page(request, "files.html", values, 409 if refusal else 200)


def _stages(plan: Plan) -> tuple[str, ...]:
    return tuple(view.spec.name for view in plan.stages if view.state.visits or view is plan.active)


def upload(site: Site, request: Request, form: FormData) -> Response:
    """One after the other, until one is refused; those before it are there, and the page lists them."""
    project, engine, slug = site.intent(request)
    given = [each for each in form.getlist("files") if isinstance(each, UploadFile) and each.filename]
    stage, refusal = text_of(form, "stage"), None
    if not given or len(given) > MOST_FILES:
        refusal = refuse("no_files", f"{len(given)} files were given.", f"Choose 1 to {MOST_FILES} at once.")
    for each in given if refusal is None else ():
        file = BroughtFile(
            name=each.filename or "",
            data=each.file.read(LARGEST + 1),
            stage=stage,
            shelf=text_of(form, "shelf"),
            by=site.name,
            why=words_of(form, "why"),
            replaces=text_of(form, "replaces") == "yes",
        )
        outcome = bring(engine, slug, file)
        if isinstance(outcome, Refusal):
            refusal = outcome
            break
    if refusal is not None:
        return _shown(site, request, engine, slug, refused(refusal))
    return there(f"/p/{project.key}/i/{slug}/files?brought={len(given)}#documents")


def picture(site: Site, request: Request) -> Response:
    """By its digest, and only where its bytes are those of a picture."""
    _, engine, slug = site.intent(request)
    data = picture_of(engine.home, slug, request.query_params.get("scope", ""), request.path_params["sha"])
    if data is None:
        raise HTTPException(404, "There is no such picture.")
    return Response(data, headers={"Content-Security-Policy": INERT}, media_type=picture_type(data))


def document(site: Site, request: Request) -> Response:
    """As a file to be saved, whatever it holds."""
    _, engine, slug = site.intent(request)
    plan, sha = engine.look(slug), request.path_params["sha"]
    listed = documents_of(engine.home, slug, (*_stages(plan), INTENT_SCOPE), texts=False)
    found = next((each for each in listed.shown if each.sha256 == sha), None)
    data = read_document(PlanFolder(engine.home), slug, found.path, LARGEST) if found else None
    if data is None:
        raise HTTPException(404, "There is no such document, or it is too large to be handed out here.")
    headers = {"Content-Security-Policy": INERT, "Content-Disposition": f'attachment; filename="{sha[:12]}.bin"'}
    return Response(data, headers=headers, media_type="application/octet-stream")
