"""The plan's own commits: of its folder alone, whatever else is staged or changed.

What a `.gitignore` hides by mistake is part of it. What git does not take, such as a file that became a repository, is
left out: it holds no step of a workflow up.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from posixpath import join

from leeboard.io.plan import layout, worktrees
from leeboard.io.plan.repository import GitRefusedError, Repository
from leeboard.io.plan.swallowed import hidden, swallowed, take


def commit_plan(repository: Repository, slug: str, message: str) -> bool:
    """Whether there was something to commit. Nothing is, before the intent has its branch or where git ignores it."""
    path = layout.commit_path(slug)
    if not repository.has_branch(layout.hub(slug)) and repository.branch != layout.hub(slug):
        return False
    worktrees.on_hub(repository, slug)
    unseen = hidden(repository, path)
    if is_ignored(unseen, slug):
        return False
    lost = swallowed(repository, unseen)
    if not lost and not repository.run("status", "--porcelain", "-z", "-uall", "--", path):
        return False
    repository.known_author()
    take(repository, lost)
    try:
        repository.run("add", "--all", "--", path)
        repository.run("commit", "--quiet", "--only", "-m", message, "--", path)
    except GitRefusedError as error:
        if ".lock'" in error.words:
            raise
        return _commit_the_rest(repository, path, message, lost)
    return True


def _commit_the_rest(repository: Repository, path: str, message: str, lost: tuple[str, ...]) -> bool:
    """All that git takes. Made beside the index: `commit --only` wants to add what is in the way once more."""
    _add(repository, path, {})
    head = repository.head
    with tempfile.TemporaryDirectory() as folder:
        settings = {"GIT_INDEX_FILE": join(folder, "index")}
        if head:
            repository.run("read-tree", head, settings=settings)
        _add(repository, path, settings)
        take(repository, lost, settings=settings)
        tree = repository.run("write-tree", settings=settings).decode("ascii").strip()
    if head and tree == repository.said("rev-parse", f"{head}^{{tree}}"):
        return False
    commit = repository.said("commit-tree", tree, *(("-p", head) if head else ()), "-m", message)
    repository.run("update-ref", "-m", message, "HEAD", commit, head or "0" * len(commit))
    return True


def _add(repository: Repository, path: str, settings: Mapping[str, str]) -> None:
    try:
        repository.run("add", "--all", "--ignore-errors", "--", path, settings=settings)
    except GitRefusedError as error:
        if error.code != 1:  # 1: some of it was not taken
            raise


def commit_artifacts(repository: Repository, slug: str, message: str) -> None:
    """Where something of the plan that a unit may have written too is not committed: a merge would trip over it."""
    printed = repository.run("status", "--porcelain", "-z", "-uall", "--no-renames", "--", layout.commit_path(slug))
    names = [record[3:].decode("utf-8", "surrogateescape") for record in printed.split(b"\0") if record]
    names += swallowed(repository, hidden(repository, layout.commit_path(slug)))
    if any(not layout.is_engine_file(name, slug) for name in names):
        commit_plan(repository, slug, message)


def is_ignored(unseen: tuple[str, ...], slug: str) -> bool:
    """Whether git is not to see the plan at all."""
    return f"{layout.commit_path(slug)}/intent.md" in unseen
