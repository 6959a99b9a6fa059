"""`package.json` and the two files beside it that name packages: `deno.json` and `pnpm-workspace.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.manifest._json_text import parse_json, table, word, words
from leeboard.code.manifest._yaml_text import entries
from leeboard.code.manifest.package import Package, without_user
from leeboard.model.pattern import lazy

_GROUPS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_BUNDLED = ("bundledDependencies", "bundleDependencies")
_OWN = ("workspace:", "file:", "link:", "portal:", "./", "../", "/", "~/")
_SPECIFIER = lazy(r"(npm|jsr):/?((?:@[^/@\s]{1,200}/)?[^/@\s]{1,200})(?:@([^/\s]{0,200}))?")
_ADDRESS = lazy(r"https?://([^/\s]{1,200}/(?:x/)?@?[^/@\s]{1,200}(?:/[^/@\s]{1,200}(?=@))?)(?:@([^/\s]{0,200}))?")


def read_package_json(text: str) -> Iterator[Package]:
    """All groups of dependencies; members of the workspace and local folders are none."""
    whole = parse_json(text)
    for group in _GROUPS:
        for name, spec in table(whole, group).items():
            if not word(spec).startswith(_OWN):
                yield _aliased(name, word(spec))
    for group in _BUNDLED:
        yield from (Package("npm", name) for name in words(whole.get(group)))


def _aliased(name: str, spec: str) -> Package:
    """`"old": "npm:real@1"` is the package `real`."""
    found = specifier(spec) if spec.startswith(("npm:", "jsr:")) else None
    return found if found and "@" in spec[5:] else Package("npm", name, spec)


def specifier(spec: str) -> Package | None:
    """What `npm:name@1`, `jsr:@scope/name@1` or an address of a module stands for."""
    found = _SPECIFIER.match(spec)
    if found:
        return Package(found[1], found[2], found[3] or "")
    found = _ADDRESS.match(without_user(spec))
    return Package("url", found[1], found[2] or "") if found else None


def read_deno_json(text: str) -> Iterator[Package]:
    whole = parse_json(text)
    maps = (table(whole, "imports"), *(table(scope) for scope in table(whole, "scopes").values()))
    for spec in (word(spec) for imports in maps for spec in imports.values()):
        found = specifier(spec)
        if found:
            yield found


def read_pnpm_workspace(text: str) -> Iterator[Package]:
    """The catalogs that packages of the workspace choose from."""
    for path, value in entries(text):
        if (len(path) == 2 and path[0] == "catalog") or (len(path) == 3 and path[0] == "catalogs"):
            yield _aliased(path[-1], value)
