"""Takes a program's options and operands apart, the way getopt does."""

from __future__ import annotations

import msgspec


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
