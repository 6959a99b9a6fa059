"""Files that a shell line changes by a pattern or by a list of another program: one of them stands for all.

Which files there will be nobody can tell beforehand. Where they lie is told by what stands before the first star, or
by the folder that `find` or `grep` goes through, and that is enough to see whether the work is there.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from shlex import join

from leeboard.code._shell_expansion import TEMPORARY, UNKNOWN
from leeboard.code._shell_options import parse
from leeboard.code.shell_effects import shell_effects
from leeboard.model.pattern import lazy
from leeboard.model.touch import Started, Touch

_LOOP = lazy(r"\bfor\s{1,9}\w{1,80}\s{1,9}in\s{1,9}([^;\n]{1,2000})")
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
            known = [file if word == UNKNOWN else _filled(word) for word in each.words]
            yield from (touch for touch in shell_effects(join(known), each.folder).touches if touch.modifies)


def _filled(word: str) -> str:
    """Where a word begins with what nobody knows, so does the place."""
    begun = TEMPORARY + word[1:] if word.startswith(UNKNOWN) else word
    return begun.replace(UNKNOWN, "x")


def _looped(command: str) -> Iterator[str]:
    """By the patterns that a `for` goes through."""
    for found in _LOOP.finditer(command):
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
