"""What rules found over many sessions, what became of it, and how right it was."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from leeboard.surfaces.web.drawing import bars
from leeboard.surfaces.web.session_pages import further, place_in
from leeboard.surfaces.web.site import Site


def trends(site: Site, request: Request) -> Response:
    place = place_in(request)
    page = site.trends.page(place)
    return site.page(
        request, "trends.html", {"page": page, "bars": bars, "further": further, "is_first": place is None}
    )
