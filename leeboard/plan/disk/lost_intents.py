"""Intents whose files are not in the primary work tree, and the command that brings each of them back.

They live on another branch, or a branch was set back behind their beginning: git keeps what was committed, and its
reflog still names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from leeboard.io.git.place import GitPlace
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.repository import GitRefusedError, Repository
from leeboard.plan.files.files import safe_id

_MOST_SEEN = 1000
"""Entries of a reflog that are looked at, the newest first."""
_CHECKOUT = "checkout: moving from "
"""How git begins what it notes of HEAD when another branch is checked out."""
_OF_UNIT = ", where a unit's branch is, which may lack what was merged since,"


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """An intent that people speak of and that is not in this checkout, and how it is brought back."""

    slug: str
    where: str
    """The branch or the commit that has it, or had it; empty: there is none."""
    command: str
    """Brings it back; empty: nothing is known to."""
    parked: bool = False
    """Its own branch has it and another one is checked out: nothing is wrong."""

    @property
    def text(self) -> str:
        if not self.command:
            return f"of the intent {self.slug} only traces are left: no commit that git still names has it"
        return f"the intent {self.slug} is not in the work tree; {self.where} has it: `{self.command}` brings it back"


def lost_intents(home: str) -> tuple[Lost, ...]:
    """Without git there is nothing that could be brought back. One that lies in a work tree of its own is not lost."""
    home = layout.top_of(home)
    place = layout.place_of(home)
    if place is None:
        return ()
    folder = PlanFolder(home)
    names = sorted({*_named_by_branches(place), *folder.names("intents"), *folder.names("worktrees")})
    names = [slug for slug in names if safe_id(slug, "slug") and layout.intent_home(home, slug) == home]
    gone = (slug for slug in names if folder.read(layout.intent_file(slug)) is None)
    repository = Repository(place)
    found = (_found(repository, slug, traces=slug in folder.names("intents")) for slug in gone)
    return tuple(each for each in found if each is not None)


def way_back(home: str, slug: str) -> str:
    """A sentence to be added to what is said of an intent that is not here; empty: nothing brings it back."""
    return next((f" But {each.text}." for each in lost_intents(home) if each.slug == slug and each.command), "")


def _named_by_branches(place: GitPlace) -> set[str]:
    printed = Repository(place).said("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/haiku")
    return {layout.slug_of_branch(name) for name in printed.split()} - {""}


def _found(repository: Repository, slug: str, *, traces: bool) -> Lost | None:
    """The hub itself, where it was, then a unit's branch. None: it was given up, and nothing of it is left here."""
    hub = layout.hub(slug)
    here = repository.branch == hub
    if repository.has_branch(hub) and _has_intent(repository, slug, f"refs/heads/{hub}"):
        command = f"git restore --source={hub} -- {layout.commit_path(slug)}" if here else f"git switch {hub}"
        return Lost(slug=slug, where=hub, command=command, parked=not here)
    for commit, caution in _earlier(repository, slug):
        if _has_intent(repository, slug, commit):
            command = f"git reset --keep {commit[:12]}" if here else f"git switch -C {hub} {commit[:12]}"
            return Lost(slug=slug, where=f"commit {commit[:12]}{caution}", command=command)
    where = hub if repository.has_branch(hub) else ""
    return Lost(slug=slug, where=where, command="") if traces or where else None


def _earlier(repository: Repository, slug: str) -> Iterator[tuple[str, str]]:
    """Where the hub was, the newest first; then the branches of its units, which began there, with a caution.

    A unit's branch may be newer than the hub and still lack what other units brought to it: it comes last.
    """
    hub = layout.hub(slug)
    own = _moves(repository, f"refs/heads/{hub}") if repository.has_branch(hub) else ()
    logged = (*(commit for commit, _ in own), *_while_on(hub, _moves(repository, "HEAD")))
    yield from ((commit, "") for commit in dict.fromkeys(logged))
    newest = ("for-each-ref", "--sort=-committerdate", "--format=%(objectname)", f"refs/heads/haiku/{slug}")
    yield from ((commit, _OF_UNIT) for commit in repository.said(*newest).split())


def _moves(repository: Repository, ref: str) -> tuple[tuple[str, str], ...]:
    """Each commit that a ref was at, and what led there, the newest first."""
    try:
        printed = repository.said("reflog", "show", "--format=%H %gs", f"--max-count={_MOST_SEEN}", ref)
    except GitRefusedError:
        return ()
    return tuple((commit, said) for commit, _, said in (line.partition(" ") for line in printed.splitlines()))


def _while_on(branch: str, moves: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Where HEAD was while this branch was checked out: with a branch, git forgets its own log."""
    is_on = False
    for commit, said in moves:
        if is_on:
            yield commit
        if said.startswith(f"{_CHECKOUT}{branch} to "):
            is_on = True
        elif said.startswith(_CHECKOUT) and said.endswith(f" to {branch}"):
            is_on = False


def _has_intent(repository: Repository, slug: str, commit: str) -> bool:
    path = f"{layout.commit_path(slug)}/intent.md"
    try:
        return bool(repository.run("ls-tree", "--full-tree", commit, "--", path))
    except GitRefusedError:
        return False
