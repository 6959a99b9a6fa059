"""`flake.nix` and `flake.lock`: inputs are known by where they come from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from leeboard.code.manifest._json_text import parse_json, table, word
from leeboard.code.manifest.package import Package, without_user
from leeboard.model.pattern import lazy

_COMMENT = lazy(r"(?m)^[ \t]{0,200}\#.*$")
_URL = lazy(
    r"""\burl\s{0,9}=\s{0,9}"((?:github|gitlab|sourcehut|flake|git\+[a-z]{1,8}):[^"\s]{1,300}|nixpkgs[^"\s]{0,80})\""""
)


def read_flake(text: str) -> Iterator[Package]:
    for found in _URL.finditer(_COMMENT.sub("", text)):
        yield _input(found[1])


def _input(address: str) -> Package:
    kind, _, rest = without_user(address).partition(":")
    plain = rest.partition("?")[0]
    if kind in {"github", "gitlab", "sourcehut"}:
        owner, repository, *version = f"{plain}/".split("/")
        return Package("nix", f"{owner}/{repository}", "/".join(version).strip("/"))
    if kind in {"flake", "nixpkgs"} or not rest:
        return Package("nix", (plain or kind).partition("/")[0], (plain or kind).partition("/")[2])
    return Package("nix", plain.strip("/"))


def read_flake_lock(text: str) -> Iterator[Package]:
    whole = parse_json(text)
    root = word(whole.get("root")) or "root"
    for name, node in table(whole, "nodes").items():
        if name != root and table(node, "locked").get("type") != "path":
            yield Package("nix", _place(table(node, "original")) or _place(table(node, "locked")) or name, "")


def _place(source: dict[str, Any]) -> str:
    if word(source.get("owner")) and word(source.get("repo")):
        return f"{source['owner']}/{source['repo']}"
    return word(source.get("id")) or without_user(word(source.get("url"))).partition("?")[0].partition("://")[2].strip(
        "/"
    )
