"""Which git commands of a line would lose something: what they are told to throw away, held against the repository."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from typing import Literal

from msgspec.structs import replace

from leeboard.model.touch import ShellEffects
from leeboard.model.unsaved import LoneCommit, Refs, UnsavedFile
from leeboard.model.workspace import TRUNK_BRANCHES, placed
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.losses.discard import Discard
from leeboard.shell.losses.git_words import discards
from leeboard.shell.losses.loss import Loss, LossGround, LossKind, is_made_anew, shown_commits, unknown_loss
from leeboard.shell.losses.pathspec import is_ignored, is_plain, means
from leeboard.shell.reach.globs import whole

_HEADS, _REMOTES, _TAGS = "refs/heads/", "refs/remotes/", "refs/tags/"
_REF_FOLDERS: tuple[tuple[str, Literal["branch", "tag"]], ...] = (("refs/heads", "branch"), ("refs/tags", "tag"))
_ALL_HEADS = frozenset({f"{_HEADS}*:{_HEADS}*", f"{_HEADS}*", "*:*"})
_KEEP = "`git stash -u` keeps them, or name only files of your own"
_POP = "leave the stash where it is: `git stash pop` brings them back"
_ASK = "leave it to the user, or ask them first"


def git_losses(line: ShellEffects, ground: LossGround) -> Iterator[Loss]:
    unsaved = ground.unsaved
    found = discards(line, ground.cwd, unsaved.settings, lambda folder: unsaved.top_of(folder) == folder)
    for discard in (*found, *_in_git_folder(line, ground)):
        yield from tuple(_BY_KIND[discard.kind](discard, ground)) or _untold(discard, ground)


def _untold(discard: Discard, ground: LossGround) -> Iterator[Loss]:
    if ground.unsaved.gave_up:
        yield unknown_loss(_LOST_BY.get(discard.kind, "changes"), discard.program, discard.names or discard.paths or ())


def _in_git_folder(line: ShellEffects, ground: LossGround) -> Iterator[Discard]:
    """Git's own files, removed or written over by name: branches lie there as files of theirs."""
    gone = [touch.path for touch in line.touches if touch.kind == "delete"]
    for path in (whole(word, ground.cwd) for word in (*gone, *line.replaced) if ".git/" in word):
        folder, _, inner = path.partition("/.git/")
        for ref, kind in _REF_FOLDERS:
            name = inner.removeprefix(f"{ref}/") if inner.startswith(f"{ref}/") else UNKNOWN
            if inner in {"refs", ref, "packed-refs"} or name != UNKNOWN:
                yield Discard(kind=kind, program=f"rm .git/{inner}", folder=folder, names=(name,))
        if inner in {"refs", "refs/stash", "logs", "logs/refs", "logs/refs/stash"}:
            yield Discard(kind="stash", program=f"rm .git/{inner}", folder=folder, flags=frozenset({"all"}))


def _in_files(discard: Discard, ground: LossGround) -> Iterator[Loss]:
    lost = _files(discard, ground)
    if lost:
        shown = ground.shown(lost)
        why = f"changes that are in no commit and that this session did not make would be gone: {shown}"
        instead = _POP if discard.program.startswith("git stash") else _KEEP
        yield Loss(kind="changes", subject=discard.program, why=why, instead=instead, names=lost)


def _cleaned(discard: Discard, ground: LossGround) -> Iterator[Loss]:
    lost = tuple(path for path in _files(discard, ground) if not is_made_anew(path, ground.root))
    if lost:
        why = f"files that git does not know and that this session did not make would be gone: {ground.shown(lost)}"
        instead = "name the files or folders of your own that go: `git clean -fd -- build/`"
        yield Loss(kind="untracked", subject=discard.program, why=why, instead=instead, names=lost)


def _files(discard: Discard, ground: LossGround) -> tuple[str, ...]:
    if discard.listed_in:
        listed = ground.unsaved.names_in(whole(discard.listed_in, discard.folder))
        discard = replace(discard, paths=(*(discard.paths or ()), *(listed or (UNKNOWN,))), listed_in="")
    tree = ground.in_no_commit(discard.folder, _named_plainly(discard, ground))
    if tree is None:
        return ()
    states = discard.states
    if "ignored" in states and discard.kind == "clean" and ground.ignores_anew():
        states |= {"untracked"}
    wanted = tuple(file for file in tree.files if file.state in states)
    return tuple(file.path for file in ground.whose(wanted) if _is_meant(file, discard, tree.top))


