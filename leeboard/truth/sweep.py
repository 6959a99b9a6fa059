"""Which files a shell line would write over or remove without naming them: the whole tree, a folder, a pattern."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

import msgspec

from leeboard.model.known import Disk
from leeboard.model.text import lazy, matches
from leeboard.model.touch import ShellEffects, Started
from leeboard.model.workspace import Workspace, is_whole
from leeboard.shell.options import Parsed, parse
from leeboard.shell.programs.git import subcommand

_UNKNOWN = "\0"
_ONE_OF = lazy(r"\x00[^\]/\x00]{0,60}\]")
"""What is left of `[a-c]` in a word."""
_QUOTED = lazy(r"'[^']*'")
_VALUES = lazy(r"[$`]|\bxargs\b|\s-exec")
"""What puts words into a line that nobody knows: then they can not be told from patterns of the shell."""


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    words: str
    """The program, for people."""
    globs: tuple[str, ...]
    """Relative to the work tree."""
    is_refused: bool
    """It takes back what git has not got, or changes it; others may leave such files alone, or were meant to remove
    them."""
    harm: str = "throw that away"
    expansions: tuple[Expansion, ...] = ()
    """Which of them the line names for sure."""

    def reaches(self, path: str) -> bool:
        return matches(path, self.globs)

    def names(self, path: str, disk: Disk) -> bool:
        """Who names a file that is there by a pattern does to it what they would by its name."""
        return any(one.names(path, disk) for one in self.expansions)


def sweeps_of(effects: ShellEffects, command: str, workspace: Workspace) -> Iterator[Sweep]:
    """What a line writes over or removes without naming it; `effects` are those of `command`."""
    has_values = bool(_VALUES.search(_QUOTED.sub("", command)))
    patterns = patterns_in(command)
    for at, one in enumerate(effects.started):
        name = one.words[0].rpartition("/")[2] if one.words else ""
        if one.folder is None:
            continue
        if name == "git":
            yield from _git(one, effects.started[:at], patterns, workspace)
        elif name in _PROGRAMS and not (has_values and name in _BY_PATTERN):
            sweep = _PROGRAMS[name](one, patterns, workspace)
            yield from (sweep,) if sweep.globs else ()


def _rm(one: Started, patterns: Patterns, workspace: Workspace) -> Sweep:
    parsed, folder = parse(list(one.words[1:])), one.folder or ""
    deep = parsed.has("-r", "-R", "--recursive")
    globs = [_glob(_ONE_OF.sub("*", word).replace(_UNKNOWN, "*"), folder, workspace) for word in parsed.operands]
    globs += [f"{glob}/**" for glob in globs if deep and glob != "**"]
    named = tuple(taken(parsed.operands, folder, patterns, workspace))
    return Sweep(words="rm", globs=tuple(globs), is_refused=False, expansions=named)


def _find(one: Started, _patterns: Patterns, workspace: Workspace) -> Sweep:
    globs = [_glob(word, one.folder or "", workspace) for word in deleted_by_find(one.words[1:])]
    return Sweep(words="find -delete", globs=tuple(globs), is_refused=False)


def _edited(one: Started, _patterns: Patterns, workspace: Workspace) -> Sweep:
    """Files that sed or perl rewrite in place; those a line names are told apart already."""
    name, args = one.words[0].rpartition("/")[2], list(one.words[1:])
    parsed = parse(args, _EDITORS[name])
    given = parsed.has("-e", "-E" if name == "perl" else "-f", "--expression", "--file")
    files = parsed.operands if given else parsed.operands[1:]
    in_place = parsed.has("-i", "--in-place")
    globs = [_glob(word, one.folder or "", workspace) for word in _as_globs(files) if in_place]
    return Sweep(words=f"{name} -i", globs=tuple(globs), is_refused=True, harm="change it as well")


def _placed(one: Started, patterns: Patterns, workspace: Workspace) -> Sweep:
    """What mv takes away, and what mv or cp put in its place: names nobody knows beforehand, from a pattern."""
    name, folder = one.words[0].rpartition("/")[2], one.folder or ""
    parsed = parse(list(one.words[1:]), "-t --target-directory -S --suffix")
    into, sources = parsed.values("-t", "--target-directory"), parsed.operands
    if not into:
        into, sources = sources[-1:], sources[:-1]
    given = _as_globs(sources)
    reached = [f"{into[0]}/{word.rpartition('/')[2]}" for word in given if not parsed.has("-n", "--no-clobber")]
    globs = [_glob(word, folder, workspace) for word in (*(given if name == "mv" else ()), *reached)]
    globs += [f"{glob}/**" for glob in globs[: len(given)] if name == "mv"]
    named = list(placed(parsed, sources, (into[0], folder), patterns, workspace)) if given else []
    named += taken(sources, folder, patterns, workspace) if name == "mv" and not parsed.has("-n", "-i") else ()
    harm = "move it away or write over it"
    return Sweep(words=name, globs=tuple(globs), is_refused=False, harm=harm, expansions=tuple(named))


_EDITORS = {"sed": "-e -f -l --expression --file --line-length", "perl": "-e -E -I -M -m -F"}
_BY_PATTERN = frozenset({"cp", "mv", "perl", "sed"})
"""Here patterns alone count: who names a file is asked about that one."""
_PROGRAMS = {"rm": _rm, "find": _find, "sed": _edited, "perl": _edited, "mv": _placed, "cp": _placed}


def _git(one: Started, before_it: tuple[Started, ...], patterns: Patterns, workspace: Workspace) -> Iterator[Sweep]:
    name, args, before = subcommand(list(one.words[1:]))
    folder = one.folder or ""
    for word in before.values("-C"):
        folder = word if is_whole(word) else f"{folder}/{word}"
    places = swept_by_git(name, args, before_it) if not before.has("--git-dir", "--work-tree") else []
    globs = [glob for word in places for glob in _pathspec(word, folder, workspace)]
    named = tuple(taken_by_git(places, folder, patterns, workspace)) if name == "rm" else ()
    if globs:
        yield Sweep(words=f"git {name}", globs=tuple(globs), is_refused=name not in {"clean", "rm"}, expansions=named)


def _pathspec(word: str, folder: str, workspace: Workspace) -> Iterator[str]:
    """A star of git's own goes over folders too."""
    if word == ":/":
        yield "**"
        return
    if word.startswith(":"):
        return
    glob = _glob(_ONE_OF.sub("*", word).replace(_UNKNOWN, "*"), folder, workspace)
    yield glob
    above, _, last = glob.rpartition("/")
    if "*" in last and last != "**":
        yield f"{above}/**/{last}" if above else f"**/{last}"


