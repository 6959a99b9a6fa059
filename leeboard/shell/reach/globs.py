"""The globs of a shell line, put in other words: as the files that they could mean, or as any name that they fit.

The line is then read once more. A wrong guess does no harm: what it touches is compared with the files in question.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from leeboard.model.text import lazy
from leeboard.model.touch import Started
from leeboard.model.workspace import placed
from leeboard.shell.expansion import HOME, UNKNOWN
from leeboard.shell.options import parse
from leeboard.shell.reach.disk import Standing

_MOST_GLOBS, _MOST_READINGS, _MOST_STARS = 40, 8, 3
_LONGEST = 8_192
_GLOB = r"[^\s'\"`;|&()<>=]{0,300}[*?\[][^\s'\"`;|&()<>]{0,300}"
_UNQUOTED = lazy(rf"'[^']*'|\"(?:[^\"\\]|\\.)*\"|(?P<glob>{_GLOB})")
_ANYWHERE = lazy(rf"(?P<glob>{_GLOB})")
_FIRST = lazy(r"[*?\[]")
_PIECE = lazy(r"\*{1,9}|\?|\[[^\]/]{1,80}\]")
_RUNS_TEXT = lazy(r"\b(?:eval|ssh|su|trap|xargs|(?:ba|da|k|z)?sh)\b")


def readings(command: str, files: tuple[str, ...], is_meant: Callable[[str, str], bool]) -> Iterator[str]:
    """The line with each glob replaced; `is_meant` tells of a glob and a path as it is written whether it may be."""
    if not _FIRST.search(command) or len(command) > _LONGEST:
        return
    quotes = _ANYWHERE if _RUNS_TEXT.search(command) else _UNQUOTED
    globs = dict.fromkeys(found["glob"] for found in quotes.finditer(command) if found["glob"])
    if not globs or len(globs) > _MOST_GLOBS:
        return
    spans = tuple(dict.fromkeys(span for file in files for span in _spans(file)))
    meant = {glob: [*_meant(glob, spans, is_meant), _instance(glob)] for glob in globs}
    for at in range(min(_MOST_READINGS, max(map(len, meant.values())))):

        def put(found: re.Match[str], at: int = at) -> str:
            options = meant.get(found["glob"] or "", [found[0]])
            return options[min(at, len(options) - 1)]

        yield quotes.sub(put, command)


def fits(pattern: str, path: str) -> bool:
    """Whether a glob of the shell gives a path: a star stays in its folder, and takes no leading dot."""
    return re.fullmatch(_as_pattern(pattern), path) is not None


def _spans(file: str) -> Iterator[str]:
    """Every run of folders and names in a path, by which a glob in whichever folder could mean it."""
    parts = file.lstrip("~/").split("/")[-5:]
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            yield "/".join(parts[start:end])


def _meant(glob: str, spans: tuple[str, ...], is_meant: Callable[[str, str], bool]) -> list[str]:
    first = _FIRST.search(glob)
    at = glob.rfind("/", 0, first.start() if first else 0) + 1
    before, rest = glob[:at], glob[at:].rstrip("/")
    pattern = re.compile(_as_pattern(rest))
    return [before + span for span in spans if pattern.fullmatch(span) and is_meant(glob, before + span)]


def _as_pattern(glob: str) -> str:
    """Where it has many stars it fits more than the shell's does: trying them all would take forever."""
    return "/".join(".*" if part == "**" else _part(part) for part in glob.split("/")[:20])


def _part(part: str) -> str:
    no_dot = "" if part.startswith((".", "[.")) else r"(?!\.)"
    if part.count("*") > _MOST_STARS:
        return f"{no_dot}[^/]*"
    pieces: list[str] = []
    at = 0
    for piece in _PIECE.finditer(part):
        pieces.append(re.escape(part[at : piece.start()]))
        pieces.append("[^/]*" if piece[0][0] == "*" else "[^/]" if piece[0] == "?" else _one_of(piece[0]))
        at = piece.end()
    return no_dot + "".join((*pieces, re.escape(part[at:])))


def _one_of(bracket: str) -> str:
    is_negated, inside = bracket[1] in "!^", bracket[1:-1].lstrip("!^")
    if not inside or "--" in inside or ":" in inside:
        return "[^/]"
    pattern = f"[{'^' * is_negated}{''.join(letter if letter == '-' else re.escape(letter) for letter in inside)}]"
    try:
        re.compile(pattern)
    except re.error:
        return "[^/]"
    return pattern


