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

from leeboard.model.lookup import Files
from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects, Started, Touch
from leeboard.model.workspace import Workspace
from leeboard.shell.effects import shell_effects
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.options import parse
from leeboard.shell.own_command import fed_code
from leeboard.shell.reach.disk import Standing
from leeboard.shell.reach.globs import filled, handed_on, readings, whole
from leeboard.shell.reach.programs import may_be_given, swept

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
    """What one line comes to, run in `cwd`."""

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
            from leeboard.shell.patch import PatchDisk, patches_of  # noqa: PLC0415 - few lines apply one

            disk = PatchDisk(self._standing.root, self._standing.text)
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


# Files that code in another language changes, as far as its text says so: `node -e`, `perl -e`, `awk`, `sed`'s `w`.
#
# Only a call that changes files with the very path behind it counts, or with a name that was given that path: code that
# reads a file and writes another one is ordinary work. What such code hands to a shell is read as a line of its own.


_LONGEST_CODE = 65_536
_SPEAKING = frozenset(
    "awk bun deno gawk lua mawk nawk node nodejs perl php python python3 ruby sed gsed emacs Rscript osascript".split()
)
_ACT = (
    r"(?:unlink|remove|delete|rename|replace|rmtree|rmdir|rm|rm_r|rm_rf|rm_f|move|write|append|truncate|copyFile|cp|mv"
    r"|symlink|createWriteStream|chmod|save)\w{0,12}\s{0,3}\(?\s{0,3}"
)
_OPENED = r"open\w{0,4}\b[^;\n]{0,40}?>>?\s{0,3}(?:[\"']\s{0,3},\s{0,3})?"
_SED_FILE = r"\bw\s{1,3}"
_ASSIGNED = r"\b([A-Za-z_]\w{0,40})\s{0,3}=\s{0,3}"
_STARTS = lazy(
    r"(?:system|exec|execSync|execFileSync|spawnSync|popen|qx|shell_exec|passthru)\s{0,3}\(?\s{0,3}"
    r"(?P<quote>[\"'`])(?P<line>[^\"'`]{1,400})(?P=quote)"
)
_STARTS_WORDS = lazy(
    r"(?:execFile|execFileSync|spawn|spawnSync|system|exec)\s{0,3}\(\s{0,3}[\"'`](?P<program>[\w./-]{1,60})[\"'`]\s{0,3},"
    r"\s{0,3}\[?(?P<words>(?:\s{0,3}[\"'`][^\"'`]{0,200}[\"'`],?){1,20})"
)
_QUOTED_WORD = lazy(r"[\"'`]([^\"'`]{0,200})[\"'`]")
_DELETES_LISTED = lazy(r"\b(?:unlink|remove|rmtree|rename|write_text|write_bytes)\w{0,6}\s{0,3}\(")
_LISTS = lazy(r"\b(?:glob|listdir|scandir|iterdir|rglob|walk)\b")


def spoken_code(started: Started) -> str:
    """The code of another language that a program is given; empty where there is none."""
    if started.role != "runner" and posixpath.basename(started.words[0]) not in _SPEAKING:
        return ""
    if posixpath.basename(started.words[0]) not in _SPEAKING:
        return ""
    return "\n".join((*started.words[1:], started.handed))[:_LONGEST_CODE]


def lines_in(code: str) -> Iterator[str]:
    """What it hands to a shell, and the programs that it starts with their words."""
    yield from (found["line"] for found in _STARTS.finditer(code))
    for found in _STARTS_WORDS.finditer(code):
        yield " ".join((found["program"], *_QUOTED_WORD.findall(found["words"])))


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\")


_GIVEN_TEXT = lazy(
    r"(?:\b(?:const|let|var|my|our)\s{1,3})?(?<![\w.])\$?(?P<name>[A-Za-z_]\w{0,40})\s{0,3}=\s{0,3}"
    r"(?P<text>\"[^\"\n$`\\]{1,300}\"|'[^'\n\\]{1,300}')\s{0,3}(?:;|,|$|\n)"
)


