"""The man page, from the same texts as `leeboard COMMAND --help` and the pages of the commands."""

from __future__ import annotations

from collections.abc import Iterable

_LETTERS = str.maketrans({"\\": r"\e", "-": r"\-"})


def man_page(version: str, summary: str, commands: Iterable[tuple[str, str]], codes: Iterable[tuple[str, str]]) -> str:
    """In the language of man. `commands` are names with their usage, `codes` exit codes with their meaning."""
    lines = [
        f'.TH LEEBOARD 1 "" "leeboard {_shown(version)}" "User Commands"',
        *(".SH NAME", rf"leeboard \- {_shown(summary)}"),
        *(".SH SYNOPSIS", ".B leeboard", r"\fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]"),
        *(
            ".SH DESCRIPTION",
            "Watches what coding agents do, knows what they were asked, says one clear thing when the work",
        ),
        "slides away, and refuses the few things that must not pass.",
        r".B leeboard docs \fITOPIC\fR",
        "shows the pages that say more, without a network.",
        ".SH COMMANDS",
    ]
    for name, usage in commands:
        lines += [f'.SS "leeboard {_shown(name)}"', ".nf", *map(_line, usage.splitlines()), ".fi"]
    lines.append(".SH EXIT STATUS")
    for code, meaning in codes:
        lines += [".TP", f".B {_shown(code)}", _line(meaning)]
    return "\n".join(lines) + "\n"


def _line(text: str) -> str:
    """A dot or a quote that begins a line would be an order."""
    shown = _shown(text)
    return rf"\&{shown}" if shown.startswith((".", "'")) else shown


def _shown(text: str) -> str:
    return text.translate(_LETTERS)
