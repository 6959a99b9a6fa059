"""Each setting that counts in a project, with the place that decided it."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from leeboard.app.settings_files import read_project, settings_files
from leeboard.app.team_files import is_over
from leeboard.errors import ConfigError
from leeboard.io.clock import iso
from leeboard.io.file import read_start
from leeboard.io.places import config_dir
from leeboard.settings.over import tightened
from leeboard.settings.settings import LARGEST, Settings
from leeboard.settings.team_policy import TeamPolicy, tightens
from leeboard.settings.toml import (
    INTERRUPTS,
    is_readable,
    line_of,
    merge_environment,
    parse_tolerantly,
)

DEFAULT = "default"
_OWN, _PROJECT = "user", "project"
_LISTS = ("goal.scope", "goal.constraints", "truth.track", "protect.files")


class SettingView(msgspec.Struct, frozen=True, kw_only=True):
    """A setting as it counts here, whichever file set it."""

    kind: str = "setting"
    key: str
    """As it is written in leeboard.toml, with dots: `interrupts.budget`."""
    value: Any
    layer: str
    """The last layer that decided it: `default`, `user`, `project`, `environment` or `team`."""
    origin: tuple[str, ...]
    """File and line, or variable; several where lists of both files count."""
    asleep: str = ""
    """The place in the repository that says something else, which does not count because nobody trusted it."""


class SettingsPage(msgspec.Struct, frozen=True, kw_only=True):
    settings: tuple[SettingView, ...]
    notes: tuple[str, ...]
    """What is wrong with the files and variables."""


class _Layer(msgspec.Struct, frozen=True, kw_only=True):
    """One file of settings, as far as it is valid."""

    name: str
    path: str
    text: str
    settings: Settings

    def place(self, key: str) -> str:
        """File and line of a key."""
        prefix = ("tool", "leeboard") if Path(self.path).name == "pyproject.toml" else ()
        line = line_of(self.text, (*prefix, *key.split(".")))
        return f"{self.path}:{line}" if line else self.path

    def says(self, key: str) -> bool:
        table, _, name = key.partition(".")
        if table == "rules":
            return key.removesuffix(".enabled") in self.settings.said
        if table == "contract":
            return self.settings.contract is not None and name in self.settings.contract.table
        if table in {"judge", "team", "otel"}:
            return name in _own_keys(self.text, table)
        return key in self.settings.said


def settings_page(root: str, env: Mapping[str, str]) -> SettingsPage:
    found, bare = read_project(root, env), read_project(root, {})
    files = bare.untightened or bare.settings
    layers = tuple(_layers(root))
    rules = sorted({key for layer in layers for key in layer.settings.said if key.startswith("rules.")})
    views = (_view(key, value, layers, rules) for key, value in _values(files, rules))
    over = {view.key: view for view in _environment(files, env)}
    notes = found.notes
    if found.actor is not None and not found.trusted:
        notes = (*notes, f"{found.actor.place}: what loosens, runs or speaks to agents sleeps: see `leeboard trust`")
    kept = (view for view in views if view.key not in over)
    shown = (*over.values(), *kept)
    if found.policy is None or found.untightened is None:
        return SettingsPage(settings=shown, notes=notes)
    return _under_policy(shown, found.untightened, found.policy, notes)


def _under_policy(
    views: tuple[SettingView, ...], base: Settings, policy: TeamPolicy, notes: tuple[str, ...]
) -> SettingsPage:
    """What the team's policy tightened, with the policy as its origin; and what of it does not count."""
    place = f"team policy {policy.serial} for {policy.project}"
    counting = {key.removesuffix(".enabled") for key in tightens(base, policy)}
    after = dict(_values(tightened(base, policy.settings), [key for key in counting if key.startswith("rules.")]))
    told = []
    for view in views:
        if view.key.removesuffix(".enabled") not in counting:
            told.append(view)
            continue
        origin = (*view.origin, place) if view.key in _LISTS and view.layer != DEFAULT else (place,)
        told.append(msgspec.structs.replace(view, value=after[view.key], layer="team", origin=origin))
    known = {view.key for view in views}
    told += [
        SettingView(key=key, value=after[key], layer="team", origin=(place,))
        for key in after
        if key.removesuffix(".enabled") in counting and key not in known
    ]
    ignored = tuple(f"{place}: ignored, since a policy only tightens: {one}" for one in policy.ignored(base))
    expired = (
        (f"{place}: it expired at {iso(policy.expires)} and holds on; ask for a new one",) if is_over(policy) else ()
    )
    return SettingsPage(settings=tuple(told), notes=(*notes, *ignored, *expired))


