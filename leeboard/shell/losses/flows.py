"""Names that flow through a line: what one program lists, a filter lets pass, and another one takes away.

Of what is listed only the files in question are followed: those that are in no commit. A list that is understood and
has none of them leaves the taker with nothing; one that nobody understands leaves it as it was, unless whole folders
would go by it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects, Started
from leeboard.model.unsaved import FileState, UnsavedFile
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.losses.loss import LossGround
from leeboard.shell.losses.table import loss_words
from leeboard.shell.options import PROGRAMS, parse
from leeboard.shell.programs.git import subcommand
from leeboard.shell.reach.disk import Standing
from leeboard.shell.reach.globs import fits_pathspec, handed_on, whole

_MOST_NAMES = 40
_MOST_LISTS = 4
_HANDS_ON = frozenset({"xargs", "parallel", "read", "env", "sudo", "command", "time", "nice", "nohup"})
_RECURSIVE = ("-r", "-R", "--recursive")
_SEARCHES = frozenset({"grep", "egrep", "fgrep", "rg"})
_LISTERS = frozenset({"find", "fd", "fdfind", "ls", "echo", "printf"})
_PATTERN = lazy(r"[\w\s./^$|\\\[\]?*:\"'()-]{1,120}")
"""Expressions that are tried: of these none takes long, with a star or two."""
_AWK_ASKS = lazy(r"\s{0,9}(?:/(?P<pattern>[^/]{1,100})/|\$1\s{0,3}[=~]=?\s{0,3}[\"/](?P<first>[^\"/]{1,20})[\"/])")
_SED_ASKS = lazy(r"(?:/(?P<pattern>[^/]{1,100})/|s/(?P<taken>\^[^/]{1,40})/[^/]{0,20}/)\s{0,3}p")
_MARKS: dict[FileState, str] = {"changed": " M", "staged": "M ", "untracked": "??", "ignored": "!!", "committed": "  "}


class Listed(msgspec.Struct, frozen=True):
    """A name as it is printed, and the whole path that it means."""

    shown: str
    path: str


class Flow(msgspec.Struct, frozen=True):
    """`names` are those in question; None: nobody understands what is listed."""

    names: tuple[Listed, ...] | None = None
    is_piped: bool = False
    """Whether something is listed at all."""


def flowing(line: ShellEffects) -> bool:
    """Whether a program that may take something away is given names that do not stand in the line."""
    takers = loss_words().programs
    for each in line.started:
        name = posixpath.basename(each.words[0])
        if any(UNKNOWN in word for word in each.words[1:]) and (name in takers or name == "git"):
            return True
    return bool(line.rewritten)


def filled_in(
    line: ShellEffects, files: dict[str, UnsavedFile], ground: LossGround, standing: Standing
) -> ShellEffects:
    """The line with the names that flow to its programs in their places."""
    return replace(line, started=tuple(_Following(line, files, ground, standing).started()))


class _Following:
    def __init__(
        self, line: ShellEffects, files: dict[str, UnsavedFile], ground: LossGround, standing: Standing
    ) -> None:
        self._line, self._files, self._ground, self._standing = line, files, ground, standing

    def started(self) -> Iterator[Started]:
        read = tuple(self._in_lists())
        carried, flow, statement = Flow(), Flow(), -1
        for each in self._in_order():
            if each.statement != statement:
                carried = flow if statement in self._line.keeping else carried
                flow, statement = carried, each.statement
            if any(UNKNOWN in word for word in each.words[1:]):
                yield from self._filled(each, flow, read)
            else:
                yield each
            flow = self._passed_on(each, flow)

    def _in_order(self) -> Iterator[Started]:
        for at, each in enumerate(self._line.started):
            yield from (one for before, one in self._line.rewritten if before == at)
            yield each
        yield from (one for before, one in self._line.rewritten if before >= len(self._line.started))

    def _in_lists(self) -> Iterator[Listed]:
        """By the files that the line reads: each line of one may be a name."""
        places = [whole(touch.path, self._ground.cwd) for touch in self._line.touches if touch.kind == "read"]
        for place in places[:_MOST_LISTS]:
            for name in self._ground.unsaved.names_in(place) or ():
                path = whole(name.strip(), self._ground.cwd) if name.strip() else ""
                if path and self._standing.below(path):
                    yield Listed(name.strip(), path)

    def _passed_on(self, started: Started, flow: Flow) -> Flow:
        name = posixpath.basename(started.words[0])
        listed = self._listed(started, name) if not (flow.is_piped and _filters(started, name)) else None
        if listed is not None:
            return Flow(tuple(dict.fromkeys((*listed, *(flow.names or ())))), is_piped=True)
        if flow.is_piped and flow.names is not None and name not in PROGRAMS.shells:
            return replace(flow, names=tuple(narrowed(started, name, flow.names)))
        is_known = name in PROGRAMS.silent or name in _HANDS_ON or name in PROGRAMS.readers or name in PROGRAMS.neutral
        return flow if is_known or name in loss_words().programs else Flow(is_piped=True)

    def _listed(self, started: Started, name: str) -> tuple[Listed, ...] | None:
        """None where it lists nothing, or nobody knows what."""
        folder = (started.folder or self._ground.cwd).rstrip("/")
        if started.folder is None:
            return None
        if name == "git":
            return self._by_git(started, folder)
        if name not in _LISTERS and name not in _SEARCHES:
            return None
        found = [*handed_on(started, self._standing, unsure=True)]
        if name == "ls" and all(word.startswith("-") for word in started.words[1:]):
            found += [path for path in self._standing.files if posixpath.dirname(path) == folder]
            found += [posixpath.join(folder, _inner(path, folder).partition("/")[0]) for path in self._below(folder)]
        return tuple(Listed(_inner(path, folder), path) for path in dict.fromkeys(found))

    def _below(self, folder: str) -> Iterator[str]:
        return (path for path in self._standing.files if path.startswith(f"{folder}/"))

    def _by_git(self, started: Started, folder: str) -> tuple[Listed, ...] | None:
        name, args, before = subcommand(list(started.words[1:]))
        folder = whole(posixpath.join(".", *before.values("-C")), folder)
        parsed = parse(args, "-x -X --exclude --exclude-from")
        if name == "status":
            return tuple(self._status(folder, ignored=any(word.startswith("--ignored") for word in args)))
        if name == "ls-files":
            states = _asked_of_index(parsed.options)
        elif name == "diff" and parsed.has("--name-only", "--name-status"):
            between = any(".." in word.strip("./") for word in parsed.operands)
            states = set() if between else {"staged"} if parsed.has("--cached", "--staged") else {"changed"}
            states |= {"staged"} if "HEAD" in parsed.operands else set()
            kinds = "".join(parsed.values("--diff-filter"))
            states = set() if kinds and not set("AMT") & set(kinds) and not kinds.islower() else states
        else:
            return None
        wanted = parsed.operands if name == "ls-files" else args[args.index("--") + 1 :] if "--" in args else []
        listed = (path for path in self._below(folder) if self._files[path].state in states)
        return tuple(Listed(_inner(path, folder), path) for path in listed if _is_asked(path, wanted, folder))

    def _status(self, folder: str, *, ignored: bool) -> Iterator[Listed]:
        """As `-s` and `--porcelain` print it; a folder of which git knows nothing is told as one."""
        for path, file in self._files.items():
            if file.state != "ignored" or ignored:
                inner = _inner(path, folder)
                yield Listed(f"{_MARKS[file.state]} {inner}", path)
                if file.state == "untracked" and "/" in inner:
                    top = inner.partition("/")[0]
                    yield Listed(f"?? {top}/", posixpath.join(folder, top))

    def _filled(self, started: Started, flow: Flow, read: tuple[Listed, ...]) -> Iterator[Started]:
        names = tuple(dict.fromkeys((*(flow.names or ()), *read)))[:_MOST_NAMES]
        if flow.names is None and not names:
            if flow.is_piped and _takes_folders(started):
                names = tuple(Listed(_inner(path, self._ground.cwd), path) for path in self._below(self._ground.cwd))
            else:
                yield started
                return
        bare = [word for word in started.words if word != UNKNOWN]
        if len(bare) < len(started.words):
            given = [path for word in started.words for path in (_paths(names) if word == UNKNOWN else [word])]
            yield replace(started, words=tuple(given))
        elif not names:
            yield started
        for each in names if len(bare) == len(started.words) else ():
            shown = each.shown.removeprefix("?? ").rstrip("/")
            yield replace(started, words=tuple(word.replace(UNKNOWN, shown) for word in started.words))


def _filters(started: Started, name: str) -> bool:
    """Whether a search looks through what it is piped: it names no place to look in."""
    parsed = parse(list(started.words[1:]), "-e -f -m -A -B -C --regexp --file --include --exclude -g -t")
    places = parsed.operands[0 if parsed.has("-e", "-f", "--regexp") else 1 :]
    return name in _SEARCHES and not places and not parsed.has("-r", "-R", "--recursive", "--files")


def _paths(names: tuple[Listed, ...]) -> list[str]:
    return [each.path for each in names]


def _takes_folders(started: Started) -> bool:
    is_remover = posixpath.basename(started.words[0]) in loss_words().removers and UNKNOWN in started.words
    return is_remover and started.folder is not None and parse(list(started.words[1:])).has(*_RECURSIVE)


def _inner(path: str, folder: str) -> str:
    return path.removeprefix(f"{folder.rstrip('/')}/")


def _is_asked(path: str, wanted: list[str], folder: str) -> bool:
    places = ((word, whole(word, folder)) for word in wanted)
    return not wanted or any(
        f"{path}/".startswith(f"{place.rstrip('/')}/") or UNKNOWN in word or fits_pathspec(word, path, folder)
        for word, place in places
    )


def _asked_of_index(options: list[tuple[str, str]]) -> set[FileState]:
    """Which files `git ls-files` lists: those of the index, if nothing else is asked for."""
    given = {name for name, _ in options}
    states: set[FileState] = set()
    if given & {"-o", "--others"}:
        states |= {"untracked"} if given & {"--exclude-standard", "-x", "--exclude"} else {"untracked", "ignored"}
        states = {"ignored"} if given & {"-i", "--ignored"} else states
    if given & {"-m", "--modified"}:
        states |= {"changed"}
    if given & {"-c", "--cached"} or not given & {"-o", "--others", "-m", "--modified", "-d", "--deleted"}:
        states |= {"changed", "staged"}
    return states


def narrowed(started: Started, name: str, names: tuple[Listed, ...]) -> Iterator[Listed]:
    """What a filter lets pass; all of it where only the run would tell."""
    parsed = parse(list(started.words[1:]), "-e -m -A -B -C --regexp" if name in _SEARCHES else "-e -f -F -v")
    pattern, is_left_out, is_plain = "", False, False
    if name in _SEARCHES:
        pattern = "".join((parsed.values("-e", "--regexp") or parsed.operands)[:1])
        is_left_out, is_plain = parsed.has("-v", "--invert-match"), parsed.has("-F") or name == "fgrep"
    elif name in {"awk", "gawk", "mawk"} and (asked := _AWK_ASKS.match("".join(parsed.operands[:1]))):
        pattern = asked["pattern"] or f"^\\s*{re.escape(asked['first'])}"
    elif name == "sed" and parsed.has("-n") and (asked := _SED_ASKS.search("".join(parsed.operands[:1]))):
        pattern = asked["pattern"] or asked["taken"]
    test = _as_test(pattern, is_extended=name != "grep" or parsed.has("-E", "-P"), is_plain=is_plain)
    for each in names:
        if test is None or bool(test.search(each.shown)) is not is_left_out:
            yield each


def _as_test(pattern: str, *, is_extended: bool, is_plain: bool) -> re.Pattern[str] | None:
    """None where it can not be tried, or takes too long for all that anybody knows."""
    if not pattern or UNKNOWN in pattern:
        return None
    if is_plain:
        return re.compile(re.escape(pattern))
    if not _PATTERN.fullmatch(pattern) or pattern.count("*") > 2 or ")*" in pattern or ")+" in pattern:
        return None
    if not is_extended:
        # A basic expression: these are letters there, and what they mean elsewhere is written with a backslash.
        pattern = re.sub(r"\\?[|?+(){}]", lambda sign: sign[0][1:] if sign[0][0] == "\\" else f"\\{sign[0]}", pattern)
    try:
        return re.compile(pattern)
    except re.error:
        return None
