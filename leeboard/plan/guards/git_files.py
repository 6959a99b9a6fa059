"""What git keeps for itself, and what it could bring back of the files that say how a workflow goes.

Where a branch stands is how the workflow knows of a review, and a hook or setting of git acts in the user's name later
on. Git's own commands change all that under rules of their own; a file that is written past them is under none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from leeboard.model.text import lazy
from leeboard.model.workspace import INTENTS, placed, plan_path
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.options import Parsed, parse
from leeboard.shell.programs.git import is_unreadable

_FILES = frozenset({"", "HEAD", "commondir", "config", "config.worktree", "info/grafts", "packed-refs", "shallow"})
_FOLDERS = ("hooks", "objects", "refs", "reftable", "worktrees")
_SAMPLES = ("HEAD", "config", "packed-refs", "refs/heads/main", "refs/heads/master", "hooks/post-commit")
_GIT_FOLDER = lazy(r"(?:\$\(|`)git rev-parse (?:--git-dir|--git-common-dir|--absolute-git-dir)(?:\)|`)")
_GIT_PATH = lazy(r"(?:\$\(|`)git rev-parse --git-path ([\w./-]{1,200})(?:\)|`)")
_GLOB = lazy(r"(?<![^\s'\"=>])([\w./-]{0,200}?\.git/)([\w./*?\[\]-]{1,200})")
_MAGIC = lazy(r":(?:\(([\w,:=-]{0,80})\)|([/!^]{1,3}):?)")
_SETTINGS, _STUDIOS = ".haiku/settings.yml", ".haiku/studios"
_POLICY_SAMPLES = (_SETTINGS, f"{_STUDIOS}/one/STUDIO.md", f"{_STUDIOS}/one/stages/two/STAGE.md")
_PLAN_SAMPLES = (
    ".haiku/intents/one/intent.md",
    ".haiku/intents/one/stages/two/state.json",
    ".haiku/intents/one/stages/two/rulings.jsonl",
    ".haiku/intents/one/stages/two/units/unit-01-three.md",
)
_RESTORED_BY = {
    "checkout": "-b -B --orphan --conflict --pathspec-from-file",
    "restore": "-s --source --conflict --pathspec-from-file",
}
_LONGEST = 400
"""Characters of a pattern that is compared; nobody writes longer ones to be understood."""
_HERE = frozenset({"", "HEAD", "@"})


def kept_by_git(place: str) -> str:
    """Why a file is git's own; empty where it is not. `place` counts from the top of its work tree."""
    folder, _, rest = place.rstrip("/").partition("/")
    if folder.lower() != ".git" or rest.endswith(".lock"):
        return ""
    is_own = rest in _FILES or rest.partition("/")[0] in _FOLDERS
    return "git keeps it itself, and only git's own commands change it" if is_own else ""


def spelled_out(command: str, top: str) -> str:
    """A line with git's folder where the line asks git for it, and files of it where a glob may mean them."""
    home = f"{top.rstrip('/')}/.git"
    told = _GIT_PATH.sub(lambda found: f"{home}/{found[1]}", _GIT_FOLDER.sub(lambda _found: home, command))
    return _GLOB.sub(_meant, told)


def _meant(found: re.Match[str]) -> str:
    if not {*found[2]} & {*"*?["}:
        return found[0]
    fits = [f"{found[1]}{name}" for name in _SAMPLES if fnmatchcase(name, found[2])]
    return " ".join(fits) or found[0]


def brought_back(name: str, arguments: list[str], folder: str) -> str:
    """What `git checkout REV -- PATH` or `git restore PATH` reaches of the workflow's own; empty: nothing.

    `folder`: where it is run, counted from the top of that work tree ("." for the top).
    """
    if name not in _RESTORED_BY:
        return ""
    parsed = parse(arguments, _RESTORED_BY[name])
    if name == "restore" and parsed.has("-S", "--staged") and not parsed.has("-W", "--worktree"):
        return ""
    source, paths = _asked(name, arguments)
    if parsed.has("--pathspec-from-file"):
        return "files that a list names"
    return next((found for word in paths for found in _reached(word, folder, source)), "")


