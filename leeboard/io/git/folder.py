"""Where git keeps what is a work tree's own, and what its repository shares: read from the files that say so."""

from __future__ import annotations

from posixpath import exists, isdir, join, lexists

from leeboard.io.file import read_regular

MOST = 64 << 20
"""Bytes of a file of git's that we read ourselves; a list of all refs can be long."""

_MARK, _LINE_END = "gitdir: ", "\r\n"
"""As git reads it, to the letter: a space more or less is another folder, with another configuration."""


def folder_of(top: str) -> str:
    """The folder with HEAD and the index of the work tree at `top`; empty where there is none."""
    mark = join(top, ".git")
    if isdir(mark):
        return mark if lexists(join(mark, "HEAD")) else ""
    words = text_of(mark)
    if not words.startswith(_MARK):
        return ""
    folder = join(top, words.removeprefix(_MARK).rstrip(_LINE_END))
    return folder if exists(join(folder, "HEAD")) else ""


def shared_by(folder: str) -> str:
    """The folder that all work trees of a repository have in common; the same one in the first of them."""
    words = text_of(join(folder, "commondir")).rstrip(_LINE_END)
    return join(folder, words) if words else folder


def text_of(path: str) -> str:
    """Empty where it can not be read, or is no regular file: HEAD itself may be a link to a branch."""
    try:
        return read_regular(path, MOST, follow=True).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
