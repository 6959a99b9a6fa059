"""Studios: those that come with the package, and a project's own below `.haiku/studios/`.

A project's folder of the same name lies over the built-in one file by file, so that one hat can be replaced and all
else kept. Links are not followed, and a definition that can not be read is a problem of that studio, never a crash.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

import msgspec

import leeboard
from leeboard.io import system
from leeboard.model.studio import StageSpec, Studio
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.trusted import settings_text, studios_count
from leeboard.plan.files.files import parse_settings, safe_id
from leeboard.plan.files.studio import included_agents, parse_stage_spec, parse_studio

PROJECT = ".haiku/studios"
LARGEST, MOST_FILES = 1 << 18, 500
_STAGE_FOLDERS = ("", "hats", "fix-hats", "review-agents", "discovery", "outputs", "phases")
_BUILT_IN = os.path.abspath(f"{leeboard.__path__[0]}/studios")  # noqa: PTH100 - pathlib costs the hook process its import

Texts = Mapping[str, str]


def load_studio(root: str, name: str) -> Studio | None:
    """The studio of this folder, name, slug or alias; a project's own wins where it is trusted. None: there is none."""
    wanted = name.strip().lower()
    if not wanted:
        return None
    own = _own(root)
    return _laid_over_studio(root, own, wanted) if own and studios_count(root) else _built_in_studio(wanted)


def _laid_over_studio(root: str, own: str, wanted: str) -> Studio | None:
    """Read again where anything of the project's own changed."""
    from leeboard.plan.disk.page_cache import TREES  # noqa: PLC0415 - most projects have none of their own

    known = TREES.made(own, dict[str, Studio | None])
    if wanted not in known:
        known[wanted] = _found(root, wanted)
    return known[wanted]


@lru_cache(maxsize=64)
def _built_in_studio(wanted: str) -> Studio | None:
    """They do not change while the package runs."""
    return _found("", wanted)


def _found(root: str, wanted: str) -> Studio | None:
    folders = _folders(root)
    heads = {folder: _head(root, folder) for folder in folders}
    by_folder = [folder for folder in folders if folder.lower() == wanted]
    found = by_folder or [folder for folder, head in heads.items() if wanted in _names(head)]
    return _studio(root, found[0], heads[found[0]]) if found else None


DEFAULT = "everyday"
"""Unless the project's settings, or whoever begins the work, name another."""


def default_studio(home: str) -> str:
    """What a piece of work goes through where nobody chose."""
    return parse_settings(settings_text(PlanFolder(home))).studio or DEFAULT


def list_studios(root: str) -> tuple[Studio, ...]:
    """All of them, the project's own first where they are trusted."""
    root = root if studios_count(root) else ""
    return tuple(_studio(root, folder, _head(root, folder)) for folder in _folders(root))


def _names(studio: Studio) -> set[str]:
    return {studio.name.lower(), studio.slug.lower(), *(alias.lower() for alias in studio.aliases)}


def _folders(root: str) -> list[str]:
    own = _own(root)
    return list(dict.fromkeys([*(_subfolders(own) if own else ()), *_subfolders(_BUILT_IN)]))


def _own(root: str) -> str:
    """The project's studios, unless a link leads there. Of no project: none."""
    if not root:
        return ""
    place = layout.policy_home(root, "studios")
    for part in PROJECT.split("/"):
        place = f"{place}/{part}"
        if not _is_folder(place):
            return ""
    return place


def _head(root: str, folder: str) -> Studio:
    text = _laid_over(root, f"{folder}/STUDIO.md")
    if text is None:
        return Studio(slug=folder, name=folder, problems=("STUDIO.md is not there or can not be read",))
    return _parsed_studio(text, folder)


def _studio(root: str, folder: str, head: Studio) -> Studio:
    texts = _texts(root, folder)
    stages = tuple(_stage(texts, stage) for stage in head.stages)
    return msgspec.structs.replace(head, stages=stages)


