"""`build.gradle`, its Kotlin form, the version catalog and the lock file of Gradle; `pom.xml` of Maven."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.contracts.manifest.formats import elements, parse_toml, table, word
from leeboard.contracts.manifest.package import Package
from leeboard.model.text import lazy

_COORDINATES = lazy(
    r"""(?:dependencies\s?\{\s?)?(?!(?:include\w{0,9}|project|dependsOn|mustRunAfter|shouldRunAfter|finalizedBy|println|exclude|"""
    r"""tasks?|named|description|apply)\b)[A-Za-z]\w{0,80}[\s(]{1,9}(?:[A-Za-z]\w{0,40}[\s(]{1,9}){0,2}"""
    r"""["']([\w.\-]{1,200}):([\w.\-]{1,200})(?::([^"'@:]{0,80}))?[^"']{0,80}["']"""
)
_IN_PARTS = lazy(
    r"""\bgroup\s{0,3}[:=]\s{0,3}["']([\w.\-]{1,200})["']\s{0,3},\s{0,3}name\s{0,3}[:=]\s{0,3}["']([\w.\-]{1,200})["']"""
    r"""(?:\s{0,3},\s{0,3}version\s{0,3}[:=]\s{0,3}["']([^"']{0,80})["'])?"""
)
_PLUGIN = lazy(
    r"""(?:plugins\s?\{\s?)?(id|kotlin)[\s(]{1,9}["']([\w.\-]{1,200})["'](?:\s?\))?(?:\s{1,9}version[\s(]{1,9}["']([^"']{0,80})["'])?"""
)
_LOCKED = lazy(r"([\w.\-]{1,200}):([\w.\-]{1,200}):([^=\s:]{1,100})=")


def read_build(text: str) -> Iterator[Package]:
    """Coordinates in calls, and plugins; names from a catalog stand in the catalog."""
    for raw in text.split("\n"):
        line = raw.strip()
        if line.startswith(("//", "*", "/*")):
            continue
        plugin = _PLUGIN.match(line)
        found = _IN_PARTS.search(line) or _COORDINATES.match(line)
        if plugin and ("." in plugin[2] or plugin[3]):
            prefix = "org.jetbrains.kotlin." if plugin[1] == "kotlin" else ""
            yield Package("gradle", f"{prefix}{plugin[2]}", plugin[3] or "")
        elif found:
            yield Package("maven", f"{found[1]}:{found[2]}", found[3] or "")


def read_catalog(text: str) -> Iterator[Package]:
    """`libs.versions.toml`."""
    whole = parse_toml(text)
    for entry in table(whole, "libraries").values():
        given = table(entry)
        module = word(entry) or word(given.get("module")) or f"{given.get('group')}:{given.get('name')}"
        group, _, rest = module.partition(":")
        artifact, _, version = rest.partition(":")
        yield Package("maven", f"{group}:{artifact}", version or _version(given.get("version")))
    for entry in table(whole, "plugins").values():
        name, _, version = (word(entry) or word(table(entry).get("id"))).partition(":")
        if name:
            yield Package("gradle", name, version or _version(table(entry).get("version")))


def _version(value: object) -> str:
    return word(value) or word(table(value).get("ref"))


def read_gradle_lock(text: str) -> Iterator[Package]:
    for line in text.split("\n"):
        found = _LOCKED.match(line)
        if found:
            yield Package("maven", f"{found[1]}:{found[2]}", found[3])


# `pom.xml`: dependencies, plugins, extensions and the parent.


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