def with_texts(code: str) -> str:
    """The code with the names that stand for one plain text replaced by it, where they are handed to a call."""
    given = [(found["name"], found["text"]) for found in _GIVEN_TEXT.finditer(code)][:20]
    names = [name for name, _ in given]
    for name, text in given:
        if names.count(name) == 1:
            code = re.sub(
                rf"(?<=[(,])(?P<blank>\s{{0,3}})\$?{name}(?=\s{{0,3}}[,)])", rf"\g<blank>{_escaped(text)}", code
            )
    return code


def changed_in(code: str, standing: Standing) -> Iterator[Touch]:
    for file in standing.files:
        if any(_changes(code, spelled) for spelled in _spellings(file, standing)):
            yield Touch(file, "write")


def _spellings(file: str, standing: Standing) -> tuple[str, ...]:
    inner = standing.inner(file)
    return tuple(name for name in (inner, posixpath.dirname(inner)) if name) if inner else (file,)


def _changes(code: str, path: str) -> bool:
    if path not in code:
        return False
    ahead = r"[\"'`]{0,1}(?:\./)?" + re.escape(path) + r"/?(?=[\"'`\s;),\]}]|$)"
    if re.search(rf"(?:{_ACT}|{_OPENED}|{_SED_FILE}){ahead}", code):
        return True
    names = set(re.findall(_ASSIGNED + ahead, code))
    if any(re.search(rf"{_ACT}{re.escape(name)}\b", code) for name in names):
        return True
    quoted = re.search(rf"[\"']{re.escape(path)}[/\"']", code)
    return bool(quoted and _LISTS.search(code) and _DELETES_LISTED.search(code))


# What the guard stands on, and the shell lines that take it away: its files, its programs, its own process.


IN_TREE = (
    *("leeboard.toml", "leeboard-baseline.json", "leeboard-allowed.json"),
    *(".claude/settings.json", ".claude/settings.local.json"),
    *(".leeboard/graph.jsonl", ".wg/graph.jsonl", ".workgraph/graph.jsonl"),
)
AT_HOME = (
    *("~/.claude/settings.json", "~/.claude/settings.local.json"),
    *("~/.config/leeboard/leeboard.toml", "~/.local/state/leeboard/leeboard.db"),
)
_KILLERS = frozenset({"kill", "killall", "pkill"})
_FINDERS = frozenset({"pgrep", "pidof", "which", "type", "command"})
_PACKAGERS = frozenset({"pip", "pip3", "pipx", "uv", "poetry", "pdm", "rye"})
_TAKES_AWAY = frozenset({"uninstall", "remove", "rm"})
_CLIENT_SETS = frozenset({"set", "add", "remove", "rm", "delete"})
_STARTUP = lazy(r"~/\.(?:bash\w{0,12}|profile|zsh\w{0,12}|config/(?:fish|environment\.d)/.{1,200})|/etc/environment")
_OURS = lazy(r"\bLEEBOARD_(?:OFF|PROFILE|STATE_DIR|CONFIG_DIR|RUNTIME_DIR|RESIDENT)\b")
_MAY_REACH = lazy(
    r"[*?\[`]|\$\(|\b(?:am|apply|awk|bash|checkout|chgrp|chmod|chown|clean|cp|deno|ed|emacs|eval|ex|fd|find|for|gawk|install"
    r"|ln|lua|mv|nano|node|nvim|patch|perl|php|python[\d.]*|restore|rm|rsync|ruby|sed|sh|stash|tar|unzip|vim?|while|xargs"
    r"|zip|settings|leeboard)\b|\.(?:claude|leeboard|wg|workgraph|config|local)\b|\(\)"
)
"""Without any of these a line comes to no file that it does not name: most lines run tests or builds."""
_ITSELF = lazy(r"(?:.*/)?leeboard(?:[=<>!~\[@].*|/.*|-serve)?")