def _instance(glob: str) -> str:
    return _PIECE.sub(lambda piece: _letter(piece[0]), glob)


def _letter(piece: str) -> str:
    return piece[1] if piece[0] == "[" and len(piece) > 2 and piece[1] not in "!^[" else "x"


# Files that a program of a shell line hands on to another one by name: `find -exec`, `xargs`, `$(ls ...)`, loops.


_NAME_TESTS = ("-name", "-iname", "-path", "-ipath", "-wholename")
_UNTOLD_TESTS = frozenset(
    "-empty -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -size -perm -user -group -regex -iregex"
    " -links -inum -samefile -newermt -nouser -nogroup -executable -readable -writable".split()
)
_ECHOES = frozenset({"echo", "ls", "printf"})
_SEARCHES = frozenset({"grep", "egrep", "fgrep", "rg", "ag"})
_PLAIN_WORD = lazy(r"[\w \"'=:/-]{1,200}")
_PLAIN_NAME = lazy(r"[\w .-]{0,200}")
_FD = frozenset({"fd", "fdfind"})
_FD_STARTS = frozenset({"-x", "-X", "--exec", "--exec-batch"})
_FD_VALUES = (
    "-e --extension -t --type -d --max-depth --min-depth -E --exclude -S --size -c --color -j --threads --search-path"
    " --base-directory --changed-within --changed-before --max-results"
)
_GIT_LISTS = frozenset({"ls-files", "grep"})


def handed_on(started: Started, standing: Standing, *, unsure: bool = False) -> Iterator[str]:
    """Those of the files in question, and of the folders that hold them, that this program may name to another.

    `unsure`: also those of which only a look at the disk would tell, by their age or size.
    """
    name, folder = posixpath.basename(started.words[0]), started.folder or standing.root
    words = list(started.words[1:])
    if name == "find":
        yield from _found(words, folder, standing, unsure=unsure)
    elif name in _ECHOES:
        yield from _named(words, folder, standing, deep=False)
    elif name in _FD:
        yield from _found_by_fd(words, folder, standing)
    elif name in _SEARCHES or (name == "git" and words[:1] and words[0] in _GIT_LISTS):
        yield from _searched(words, folder, standing)


def _searched(words: list[str], folder: str, standing: Standing) -> Iterator[str]:
    """By a search for words that can be looked up; what another expression would find nobody can tell."""
    lists_all = words[:1] == ["ls-files"]
    operands = [word for word in words if not word.startswith("-")]
    operands = operands[1:] if words[:1] == ["grep"] or lists_all else operands
    wanted, places = ("", operands) if lists_all else ("".join(operands[:1]), operands[1:] or ["."])
    if not lists_all and not _PLAIN_WORD.fullmatch(wanted):
        return
    for file in _named(places, folder, standing, deep=True):
        if lists_all or wanted in (standing.text(file) or ""):
            yield file


def _named(words: list[str], folder: str, standing: Standing, *, deep: bool) -> Iterator[str]:
    for word in words:
        place = whole(word, folder)
        for file in standing.files:
            inside = deep and (file.startswith(f"{place}/") or place == "/")
            if file == place or inside or (_is_pattern(word) and fits_pathspec(word, file, folder)):
                yield file
            elif file.startswith(f"{place}/") and not deep:
                yield place


def _is_pattern(word: str) -> bool:
    return any(mark in word for mark in "*?[")


def fits_pathspec(pattern: str, file: str, folder: str) -> bool:
    """As git reads one: a star goes through folders."""
    from fnmatch import fnmatchcase  # noqa: PLC0415 - few lines bring one

    inner = file.removeprefix(f"{folder.rstrip('/')}/")
    return inner != file and fnmatchcase(inner, pattern.removeprefix("./"))


def whole(word: str, folder: str) -> str:
    """The whole path of a word that names a file; what nobody can tell of it stands in it still."""
    if word.startswith((HOME, "~")):
        return posixpath.normpath("~/" + word[1:].lstrip("/"))
    return placed(folder, word)


