"""Project files of .NET, central versions, `packages.config`, the lock file and the list of tools."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.manifest._json_text import parse_json, table, word
from leeboard.code.manifest._markup import elements
from leeboard.code.manifest.package import Package

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
