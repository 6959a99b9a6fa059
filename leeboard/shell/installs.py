"""Packages that a line installs by name from a public registry."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

import msgspec

from leeboard.model.text import lazy
from leeboard.model.touch import ShellEffects
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.options import parse

_COMMANDS: dict[str, tuple[str, tuple[tuple[str, ...], ...]]] = {
    "pip": ("pypi", (("install",),)),
    "pip3": ("pypi", (("install",),)),
    "uv": ("pypi", (("pip", "install"), ("tool", "install"), ("add",))),
    "pipx": ("pypi", (("install",),)),
    "poetry": ("pypi", (("add",),)),
    "pdm": ("pypi", (("add",),)),
    "pipenv": ("pypi", (("install",),)),
    "npm": ("npm", (("install",), ("i",), ("add",))),
    "pnpm": ("npm", (("add",), ("install",), ("i",))),
    "yarn": ("npm", (("global", "add"), ("add",))),
    "bun": ("npm", (("add",), ("install",), ("i",), ("a",))),
    "cargo": ("cargo", (("add",), ("install",))),
    "go": ("go", (("get",), ("install",))),
    "gem": ("gem", (("install",),)),
    "bundle": ("gem", (("add",),)),
    "composer": ("composer", (("global", "require"), ("require",))),
}
_VALUED = (
    "-r --requirement -c --constraint -t --target --python -p --prefix --root --platform -G --group --extra -E --source"
    " --cache-dir --git --path --branch --tag --rev --features -F -v --version --vers -w --workspace --filter -C --dir"
    " --cwd --package --directory --optional -n --find-links -f --loglevel --registry -i --index-url --extra-index-url"
    " --index"
)
_ELSEWHERE = (
    "--registry",
    "-i",
    "--index-url",
    "--extra-index-url",
    "--index",
    "--source",
    "--git",
    "--path",
    "-e",
    "--editable",
)
"""With these the name is not one of the public registry."""
_NO_NAME = lazy(r"[./~].*|.*\.(?:whl|tgz|zip|tar\.gz|gem)|\w+(?:\+\w+)?:.*|.*\\.*|.*::.*")
_VERSION = lazy(r"\s*(?:\[[^\]]*\])?\s*(?:[=<>!~;@ ].*)?$")
_PLAIN = lazy(r"@?[\w.-]{1,100}(?:/[\w.@-]{1,100}){0,6}")


class Install(msgspec.Struct, frozen=True):
    ecosystem: str
    name: str


def installs(line: ShellEffects) -> Iterator[Install]:
    for each in line.started:
        program = posixpath.basename(each.words[0])
        ecosystem, commands = _COMMANDS.get(program, ("", ()))
        for command in commands:
            if each.words[1 : len(command) + 1] == command:
                yield from _named(ecosystem, list(each.words[len(command) + 1 :]))
                break


def _named(ecosystem: str, args: list[str]) -> Iterator[Install]:
    parsed = parse(args, _VALUED)
    if parsed.has(*_ELSEWHERE):
        return
    for word in parsed.operands:
        name = _bare(ecosystem, word)
        if name and UNKNOWN not in name and not _NO_NAME.fullmatch(name) and _PLAIN.fullmatch(name):
            yield Install(ecosystem, name)


def _bare(ecosystem: str, word: str) -> str:
    """Without its version; what an alias stands for."""
    if ecosystem == "pypi":
        return _VERSION.sub("", word)
    if ecosystem == "npm":
        word = word.partition("@npm:")[2] or word
        scope = word.startswith("@")
        if "/" in word and not scope:
            return ""
        return ("@" if scope else "") + word.removeprefix("@").partition("@")[0]
    return word.partition("@")[0].partition(":")[0]
