"""Files that somebody changed: what an agent or a person said they mean, and a person's word over it."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from leeboard.app.person.changes import ChangeWord, Overruled, overrule
from leeboard.app.person.changes import classify as classify_as
from leeboard.app.plan.engine import Engine
from leeboard.app.views.drift import drift_page
from leeboard.model.truth import OUTCOMES
from leeboard.plan.effect import Refusal
from leeboard.surfaces.web.site import Refused, Site, number_of, refused, text_of, there, words_of

MOST_LINES = 400
"""Lines of one file side by side; how many more there are is said."""
_MOST_PAIRS = 1_000_000
OUTCOME_WORDS = {
    "ignore": "accept it as it is",
    "inline-fix": "take it into the work at hand",
    "surface-as-feedback": "hang it on a finding",
    "trigger-revisit": "go back to a stage",
}

SideLine = tuple[str, int, str, int, str]
"""Kind, then number and text of each side."""


def changes(site: Site, request: Request) -> Response:
    _, engine, slug = site.intent(request)
    return _shown(site, request, engine, slug)


def _shown(site: Site, request: Request, engine: Engine, slug: str, refusal: Refused | None = None) -> Response:
    skip = number_of(request, "skip")
    values: dict[str, Any] = {
        "project": site.project(request),
        "intent": slug,
        "page": drift_page(engine, slug, skip),
        "skip": skip,
        "outcomes": OUTCOME_WORDS,
        "side_by_side": side_by_side,
        "refusal": refusal,
        "done": "done" in request.query_params,
    }
    return site.page(request, "changes.html", values, 409 if refusal else 200)


def side_by_side(before: str, after: str) -> tuple[list[SideLine], int]:
    """Both texts line by line, with two lines around each difference; and how many lines are left out."""
    old, new = before.splitlines(), after.splitlines()
    rows: list[SideLine] = []
    if len(old) * len(new) > _MOST_PAIRS:
        rows = [("removed", at, line, 0, "") for at, line in enumerate(old, 1)]
        rows += [("added", 0, "", at, line) for at, line in enumerate(new, 1)]
        return rows[:MOST_LINES], max(0, len(rows) - MOST_LINES)
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(2):
        for kind, i1, i2, j1, j2 in group:
            many = max(i2 - i1, j2 - j1)
            for at in range(many):
                left = (i1 + at + 1, old[i1 + at]) if i1 + at < i2 else (0, "")
                right = (j1 + at + 1, new[j1 + at]) if j1 + at < j2 else (0, "")
                rows.append(("same" if kind == "equal" else "changed", *left, *right))
    return rows[:MOST_LINES], max(0, len(rows) - MOST_LINES)


def classify(site: Site, request: Request, form: FormData) -> Response:
    """Everything that was shown, in one word each."""
    project, engine, slug = site.intent(request)
    paths = [each for each in form.getlist("path") if isinstance(each, str)]
    words = tuple(
        ChangeWord(
            path=path,
            outcome=_outcome(form, f"outcome-{at}"),
            why=words_of(form, f"why-{at}"),
            stage=text_of(form, f"stage-{at}"),
            feedback=text_of(form, f"feedback-{at}"),
        )
        for at, path in enumerate(paths)
    )
    outcome = classify_as(engine, slug, text_of(form, "tick_id"), words, words_of(form, "why"))
    site.look(anew=True)
    if isinstance(outcome, Refusal):
        return _shown(site, request, engine, slug, refused(outcome))
    return there(f"/p/{project.key}/i/{slug}/changes?done=1")


def override(site: Site, request: Request, form: FormData) -> Response:
    """A person's word over what was classified before. What it was is read from the disk, not from the form."""
    project, engine, slug = site.intent(request)
    wanted, path = text_of(form, "assessment"), text_of(form, "path")
    page = drift_page(engine, slug, number_of(request, "skip"))
    found = next(
        (
            (one, each)
            for one in page.assessments
            if one.id == wanted
            for each in one.differences
            if each.path == path and each.outcome is not None
        ),
        None,
    )
    if found is None or found[1].outcome is None:
        raise HTTPException(404, "No such assessment is there.")
    one, each = found
    said = Overruled(assessment=one.id, path=path, was=found[1].outcome, stage=one.stage, feedback=each.feedback)
    word = ChangeWord(
        path=path, outcome=_outcome(form, "outcome"), why=words_of(form, "why"), stage=text_of(form, "stage")
    )
    refusal = overrule(engine, slug, said, word)
    if refusal is not None:
        return _shown(site, request, engine, slug, refused(refusal))
    return there(f"/p/{project.key}/i/{slug}/changes?done=1")


def _outcome(form: FormData, name: str) -> str:
    given = text_of(form, name)
    if given not in OUTCOMES:
        raise HTTPException(400, "That is no outcome.")
    return given
