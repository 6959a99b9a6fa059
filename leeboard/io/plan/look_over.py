"""A look at an intent together with its tracked files, where they are asked for."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.io.plan._untouched import untouched, work_names
from leeboard.io.plan.folder import Folder
from leeboard.io.plan.layout import place_of
from leeboard.io.plan.read import Seen, look_at
from leeboard.io.plan.steady import steady
from leeboard.io.plan.truth.gather import gather


def look_over(folder: Folder, slug: str, *, truth: bool, work: bool = True, full: bool = False) -> Seen:
    """As much as the next step hangs on, or in `full`.

    `truth`: tracked files too, unless somebody changed the plan by hand. Without `work` nobody asks what was left
    untouched: only a move that calls something done does.
    """
    with steady(folder) as held:
        seen = look_at(held, slug, full=full, work=work)
        plan = seen.plan
        if work and plan.active is not None:
            place = place_of(folder.home)
            left = untouched(plan, plan.active, folder.home, place)
            plan = replace(plan, untouched=left, work=work_names(plan, plan.active, folder.home, place))
        if truth and plan.sealed:
            plan = replace(plan, truth=gather(held, plan))
        return seen if plan is seen.plan else replace(seen, plan=plan)