def _asked(name: str, arguments: list[str]) -> tuple[str, list[str]]:
    """From which commit, and which paths."""
    parsed = parse(arguments, _RESTORED_BY[name])
    if name == "restore":
        return (parsed.values("-s", "--source") or [""])[-1], parsed.operands
    if "--" in arguments:
        at = arguments.index("--")
        before = parse(arguments[:at], _RESTORED_BY[name]).operands
        return (before or [""])[0], arguments[at + 1 :]
    if len(parsed.operands) == 1:  # no branch begins with a dot or a colon
        return "", [word for word in parsed.operands if word.startswith((".", ":"))]
    whose = parsed.has("--ours", "--theirs")
    return ("", parsed.operands) if whose else ((parsed.operands or [""])[0], parsed.operands[1:])


def _reached(word: str, folder: str, source: str) -> Iterator[str]:
    """The file or folder of the workflow's own that a pathspec means."""
    magic = _MAGIC.match(word)
    marks = (magic[1] or magic[2] or "") if magic else ""
    if UNKNOWN in word or {"!", "^"} & {*marks} or "exclude" in marks:
        return
    plain = word[magic.end() :] if magic else word
    start = "." if "/" in marks or "top" in marks else folder
    place = placed(start, plain)
    is_literal = "literal" in marks or not {*plain} & {*"*?["}
    if "icase" in marks:
        place = place.lower()
    if place in {".", ".."} or place.startswith("../"):
        yield from () if source in _HERE else (_SETTINGS,)
    elif place in {".haiku", _SETTINGS, _STUDIOS} or place.startswith(f"{_STUDIOS}/"):
        yield place
    elif is_literal:
        known = plan_path(place) if magic else None  # named plainly, the rule for plan files knows it
        yield from (place,) if known and known.kind != "material" else ()
    else:
        yield from (one for one in (*_POLICY_SAMPLES, *_PLAN_SAMPLES) if _fits(one, place, source))


def _fits(sample: str, pattern: str, source: str) -> bool:
    """Git's star goes through folders. One that does not name `.haiku` is for the whole tree, as "." is."""
    if source in _HERE and not pattern.startswith((".h", ".*", ".?", ".[")):
        return False
    if len(pattern) > _LONGEST:
        return True
    slug = pattern.removeprefix(INTENTS).partition("/")[0] if pattern.startswith(INTENTS) else "one"
    return fnmatchcase(sample.replace("/one/", f"/{slug}/", 1), pattern)


def past_rules(name: str, arguments: list[str], before: Parsed, folder: str) -> Iterator[tuple[str, str]]:
    """Why a git command is not run while a workflow is active, each with what to do instead.

    `folder`: where it is run, counted from the top of that work tree.
    """
    if is_unreadable(name, before):
        yield "nobody can tell what its alias stands for", "run what the alias stands for by its own name"
    key, value = set_to_run_later(name, arguments)
    if key and (UNKNOWN in value or not key.lower().startswith("alias.")):
        yield f"{key} has git run or read something in the user's name later on", "ask the user to set it"
    found = brought_back(name, arguments, folder)
    if found:
        why = f"it would bring back another state of {found}, and only the user and the engine change that"
        yield why, "name the files of the work that go back; look at the others with `git show REV:FILE`"


def aliased_line(name: str, arguments: list[str]) -> str:
    """What an alias that `git config` sets would run as a line; empty: none is set."""
    key, value = set_to_run_later(name, arguments)
    if not key.lower().startswith("alias."):
        return ""
    return value[1:] if value.startswith("!") else f"git {value}"


def set_to_run_later(name: str, arguments: list[str]) -> tuple[str, str]:
    """The key that `git config` sets to have something run another time, and its value; both empty: none."""
    if name != "config":
        return "", ""
    parsed = parse(arguments, "-f --file --type --default --comment --value")
    operands = parsed.operands[parsed.operands[:1] == ["set"] :]
    if parsed.has(*_ASKS) or operands[:1] in (["get"], ["list"], ["unset"]) or len(operands) < _KEY_AND_VALUE:
        return "", ""
    key = operands[0].lower()
    acts = key.startswith(("alias.", "include.", "includeif.")) or key == "core.hookspath"
    return (operands[0], operands[1]) if acts else ("", "")


_KEY_AND_VALUE = 2
_ASKS = ("--get", "--get-all", "--get-regexp", "--get-urlmatch", "--list", "-l", "--unset", "--unset-all")
