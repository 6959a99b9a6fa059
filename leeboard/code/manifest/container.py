"""Images that containers are built from and run: Dockerfiles and compose files."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.manifest._yaml_text import entries
from leeboard.code.manifest.package import Package
from leeboard.model.pattern import lazy

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
