"""Effects done to the world, in their order, under the intent's lock.

Whatever can be known beforehand is checked before the first of them: a merge in progress, the wrong branch, no
identity. Killed between two of them, the next look derives what is left.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from itertools import groupby
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from leeboard.errors import ConfigError, StateError, WireError
from leeboard.io.places import secret_key
from leeboard.model.plan import Intent, Plan
from leeboard.model.text import digest
from leeboard.model.unit import Feedback
from leeboard.plan.disk import layout, worktrees
from leeboard.plan.disk.folder import PlanFolder, exclude, hold, steady
from leeboard.plan.disk.merge import merge_unit
from leeboard.plan.disk.read import SealedPlan, look_at
from leeboard.plan.disk.records import reports_file, rulings_file, with_report, with_ruling, write_report
from leeboard.plan.disk.repository import Repository, commit_artifacts, commit_plan, on_hub
from leeboard.plan.disk.seal import DRIFT_SEAL, Seal, lines_of
from leeboard.plan.disk.trusted import made_here
from leeboard.plan.disk.truth.agent_writes import log_merge
from leeboard.plan.disk.truth.effects import TRUTH_EFFECTS, TruthEffect, TruthWriter, roll_forward
from leeboard.plan.effect import (
    Commit,
    Effect,
    EnsureBranch,
    MakeWorktree,
    MergeUnit,
    NewFeedback,
    RecordReport,
    RecordRuling,
    RemoveWorktree,
    RunGates,
    WriteFeedback,
    WriteIntent,
    WriteStage,
    WriteUnit,
)
from leeboard.plan.files.files import feedback_id, new_feedback, new_intent, parse_intent, safe_id, slug_of, with_fields
from leeboard.plan.files.state import Kind, engine_values, with_state


class Performance:
    """Does the effects of one step. Without git, work goes on in place and there is nothing for git to do."""

    def __init__(self, folder: PlanFolder, seen: SealedPlan, lock: int) -> None:
        self._folder = folder
        self._slug = seen.plan.intent.slug
        place = layout.place_of(folder.home)
        self._repository = Repository(place, lock) if place else None
        self._writer = PlanWriter(folder, seen.plan, seen.seal)
        self._sealed = seen.plan.sealed
        self._now = ""
        self.left_out: dict[str, tuple[str, ...]] = {}
        """Unit to what of its work a merge left out."""

    def perform(self, effects: tuple[Effect, ...], now: str) -> RunGates | None:
        """Quality gates are not for under a lock: the first ones that are met are given back, and end it."""
        self._now = now
        doable, gates = _until_gates(effects)
        if doable:
            self._ready(doable)
        message = next((each.message for each in doable if isinstance(each, Commit)), "") if self._repository else ""
        for is_file, group in groupby(doable, lambda effect: isinstance(effect, FILE_EFFECTS)):
            if is_file:
                self._write(tuple(each for each in group if isinstance(each, FILE_EFFECTS)), now, message)
            else:
                for effect in group:
                    self.one(effect)
        if message:
            forget_step(self._folder, self._slug)
        return gates

    def _write(self, effects: tuple[FileEffect, ...], now: str, message: str) -> None:
        step = ""
        if message or len(effects) > 1:
            step = note_step(self._folder, self._slug, Due(now=now, effects=effects, message=message))
        self._writer.perform(effects, now, step)
        if not message and len(effects) > 1:
            forget_step(self._folder, self._slug)

    def one(self, effect: Effect) -> None:
        repository = self._repository
        if repository is None:
            return
        match effect:
            case EnsureBranch(base=base, follows=follows):
                worktrees.ensure_branch(repository, self._slug, base, follows)
            case MakeWorktree(unit=unit):
                worktrees.make_worktree(repository, self._slug, unit)
            case MergeUnit(unit=unit, message=message):
                commit_artifacts(repository, self._slug, f"haiku({self._slug}): artifacts before {unit} is merged")
                if left_out := merge_unit(repository, self._slug, unit, message, self._landing):
                    self.left_out[unit] = left_out
            case RemoveWorktree(unit=unit):
                worktrees.remove_worktree(repository, self._slug, unit)
            case Commit(message=message):
                commit_plan(repository, self._slug, message)
            case _:
                raise StateError(f"nobody knows how to do {effect}")

    def _landing(self, tree: str) -> None:
        if self._repository is not None:
            log_merge(self._folder, self._repository, self._slug, tree, self._now)

    def _ready(self, effects: Iterable[Effect]) -> None:
        if not self._sealed:
            raise StateError(f"The plan of {self._slug} was changed by hand: `leeboard flow repair` looks at it.")
        repository = self._repository
        if repository is None:
            return
        repository.at_rest()
        hub = layout.hub(self._slug)
        switches = any(isinstance(effect, EnsureBranch) for effect in effects)
        if not switches and repository.branch != hub and repository.has_branch(hub):
            on_hub(repository, self._slug)
        if any(isinstance(effect, Commit | MergeUnit) for effect in effects):
            repository.known_author()


def _until_gates(effects: tuple[Effect, ...]) -> tuple[tuple[Effect, ...], RunGates | None]:
    for at, effect in enumerate(effects):
        if isinstance(effect, RunGates):
            return effects[:at], effect
    return effects, None


def recover(folder: PlanFolder, slug: str, lock: int) -> None:
    """Do to its end what a killed engine had begun to write, where nobody changed the plan by hand since."""
    worktrees.drop_empty_folder(folder.home, slug)
    with steady(folder) as held:
        held.remove(layout.spare_file(slug))
        roll_forward(held, slug)
        due = noted_step(held, slug)
        if due is None:
            forget_step(held, slug)
            return
    seen = look_at(folder, slug)
    if not seen.plan.sealed:
        return
    commits = (Commit(message=due.message),) if due.message else ()
    if seen.seal.is_at(step_name(due)):
        Performance(folder, seen, lock).perform((*due.effects, *commits), due.now)
    forget_step(folder, slug)


# Effects on plan files. All of a batch is made up in memory first, so that a refusal comes before the first write.


FileEffect = (
    WriteIntent | WriteStage | WriteUnit | WriteFeedback | NewFeedback | RecordReport | RecordRuling | TruthEffect
)
FILE_EFFECTS = (
    *(WriteIntent, WriteStage, WriteUnit, WriteFeedback, NewFeedback, RecordReport, RecordRuling),
    *TRUTH_EFFECTS,
)
LONGEST_TITLE = 120


class PlanFileChange(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    text: str
    values: dict[str, Any] | None
    """What the seal holds of it."""


class PlanWriter:
    """For one intent, under its lock. `seal` is the one that the look at `plan` found whole."""

    def __init__(self, folder: PlanFolder, plan: Plan, seal: Seal) -> None:
        self._folder = folder
        self._plan = plan
        self._slug = plan.intent.slug
        self._seal = seal
        self._texts: dict[str, str] = {}
        """As they will be."""
        self._keys: set[tuple[str, str]] = set()
        """The findings that were filed."""

    def perform(self, effects: Iterable[FileEffect], now: str, step: str = "") -> None:
        """One after another: each of them whole, or not at all. Done twice it is as if it was done once."""
        steps = [(effect, self._change(effect, now)) for effect in effects]
        coming = [(self._below(each.path), each.values) for _, each in steps if each]
        if coming or step:
            self._seal.expect(coming, step)
        for effect, change in steps:
            if isinstance(effect, RecordReport):
                write_report(self._folder, self._slug, effect, self._visit(effect.stage))
            if change is not None:
                self._folder.write(change.path, change.text.encode("utf-8", "surrogateescape"))
            elif isinstance(effect, TRUTH_EFFECTS):
                TruthWriter(self._folder, self._plan).perform(effect, now)
        if coming:
            self._seal.settle(dict(coming))
        self._texts.clear()

    def _change(self, effect: FileEffect, now: str) -> PlanFileChange | None:
        """What an effect makes of a file of the plan; None where there is no such file."""
        match effect:
            case WriteIntent(fields=fields):
                return self._fields(layout.intent_file(self._slug), "intent", fields)
            case WriteStage(stage=stage, fields=fields):
                return self._fields(layout.state_file(self._slug, stage), "stage", fields)
            case WriteUnit(stage=stage, unit=unit, fields=fields):
                return self._fields(layout.unit_file(self._slug, stage, unit), "unit", fields)
            case WriteFeedback(stage=stage, feedback=found, fields=fields):
                return self._fields(self._feedback_path(stage, found), "feedback", fields)
            case NewFeedback():
                return self._filed(effect, now)
            case _:
                return self._told(effect, now) if isinstance(effect, RecordRuling | RecordReport) else None

    def _told(self, effect: RecordRuling | RecordReport, now: str) -> PlanFileChange:
        """The lines of people or of review agents, with one more."""
        path = (rulings_file if isinstance(effect, RecordRuling) else reports_file)(self._slug, effect.stage)
        before = self._text(path, "lines") or ""
        if isinstance(effect, RecordRuling):
            return self._kept(path, "lines", with_ruling(before, self._slug, effect, now))
        return self._kept(path, "lines", with_report(before, self._slug, effect, self._visit(effect.stage), now))

    def _fields(self, path: str, kind: Kind, fields: dict[str, Any]) -> PlanFileChange:
        text = self._text(path, kind)
        if text is None and kind != "stage":
            raise StateError(f"{self._folder.spelled(path)} is gone: bring it back from git, then call again.")
        try:
            changed = with_state(text or "", fields) if kind == "stage" else with_fields(text or "", fields)
        except WireError as error:
            raise StateError(
                f"{self._folder.spelled(path)} can not be changed: {error}. Put it right by hand."
            ) from error
        return self._kept(path, kind, changed)

    def _filed(self, effect: NewFeedback, now: str) -> PlanFileChange | None:
        """The same key is the same finding: filed again, it is left as it is."""
        folder = layout.feedback_folder(self._slug, effect.stage)
        view = self._plan.stage(effect.stage) if effect.stage else None
        known = view.feedback if view else self._plan.feedback
        if (effect.stage, effect.key) in self._keys or any(item.source_ref == effect.key for item in known):
            return None
        self._keys.add((effect.stage, effect.key))
        there = self._names(folder)
        number = 1 + max((int(feedback_id(name).removeprefix("FB-") or 0) for name in there), default=0)
        file = f"{number:02}-{slug_of(effect.title) or 'finding'}.md"
        item = Feedback(
            id=f"FB-{number:02}",
            stage=effect.stage,
            file=file,
            title=effect.title.strip()[:LONGEST_TITLE],
            body=effect.body,
            origin=effect.origin,
            author=effect.author,
            created_at=now,
            source_ref=effect.key,
        )
        text = new_feedback(item)
        return self._kept(f"{folder}/{file}", "feedback", with_fields(text, effect.fields) if effect.fields else text)

    def _feedback_path(self, stage: str, found: str) -> str:
        folder = layout.feedback_folder(self._slug, stage)
        names = [name for name in self._names(folder) if name.endswith(".md") and feedback_id(name) == found]
        if not names:
            raise StateError(f"{self._folder.spelled(folder)} has no {found}: list it with haiku_feedback_list.")
        return f"{folder}/{names[0]}"

    def _names(self, folder: str) -> tuple[str, ...]:
        """With those that are about to be written."""
        coming = {path.rpartition("/")[2] for path in self._texts if path.rpartition("/")[0] == folder}
        return tuple(sorted({*self._folder.names(folder), *coming}))

    def _text(self, path: str, kind: Kind | Literal["lines"]) -> str | None:
        """StateError where somebody changed the engine's fields since the look."""
        if path in self._texts:
            return self._texts[path]
        text = self._folder.text(path)
        if not self._seal.admits(self._below(path), _values(path, kind, text or "")):
            raise StateError(f"{self._folder.spelled(path)} was changed by somebody else just now: call again.")
        return text

    def _kept(self, path: str, kind: Kind | Literal["lines"], text: str) -> PlanFileChange:
        self._texts[path] = text
        return PlanFileChange(path=path, text=text, values=_values(path, kind, text))

    def _below(self, path: str) -> str:
        return path.removeprefix(f"{layout.intent_folder(self._slug)}/")

    def _visit(self, stage: str) -> int:
        view = self._plan.stage(stage)
        return view.state.visits if view else 0


