"""Files of a plan that can not be read: where they lie, which line is wrong, and the last version that was right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from posixpath import basename

from leeboard.io.plan import layout
from leeboard.io.plan.folder import Folder
from leeboard.io.plan.lock import hold
from leeboard.io.plan.repository import Repository
from leeboard.model.feedback import Feedback
from leeboard.model.plan import Plan
from leeboard.model.unit import Unit
from leeboard.surfaces.cli._check import Check
from leeboard.wire.plan_files import parse_feedback, parse_intent, parse_stage_state, parse_unit

UNREADABLE, WAS_UNREADABLE = "can not be read", "could not be read"
_MOST_VERSIONS = 50

Problem = Callable[[str], str]
"""What is wrong with a text; empty: nothing."""


def unreadable(folder: Folder, repository: Repository | None, plan: Plan) -> Iterator[Check]:
    """Each with the version that git keeps of it, which a person may have brought back."""
    slug = plan.intent.slug
    for path, problem_of in _pages(plan):
        text = folder.text(path)
        problem = problem_of(text) if text is not None else ""
        if not problem:
            continue
        detail = f"{folder.spelled(path)}: {problem.removeprefix(f'{basename(path)}: ')}"
        good = _last_good(repository, slug, path, problem_of) if repository else ""
        if good:
            where = f"{good}:{layout.HOME}/{path}"
            detail += f"; `git show {where}` is the last version that can be, and --apply --restore brings it back"
        else:
            detail += "; git has no version that can be: put it right with an editor, or remove it"
        repair = partial(_restore, folder, repository, slug, path, good) if good and repository else None
        yield Check(about=UNREADABLE, state="failed", detail=detail, repair=repair)


def _pages(plan: Plan) -> Iterator[tuple[str, Problem]]:
    slug = plan.intent.slug
    yield layout.intent_file(slug), partial(_of_intent, slug)
    for view in plan.stages:
        stage = view.spec.name
        yield layout.state_file(slug, stage), partial(_of_stage, stage)
        yield from ((layout.unit_file(slug, stage, unit.id), partial(_of_unit, unit)) for unit in view.units)
    for item in (*plan.feedback, *(item for view in plan.stages for item in view.feedback)):
        yield item.file.removeprefix(f"{layout.HOME}/"), partial(_of_finding, item)


def _of_intent(slug: str, text: str) -> str:
    return parse_intent(text, slug).problem


def _of_stage(stage: str, text: str) -> str:
    return parse_stage_state(text, stage).problem


def _of_unit(unit: Unit, text: str) -> str:
    return parse_unit(text, unit.id, unit.stage).problem


def _of_finding(item: Feedback, text: str) -> str:
    return parse_feedback(text, item.file, item.stage).problem


def _last_good(repository: Repository, slug: str, path: str, problem_of: Problem) -> str:
    """The newest commit of the intent's branch whose version can be read; empty: there is none."""
    hub = layout.hub(slug)
    if not repository.has_branch(hub):
        return ""
    most, spelled = f"-{_MOST_VERSIONS}", f"{layout.HOME}/{path}"
    for commit in repository.said("log", most, "--format=%h", hub, "--", spelled).split():
        if not repository.asks("cat-file", "-e", f"{commit}:{spelled}"):
            continue
        text = repository.run("show", f"{commit}:{spelled}").decode("utf-8", "surrogateescape")
        if not problem_of(text):
            return commit
    return ""


def _restore(folder: Folder, repository: Repository, slug: str, path: str, commit: str) -> str:
    """What can not be read is kept aside: it may hold words that are nowhere else."""
    with hold(folder, slug):
        aside = f"tmp/{slug}.unreadable/{basename(path)}"
        folder.write(aside, folder.read(path) or b"")
        folder.write(path, repository.run("show", f"{commit}:{layout.HOME}/{path}"))
    return f"brought back from {commit}; what could not be read is kept as {folder.spelled(aside)}"
