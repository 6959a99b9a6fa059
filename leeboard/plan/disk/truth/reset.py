"""A baseline that was lost, corrupted or altered is made anew: shown to an operator first, then accepted by them.

What an operator accepts is the digest of exactly what they saw. Nothing here is for an agent: it may only begin a
baseline where there never was one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Literal

import msgspec

from leeboard.errors import ConfigError, LeeboardError, StateError, WireError
from leeboard.model.plan import Plan
from leeboard.model.truth import BaselineEntry, Divergence, Standing, SurfaceFile
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder, hold
from leeboard.plan.disk.read import look_at
from leeboard.plan.disk.repository import Repository
from leeboard.plan.disk.truth import record as acks
from leeboard.plan.disk.truth.effects import TruthWriter
from leeboard.plan.disk.truth.gather import differing
from leeboard.plan.disk.truth.record import TruthRecord, digests_now
from leeboard.plan.disk.truth.surface import drift_settings, ignored_globs, read_surface
from leeboard.plan.effect import LogBaseline, Refusal
from leeboard.plan.files.truth import BaselineAck, parse_baseline
from leeboard.plan.surface import canonical, spelled, tracked

Reference = Literal["the last baseline that git has", "the altered baseline", "nothing"]


class ResetPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What a reset of one scope would take as it is."""

    scope: str
    standing: Standing
    reason: str
    differs: tuple[Divergence, ...]
    """Against what `compared_with` names."""
    compared_with: Reference
    files: int
    diff_hash: str
    """The digest of all of them: to be given back by whoever accepts it."""
    waits: int
    """Ticks until it can be reset, where it was lost too often lately: somebody has to find out why."""


class BaselineInit(msgspec.Struct, frozen=True, kw_only=True):
    baselines_created: int
    baselines_skipped_existing: int
    tracking_classes: dict[str, int]
    drift_is_off: bool = False


def reset_preview(folder: PlanFolder, slug: str, scope: str) -> ResetPreview:
    """ConfigError where the intent has no such stage; the scope of the intent itself is empty."""
    plan = look_at(folder, slug).plan
    if scope not in layout.all_scopes(plan):
        raise ConfigError(f"{slug} has no stage {scope!r}: it has {', '.join(layout.all_scopes(plan)[1:])}.")
    record = TruthRecord(folder, slug, digests_now(folder, slug, layout.all_scopes(plan)))
    standing, reason = record.standing(scope)
    surface = read_surface(folder, slug, (scope,), ignored_globs(drift_settings(folder)))
    files = surface.files(scope)
    entries, compared = _reference(folder, slug, scope, record)
    return ResetPreview(
        scope=scope,
        standing=standing,
        reason=reason,
        differs=tuple(differing(scope, entries, surface)),
        compared_with=compared,
        files=len(files),
        diff_hash=acks.diff_hash(slug, scope, files.values()),
        waits=acks.worn_for(record, scope, plan.tick),
    )


def reset_accept(folder: PlanFolder, slug: str, scope: str, diff_hash: str, rationale: str, now: str) -> None:
    """Let the next tick take what was shown, once. StateError where it is no longer what was shown."""
    if not rationale.strip():
        raise ConfigError("Say why the baseline may be made anew: it is kept with it.")
    with hold(folder, slug):
        shown = reset_preview(folder, slug, scope)
        if shown.standing not in acks.LOST:
            raise ConfigError(f"The baseline of {scope or slug} is {shown.standing}: there is nothing to reset.")
        if shown.waits:
            raise StateError(
                f"The baseline of {scope or slug} was lost too often in a few ticks. Find out who changes"
                f" {layout.baseline_file(scope)}. It can be reset after {shown.waits} more ticks: each call of"
                " haiku_run_next counts as one, though it goes no further."
            )
        if shown.diff_hash != diff_hash:
            raise StateError("Files changed since they were shown: look at them again, then accept what you see.")
        acks.write_ack(folder, slug, scope, BaselineAck(diff_hash=diff_hash, created_at=now, rationale=rationale))


