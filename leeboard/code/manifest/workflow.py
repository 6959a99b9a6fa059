"""Actions and images that workflows on GitHub use."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.manifest._yaml_text import entries
from leeboard.code.manifest.container import image
from leeboard.code.manifest.package import Package


def read_workflow(text: str) -> Iterator[Package]:
    """`uses:` anywhere, without the actions of this repository; images of jobs, services and steps."""
    for path, value in entries(text):
        if path[-1] == "uses":
            yield from _used(value)
        elif path[0] == "jobs" and _is_image(path) and "${{" not in value:
            yield from image(value)


def _is_image(path: tuple[str, ...]) -> bool:
    inner = path[2:]
    return inner in {("container",), ("container", "image")} or (
        len(inner) == 3 and inner[0] == "services" and inner[2] == "image"
    )


def _used(value: str) -> Iterator[Package]:
    if value.startswith("docker://"):
        yield from image(value.removeprefix("docker://"))
        return
    name, _, version = value.partition("@")
    owner, slash, rest = name.partition("/")
    if slash and owner not in {"", ".", ".."}:
        yield Package("actions", f"{owner}/{rest.partition('/')[0]}", version)
