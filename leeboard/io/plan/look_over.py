"""A look at an intent together with its tracked files, where they are asked for."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.io.plan.folder import Folder
from leeboard.io.plan.read import Seen, look_at
from leeboard.io.plan.truth.gather import gather


def look_over(folder: Folder, slug: str, *, truth: bool, work: bool) -> Seen:
    """As much as the next step hangs on. `truth`: tracked files too, unless somebody changed the plan by hand."""
    seen = look_at(folder, slug, full=False, work=work)
    if not truth or not seen.plan.sealed:
        return seen
    return replace(seen, plan=replace(seen.plan, truth=gather(folder, seen.plan)))