def standing_guard(root: str, files: Files) -> Standing:
    """The guard's files that are there; those at home are taken to be."""
    inside = tuple(posixpath.join(root, path) for path in IN_TREE if root and files.exists(path))
    return Standing(root, (*inside, *AT_HOME), files)


def may_reach(command: str) -> bool:
    """Whether a line could come to files that it does not name: asked first, since it asks nothing of the disk."""
    return _MAY_REACH.search(command) is not None


def taken_away(command: str, cwd: str, touches: tuple[Touch, ...], standing: Standing) -> tuple[Touch, ...]:
    """What a line would change of the guard beyond what it names; `touches` are what it names."""
    more = reached(command, cwd, standing)
    below = (Touch(file, "delete") for file in covered((*touches, *more), standing))
    return tuple(dict.fromkeys((*more, *below)))


def ends_guard(line: ShellEffects, command: str, processes: tuple[int, ...] = ()) -> str:
    """A program of the line that stops the guard or takes it off the machine, in few words; empty: none does.

    `processes` are the guard's own.
    """
    found = (told for each in line.started for told in _ends(each, line, processes))
    return next(found, "") or _switches(line, command)


def _ends(started: Started, line: ShellEffects, processes: tuple[int, ...]) -> Iterator[str]:
    program, words = posixpath.basename(started.words[0]), started.words[1:]
    names_us = any(map(_ITSELF.fullmatch, words))
    named = next((word for word in words if word.lstrip("-").isdecimal() and int(word.lstrip("-")) in processes), "")
    if program in _PACKAGERS and names_us and not _TAKES_AWAY.isdisjoint(words):
        yield f"{program} {next(word for word in words if word in _TAKES_AWAY)} leeboard"
    elif program in _KILLERS and (names_us or _means_us(program, words) or any(map(_looks_for_us, line.started))):
        yield f"{program} leeboard"
    elif named and program in _KILLERS:
        yield f"{program} {named}"
    elif program == "rm" and any(map(_looks_for_us, line.started)):
        yield "rm leeboard"
    elif program == "claude" and words[:1] == ("config",) and not _CLIENT_SETS.isdisjoint(words[1:2]):
        yield f"claude config {words[1]}"


def _means_us(program: str, words: tuple[str, ...]) -> bool:
    """By a pattern that the line of our process fits: what it is called has our name in it."""
    return program != "kill" and any("leeboard" in word for word in words if not word.startswith("-"))


def _looks_for_us(started: Started) -> bool:
    return posixpath.basename(started.words[0]) in _FINDERS and any(map(_ITSELF.fullmatch, started.words[1:]))


def _switches(line: ShellEffects, command: str) -> str:
    """The guard's own settings, put where every shell to come will read them."""
    found = _OURS.search(command)
    writes = found and any(touch.kind == "write" and _STARTUP.fullmatch(touch.path) for touch in line.touches)
    return found[0] if found and writes else ""


# Files that the user ruled out, and what a shell line comes to of them without naming them.


def come_to(command: str, cwd: str, patterns: tuple[str, ...], workspace: Workspace, files: Files) -> tuple[str, ...]:
    """Whole paths that the line may change; those that no pattern speaks of are among them."""
    named = tuple(posixpath.join(workspace.root, path) for path in _plain(patterns) if files.exists(path))
    standing = Standing(workspace.root, named, files)
    if not named:
        return ()
    more = [touch for touch in reached(command, cwd, standing) if touch.kind in {"write", "delete"}]
    told = shell_effects(command, cwd).touches
    return tuple(dict.fromkeys((*(touch.path for touch in more), *covered((*told, *more), standing))))


def _plain(patterns: tuple[str, ...]) -> Iterator[str]:
    """The files and folders that are meant by name."""
    for pattern in patterns:
        path = pattern.removeprefix("**/").removesuffix("/**").strip("/")
        if path and not any(mark in path for mark in "*?[!"):
            yield path
