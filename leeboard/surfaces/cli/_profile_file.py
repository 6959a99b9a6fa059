"""The profile in leeboard.toml, changed so that comments and order stay."""

from __future__ import annotations

from pathlib import Path
from posixpath import basename

from leeboard.app.settings_files import read_project, settings_actor
from leeboard.errors import ConfigError
from leeboard.io import trust
from leeboard.io.places import config_dir
from leeboard.model.policy import Profile
from leeboard.surfaces.cli._hook_place import Change, Scope, naming, text_at
from leeboard.surfaces.cli._kept_file import (
    put_back,
    read_bytes,
    read_record,
    unchanged,
    write_over,
)
from leeboard.wire import leeboard_toml
from leeboard.wire.leeboard_toml import Settings


def profile_file(scope: Scope, root: str) -> str:
    """The project's own file, or the user's for all projects."""
    return str(Path(config_dir() if scope == "user" else root) / "leeboard.toml")


def plan_profile(path: str, profile: Profile) -> Change:
    """The file with this profile. ConfigError when it is not valid as it stands."""
    import tomlkit  # noqa: PLC0415 - only this option needs it
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415 - as above

    before, text = read_bytes(path), text_at(path)
    leeboard_toml.parse(text, path)
    with naming(path):
        try:
            document = tomlkit.parse(text)
        except TOMLKitError as error:
            raise ConfigError(f"not valid TOML: {error}") from error
    if document.get("profile") == profile:
        return Change(path=path, before=before, after=before)
    document["profile"] = profile
    after = tomlkit.dumps(document)
    leeboard_toml.parse(after, path)
    return Change(path=path, before=before, after=after.encode())


def write_profile(change: Change) -> None:
    write_over(change.path, change.after or b"", change.before)


def trust_profile(root: str, change: Change) -> None:
    """The person who ran `init` wrote it: it counts here, where nothing but the profile asks for trust.

    What else stands in the file, and was not trusted before, still has to be looked at.
    """
    read = read_project(root, {})
    before = leeboard_toml.parse_tolerantly((change.before or b"").decode("utf-8", "replace"), change.path)[0]
    known = trust.known(root).record
    counted = settings_actor(Settings(), before, basename(change.path)) if before.said else None
    others = set(read.project.said) - {"profile"} if read.project else set()
    if read.actor and (not others or (counted and known.trusts(counted.part, counted.digest))):
        trust.grant(root, [read.actor], trust.MADE_HERE)


def plan_profile_removal(path: str) -> Change | None:
    """As it was before `init --profile`; None when we did not write it, or somebody has worked on it since."""
    record = read_record(path)
    if record is None or not unchanged(record):
        return None
    return Change(path=path, before=read_bytes(path), after=record.original)


def remove_profile(change: Change) -> None:
    put_back(change.path, change.after)
