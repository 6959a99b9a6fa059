"""What all pages share: who looks, which projects there are, what waits, and how a page is made.

A project stands in an address by its key and an intent by its name, both looked up in what is there: no part of an
address ever becomes part of a path.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from itertools import islice
from threading import Lock
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from leeboard.app.guard.alive import loud_words
from leeboard.app.hook_origin import agent_around
from leeboard.app.person.pull_request import OpenedReview
from leeboard.app.plan.engine import Engine
from leeboard.app.views.projects import ShownProject, WaitingWatch, WaitingWork, known_projects
from leeboard.app.views.tool_words import for_people
from leeboard.app.views.trends import TrendCounter
from leeboard.io import clock
from leeboard.io.connection import Address, other_end
from leeboard.io.parents import lineage, program_of
from leeboard.plan.effect import Refusal
from leeboard.plan.words import WORDS
from leeboard.secrets.redaction import redact
from leeboard.surfaces.web.doorkeeper import Doorkeeper, change_token, is_change_token
from leeboard.surfaces.web.guard import state_of
from leeboard.surfaces.web.rendering import render

LISTEN_SECONDS = 10.0
"""So often the clients' own records are held against what was heard."""
KNOWN_SECONDS = 2.0
"""So long a list of projects and of what waits is good."""
MOST_FIELDS = 4_000
LARGEST_FIELD = 1 << 20

DoubtAt = Callable[[Address, Address, bool], str]
"""Why whoever holds the connection from one address to another is not taken for a person; empty: they are. The last is
whether they were invited to come through `ssh -L`.
"""
Handler = Callable[["Site", Request], Response]
Change = Callable[["Site", Request, FormData], Response]


def doubt_at(peer: Address, served: Address, is_elsewhere: bool = False) -> str:  # noqa: FBT001, FBT002 - a DoubtAt
    """`sshd` lets nobody look into it, so that one who hides may be one who comes from elsewhere. Their cookie is proof
    enough: it was exchanged for an address told in a terminal, and lies on another machine. Nobody here may bring it.
    """
    end = other_end(peer, served)
    if is_elsewhere and not all(map(_is_ssh, end.holders)):
        return "a browser of this machine sent it. `leeboard open` lets that one in; `--ssh` is for one elsewhere"
    if end.is_hidden and not is_elsewhere:
        return (
            "the process that sent this hides itself. Behind `ssh -L` come in by `leeboard open --ssh`; "
            "`leeboard flow review` asks you in a terminal"
        )
    agent = next(filter(None, map(agent_around, end.holders)), "")
    return f"{agent} says that an agent sent this" if agent else ""


def _is_ssh(pid: int) -> bool:
    return any(each.name.startswith("sshd") for each in islice(lineage(pid), 1))


def _ends(request: Request) -> tuple[Address, Address]:
    """Of the connection that brought a request."""
    served = request.scope.get("server") or ("", 0)
    return (request.client.host, request.client.port) if request.client else ("", 0), (served[0], served[1] or 0)