def _found_by_fd(words: list[str], folder: str, standing: Standing) -> Iterator[str]:
    """By the end of a name, a plain part of it, a glob, and the folders that are looked through."""
    before = words[: next((at for at, word in enumerate(words) if word in _FD_STARTS), len(words))]
    parsed = parse(before, _FD_VALUES)
    ends = tuple(f".{end.lstrip('.')}" for end in parsed.values("-e", "--extension"))
    pattern, *places = parsed.operands or [""]
    kinds = parsed.values("-t", "--type")
    if not (ends or pattern or places or kinds) or (kinds and kinds[-1] not in {"f", "file"}):
        return
    places += parsed.values("--search-path", "--base-directory")
    for file in _named(places or ["."], folder, standing, deep=True):
        name = posixpath.basename(file)
        is_named = fits(pattern, name) if parsed.has("-g", "--glob") else _has(pattern, name)
        if is_named and (not ends or name.endswith(ends)):
            yield file


def _has(pattern: str, name: str) -> bool:
    """What is no plain word is taken to fit: running an expression of somebody else's could take forever."""
    plain = pattern.strip("^$").replace("\\.", ".")
    return plain.lower() in name.lower() if _PLAIN_NAME.fullmatch(plain) else True


def _found(words: list[str], folder: str, standing: Standing, *, unsure: bool) -> Iterator[str]:
    if not _UNTOLD_TESTS.isdisjoint(words) and (not unsure or "-empty" in words):
        return
    starts: list[str] = []
    for word in words:
        if word.startswith(("-", "(", "!")):
            break
        starts.append(word)
    for start in starts or ["."]:
        place = whole(start, folder)
        for file in _below(place, standing):
            if _passes(file, place, start, words):
                yield file


def _below(place: str, standing: Standing) -> Iterator[str]:
    """The files below a folder, and each folder on the way to them."""
    for file in standing.files:
        if file == place or file.startswith(f"{place.rstrip('/')}/"):
            inner = file[len(place) :].strip("/").split("/")
            yield from dict.fromkeys(posixpath.join(place, *inner[:depth]) for depth in range(1, len(inner) + 1))


def _passes(path: str, place: str, start: str, words: list[str]) -> bool:
    """By its name, kind and depth; of several names in a line any may be the one that counts."""
    is_folder = posixpath.basename(path) in {".claude", ".leeboard"} or "." not in posixpath.basename(path)
    kinds = _values(words, "-type")
    if kinds and kinds[-1] != ("d" if is_folder else "f"):
        return False
    depth = path[len(place) :].strip("/").count("/") + 1
    if any(limit.isdigit() and depth > int(limit) for limit in _values(words, "-maxdepth")):
        return False
    asked, spared = _names_asked(words)
    shown = posixpath.join(start, path[len(place) :].lstrip("/"))
    if any(_is_named(path, shown, test, pattern) for test, pattern in spared):
        return False
    if not asked and is_folder and "-delete" not in words:
        return False  # what is found inside will be handed on as well
    return not asked or any(_is_named(path, shown, test, pattern) for test, pattern in asked)


def _values(words: list[str], option: str) -> list[str]:
    return [words[at + 1] for at, word in enumerate(words[:-1]) if word == option]


def _names_asked(words: list[str]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The names that are looked for, and those that are left out."""
    asked: list[tuple[str, str]] = []
    spared: list[tuple[str, str]] = []
    for at, word in enumerate(words[:-1]):
        if word in _NAME_TESTS:
            is_pruned = "-prune" in words[at + 2 : at + 4] and not {"-o", "-or"}.isdisjoint(words[at + 2 :])
            is_spared = words[max(at - 1, 0)] in {"!", "-not"} or is_pruned
            (spared if is_spared else asked).append((word, words[at + 1]))
    return asked, spared


def _is_named(path: str, shown: str, test: str, pattern: str) -> bool:
    if test.startswith("-i"):
        path, shown, pattern, test = path.lower(), shown.lower(), pattern.lower(), f"-{test[2:]}"
    if test == "-name":
        return fits(pattern, posixpath.basename(path)) or fits(f".{pattern}", posixpath.basename(path))
    return re.fullmatch(_path_pattern(pattern), shown) is not None


def _path_pattern(pattern: str) -> str:
    """A star of a path goes through folders."""
    pieces = re.split(r"\*{1,9}", pattern[:400])
    if len(pieces) > 6:
        return r".*"
    return ".*".join(re.escape(piece).replace(r"\?", ".") for piece in pieces)


def filled(started: Started, file: str) -> str:
    """The program with the file where nobody could tell what stands there."""
    from shlex import join  # noqa: PLC0415 - only for lines that hand files on

    return join([word.replace(UNKNOWN, file).replace(HOME, "~") for word in started.words])
