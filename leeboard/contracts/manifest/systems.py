"""What is named around a program: images of containers, environments of conda, flakes of nix, actions of GitHub."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from leeboard.contracts.manifest.formats import entries, flow_items, parse_json, table, word
from leeboard.contracts.manifest.package import Package, without_user
from leeboard.contracts.manifest.python import requirement
from leeboard.model.text import lazy

_ARG = lazy(r"(?i)\s{0,80}ARG\s{1,9}(\w{1,100})=(\S{0,300})")
_FROM = lazy(r"(?i)\s{0,80}FROM\s{1,9}(?:--\w{1,20}=\S{1,200}\s{1,9}){0,3}(\S{1,300})(?:\s{1,9}AS\s{1,9}(\S{1,200}))?")
_COPIED = lazy(r"(?i)\s{0,80}(?:COPY|ADD)\s{1,9}(?:--\w{1,20}=\S{1,200}\s{1,9}){0,3}?--from=(\S{1,300})")
_VARIABLE = lazy(r"\$\{?(\w{1,100})(?::?-([^}\s]{0,200}))?\}?")


def read_dockerfile(text: str) -> Iterator[Package]:
    """The images stages begin with or copy from; `scratch` and other stages are none."""
    known: dict[str, str] = {}
    stages = {"scratch"}
    for line in text.replace("\r", "").replace("\\\n", " ").split("\n"):
        given = _ARG.match(line)
        if given:
            known.setdefault(given[1], given[2].strip("\"'"))
        begun = _FROM.match(line)
        found = begun or _COPIED.match(line)
        if found and found[1].lower() not in stages and not found[1].isdigit():
            yield from image(_filled(found[1], known))
        if begun and begun[2]:
            stages.add(begun[2].lower())


def read_compose(text: str) -> Iterator[Package]:
    """Images of services; one that is built here is none."""
    images: dict[str, str] = {}
    built: set[str] = set()
    for path, value in entries(text):
        if len(path) == 3 and path[0] == "services" and path[2] == "image":
            images[path[1]] = value
        elif len(path) >= 3 and path[0] == "services" and path[2] == "build":
            built.add(path[1])
    for service, reference in images.items():
        if service not in built:
            yield from image(_filled(reference, {}))


def image(reference: str) -> Iterator[Package]:
    """The image without tag and digest, as the version; nothing where its name is not known here."""
    name, _, digest = reference.strip("\"'").partition("@")
    folder, slash, last = name.rpartition("/")
    base, _, tag = last.partition(":")
    plain = f"{folder}{slash}{base}".removeprefix("docker.io/").removeprefix("library/")
    if base and "$" not in plain and "{" not in plain:
        yield Package("docker", plain, tag or digest)


def _filled(reference: str, known: dict[str, str]) -> str:
    """With the defaults of its variables."""
    return _VARIABLE.sub(lambda one: known.get(one[1]) or one[2] or one[0], reference)


# `environment.yml`: packages of conda, and those of pip in the list below `pip`.


_SPEC = lazy(r"(?:[\w.\-/]{1,100}::)?([A-Za-z0-9_][\w.\-]{0,200})[ \t]{0,9}(?=$|[=<>!~ \[])(.*)")


def read_environment(text: str) -> Iterator[Package]:
    for path, value in entries(text):
        if path == ("dependencies", "-", "pip", "-"):
            found = requirement(value)
            yield from (found,) if found else ()
        elif path in {("dependencies", "-"), ("dependencies",)}:
            for item in (value, *flow_items(value)):
                spec = _SPEC.match(item)
                if spec and spec[1] not in {"python", "pip"}:
                    yield Package("conda", spec[1].lower(), spec[2].strip())


# `flake.nix` and `flake.lock`: inputs are known by where they come from.


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


# Actions and images that workflows on GitHub use.


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
