"""Takes a program's options and operands apart, the way getopt does."""

from __future__ import annotations

import msgspec

from leeboard.data import load


class Parsed(msgspec.Struct):
    """`options` in order, each with its value ("" where it has none), and what is left."""

    options: list[tuple[str, str]]
    operands: list[str]

    def has(self, *names: str) -> bool:
        return any(name in names for name, _ in self.options)

    def values(self, *names: str) -> list[str]:
        return [value for name, value in self.options if name in names]


def parse(args: list[str], valued: str = "", *, in_order: bool = False) -> Parsed:
    """Options named in `valued` (blank-separated, with their dashes) take a value; `in_order` stops at an operand."""
    names = frozenset(valued.split())
    parsed = Parsed([], [])
    at = 0
    while at < len(args):
        word = args[at]
        at += 1
        if word == "--":
            parsed.operands += args[at:]
            break
        if word == "-" or not word.startswith("-"):
            parsed.operands.append(word)
            if in_order:
                parsed.operands += args[at:]
                break
        elif word.startswith("--") or word in names:
            at += _take_long(word, args[at : at + 1], names, parsed)
        else:
            at += _take_cluster(word[1:], args[at : at + 1], names, parsed)
    return parsed


def _take_long(word: str, following: list[str], names: frozenset[str], parsed: Parsed) -> int:
    name, equals, value = word.partition("=")
    takes_next = not equals and name in names
    parsed.options.append((name, following[0] if takes_next and following else value))
    return int(takes_next)


def _take_cluster(letters: str, following: list[str], names: frozenset[str], parsed: Parsed) -> int:
    for index, letter in enumerate(letters, 1):
        name = "-" + letter
        if name not in names:
            parsed.options.append((name, ""))
        elif index < len(letters):
            parsed.options.append((name, letters[index:]))
            return 0
        else:
            parsed.options.append((name, following[0] if following else ""))
            return 1
    return 0


# What is known of programs: which only look, which read, which start another one, which write.


class Formatter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`only_with` are the options without which it just reports, `never_with` those with which it does."""

    only_with: tuple[str, ...] = ()
    never_with: tuple[str, ...] = ()
    valued: str = ""


class Git(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Subcommands of git by what they do."""

    quiet: frozenset[str]
    network: frozenset[str]
    stash_quiet: frozenset[str]
    own: frozenset[str]
    """Git asks for no alias of these; rarer ones are found out by their readers."""


class Programs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a text stands for a program, it names the options that take a value, or the subcommands."""

    silent: frozenset[str]
    """They change no file and say nothing worth knowing about the files they look at."""
    checkers: frozenset[str]
    runners: frozenset[str]
    """They run what their words say, though their readers need not follow it."""
    readers: dict[str, str]
    wrappers: dict[str, str]
    runs_next: dict[str, dict[str, str]]
    looks: dict[str, str]
    """Subcommands that change no file of the work by intent; test runs count among them."""
    fetches: dict[str, str]
    formatters: dict[str, Formatter]
    remote: frozenset[str]
    """They change nothing here, whatever they do elsewhere."""
    shells: frozenset[str]
    interpreters: frozenset[str]
    quiet_modules: frozenset[str]
    lists: frozenset[str]
    filters: frozenset[str]
    neutral: frozenset[str]
    with_subcommand: frozenset[str]
    valued: dict[str, str]
    packed: dict[str, str]
    unpacked: dict[str, str]
    outputs: dict[str, str]
    """Programs that read their operands, and the options of theirs that name a file they write anew."""
    editors: frozenset[str]
    """They are told by commands what to make of the files they are given."""
    matching_removers: frozenset[str]
    """They remove what fits the patterns they are given."""
    git: Git


PROGRAMS = load("shell/programs", Programs)
