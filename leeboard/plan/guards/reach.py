"""Files of a workflow that a shell line reaches without naming them: by globs, by lists of other programs, by links.

Which files there are is known beforehand. A glob that fits one of them is taken to mean it; what `find` and other
lists could hand on is put where the line says that nobody can tell; a link that the line makes is followed. Then the
line is read again.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache
from shlex import join

from leeboard.model.plan import Plan
from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects, Started, Touch
from leeboard.model.workspace import from_top, placed, plan_path
from leeboard.plan.guards.git_files import spelled_out
from leeboard.shell.effects import shell_effects
from leeboard.shell.expansion import TEMPORARY, UNKNOWN
from leeboard.shell.options import parse
from leeboard.shell.reach.disk import replaced_links

_MOST = 40
"""Files that are put in for one word."""
_MOST_GLOBS, _MOST_STARS = 100, 2
"""Globs of one line that are looked at; stars in a part of one that are told apart."""
_GLOB = lazy(r"[^\s'\"`;|&()<>=]{0,400}[*?\[][^\s'\"`;|&()<>]{0,400}")
_LOOP = lazy(r"\bfor\s{1,9}\w{1,80}\s{1,9}in\s{1,9}([^;\n]{1,2000})")
_PIECE = lazy(r"\*{1,9}|\?|\[[^\]/]{1,80}\]|\{[^{}/]{1,200}\}")
_RECORDS = ("action-log.jsonl", "baseline.json", "user-turns.jsonl", ".fsm_checksum", ".drift_checksum")
_LISTS = frozenset({"echo", "fd", "fdfind", "git", "grep", "ls", "printf", "rg", "tree"})
_NAME_TESTS = ("-name", "-iname", "-path", "-ipath", "-wholename")
_GIVEN = lazy(r"\"?\$(?:[01@*]|\{[01@*]\})\"?")
_SHELLS = frozenset({"ash", "bash", "dash", "ksh", "sh", "zsh"})


def plan_files(plan: Plan, top: str) -> tuple[str, ...]:
    """What only the engine and people write, in the primary tree."""
    home = f"{top.rstrip('/')}/.haiku"
    intent = f"{home}/intents/{plan.intent.slug}"
    stages = dict.fromkeys((*plan.intent.stages, *(view.spec.name for view in plan.stages)))
    units = [(view.spec.name, unit.id) for view in plan.stages for unit in view.units]
    return (
        f"{home}/settings.yml",
        f"{intent}/intent.md",
        *(f"{intent}/{name}" for name in _RECORDS),
        *(f"{intent}/stages/{stage}/{name}" for stage in stages for name in ("state.json", "rulings.jsonl")),
        *(f"{intent}/stages/{stage}/units/{unit}.md" for stage, unit in units),
    )


@lru_cache(maxsize=16)
def reached(command: str, cwd: str, files: tuple[str, ...]) -> tuple[Touch, ...]:
    """What a line would change, under whole paths, of what it does not name. `files` are whole paths as well."""
    line = shell_effects(command, cwd)
    return _Reach(command, cwd, line, files).touches() if files else ()


class _Reach:
    """What one line reaches, run in `cwd`."""

    def __init__(self, command: str, cwd: str, line: ShellEffects, files: tuple[str, ...]) -> None:
        self._command = command
        self._cwd = cwd
        self._line = line
        self._files = files
        self._top = files[0].partition("/.haiku/")[0]
        self._globs: dict[str, list[str]] = {}

    def touches(self) -> tuple[Touch, ...]:
        if not (self._line.opaque or self._links()):
            return ()
        guessed = [touch for touch in (*self._by_glob(), *self._by_list()) if self._is_plan(touch.path)]
        followed = [touch for touch in self._by_link() if touch.path.startswith(f"{self._top}/")]
        return tuple(dict.fromkeys(touch for touch in (*guessed, *followed) if touch.modifies))

    def _is_plan(self, place: str) -> bool:
        inner = place.removeprefix(f"{self._top}/")
        return inner != place and f"{inner}/".startswith(".haiku/") and not inner.startswith(".haiku/worktrees")

    def _by_glob(self) -> tuple[Touch, ...]:
        meant = _GLOB.sub(lambda found: " ".join(self._meant(found[0])) or found[0], self._command)
        return shell_effects(meant, self._cwd).touches if meant != self._command else ()

    def _meant(self, glob: str) -> list[str]:
        """As the shell would expand it in whichever folder, as far as that leads to files of the workflow."""
        if glob not in self._globs and len(self._globs) < _MOST_GLOBS:
            fits = re.compile(_as_pattern(glob.removeprefix("./")))
            tails = (file[at:] for file in self._files for at in _starts(file))
            self._globs[glob] = list(dict.fromkeys(tail for tail in tails if fits.fullmatch(tail)))[:_MOST]
        return self._globs.get(glob, [])

    def _by_list(self) -> Iterator[Touch]:
        handed_on = (*(file for each in self._line.started for file in self._listed(each)), *self._looped())
        listed = tuple(dict.fromkeys(handed_on))[:_MOST]
        for each in self._line.started:
            if any(UNKNOWN in word for word in each.words):
                for file in listed:
                    yield from shell_effects(_filled(each, file), each.folder or self._cwd).touches

    def _looped(self) -> Iterator[str]:
        """The files that a `for` goes through by a glob."""
        for found in _LOOP.finditer(self._command):
            for word in found[1].split():
                meant = self._meant(word) if _GLOB.fullmatch(word) else ()
                yield from (placed(self._cwd, file) for file in meant)

    def _listed(self, started: Started) -> Iterator[str]:
        """The files that a program of the line may hand on by name."""
        name, folder = posixpath.basename(started.words[0]), started.folder or self._cwd
        if name == "find":
            yield from self._found(list(started.words[1:]), folder)
        elif name in _LISTS:
            for word in started.words[1:]:
                place = placed(folder, word)
                if self._is_plan(place) and UNKNOWN not in place:
                    yield from (file for file in self._files if file == place or file.startswith(f"{place}/"))

    def _found(self, words: list[str], folder: str) -> Iterator[str]:
        starts = [word for word in _before_tests(words) if UNKNOWN not in word] or ["."]
        hands_on = any(word.startswith(("-exec", "-ok")) for word in words) or self._starts("xargs")
        hands_on = hands_on or any(posixpath.basename(file) in words for file in self._files)
        spared = any(".haiku" in word for word in _denied(words)) or "-prune" in words
        for start in starts:
            place = placed(folder, start)
            if spared or not (hands_on or self._is_plan(place)):
                continue
            if self._is_plan(place) and "-name" not in words:
                yield place
            yield from (file for file in self._files if file.startswith(f"{place}/") and _fits(file, place, words))

    def _starts(self, program: str) -> bool:
        return any(posixpath.basename(each.words[0]) == program for each in self._line.started)

    def _links(self) -> list[tuple[str, str, str]]:
        """Each link the line makes: where it leads, what it is called there, and where."""
        found = []
        for each in self._line.started:
            if posixpath.basename(each.words[0]) == "ln":
                operands = parse(list(each.words[1:]), "-S --suffix -t --target-directory").operands
                if len(operands) > 1 and operands[-1] and UNKNOWN not in "".join(operands):
                    found.append((operands[0], operands[-1], each.folder or self._cwd))
        return found

    def _by_link(self) -> Iterator[Touch]:
        replaced = replaced_links(self._command, self._cwd)
        for target, link, folder in self._links():
            if placed(folder, link) in replaced:
                continue  # the line does nothing through it
            place = placed(folder, target)
            if place == self._top or place.startswith(f"{self._top}/") or self._top.startswith(f"{place}/"):
                _, _, rest = self._command.partition(link)
                if link in rest:
                    yield from shell_effects(rest.replace(link.rstrip("/"), place), folder).touches


def _starts(file: str) -> Iterator[int]:
    """Where a path may begin, seen from a folder above it."""
    yield 0
    yield from (found.end() for found in re.finditer("/", file) if found.end() > 1)


def _as_pattern(glob: str) -> str:
    """Where it has many stars it fits more than the shell's does: trying them all would take forever."""
    parts = glob.split("/")
    deep = [at for at, part in enumerate(parts) if part == "**"]
    if len(deep) > _MOST_STARS:
        parts[deep[0] : deep[-1] + 1] = ["**"]
    return "/".join(".*" if part == "**" else _part_pattern(part) for part in parts)


