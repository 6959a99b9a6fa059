"""Manifests and lock files of Rust, Go, Swift, Dart, .NET and the JVM."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from leeboard.contracts.manifest.formats import blocks, elements, entries, parse_json, parse_toml, rows, table, word
from leeboard.contracts.manifest.package import Package, unquoted, without_user
from leeboard.model.text import lazy

_GROUPS = ("dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies")


def read_cargo_toml(text: str) -> Iterator[Package]:
    """Dependencies of the package, the workspace and each target; crates of this repository are none."""
    whole = parse_toml(text)
    for place in (whole, table(whole, "workspace"), *table(whole, "target").values()):
        for group in _GROUPS:
            yield from _crates(table(place, group))


def _crates(group: dict[str, Any]) -> Iterator[Package]:
    for name, spec in group.items():
        given = table(spec)
        if "path" not in given:
            version = word(spec) or next((word(given[key]) for key in ("version", "tag", "rev") if key in given), "")
            yield Package("cargo", word(given.get("package")) or name, version)


def read_cargo_lock(text: str) -> Iterator[Package]:
    for block in blocks(text, "package"):
        if block.get("name") and block.get("source"):
            yield Package("cargo", block["name"], block.get("version", ""))


# `go.mod` and `go.sum`.


def read_go_mod(text: str) -> Iterator[Package]:
    """What is required, and what another module is replaced by; `// indirect` is what others need."""
    block = ""
    for raw in text.split("\n"):
        line, _, comment = raw.strip().partition("//")
        words = line.split()
        if not words:
            continue
        if words[0] == ")":
            block = ""
        elif words[-1] == "(" and len(words) == 2:
            block = words[0]
        else:
            verb, rest = (block, words) if block else (words[0], words[1:])
            yield from _named(verb, rest, transitive=comment.strip().startswith("indirect"))


def _named(verb: str, words: list[str], *, transitive: bool) -> Iterator[Package]:
    if verb == "replace" and "=>" in words:
        words = words[words.index("=>") + 1 :]
        if len(words) < 2:
            return  # a folder of this machine
    if verb in {"require", "replace"} and len(words) >= 2:
        yield Package("go", unquoted(words[0]), words[1], transitive)


def read_go_sum(text: str) -> Iterator[Package]:
    """Modules whose content is used: a line for its `go.mod` alone is only looked at."""
    for line in text.split("\n"):
        words = line.split()
        if len(words) == 3 and not words[1].endswith("/go.mod"):
            yield Package("go", words[0], words[1])


# `Package.swift` and `Package.resolved`: packages are known by the address they come from.


_COMMENT = lazy(r"(?m)^[ \t]{0,200}//.*$")
_PACKAGE = lazy(
    r"""\.package\(\s{0,80}(?:name:\s{0,9}"[^"]{0,200}"\s{0,9},\s{0,80})?(?:url|id):\s{0,9}"([^"]{1,400})"([^)]{0,200})"""
)
_VERSION = lazy(r"""["](\d[^"]{0,60})["]""")
_SCHEME = lazy(r"(?:[a-z+]{1,10}://)?(?:[\w.\-]{1,80}@)?")


def read_package_swift(text: str) -> Iterator[Package]:
    for found in _PACKAGE.finditer(_COMMENT.sub("", text)):
        version = _VERSION.search(found[2])
        yield Package("swift", _place(found[1]), version[1] if version else "")


def read_package_resolved(text: str) -> Iterator[Package]:
    whole = parse_json(text)
    for pin in (*rows(whole.get("pins")), *rows(table(whole, "object").get("pins"))):
        address = word(pin.get("location")) or word(pin.get("repositoryURL")) or word(pin.get("identity"))
        if address:
            yield Package("swift", _place(address), word(table(pin, "state").get("version")))


def _place(address: str) -> str:
    """`https://host/a/b.git` and `git@host:a/b` are both `host/a/b`."""
    plain = without_user(address)
    scheme = _SCHEME.match(plain)
    plain = plain[scheme.end() :] if scheme else plain
    return plain.replace(":", "/", 1).rstrip("/").removesuffix(".git").lower()


# `pubspec.yaml` and `pubspec.lock`.


_DART_GROUPS = {"dependencies", "dev_dependencies"}


def read_pubspec(text: str) -> Iterator[Package]:
    """Hosted packages and those from git; the SDK and folders of this repository are none."""
    yield from _listed(text, _DART_GROUPS, {"sdk", "path"})


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


# Project files of .NET, central versions, `packages.config`, the lock file and the list of tools.


_REFERENCES = {
    "PackageReference",
    "PackageVersion",
    "GlobalPackageReference",
    "PackageDownload",
    "DotNetCliToolReference",
}


def read_project(text: str) -> Iterator[Package]:
    """`*.csproj` and its kin, and the `*.props` they share."""
    for element in elements(text):
        if element.name in _REFERENCES:
            version = element.attributes.get("Version") or element.children.get("Version", "")
            for name in element.attributes.get("Include", "").split(";"):
                if name.strip():
                    yield Package("nuget", name.strip(), version)


def read_packages_config(text: str) -> Iterator[Package]:
    for element in elements(text):
        if element.name == "package" and element.attributes.get("id"):
            yield Package("nuget", element.attributes["id"], element.attributes.get("version", ""))


def read_packages_lock(text: str) -> Iterator[Package]:
    for framework in table(parse_json(text), "dependencies").values():
        for name, entry in table(framework).items():
            if table(entry).get("type") != "Project":
                yield Package("nuget", name, word(table(entry).get("resolved")))


def read_tools(text: str) -> Iterator[Package]:
    """`dotnet-tools.json`."""
    for name, entry in table(parse_json(text), "tools").items():
        yield Package("nuget", name, word(table(entry).get("version")))


# Gradle and Maven.


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