def _named_plainly(discard: Discard, ground: LossGround) -> tuple[str, ...]:
    """Whole paths; none where it speaks of more than git would be quick about."""
    top = ground.unsaved.top_of(discard.folder) or ""
    places = tuple(whole(word, discard.folder) for word in discard.paths or () if is_plain(word))
    narrow = len(places) == len(discard.paths or ()) and all(place.startswith(f"{top}/") for place in places)
    return places if narrow else ()


def _is_meant(file: UnsavedFile, discard: Discard, top: str) -> bool:
    if is_ignored(discard.spared, file.path, top):
        return False
    return discard.paths is None or (bool(discard.paths) and means(discard.paths, file.path, discard.folder, top))


def _stashed(discard: Discard, ground: LossGround) -> Iterator[Loss]:
    stashes = ground.unsaved.stashes(discard.folder) or ()
    if "all" not in discard.flags:
        number = int(discard.names[0]) if discard.names[0].isdecimal() else 0
        stashes = stashes[number : number + 1]
    for stash in stashes:
        is_own = ground.committed(stash.time)
        lost = tuple(path for path in stash.files if not (is_own and ground.made(path)))
        if lost:
            why = f"{stash.subject[:60]!r} holds what is nowhere else: {ground.shown(lost)}"
            instead = "`git stash apply` brings it back first; leave stashes of the user to them"
            yield Loss(kind="stash", subject=discard.program, why=why, instead=instead, names=lost)
            return


def _branches(discard: Discard, ground: LossGround) -> Iterator[Loss]:
    refs = ground.unsaved.refs(discard.folder)
    if refs is None:
        return
    at_home = _kept(discard, refs)
    named = [word for word in discard.names if UNKNOWN not in word]
    if len(named) < len(discard.names):
        spared = {refs.head, *(f"{_HEADS}{trunk}" for trunk in TRUNK_BRANCHES)}
        named += [name.removeprefix(_HEADS) for name in refs.tips if name.startswith(_HEADS) and name not in spared]
    for name in dict.fromkeys(named):
        ref = f"{_HEADS}{name}"
        if ref not in refs.tips:
            continue
        kept = (*_checked_out(refs), f"branches but {ref}", "remotes", "tags", *at_home)
        lone = ground.theirs(discard.folder, ground.unsaved.commits(discard.folder, (ref,), kept))
        if lone and not ground.unsaved.holds(discard.folder, refs.commit, ref):
            why = f"commits that only {name} leads to would be left to the reflog: {shown_commits(lone)}"
            instead = f"merge or push {name} first, or {_ASK}"
            yield Loss(kind="branch", subject=discard.program, why=why, instead=instead, names=(name,))


def _tags(discard: Discard, ground: LossGround) -> Iterator[Loss]:
    refs = ground.unsaved.refs(discard.folder)
    if refs is None:
        return
    tags = [name.removeprefix(_TAGS) for name in refs.tips if name.startswith(_TAGS)]
    for name in tags if UNKNOWN in discard.names else discard.names:
        ref = f"{_TAGS}{name}"
        kept = (*_checked_out(refs), "branches", "remotes", f"tags but {ref}", *_kept(discard, refs))
        lone = (
            ground.theirs(discard.folder, ground.unsaved.commits(discard.folder, (ref,), kept))
            if ref in refs.tips
            else ()
        )
        if lone:
            why = f"commits that only the tag {name} leads to would be left to nobody: {shown_commits(lone)}"
            instead = f"keep them on a branch first, or {_ASK}"
            yield Loss(kind="commits", subject=discard.program, why=why, instead=instead, names=(name,))


def _kept(discard: Discard, refs: Refs) -> tuple[str, ...]:
    """What the line itself has given another home, by names that are there."""
    ways = (("", _HEADS, _TAGS, _REMOTES) if word != "HEAD" else ("",) for word in discard.kept)
    found = [f"{way}{word}" for word, tried in zip(discard.kept, ways, strict=True) for way in tried]
    return tuple(name for name in found if name in refs.tips or (name == "HEAD" and refs.commit))


def _checked_out(refs: Refs) -> tuple[str, ...]:
    """A branch without a commit leads nowhere."""
    return (refs.commit,) if refs.commit else ()


