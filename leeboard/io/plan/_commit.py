"""The plan's own commits: of its folder alone, whatever else is staged or changed."""

from __future__ import annotations

from leeboard.io.plan import layout, worktrees
from leeboard.io.plan.repository import Repository


def commit_plan(repository: Repository, slug: str, message: str) -> bool:
    """Whether there was something to commit. Nothing is, before the intent has its branch or where git ignores it."""
    path = layout.commit_path(slug)
    if not repository.has_branch(layout.hub(slug)) and repository.branch != layout.hub(slug):
        return False
    worktrees.on_hub(repository, slug)
    if is_ignored(repository, slug) or not repository.run("status", "--porcelain", "-z", "-uall", "--", path):
        return False
    repository.known_author()
    repository.run("add", "--all", "--", path)
    repository.run("commit", "--quiet", "--only", "-m", message, "--", path)
    return True


def commit_artifacts(repository: Repository, slug: str, message: str) -> None:
    """Where something of the plan that a unit may have written too is not committed: a merge would trip over it."""
    printed = repository.run("status", "--porcelain", "-z", "-uall", "--no-renames", "--", layout.commit_path(slug))
    names = (record[3:].decode("utf-8", "surrogateescape") for record in printed.split(b"\0") if record)
    if any(not layout.is_engine_file(name, slug) for name in names):
        commit_plan(repository, slug, message)


def is_ignored(repository: Repository, slug: str) -> bool:
    return bool(repository.run(*layout.ignored_question(slug)))
