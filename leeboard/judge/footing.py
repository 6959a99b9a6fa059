"""Whether an event has what a rule rests on: a cheap look, so that most rules are not even imported for it."""

from __future__ import annotations

import re

from leeboard.model.event import Stopped, ToolProposed
from leeboard.model.text import lazy
from leeboard.model.world import World
from leeboard.rule import Footing
from leeboard.text.language import is_test_path

_CLAIMS = lazy(
    r"pass|green|succe|fixed|solved|works|working|verified|tested|confirmed|checked|commit|pushed|clean|compiles|builds"
    r"|failures|errors|failing",
    re.IGNORECASE,
)
_RECORDS = lazy(r"\s-u\b|[Uu]pdate|UPDATE|insta\b|BLESS|RECORD|REGEN|INSTA|regen")


def rests_on(what: Footing, world: World) -> bool:
    """Whether the rule that rests on it could find anything."""
    event = world.analysis.event
    match what:
        case "tests":
            return _changes_tests(world)
        case "claim":
            return isinstance(event, Stopped) and not event.already_blocked and may_claim(event.text)
        case _:
            return True


def may_claim(text: str) -> bool:
    """Whether a last message has a word that a claim can not do without."""
    return bool(text) and bool(_CLAIMS.search(text))


def _changes_tests(world: World) -> bool:
    event = world.analysis.event
    if any(map(is_test_path, world.analysis.modified)):
        return True
    runs = isinstance(event, ToolProposed) and event.call.action == "bash"
    return runs and bool(_RECORDS.search(world.analysis.command))
