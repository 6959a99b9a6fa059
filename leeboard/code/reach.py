"""Which of some files a shell line would change without naming them as a plain write or delete.

`shell.understand` says of a line what is certain. Here the question is turned round: these few files are there, and
must not be changed; does the line come to one of them? By a folder above it, a glob, a list that one program hands to
another, a link, an archive, a patch, a branch, the code of another language. What only the disk or a script knows
beforehand stays open, and is found out when the line has run.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator

from leeboard.code._reach_glob import readings
from leeboard.code._reach_list import filled, handed_on, whole
from leeboard.code._reach_program import may_be_given, swept
from leeboard.code._reach_text import changed_in, lines_in, spoken_code
from leeboard.code._shell_expansion import UNKNOWN
from leeboard.code._shell_options import parse
from leeboard.code.own_command import fed_code
from leeboard.code.reach_disk import Standing
from leeboard.code.shell_effects import shell_effects
from leeboard.model.pattern import lazy
from leeboard.model.touch import ShellEffects, Started, Touch

_MOST_HANDED = 12
_LONGEST = 65_536
_MOVES = lazy(r"\b(?:cd|pushd|chdir)\b|\s-C\b|[$`~]")
_TOP = lazy(r"\$\(git rev-parse --show-toplevel\)|\$\{?CLAUDE_PROJECT_DIR\b\}?")
_BEFORE = lazy(r"\$\{?OLDPWD\b\}?")
_READ_LOOP = lazy(
    r"\bwhile\s{1,9}(?:IFS=\S{0,9}\s{1,9})?read\s{1,9}(?:-\w{1,9}\s{1,9}(?:''\s{1,9})?){0,4}(\w{1,40})\s{0,9};"
)
_FUNCTION = lazy(r"\b(\w{1,60})\s{0,3}\(\)")
_PATCHES = lazy(r"\b(?:patch|apply|am)\b")
_NEVER_CHANGE = frozenset({"cat", "ls", "grep", "rg", "head", "tail", "wc", "git status", "git diff", "git log"})


def reached(command: str, cwd: str, standing: Standing) -> tuple[Touch, ...]:
    """Under whole paths. Touches of other files are among them: who asks knows which matter."""
    line = shell_effects(command, cwd)
    if not standing.files or len(command) > _LONGEST or _only_looks(line):
        return ()
    return tuple(dict.fromkeys(_Reach(command, cwd, standing).touches()))


def covered(touches: Iterable[Touch], standing: Standing) -> Iterator[str]:
    """The files in question that go with a folder which is deleted or moved away."""
    for touch in touches:
        if touch.kind == "delete":
            yield from (file for file in standing.below(touch.path) if file != touch.path)


def _only_looks(line: ShellEffects) -> bool:
    return not line.opaque and all(program in _NEVER_CHANGE for program in line.programs)


class _Reach:
    """Of one line, run in `cwd`."""

    def __init__(self, command: str, cwd: str, standing: Standing) -> None:
        self._cwd = cwd
        self._standing = standing
        plain = _TOP.sub(lambda _: standing.root, command) if "$" in command else command
        self._command = _BEFORE.sub(lambda _: cwd, plain) if "$" in plain else plain

    def touches(self) -> Iterator[Touch]:
        yield from shell_effects(self._command, self._cwd).touches if _TOP.search(self._command) is None else ()
        yield from self._of_line(self._command)
        for reading in readings(self._command, self._standing.files, self._may_mean):
            yield from shell_effects(reading, self._cwd).touches
            yield from self._of_line(reading)
        yield from self._by_link()
        if _PATCHES.search(self._command):
            from leeboard.code.plan_patch import Disk, patches_of  # noqa: PLC0415 - few lines apply one

            disk = Disk(self._standing.root, self._standing.text)
            for patch in patches_of(self._command, self._cwd, disk):
                yield from (Touch(path, "write") for path in patch.paths or ())

    def _of_line(self, command: str) -> Iterator[Touch]:
        line = shell_effects(command, self._cwd)
        for each in line.started:
            folder = each.folder if each.folder is not None else self._cwd
            yield from swept(each, folder or self._cwd, self._standing)
            if code := spoken_code(each):
                yield from changed_in(code, self._standing)
                for text in lines_in(code):
                    yield from shell_effects(text, folder or self._cwd).touches
        for text in fed_code(line):
            yield from shell_effects(text, self._cwd).touches
        yield from self._by_list(command, line)

    def _by_list(self, command: str, line: ShellEffects) -> Iterator[Touch]:
        functions = set(_FUNCTION.findall(command)) if "()" in command else set()
        handed: dict[str, None] = {}
        for each in line.started:
            handed.update(dict.fromkeys(handed_on(each, self._standing)))
            if each.words[0] in functions:
                handed.update(dict.fromkeys(whole(word, each.folder or self._cwd) for word in each.words[1:]))
        files = list(handed)[:_MOST_HANDED]
        for each in line.started:
            if files and any(UNKNOWN in word for word in each.words[1:]):
                yield from self._filled(each, files)
            elif each.words[0] == "find" and "-delete" in each.words:
                yield from (Touch(file, "delete") for file in handed_on(each, self._standing))
        if files and _READ_LOOP.search(command):
            looped = _READ_LOOP.sub(lambda found: f"for {found[1]} in {' '.join(files)};", command)
            yield from shell_effects(looped, self._cwd).touches

    def _filled(self, started: Started, files: list[str]) -> Iterator[Touch]:
        folder = started.folder or self._cwd
        for file in files:
            line = shell_effects(filled(started, file), folder)
            yield from line.touches
            for each in line.started:
                yield from swept(each, folder, self._standing)

    def _may_mean(self, glob: str, written: str) -> bool:
        """Whether a glob gives this path to one of the programs: it is there, or the line itself puts it there."""
        line = shell_effects(self._command.replace(glob, written), self._cwd)
        made = {touch.path for touch in shell_effects(self._command, self._cwd).touches if touch.kind == "write"}
        name = posixpath.basename(written)
        given = [(each, word) for each in line.started for word in each.words[1:] if posixpath.basename(word) == name]
        if given:
            return any(may_be_given(each, word, self._standing, made) for each, word in given)
        return bool(_MOVES.search(self._command)) or self._standing.is_there(whole(written, self._cwd)) is not False

    def _by_link(self) -> Iterator[Touch]:
        """What goes through a link that the line itself makes."""
        if "ln" not in self._command:
            return
        for each in shell_effects(self._command, self._cwd).started:
            operands = parse(list(each.words[1:]), "-S --suffix -t --target-directory").operands
            if posixpath.basename(each.words[0]) != "ln" or len(operands) != 2 or UNKNOWN in "".join(operands):
                continue
            folder = each.folder or self._cwd
            link = operands[1].rstrip("/")
            place = whole(posixpath.join(posixpath.dirname(link), operands[0]), folder)
            if link and any(f"{file}/".startswith(f"{place}/") for file in self._standing.files):
                _, _, rest = self._command.partition("ln ")
                _, _, rest = rest.partition(operands[1])
                through = place.join(re.split(rf"(?<![\w./-]){re.escape(link)}(?![\w.-])", rest))
                yield from shell_effects(through.lstrip(" ;&|\n"), folder).touches
