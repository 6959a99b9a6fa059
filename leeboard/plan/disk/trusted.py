"""What of a workflow on disk may act here: its intents, the commands of their quality gates, studios, settings.

An intent that our engine made here counts, and one that a person trusted; a command counts where it was trusted, or
was written here for such an intent. A trusted plan's words may change with a pull, as those of any file an agent reads;
what runs may not, nor may the studios and settings that say how the work is held.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from functools import lru_cache
from posixpath import join, lexists

from msgspec.structs import replace

from leeboard.errors import ConfigError, EffectError, LeeboardError, UntrustedError
from leeboard.io import system
from leeboard.model.plan import Intent, Plan
from leeboard.model.studio import GateCommand
from leeboard.model.unit import Unit
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder, intent_homes
from leeboard.plan.files.files import parse_intent, parse_unit, safe_id
from leeboard.trust import record as trust
from leeboard.trust.actor import Actor, TrustRecord, asleep

SETTINGS, STUDIOS = "settings.yml", "studios"
PLAN_SETTINGS = "plan settings"
MOST_FILES, MOST_BYTES = 2_000, 1 << 20
_NEXT = "A person looks at it and lets it act with `leeboard trust`, in a terminal of their own."


def intent_actor(intent: Intent) -> Actor:
    return Actor(
        part=f"plan:{intent.slug}",
        digest=_intent_digest(intent.slug, intent.created_at),
        place=f"{layout.HOME}/{layout.intent_file(intent.slug)}",
        does="a plan that is told to agents, guards files and keeps agents going",
        shown=(trust.escaped(f"{intent.title or intent.slug}, studio {intent.studio or 'not chosen'}"),),
        acts=intent.status == "active",
    )


def is_awake(home: str, intent: Intent) -> bool:
    return trust.trusts(home, f"plan:{intent.slug}", _intent_digest(intent.slug, intent.created_at))


def gate_is_awake(home: str, slug: str, gate: GateCommand) -> bool:
    return trust.trusts(home, f"gates:{slug}", _gate_digest(gate.command, gate.dir))


def awake_gates(home: str, slug: str, gates: tuple[GateCommand, ...]) -> tuple[GateCommand, ...]:
    """Those that may run; the very same where all of them may."""
    found = tuple(gate for gate in gates if gate_is_awake(home, slug, gate))
    return gates if len(found) == len(gates) else found


def settings_text(folder: PlanFolder) -> str:
    """The project's settings for the workflow; empty where there are none, or they are not trusted."""
    text = _policy(folder, SETTINGS).text(SETTINGS)
    return text if text and trust.trusts(folder.home, PLAN_SETTINGS, trust.digest_of(text)) else ""


def studios_count(home: str) -> bool:
    """Whether the project's own studios are trusted as they are; true where there are none."""
    home = layout.policy_home(home, STUDIOS)
    return not lexists(join(home, layout.HOME, STUDIOS)) or trust.trusts(home, STUDIOS, _studios_digest(home))


def plan_actors(home: str) -> Iterator[Actor]:
    """All of the plans that are not archived, with what they stand on."""
    if not lexists(join(home, layout.HOME)):
        return
    top = layout.top_of(home)
    homes = intent_homes(top)
    for slug, place in sorted(homes.items()):
        folder = PlanFolder(place)
        text = folder.text(layout.intent_file(slug)) if safe_id(slug, "slug") else None
        intent = parse_intent(text, slug) if text is not None else None
        if intent is not None and not intent.archived:
            yield intent_actor(intent)
            yield from (replace(each, acts=intent.status == "active") for each in _gates(folder, intent))
    seen: set[tuple[str, str]] = set()
    for place in dict.fromkeys((top, *homes.values())):
        for actor in policy_actors(PlanFolder(place)):
            if (actor.part, actor.digest) not in seen:
                seen.add((actor.part, actor.digest))
                yield actor


def policy_actors(folder: PlanFolder) -> Iterator[Actor]:
    """Studios and settings: what says how the work is held, whatever the intent."""
    studios, settings = _policy(folder, STUDIOS), _policy(folder, SETTINGS)
    if lexists(studios.spelled(STUDIOS)):
        files = _studio_files(studios.home)
        yield Actor(
            part=STUDIOS,
            digest=_studios_digest(studios.home),
            place=f"{layout.HOME}/{STUDIOS}",
            does="studios: what agents are told to do, and who lets a stage through",
            shown=tuple(trust.escaped(f"{name} {sha[:12]}{_review(studios, name)}") for name, sha in files or ()),
        )
    text = settings.text(SETTINGS)
    if text and text.strip():
        shown = tuple(trust.escaped(line.rstrip()) for line in text.splitlines() if line.strip())
        place = f"{layout.HOME}/{SETTINGS}"
        digest = trust.digest_of(text)
        yield Actor(part=PLAN_SETTINGS, digest=digest, place=place, does="how the work is held", shown=shown)


