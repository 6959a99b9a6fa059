"""A unit's branch brought into the hub. The primary work tree only ever sees the finished merge.

The merged tree is computed without touching any files; the plan's own records are the hub's in it, and so is all that
says how the workflow goes (settings, studios), whatever the unit's branch made of its copies: only a person changes
that. Where git can not merge, the hub is merged into the unit's own tree, and the conflict stays there for the agent.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from posixpath import exists, join

from leeboard.errors import StateError
from leeboard.io.file import read_regular
from leeboard.plan.disk import layout, worktrees
from leeboard.plan.disk.repository import GitRefusedError, Repository, names_in, on_hub

_MOST = 256 << 20
_MARKS = (b"<<<<<<< ", b"=======", b">>>>>>> ")


def merge_unit(
    repository: Repository, slug: str, unit: str, message: str, landing: Callable[[str], None] = lambda _tree: None
) -> tuple[str, ...]:
    """Once the branch is part of the hub, or a conflict waits in the unit's tree, it is done. Twice is harmless.

    `landing` is told the merged tree before it is brought into the primary work tree. What of the unit's work was left
    out of it is returned, and the commit says so.
    """
    path, branch, hub = layout.worktree(repository.root, slug, unit), layout.unit_branch(slug, unit), layout.hub(slug)
    on_hub(repository, slug)
    if worktrees.is_worktree(repository, path) and not _settled(repository, slug, unit):
        return ()
    if not repository.has_branch(branch) or worktrees.is_merged(repository, branch, hub):
        return ()
    left_out = _policy_changes(repository, hub, branch)
    tree = _merged_tree(repository, slug, branch)
    if not tree:
        tree = _merged_in_unit(repository, slug, unit)
    if not tree:
        return ()
    landing(tree)
    said = f"{message}\n\nLeft out, for only a person changes it: {', '.join(left_out)}" if left_out else message
    _advance_hub(repository, slug, branch, tree, said)
    return left_out


def _policy_changes(repository: Repository, hub: str, branch: str) -> tuple[str, ...]:
    """Settings and studios that a unit's branch made something else of than the hub has."""
    changed = ("diff", "--name-only", "--no-renames", "-z", f"{hub}...{branch}", "--", layout.HOME)
    found = [name for name in names_in(repository.run(*changed)) if layout.is_policy(name)]
    if not found:
        return ()
    differing = {*names_in(repository.run("diff", "--name-only", "--no-renames", "-z", hub, branch, "--", *found))}
    return tuple(name for name in found if name in differing)


def _settled(repository: Repository, slug: str, unit: str) -> bool:
    """Commit what is left in a unit's tree; False while a conflict in it waits for the agent."""
    path = layout.worktree(repository.root, slug, unit)
    if exists(join(worktrees.git_folder(path), "MERGE_HEAD")):
        if unmerged(repository, path) or left_marked(repository, slug, path):
            return False
        repository.run("add", "--all", at=path)
        repository.run("commit", "--quiet", "--no-edit", at=path)
        return True
    worktrees.commit_leftovers(repository, path, f"haiku({slug}): finish {unit}")
    return not left_marked(repository, slug, path)


def unmerged(repository: Repository, path: str) -> tuple[str, ...]:
    """Files that a merge in this work tree stopped on."""
    return names_in(repository.run("diff", "--name-only", "--diff-filter=U", "-z", at=path))


def left_marked(repository: Repository, slug: str, path: str) -> tuple[str, ...]:
    """Files of a unit's tree that a merge of the hub settled, committed or not, with the conflict still in them."""
    hub = f"refs/heads/{layout.hub(slug)}"
    if exists(join(worktrees.git_folder(path), "MERGE_HEAD")):
        staged = (
            repository.run("diff", "--cached", "--name-only", "-z", side, at=path) for side in ("HEAD", "MERGE_HEAD")
        )
        names = set.intersection(*({*names_in(printed)} for printed in staged))
    else:
        # What differs from both sides is what somebody, or git, had to settle.
        merges = ("log", "--merges", "-c", "--format=", "--name-only", "-z", f"{hub}..HEAD")
        names = {name.lstrip("\n") for name in names_in(repository.run(*merges, at=path))}
    marked = (name for name in sorted(names) if is_marked(_held(join(path, name))))
    return tuple(name for name in marked if not is_marked(_shown(repository, hub, name)))


