"""Which files in no commit a line would remove or write over without naming them.

By a glob, a search, a list in a file, the code of another language, an archive, the copy of a whole folder. The
question is turned round: these files are there, does the line come to one of them? What only the run itself would tell
stays open.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from shlex import join

from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects, Started
from leeboard.model.unsaved import UnsavedFile
from leeboard.shell.effects import shell_effects
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.losses.flows import filled_in, flowing
from leeboard.shell.losses.loss import LossGround
from leeboard.shell.losses.table import acts_in_code, endings_in_code, listed_in_code, loss_words
from leeboard.shell.options import PROGRAMS, Parsed, parse
from leeboard.shell.reach.disk import Standing
from leeboard.shell.reach.files import spoken_code
from leeboard.shell.reach.globs import fits, handed_on, readings, whole
from leeboard.shell.reach.programs import swept

_MOST_LISTS = 4
_DEFAULT = lazy(r"\$\{(?P<name>[A-Za-z_]\w{0,60}):?[-=](?P<other>[^{}$`\n]{1,300})\}")
_PATTERN = lazy(r"[*?\[]")
_FINDERS = frozenset({"find", "fd", "fdfind"})
_TARS = frozenset({"tar", "bsdtar"})
_TAR_VALUES = "-f -C -T -X --file --directory --exclude --files-from --exclude-from --strip-components --transform"
_TAR_KEEPS = ("-k", "--keep-old-files", "--skip-old-files", "-O", "--to-stdout", "--to-command")
_COPIES = frozenset({"cp", "mv", "install", "rsync"})
_COPY_VALUES = "-t --target-directory -S --suffix -e -f --rsh --exclude --include --filter"
_COPY_KEEPS = ("-n", "--no-clobber", "-b", "--backup", "-u", "--update", "--ignore-existing", "--dry-run")
_WHOLE_TREES = ("-r", "-R", "-a", "--recursive", "--archive")


def may_come_to_more(command: str, line: ShellEffects) -> bool:
    """Whether a line may take away what it does not name: asked before the repository is."""
    words = loss_words()
    if flowing(line) or _DEFAULT.search(command):
        return True
    for each in line.started:
        name = posixpath.basename(each.words[0])
        given = each.words[1:]
        if name in _FINDERS or name in _TARS or name == "unzip":
            return True
        if name in _COPIES and (name == "rsync" or any(word in _WHOLE_TREES or word[:1] == "-" for word in given)):
            return True
        if (code := spoken_code(each)) and listed_in_code().search(code) and acts_in_code().search(code):
            return True
    return _PATTERN.search(command) is not None and (bool(words.programs.intersection(line.programs)) or ">" in command)


def come_to(
    command: str, line: ShellEffects, ground: LossGround, files: dict[str, UnsavedFile], standing: Standing
) -> Iterator[str]:
    """Whole paths of files and of folders above them; among them those that the line names."""
    yield from _removed_or_replaced(line, ground)
    yield from _by_flow(line, ground, files, standing)
    other = _by_default(command)
    for reading in (
        *([other] if other != command else ()),
        *readings(other, standing.files, lambda _glob, _written: True),
    ):
        read = shell_effects(reading, ground.cwd)
        yield from _removed_or_replaced(read, ground)
        yield from _by_flow(read, ground, files, standing)
    for each in line.started:
        if each.folder is not None:
            folder = posixpath.join(ground.cwd, each.folder)
            yield from _in_code(each, folder, standing)
            yield from _unpacked(each, line, folder, ground)
            yield from _copied(each, folder, standing)
            yield from _matched(each, folder, standing)


def _matched(started: Started, folder: str, standing: Standing) -> Iterator[str]:
    """By a pattern that the program reads itself."""
    if posixpath.basename(started.words[0]) in PROGRAMS.matching_removers:
        for word in (word for word in started.words[1:] if _PATTERN.search(word)):
            yield from (file for file in standing.files if fits(whole(word, folder), file))


def _by_default(command: str) -> str:
    """`${NAME:-other}` as the other, where the line gives the name no value."""
    return _DEFAULT.sub(
        lambda found: found[0] if re.search(rf"\b{found['name']}\+?=", command) else found["other"], command
    )


def _removed_or_replaced(line: ShellEffects, ground: LossGround) -> Iterator[str]:
    gone = [touch.path for touch in line.touches if touch.kind == "delete" and touch.path not in line.moved]
    seen = [path for path in line.replaced if not ground.has_read(whole(path, ground.cwd))]
    yield from (whole(path, ground.cwd) for path in (*gone, *seen))


def _by_flow(
    line: ShellEffects, ground: LossGround, files: dict[str, UnsavedFile], standing: Standing
) -> Iterator[str]:
    for each in line.started:
        if each.words[0] == "find" and "-delete" in each.words:
            yield from handed_on(each, standing, unsure=True)
    if not flowing(line):
        return
    for each in filled_in(line, files, ground, standing).started:
        if UNKNOWN in "".join(each.words[1:]):
            continue
        if each.words[0] == ">":
            paths = [whole(word, each.folder or ground.cwd) for word in each.words[1:]]
            yield from (path for path in paths if not ground.has_read(path))
        elif posixpath.basename(each.words[0]) in loss_words().programs:
            read = shell_effects(join(each.words), each.folder or ground.cwd)
            yield from _removed_or_replaced(read, ground)


def _in_code(started: Started, folder: str, standing: Standing) -> Iterator[str]:
    """Code that removes, and names files by a folder or a pattern. Python's is told by its calls, where it is read."""
    code = spoken_code(started)
    if not code or posixpath.basename(started.words[0]).startswith("python") or not acts_in_code().search(code):
        return
    ends = tuple(found["end"] or f".{found['dotted']}" for found in endings_in_code().finditer(code))
    for found in listed_in_code().finditer(code):
        named = found["path"] or found["angled"]
        place = whole(named, folder)
        for file in standing.files:
            is_meant = fits(place, file) if _PATTERN.search(named) else f"{file}/".startswith(f"{place.rstrip('/')}/")
            below = _PATTERN.search(named) and any(fits(place, above) for above in _above(file))
            if (is_meant or below) and (not ends or file.endswith(ends)):
                yield file


