"""What of a file was not analysed, and why."""

from __future__ import annotations

import os
import stat

from leeboard.app.scan.target import Target
from leeboard.io.file import read_start
from leeboard.io.git.tree_files import LARGEST
from leeboard.settings.decisions import ALLOWED, BASELINE
from leeboard.text.language import language_of, was_generated

REPOSITORY = "a repository of its own"
NO_FILE = "neither a file nor a folder"


def unreadable(target: Target) -> str:
    place = os.path.join(target.root, target.name)  # noqa: PTH118 - names that are no valid text pass through
    try:
        seen = os.stat(place)  # noqa: PTH116 - as above
        if stat.S_ISDIR(seen.st_mode) and os.access(place, os.R_OK | os.X_OK):
            return REPOSITORY
        if not stat.S_ISREG(seen.st_mode) and not stat.S_ISDIR(seen.st_mode):
            return NO_FILE
        read_start(place, 1, follow=True)
    except (OSError, ValueError):
        return "unreadable"
    return "larger than 2 MB" if seen.st_size > LARGEST else "binary"


def unread_reason(name: str, text: str) -> str:
    """A file in which nothing can flow was not parsed, and nothing is missed by that."""
    from leeboard.report.capture import why_not_analysed  # noqa: PLC0415 - as are the next two, for each process
    from leeboard.security.taint.table_file import may_flow  # noqa: PLC0415 - as above
    from leeboard.security.taint.template import template_of  # noqa: PLC0415 - as above

    language = language_of(name, text[:200])
    if template_of(name) or (language and not may_flow(text, language)):
        return ""
    return why_not_analysed(name, text) or _why_in_part(text, language)


_NAMED = 5


def _why_in_part(text: str, language: str) -> str:
    """Where a file has so much in it that it is not followed to the end."""
    from leeboard.security.taint.flow import unfollowed  # noqa: PLC0415 - as above
    from leeboard.security.taint.table_file import LANGUAGES  # noqa: PLC0415 - as above
    from leeboard.source.syntax import parse  # noqa: PLC0415 - as above

    tree = parse(text, language) if language in LANGUAGES else None
    lines = unfollowed(tree) if tree is not None else ()
    if not lines:
        return ""
    more = f" and {len(lines) - _NAMED} more" if len(lines) > _NAMED else ""
    named = ", ".join(str(line) for line in lines[:_NAMED])
    return f"analysed in part: too much code to follow all of it, and not to the end what begins at line {named}{more}"


def unfollowed_kind(name: str, text: str, before: str | None = None) -> str:
    """What kind of file it is, where nobody follows a value through it: `.sh`, `Makefile`, `generated`; else empty."""
    from leeboard.security.taint.table_file import LANGUAGES  # noqa: PLC0415 - as above
    from leeboard.security.taint.template import template_of  # noqa: PLC0415 - as above

    if not text.strip() or name in {ALLOWED, BASELINE}:
        return ""
    if was_generated(name, text, before):
        return "generated"
    if template_of(name) or language_of(name, text) in LANGUAGES:
        return ""
    base = name.rpartition("/")[2]
    stem, _, ending = base.rpartition(".")
    return f".{ending.lower()}" if stem and ending else base
