"""Programs that change files which they do not name one by one: whole folders, archives, what git keeps or clears."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from leeboard.model.text import lazy
from leeboard.model.touch import Started, Touch
from leeboard.shell.expansion import HOME, UNKNOWN
from leeboard.shell.options import parse
from leeboard.shell.programs.git import subcommand
from leeboard.shell.reach.disk import Standing
from leeboard.shell.reach.globs import fits_pathspec, whole

Sweep = Callable[[Started, str, Standing], Iterator[Touch]]

_COPY_VALUED = "-t --target-directory -S --suffix -m -o -g --mode --owner --group"
_COPIES = frozenset({"cp", "install", "mv", "rsync"})
_RECURSIVE = ("-r", "-R", "-a", "--recursive", "--archive")
_AS_BEFORE = frozenset({"HEAD", "@", "ORIG_HEAD", ""})
_WHOLE_TREE = frozenset({".", "./", ":/", ":", "*"})
_EDITORS = frozenset("ed ex vi vim nvim nano pico micro emacs joe kak hx".split())
_WRITES = lazy(r"(?:^|[\s;|+'\"])(?:w|wq|x|wa|wqa|xa|up|update|write)!?(?:$|[\s;|'\"])|save-buffer|write-")
_CHANGES_OPERANDS = frozenset("sponge rename prename chattr setfacl crudini dasel toml mkfifo mknod".split())
_VERBS = frozenset(
    "fix format fmt set put del delete edit --fix --write --set --del --in-place --inplace --overwrite -i -w".split()
)
_LOOKS_UP = frozenset("ack ag fd fdfind find grep egrep fgrep rg".split())
"""Their patterns are of names to look for; what they start with the names is read as a program of its own."""
_UNREADABLE = lazy(r"0*[0-3][0-7]{2}|0+|(?:[ugo]*[ua][ugo]*)?-[rwxXst]*r[rwxXst]*|[ugo]*[ua][ugo]*=[wxXst]*")


def swept(started: Started, folder: str, standing: Standing) -> Iterator[Touch]:
    """What one program would change of the files in question."""
    program = posixpath.basename(started.words[0])
    sweep = _SWEEPS.get(program)
    if sweep is not None:
        yield from sweep(started, folder, standing)
    elif program in _EDITORS:
        yield from _edited(started, folder, standing)
    elif program in _CHANGES_OPERANDS or (started.role == "unknown" and not _VERBS.isdisjoint(started.words[1:])):
        yield from _operands(list(started.words[1:]), folder, standing)
    elif program not in _LOOKS_UP and not _VERBS.isdisjoint(started.words[1:]):
        yield from _operands([word for word in started.words[1:] if _is_pattern(word)], folder, standing)


def may_be_given(started: Started, word: str, standing: Standing, made: set[str]) -> bool:
    """Whether a program may be given this path by a glob. Of what is copied from a place that nobody can tell the names
    are not known either: only what goes straight into a hidden folder is taken for the worst.
    """
    is_untold = UNKNOWN in word or (started.folder is None and not word.startswith(("/", HOME)))
    if not is_untold:
        place = whole(word, started.folder or standing.root)
        return place in standing.files or place in made or standing.is_there(place) is not False
    if posixpath.basename(started.words[0]) not in _COPIES:
        return True
    return posixpath.basename(started.words[-1].rstrip("/")).startswith(".") and started.words[-1] not in _WHOLE_TREE


def _is_pattern(word: str) -> bool:
    return any(mark in word for mark in "*?[")


def _operands(words: list[str], folder: str, standing: Standing) -> Iterator[Touch]:
    """Files that a program which rewrites them is given by name, or by a pattern that it reads itself."""
    for word in words:
        for file in standing.files:
            if whole(word, folder) == file or (_is_pattern(word) and fits_pathspec(word, file, folder)):
                yield Touch(file, "write")


def _edited(started: Started, folder: str, standing: Standing) -> Iterator[Touch]:
    told = [word for word in started.words[1:] if word.startswith(("+", "-")) or _WRITES.search(word)]
    script = "\n".join((*told, started.handed))
    if {"-R", "-M"} & set(started.words) or (started.handed and not _WRITES.search(script)):
        return
    yield from _operands([word for word in started.words[1:] if not word.startswith(("+", "-"))], folder, standing)


def _changed_mode(started: Started, folder: str, standing: Standing) -> Iterator[Touch]:
    """A file that its own owner can not read any more is as good as gone."""
    mode, *words = [word for word in started.words[1:] if not (word.startswith("-") and len(word) < 3)] or [""]
    parsed = parse(words)
    if _UNREADABLE.fullmatch(mode):
        for word in parsed.operands:
            yield from (Touch(file, "write") for file in _reached(word, folder, standing))


def _reached(word: str, folder: str, standing: Standing) -> tuple[str, ...]:
    return standing.below(whole(word, folder))


def _owned(started: Started, folder: str, standing: Standing) -> Iterator[Touch]:
    for word in parse(list(started.words[1:])).operands[1:]:
        if whole(word, folder) in standing.files:
            yield Touch(whole(word, folder), "write")


def _copied(started: Started, folder: str, standing: Standing) -> Iterator[Touch]:
    """Into a folder: the file of the same name, or for a whole tree each that its source has as well."""
    parsed = parse(list(started.words[1:]), _COPY_VALUED)
    folders = parsed.values("-t", "--target-directory")
    *sources, target = (*parsed.operands, *folders[-1:]) or ("",)
    is_flat = parsed.has("-T", "--no-target-directory")
    for source in sources:
        for place in _targets(source, whole(target, folder), standing, is_flat=is_flat):
            yield from _copied_to(source, place, folder, standing, deep=parsed.has(*_RECURSIVE))


def _targets(source: str, target: str, standing: Standing, *, is_flat: bool) -> Iterator[str]:
    is_inside = source.rstrip("/").endswith("/.") or source in {".", "./"}
    if is_flat or is_inside or not standing.is_there(target):
        yield target
    else:
        yield posixpath.join(target, posixpath.basename(source.rstrip("/")))


def _copied_to(source: str, place: str, folder: str, standing: Standing, *, deep: bool) -> Iterator[Touch]:
    for file in standing.below(place):
        inner = file[len(place) :].lstrip("/")
        if not inner or (deep and standing.is_there(posixpath.join(whole(source, folder), inner))):
            yield Touch(file, "write")


def _synchronised(started: Started, folder: str, standing: Standing) -> Iterator[Touch]:
    parsed = parse(list(started.words[1:]), "-e -f --rsh --exclude --include --filter --files-from --exclude-from")
    if parsed.has("-n", "--dry-run", "--list-only") or len(parsed.operands) < 2:
        return
    *sources, target = parsed.operands
    for source in sources:
        is_file = whole(target, folder) in standing.files
        below = "" if source.endswith("/") or is_file else posixpath.basename(source)
        place = posixpath.normpath(posixpath.join(whole(target, folder), below))
        if any(option.startswith("--delete") for option, _ in parsed.options):
            yield from (Touch(file, "delete") for file in standing.below(place) if file != place)
        yield from _copied_to(source, place, folder, standing, deep=True)


def _unpacked(started: Started, folder: str, standing: Standing) -> Iterator[Touch]:
    """The members of an archive that the line names, or what is packed and taken away."""
    program, words = posixpath.basename(started.words[0]), list(started.words[1:])
    if program == "tar":
        words = ["-" + words[0], *words[1:]] if words and not words[0].startswith("-") else words
        parsed = parse(words, "-f -C -T -X --file --directory --exclude --files-from --exclude-from")
        named = parsed.operands if parsed.has("-x", "--extract", "--get", "--remove-files") else []
        into = parsed.values("-C", "--directory")
    else:
        parsed = parse(words, "-d -x -P")
        looks = parsed.has("-l", "-p", "-t", "-Z", "-v", "-z", "-c")
        gone = program == "zip" and parsed.has("-m", "--move")
        named = parsed.operands[1:] if gone or (program == "unzip" and not looks) else []
        into = parsed.values("-d") if program == "unzip" else []
    for word in named:
        yield from (
            Touch(file, "write") for file in _reached(word, whole(into[-1], folder) if into else folder, standing)
        )
        yield from _operands([word], folder, standing) if _is_pattern(word) else ()


def _of_git(started: Started, folder: str, standing: Standing) -> Iterator[Touch]:
    name, words, before = subcommand(list(started.words[1:]))
    for inner in before.values("-C"):
        folder = whole(inner, folder)
    if name in {"clean", "stash"}:
        yield from _cleared(name, words, folder, standing)
    elif name in {"checkout", "restore"}:
        yield from _taken_from(name, words, folder, standing)
    elif name == "rm":
        parsed = parse(words, "--pathspec-from-file")
        if not parsed.has("--cached", "-n", "--dry-run"):
            yield from _operands([word for word in parsed.operands if _is_pattern(word)], folder, standing)


def _cleared(name: str, words: list[str], folder: str, standing: Standing) -> Iterator[Touch]:
    """What git ignores goes with `clean -x` and `stash --all`."""
    parsed = parse(words, "-e --exclude -m --message")
    forced = parsed.has("-f", "--force") and parsed.has("-x", "-X") and not parsed.has("-n", "--dry-run")
    if not (forced if name == "clean" else parsed.has("-a", "--all")):
        return
    spared = parsed.values("-e", "--exclude")
    named = [word for word in parsed.operands if word != "push"]
    for word in named or (["."] if name == "clean" else [standing.root]):
        for file in _reached(word, folder, standing):
            if not _is_spared(standing.inner(file), spared) and standing.is_ignored(file):
                yield Touch(file, "delete")


def _is_spared(inner: str, spared: list[str]) -> bool:
    from fnmatch import fnmatchcase  # noqa: PLC0415 - only for lines that clear a tree

    parts = inner.split("/")
    ways = (*parts, *("/".join(parts[: at + 1]) for at in range(len(parts))))
    return any(fnmatchcase(way, pattern.strip("/")) for way in ways for pattern in spared)


def _taken_from(name: str, words: list[str], folder: str, standing: Standing) -> Iterator[Touch]:
    """Files in the state of another commit; in that of the last one is how a change is taken back."""
    before, behind = (words[: words.index("--")], words[words.index("--") + 1 :]) if "--" in words else (words, None)
    parsed = parse(before, "-s --source -b -B --orphan --conflict --pathspec-from-file")
    if parsed.has("-b", "-B", "--orphan"):
        return
    if name == "restore":
        source, paths = "".join(parsed.values("-s", "--source")[-1:]), [*parsed.operands, *(behind or ())]
    else:
        source = "".join(parsed.operands[:1]) if behind is not None or len(parsed.operands) > 1 else ""
        paths = behind if behind is not None else parsed.operands[1:]
    if source in _AS_BEFORE or (name == "restore" and parsed.has("-S", "--staged") and not parsed.has("-W")):
        return
    for word in paths:
        if word not in _WHOLE_TREE and UNKNOWN not in word:
            yield from (Touch(file, "write") for file in _reached(word, folder, standing))
            yield from _operands([word], folder, standing) if _is_pattern(word) else ()


_SWEEPS: dict[str, Sweep] = {
    **dict.fromkeys(("cp", "install", "mv"), _copied),
    **dict.fromkeys(("tar", "unzip", "zip"), _unpacked),
    **dict.fromkeys(("chgrp", "chown"), _owned),
    "chmod": _changed_mode,
    "git": _of_git,
    "rsync": _synchronised,
}