def _glob(word: str, folder: str, workspace: Workspace) -> str:
    """Relative to the work tree; all of it where the word names a folder around it."""
    spelled = workspace.spell(word, folder)
    return "**" if spelled in {"", "."} or f"{workspace.root}/".startswith(f"{spelled.rstrip('/')}/") else spelled


def _as_globs(words: list[str]) -> list[str]:
    """Those that the shell puts names in for."""
    return [_ONE_OF.sub("*", word).replace(_UNKNOWN, "*") for word in words if _UNKNOWN in word]


# What a git command takes back, writes over or removes without naming each file: as pathspecs.


_KEEPING = frozenset({"apply", "branch", "clear", "create", "drop", "list", "pop", "show", "store"})
"""What `git stash` does beside taking changes away."""
_COMMIT = lazy(r"(?:HEAD|@)(?:[~^@].{0,40})?$")


def swept_by_git(name: str, args: list[str], before_it: tuple[Started, ...]) -> list[str]:
    """`before_it`: what the line has started before, for it may be fed from there."""
    if name == "apply":
        return _taken_back(args, before_it)
    return _GIT[name](args) if name in _GIT else []


def _checkout(args: list[str]) -> list[str]:
    """Without a path it keeps what is not committed, unless it is forced."""
    at = args.index("--") if "--" in args else None
    parsed = parse(args[:at], "-b -B --orphan --conflict --pathspec-from-file")
    if at is not None and args[at + 1 :]:
        return args[at + 1 :]
    if parsed.has("-f", "--force"):
        return [":/"]
    return [] if parsed.has("-b", "-B", "--orphan") else [word for word in parsed.operands if _is_wide(word)]


