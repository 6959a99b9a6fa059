"""What every `flow` command needs: the engine, which intent is meant, and how an outcome is told."""

from __future__ import annotations

import sys
from functools import cached_property
from typing import Any

import click

from leeboard.app.person.gate import Change, note
from leeboard.app.plan.engine import Engine
from leeboard.app.views.tool_words import for_people
from leeboard.errors import ConfigError, LeeboardError
from leeboard.io.git.place import branch_at
from leeboard.io.places import current_project
from leeboard.model.plan import Clue, Plan
from leeboard.plan.disk.layout import place_of
from leeboard.plan.effect import Refusal
from leeboard.surfaces.cli.flow.clue import show_clue
from leeboard.surfaces.cli.flow.drift import show_drift
from leeboard.surfaces.cli.screen import print_json, say, screen

REFUSED, WRONG_USE, ILLEGAL = 1, 2, 4
"""Exit codes: the plan does not allow it as it stands; what was named is nowhere; nobody can read the plan."""
_UNREADABLE = frozenset(("plan_unreadable", "page_unreadable"))
_NOWHERE = frozenset(
    (
        "feedback_not_found",
        "path_unknown",
        "reviewer_unknown",
        "stage_unknown",
        "studio_unknown",
        "unit_not_found",
        "url_invalid",
    )
)
"""Refusals of what was typed, not of what was wanted: whatever is done first, they stay."""
_NAMING = frozenset(("archive", "abandon", "delete", "baseline-reset"))
"""Commands that take the intent as their argument."""

intent_option = click.option(
    "--intent",
    "slug",
    default="",
    metavar="SLUG",
    help="Of this intent; else that of the branch, or the only active one.",
)


class CurrentFlow:
    """The workflow around the current folder, and the intent that is meant in it."""

    def __init__(self, slug: str = "", *, looks: bool = False) -> None:
        """`looks`: nothing is done, so that no work tree is made for it."""
        self._looks = looks
        self.engine = Engine(current_project())
        self._named = slug

    @property
    def home(self) -> str:
        """The work tree of the intent that is meant; the project's own before anybody asked for one."""
        return self.engine.home

    @property
    def is_named(self) -> bool:
        return bool(self._named)

    @cached_property
    def slug(self) -> str:
        """ConfigError where nobody can tell which intent is meant."""
        return self.engine.resolve(self._named, brings=not self._looks)

    @property
    def branch(self) -> str:
        """The branch of that work tree; empty without git, or where none is checked out."""
        place = place_of(self.home)
        return branch_at(place).removeprefix("refs/heads/") if place else ""

    def look(self, *, truth: bool = False) -> Plan:
        """`truth`: tracked files too, as a tick does."""
        return self.engine.look(self.slug, truth=truth)

    def note(self, change: Change, *, truth: bool = False) -> Refusal | None:
        """Write down what a person wants, and no more: what follows from it belongs to who does the work."""
        return note(self.engine, self.slug, change, truth=truth)


def meant(flow: CurrentFlow) -> str | None:
    """None where nobody can tell, which is no fault of somebody who only looks."""
    try:
        return flow.slug
    except ConfigError:
        if flow.is_named:
            raise
        return None


class FlowGroup(click.Group):
    """What the engine says of a failure names an agent's tools: a person is told their own commands.

    A question that nobody can answer, since there is no terminal, is a refusal.
    """

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except LeeboardError as error:
            error.args = (_with_option(for_people(str(error)), ctx.invoked_subcommand or ""),)
            raise
        except click.Abort:
            if sys.stdin.isatty():
                raise
            click.echo(err=True)  # ends the line of the question
            raise LeeboardError("nobody is there to answer: look at what is named, then give --yes") from None


def _with_option(text: str, command: str) -> str:
    """Which intent is meant is said by an option, or behind the command itself."""
    how = f"`leeboard flow {command} SLUG`" if command in _NAMING else "--intent SLUG"
    return text.replace("; name one.", f"; name one with {how}.")


def tell_refusal(refusal: Refusal, *, as_json: bool) -> int:
    """Why not, and what instead; the exit code of it."""
    message = for_people(refusal.message, refusal.details)
    if as_json:
        details = {key: value for key, value in refusal.details.items() if key != "next_step"}
        print_json({"error": refusal.code, "message": message, **details})
    else:
        say(message)
    if refusal.code in _UNREADABLE:
        return ILLEGAL
    return WRONG_USE if refusal.code in _NOWHERE else REFUSED


def tell_clue(clue: Clue, *, as_json: bool, home: str) -> int:
    """The next action. `home` is the work tree of the intent."""
    if as_json:
        message = for_people(clue.message, clue.payload)
        told: dict[str, Any] = {"action": clue.action, "message": message, "waits": clue.waits}
        print_json({**clue.payload, **told, "is_error": clue.is_error})
    else:
        show_clue(clue, screen(), home)
        show_drift(clue.payload, home, screen())
    if clue.payload.get("error") in _UNREADABLE:
        return ILLEGAL
    return REFUSED if clue.is_error else 0


def tell_outcome(outcome: Clue | Refusal, *, as_json: bool, home: str) -> int:
    if isinstance(outcome, Refusal):
        return tell_refusal(outcome, as_json=as_json)
    return tell_clue(outcome, as_json=as_json, home=home)