class Site:
    """One server's pages. Safe for several threads: nothing but lists that can be read anew is kept."""

    def __init__(self, doorkeeper: Doorkeeper, roots: tuple[str, ...], name: str, doubt: DoubtAt = doubt_at) -> None:
        self.doorkeeper = doorkeeper
        self.name = name
        """Who decides here: the user that this server was started by."""
        self.trends = TrendCounter()
        self.opened: dict[tuple[str, str], OpenedReview] = {}
        """By project and intent: how far a request to merge came. What counts of it is in the plan."""
        self._roots = roots
        self._doubt = doubt
        self._watch = WaitingWatch()
        self._lock = Lock()
        self._looked = 0.0
        self._projects: tuple[ShownProject, ...] = ()
        self._waiting: tuple[WaitingWork, ...] = ()
        self._listened = float("-inf")
        self._silences: tuple[tuple[ShownProject, str], ...] = ()

    def look(self, *, anew: bool = False) -> tuple[WaitingWork, ...]:
        """What waits for a person, in every project."""
        with self._lock:
            if anew or clock.monotonic() - self._looked > KNOWN_SECONDS:
                self._projects = known_projects(self._roots)
                self._waiting = self._watch.look(self._projects)
                self._looked = clock.monotonic()
            return self._waiting

    def silences(self) -> tuple[tuple[ShownProject, str], ...]:
        """What went silent or is paused in the projects, in words: every page says it until it is mended."""
        with self._lock:
            if clock.monotonic() - self._listened > LISTEN_SECONDS:
                self._silences = tuple(
                    (project, line) for project in self._projects for line in loud_words(project.root, os.environ)
                )
                self._listened = clock.monotonic()
            return self._silences

    @property
    def projects(self) -> tuple[ShownProject, ...]:
        self.look()
        return self._projects

    def project(self, request: Request) -> ShownProject:
        """The one in the address; 404 where there is none."""
        key = request.path_params["key"]
        found = next((project for project in self.projects if project.key == key), None)
        if found is None:
            raise HTTPException(404, "There is no such project here.")
        return found

    def intent(self, request: Request) -> tuple[ShownProject, Engine, str]:
        project = self.project(request)
        engine, slug = Engine(project.root), request.path_params["slug"]
        if slug not in engine.slugs(archived=True):
            raise HTTPException(404, "There is no such intent in this project.")
        engine.resolve(slug)
        return project, engine, slug

    def doubt(self, request: Request, *, is_elsewhere: bool) -> str:
        """Why who sends this request is not taken for a person; empty: they are, or the system does not say."""
        return self._doubt(*_ends(request), is_elsewhere) if request.client else ""

    def program(self, request: Request) -> str:
        """What sends this request; empty where the system does not say, or several do."""
        holders = other_end(*_ends(request)).holders if request.client else ()
        found = {program_of(pid) for pid in holders}
        return found.pop() if len(found) == 1 else ""

    def page(self, request: Request, template: str, values: dict[str, Any], status: int = 200) -> Response:
        _, cookie = state_of(request.scope)
        shared = {
            "site": self,
            "waiting": self.look(),
            "projects": self.projects,
            "silences": self.silences(),
            "path": request.url.path,
            "token": change_token(cookie),
            "refusal": None,
            "words_meant": WORDS,
        }
        return HTMLResponse(render(template, {**shared, **values}), status)


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """Why something was not done, as a page shows it."""

    code: str
    text: str


def refused(refusal: Refusal) -> Refused:
    return Refused(code=refusal.code, text=for_people(refusal.message, refusal.details))


def there(path: str) -> Response:
    """After a change: the page is read anew from what lies on the disk, however often it is reloaded."""
    return RedirectResponse(path, 303)


def shown(site: Site, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """A page; the disk is read in a thread of its own."""

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(handler, site, request)

    return endpoint


def changed(site: Site, change: Change) -> Callable[[Request], Awaitable[Response]]:
    """A change: only with the token of the page it was asked on, and never from a process of an agent."""

    async def endpoint(request: Request) -> Response:
        visitor, cookie = state_of(request.scope)
        async with request.form(max_files=50, max_fields=MOST_FIELDS, max_part_size=LARGEST_FIELD) as form:
            if not is_change_token(cookie, str(form.get("token", ""))):
                raise HTTPException(403, "This page is too old, or was not made here: load it anew.")
            doubt = await run_in_threadpool(site.doubt, request, is_elsewhere=visitor.is_elsewhere)
            if not doubt and visitor.program:
                program = await run_in_threadpool(site.program, request)
                doubt = f"{program} is not the browser that was let in" if program not in {"", visitor.program} else ""
            if doubt:
                raise HTTPException(403, f"Only a person decides, and {doubt}.")
            return await run_in_threadpool(change, site, request, form)

    return endpoint


def text_of(form: FormData, name: str) -> str:
    found = form.get(name, "")
    return found.strip() if isinstance(found, str) else ""


def words_of(form: FormData, name: str) -> str:
    """What a person says in their own words: kept without any secret in it, as on the command line."""
    return redact(text_of(form, name))


def number_of(request: Request, name: str) -> int:
    """From the query; zero for what is no number."""
    given = request.query_params.get(name, "")
    return int(given) if given.isdecimal() and len(given) < 19 else 0
