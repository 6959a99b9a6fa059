"""Understands a shell line without running it: which files it reads and changes, and what it starts.

What can be named beforehand is named; where files may change that nobody can name, the line is `opaque`. A wrong
name is worse than an opaque line, so whatever is not certain (an unset variable, a glob, an unknown program) is opaque.
"""

from __future__ import annotations

from leeboard.code._shell_expansion import as_source
from leeboard.code._shell_line import follow_text
from leeboard.code._shell_scope import Effects, Scope
from leeboard.code._shell_source import MAX_TEXT, cleaned, readable
from leeboard.model.touch import ShellEffects


def understand(command: str, cwd: str = "") -> ShellEffects:
    """Never raises, whatever the text. `cwd` is absolute, or "" where nobody knows.

    Paths are absolute wherever the line or `cwd` allows, else relative to where the line starts; what lies below
    the home directory is spelled `~/...`. A folder that is removed, moved or copied stands for all below it.
    A `cd` is taken to succeed, and the target of a `cp` or `mv` to be a file unless the line shows it is a folder.
    """
    effects = Effects()
    scope = Scope(cwd if cwd.startswith("/") else "")
    text = command.replace("\r\n", "\n").lstrip("\ufeff")
    if not readable(text) and len(text) <= MAX_TEXT:
        effects.opaque = True
        text = cleaned(text)
    follow_text(text, effects, scope)
    for code in tuple(effects.deferred):
        follow_text(as_source(code), effects, scope)
    return effects.finished()