def _sleeping_policy(folder: PlanFolder, record: TrustRecord) -> tuple[Actor, ...]:
    """Those of them that nobody trusts as they are. Every step asks, so what they say is read only where one sleeps."""
    trusted = all(record.trusts(part, digest) for part, digest in _policy_digests(folder))
    return () if trusted else asleep(policy_actors(folder), record)


def _policy_digests(folder: PlanFolder) -> Iterator[tuple[str, str]]:
    studios = _policy(folder, STUDIOS)
    if lexists(studios.spelled(STUDIOS)):
        yield STUDIOS, _studios_digest(studios.home)
    text = _policy(folder, SETTINGS).text(SETTINGS)
    if text and text.strip():
        yield PLAN_SETTINGS, trust.digest_of(text)


def made_here(folder: PlanFolder, slug: str, text: str) -> None:
    """Our own engine is about to put this intent in its place: said before, so that whoever is killed in between leaves
    nothing that sleeps. Where it can not be kept the intent sleeps, and the next step says so.
    """
    _take(folder.home, [intent_actor(parse_intent(text, slug))])


def take_written_here(folder: PlanFolder) -> None:
    """Studios and settings that somebody wrote in this work tree count for the plans that are made here."""
    if not any(lexists(_policy(folder, name).spelled(name)) for name in (STUDIOS, SETTINGS)):
        return
    for actor in _sleeping_policy(folder, trust.known(folder.home).record):
        if _policy_written_here(folder, actor):
            _take(folder.home, [actor])


def taken_next(home: str, sleeping: Iterable[Actor], record: TrustRecord) -> Iterator[Actor]:
    """What sleeps in a workflow and the next step would take as written here: whoever only looks is told the same."""
    folder = PlanFolder(home)
    for actor in sleeping:
        kind, _, slug = actor.part.partition(":")
        if kind == "gates" and safe_id(slug, "slug"):
            text = folder.text(layout.intent_file(slug))
            intent = parse_intent(text, slug) if text is not None else None
            made = intent is not None and record.trusts(f"plan:{slug}", _intent_digest(slug, intent.created_at))
            if made and _gate_written_here(folder, slug, actor):
                yield actor
        elif actor.part in {STUDIOS, PLAN_SETTINGS} and _policy_written_here(folder, actor):
            yield actor


def refuse_asleep(folder: PlanFolder, intent: Intent) -> None:
    """UntrustedError where the intent, or what it stands on, came from elsewhere and nobody trusted it here."""
    if trust.in_whole_run():
        return
    record = trust.known(folder.home).record
    if not record.trusts(f"plan:{intent.slug}", _intent_digest(intent.slug, intent.created_at)):
        raise UntrustedError(f"The plan {intent.slug} is not trusted here, so it sleeps: nobody acts on it. {_NEXT}")
    if found := _sleeping_policy(folder, record):
        places = " and ".join(actor.place for actor in found)
        raise UntrustedError(f"{places} came from elsewhere, or changed since it was trusted. {_NEXT}")


def refuse_sleeping_gates(folder: PlanFolder, plan: Plan) -> None:
    """ConfigError where a command would run that came from elsewhere. What was written here counts from now on."""
    _refuse_strange(folder, plan.intent, _of(plan.intent, (unit for view in plan.stages for unit in view.units)))


def refuse_sleeping_pages(folder: PlanFolder, intent: Intent) -> None:
    """The same of the pages as they lie there, for who has not looked at the plan yet."""
    _refuse_strange(folder, intent, _gates(folder, intent))


def _refuse_strange(folder: PlanFolder, intent: Intent, there: Iterable[Actor]) -> None:
    home, slug = folder.home, intent.slug
    unknown = [actor for actor in there if not trust.trusts(home, actor.part, actor.digest)]
    own = [actor for actor in unknown if _gate_written_here(folder, slug, actor)]
    if own:
        _take(home, own)
    if strange := [actor for actor in unknown if actor not in own]:
        listed = "; ".join(line for actor in strange[:5] for line in actor.shown)
        said = f"quality gates of {slug} came from elsewhere, or changed since they were trusted: {listed}"
        raise ConfigError(f"{said}. None of them was run. {_NEXT}")


def _policy_written_here(folder: PlanFolder, actor: Actor) -> bool:
    from leeboard.trust.written_here import files_written_here  # noqa: PLC0415 - asks git

    home = layout.policy_home(folder.home, STUDIOS if actor.part == STUDIOS else SETTINGS)
    names = [name for name, _ in _studio_files(home) or ()] if actor.part == STUDIOS else []
    files = [f"{actor.place}/{name}" for name in names] or [actor.place]
    return bool(actor.digest) and files_written_here(home, files)