def _layers(root: str) -> Iterator[_Layer]:
    """The repository's first: what it says goes over the user's own."""
    for path in reversed(settings_files(root)):
        try:
            text = read_start(path, LARGEST, follow=True).decode("utf-8", "replace")
        except OSError:
            continue
        name = _OWN if path == os.path.join(config_dir(), "leeboard.toml") else _PROJECT  # noqa: PTH118 - spelled as there
        yield _Layer(name=name, path=path, text=text, settings=parse_tolerantly(text, path)[0])


def _own_keys(text: str, table: str) -> Mapping[str, object]:
    """What a file says in a table of the user's own alone. One that is no TOML can not be asked so exactly."""
    try:
        found = tomllib.loads(text.removeprefix("\ufeff")).get(table, {}) if is_readable(text) else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _values(settings: Settings, rules: list[str]) -> Iterator[tuple[str, Any]]:
    """Every key and what it is; of rules, contract, judge, team and otel what some file says."""
    policy = settings.policy
    yield "profile", policy.profile
    minutes = policy.idle_seconds / 60
    yield "idle_minutes", int(minutes) if minutes.is_integer() else minutes
    yield from ((f"{key}.enabled", key.removeprefix("rules.") not in policy.disabled_rules) for key in rules)
    yield from ((f"interrupts.{name}", getattr(policy, field)) for name, field in INTERRUPTS.items())
    lists = (settings.scope, settings.constraints, settings.track, policy.protected)
    yield from zip(_LISTS, map(list, lists), strict=True)
    yield from ((f"keep.{name}", value) for name, value in msgspec.structs.asdict(settings.keep).items())
    if settings.contract is not None:
        yield from ((f"contract.{key}", value) for key, value in settings.contract.table.items())
    if settings.judge is not None:
        yield from ((f"judge.{key}", value) for key, value in msgspec.structs.asdict(settings.judge).items() if value)
    if settings.team is not None:
        yield from ((f"team.{key}", value) for key, value in msgspec.structs.asdict(settings.team).items() if value)
    if settings.otel is not None:
        yield from ((f"otel.{key}", value) for key, value in settings.otel.shown.items() if value)


def _view(key: str, value: Any, layers: tuple[_Layer, ...], rules: list[str]) -> SettingView:
    saying = [layer for layer in layers if layer.says(key)]
    counting = [layer for layer in saying if _holds(dict(_values(layer.settings, rules)).get(key), value)]
    if key not in _LISTS:
        counting = counting[:1]
    asleep = next((layer.place(key) for layer in saying if layer.name == _PROJECT and layer not in counting), "")
    return SettingView(
        key=key,
        value=value,
        layer=counting[0].name if counting else DEFAULT,
        origin=tuple(layer.place(key) for layer in counting) or (DEFAULT,),
        asleep=asleep,
    )


def _holds(said: Any, value: Any) -> bool:
    """Whether what a layer says is in what counts; of lists all layers together do."""
    return set(said) <= set(value) if isinstance(said, list) and isinstance(value, list) else bool(said == value)


def _environment(files: Settings, env: Mapping[str, str]) -> Iterator[SettingView]:
    """What variables decide over all files."""
    if not _merged(files, env, "LEEBOARD_OFF").enabled:
        yield SettingView(key="enabled", value=False, layer="environment", origin=("LEEBOARD_OFF",))
    profile = _merged(files, env, "LEEBOARD_PROFILE").policy.profile
    if env.get("LEEBOARD_PROFILE", "").strip() == profile:
        yield SettingView(key="profile", value=profile, layer="environment", origin=("LEEBOARD_PROFILE",))


def _merged(files: Settings, env: Mapping[str, str], name: str) -> Settings:
    """With one variable over them; one that is not valid says nothing."""
    try:
        return merge_environment(files, {name: env.get(name, "")})
    except ConfigError:
        return files