def _part_pattern(part: str) -> str:
    if part.count("*") > _MOST_STARS or part.count("{") > _MOST_STARS:
        return "[^/]*"
    pieces: list[str] = []
    at = 0
    for piece in _PIECE.finditer(part):
        pieces.append(re.escape(part[at : piece.start()]))
        pieces.append("[^/]" if piece[0][0] in "?[" else "[^/]*")
        at = piece.end()
    return "".join((*pieces, re.escape(part[at:])))


def _before_tests(words: list[str]) -> Iterator[str]:
    for word in words:
        if word.startswith(("-", "(", "!")):
            return
        yield word


def _denied(words: list[str]) -> Iterator[str]:
    for at, word in enumerate(words[:-2]):
        if word in {"!", "-not"} and words[at + 1] in _NAME_TESTS:
            yield words[at + 2]


def _fits(file: str, start: str, words: list[str]) -> bool:
    """By its name, where `find` asks for one; whatever else it asks for may be so."""
    tests = [at for at, word in enumerate(words[:-1]) if word in _NAME_TESTS]
    asked = [(words[at], words[at + 1]) for at in tests if words[max(at - 1, 0)] not in {"!", "-not"}]
    deep = file[len(start) + 1 :].count("/") + 1
    limits = [words[at + 1] for at, word in enumerate(words[:-1]) if word == "-maxdepth"]
    if any(limit.isdigit() and deep > int(limit) for limit in limits):
        return False
    return not asked or any(_is_named(file, test, pattern) for test, pattern in asked)