def baseline_init(folder: PlanFolder, slug: str, now: str, paths: Collection[str] = ()) -> BaselineInit | Refusal:
    """Begin baselines where there never were any, or an operator accepted it: of all files, or of these alone."""
    with hold(folder, slug):
        plan = look_at(folder, slug).plan
        if plan.intent.archived or plan.intent.status != "active":
            return Refusal(code="intent_not_active", message=f"{slug} is {plan.intent.status}: nothing is tracked.")
        stages = layout.all_scopes(plan)[1:]
        outside = sorted(path for path in paths if tracked(path, stages) is None)
        if outside:
            message = f"Not of the tracked surface: {', '.join(outside)}."
            return Refusal(code="path_outside_tracked_surface", message=message, details={"paths": outside})
        return _begun(folder, slug, plan, {spelled(canonical(path)) for path in paths}, now)


def set_aside(folder: PlanFolder, slug: str, aside: str) -> None:
    """An intent begins anew: what is known of its files is moved out of the way."""
    there = folder.names(layout.intent_folder(slug))
    kept = ("baseline.json", "baseline-content", layout.MARKERS, layout.DISPATCH, layout.LOG, ".baseline-ack")
    TruthRecord(folder, slug, {}).forget()
    for name in kept:
        if name in there:
            folder.move_folder(layout.below(slug, name), f"{aside}/{name}")


def _begun(folder: PlanFolder, slug: str, plan: Plan, paths: Collection[str], now: str) -> BaselineInit | Refusal:
    settings, scopes = drift_settings(folder), layout.all_scopes(plan)
    record = TruthRecord(folder, slug, digests_now(folder, slug, scopes))
    standing = {scope: record.standing(scope)[0] for scope in scopes}
    surface = read_surface(folder, slug, scopes, ignored_globs(settings))
    missing = sorted(path for path in paths if path not in surface.shas(layout.scope_of(path)))
    if missing:
        return Refusal(code="path_missing", message=f"Not there: {', '.join(missing)}.", details={"paths": missing})
    good, _ = acks.accepted(folder, slug, {each: surface.files(each) for each in scopes if standing[each] in acks.LOST})
    wanted = {layout.scope_of(path) for path in paths} if paths else set(scopes)
    begun = [scope for scope in scopes if scope in wanted and (standing[scope] == "unestablished" or scope in good)]
    taken: dict[str, dict[str, SurfaceFile]] = {
        scope: {
            path: file for path, file in surface.files(scope).items() if not paths or scope in good or path in paths
        }
        for scope in begun
    }
    _establish(folder, plan, taken, now)
    for scope in good:
        folder.remove(layout.below(slug, layout.ack_file(scope)))
    classes = Counter(file.tracking_class for files in taken.values() for file in files.values())
    return BaselineInit(
        baselines_created=len(begun),
        baselines_skipped_existing=len(wanted) - len(begun),
        tracking_classes={str(name): count for name, count in classes.items()},
        drift_is_off=not settings.drift_detection,
    )


def _establish(folder: PlanFolder, plan: Plan, taken: dict[str, dict[str, SurfaceFile]], now: str) -> None:
    writer = TruthWriter(folder, plan)
    writer.establish(taken, plan.tick, now)
    for scope in taken:
        writer.perform(LogBaseline(scope=scope, entry_type="baseline_established", tick=plan.tick), now)


def _reference(
    folder: PlanFolder, slug: str, scope: str, record: TruthRecord
) -> tuple[dict[str, BaselineEntry], Reference]:
    """What to compare with: git's version where it is one that the engine wrote, else what lies there, if anything."""
    committed = _committed(folder, f"{layout.commit_path(slug)}/{layout.baseline_file(scope)}")
    if committed is not None and record.is_good(scope, committed):
        try:
            return parse_baseline(committed), "the last baseline that git has"
        except WireError:
            pass
    entries = record.entries(scope)
    return entries, "the altered baseline" if entries else "nothing"


def _committed(folder: PlanFolder, path: str) -> bytes | None:
    place = layout.place_of(folder.home)
    try:
        return Repository(place).run("cat-file", "blob", f"HEAD:{path}") if place else None
    except LeeboardError:
        return None