def _moved(discard: Discard, ground: LossGround) -> Iterator[Loss]:
    refs = ground.unsaved.refs(discard.folder)
    if refs is None or UNKNOWN in discard.target:
        return
    ref = refs.head if discard.names == ("HEAD",) else f"{_HEADS}{discard.names[0]}"
    tip = ref or "HEAD"
    if tip != "HEAD" and tip not in refs.tips:
        return
    others = (f"branches but {ref}" if ref else "branches", "remotes", "tags")
    kept = (*([discard.target] if discard.target else ()), *others, *_kept(discard, refs))
    lone = ground.theirs(discard.folder, ground.unsaved.commits(discard.folder, (tip,), kept))
    if lone:
        why = f"commits that nothing else leads to would be left to the reflog: {shown_commits(lone)}"
        instead = "keep them on a branch first (`git branch keep`), or take them back with `git revert`"
        yield Loss(kind="commits", subject=discard.program, why=why, instead=instead, names=(discard.target,))


def _worktrees(discard: Discard, ground: LossGround) -> Iterator[Loss]:
    path = whole((discard.paths or ("",))[0], discard.folder)
    tree = ground.unsaved.tree(path) if UNKNOWN not in path else None
    if tree is None or posixpath.normpath(tree.top) != path:
        return
    lost = tuple(file.path for file in ground.whose(tree.files) if not is_made_anew(file.path, tree.top))
    if lost:
        why = f"what is in no commit of that work tree would be gone: {ground.shown(lost)}"
        instead = "commit it there first, or leave out --force, which refuses then"
        yield Loss(kind="worktree", subject=discard.program, why=why, instead=instead, names=(path,))


def _history(discard: Discard, ground: LossGround) -> Iterator[Loss]:
    older = ground.theirs(discard.folder, ground.unsaved.commits(discard.folder, ("HEAD",), ()))
    if older:
        why = f"commits from before this session would be written anew: {shown_commits(older)}"
        yield Loss(kind="history", subject=discard.program, why=why, instead=_ASK)


def _forgotten(discard: Discard, ground: LossGround) -> Iterator[Loss]:
    lone = ground.theirs(
        discard.folder, ground.unsaved.commits(discard.folder, ("reflog",), ("branches", "remotes", "tags"))
    )
    if lone:
        why = f"commits that only the reflog leads to would be gone for good: {shown_commits(lone)}"
        yield Loss(kind="history", subject=discard.program, why=why, instead=_ASK)


# Pushing: what a remote was last seen to have, and would have no more.


def _pushed(discard: Discard, ground: LossGround) -> Iterator[Loss]:
    refs = ground.unsaved.refs(discard.folder)
    if refs is None or UNKNOWN in discard.target or (not refs.remotes and ":" not in discard.target):
        return  # without a remote there is nothing to push to
    remote = _known_as(discard, refs, ground) or _remote(refs)
    if "mirror" in discard.flags:
        yield from _mirrored(discard, remote, refs, ground)
        return
    for spec in _specs(discard, refs):
        forced = spec.startswith("+") or bool({"force", "lease"} & discard.flags)
        source, colon, target = spec.removeprefix("+").partition(":")
        name = (target if colon else source).removeprefix(_HEADS)
        if name.startswith("refs/tags/") or UNKNOWN in spec or not name:
            continue
        if "delete" in discard.flags or (colon and not source):
            yield from _deleted(discard, remote, name, refs, ground)
        elif forced:
            yield from _overwritten(discard, remote, (source, name), refs, ground)


def _known_as(discard: Discard, refs: Refs, ground: LossGround) -> str:
    """The remote by its name, though the line has its address."""
    target = discard.target
    if not target or target in refs.remotes:
        return target
    told = ground.unsaved.settings(discard.folder)
    place = _address(target, discard.folder)
    return next(
        (name for name in refs.remotes if _address(told.get(f"remote.{name.lower()}.url", ""), "") == place), target
    )


def _address(word: str, folder: str) -> str:
    plain = word.removeprefix("file://").rstrip("/").removesuffix(".git")
    is_path = "://" not in plain and ":" not in plain.partition("/")[0]
    return placed(folder, plain) if is_path else plain


def _specs(discard: Discard, refs: Refs) -> tuple[str, ...]:
    """What is pushed: a name stands for itself on both sides, nothing for the branch that is checked out."""
    if "all" in discard.flags or any(word.lstrip("+") in _ALL_HEADS for word in discard.names):
        forced = "+" if any(word.startswith("+") for word in discard.names) else ""
        return tuple(forced + name.removeprefix(_HEADS) for name in refs.tips if name.startswith(_HEADS))
    own = refs.head.removeprefix(_HEADS)
    followed = refs.upstream.get(refs.head, "").removeprefix(_REMOTES).partition("/")[2]
    given = discard.names or ((f"{own}:{followed}" if followed else own,) if own else ())
    plain = ("HEAD", "@", "+HEAD", "+@")
    return tuple(word.replace("HEAD", own).replace("@", own) if word in plain else word for word in given)


