"""What a shell line does, remembered, and what one that only looks looks at: the way in for all who ask about lines."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from leeboard.model.event import ToolCall
from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects


@lru_cache(maxsize=64)
def shell_effects(command: str, cwd: str) -> ShellEffects:
    """Each line is asked about when it is proposed and again when it is done."""
    from leeboard.shell.understand import (  # noqa: PLC0415 - as much import cost as all the rest, for shell lines only
        understand,
    )

    return understand(command, cwd)


FEEDS = frozenset({"cat", "echo", "printf", "tee"})
"""Programs whose words another one may be made to run."""
_OF_THE_GUARD = ("leeboard", "LEEBOARD", "flow", "claude")


def may_mean_guard(line: ShellEffects, command: str, processes: tuple[int, ...]) -> bool:
    """Whether a line could be about the guard at all: by its name, its client's, or that of its only command that goes
    by another name; by one of its processes; or by what is fed to a program in a form nobody can search.
    """
    started = line.started
    if len(started) > 1 and any(each.words[0] in FEEDS for each in started):
        return True
    words = [word for each in started for word in each.words]
    told = "\0".join((command, *words, *(each.handed for each in started)))
    return any(name in told for name in _OF_THE_GUARD) or any(str(one) in told for one in processes)


# Which calls may change files that nobody can name beforehand, for all that anybody knows.
#
# Wider than what counts as opaque: a test runner that only checks may write snapshots, or what a plugin of it makes.


_ONLY_LOOKS = lazy(
    r"(?:awk|basename|bat|cat|cd|cut|date|df|diff|dirname|du|echo|egrep|env|export|false|fgrep|file|grep|head|id|jq|less"
    r"|ls|md5sum|more|nl|printf|ps|pwd|readlink|realpath|rg|seq|sha256sum|sleep|sort|stat|tac|tail|test|tr|tree|true"
    r"|type|uname|uniq|wc|which|whoami|xxd|\[|git (?:blame|branch|diff|grep|log|ls-files|rev-parse|show|status))$"
)
_OF_A_SERVER = "mcp__"
_READS = lazy(
    r"(?:check|count|describe|fetch|find|get|list|look|query|read|search|show|status|think|view)", re.IGNORECASE
)


def may_change(call: ToolCall, effects: ShellEffects) -> bool:
    """Any shell line but one that only looks, and any tool of a server whose name does not say that it reads."""
    if call.action == "bash":
        return effects.opaque or not all(map(_ONLY_LOOKS.match, effects.programs))
    name = call.tool.rpartition("__")[2]
    return call.action == "other" and call.tool.startswith(_OF_A_SERVER) and not _READS.match(name)


# Lines that only look: one plain command without pipes, variables or redirections; everything else is no such line.


_LONGEST = 1_000
_EXPANDS = lazy(r"[$`*?{\[]")
_READERS = frozenset({"cat", "bat", "nl", "less", "more", "head", "sed"})
_SEARCHERS = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "ack", "find", "fd", "fdfind", "ls", "tree", "wc"})
_FETCHERS = frozenset({"curl", "wget", "http"})
_LOOKING = frozenset({*_READERS, *_SEARCHERS, *_FETCHERS, "git"})
_SED_LINES = lazy(r"(\d{1,9})(?:,(\d{1,9}|\$))?p\Z")
_SAFE_FETCH = frozenset(
    "-s -S -L -f -sS -sL -fsSL -sSL -fsS -q --silent --location --fail -O- -qO- --compressed".split()
)


class ShellLook(msgspec.Struct, frozen=True):
    """A file with the lines read of it (see `ToolCall.span`), or a search with its key."""

    path: str = ""
    span: tuple[int, int] = (0, 0)
    query: str = ""


def look_of(command: str) -> ShellLook | None:
    """What a plain looking command looks at; None for any other line."""
    command = command.strip()
    began = command.partition(" ")[0].rpartition("/")[2]
    if began.isalnum() and began not in _LOOKING:  # most lines run something: they need not be taken apart
        return None
    words = _words(command) if len(command) <= _LONGEST and "\n" not in command else []
    if not words:
        return None
    program = words[0].rsplit("/", 1)[-1]
    if program in _READERS:
        look = _read(program, words[1:])
        return None if look is None or _EXPANDS.search(look.path) else look
    if program in _SEARCHERS or words[:2] == ["git", "grep"]:
        return ShellLook(query=" ".join(words))
    return _fetched(words[1:]) if program in _FETCHERS else None


def _words(command: str) -> list[str]:
    """The words of one command, none where it is more than that or its quotes do not close."""
    import shlex  # noqa: PLC0415 - for shell lines only

    lexer = shlex.shlex(command, posix=True, punctuation_chars="();<>|&")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:
        return []
    return [] if any(word and not word.strip("();<>|&") for word in words) else words


def _read(program: str, args: list[str]) -> ShellLook | None:
    operands = [word for word in args if not word.startswith("-")]
    options = [word for word in args if word.startswith("-")]
    if program == "sed":
        match = _SED_LINES.match(operands[0]) if options == ["-n"] and len(operands) == 2 else None
        if match is None:
            return None
        last = match[2] or match[1]
        return ShellLook(path=operands[1], span=(int(match[1]), 0 if last == "$" else int(last)))
    if program == "head":
        return _head(args)
    return ShellLook(path=operands[0]) if len(operands) == 1 else None


def _head(args: list[str]) -> ShellLook | None:
    match args:
        case [path] if not path.startswith("-"):
            return ShellLook(path=path, span=(1, 10))
        case ["-n", count, path] if count.isdecimal() and len(count) < 10:
            return ShellLook(path=path, span=(1, int(count)))
        case [option, path] if (count := option.removeprefix("-n").removeprefix("-")).isdecimal() and len(count) < 10:
            return ShellLook(path=path, span=(1, int(count)))
        case _:
            return None


def _fetched(args: list[str]) -> ShellLook | None:
    """A plain GET: whatever sends, saves or sets more is no looking."""
    addresses = [word for word in args if "://" in word]
    others = [word for word in args if "://" not in word]
    if len(addresses) != 1 or not all(word in _SAFE_FETCH for word in others):
        return None
    return ShellLook(query=addresses[0].partition("#")[0])