def _restore(args: list[str]) -> list[str]:
    parsed = parse(args, "-s --source --conflict --pathspec-from-file")
    only_index = parsed.has("-S", "--staged") and not parsed.has("-W", "--worktree")
    return [] if only_index else parsed.operands


def _reset(args: list[str]) -> list[str]:
    return [":/"] if parse(args).has("--hard") else []


def _stash(args: list[str]) -> list[str]:
    action = args[0] if args and not args[0].startswith("-") else "push"
    if action in _KEEPING or action not in {"push", "save"}:
        return []
    rest = args[1:] if args[:1] == [action] else args
    named = parse(rest, "-m --message --pathspec-from-file").operands if action == "push" else []
    return named or [":/"]


def _clean(args: list[str]) -> list[str]:
    parsed = parse(args, "-e --exclude")
    if parsed.has("-n", "--dry-run") or not parsed.has("-f", "--force"):
        return []
    return parsed.operands or ["."]


def _switch(args: list[str]) -> list[str]:
    """Without force it keeps what is not committed."""
    parsed = parse(args, "-c -C --create --force-create --orphan --conflict")
    return [":/"] if parsed.has("-f", "--force", "--discard-changes") else []


def _remove(args: list[str]) -> list[str]:
    """Without force git refuses by itself to remove what is not committed."""
    parsed = parse(args, "--pathspec-from-file")
    forced = parsed.has("-f", "--force") and not parsed.has("--cached", "-n", "--dry-run")
    return parsed.operands if forced else []


def _read_tree(args: list[str]) -> list[str]:
    parsed = parse(args, "--prefix --index-output --exclude-per-directory")
    dry = parsed.has("-n", "--dry-run", "--prefix")
    return [":/"] if parsed.has("-u") and parsed.has("--reset") and not dry else []


def _checkout_index(args: list[str]) -> list[str]:
    parsed = parse(args, "--prefix --stage")
    if not parsed.has("-f", "--force") or parsed.has("--prefix", "--temp"):
        return []
    return [":/"] if parsed.has("-a", "--all", "--stdin") else parsed.operands


_GIT = {
    "checkout": _checkout,
    "checkout-index": _checkout_index,
    "clean": _clean,
    "read-tree": _read_tree,
    "reset": _reset,
    "restore": _restore,
    "rm": _remove,
    "stash": _stash,
    "switch": _switch,
}


def _taken_back(args: list[str], before_it: tuple[Started, ...]) -> list[str]:
    """`git diff | git apply -R`. A patch that lies in a file names what it takes back, and is somebody's own."""
    parsed = parse(args, "-p -C --directory --exclude --include --whitespace")
    if not parsed.has("-R", "--reverse") or parsed.has("--check", "--stat", "--numstat", "--summary", "--cached"):
        return []
    source = before_it[-1].words if before_it and parsed.operands in ([], ["-"]) else ()
    name, given, _ = subcommand(list(source[1:])) if source[:1] == ("git",) else ("", [], None)
    return _differing(given) if name == "diff" else []


def _differing(args: list[str]) -> list[str]:
    """The paths whose uncommitted changes `git diff` shows."""
    at = args.index("--") if "--" in args else len(args)
    parsed = parse(args[:at])
    named = [word for word in parsed.operands if not _COMMIT.match(word)]
    if parsed.has("--cached", "--staged") or any(".." in word.strip("./") for word in parsed.operands):
        return []
    return [*named, *args[at + 1 :]] or [":/"]


def _is_wide(word: str) -> bool:
    return word in {".", "./", "..", ":/"} or any(sign in word for sign in "*?[\0")


# Which files `find ... -delete` removes, as patterns.


_PLAIN = frozenset({"-delete", "-depth", "-d", "-print", "-print0", "-xdev", "-mount", "-true", "(", ")", "-a", "-o"})
_VALUED = frozenset({"-maxdepth", "-mindepth"})
_NAMES = frozenset({"-name", "-iname"})
_FILES = frozenset({"f", "f,l", "l,f"})


