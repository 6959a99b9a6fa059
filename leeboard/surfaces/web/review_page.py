"""The page where people decide at a gate, answer a question, and read what was asked before."""

from __future__ import annotations

from typing import cast, get_args

import msgspec
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from leeboard.app.person.answer import say as say_to
from leeboard.app.person.gate import GateWord, keep_shown, note, record_decision
from leeboard.app.person.pull_request import WHO_FETCHES, open_review
from leeboard.app.plan.engine import Engine
from leeboard.app.views.diff import FileDiff
from leeboard.app.views.review import ReviewPage, review_page
from leeboard.model.unit import Decision
from leeboard.plan.effect import Refusal
from leeboard.plan.machine.feedback_moves import FeedbackChange, feedback_reject, feedback_update
from leeboard.plan.machine.refusal import refuse
from leeboard.plan.machine.stage_moves import select_studio
from leeboard.secrets.redaction import redact
from leeboard.surfaces.web.site import Refused, Site, number_of, refused, text_of, there, words_of

LINES_AT_ONCE = 3_000
"""Lines of a diff on one page, and of one file where it is shown alone."""
MOST_COMMENTS = 200


class LineComment(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody says of a line of the diff."""

    path: str
    line: str
    side: str
    quote: str
    text: str


def review(site: Site, request: Request) -> Response:
    _, engine, slug = site.intent(request)
    return _shown(site, request, engine, slug)


def _shown(
    site: Site, request: Request, engine: Engine, slug: str, refusal: Refused | None = None, words: str = ""
) -> Response:
    """`words`: what was typed before it was refused."""
    page = review_page(engine, slug)
    if not page.asleep:
        keep_shown(engine.home, engine.look(slug, truth=True))
    alone = request.query_params.get("file", "")
    start = number_of(request, "from")
    files, more = _files(page, alone, start)
    values = {
        "project": site.project(request),
        "intent": slug,
        "page": page,
        "files": files,
        "alone": alone,
        "start": start,
        "more": more,
        "lines_at_once": LINES_AT_ONCE,
        "refusal": refusal,
        "words": words,
        "said": "said" in request.query_params,
        "opened": site.opened.get((site.project(request).key, slug)),
        "who_fetches": WHO_FETCHES,
    }
    return site.page(request, "review.html", values, 409 if refusal else 200)


def _files(page: ReviewPage, alone: str, start: int) -> tuple[tuple[FileDiff, ...], int]:
    """With as many lines as one page holds; what is left of the file that is shown alone, or of all files."""
    if alone:
        found = next((file for file in page.files if file.path == alone), None)
        if found is None:
            raise HTTPException(404, "No such file has changed in this stage.")
        lines = found.lines[start : start + LINES_AT_ONCE]
        return (msgspec.structs.replace(found, lines=lines),), max(0, len(found.lines) - start - LINES_AT_ONCE)
    shown, left, room = [], 0, LINES_AT_ONCE
    for file in page.files:
        lines = file.lines if len(file.lines) <= room else ()
        left += len(file.lines) - len(lines)
        room -= len(lines)
        shown.append(msgspec.structs.replace(file, lines=lines))
    return tuple(shown), left


def decide(site: Site, request: Request, form: FormData) -> Response:
    """Written to disk before any page says so: the answer is a page that is read from there."""
    project, engine, slug = site.intent(request)
    given = text_of(form, "decision")
    if given not in get_args(Decision):
        raise HTTPException(400, "That is no decision.")
    decision, changes = cast("Decision", given), ""
    if decision == "changes_requested":
        changes = request_text(words_of(form, "changes"), comments_in(form))
    word = GateWord(
        decision=decision,
        by=site.name,
        changes=changes,
        url=text_of(form, "url") if decision == "external_review" else "",
        shown=text_of(form, "shown") if decision == "approved" else "",
    )
    refusal = record_decision(engine, slug, word)
    site.look(anew=True)
    if refusal is not None:
        return _shown(site, request, engine, slug, refused(refusal), words_of(form, "changes"))
    if decision == "external_review" and not word.url:
        site.opened[project.key, slug] = open_review(engine, slug)
    return there(f"/p/{project.key}/i/{slug}#decision")


def comments_in(form: FormData) -> tuple[LineComment, ...]:
    """Those with words in them, in the order they were made."""
    columns = [
        [each for each in form.getlist(f"comment_{name}") if isinstance(each, str)]
        for name in ("path", "line", "side", "quote", "text")
    ]
    if len({len(column) for column in columns}) != 1 or len(columns[0]) > MOST_COMMENTS:
        raise HTTPException(400, f"Comments on lines came incomplete, or there are more than {MOST_COMMENTS}.")
    found = (
        LineComment(path=path, line=line, side=side, quote=redact(quote), text=redact(text.strip()))
        for path, line, side, quote, text in zip(*columns, strict=True)
    )
    return tuple(comment for comment in found if comment.text)


def request_text(general: str, comments: tuple[LineComment, ...]) -> str:
    """One request: the first line is its title, each comment names its line and what stood there."""
    parts = [general] if general else []
    if comments and not general:
        many = len(comments)
        parts.append(f"{many} comment{'' if many == 1 else 's'} on the diff")
    for comment in comments:
        side = " (before)" if comment.side == "old" else ""
        quote = " ".join(comment.quote.split())[:200].replace("`", "'")
        parts.append(f"- {comment.path}:{comment.line}{side}: `{quote}`\n  {comment.text}")
    return "\n\n".join(parts)


def say(site: Site, request: Request, form: FormData) -> Response:
    """An answer to what an agent asked, in words or by a choice."""
    project, engine, slug = site.intent(request)
    choice, words = text_of(form, "choice"), words_of(form, "text")
    refusal: Refusal | None
    if text_of(form, "chooses") == "studio":
        refusal = note(engine, slug, lambda plan, _now: select_studio(plan, choice, by_person=True))
    elif not (choice or words):
        refusal = refuse("nothing_said", "There is nothing said.", "Write an answer, or choose one.")
    else:
        heard = say_to(engine, slug, ": ".join(filter(None, (choice, words))))
        refusal = heard if isinstance(heard, Refusal) else None
    if refusal is not None:
        return _shown(site, request, engine, slug, refused(refusal), words)
    return there(f"/p/{project.key}/i/{slug}?said=1#question")


def reply(site: Site, request: Request, form: FormData) -> Response:
    """To a finding: an answer, or a person's word that it is settled or does not hold."""
    _, engine, slug = site.intent(request)
    stage, name, words = text_of(form, "stage"), text_of(form, "finding"), words_of(form, "text")
    match text_of(form, "what"):
        case "close":
            change = FeedbackChange(status="closed", closed_by="user", reply=words)
        case "reject":
            refusal = note(
                engine, slug, lambda plan, now: feedback_reject(plan, stage, name, words, now, by_person=True)
            )
            return _after_reply(site, request, refusal, words)
        case _:
            change = FeedbackChange(reply=words)
    refusal = note(engine, slug, lambda plan, now: feedback_update(plan, stage, name, change, now, by_person=True))
    return _after_reply(site, request, refusal, words)


def _after_reply(site: Site, request: Request, refusal: Refusal | None, words: str) -> Response:
    project, engine, slug = site.intent(request)
    if refusal is not None:
        return _shown(site, request, engine, slug, refused(refusal), words)
    return there(f"/p/{project.key}/i/{slug}#requests")
