"""The profile in leeboard.toml, changed so that comments and order stay."""

from __future__ import annotations

import os
from pathlib import Path
from posixpath import basename

import leeboard
from leeboard.app.install.hook_files import FileEdit, naming, text_at
from leeboard.app.install.kept_file import put_back, read_bytes, read_record, unchanged, write_over
from leeboard.app.settings_files import read_project, settings_actor
from leeboard.clients import Scope, signs_of_all
from leeboard.errors import ConfigError
from leeboard.io.git import ask
from leeboard.io.places import config_dir
from leeboard.model.policy import Profile
from leeboard.settings import toml
from leeboard.settings.settings import Settings
from leeboard.trust import record as trust


def profile_file(scope: Scope, root: str) -> str:
    """The project's own file, or the user's for all projects."""
    return str(Path(config_dir() if scope == "user" else root) / "leeboard.toml")


def plan_profile(path: str, profile: Profile) -> FileEdit:
    """The file with this profile. ConfigError when it is not valid as it stands."""
    import tomlkit  # noqa: PLC0415 - only this option needs it
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415 - as above

    before, text = read_bytes(path), text_at(path)
    toml.parse(text, path)
    with naming(path):
        try:
            document = tomlkit.parse(text)
        except TOMLKitError as error:
            raise ConfigError(f"not valid TOML: {error}") from error
    if document.get("profile") == profile:
        return FileEdit(path=path, before=before, after=before)
    document["profile"] = profile
    after = _schema_hint(path) * (not text.strip()) + tomlkit.dumps(document)
    toml.parse(after, path)
    return FileEdit(path=path, before=before, after=after.encode())


def _schema_hint(path: str) -> str:
    """The line by which editors check a new file. One that is shared names no place of this machine: only a schema that
    lies beside it.
    """
    if Path(path).with_name(_SCHEMA).is_file():
        return f"#:schema ./{_SCHEMA}\n"
    package = Path(leeboard.__file__).absolute().parent
    shipped = [docs / _SCHEMA for docs in (package / "docs", package.parent / "docs") if (docs / _SCHEMA).is_file()]
    is_own = Path(path).parent == Path(config_dir())
    return f"#:schema {shipped[0].as_uri()}\n" if is_own and shipped else ""


_SCHEMA = "leeboard.schema.json"


def write_profile(change: FileEdit) -> None:
    write_over(change.path, change.after or b"", change.before)


def trust_profile(root: str, change: FileEdit) -> None:
    """The person who ran `init` wrote it: it counts here, where nothing but the profile asks for trust.

    What else stands in the file, and was not trusted before, still has to be looked at.
    """
    read = read_project(root, {})
    before = toml.parse_tolerantly((change.before or b"").decode("utf-8", "replace"), change.path)[0]
    known = trust.known(root).record
    counted = settings_actor(Settings(), before, basename(change.path)) if before.said else None
    others = set(read.project.said) - {"profile"} if read.project else set()
    if read.actor and (not others or (counted and known.trusts(counted.part, counted.digest))):
        trust.grant(root, [read.actor], trust.MADE_HERE)


def plan_profile_removal(path: str) -> FileEdit | None:
    """As it was before `init --profile`; None when we did not write it, or somebody has worked on it since."""
    record = read_record(path)
    if record is None or not unchanged(record):
        return None
    return FileEdit(path=path, before=read_bytes(path), after=record.original)


def remove_profile(change: FileEdit) -> None:
    put_back(change.path, change.after)


# Keeps the settings that are for one person alone out of git's sight, without touching a file that is shared.
#
# Where git does not ignore them already, a line goes into the repository's own `info/exclude`, which is never
# committed. A linked work tree shares that file with its repository, so git is asked where it lies.


_GIT_SECONDS = 5.0


def plan_exclude(root: str, settings: str) -> FileEdit | None:
    """The exclude file with a line for a settings file of the project; None where git ignores that already, tracks it
    or knows nothing.
    """
    path = exclude_file(root)
    if not path or is_tracked(root, settings) or _git(root, "check-ignore", "-q", settings) is not None:
        return None
    before = read_bytes(path)
    start = before or b""
    gap = b"" if not start or start.endswith(b"\n") else b"\n"
    return FileEdit(path=path, before=before, after=start + gap + settings.encode() + b"\n")


def write_exclude(change: FileEdit) -> None:
    """A second client may add its line to what the first one left there."""
    write_over(change.path, change.after or b"", change.before)


def plan_exclude_removal(path: str) -> FileEdit | None:
    """As it was before `init`; only our line goes where others were added since. None where we wrote nothing."""
    record, before = (read_record(path), read_bytes(path)) if path else (None, None)
    if record is None or before is None:
        return None
    if unchanged(record):
        return FileEdit(path=path, before=before, after=record.original)
    lines = before.splitlines(keepends=True)
    for settings in signs_of_all("local-settings"):
        ours = next((line for line in lines if line.rstrip(b"\r\n") == settings.encode()), None)
        if ours is not None:
            lines.remove(ours)
    return FileEdit(path=path, before=before, after=b"".join(lines))


def remove_exclude(change: FileEdit) -> None:
    put_back(change.path, change.after)


def exclude_file(root: str) -> str:
    """Empty where there is no repository, or no git."""
    told = _git(root, "rev-parse", "--git-path", "info/exclude")
    return os.path.normpath(os.path.join(root, told)) if told else ""  # noqa: PTH118 - git may answer relative to root


def is_tracked(root: str, settings: str) -> bool:
    return bool(_git(root, "ls-files", "--", settings))


def _git(root: str, *arguments: str) -> str | None:
    """What git printed; None when it failed, or said no."""
    printed = ask.run(root, arguments, _GIT_SECONDS)
    return None if printed is None else os.fsdecode(printed).rstrip("\n")
