"""`pom.xml`: dependencies, plugins, extensions and the parent."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.manifest._markup import elements
from leeboard.code.manifest.package import Package

_PLACES = {"dependency", "plugin", "extension", "parent"}
_OF_PLUGINS = "org.apache.maven.plugins"
_OWN = {"${project.groupId}", "${pom.groupId}", "${groupId}", "${project.parent.groupId}"}


def read_pom(text: str) -> Iterator[Package]:
    for element in elements(text):
        given = element.children
        artifact = given.get("artifactId", "")
        if element.name not in _PLACES or not artifact:
            continue
        if element.name == "parent" and ("relativePath" in given or element.parent != "project"):
            continue  # a parent that lies in this repository
        group = given.get("groupId") or (_OF_PLUGINS if element.name == "plugin" else "")
        if group and group not in _OWN:
            yield Package("maven", f"{group}:{artifact}", given.get("version", ""))
