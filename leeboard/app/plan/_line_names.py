"""Which files a shell line names: in its own words, or through a script of the work tree that it runs.

What a program does behind a line that names nothing can not be told from what a person does meanwhile.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from posixpath import basename, dirname, join, normpath

from leeboard.code.shell_effects import shell_effects
from leeboard.io.opened import read_start
from leeboard.model.glob import matches
from leeboard.model.pattern import lazy
from leeboard.model.touch import Started

MOST_SCRIPTS, LONGEST = 16, 256 << 10
"""Scripts that are looked into for one line; bytes of each."""
_RECIPES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("make", "gmake"), ("GNUmakefile", "makefile", "Makefile")),
    **dict.fromkeys(("npm", "npx", "pnpm", "yarn", "bun"), ("package.json",)),
    "just": ("justfile", "Justfile", ".justfile"),
    "rake": ("Rakefile", "rakefile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
}
"""Where programs look for what they are to run."""
_SCRIPTS = (".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".lua", ".mk")
"""Of what a script names, only scripts are run by it."""
_SHELL_WORD = lazy(r"[^\s'\"`;|&()<>=]+")
_FILLED_IN = lazy(r"\$\([^()'\"`]{1,200}\)|`[^`]{1,200}`|\$\{\w{1,80}\}|\$\w{1,80}")
"""What the shell puts something in place of: `diff-$(date +%F).txt`."""
_PATH_WORD = lazy(r"[\w@+./-]+")
_GIVEN = lazy(
    r"(?<=\s)--?[\w-]{1,60}=['\"]?([^\s'\"`;|&()<>=]{1,400})"
    r"|(?<=\s)(?:-o|--[\w-]{0,30}(?:out|file|xml|html|json|report|log|dest)[\w-]{0,30})\s{1,8}['\"]?([^\s'\"`;|&()<>=]{1,400})"
)
"""The value of an option: with `=` of any, else of one whose name says that it is written to."""
_LONGEST_WORD, _MOST_GLOBS = 400, 50
_UNKNOWN = "\0"


class LineNames:
    """Of one line, run in `cwd`. Only scripts below one of `trees` are read: each is a folder of the work."""

    def __init__(self, command: str, cwd: str, trees: Iterable[str]) -> None:
        self._trees = tuple(f"{tree.rstrip('/')}/" for tree in trees if tree)
        started = shell_effects(command, cwd).started
        folders = dict.fromkeys((cwd, *(each.folder for each in started if each.folder)))
        words = _SHELL_WORD.findall(command)
        dated = _SHELL_WORD.findall(_FILLED_IN.sub("*", command)) if "$" in command or "`" in command else []
        globs = [word for word in (*words, *filter(_is_partly_told, dated)) if _is_glob(word)][:_MOST_GLOBS]
        self._globs = [normpath(join(folder, glob)) for folder in folders for glob in globs]
        self._texts = (command, *self._scripts(started, cwd))
        self._folders = tuple(folders)

    def has(self, path: str) -> bool:
        """Whether it names the file at this absolute path: by its name, its path, or a glob that matches it."""
        name = basename(path)
        if "." not in name.strip("."):  # a bare word stands in many a text for other reasons
            name = f"{basename(dirname(path))}/{name}"
        sought = re.compile(rf"(?<![\w.-]){re.escape(name)}(?!\.?[\w-])")
        return any(map(sought.search, self._texts)) or matches(path.lstrip("/"), self._globs)

    def gives(self, path: str) -> bool:
        """Whether its own words hand this very file to an option, as the place for what the program makes."""
        given = (word for found in _GIVEN.finditer(self._texts[0]) for word in found.groups() if word)
        return any(normpath(join(folder, word)) == path for word in given for folder in self._folders)

    def _scripts(self, started: Iterable[Started], cwd: str) -> Iterator[str]:
        """The texts of what the line runs, and of what is named there, as far as it lies in the work."""
        waiting = [place for each in started for place in self._run_by(each, cwd)]
        seen: set[str] = set()
        while waiting and len(seen) < MOST_SCRIPTS:
            place = waiting.pop(0)
            text = "" if place in seen else _text(place)
            seen.add(place)
            if text:
                yield text
                words = dict.fromkeys(word for word in _PATH_WORD.findall(text) if word.endswith(_SCRIPTS))
                around = dict.fromkeys((dirname(place), cwd))
                named = (self._file(join(folder, word)) for word in words for folder in around)
                waiting += [each for each in named if each]

    def _run_by(self, started: Started, cwd: str) -> Iterator[str]:
        """The first word that is a file: a program of the project, or what an interpreter is given to run."""
        folder, (program, *given) = started.folder or cwd, started.words
        if "-C" in given[:-1]:
            folder = join(folder, given[given.index("-C") + 1])
        modules = [f"{word.replace('.', '/')}{end}" for word in given[:2] for end in (".py", "/__main__.py")]
        words = [*started.words, *(modules if "-m" in given[:1] else ()), *_RECIPES.get(basename(program), ())]
        found = (self._file(join(folder, word)) for word in words if _UNKNOWN not in word)
        yield from [place for place in found if place][:1]

    def _file(self, path: str) -> str:
        """Its place; empty where none of the work lies there."""
        place = normpath(path)
        return place if place.startswith(self._trees) and os.path.isfile(place) else ""  # noqa: PTH113 - hooks do without pathlib


def _is_glob(word: str) -> bool:
    return len(word) <= _LONGEST_WORD and any(mark in word for mark in "*?[")


def _is_partly_told(word: str) -> bool:
    """Whether it spells out the folder, and some of the file's own name."""
    folder, _, name = word.rpartition("/")
    return folder != "" and "*" not in folder and any(map(str.isalnum, name.partition(".")[0]))


def _text(place: str) -> str:
    try:
        data = read_start(place, LONGEST + 1, follow=True)
    except OSError:
        return ""
    return "" if len(data) > LONGEST or b"\0" in data else data.decode("utf-8", "surrogateescape")