def is_marked(text: bytes) -> bool:
    """Whether lines of a conflict stand in it, in the order git writes them."""
    wanted = iter(_MARKS)
    mark = next(wanted)
    for line in text.splitlines():
        if line == mark.rstrip() if mark == _MARKS[1] else line.startswith(mark):
            following = next(wanted, None)
            if following is None:
                return True
            mark = following
    return False


def _held(path: str) -> bytes:
    """Nothing where there is no file any more."""
    try:
        return read_regular(path, _MOST)
    except OSError:
        return b""


def _shown(repository: Repository, commit: str, name: str) -> bytes:
    try:
        return repository.run("show", f"{commit}:{name}")
    except GitRefusedError:
        return b""


def _merged_tree(repository: Repository, slug: str, branch: str) -> str:
    """Empty where git can not merge by itself, or is too old to merge without a work tree."""
    hub = layout.hub(slug)
    try:
        printed = repository.run("merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", hub, branch)
        conflicts: tuple[str, ...] = ()
    except GitRefusedError as error:
        if error.code != 1:
            return ""
        printed, conflicts = error.printed, names_in(error.printed)[1:]
    tree = printed.split(b"\0", 1)[0].decode("ascii", "replace").strip()
    if not all(_is_hubs(name, slug) for name in conflicts):
        return ""
    return _with_records_of(repository, slug, tree)


def _with_records_of(repository: Repository, slug: str, tree: str) -> str:
    """The tree with the plan's own files and its policy as the hub has them."""
    hub = layout.hub(slug)
    differing = names_in(repository.run("diff-tree", "-r", "--name-only", "--no-renames", "-z", hub, tree))
    records = [name for name in differing if _is_hubs(name, slug)]
    if not records:
        return tree
    kept = repository.run("ls-tree", "-z", "--full-tree", hub, "--", *records)
    gone = "".join(f"0 {'0' * len(tree)}\t{name}\0" for name in records).encode("utf-8", "surrogateescape")
    with tempfile.TemporaryDirectory() as folder:
        settings = {"GIT_INDEX_FILE": join(folder, "index")}
        repository.run("read-tree", tree, settings=settings)
        repository.run("update-index", "-z", "--index-info", given=gone, settings=settings)
        if kept:
            repository.run("update-index", "-z", "--index-info", given=kept, settings=settings)
        return repository.run("write-tree", settings=settings).decode("ascii").strip()


def _merged_in_unit(repository: Repository, slug: str, unit: str) -> str:
    """Merge the hub into the unit's tree. The tree where that went well; empty where the agent has to resolve it."""
    path, hub = worktrees.make_worktree(repository, slug, unit), layout.hub(slug)
    try:
        repository.run(
            "merge",
            "--quiet",
            "--no-ff",
            "--no-autostash",
            "-m",
            f"haiku({slug}): bring {hub} into {unit}",
            hub,
            at=path,
        )
    except GitRefusedError as error:
        stopped = unmerged(repository, path)
        if not stopped:
            raise StateError(
                f"{hub} can not be merged in {path}: {error.words[-300:]}. Put that right there."
            ) from error
        if not _records_taken(repository, slug, path, stopped):
            return ""
    return _with_records_of(repository, slug, repository.said("rev-parse", "HEAD^{tree}", at=path))


def _records_taken(repository: Repository, slug: str, path: str, stopped: tuple[str, ...]) -> bool:
    """Take the hub's version of the plan's own files in a stopped merge; whether that ended it."""
    for name in stopped:
        if _is_hubs(name, slug):
            known = repository.run("ls-tree", "-z", "--full-tree", "MERGE_HEAD", "--", name, at=path)
            take = ("checkout", "MERGE_HEAD", "--", name) if known else ("rm", "--quiet", "--force", "--", name)
            repository.run(*take, at=path)
    if unmerged(repository, path):
        return False
    repository.run("commit", "--quiet", "--no-edit", at=path)
    return True


def _advance_hub(repository: Repository, slug: str, branch: str, tree: str, message: str) -> None:
    hub = f"refs/heads/{layout.hub(slug)}"
    parents = ("-p", hub, "-p", f"refs/heads/{branch}")
    commit = repository.said("commit-tree", tree, *parents, "-m", message)
    try:
        repository.run("merge", "--quiet", "--ff-only", "--no-autostash", "--no-verify-signatures", commit)
    except GitRefusedError as error:
        raise StateError(
            f"{branch} can not be merged in {repository.root}: files that it changes are changed there too, and not"
            f" committed. Commit or stash them, then call again. ({error.words[-300:]})"
        ) from error


def _is_hubs(name: str, slug: str) -> bool:
    return layout.is_engine_file(name, slug) or layout.is_policy(name)
