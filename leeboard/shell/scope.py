"""Where a shell line stands while it is read, and what it was found to do so far."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from typing import Literal

import msgspec

from leeboard.model.touch import ShellEffects, Started, Touch, TouchKind
from leeboard.model.workspace import is_whole, normal, one_spelling
from leeboard.shell.expansion import BETWEEN, HOME, UNKNOWN

Role = Literal["lists", "filters", "neutral", "other"]
"""Whether a program only lists names, narrows a list it is piped, says nothing of either, or does more."""

_MAX_DEPTH = 40
_MAX_COMMANDS = 1_000
_MAX_REPEATED = 8_192
_MAX_EXPANDED = 262_144
_MAX_FOLLOWED = 524_288
_MAX_SEARCHED = 4_194_304
_KNOWN_FOLDERS = frozenset({"/", "/tmp", "~"})  # noqa: S108 - compared with, never written to


def is_device_path(path: str) -> bool:
    """Whether a path is among the devices: a folder in memory lies there too, and holds files like any other."""
    return path.startswith("/dev/") and not path.startswith("/dev/shm/")  # noqa: S108 - compared with


class Budget(msgspec.Struct):
    """What a line may still make of its variables: `a=$a$a` over and over would fill any memory."""

    characters: int = _MAX_EXPANDED

    def take(self, value: str) -> str:
        """The value, or that nobody can tell it once too much was expanded."""
        self.characters -= len(value) + 1
        return value if self.characters >= 0 else UNKNOWN


class ShellScope(msgspec.Struct):
    """What a subshell gets a copy of. `directory` is "" for the unknown start and None once nobody can tell."""

    directory: str | None
    variables: dict[str, str] = {}
    functions: dict[str, Callable[[ShellScope], None]] = {}
    folders: set[str] = set()
    stack: list[str | None] = []
    budget: Budget = msgspec.field(default_factory=Budget)
    """One for the whole line."""

    def handed(self, given: list[str], first: int) -> ShellScope:
        """The same, for code that is handed these words; `first` is the number of the first of them."""
        scope = self.copy()
        named = {str(number): word for number, word in enumerate(given[:10], first)}
        rest = given[1 - first :]
        every = {"@": BETWEEN.join(rest), "*": " ".join(rest)} if rest else {}
        scope.variables = {**scope.variables, **named, **every}
        return scope

    def give(self, words: list[str]) -> None:
        """`$1`, `$2` and `$@` of the shell itself, by `set --`."""
        self.variables = self.handed(words, 1).variables

    def copy(self) -> ShellScope:
        variables, functions, folders = dict(self.variables), dict(self.functions), set(self.folders)
        return ShellScope(self.directory, variables, functions, folders, list(self.stack), self.budget)

    def lookup(self, name: str) -> str | None:
        if name in self.variables:
            return self.budget.take(self.variables[name])
        if name.endswith("[@]"):
            return self.lookup(name[:-3])
        if name == "HOME":
            return HOME
        if name == "PWD" and self.directory and is_whole(self.directory):
            return self.directory
        return None

    def assign(self, name: str, value: str) -> None:
        self.variables[name] = value
        if not name.endswith("[@]") and value != UNKNOWN:
            self.variables.pop(f"{name}[@]", None)

    def forget(self, name: str) -> None:
        """Nobody can tell its value any more."""
        self.variables[name] = UNKNOWN
        self.variables.pop(f"{name}[@]", None)

    def path(self, word: str) -> str | None:
        """One spelling for a word that names a file, None where nobody can tell which."""
        if UNKNOWN in word or HOME in word[1:]:
            return None
        if word.startswith(HOME):
            return _below_home(word[1:])
        if is_whole(word):
            return normal(f"/{word.lstrip('/')}" if word[0] == "/" else one_spelling(word, "windows"))
        if self.directory is None:
            return None
        if self.directory.startswith("~"):
            return _below_home(posixpath.join(self.directory[1:] + "/", word))
        path = normal(posixpath.join(self.directory, word))
        return "./" + path if path.startswith("~") else path

    def settle(self, outcomes: list[ShellScope]) -> None:
        """Become what is true whichever way was taken."""
        first, *others = outcomes
        agree = all(other.directory == first.directory for other in others)
        self.directory = first.directory if agree else None
        for name in set(first.variables).union(*(other.variables for other in others)):
            value = first.variables.get(name)
            same = all(other.variables.get(name) == value for other in others)
            self.variables[name] = value if same and value is not None else UNKNOWN
        for outcome in outcomes:
            self.functions.update(outcome.functions)


def _below_home(rest: str) -> str:
    if not rest.strip("/"):
        return "~"
    if rest[0] != "/":
        return "~" + rest
    below = posixpath.normpath(rest.lstrip("/"))
    return "~" if below == "." else "~/" + below


class Effects(msgspec.Struct):
    """Gathers what becomes a ShellEffects."""

    touches: dict[Touch, None] = {}
    opaque: bool = False
    unread: bool = False
    hides: bool = False
    telling: re.Pattern[str] | None = None
    """Where only those statements are read that it fits: the line was too long for all of them."""
    network: bool = False
    interpreters: dict[str, None] = {}
    programs: dict[str, None] = {}
    started: list[Started] = []
    moved: dict[str, None] = {}
    replaced: dict[str, None] = {}
    lists: bool = False
    beyond_listing: bool = False
    depth: int = 0
    commands: int = 0
    deferred: dict[str, None] = {}
    """Code that runs when the line is done."""
    repeated: int = 0
    """Characters of loops that were read more than once."""
    followed: int = 0
    """Characters of all texts that were read, those that the line hands to shells too."""
    statement: int = 0
    """Which statement of the line is read."""
    inside: int = 0
    """How deep it is in one: a pipe, a loop, a substitution."""
    keeping: set[int] = set()
    """Statements whose output later ones may use: it went into a name, or into a file."""
    passed: str | None = None
    """The text that comes through the pipe, where it stands in the line."""
    printed: str | None = None
    """The text that the last program printed."""
    rewritten: list[tuple[int, Started]] = []
    """Redirections over a file which nobody can tell, and how many programs were started before each."""

    def enter(self) -> bool:
        """False, and the line not read to its end, when it is nested too deeply. Else `leave` afterwards."""
        if self.depth >= _MAX_DEPTH:
            self.miss()
            return False
        self.depth += 1
        return True

    def leave(self) -> None:
        self.depth -= 1

    def miss(self) -> None:
        """A part of the line is too long or too deep to be read."""
        self.opaque = self.unread = True
        self.hides = self.hides or self.telling is not None

    def begin_again(self, telling: re.Pattern[str]) -> None:
        """Read on with the bounds as they were at first, and only what tells."""
        self.telling = telling
        self.commands = self.repeated = self.followed = self.depth = 0

    def count_command(self) -> bool:
        self.commands += 1
        if self.commands > _MAX_COMMANDS:
            self.miss()
        return self.commands <= _MAX_COMMANDS

    def repeat(self, size: int) -> bool:
        """Whether that much of a loop may be read over again: loops in loops would have no end."""
        self.repeated += size
        return self.repeated <= _MAX_REPEATED

    def follow(self, size: int) -> bool:
        """Whether a text of that size may be read: `eval eval eval ...` is read again and again."""
        self.followed += size
        return self.followed <= _MAX_FOLLOWED

    def search(self, size: int) -> bool:
        """Whether a text of that size may be searched for statements that tell."""
        self.followed += size
        return self.followed <= _MAX_SEARCHED

    def note_program(self, name: str) -> None:
        if name:
            self.programs[name] = None

    def note_role(self, role: Role) -> None:
        self.lists = self.lists or role == "lists"
        self.beyond_listing = self.beyond_listing or role == "other"

    def finished(self) -> ShellEffects:
        changes = any(touch.modifies for touch in self.touches)
        return ShellEffects(
            touches=tuple(self.touches),
            opaque=self.opaque,
            unread=self.unread,
            hides=self.hides,
            network=self.network,
            interpreters=tuple(self.interpreters),
            programs=tuple(self.programs),
            started=tuple(self.started),
            keeping=frozenset(self.keeping),
            rewritten=tuple(self.rewritten),
            moved=tuple(self.moved),
            replaced=tuple(self.replaced),
            listing=self.lists and not (self.beyond_listing or self.opaque or changes),
        )


class Follow(msgspec.Struct):
    """What a program starts in its turn: another program, or code of the shell."""

    words: list[str] = []
    code: str | None = None
    same_shell: bool = False
    folder: str = ""
    """Where it is started, if elsewhere."""
    given: list[str] = []
    """What the code is handed as `$0`, `$1` and so on."""


class Run(msgspec.Struct):
    """One program being started: the only thing the readers of single programs see."""

    effects: Effects
    scope: ShellScope
    stdin: str | None = None
    """Text handed in literally, as here-document or here-string."""
    piped: bool = False
    follow: list[Follow] = []
    fed: str = ""
    """The file it reads by `<`; empty where there is none, or nobody can tell which."""
    variables: dict[str, str] = {}
    """What is set for it alone, as in `IFS=, read a b`."""

    def touch(self, kind: TouchKind, word: str) -> None:
        if not word:
            return
        path = self.scope.path(word)
        if path is None:
            self.effects.opaque = self.effects.opaque or kind != "read"
        elif not is_device_path(path):
            self.effects.touches[Touch(path, kind)] = None

    def read(self, *words: str) -> None:
        for word in words:
            if word != "-" and word not in {".", ".."} and not word.endswith("/"):
                self.touch("read", word)

    def write(self, *words: str) -> None:
        for word in words:
            self.touch("write", word)

    def replace(self, *words: str) -> None:
        """Write with nothing left of what was there. A device takes no file's place, and is named all the same."""
        for word in words:
            self.touch("write", word)
            if path := self.scope.path(word):
                self.effects.replaced[path] = None

    def delete(self, *words: str) -> None:
        for word in words:
            self.touch("delete", word)

    def move_away(self, *words: str) -> None:
        """Delete what goes on under another name."""
        for word in words:
            self.touch("delete", word)
            if path := self.scope.path(word):
                self.effects.moved[path] = None

    def restore(self, *words: str) -> None:
        for word in words:
            self.touch("restore", word)

    def redirect(self, redirects: list[tuple[str, str]]) -> None:
        """Pairs of operator and target; a here-string becomes what the program is handed."""
        for operator, target in redirects:
            if operator == "<<<":
                self.stdin = target
            elif operator in {">&", "<&"} and (target == "-" or target.rstrip("-").isdecimal()):
                continue
            elif operator in {"<", "<&"}:
                self.fed = self.scope.path(target) or ""
                self.read(target)
            elif operator in {">>", "&>>", "<>"}:
                self.write(target)
                self.effects.keeping.add(self.effects.statement)
            else:
                self.overwrite(target)

    def overwrite(self, target: str) -> None:
        self.replace(target)
        self.effects.keeping.add(self.effects.statement)
        if UNKNOWN in target:
            folder, statement = self.scope.directory, self.effects.statement
            redirection = Started(words=(">", target), folder=folder, statement=statement)
            self.effects.rewritten.append((len(self.effects.started), redirection))

    def hide(self) -> None:
        self.effects.opaque = True

    def is_folder(self, word: str) -> bool:
        path = self.scope.path(word)
        plain = word.rstrip("/")
        return word.endswith("/") or plain in {".", ".."} or path in _KNOWN_FOLDERS or path in self.scope.folders

    def at(self, folder: str) -> Run:
        """The same program, started in another directory."""
        scope = self.scope.copy()
        scope.directory = self.scope.path(folder)
        return Run(self.effects, scope, self.stdin, self.piped, self.follow, self.fed, self.variables)