def _values(path: str, kind: Kind | Literal["lines"], text: str) -> dict[str, Any] | None:
    return lines_of(path, text).sealed if kind == "lines" else engine_values(kind, text)


# A new intent: made aside, then moved into place whole.


LONGEST_NEW_TITLE = 80


def create_intent(folder: PlanFolder, intent: Intent) -> str:
    """Its slug. ConfigError where the title is none, or an intent of this name exists, here or on a branch."""
    title = intent.title.strip()
    if not title or len(title) > LONGEST_NEW_TITLE or not title.isprintable():
        raise ConfigError(
            f"A title is one line of at most {LONGEST_NEW_TITLE} characters: {title[:LONGEST_NEW_TITLE]!r} is none."
        )
    slug = intent.slug or slug_of(title)
    if not safe_id(slug, "slug"):
        raise ConfigError(f"{slug!r} can not be the name of an intent. Give a slug of letters, digits and dashes.")
    place = layout.place_of(folder.home)
    base = ""
    with hold(folder, slug) as lock:
        repository = Repository(place, lock) if place is not None else None
        _refuse_taken(folder, repository, slug)
        if repository is not None:
            exclude(repository.place)
            base = _base(folder, repository)
        text = new_intent(replace(intent, slug=slug, title=title, base=base))
        folder.write(f"tmp/{slug}.new/intent.md", text.encode("utf-8", "surrogateescape"))
        seal = Seal(folder, slug)
        seal.begin()
        Seal(folder, slug, DRIFT_SEAL).begin()
        made_here(folder, slug, text)
        folder.move_folder(f"tmp/{slug}.new", layout.intent_folder(slug))
        seal.take({"intent.md": engine_values("intent", text)})
    return slug