def deleted_by_find(args: tuple[str, ...]) -> list[str]:
    """None where it tells files apart by more than their names: nobody can say which they are."""
    count = next((at for at, word in enumerate(args) if word.startswith(("-", "(", "!"))), len(args))
    places, tests = args[:count] or (".",), args[count:]
    names = _names(tests) if "-delete" in tests and not any("\0" in word for word in args) else None
    if names is None:
        return []
    return [f"{place.rstrip('/') or '/'}/**/{name}" for place in places for name in names or ["*"]]


def _names(tests: tuple[str, ...]) -> list[str] | None:
    found: list[str] = []
    words = iter(tests)
    for word in words:
        if word in _PLAIN:
            continue
        value = next(words, "")
        if word in _NAMES:
            found.append(value)
        elif word not in _VALUED and not (word == "-type" and value in _FILES):
            return None
    return found


# Which files a shell line names by patterns, where that can be told for sure: it is read as the shell will read it.


_SIGN = lazy(r"[*?\[]")
_WORD = lazy(r"[^\s;&|()<>'\"]+")
_UNSURE = lazy(r"[$`{\\]|\[[\^\[]|\bxargs\b|\s-exec")
"""What puts words into a line that do not stand in it, and what shells do not agree about."""
_MAY_KEEP = ("-b", "--backup", "-i", "--interactive", "-n", "--no-clobber", "-T", "-u", "--update")

Patterns = Mapping[str, str]
"""As a line has them, by what is left of them where nobody knows what they stand for."""


class Expansion(msgspec.Struct, frozen=True, kw_only=True):
    pattern: str
    """Relative to the work tree."""
    source: str = ""
    """The folder that files with the same names are put in their place from; empty: none are."""
    crosses: bool = False
    """A star goes over folders too, as in git's own patterns."""

    def names(self, path: str, disk: Disk) -> bool:
        """Whether a file that is there is among those that are meant."""
        if self.crosses:
            return fnmatchcase(path, self.pattern)
        parts, names = self.pattern.split("/"), path.split("/")
        if len(parts) != len(names) or not all(map(_fits, names, parts)):
            return False
        return not self.source or bool(disk.look(f"{self.source}/{names[-1]}"))


def patterns_in(command: str) -> Patterns:
    """None where something else may put names into the line."""
    found: dict[str, str] = {}
    for word in _WORD.findall(command) if not _UNSURE.search(command) else ():
        if _SIGN.search(word) and not word.endswith(("/", "/.", "/..")):  # what ends so stands for folders alone
            shape = _SIGN.sub("\0", word)
            found[shape] = word if found.get(shape, word) == word else ""
    return found


def taken(words: list[str], folder: str, patterns: Patterns, workspace: Workspace) -> Iterator[Expansion]:
    """What `rm` and `mv` take away where it is."""
    for word in words:
        if written := patterns.get(word, ""):
            yield Expansion(pattern=workspace.spell(written, folder))


def taken_by_git(words: list[str], folder: str, patterns: Patterns, workspace: Workspace) -> Iterator[Expansion]:
    """The shell's patterns, and those in quotes that git reads itself."""
    yield from taken(words, folder, patterns, workspace)
    for word in words:
        if _SIGN.search(word) and "\0" not in word and not word.startswith(":"):
            yield Expansion(pattern=workspace.spell(word, folder), crosses=True)


def placed(
    parsed: Parsed, sources: list[str], place: tuple[str, str], patterns: Patterns, workspace: Workspace
) -> Iterator[Expansion]:
    """What `mv` and `cp` put into a folder, over what has the same name there; `place`: it, and where they start."""
    into, folder = place
    if "\0" in into or parsed.has(*_MAY_KEEP, "--no-target-directory"):
        return
    for word in sources:
        above, _, last = patterns.get(word, "").rpartition("/")
        source, target = workspace.spell(above or ".", folder), workspace.spell(into, folder)
        if last and not _SIGN.search(above) and source != target:
            yield Expansion(pattern=workspace.spell(f"{into}/{last}", folder), source=source)


def _fits(name: str, part: str) -> bool:
    """No pattern of the shell stands for a name with a dot in front."""
    return name == part or (fnmatchcase(name, part) and name.startswith(".") == part.startswith("."))
