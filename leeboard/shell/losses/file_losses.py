"""Which files a line would remove or write over though nobody else has them: in work trees, outside, and devices."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects, Started
from leeboard.model.unsaved import UnsavedFile
from leeboard.model.workspace import placed
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.losses.come_to import come_to, may_come_to_more
from leeboard.shell.losses.flows import filled_in, flowing
from leeboard.shell.losses.loss import (
    Loss,
    LossGround,
    LossKind,
    is_harmless_device,
    is_made_anew,
    shown_commits,
    unknown_loss,
)
from leeboard.shell.losses.table import loss_words
from leeboard.shell.losses.unnamed import find_deletes, find_starts
from leeboard.shell.options import parse
from leeboard.shell.programs.wrappers import is_python
from leeboard.shell.reach.disk import Standing
from leeboard.shell.reach.files import lines_in, spoken_code, with_texts
from leeboard.shell.reach.globs import whole
from leeboard.shell.scope import is_device_path

_MOST_PATHS = 200
_DISKS = lazy(r"/dev/(?:r?disk\d|[hsv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|md\d|dm-\d|mapper/|loop\d)\S{0,40}")
_QUOTED = r"\s{0,3}\(?\s{0,3}(?P<quote>[\"'`])(?P<path>[^\"'`$\n]{1,300})(?P=quote)"
_SECOND = r"\s{0,3}\(?\s{0,3}[^,()\n]{1,300},\s{0,3}(?P<quote>[\"'`])(?P<path>[^\"'`$\n]{1,300})(?P=quote)"
_RSYNC_VALUES = "-e -T -f --rsh --exclude --include --filter --files-from --bwlimit --exclude-from"
_OWN = "name what this session made, one by one, or ask the user"


def file_losses(command: str, line: ShellEffects, ground: LossGround) -> Iterator[Loss]:
    removed = tuple(dict.fromkeys(_removed(line, ground.cwd)))[:_MOST_PATHS]
    for path in removed:
        yield from _by_removal(path, ground)
    for path in line.replaced[:_MOST_PATHS]:
        if not _lives_on(place := whole(path, ground.cwd), line, ground.cwd):
            yield from _by_replacement(place, line, ground)
    for folder in dict.fromkeys(emptied(line, ground.cwd)):
        yield from _by_emptying(folder, ground)
    for path in dict.fromkeys(_written_in_code(line, ground.cwd)):
        yield from _by_replacement(path, line, ground)
    for folder in dict.fromkeys(_mirrored(line, ground.cwd)):
        yield from _by_mirroring(folder, ground)
    yield from _by_reach(command, line, removed, ground)


def _removed(line: ShellEffects, cwd: str) -> Iterator[str]:
    spared = {*line.moved, *_if_empty(line)} - {*_moved_and_removed(line, cwd)}
    for touch in line.touches:
        if touch.kind == "delete" and touch.path not in spared:
            yield whole(touch.path, cwd)
    for each in line.started:
        code = _code(each)
        for found in re.finditer(rf"(?:{loss_words().removing}|\bremove){_QUOTED}", code):
            yield whole(found["path"], posixpath.join(cwd, each.folder or ""))


def _code(started: Started) -> str:
    """Of another language than Python, which is told by its calls."""
    return with_texts(spoken_code(started)) if not is_python(posixpath.basename(started.words[0])) else ""


def lines_of_code(line: ShellEffects) -> Iterator[str]:
    """What the code of other languages hands to a shell, where it stands in the line."""
    for each in line.started:
        yield from lines_in(_code(each))


def _moved_and_removed(line: ShellEffects, cwd: str) -> Iterator[str]:
    """What a line gives another name and removes under that."""
    gone = {whole(touch.path, cwd) for touch in line.touches if touch.kind == "delete" and touch.path not in line.moved}
    for each in line.started:
        if posixpath.basename(each.words[0]) != "mv" or each.folder is None or not gone:
            continue
        parsed = parse(list(each.words[1:]), "-t --target-directory -S --suffix")
        *sources, target = (*parsed.operands, *parsed.values("-t", "--target-directory")) or ("",)
        folder = posixpath.join(cwd, each.folder)
        for source in sources:
            places = {whole(target, folder), whole(posixpath.join(target, posixpath.basename(source)), folder)}
            if places & gone:
                yield from {touch.path for touch in line.touches if whole(touch.path, cwd) == whole(source, folder)}


def _if_empty(line: ShellEffects) -> Iterator[str]:
    """What `rmdir` removes has nothing in it, or stays."""
    for each in line.started:
        if posixpath.basename(each.words[0]) == "rmdir" and each.folder is not None:
            for word in parse(list(each.words[1:])).operands:
                yield word.rstrip("/")
                yield placed(each.folder, word)


def _written_in_code(line: ShellEffects, cwd: str) -> Iterator[str]:
    """What code of another language writes whole, without a look at what was there."""
    for each in line.started:
        code = _code(each)
        written = re.finditer(rf"{loss_words().writing}{_QUOTED}", code)
        placed = re.finditer(rf"{loss_words().placing}{_SECOND}", code)
        for found in (*written, *placed):
            if not re.search(
                rf"\b(?:read|load|open)\w{{0,12}}\s{{0,3}}\(\s{{0,3}}[\"'`]{re.escape(found['path'])}[\"'`]", code
            ):
                yield whole(found["path"], posixpath.join(cwd, each.folder or ""))


def _mirrored(line: ShellEffects, cwd: str) -> Iterator[str]:
    """Folders that `rsync --delete` makes the same as another one."""
    for each in line.started:
        if posixpath.basename(each.words[0]) != "rsync" or each.folder is None:
            continue
        parsed = parse(list(each.words[1:]), _RSYNC_VALUES)
        deletes = any(option.startswith(("--delete", "--del")) for option, _ in parsed.options)
        if not deletes or parsed.has("-n", "--dry-run") or len(parsed.operands) < 2:
            continue
        target = parsed.operands[-1]
        if UNKNOWN not in target and ":" not in target.partition("/")[0]:
            yield whole(target, posixpath.join(cwd, each.folder))


def _by_mirroring(folder: str, ground: LossGround) -> Iterator[Loss]:
    """In work trees alone: elsewhere copies are kept in step that way."""
    top = ground.unsaved.top_of(folder)
    if top and ground.unsaved.lies_at(folder) == "folder":
        lost = tuple(file for file in _unsaved(top, ground) if f"{file.path}/".startswith(f"{folder.rstrip('/')}/"))
        if lost:
            yield _of_files(folder, lost, ground)


def _by_removal(path: str, ground: LossGround) -> Iterator[Loss]:
    kind = ground.unsaved.lies_at(path)
    if not kind:
        return
    top = ground.unsaved.top_of(path)
    if moved := tuple(place for place in ground.moved_here(path) if ground.unsaved.lies_at(place)):
        why = f"it was there before this session, which only moved it: {ground.shown(moved)}"
        yield Loss(kind="file", subject=ground.shown((path,)), why=why, instead=_OWN, names=(path, *moved))
        return
    if kind == "device" or is_device_path(path):
        yield _of_device(path)
    elif _holds_all(path, ground):
        yield _outside(path, "it holds the work tree itself", ground)
    elif top:
        yield from _in_tree(path, top, ground)
    elif not ground.is_temporary(path) and not ground.made(path) and not is_made_anew(path, ground.root):
        why = "no repository has a copy of it" if ground.is_inside(path) else "it lies outside of the work tree"
        yield _outside(path, why, ground)


def _in_tree(path: str, top: str, ground: LossGround) -> Iterator[Loss]:
    if path in {top, f"{top}/.git"} and not ground.made(path):
        yield from _of_repository(path, top, ground)
    lost = tuple(file for file in _unsaved(top, ground, path) if f"{file.path}/".startswith(f"{path.rstrip('/')}/"))
    if lost and path != f"{top}/.git":
        yield _of_files(path, lost, ground)
    elif ground.unsaved.gave_up and not is_made_anew(f"{path}/", top):
        yield unknown_loss("file", ground.shown((path,)), (path,))


def _of_repository(path: str, top: str, ground: LossGround) -> Iterator[Loss]:
    """All of it goes: commits that no remote has are nowhere else. A linked work tree leaves its commits behind."""
    if ground.unsaved.lies_at(f"{top}/.git") != "folder":
        return
    lone = ground.theirs(top, ground.unsaved.commits(top, ("branches", "HEAD"), ("remotes",)))
    if lone:
        why = f"commits that no remote has would be gone with it: {shown_commits(lone)}"
        yield Loss(kind="repository", subject=path, why=why, instead=_OWN, names=(path,))


def _unsaved(top: str, ground: LossGround, *within: str) -> tuple[UnsavedFile, ...]:
    tree = ground.in_no_commit(top, within)
    files = ground.whose(tree.files) if tree else ()
    return tuple(file for file in files if file.state in {"changed", "staged"} or not is_made_anew(file.path, top))


def _of_files(subject: str, lost: tuple[UnsavedFile, ...], ground: LossGround) -> Loss:
    shown = ground.shown(tuple(file.path for file in lost))
    why = f"it is in no commit, and this session did not make it: {shown}"
    names = (subject, *(file.path for file in lost[:20]))
    return Loss(kind="file", subject=ground.shown((subject,)), why=why, instead=_OWN, names=names)


def _outside(path: str, why: str, ground: LossGround) -> Loss:
    kind: LossKind = "file" if ground.is_inside(path) else "outside"
    return Loss(kind=kind, subject=ground.shown((path,)), why=why, instead=_OWN, names=(path,))


def _of_device(path: str) -> Loss:
    why = "it is a device, and what is on it can not be brought back"
    return Loss(kind="device", subject=path, why=why, instead="leave devices to the user", names=(path,))


def _holds_all(path: str, ground: LossGround) -> bool:
    """Whether it is a folder above the work tree."""
    place, root = ground.unsaved.spelled(path).rstrip("/"), ground.root.rstrip("/")
    return bool(root) and place != root and f"{root}/".startswith(f"{place}/")


def _lives_on(path: str, line: ShellEffects, cwd: str) -> bool:
    """Whether a file is copied before it is written over, or what comes is made of it: `jq . a > b && mv b a`."""
    touches = [(whole(touch.path, cwd), touch) for touch in line.touches]
    kinds = [touch.kind for place, touch in touches if place == path]
    if kinds[:1] != ["read"]:
        return False
    gone = {place for place, touch in touches if touch.kind == "delete" and touch.path not in line.moved}
    for each in line.started:
        name, operands = posixpath.basename(each.words[0]), parse(list(each.words[1:])).operands
        if name in {"cp", "mv"} and each.folder is not None and len(operands) == 2:
            source, target = (whole(word, posixpath.join(cwd, each.folder)) for word in operands)
            if name == "cp" and source == path:
                return target not in gone and target != path
            if target == path:
                return name == "mv" and source in {whole(one, cwd) for one in line.replaced}
    return False


def _by_replacement(path: str, line: ShellEffects, ground: LossGround) -> Iterator[Loss]:
    if is_device_path(path):
        if _DISKS.fullmatch(path) and not is_harmless_device(path):
            yield _of_device(path)
        return
    kind = ground.unsaved.lies_at(path)
    if kind == "folder":
        sources = {posixpath.basename(touch.path) for touch in line.touches if touch.path != path}
        for name in sorted(sources):
            if name and ground.unsaved.lies_at(f"{path}/{name}") == "file":
                yield from _over(f"{path}/{name}", ground)
    elif kind == "file":
        yield from _over(path, ground)


def _over(path: str, ground: LossGround) -> Iterator[Loss]:
    """What the agent has read it writes as an edit would; what programs leave behind is written again and again."""
    if ground.has_read(path) or ground.made(path) or is_made_anew(path, ground.root):
        return
    top = ground.unsaved.top_of(path)
    if top:
        lost = tuple(file for file in _unsaved(top, ground, path) if file.path == path)
        if lost:
            yield _of_files(path, lost, ground)
        elif ground.unsaved.gave_up:
            yield unknown_loss("file", ground.shown((path,)), (path,))
    elif not ground.is_temporary(path):
        yield _outside(path, "it lies outside of any work tree, and what it holds would be written over", ground)


def with_names(line: ShellEffects, ground: LossGround) -> ShellEffects:
    """The line with the names that flow to its programs, as far as they are of files that would be lost."""
    top = (ground.unsaved.top_of(ground.cwd) or "") if flowing(line) else ""
    unsaved = {file.path: file for file in _unsaved(top, ground)} if top else {}
    return filled_in(line, unsaved, ground, Standing(top, tuple(unsaved), ground.files)) if top else line


# What a line comes to without naming it: by a glob, a list, the code of another language.


def emptied(line: ShellEffects, cwd: str) -> Iterator[str]:
    """The folders that `rm -rf folder/*` empties, and those that `find folder -delete` goes through."""
    for each in line.started:
        name, args = posixpath.basename(each.words[0]), list(each.words[1:])
        folder = posixpath.join(cwd, each.folder) if each.folder is not None else ""
        if name in loss_words().removers:
            for word in parse(args).operands:
                before = word.partition(UNKNOWN)[0]
                if before != word and "/" in before and (folder or before.startswith(("/", "\1", "~"))):
                    yield whole(before[: before.rindex("/") + 1], folder or "/")
        elif name == "find" and find_deletes(args):
            for word in find_starts(args):
                if UNKNOWN not in word and (folder or word.startswith(("/", "\1", "~"))):
                    yield whole(word, folder or "/")


def _by_emptying(folder: str, ground: LossGround) -> Iterator[Loss]:
    """Outside of work trees alone: in one the files themselves tell."""
    if ground.unsaved.lies_at(folder) != "folder" or ground.is_temporary(f"{folder}/x"):
        return
    if _holds_all(folder, ground):
        yield _outside(folder, "what is in it holds the work tree itself", ground)
    elif not ground.unsaved.top_of(folder) and not ground.made(folder) and not is_made_anew(folder, ground.root):
        why = (
            "no repository has a copy of what is in it"
            if ground.is_inside(folder)
            else "it lies outside of the work tree"
        )
        yield _outside(folder, why, ground)


def _by_reach(command: str, line: ShellEffects, known: tuple[str, ...], ground: LossGround) -> Iterator[Loss]:
    if not may_come_to_more(command, line):
        return
    top = ground.unsaved.top_of(ground.cwd) or ""
    unsaved = {file.path: file for file in _unsaved(top, ground)} if top else {}
    if not unsaved:
        return
    standing = Standing(top, tuple(unsaved), ground.files)
    found = dict.fromkeys(come_to(command, line, ground, unsaved, standing))
    gone = [file for path in found if path not in known for file in standing.below(path)]
    lost = tuple(unsaved[path] for path in dict.fromkeys(gone))
    if lost:
        takers = loss_words().programs
        program = next((name for name in line.programs if name.partition(" ")[0] in takers), "rm")
        yield _of_files(program, lost, ground)
