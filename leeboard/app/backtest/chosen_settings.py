"""The settings that recorded sessions are judged by: of a project, of a file that a person names, or none."""

from __future__ import annotations

import os
from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from leeboard.app.settings_files import LONGEST_FILE, read_project, settings_files
from leeboard.errors import ConfigError
from leeboard.io.file import read_regular
from leeboard.io.places import project_root
from leeboard.model.policy import Profile
from leeboard.settings.settings import Settings
from leeboard.settings.toml import parse


class ChosenSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings that sessions are judged by once more, and which files they came from."""

    settings: Settings
    source: str
    """For people: the files that counted."""
    notes: tuple[str, ...] = ()
    """What is wrong with them."""


BARE = ChosenSettings(settings=Settings(), source="the defaults")


def project_settings(root: str, env: Mapping[str, str]) -> ChosenSettings:
    """As a session that begins there now would find them: what a repository says without being trusted only counts
    where it is stricter.
    """
    found = read_project(root, env)
    files = list(settings_files(root))
    if found.project is not None and not found.project.said:
        del files[-1]
    elif found.project is not None and not found.trusted:
        files[-1] += " (not trusted, so only where it is stricter)"
    files += ["LEEBOARD_PROFILE"] if env.get("LEEBOARD_PROFILE", "").strip() else []
    files += [f"team policy {found.policy.serial}"] if found.policy else []
    return ChosenSettings(settings=found.settings, source=", ".join(files) or BARE.source, notes=found.notes)


def named_settings(path: str) -> ChosenSettings:
    """A file alone, all of it: a person names it, and nothing live goes by it. ConfigError for what is wrong."""
    try:
        text = read_regular(path, LONGEST_FILE, follow=True).decode("utf-8", "replace")
    except OSError as error:
        raise ConfigError(f"{path}: can not be read: {error.strerror}") from error
    return ChosenSettings(settings=parse(text, path), source=path)


def under_profile(chosen: ChosenSettings, profile: Profile | None) -> ChosenSettings:
    """The same under another profile; None leaves it."""
    if profile is None:
        return chosen
    settings = chosen.settings
    return replace(
        chosen,
        settings=replace(settings, policy=replace(settings.policy, profile=profile)),
        source=f"{chosen.source}, --profile {profile}",
    )


def session_settings(cwd: str, otherwise: ChosenSettings, env: Mapping[str, str]) -> ChosenSettings:
    """Those of the project a recorded session ran in, where it is still there."""
    if not cwd.startswith("/") or not os.path.isdir(cwd):  # noqa: PTH112 - names that are no valid text pass
        return otherwise
    return project_settings(project_root(cwd), env)