def _refuse_taken(folder: PlanFolder, repository: Repository | None, slug: str) -> None:
    """What lies here goes before its branch: leftovers of one that lives on a branch do not count as one."""
    hub = layout.hub(slug)
    is_here = folder.read(layout.intent_file(slug)) is not None
    if not is_here and repository is not None and repository.has_branch(hub):
        there = f"There is an intent {slug} on the branch {hub} already"
        raise ConfigError(f"{there}: choose another slug, or go on with it (`git switch {hub}`).")
    if is_here or slug in folder.names("intents"):
        raise ConfigError(f"There is an intent {slug} already: choose another slug, or go on with it.")


def _base(folder: PlanFolder, repository: Repository) -> str:
    """The branch of whoever makes it: on one of another intent that one's base, or where work comes together."""
    other = layout.slug_of_branch(repository.branch)
    if not other:
        return repository.branch
    text = folder.text(layout.intent_file(other))
    return (parse_intent(text, other).base if text else "") or worktrees.default_branch(repository)


# What a step is about to write, and the commit that is due afterwards: on the disk before the first of it.
#
# So a step is done as a whole or not at all: after a kill the next engine does it again, which changes nothing where
# it was done already. The note is signed, and the seal names the one that was written last: nobody else can have the
# engine write something, or write something old once more. Several writes or a commit need it; a single write is
# whole by itself.