def _above(file: str) -> Iterator[str]:
    parts = file.split("/")
    yield from ("/".join(parts[:depth]) for depth in range(2, len(parts)))


# Archives and whole folders that are put over what is there.


def _unpacked(started: Started, line: ShellEffects, folder: str, ground: LossGround) -> Iterator[str]:
    name = posixpath.basename(started.words[0])
    if name in _TARS:
        yield from _untarred(started, line, folder, ground)
    elif name == "unzip":
        parsed = parse(list(started.words[1:]), "-d -x -P")
        # Without -o it asks, and nobody is there to answer.
        if parsed.has("-o") and not parsed.has("-l", "-p", "-t", "-Z", "-v", "-z", "-c", "-n"):
            into = whole((parsed.values("-d") or ["."])[-1], folder)
            members = ground.unsaved.names_in(whole("".join(parsed.operands[:1]), folder)) or ()
            yield from _members(members, parsed.operands[1:], into, flat=parsed.has("-j"))


def _untarred(started: Started, line: ShellEffects, folder: str, ground: LossGround) -> Iterator[str]:
    words = list(started.words[1:])
    parsed = parse(["-" + words[0], *words[1:]] if words and not words[0].startswith("-") else words, _TAR_VALUES)
    if not parsed.has("-x", "--extract", "--get") or parsed.has(*_TAR_KEEPS):
        return
    archive = "".join(parsed.values("-f", "--file")[-1:])
    places = [whole(archive, folder)] if archive not in {"", "-"} else _read_before(line, ground)
    strip = "".join(parsed.values("--strip-components")[-1:])
    depth = int(strip) if strip.isdecimal() else 0
    into = whole((parsed.values("-C", "--directory") or ["."])[-1], folder)
    for place in places:
        members = (ground.unsaved.names_in(place) or ()) if UNKNOWN not in place else ()
        yield from _members(_stripped(members, depth), parsed.operands, into)


def _read_before(line: ShellEffects, ground: LossGround) -> list[str]:
    return [whole(touch.path, ground.cwd) for touch in line.touches if touch.kind == "read"][:_MOST_LISTS]


def _stripped(members: tuple[str, ...], depth: int) -> tuple[str, ...]:
    return tuple("/".join(name.split("/")[depth:]) for name in members) if depth else members


def _members(members: tuple[str, ...], wanted: list[str], into: str, *, flat: bool = False) -> Iterator[str]:
    """Where each goes; folders of an archive take nothing away."""
    for member in members:
        name = member.removeprefix("./")
        if not name or name.endswith("/"):
            continue
        asked = not wanted or any(f"{name}/".startswith(f"{word.rstrip('/')}/") or fits(word, name) for word in wanted)
        if asked:
            yield whole(posixpath.basename(name) if flat else name, into)


def _copied(started: Started, folder: str, standing: Standing) -> Iterator[str]:
    name = posixpath.basename(started.words[0])
    if name not in _COPIES:
        return
    parsed = parse(list(started.words[1:]), _COPY_VALUES)
    if not _keeps(name, parsed):
        yield from (touch.path for touch in swept(started, folder, standing) if touch.modifies)


def _keeps(name: str, parsed: Parsed) -> bool:
    is_deep = name == "rsync" or parsed.has(*_WHOLE_TREES) or parsed.has("-t", "--target-directory")
    return not is_deep or parsed.has(*_COPY_KEEPS)