def _policy(folder: PlanFolder, name: str) -> PlanFolder:
    home = layout.policy_home(folder.home, name)
    return folder if home == folder.home else PlanFolder(home)


def _take(home: str, own: Iterable[Actor]) -> None:
    with contextlib.suppress(EffectError):
        trust.grant(home, own, trust.MADE_HERE)


def _gates(folder: PlanFolder, intent: Intent) -> Iterator[Actor]:
    units: list[Unit] = []
    top = f"{layout.intent_folder(intent.slug)}/stages"
    for stage in folder.folders(top):
        if safe_id(stage):
            pages = folder.texts(f"{top}/{stage}/units", ".md")
            units += [parse_unit(text, name.removesuffix(".md"), stage) for name, text in pages.items()]
    yield from _of(intent, units)


def _of(intent: Intent, units: Iterable[Unit]) -> Iterator[Actor]:
    for gate in intent.quality_gates:
        yield _gate_actor(intent.slug, layout.intent_file(intent.slug), "intent", gate)
    for unit in units:
        place = layout.unit_file(intent.slug, unit.stage, unit.id)
        yield from (_gate_actor(intent.slug, place, f"{unit.stage}/{unit.id}", gate) for gate in unit.quality_gates)


def _gate_actor(slug: str, place: str, of: str, gate: GateCommand) -> Actor:
    where = f"  (in {gate.dir})" if gate.dir else ""
    return Actor(
        part=f"gates:{slug}",
        digest=_gate_digest(gate.command, gate.dir),
        place=f"{layout.HOME}/{place}",
        does="quality gates: shell commands, run when an agent stops and by each step of the plan",
        shown=(trust.escaped(f"{of} {gate.name}: {gate.command}{where}"),),
    )


def _gate_written_here(folder: PlanFolder, slug: str, actor: Actor) -> bool:
    from leeboard.trust.written_here import committed_text, text_written_here  # noqa: PLC0415 - asks git

    page = actor.place.rpartition("/")[2].removesuffix(".md")

    def has(text: str) -> bool:
        read = parse_intent(text, slug) if page == "intent" else parse_unit(text, page, "")
        return any(_gate_digest(gate.command, gate.dir) == actor.digest for gate in read.quality_gates)

    before = committed_text(folder.home, actor.place)
    return before is None or not has(before) or text_written_here(folder.home, actor.place, has)


@lru_cache(4096)
def _gate_digest(command: str, folder: str) -> str:
    return trust.digest_of([command, folder])


@lru_cache(64)
def _intent_digest(slug: str, created_at: str) -> str:
    return trust.digest_of([slug, created_at])


def _review(folder: PlanFolder, name: str) -> str:
    """Who lets a stage through, where the file says so."""
    if not name.endswith("STAGE.md"):
        return ""
    try:
        lines = (folder.text(f"{STUDIOS}/{name}") or "").splitlines()
    except LeeboardError:
        return ""
    return next((f"  {line.strip()}" for line in lines if line.startswith("review:")), "")


def _studios_digest(home: str) -> str:
    """Empty where it is too much to be looked at. Made again where anything of it changed."""
    from leeboard.plan.disk.page_cache import STUDIOS as LOOKS  # noqa: PLC0415 - most projects have none of their own

    def made() -> str:
        found = _studio_files(home)
        return trust.digest_of(found) if found is not None else ""

    return LOOKS.made(join(home, layout.HOME, STUDIOS), made)


def _studio_files(home: str) -> list[tuple[str, str]] | None:
    """Each file below the studios with its digest, links as such; None where there are too many, or too large ones."""
    from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL

    top = join(home, layout.HOME, STUDIOS)
    found: list[tuple[str, str]] = []
    waiting = [top]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    seen = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(seen.st_mode):
                        waiting.append(entry.path)
                        continue
                    data = _read(entry.path, seen) if stat.S_ISREG(seen.st_mode) else b"no file"
                    if data is None or len(found) >= MOST_FILES:
                        return None
                    found.append((entry.path.removeprefix(f"{top}/"), sha256(data).hexdigest()))
        except (OSError, ValueError):
            return None
    return sorted(found)


def _read(path: str, seen: os.stat_result) -> bytes | None:
    if seen.st_size > MOST_BYTES:
        return None
    file = os.open(path, os.O_RDONLY | system.NOFOLLOW | system.NONBLOCK | system.CLOEXEC)
    try:
        return os.read(file, MOST_BYTES + 1)
    finally:
        os.close(file)
