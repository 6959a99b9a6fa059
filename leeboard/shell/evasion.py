"""Lines that go around the checks of a repository: hooks left out or taken away, protection of a branch lifted."""

from __future__ import annotations

import re

from leeboard.model.text import lazy
from leeboard.model.touch import Started
from leeboard.shell.effects import shell_effects

_SKIPS = lazy(
    r"(?:^|[\s;&|(])(?:HUSKY=0|HUSKY_SKIP_HOOKS=1|SKIP=[\w,\-]+|LEFTHOOK=0|LEFTHOOK_EXCLUDE=\S+|OVERCOMMIT_DISABLE=1)\s"
)
_SHORT = lazy(r"-[a-zA-Z]*n[a-zA-Z]*\Z")
_TAKES_VALUE = frozenset({"-m", "-F", "-C", "-c", "-t", "--message", "--file", "--author", "--date", "--fixup"})
_PROTECTED = lazy(r"(?:branches/[^\s/]+/protection|/rulesets?(?:/\d+)?)\b")
_WRITES = frozenset({"PUT", "DELETE", "PATCH", "POST"})
_VERIFYING = frozenset({"commit", "push", "merge", "am", "cherry-pick", "rebase", "revert"})


def evasions(command: str, cwd: str) -> tuple[str, ...]:
    """What each of its programs goes around, in words."""
    started = shell_effects(command, cwd).started
    found = [told for one in started if (told := _of(one))]
    commits = any(one.words[:1] == ("git",) and _subcommand(one) in _VERIFYING for one in started)
    if commits and _SKIPS.search(f" {command}"):
        found.append("a variable that switches hooks off")
    return tuple(dict.fromkeys(found))


def _of(one: Started) -> str:
    program = one.words[0].rpartition("/")[2] if one.words else ""
    if program == "git":
        return _of_git(one)
    if program == "gh" and one.words[1:2] == ("api",):
        return _of_hub(one)
    if program in {"pre-commit", "lefthook", "husky"} and "uninstall" in one.words[1:3]:
        return f"{program} uninstall"
    if program == "chmod" and any(word.startswith(("-x", "a-x", "u-x", "644", "0644")) for word in one.words[1:2]):
        return (
            "hooks made not executable" if any("hooks/" in word or ".husky/" in word for word in one.words[2:]) else ""
        )
    return ""


def _of_git(one: Started) -> str:
    words = one.words[1:]
    given = [words[at + 1] for at, word in enumerate(words[:-1]) if word == "-c"]
    if any(value.lower().startswith("core.hookspath=") for value in given):
        return "core.hooksPath set for one command"
    subcommand = _subcommand(one)
    if subcommand == "config":
        return _of_config(words)
    if subcommand in _VERIFYING and "--no-verify" in words:
        return f"git {subcommand} --no-verify"
    return "git commit -n" if subcommand == "commit" and _has_short_n(words) else ""


def _of_config(words: tuple[str, ...]) -> str:
    """Setting a path is one thing, asking for it another."""
    names = [at for at, word in enumerate(words) if word.lower() == "core.hookspath"]
    reads = {"--get", "--get-all", "get", "-l", "--list"} & set(words)
    sets = bool(names) and (len(words) > names[0] + 1 or "--unset" in words or "unset" in words)
    return "core.hooksPath" if sets and not reads else ""


def _has_short_n(words: tuple[str, ...]) -> bool:
    before = ""
    for word in words:
        if word == "--":
            return False
        cut = re.split(r"[mFCct]", word, maxsplit=1)[0] if word.startswith("-") and not word.startswith("--") else ""
        if before not in _TAKES_VALUE and cut and _SHORT.match(cut):
            return True
        before = word
    return False


def _subcommand(one: Started) -> str:
    words, at = one.words[1:], 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in {"-C", "-c", "--git-dir", "--work-tree"} else 1
    return words[at] if at < len(words) else ""


def _of_hub(one: Started) -> str:
    words = one.words[2:]
    method = next((words[at + 1] for at, word in enumerate(words[:-1]) if word in {"-X", "--method"}), "")
    method = method or next((word.partition("=")[2] for word in words if word.startswith("--method=")), "")
    method = method or next((word[2:] for word in words if word.startswith("-X") and len(word) > len("-X")), "")
    writes = method.upper() in _WRITES or (
        not method and bool({"-f", "-F", "--field", "--raw-field", "--input"} & set(words))
    )
    return "the protection of a branch" if writes and any(_PROTECTED.search(word) for word in words) else ""
