"""`pubspec.yaml` and `pubspec.lock`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from leeboard.code.manifest._yaml_text import entries
from leeboard.code.manifest.package import Package

_GROUPS = {"dependencies", "dev_dependencies"}


def read_pubspec(text: str) -> Iterator[Package]:
    """Hosted packages and those from git; the SDK and folders of this repository are none."""
    yield from _listed(text, _GROUPS, {"sdk", "path"})


def read_pubspec_lock(text: str) -> Iterator[Package]:
    yield from _listed(text, {"packages"}, ())


def _listed(text: str, groups: Iterable[str], not_by: Iterable[str]) -> Iterator[Package]:
    versions: dict[str, str] = {}
    left_out: set[str] = set()
    for path, value in entries(text):
        if len(path) < 2 or path[0] not in groups:
            continue
        if len(path) == 2:
            versions[path[1]] = value
            if value.startswith("{") and any(f"{key}:" in value for key in not_by):
                left_out.add(path[1])
        elif path[2] in not_by or (path[2:] == ("source",) and value in {"sdk", "path"}):
            left_out.add(path[1])
        elif path[2] == "version":
            versions[path[1]] = value
    yield from (Package("pub", name, version) for name, version in versions.items() if name not in left_out)