def _is_named(file: str, test: str, pattern: str) -> bool:
    if test in {"-name", "-iname"}:
        return bool(re.fullmatch(_as_pattern(pattern), posixpath.basename(file), re.IGNORECASE))
    pieces = [piece for piece in re.split(r"[*?\[\]]", pattern.removeprefix(".").lower()) if piece]
    return all(piece in file.lower() for piece in pieces)  # a star of a path goes through folders


def _filled(started: Started, file: str) -> str:
    """The program with the file where nobody could tell what stands there."""
    from shlex import join  # noqa: PLC0415 - only for lines that hand files on

    words = [word.replace(UNKNOWN, file) for word in started.words]
    if posixpath.basename(words[0]) in _SHELLS and "-c" in words:
        words = [_GIVEN.sub(lambda _found: file, word) for word in words]
    return join(words)


# Files that a shell line changes by a pattern or by a list of another program: one of them stands for all.
#
# Which files there will be nobody can tell beforehand. Where they lie is told by what stands before the first star, or
# by the folder that `find` or `grep` goes through, and that is enough to see whether the work is there.


_SAMPLE_LOOP = lazy(r"\bfor\s{1,9}\w{1,80}\s{1,9}in\s{1,9}([^;\n]{1,2000})")
_STAR = lazy(r"[*?]|\[[^\]/]{1,80}\]")
_PASSES_ON = frozenset({"head", "read", "sort", "tail", "uniq", "xargs"})
"""What may stand between a list and who is handed its names."""
_VALUED = {
    "egrep": "-e -f -A -B -C -m",
    "grep": "-e -f -A -B -C -m",
    "rg": "-e -f -g -t -T -A -B -C -m --glob --type --type-not",
}
_STARTERS = frozenset({"fd", "fdfind", "find", "xargs"})
"""What they start stands by itself."""
_NARROWED = frozenset({"-path", "-ipath", "-wholename", "-regex", "-iregex"})


