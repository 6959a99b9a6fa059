"""Where the truth of files is kept, below an intent's folder, and whether it is kept at all."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from posixpath import basename, dirname

from leeboard.model.plan import Plan
from leeboard.model.truth import ABSENT, INTENT_SCOPE
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.trusted import settings_text
from leeboard.plan.files.files import PlanSettings, parse_settings

MOST_BYTES = 1 << 30
"""Of a baseline or an assessment: of 100,000 files it has some forty million."""
MARKERS, DISPATCH, LOG, AUDIT = "drift-markers.json", "drift-dispatch.json", "action-log.jsonl", "write-audit.jsonl"
IGNORE = "drift_ignore"
SECONDS = 30.0
"""That looking at the tracked files may take, where `drift_seconds` of the project's settings does not say."""


def scope_folder(scope: str) -> str:
    """Below the intent's folder, with its slash; empty for the intent itself."""
    return f"stages/{scope}/" if scope else ""


def baseline_file(scope: str) -> str:
    return f"{scope_folder(scope)}baseline.json"


def ack_file(scope: str) -> str:
    return f"{scope_folder(scope)}.baseline-ack"


def thrash_file(scope: str) -> str:
    return f"{scope_folder(scope)}baseline-thrash.json"


def content_folder(scope: str) -> str:
    return f"{scope_folder(scope)}baseline-content"


def assessments_folder(stage: str) -> str:
    return f"{scope_folder(stage)}drift-assessments"


def below(slug: str, path: str) -> str:
    """A path below the intent's folder, as `PlanFolder` takes it."""
    return f"{layout.intent_folder(slug)}/{path}"


def scope_of(path: str) -> str:
    """The scope whose baseline a canonical path belongs to."""
    parts = path.split("/", 2)
    return parts[1] if parts[0] == "stages" and len(parts) > 1 else INTENT_SCOPE


def all_scopes(plan: Plan) -> tuple[str, ...]:
    return (INTENT_SCOPE, *(view.spec.name for view in plan.stages))


def reached_scopes(plan: Plan) -> tuple[str, ...]:
    """The intent's and those of every stage up to the active one."""
    names = all_scopes(plan)
    active = plan.active.spec.name if plan.active else ""
    return names[: names.index(active) + 1] if active else names


def settings(folder: PlanFolder) -> PlanSettings:
    """Of the project. What can not be read switches nothing off."""
    text = settings_text(folder)
    return parse_settings(text) if text else PlanSettings()


def ignored(found: PlanSettings) -> tuple[str, ...]:
    """Globs of files that the project does not want to hear of."""
    globs = found.values.get(IGNORE)
    return tuple(each for each in globs if isinstance(each, str)) if isinstance(globs, list) else ()


# One file of an intent as it is now: its digest and its text. No link is followed on the way or at the end.


_PIECE = 1 << 20
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def digest_of(folder: PlanFolder, path: str) -> str | None:
    """SHA-256 of what lies there, of a link's own text; `absent` for nothing, None for what can not be read."""
    try:
        with folder.opened(dirname(path)) as around:
            seen = os.stat(basename(path), dir_fd=around, follow_symlinks=False)
            if stat.S_ISLNK(seen.st_mode):
                return sha256(os.fsencode(os.readlink(basename(path), dir_fd=around))).hexdigest()
            if not stat.S_ISREG(seen.st_mode):
                return None
            file = os.open(basename(path), _READ, dir_fd=around)
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except (OSError, ValueError):
        return None
    return _hashed(file)


def _hashed(file: int) -> str | None:
    digest = sha256()
    try:
        while piece := os.read(file, _PIECE):
            digest.update(piece)
    except OSError:
        return None
    finally:
        os.close(file)
    return digest.hexdigest()


def text_of(folder: PlanFolder, path: str, sha: str, most: int) -> str | None:
    """The text whose digest this is; None for a link, what is too large, no UTF-8, or another content by now."""
    try:
        with folder.opened(dirname(path)) as around:
            file = os.open(basename(path), _READ, dir_fd=around)
        with open(file, "rb") as opened:  # noqa: PTH123 - a descriptor, not a path
            if not stat.S_ISREG(os.fstat(file).st_mode):
                return None
            data = opened.read(most + 1)
    except (OSError, ValueError):
        return None
    if len(data) > most or b"\0" in data or sha256(data).hexdigest() != sha:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