def _remote(refs: Refs) -> str:
    followed = refs.upstream.get(refs.head, "").removeprefix(_REMOTES).partition("/")[0]
    return followed or (refs.remotes[0] if len(refs.remotes) == 1 else "origin")


def _is_trunk(remote: str, name: str, refs: Refs) -> bool:
    return name in TRUNK_BRANCHES or f"{_REMOTES}{remote}/{name}" in refs.trunks


def _deleted(discard: Discard, remote: str, name: str, refs: Refs, ground: LossGround) -> Iterator[Loss]:
    ref = f"{_REMOTES}{remote}/{name}"
    if f"refs/tags/{name}" in refs.tips and ref not in refs.tips:
        return
    lone: tuple[LoneCommit, ...] = ()
    if ref in refs.tips:
        kept = (*_checked_out(refs), "branches", f"remotes but {ref}", "tags")
        lone = ground.theirs(discard.folder, ground.unsaved.commits(discard.folder, (ref,), kept))
        lone = () if lone and ground.unsaved.holds(discard.folder, _trunk(remote, refs), ref) else lone
    if lone or _is_trunk(remote, name, refs):
        told = f": {shown_commits(lone)}" if lone else ", which others build on"
        why = f"{remote}/{name} would be gone{told}"
        yield Loss(kind="remote_branch", subject=f"git push --delete {name}", why=why, instead=_ASK, names=(name,))


def _trunk(remote: str, refs: Refs) -> str:
    known = (ref for ref in refs.trunks if ref.startswith(f"{_REMOTES}{remote}/"))
    return next(known, refs.commit)


def _overwritten(
    discard: Discard, remote: str, sides: tuple[str, str], refs: Refs, ground: LossGround
) -> Iterator[Loss]:
    source, name = sides
    ref, is_trunk = f"{_REMOTES}{remote}/{name}", _is_trunk(remote, name, refs)
    has_lease = "lease" in discard.flags and "force" not in discard.flags
    if is_trunk and (discard.fetched or (ref not in refs.tips and not has_lease)):
        why = f"nobody here knows what {remote}/{name} has by now, and a forced push takes all of it away"
        instead = "`git fetch` first, look, and push without --force"
        yield Loss(kind="push", subject="git push --force", why=why, instead=instead, names=(name,))
    if ref not in refs.tips or (is_trunk and discard.fetched):
        return
    kept: tuple[str, ...] = (source,)
    if discard.rewritten is not None and f"{_HEADS}{source}" == refs.head:
        kept = (discard.rewritten,) if discard.rewritten else () if is_trunk else (_trunk(remote, refs),)
    dropped = ground.theirs(discard.folder, ground.unsaved.commits(discard.folder, (ref,), kept))
    others = tuple(one for one in dropped if one.author != refs.owner)
    if others or (dropped and (is_trunk or not has_lease)):
        lost = others or dropped
        whose = " of others" if others else ""
        why = f"commits{whose} on {remote}/{name}, as it was last fetched, would be gone there: {shown_commits(lost)}"
        instead = "bring them in first (`git pull --rebase`)" if others or is_trunk else "use --force-with-lease"
        yield Loss(kind="push", subject="git push --force", why=why, instead=f"{instead}, or {_ASK}", names=(name,))


def _mirrored(discard: Discard, remote: str, refs: Refs, ground: LossGround) -> Iterator[Loss]:
    """All that is not here goes there."""
    elsewhere = tuple(name for name in refs.tips if name.startswith(f"{_REMOTES}{remote}/"))
    lone = (
        ground.theirs(discard.folder, ground.unsaved.commits(discard.folder, elsewhere, ("branches", "tags")))
        if elsewhere
        else ()
    )
    if lone:
        why = f"branches of {remote} that are not here would be gone there: {shown_commits(lone)}"
        yield Loss(kind="push", subject="git push --mirror", why=why, instead=_ASK, names=("mirror",))


_BY_KIND: dict[str, Callable[[Discard, LossGround], Iterator[Loss]]] = {
    "branch": _branches,
    "clean": _cleaned,
    "files": _in_files,
    "history": _history,
    "move": _moved,
    "push": _pushed,
    "reflog": _forgotten,
    "stash": _stashed,
    "tag": _tags,
    "worktree": _worktrees,
}
_LOST_BY: dict[str, LossKind] = {
    "branch": "branch",
    "clean": "untracked",
    "history": "history",
    "move": "commits",
    "push": "push",
    "reflog": "history",
    "stash": "stash",
    "tag": "commits",
    "worktree": "worktree",
}
"""What each kind of command takes away, where git did not say whether it does."""
