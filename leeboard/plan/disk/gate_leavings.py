"""What a quality gate leaves behind in a unit's work tree: caches, logs, reports of a run. It is not the unit's work.

Files that git neither knew nor ignores and that were not there before the gate are set aside, in git's own folder of
the work tree, so that nothing is lost and nothing of it is committed. They go with the work tree.
"""

from __future__ import annotations

import contextlib
import os
from posixpath import dirname, join

from leeboard.plan.disk.repository import Repository, names_in
from leeboard.plan.disk.worktrees import git_folder

ASIDE = "gate-leavings"


def unknown_files(repository: Repository, tree: str) -> frozenset[str]:
    """What git neither keeps nor ignores there."""
    return frozenset(names_in(repository.run("ls-files", "--others", "--exclude-standard", "-z", at=tree)))


def set_aside(repository: Repository, tree: str, before: frozenset[str]) -> tuple[str, ...]:
    """All that came since; their names."""
    made = sorted(unknown_files(repository, tree) - before)
    for name in made:
        kept = join(git_folder(tree), ASIDE, name)
        os.makedirs(dirname(kept), exist_ok=True)  # noqa: PTH103 - names of any bytes pass through as they are
        os.replace(join(tree, name), kept)  # noqa: PTH105 - as above
        _drop_empty(tree, dirname(name))
    return tuple(made)


def _drop_empty(tree: str, folder: str) -> None:
    with contextlib.suppress(OSError):
        while folder:
            os.rmdir(join(tree, folder))  # noqa: PTH106 - as above
            folder = dirname(folder)
