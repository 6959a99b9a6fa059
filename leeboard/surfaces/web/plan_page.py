"""A project with its intents, and one of them as a plan: stages, waves of units, gates, findings, what happened."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from leeboard.app.plan.engine import Engine
from leeboard.app.views.next_step import next_step
from leeboard.app.views.plan import view_plan
from leeboard.app.views.plan_log import plan_log
from leeboard.app.views.review import filed_requests
from leeboard.app.views.sessions import sessions_page
from leeboard.app.views.tool_words import for_people
from leeboard.io import clock
from leeboard.plan.disk.lost_intents import lost_intents
from leeboard.store.paging import SessionFilter
from leeboard.surfaces.web.drawing import plan_graph, spark
from leeboard.surfaces.web.site import Site, number_of

NEWEST_SESSIONS = 12


def overview(site: Site, request: Request) -> Response:
    """What waits anywhere, what runs, and every project."""
    values = {"sessions": sessions_page(SessionFilter(), limit=NEWEST_SESSIONS), "spark": spark}
    return site.page(request, "overview.html", values)


def waiting(site: Site, _request: Request) -> Response:
    """The same in JSON, for programs of this user."""
    keys = ("kind", "project", "intent", "title", "stage", "text", "since")
    return JSONResponse([{key: getattr(work, key) for key in keys} for work in site.look()])


def project(site: Site, request: Request) -> Response:
    found = site.project(request)
    engine = Engine(found.root)
    plans = [engine.look(slug) for slug in engine.slugs(archived=True)]
    values = {
        "project": found,
        "plans": [(plan.summary(), engine.is_asleep(plan.intent.slug)) for plan in plans],
        "elsewhere": [each for each in lost_intents(engine.home) if each.command] if found.has_plan else [],
        "sessions": sessions_page(SessionFilter(project=found.root), limit=NEWEST_SESSIONS),
        "spark": spark,
    }
    return site.page(request, "project.html", values)


def plan(site: Site, request: Request) -> Response:
    found, engine, slug = site.intent(request)
    seen = engine.look(slug, truth=True)
    step = next_step(seen, clock.iso(clock.now()))
    view, skip = view_plan(seen, step), number_of(request, "log")
    clue = step.clue
    values = {
        "project": found,
        "intent": slug,
        "plan": view,
        "next": for_people(clue.message, clue.payload) if clue else "",
        "blocks": [for_people(text) for text in view.blocks],
        "graphs": {stage.name: plan_graph(stage) for stage in view.stages},
        "guards": {stage.spec.name: ", ".join(stage.spec.review) or "auto" for stage in seen.stages},
        "feedback": tuple(filed_requests(seen)),
        "log": plan_log(engine, seen, skip),
        "skip": skip,
    }
    return site.page(request, "plan.html", values)
