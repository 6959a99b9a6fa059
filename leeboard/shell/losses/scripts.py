"""Scripts and recipes that a line runs and the session itself wrote: read as if they stood in the line.

Those of the project are not: they take what they are told to, and much of it only when they are asked.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from shlex import join

from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects, Started
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.losses.loss import LossGround
from leeboard.shell.options import PROGRAMS, parse
from leeboard.shell.programs.wrappers import is_python
from leeboard.shell.reach.globs import whole

_MOST = 8
_LONGEST = 65_536
_DEEPEST = 4
_SOURCES = frozenset({".", "source"})
_MAKES = frozenset({"make", "gmake"})
_PACKAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
_RUNS = frozenset({"run", "run-script"})
_BY_ENDING = {".py": "python3", ".js": "node", ".mjs": "node", ".cjs": "node", ".rb": "ruby", ".pl": "perl"}
_CODE_OPTION = {"node": "-e", "ruby": "-e", "perl": "-e", "php": "-r", "bun": "-e"}
_RULE = lazy(
    r"(?m)^(?P<targets>[^\s:=#][^:=#\n]{0,200}):(?!=)(?P<needs>[^\n]{0,400})\n(?P<recipe>(?:\t[^\n]{0,2000}\n?){0,60})"
)
_VARIABLE = lazy(r"(?m)^(?P<name>[A-Za-z_]\w{0,60})\s{0,3}[:?]?=\s{0,3}(?P<value>[^\n]{0,300})$")


def run_scripts(command: str, line: ShellEffects, ground: LossGround) -> Iterator[str]:
    """The texts of scripts that a line runs, each as a line of its own for the same questions."""
    own = _OwnTexts(command, line, ground)
    for each in line.started[:_MOST]:
        if each.folder is None:
            continue
        folder = posixpath.join(ground.cwd, each.folder)
        program = posixpath.basename(each.words[0])
        if program in _MAKES:
            yield from _made(each, folder, own)
        elif program in _PACKAGERS and not _RUNS.isdisjoint(each.words[1:2]):
            yield from _packaged(each, folder, own)
        else:
            name, path = _script(each)
            text = own.text(whole(path, folder)) if path and UNKNOWN not in path else ""
            if text:
                yield _as_line(name, text)


class _OwnTexts:
    """What the session wrote, by this very line or before it."""

    def __init__(self, command: str, line: ShellEffects, ground: LossGround) -> None:
        self._ground = ground
        self._written: dict[str, str] = {}
        if any(touch.kind == "write" for touch in line.touches):
            from leeboard.shell.written_texts import written_by  # noqa: PLC0415 - few lines run what they write

            for write in written_by(command):
                path = whole(write.path, ground.cwd)
                self._written[path] = (self._written.get(path, "") if write.appends else "") + write.text

    def text(self, place: str) -> str:
        """Empty where it is none of the session's, or too long."""
        text = self._written.get(place)
        if text is None:
            text = "\n".join(self._ground.unsaved.names_in(place) or ()) if self._ground.made(place) else ""
        return text if len(text) <= _LONGEST else ""


def _as_line(name: str, text: str) -> str:
    if is_python(name):
        return join([name, "-c", text])
    return join([name, _CODE_OPTION[name], text]) if name in _CODE_OPTION else text


def _script(started: Started) -> tuple[str, str]:
    """The program that reads it, and the file; empty where none is run."""
    first, *given = started.words
    name = posixpath.basename(first)
    if name in PROGRAMS.shells or name in _SOURCES or is_python(name) or name in _CODE_OPTION:
        parsed = parse(given, "-o -O --rcfile --init-file -W -X -r -I", in_order=True)
        reads = not parsed.has("-c", "-m", "-n", "-s", "-e", "-p")
        return name, parsed.operands[0] if parsed.operands and reads else started.fed
    if "/" not in first or started.role == "runner":
        return "", ""
    return _BY_ENDING.get(posixpath.splitext(first)[1], "sh"), first


def _made(started: Started, folder: str, own: _OwnTexts) -> Iterator[str]:
    """The recipes of the targets that make is told to bring up, and of what they need."""
    parsed = parse(list(started.words[1:]), "-C -f -j -l -o -W --directory --file --makefile")
    if parsed.has("-n", "--dry-run", "--just-print", "-q", "--question"):
        return
    for inner in parsed.values("-C", "--directory"):
        folder = whole(inner, folder)
    names = parsed.values("-f", "--file", "--makefile")[-1:] or ["GNUmakefile", "makefile", "Makefile"]
    text = next(filter(None, (own.text(whole(name, folder)) for name in names)), "")
    rules = {name: rule for rule in _RULE.finditer(f"{text}\n") for name in rule["targets"].split()}
    wanted = [word for word in parsed.operands if "=" not in word] or [*filter(_is_goal, rules)][:1]
    known = {found["name"]: found["value"].strip() for found in _VARIABLE.finditer(text)}
    for recipe in dict.fromkeys(_recipes(wanted, rules, 0)):
        lines = (_filled(line.lstrip("\t@-+ "), known) for line in recipe.splitlines())
        yield f"cd {join([folder])}\n" + "\n".join(lines)


def _is_goal(name: str) -> bool:
    return not name.startswith(".") and "%" not in name


def _recipes(names: list[str], rules: dict[str, re.Match[str]], depth: int) -> Iterator[str]:
    for name in names:
        if name in rules and depth < _DEEPEST:
            yield from _recipes(rules[name]["needs"].partition("##")[0].split(), rules, depth + 1)
            yield rules[name]["recipe"]


def _filled(line: str, known: dict[str, str]) -> str:
    spelled = re.sub(r"\$[({](\w{1,60})[)}]", lambda found: known.get(found[1], f"${{{found[1]}}}"), line)
    return spelled.replace("$$", "$")


def _packaged(started: Started, folder: str, own: _OwnTexts) -> Iterator[str]:
    text = own.text(whole("package.json", folder))
    names = parse(list(started.words[2:]), in_order=True).operands[:1]
    try:
        scripts = json.loads(text).get("scripts", {}) if text and names else {}
    except (ValueError, AttributeError):
        return
    if isinstance(scripts, dict):
        found = (scripts.get(name) for name in (f"pre{names[0]}", *names, f"post{names[0]}")) if names else ()
        yield from (line for line in found if isinstance(line, str))