def samples(command: str, cwd: str) -> Iterator[Touch]:
    """What the line may well change, under whole paths; a name that is not known is an x."""
    line = shell_effects(command, cwd)
    looped = tuple(_looped(command)) if line.opaque else ()
    for at, each in enumerate(line.started if line.opaque else ()):
        if each.folder is None or each.words[0] in _STARTERS or not any(UNKNOWN in word for word in each.words):
            continue
        handed = (*_handed(line.started[:at]), *looped) if each.words.count(UNKNOWN) == 1 else ()
        for file in handed or (TEMPORARY,):
            known = [file if word == UNKNOWN else _filled_with_sample(word) for word in each.words]
            yield from (touch for touch in shell_effects(join(known), each.folder).touches if touch.modifies)


def _filled_with_sample(word: str) -> str:
    """Where a word begins with what nobody knows, so does the place."""
    begun = TEMPORARY + word[1:] if word.startswith(UNKNOWN) else word
    return begun.replace(UNKNOWN, "x")


def _looped(command: str) -> Iterator[str]:
    """By the patterns that a `for` goes through."""
    for found in _SAMPLE_LOOP.finditer(command):
        words = (word for word in found[1].split() if _STAR.search(word))
        yield from (_STAR.sub("x", word) for word in words if not {*word} & {*"$`'\"("} and word[0] not in "*?[~")


def _handed(before: tuple[Started, ...]) -> Iterator[str]:
    """By the list that is handed on, in the words of who made it."""
    for each in reversed(before):
        name = posixpath.basename(each.words[0])
        if name == "find":
            yield from _found(list(each.words[1:]))
        elif name in _VALUED and parse(list(each.words[1:]), _VALUED[name]).has("-l", "--files-with-matches"):
            yield from (f"{place}/x" for place in _searched(name, list(each.words[1:])))
        if name not in _PASSES_ON:
            return


def _found(words: list[str]) -> Iterator[str]:
    tests = next((at for at, word in enumerate(words) if word.startswith(("-", "(", "!"))), len(words))
    if not _NARROWED.isdisjoint(words):
        return
    name = next((words[at + 1] for at, word in enumerate(words[:-1]) if word in {"-name", "-iname"}), "x")
    yield from (f"{start}/{_STAR.sub('x', name)}" for start in words[:tests] or ["."] if UNKNOWN not in start)


def _searched(name: str, words: list[str]) -> list[str]:
    parsed = parse(words, _VALUED[name])
    places = parsed.operands if parsed.has("-e", "-f") else parsed.operands[1:]
    return [] if any(UNKNOWN in place for place in places) else places or ["."]


# Files a shell line comes to without naming them, where they say how a workflow goes or lie beside its work.


_OF_ANY = (".haiku/worktrees/", ".haiku/intents/")
"""What stands for many there may be of any unit or intent: nobody can tell of which."""


def unnamed(command: str, cwd: str, plan: Plan, top: str) -> Iterator[str]:
    """Whole paths; plan files have a rule of their own. `top` is the primary work tree."""
    found = (touch.path for touch in reached(command, cwd, plan_files(plan, top)))
    yield from (path for path in found if plan_path(path) is None)
    yield from _of_git(command, cwd, top)
    yield from _by_sample(command, cwd, plan, top)


def _of_git(command: str, cwd: str, top: str) -> Iterator[str]:
    """Files of git's own that a line comes to by a glob, or by asking git where they are."""
    if ".git" not in command and "rev-parse" not in command:
        return
    meant = spelled_out(command, top)
    if meant != command:
        touches = shell_effects(meant, cwd).touches
        home = f"{top.rstrip('/')}/.git/"
        yield from (touch.path for touch in touches if touch.modifies and touch.path.startswith(home))


def _by_sample(command: str, cwd: str, plan: Plan, top: str) -> Iterator[str]:
    """Places of the plan that a line touches by a pattern or a list, without naming them."""
    trees = tuple(f"{tree.rstrip('/')}/" for tree in plan.git.worktrees.values())
    for touch in samples(command, cwd):
        place = from_top(touch.path, top, top)
        is_litter = touch.kind == "delete" and "/" not in place  # what builds left anywhere: its name alone tells
        is_told = not place.startswith(_OF_ANY) or touch.path.startswith(trees)
        if place and is_told and not is_litter:
            yield touch.path
