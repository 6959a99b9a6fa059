"""Effects on plan files. All of a batch is made up in memory first, so that a refusal comes before the first write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from leeboard.errors import ConfigError, StateError, WireError
from leeboard.model.plan import Intent, Plan
from leeboard.model.unit import Feedback
from leeboard.plan.disk import layout, worktrees
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.lock import hold
from leeboard.plan.disk.records import reports_file, rulings_file, with_report, with_ruling, write_report
from leeboard.plan.disk.repository import Repository
from leeboard.plan.disk.seal import DRIFT_SEAL, Seal, lines_of
from leeboard.plan.disk.trusted import made_here
from leeboard.plan.disk.truth.effects import TRUTH_EFFECTS, TruthEffect, TruthWriter
from leeboard.plan.effect import (
    NewFeedback,
    RecordReport,
    RecordRuling,
    WriteFeedback,
    WriteIntent,
    WriteStage,
    WriteUnit,
)
from leeboard.plan.files.files import (
    Kind,
    engine_values,
    feedback_id,
    new_feedback,
    new_intent,
    parse_intent,
    safe_id,
    slug_of,
    with_fields,
    with_state,
)

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
        """Of findings that were filed."""

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
        """The file as it will be; None where there is none to change."""
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
            worktrees.exclude(repository.place)
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
