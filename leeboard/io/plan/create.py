"""A new intent: made aside, then moved into place whole."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.errors import ConfigError
from leeboard.io.plan import layout, worktrees
from leeboard.io.plan.folder import Folder
from leeboard.io.plan.lock import hold
from leeboard.io.plan.repository import Repository
from leeboard.io.plan.seal import DRIFT_SEAL, Seal
from leeboard.io.plan.trusted import made_here
from leeboard.model.plan import Intent
from leeboard.wire.plan_files import engine_values, new_intent, parse_intent, safe_id, slug_of

LONGEST_TITLE = 80


def create_intent(folder: Folder, intent: Intent) -> str:
    """Its slug. ConfigError where the title is none, or an intent of this name exists, here or on a branch."""
    title = intent.title.strip()
    if not title or len(title) > LONGEST_TITLE or not title.isprintable():
        raise ConfigError(
            f"A title is one line of at most {LONGEST_TITLE} characters: {title[:LONGEST_TITLE]!r} is none."
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


def _refuse_taken(folder: Folder, repository: Repository | None, slug: str) -> None:
    """What lies here goes before its branch: leftovers of one that lives on a branch do not count as one."""
    hub = layout.hub(slug)
    is_here = folder.read(layout.intent_file(slug)) is not None
    if not is_here and repository is not None and repository.has_branch(hub):
        there = f"There is an intent {slug} on the branch {hub} already"
        raise ConfigError(f"{there}: choose another slug, or go on with it (`git switch {hub}`).")
    if is_here or slug in folder.names("intents"):
        raise ConfigError(f"There is an intent {slug} already: choose another slug, or go on with it.")


def _base(folder: Folder, repository: Repository) -> str:
    """The branch of whoever makes it: on one of another intent that one's base, or where work comes together."""
    other = layout.slug_of_branch(repository.branch)
    if not other:
        return repository.branch
    text = folder.text(layout.intent_file(other))
    return (parse_intent(text, other).base if text else "") or worktrees.default_branch(repository)
