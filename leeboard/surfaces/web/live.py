"""What happens, while it happens: one thread looks whether anything was stored, and tells every open page.

A look at an unchanged database costs microseconds, however many sessions run; after a change each open page costs one
read of what came since. A browser that lost the line says where it stopped, and misses nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from posixpath import exists
from threading import Event, Lock, Thread

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from leeboard.app.views.projects import WaitingWork
from leeboard.app.views.sessions import SessionNews, session_news, session_row
from leeboard.errors import LeeboardError
from leeboard.io import clock
from leeboard.io.places import database
from leeboard.store import paging
from leeboard.store.sqlite import SqliteStore, open_store
from leeboard.surfaces.web.drawing import score_chart, spark
from leeboard.surfaces.web.rendering import render
from leeboard.surfaces.web.site import Site, number_of

LOOK_SECONDS = 0.05
WAITING_SECONDS = 1.0
LIST_SECONDS = 0.5
STILL_SECONDS = 15.0
NEWEST = 12


class News(msgspec.Struct, frozen=True, kw_only=True):
    """One message to a page: HTML that was made here, escaped like any other."""

    event: str
    id: int
    data: dict[str, object]

    @property
    def text(self) -> str:
        return f"id: {self.id}\nevent: {self.event}\ndata: {msgspec.json.encode(self.data).decode()}\n\n"


class Listener:
    """An open page: about one session, or about everything in short."""

    def __init__(self, session: str, after: int) -> None:
        self.session = session
        self.after = after
        self.version = -1
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[News | None] = asyncio.Queue()

    def tell(self, news: News | None) -> None:
        """From any thread; None: it is over."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
            self._loop.call_soon_threadsafe(self._queue.put_nowait, news)

    async def texts(self) -> AsyncIterator[str]:
        yield ": here\n\n"
        while True:
            try:
                news = await asyncio.wait_for(self._queue.get(), STILL_SECONDS)
            except TimeoutError:
                yield ": still here\n\n"
                continue
            if news is None:
                return
            yield news.text


class Newsroom:
    """Looks, and tells. `called`: what to do where something new waits for a person. `ending`: whether the server is
    about to end, which waits for open pages: they are told that it is over.
    """

    def __init__(self, site: Site, called: Callable[[WaitingWork], None], ending: Callable[[], bool]) -> None:
        self._site = site
        self._called = called
        self._ending = ending
        self._listeners: list[Listener] = []
        self._lock = Lock()
        self._ended = Event()
        self._thread = Thread(target=self._run, name="leeboard-news", daemon=True)
        self._store: SqliteStore | None = None
        self._seen = -1
        self._waits: frozenset[str] | None = None
        self._listed: dict[str, int] = {}

    def begin(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join(timeout=5)

    def join(self, listener: Listener) -> None:
        with self._lock:
            self._listeners.append(listener)
            self._seen = -1  # it may have missed something between its page and now

    def leave(self, listener: Listener) -> None:
        with self._lock:
            self._listeners.remove(listener)

    def _run(self) -> None:
        waited = listed = 0.0
        while not self._ended.wait(LOOK_SECONDS):
            with self._lock:
                listeners = tuple(self._listeners)
            if self._ending():
                for listener in listeners:
                    listener.tell(None)
                continue
            try:
                moved = bool(listeners) and self._has_moved()
                if moved:
                    self._tell_sessions(listeners)
                if listeners and clock.monotonic() - listed > LIST_SECONDS:
                    listed = clock.monotonic()
                    self._tell_list([one for one in listeners if not one.session])
                if clock.monotonic() - waited > WAITING_SECONDS:
                    self._look_for_work(listeners)
                    waited = clock.monotonic()
            except (LeeboardError, OSError):
                self._close()  # the database may be moved or replaced: the next look opens it anew
        self._close()

    def _has_moved(self) -> bool:
        if self._store is None:
            if not exists(database()):
                return False
            self._store = open_store(database())
        seen = paging.changes_seen(self._store.pages)
        moved, self._seen = seen != self._seen, seen
        return moved

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store, self._seen = None, -1

    def _tell_sessions(self, listeners: tuple[Listener, ...]) -> None:
        for listener in listeners:
            more = bool(listener.session)
            while more and self._store is not None:
                news = session_news(self._store, listener.session, listener.after)
                more = news.more if news else False
                if news is not None and news.events:
                    listener.after = news.events[-1].row
                    listener.tell(_session_told(news))

    def _tell_list(self, listeners: list[Listener]) -> None:
        """Rows that changed; each page gets those that are on it, or puts them on top."""
        if not listeners or self._store is None:
            return
        found = paging.session_slice(self._store.pages, paging.SessionFilter(), None, NEWEST).sessions
        fresh = [one for one in found if self._listed.get(one.id) != one.version]
        self._listed = {one.id: one.version for one in found}
        for one in reversed(fresh):
            row = session_row(one)
            html = render("_session_row.html", {"row": row, "spark": spark})
            for listener in listeners:
                listener.tell(News(event="row", id=0, data={"session": one.id, "html": html}))

    def _look_for_work(self, listeners: tuple[Listener, ...]) -> None:
        works = self._site.look(anew=True)
        marks = frozenset(work.mark for work in works)
        if self._waits is not None and marks != self._waits:
            for work in works:
                if work.mark not in self._waits:
                    self._called(work)
            html = render("_waiting.html", {"waiting": works})
            for listener in listeners:
                listener.tell(News(event="waiting", id=listener.after, data={"html": html, "count": len(works)}))
        self._waits = marks


def _session_told(news: SessionNews) -> News:
    rows = [
        {"html": render("_event.html", {"event": event, "session": news.row}), "quiet": event.is_quiet}
        for event in news.events
    ]
    head = render("_session_head.html", {"row": news.row})
    chart = render("_chart.html", {"chart": score_chart(news.history)})
    return News(event="events", id=news.events[-1].row, data={"rows": rows, "head": head, "chart": chart})


def live(newsroom: Newsroom) -> Callable[[Request], object]:
    """Everything in short, or the events of one session since a row."""

    async def endpoint(request: Request) -> Response:
        last = request.headers.get("last-event-id", "")
        after = int(last) if last.isdecimal() and last != "0" else number_of(request, "after")
        listener = Listener(request.query_params.get("id", ""), after)

        async def texts() -> AsyncIterator[str]:
            newsroom.join(listener)
            try:
                async for text in listener.texts():
                    yield text
            finally:
                newsroom.leave(listener)

        return StreamingResponse(texts(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})

    return endpoint
