"""What is known of programs: which only look, which read, which start another one, which write."""

from __future__ import annotations

import msgspec

from leeboard.data import load


class Formatter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`only_with` are the options without which it just reports, `never_with` those with which it does."""

    only_with: tuple[str, ...] = ()
    never_with: tuple[str, ...] = ()
    valued: str = ""


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


PROGRAMS = load("shell/programs", Programs)
