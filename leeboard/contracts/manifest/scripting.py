"""Manifests and lock files of JavaScript, Ruby, PHP and Elixir."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from leeboard.contracts.manifest.formats import entries, parse_json, rows, table, word, words
from leeboard.contracts.manifest.package import Package, unquoted, without_user
from leeboard.model.text import lazy

_GEM = lazy(r"""\s{0,80}gem[\s(]{1,9}["']([\w.\-]{1,200})["'](?:\s{0,9},\s{0,9}["']([^"']{0,80})["'])?(.*)""")
_OWN = lazy(r"\bpath(?::|['\"]?\s{0,3}=>)")
_ADDED = lazy(
    r"""\.add_(?:runtime_|development_)?dependency[\s(]{1,9}["']([\w.\-]{1,200})["'](?:\s{0,9},\s{0,9}["']([^"']{0,80})["'])?"""
)
_LOCKED = lazy(r" {4}([\w.\-]{1,200})(?: \(([^)]{0,80})\))?\s*$")


def read_gemfile(text: str) -> Iterator[Package]:
    for line in text.split("\n"):
        found = _GEM.match(line)
        if found and not _OWN.search(found[3].partition("#")[0]):
            yield Package("gem", found[1], found[2] or "")


def read_gemspec(text: str) -> Iterator[Package]:
    for line in text.split("\n"):
        found = _ADDED.search(line)
        if found and not line.lstrip().startswith("#"):
            yield Package("gem", found[1], found[2] or "")


def read_gemfile_lock(text: str) -> Iterator[Package]:
    """The specs of every remote; those below PATH are of this repository."""
    section = ""
    for line in text.split("\n"):
        if line[:1].isalpha():
            section = line.strip()
        found = _LOCKED.match(line) if section in {"GEM", "GIT"} else None
        if found:
            yield Package("gem", found[1], found[2] or "")


# `composer.json` and `composer.lock`.


def read_composer_json(text: str) -> Iterator[Package]:
    """Packages have a vendor: what has none is the language, an extension or the manager itself."""
    whole = parse_json(text)
    for group in ("require", "require-dev"):
        for name, version in table(whole, group).items():
            if "/" in name:
                yield Package("composer", name.lower(), word(version))


def read_composer_lock(text: str) -> Iterator[Package]:
    whole = parse_json(text)
    for group in ("packages", "packages-dev"):
        for entry in rows(whole.get(group)):
            if word(entry.get("name")):
                yield Package("composer", word(entry["name"]).lower(), word(entry.get("version")))


# `mix.exs` and `mix.lock`.


_ENTRY = lazy(
    r"""\{\s{0,80}:(\w{1,200})\s{0,9},\s{0,80}(?:"((?:~>|[<>=!]=?)?\s{0,3}\d[^"]{0,80})"|(?:git|github|hex|organization):)([^}]{0,400})"""
)
_COMMENT = lazy(r"(?m)^[ \t]{0,200}\#.*$")
_ELIXIR_OWN = lazy(r"\b(?:path|in_umbrella):")
_ELIXIR_LOCKED = lazy(r"""\s{0,20}"(\w{1,200})":\s?\{:\w{1,20},\s?(?::\w{1,200}|"[^"]{0,300}"),\s?"([^"]{0,100})\"""")


def read_mix(text: str) -> Iterator[Package]:
    """Tuples that say a version or where it comes from."""
    for found in _ENTRY.finditer(_COMMENT.sub("", text)):
        if not _ELIXIR_OWN.search(found[3]):
            yield Package("hex", found[1], found[2] or "")


def read_mix_lock(text: str) -> Iterator[Package]:
    for line in text.split("\n"):
        found = _ELIXIR_LOCKED.match(line)
        if found:
            yield Package("hex", found[1], found[2])


# JavaScript.


_GROUPS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_BUNDLED = ("bundledDependencies", "bundleDependencies")
_LOCAL = ("workspace:", "file:", "link:", "portal:", "./", "../", "/", "~/")
_SPECIFIER = lazy(r"(npm|jsr):/?((?:@[^/@\s]{1,200}/)?[^/@\s]{1,200})(?:@([^/\s]{0,200}))?")
_ADDRESS = lazy(r"https?://([^/\s]{1,200}/(?:x/)?@?[^/@\s]{1,200}(?:/[^/@\s]{1,200}(?=@))?)(?:@([^/\s]{0,200}))?")


def read_package_json(text: str) -> Iterator[Package]:
    """All groups of dependencies; members of the workspace and local folders are none."""
    whole = parse_json(text)
    for group in _GROUPS:
        for name, spec in table(whole, group).items():
            if not word(spec).startswith(_LOCAL):
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


# Lock files of JavaScript: npm, yarn (both kinds), pnpm, bun and deno.


_NAMED = lazy(r"((?:@[^/@\s]{1,200}/)?[^/@\s]{1,200})@([^\s]{0,1000})")
_PNPM_OLD = lazy(r"/((?:@[^/@\s]{1,200}/)?[^/@\s]{1,200})/(\d[^\s/]{0,200})$")
_OWN_FOLDER = ("workspace:", "link:", "portal:", "file:")


def read_package_lock(text: str) -> Iterator[Package]:
    """`package-lock.json` of every version, and `npm-shrinkwrap.json`."""
    whole = parse_json(text)
    if "packages" in whole:
        for place, entry in table(whole, "packages").items():
            _, inside, name = place.rpartition("node_modules/")
            if inside and not table(entry).get("link"):
                yield Package("npm", word(table(entry).get("name")) or name, word(table(entry).get("version")))
        return
    waiting: list[Any] = [table(whole, "dependencies")]
    while waiting:
        for name, entry in waiting.pop().items():
            if not word(table(entry).get("version")).startswith(_OWN_FOLDER):
                yield Package("npm", name, word(table(entry).get("version")))
            waiting.append(table(entry, "dependencies"))


def read_yarn_lock(text: str) -> Iterator[Package]:
    """Headings such as `"a@^1", "a@^2":`; the newer kind names the protocol too (`a@npm:^1`)."""
    for line in text.split("\n"):
        heading = line.rstrip()
        if not heading.endswith(":") or heading[0] in " #\t" or heading.startswith("__"):
            continue
        found = _NAMED.match(unquoted(heading[:-1]).partition(",")[0].strip("\"' "))
        if found and not found[2].startswith(_OWN_FOLDER):
            aliased = specifier(found[2]) if "@" in found[2] and found[2].startswith("npm:") else None
            yield aliased or Package("npm", found[1], found[2])


def read_pnpm_lock(text: str) -> Iterator[Package]:
    """Keys such as `/a/1.0.0`, `/a@1.0.0` and `a@1.0.0(peer@2)`."""
    for path, _value in entries(text):
        if len(path) == 2 and path[0] in {"packages", "snapshots"}:
            plain = path[1].partition("(")[0]
            found = _PNPM_OLD.match(plain.partition("_")[0]) or _NAMED.match(plain.removeprefix("/"))
            if found and not found[2].startswith(_OWN_FOLDER):
                yield Package("npm", found[1], found[2])


def read_bun_lock(text: str) -> Iterator[Package]:
    for entry in table(parse_json(text), "packages").values():
        found = _NAMED.match(word(entry[0]) if isinstance(entry, list) and entry else "")
        if found and not found[2].startswith(_OWN_FOLDER):
            yield Package("npm", found[1], found[2])


def read_deno_lock(text: str) -> Iterator[Package]:
    whole = parse_json(text)
    for registry in ("npm", "jsr"):
        for key in (*table(whole, registry), *table(whole, "packages", registry)):
            found = _NAMED.match(key)
            if found:
                yield Package(registry, found[1], found[2].partition("_")[0])
    for address in table(whole, "remote"):
        found_url = specifier(address)
        if found_url:
            yield found_url