def _stage(texts: Texts, head: StageSpec) -> StageSpec:
    if not safe_id(head.name, "stage"):
        problem = f"{head.name[:60]!r} can not be the name of a stage"
        return msgspec.structs.replace(head, review=("ask",), problems=(problem,))
    own = _below(texts, f"stages/{head.name}/")
    shared = {path: text for path, text in texts.items() if path.startswith("fix-hats/")}
    borrowed = dict(_borrowed(texts, own.get("STAGE.md", "")))
    return _parsed_stage(tuple({**shared, **borrowed, **own}.items()), head.name, head.model)


@lru_cache(maxsize=64)
def _parsed_studio(text: str, folder: str) -> Studio:
    """Known by what the file says: a server looks at the same definitions at each tick."""
    return parse_studio(text, folder)


@lru_cache(maxsize=64)
def _parsed_stage(texts: tuple[tuple[str, str], ...], name: str, model: str) -> StageSpec:
    return parse_stage_spec(dict(texts), name, model)


def _borrowed(texts: Texts, stage_text: str) -> Iterator[tuple[str, str]]:
    for stage, agent in included_agents(stage_text):
        path = f"review-agents/{agent}.md"
        if f"stages/{stage}/{path}" in texts:
            yield path, texts[f"stages/{stage}/{path}"]


def _below(texts: Texts, prefix: str) -> dict[str, str]:
    return {path.removeprefix(prefix): text for path, text in texts.items() if path.startswith(prefix)}


def _texts(root: str, folder: str) -> dict[str, str]:
    own = _own(root)
    laid_over = _folder_texts(f"{own}/{folder}") if own and _is_folder(f"{own}/{folder}") else {}
    return {**_built_in(folder), **laid_over}


@cache
def _built_in(folder: str) -> dict[str, str]:
    """They do not change while the package runs."""
    return _folder_texts(f"{_BUILT_IN}/{folder}")


def _laid_over(root: str, path: str) -> str | None:
    own = _own(root)
    folder = path.partition("/")[0]
    mine = _read(f"{own}/{path}") if own and _is_folder(f"{own}/{folder}") else None
    return _read(f"{_BUILT_IN}/{path}") if mine is None else mine


def _folder_texts(place: str) -> dict[str, str]:
    """The markdown files of a studio by their path in it; what no stage could use is not read."""
    stages = _subfolders(f"{place}/stages") if _is_folder(f"{place}/stages") else ()
    within = ["fix-hats", *(f"stages/{stage}/{part}".rstrip("/") for stage in stages for part in _STAGE_FOLDERS)]
    texts: dict[str, str] = {}
    for folder in within:
        for name in _pages(f"{place}/{folder}"):
            text = _read(f"{place}/{folder}/{name}") if len(texts) < MOST_FILES else None
            if text is not None:
                texts[f"{folder}/{name}"] = text
    return texts


def _pages(place: str) -> list[str]:
    return [name for name in _entries(place) if name.endswith(".md")] if _is_folder(place) else []


def _subfolders(place: str) -> list[str]:
    return [name for name in _entries(place) if safe_id(name, "stage") and _is_folder(f"{place}/{name}")]


def _entries(place: str) -> list[str]:
    try:
        with os.scandir(place) as found:
            return sorted(entry.name for entry in found)
    except (OSError, ValueError):
        return []


def _is_folder(place: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(place).st_mode)
    except (OSError, ValueError):
        return False


def _read(place: str) -> str | None:
    """A regular file of a page's size; None for everything else."""
    try:
        descriptor = os.open(place, os.O_RDONLY | system.NOFOLLOW | system.NONBLOCK | system.CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        seen = os.fstat(descriptor)
        if not stat.S_ISREG(seen.st_mode) or seen.st_size > LARGEST:
            return None
        data = os.read(descriptor, seen.st_size)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return data.decode("utf-8", "replace")
