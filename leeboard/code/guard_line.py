"""What the guard stands on, and the shell lines that take it away: its files, its programs, its own process."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from leeboard.code.reach_disk import Standing
from leeboard.model.lookup import Files
from leeboard.model.pattern import lazy
from leeboard.model.touch import ShellEffects, Started, Touch

IN_TREE = (
    *("leeboard.toml", ".claude/settings.json", ".claude/settings.local.json"),
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
_OURS = lazy(r"\bLEEBOARD_(?:OFF|PROFILE|STATE_DIR|CONFIG_DIR|RESIDENT)\b")
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
    from leeboard.code.reach import covered, reached  # noqa: PLC0415 - few lines need as much

    more = reached(command, cwd, standing)
    below = (Touch(file, "delete") for file in covered((*touches, *more), standing))
    return tuple(dict.fromkeys((*more, *below)))


def ends_guard(line: ShellEffects, command: str) -> str:
    """A program of the line that stops the guard or takes it off the machine, in few words; empty: none does."""
    return next((told for each in line.started for told in _ends(each, line)), "") or _switches(line, command)


def _ends(started: Started, line: ShellEffects) -> Iterator[str]:
    program, words = posixpath.basename(started.words[0]), started.words[1:]
    names_us = any(map(_ITSELF.fullmatch, words))
    if program in _PACKAGERS and names_us and not _TAKES_AWAY.isdisjoint(words):
        yield f"{program} {next(word for word in words if word in _TAKES_AWAY)} leeboard"
    elif program in _KILLERS and (names_us or any(map(_looks_for_us, line.started))):
        yield f"{program} leeboard"
    elif program == "rm" and any(map(_looks_for_us, line.started)):
        yield "rm leeboard"
    elif program == "claude" and words[:1] == ("config",) and not _CLIENT_SETS.isdisjoint(words[1:2]):
        yield f"claude config {words[1]}"


def _looks_for_us(started: Started) -> bool:
    return posixpath.basename(started.words[0]) in _FINDERS and any(map(_ITSELF.fullmatch, started.words[1:]))


def _switches(line: ShellEffects, command: str) -> str:
    """The guard's own settings, put where every shell to come will read them."""
    found = _OURS.search(command)
    writes = found and any(touch.kind == "write" and _STARTUP.fullmatch(touch.path) for touch in line.touches)
    return found[0] if found and writes else ""
