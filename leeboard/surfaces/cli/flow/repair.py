"""`leeboard flow repair`: what is wrong with the workflow here, and put right what can be."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from posixpath import basename, join

import click
import msgspec

from leeboard.app.plan.engine import Engine
from leeboard.app.views.guard import DoctorCheck, check_view
from leeboard.app.views.tool_words import for_people
from leeboard.errors import ConfigError, LeeboardError
from leeboard.model.plan import Plan
from leeboard.model.unit import Feedback, Unit
from leeboard.model.workspace import INTENT_TREE
from leeboard.plan.disk import layout, worktrees
from leeboard.plan.disk.folder import PlanFolder, hold
from leeboard.plan.disk.lost_intents import Lost, lost_intents
from leeboard.plan.disk.perform import noted_step, recover
from leeboard.plan.disk.repository import STUDIOS, Repository, hidden, swallowed
from leeboard.plan.files.files import guarding_changes, parse_feedback, parse_intent, parse_unit
from leeboard.plan.files.state import parse_stage_state
from leeboard.plan.machine.drift_gate import baseline_lost, obstacle
from leeboard.plan.machine.entry import git_unrest
from leeboard.plan.machine.look import looking
from leeboard.plan.surface import ignored_name
from leeboard.surfaces.cli.flow.place import REFUSED, CurrentFlow, intent_option
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, say, screen, words


@click.command(epilog="Example:  leeboard flow repair --apply")
@click.option("--apply", is_flag=True, help="Put right what can be; without it only say what is wrong.")
@click.option("--restore", is_flag=True, help="With --apply: bring back what can not be read from git. For people.")
@click.option("--yes", is_flag=True, help="You have looked at what was changed by hand, and it is right.")
@intent_option
@json_option
def repair(slug: str, **given: bool) -> int:
    """Show what is wrong with the workflow here, and repair it.

    Work trees and branches that no unit needs, intents that were never made to their end, steps that somebody killed:
    all of that is put right, and nothing that somebody wrote is lost by it. Fields of the engine that were changed by
    hand are a person's to judge: look at the named files (`git diff` shows what changed), then say yes. A file that can
    not be read is named with its line and the last version in git that can; --restore puts that one in its place, and
    keeps the other one aside.

    Exits 0 when nothing is wrong, or nothing is left; else 1.
    """
    flow, as_json = CurrentFlow(slug), given["as_json"]
    for option in ("restore", "yes"):
        if given[option] and not given["apply"]:
            raise ConfigError(f"--{option} goes with --apply: without it nothing is put right")
    if given["restore"]:
        require_person("flow repair --restore")
    left = 0
    found = _found(flow)
    if given["apply"] and any(fault.about in {SETTINGS, TAMPERED} for fault in found):
        require_person("flow repair --apply")
    if given["apply"] and any(fault.about == TAMPERED for fault in found):
        found = _judged(found, yes=given["yes"], as_json=as_json)
    for fault in found:
        wanted = given["apply"] and (given["restore"] or fault.about != UNREADABLE)
        done = _mended(fault) if wanted else ""
        left += not done and fault.state == "failed"
        _tell(fault, done, as_json=as_json)
    if not found and not as_json:
        screen().print(words("nothing is wrong"))
    elif left and not given["apply"] and not as_json:
        screen().print(words((_way_on(found), "dim")))
    return REFUSED if left else 0


def _way_on(found: list[DoctorCheck]) -> str:
    """What `--apply` would do; what nothing here can repair says itself what to do."""
    mended = [fault for fault in found if fault.repair is not None and fault.state == "failed"]
    if not mended:
        return "--apply repairs none of it: do what is said above"
    if all(fault.about == UNREADABLE for fault in mended):
        return "--apply --restore brings back what git has"
    if all(fault.about == TAMPERED for fault in mended):
        return (
            "--apply asks whether what was changed by hand is right, and takes it as it is. Where it is not, put the"
            " lines back as they were, with an editor: then nothing is wrong"
        )
    return "--apply repairs what can be" + ("" if len(mended) == len(found) else "; for the rest do what is said above")


def _found(flow: CurrentFlow) -> list[DoctorCheck]:
    """The faults of the intent that is named, else of all that are here, and of what belongs to none."""
    slugs = (flow.slug,) if flow.is_named else flow.engine.slugs(archived=True)
    of_intents = (fault for slug in slugs for fault in faults_of(flow.engine, slug))
    # what is wrong with git is wrong for each of them: it is told once
    once = {(fault.about, fault.detail): fault for fault in of_intents}
    return [*once.values(), *faults_around(flow.engine)]


def _judged(found: list[DoctorCheck], *, yes: bool, as_json: bool) -> list[DoctorCheck]:
    """A seal is made anew only over what a person says is right: without a yes it stays broken."""
    names = ", ".join(fault.detail for fault in found if fault.about == TAMPERED)
    question = f"Changed by somebody else than the engine: {names}. Did you look at it, and is it right?"
    if yes or (not as_json and click.confirm(question, default=False, err=True)):
        return found
    return [
        DoctorCheck(about=each.about, state=each.state, detail=each.detail) if each.about == TAMPERED else each
        for each in found
    ]


def _mended(fault: DoctorCheck) -> str:
    """What was done; empty: nothing could be."""
    if fault.repair is None:
        return ""
    try:
        return fault.repair()
    except LeeboardError as error:
        say(str(error))
        return ""


def _tell(fault: DoctorCheck, done: str, *, as_json: bool) -> None:
    if as_json:
        print_json({**msgspec.to_builtins(check_view(fault)), "done": done})
        return
    wrong = ("note      ", "yellow") if fault.state == "note" else ("wrong     ", "red")
    mark = ("repaired  ", "green") if done else wrong
    about = WAS_UNREADABLE if done and fault.about == UNREADABLE else fault.about
    screen().print(words(mark, f"{about}: {fault.detail}", (f"  {done}" if done else "", "dim")))


# What can be wrong with a workflow on disk, and how it is put right without losing anything of anybody.


TAMPERED = "changed by hand"
"""Only a person who looked at it says that it is right."""
SETTINGS = "settings changed"
"""As above."""
_NEW = ".new"


def faults_of(engine: Engine, slug: str) -> list[DoctorCheck]:
    """The faults of one intent, in the order in which they are put right."""
    plan = engine.look(slug, truth=True)
    folder = PlanFolder(engine.home)
    repository = _repository(engine)
    unread = list(unreadable(folder, repository, plan))
    # what can not be read can not be compared either, nor what it leads to
    found = unread or [_by_hand(engine, slug, name) for name in plan.tampered]
    if noted_step(folder, slug) is not None:
        finish = partial(_finish, folder, slug) if plan.sealed else None
        found.append(
            DoctorCheck(about="left half done", state="failed", detail="what the engine had begun", repair=finish)
        )
    found += _changed_files(plan)
    take = partial(_take_settings, engine, slug) if plan.sealed else None
    told = guarding_changes(plan.intent.guarding, plan.guarding)
    found += [DoctorCheck(about=SETTINGS, state="note", detail=text, repair=take) for text in told]
    slips = (*(plan.studio.complaints if plan.studio else ()), *plan.notes)
    found += [DoctorCheck(about="definition", state="note", detail=text) for text in slips]
    found += _stray_files(folder, plan)
    if text := git_unrest(plan):
        found.append(DoctorCheck(about="git", state="failed", detail=text))
    # which units there are is only known of a plan that was read whole
    is_known = not unread and plan.studio is not None
    return found + list(_strays(repository, plan)) if repository and is_known else found


def _stray_files(folder: PlanFolder, plan: Plan) -> Iterator[DoctorCheck]:
    """What lies among the stages and is none: nobody reads it."""
    top = f"{layout.intent_folder(plan.intent.slug)}/stages"
    folders = folder.folders(top)
    for name in folder.names(top):
        if name not in folders and not ignored_name(name):
            detail = (
                f"{folder.spelled(f'{top}/{name}')} belongs to no stage, and nobody reads it: move it, or remove it"
            )
            yield DoctorCheck(about="stray file", state="note", detail=detail)


def _by_hand(engine: Engine, slug: str, name: str) -> DoctorCheck:
    """The file in full, and how to see what was done to it: a person is asked whether that is right."""
    path = f"{layout.intent_folder(slug)}/{name}"
    folder = PlanFolder(engine.home)
    detail = f"{name}, of {slug}"
    if folder.read(path) is not None:
        detail = file = folder.spelled(path)
        if _repository(engine) is not None:
            detail += f" (see `git diff -- {file}`, and `git log -p -1 -- {file}` where it was committed)"
    return DoctorCheck(about=TAMPERED, state="failed", detail=detail, repair=partial(_reseal, engine, slug))


def _changed_files(plan: Plan) -> list[DoctorCheck]:
    """A change that is to be classified belongs to the work; a baseline that is lost is wrong."""
    text = obstacle(plan)
    if not text:
        return []
    lost = baseline_lost(looking(plan, "")) is not None
    about = "lost baseline" if lost else "changed files"
    return [DoctorCheck(about=about, state="failed" if lost else "note", detail=for_people(text))]


def faults_around(engine: Engine) -> list[DoctorCheck]:
    """What belongs to no intent: those that were never made to their end, and trees of intents that are gone."""
    folder = PlanFolder(engine.top)
    place = layout.place_of(engine.top)
    repository = Repository(place) if place else None
    gone = [each for each in lost_intents(engine.top) if each.command or each.where]
    kept = {*engine.slugs(archived=True), *(each.slug for each in gone)}
    around = (*_lost_trees(repository, kept), *_unseen_studios(repository)) if repository else ()
    return [*_half_made(folder, kept), *map(_not_here, gone), *around]


def _not_here(lost: Lost) -> DoctorCheck:
    """Nothing of it is removed here: only its owner knows whether it was given up."""
    if lost.parked:
        return DoctorCheck(about="intent not here", state="note", detail=lost.text)
    left = f"{layout.HOME}/{layout.intent_folder(lost.slug)}, its work trees and its branches haiku/{lost.slug}/*"
    detail = f"{lost.text}; to give it up, remove what is left of it: {left}"
    return DoctorCheck(about="intent not here", state="failed", detail=detail)


def _repository(engine: Engine) -> Repository | None:
    place = layout.place_of(engine.home)
    return Repository(place) if place else None


def _reseal(engine: Engine, slug: str) -> str:
    engine.reseal(slug)
    return "taken as it is"


def _take_settings(engine: Engine, slug: str) -> str:
    engine.take_settings(slug)
    return "noted as they are"


def _finish(folder: PlanFolder, slug: str) -> str:
    with hold(folder, slug) as lock:
        recover(folder, slug, lock)
    return "done to its end"


def _strays(repository: Repository, plan: Plan) -> Iterator[DoctorCheck]:
    """Work trees and merged branches that no unit needs any more."""
    slug = plan.intent.slug
    units = {unit.id: unit.status for view in plan.stages for unit in view.units}
    done = plan.intent.status == "completed" or plan.intent.archived
    for name in _folders(layout.worktree(repository.root, slug, "")):
        if name == INTENT_TREE:
            continue
        if done or units.get(name, "completed") == "completed":
            why = "belongs to no unit" if name not in units else "its unit is not worked on"
            yield _stray_tree(repository, slug, name, why)
    for name in _branches(repository, slug):
        tree = layout.worktree(repository.root, slug, name)
        merged = worktrees.is_merged(repository, layout.unit_branch(slug, name), layout.hub(slug))
        if merged and units.get(name, "completed") == "completed" and not os.path.lexists(tree):
            branch = layout.unit_branch(slug, name)
            repair = partial(_remove_branch, repository, branch)
            yield DoctorCheck(about="stray branch", state="failed", detail=f"{branch}: it is merged", repair=repair)


def _stray_tree(repository: Repository, slug: str, name: str, why: str) -> DoctorCheck:
    path = layout.worktree(repository.root, slug, name)
    is_tree = worktrees.is_worktree(repository, path) or not os.listdir(path)  # noqa: PTH208 - any name
    repair = partial(_remove_tree, repository, slug, name) if is_tree else None
    return DoctorCheck(about="stray work tree", state="failed", detail=f"{path}: {why}", repair=repair)


def _remove_tree(repository: Repository, slug: str, name: str) -> str:
    """What was not committed there is committed on its branch first; a branch that is not merged stays."""
    branch, path = layout.unit_branch(slug, name), layout.worktree(repository.root, slug, name)
    with hold(PlanFolder(repository.root), slug) as lock:
        working = Repository(repository.place, lock)
        if working.has_branch(layout.hub(slug)):
            worktrees.remove_worktree(working, slug, name)
        else:
            worktrees.commit_leftovers(working, path, f"haiku: keep unfinished work of {name}")
            working.run("worktree", "remove", "--force", path)
        return f"removed; {branch} keeps its work" if working.has_branch(branch) else "removed"


def _remove_branch(repository: Repository, branch: str) -> str:
    repository.run("branch", "--quiet", "-D", branch)
    return "removed"


def _branches(repository: Repository, slug: str) -> list[str]:
    if not repository.has_branch(layout.hub(slug)):
        return []
    family = f"refs/heads/haiku/{slug}"
    printed = repository.said("for-each-ref", "--format=%(refname:lstrip=4)", family)
    return [name for name in printed.split() if name != INTENT_TREE]


def _half_made(folder: PlanFolder, kept: set[str]) -> Iterator[DoctorCheck]:
    for name in folder.names("tmp"):
        if name.endswith(_NEW):
            repair = partial(_discard, folder, name)
            yield DoctorCheck(
                about="half-made intent", state="failed", detail=folder.spelled(f"tmp/{name}"), repair=repair
            )
    for slug in folder.folders("intents"):
        if slug not in kept and folder.read(layout.intent_file(slug)) is None:
            detail = (
                f"{folder.spelled(layout.intent_folder(slug))} has no intent.md: bring it back, or remove the folder"
            )
            yield DoctorCheck(about="half-made intent", state="failed", detail=detail)


def _discard(folder: PlanFolder, name: str) -> str:
    """What was being made was never there for anybody: nothing of it is lost."""
    with hold(folder, name.removesuffix(_NEW)):
        shutil.rmtree(folder.spelled(f"tmp/{name}"), ignore_errors=True)
    return "removed"


def _lost_trees(repository: Repository, kept: set[str]) -> Iterator[DoctorCheck]:
    top = join(repository.root, layout.HOME, "worktrees")
    for slug in _folders(top):
        if slug not in kept:
            for name in _folders(join(top, slug)):
                yield _stray_tree(repository, slug, name, "its intent is gone")


def _unseen_studios(repository: Repository) -> Iterator[DoctorCheck]:
    """Definitions are a person's to commit: the engine only says that git would leave them out."""
    for name in swallowed(repository, hidden(repository, STUDIOS)):
        detail = (
            f"{name}: a line of .gitignore was meant for something else; `git add -f {shlex.quote(name)}` takes it in"
        )
        yield DoctorCheck(about="hidden from git", state="note", detail=detail)


def _folders(path: str) -> list[str]:
    try:
        with os.scandir(path) as found:
            return sorted(each.name for each in found if each.is_dir(follow_symlinks=False))
    except OSError:
        return []


# Files of a plan that can not be read: where they lie, which line is wrong, and the last version that was right.


UNREADABLE, WAS_UNREADABLE = "can not be read", "could not be read"
_MOST_VERSIONS = 50

Problem = Callable[[str], str]
"""What is wrong with a text; empty: nothing."""


def unreadable(folder: PlanFolder, repository: Repository | None, plan: Plan) -> Iterator[DoctorCheck]:
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
        yield DoctorCheck(about=UNREADABLE, state="failed", detail=detail, repair=repair)


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


def _restore(folder: PlanFolder, repository: Repository, slug: str, path: str, commit: str) -> str:
    """What can not be read is kept aside: it may hold words that are nowhere else."""
    with hold(folder, slug):
        aside = f"tmp/{slug}.unreadable/{basename(path)}"
        folder.write(aside, folder.read(path) or b"")
        folder.write(path, repository.run("show", f"{commit}:{layout.HOME}/{path}"))
    return f"brought back from {commit}; what could not be read is kept as {folder.spelled(aside)}"
