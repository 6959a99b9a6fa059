"""What a shell line deletes without naming each file: by a glob, a search, a list, the code of another language.

`rm -rf src/billing/*`, `find src/billing -name '*.py' -delete`, `git ls-files src/billing | xargs rm` and perl's
`unlink glob` say where they delete, though not what. That place is told as a pattern.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects, Started
from leeboard.shell.expansion import HOME, UNKNOWN
from leeboard.shell.losses.table import loss_words
from leeboard.shell.options import parse
from leeboard.shell.reach.files import spoken_code
from leeboard.shell.reach.globs import whole

_MOST = 8
_MOVED_TO_BIN = frozenset({"trash", "trash-put", "gtrash"})
_LISTS = frozenset({"ls", "echo", "fd", "fdfind", "grep", "egrep", "fgrep", "rg", "ag", "git"})
_SEARCHES = frozenset({"fd", "fdfind", "grep", "egrep", "fgrep", "rg", "ag"})
_DELETES = lazy(r"\b(?:rm|rmdir|shred|unlink|trash(?:-put)?|gtrash|unlinkSync|rmSync|rmtree|remove|delete|rm_rf?)\b")
_LOOP = lazy(r"\bfor\s{1,9}(?P<name>\w{1,40})\s{1,9}in\s{1,9}(?P<words>[^;\n]{1,2000}?)\s{0,9}[;\n]")
_HANDS_ON = frozenset({"xargs", "find", "fd", "fdfind", "parallel"})
_HANDED = lazy(r"\bwhile\s{1,9}(?:IFS=\S{0,9}\s{1,9})?read\b|\brm\b[^;|&\n]{0,200}?(?:\$\(|`)")
_BARE_STAR = lazy(r"\brm\s[^;&|\n]{0,200}?(?<=\s)(?:\./)?\*(?=\s|$|[;&|])")
_GLOB = lazy(r"[*?\[]")
_QUOTED = lazy(r"[\"'`]([^\"'`$\n]{1,300})[\"'`]")
_LIST = r"\s{0,3}\(?\s{0,3}(?:<?glob\s{0,3}\(?\s{0,3})?(?P<list>(?:[\"'`][^\"'`$\n]{1,300}[\"'`][\s,]{0,9}){1,8})"
_LOOKED_THROUGH = lazy(
    r"\bPath\(\s{0,3}[\"'](?P<folder>[^\"'\n]{1,300})[\"']\s{0,3}\)\.(?:r?glob\(\s{0,3}[\"'](?P<name>[^\"'\n]{1,100})"
    r"|iterdir\()"
    r"|\b(?:i?glob|globSync|Dir|readdirSync|listdir|scandir|walk)\s{0,3}[(\[]?\s{0,3}[\"'](?P<pattern>[^\"'$\n]{1,300})"
)


def unnamed_deletions(command: str, line: ShellEffects, cwd: str) -> tuple[str, ...]:
    """Patterns of paths, whole where the line or `cwd` allows. What nobody can tell the place of is not among them."""
    if not _DELETES.search(command):
        return ()
    named = {whole(touch.path, cwd) for touch in line.touches}
    found = (path for path in _patterns(command, line, cwd) if path not in named)
    return tuple(dict.fromkeys(found))[:_MOST]


def _patterns(command: str, line: ShellEffects, cwd: str) -> Iterator[str]:
    """A program that is handed names deletes what was listed last: by the one before it in the pipe."""
    listed: list[str] = []
    looped = [whole(word, cwd) for words in _looped_over(command) for word in words.split() if _GLOB.search(word)]
    before = ""
    for each in line.started:
        name, args = posixpath.basename(each.words[0]), list(each.words[1:])
        folder = each.folder if each.folder is not None else cwd
        if _removes(name, args):
            operands = parse(args[1:] if name == "git" else args).operands
            handed = listed if before in _HANDS_ON or _HANDED.search(command) else ()
            star = (whole("*", folder),) if _BARE_STAR.search(command) else ()
            yield from _removed(operands, folder, looped or handed or star)
        elif name == "find":
            listed = list(_searched(args, folder)) or listed
            yield from listed if "-delete" in args else ()
        elif name in _LISTS:
            listed = list(_listed(name, args, folder)) or listed
        else:
            yield from _in_code(each, folder)
        before = name


def _looped_over(command: str) -> Iterator[str]:
    """What the loops go over whose variable a program deletes."""
    for loop in _LOOP.finditer(command):
        if re.search(rf"\b(?:rm|unlink|shred)\b[^;\n]{{0,200}}\$\{{?{loop['name']}\b", command):
            yield loop["words"]


def _removes(name: str, args: list[str]) -> bool:
    return name in loss_words().removers or name in _MOVED_TO_BIN or (name == "git" and args[:1] == ["rm"])


def _removed(operands: list[str], folder: str, handed: Sequence[str]) -> Iterator[str]:
    for word in operands:
        if word == UNKNOWN:
            yield from handed
        elif UNKNOWN in word and not word.startswith((f"{UNKNOWN}/", UNKNOWN * 2)):
            yield whole(_as_pattern(word), folder)


def _as_pattern(word: str) -> str:
    return word.replace(UNKNOWN * 2, "**").replace(UNKNOWN, "*").replace(HOME, "~")


def find_deletes(args: list[str]) -> bool:
    runs = {posixpath.basename(args[at + 1]) for at, word in enumerate(args[:-1]) if word in {"-exec", "-execdir"}}
    return "-delete" in args or bool(runs & loss_words().removers)


def find_starts(args: list[str]) -> Iterator[str]:
    """Where `find` is told to begin."""
    for word in args:
        if word.startswith(("-", "(", "!")):
            return
        yield word


def _searched(args: list[str], folder: str) -> Iterator[str]:
    names = [args[at + 1] for at, word in enumerate(args[:-1]) if word in {"-name", "-iname"}]
    for start in find_starts(args):
        if UNKNOWN not in start:
            yield from (whole(f"{start}/{name}", folder) for name in names or ["*"])


def _listed(name: str, args: list[str], folder: str) -> Iterator[str]:
    """The places that a program lists or searches, as far as its words tell."""
    if name == "git" and args[:1] not in (["ls-files"], ["grep"]):
        return
    operands = parse(args).operands
    skipped = 1 + (args[:1] == ["grep"]) if name == "git" else int(name in _SEARCHES)
    for word in operands[skipped:]:
        if "/" in word and not word.startswith(UNKNOWN):
            yield whole(_as_pattern(word), folder)


def _in_code(started: Started, folder: str) -> Iterator[str]:
    code = spoken_code(started)
    if not code or not _DELETES.search(code):
        return
    for call in re.finditer(loss_words().removing + _LIST, code):
        yield from (whole(path, folder) for path in _QUOTED.findall(call["list"]) if "/" in path)
    for look in _LOOKED_THROUGH.finditer(code):
        path = look["pattern"] or f"{look['folder']}/{look['name'] or '*'}"
        if "/" in path:
            yield whole(path, folder)
