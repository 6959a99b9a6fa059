"""Package managers and build drivers: what fetches, what runs project code, what only looks."""

from __future__ import annotations

from leeboard.code._shell_scope import Run

_NODE_LOOKS = (
    "ls list ll la view info show outdated audit why explain root prefix bin search whoami ping config help v t test"
)
_PYTHON_LOOKS = "list show freeze check config debug inspect index cache help hash tree"
_SYSTEM_LOOKS = "list show search info policy files deps config help"

LOOKS = {
    "apk": _SYSTEM_LOOKS,
    "apt": _SYSTEM_LOOKS,
    "apt-cache": _SYSTEM_LOOKS,
    "apt-get": "help",
    "brew": _SYSTEM_LOOKS,
    "bun": "test pm help",
    "bundle": "list show info outdated check help",
    "cargo": "bench check clippy doc help locate-project metadata nextest pkgid search test tree version",
    "composer": "show outdated validate help",
    "conda": "list info search env config help",
    "deno": "test check lint info doc help",
    "dnf": _SYSTEM_LOOKS,
    "docker": "ps images inspect logs info version port top stats history diff events search context",
    "dotnet": "test list help",
    "gem": "list search info environment help",
    "go": "doc env help list test version vet",
    "helm": "list get status history show search template version help",
    "kubectl": "get describe logs version explain top api-resources cluster-info config auth",
    "mamba": "list info search env config",
    "npm": _NODE_LOOKS,
    "pacman": "",
    "pdm": "list show info config",
    "pip": _PYTHON_LOOKS,
    "pip3": _PYTHON_LOOKS,
    "pipenv": "graph check verify",
    "pipx": "list environment",
    "pnpm": _NODE_LOOKS,
    "poetry": "show check env config version about search",
    "rustup": "show which doc help",
    "systemctl": "status list-units is-active is-enabled show cat",
    "terraform": "validate show output version providers graph",
    "uv": "tree version help export",
    "yarn": _NODE_LOOKS,
    "yum": _SYSTEM_LOOKS,
}
"""Subcommands that change no file of the work by intent; test runs count among them."""

FETCHES = {
    "bun": "add install i remove update upgrade x create",
    "cargo": "add fetch install publish remove update search",
    "docker": "pull push build login search run",
    "dotnet": "add restore tool",
    "go": "get install mod",
    "helm": "install upgrade pull push repo search",
    "terraform": "init",
    "npm": "install i ci add uninstall remove rm un update upgrade up exec publish audit outdated view info search ping"
    " whoami create init dedupe link",
    "pip": "install uninstall download wheel index search",
    "uv": "add remove sync lock pip tool",
}
_FETCHES_BY_DEFAULT = "install add remove update upgrade uninstall sync lock i ci require get download search"

_SAME_AS = {"pnpm": "npm", "yarn": "npm", "pip3": "pip"}


def package(run: Run, args: list[str], program: str) -> None:
    name = first_operand(args)
    alike = _SAME_AS.get(program, program)
    bare_yarn = program == "yarn" and not name
    if bare_yarn or name in FETCHES.get(alike, _FETCHES_BY_DEFAULT).split():
        run.effects.network = True
    if not _looks(program, name, args):
        run.hide()


def _looks(program: str, name: str, args: list[str]) -> bool:
    if name in {"run", "run-script"} and program in {"npm", "yarn", "pnpm", "bun"}:
        script = first_operand(args[args.index(name) + 1 :])
        return script == "test" or script.startswith("test:")
    if name == "pip" and program == "uv":
        return first_operand(args[args.index(name) + 1 :]) in _PYTHON_LOOKS.split()
    if not name:
        return program != "yarn" and bool(args)
    return name in LOOKS[program].split() and _UPDATING.isdisjoint(args)


_UPDATING = frozenset({"--fix", "fix", "-u", "--update-snapshots", "--updateSnapshot", "-fix"})


def first_operand(args: list[str]) -> str:
    return next((word for word in args if word and not word.startswith(("-", "+"))), "")


def gh(run: Run, args: list[str]) -> None:
    """What GitHub's client does stays on the server, but for what it brings into the work tree."""
    run.effects.network = True
    if {"checkout", "clone", "download", "sync", "fork", "develop"} & set(args[:2]):
        run.hide()