MOST_BYTES = 1 << 30
"""A step that settles a mass of files names each of them."""


class Due(msgspec.Struct, frozen=True, kw_only=True):
    now: str
    effects: tuple[FileEffect, ...]
    message: str = ""
    """What the commit says; empty: none is due."""


class _Signed(msgspec.Struct, frozen=True, kw_only=True):
    due: msgspec.Raw
    mac: str


def note_step(folder: PlanFolder, slug: str, due: Due) -> str:
    """The name of the step: the seal takes it before the first write."""
    text = msgspec.json.encode(due)
    folder.write(_path(slug), msgspec.json.encode(_Signed(due=msgspec.Raw(text), mac=_mac(slug, text))))
    return step_name(due)


def step_name(due: Due) -> str:
    return digest(msgspec.json.encode(due).decode("utf-8", "surrogateescape"), 16)


def noted_step(folder: PlanFolder, slug: str) -> Due | None:
    """None where nothing is due, or somebody else wrote it."""
    data = folder.read(_path(slug), MOST_BYTES)
    if data is None:
        return None
    try:
        signed = msgspec.json.decode(data, type=_Signed)
        due = msgspec.json.decode(signed.due, type=Due)
    except (ValueError, RecursionError):
        return None
    return due if hmac.compare_digest(signed.mac, _mac(slug, bytes(signed.due))) else None


def forget_step(folder: PlanFolder, slug: str) -> None:
    folder.remove(_path(slug))


def _mac(slug: str, text: bytes) -> str:
    key = secret_key()
    return hmac.new(key, slug.encode() + b"\0" + text, "sha256").hexdigest() if key else ""


def _path(slug: str) -> str:
    return f"tmp/{slug}.step"
