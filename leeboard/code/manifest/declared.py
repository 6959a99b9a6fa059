"""The packages a file declares, or locks."""

from __future__ import annotations

from leeboard.code.manifest import (
    cargo,
    composer,
    conda,
    container,
    dart,
    dotnet,
    elixir,
    golang,
    gradle,
    maven,
    nix,
    npm,
    npm_lock,
    python_lock,
    python_project,
    python_requirement,
    python_setup,
    ruby,
    swift,
    workflow,
)
from leeboard.code.manifest.kind import is_lock, kind_of
from leeboard.code.manifest.package import Packages, Reader, Unreadable
from leeboard.model.pattern import lazy

_READERS: dict[str, Reader] = {
    "bun_lock": npm_lock.read_bun_lock,
    "cargo_lock": cargo.read_cargo_lock,
    "cargo_toml": cargo.read_cargo_toml,
    "catalog": gradle.read_catalog,
    "compose": container.read_compose,
    "composer_json": composer.read_composer_json,
    "composer_lock": composer.read_composer_lock,
    "deno_json": npm.read_deno_json,
    "deno_lock": npm_lock.read_deno_lock,
    "dockerfile": container.read_dockerfile,
    "dotnet_project": dotnet.read_project,
    "dotnet_tools": dotnet.read_tools,
    "environment": conda.read_environment,
    "flake": nix.read_flake,
    "flake_lock": nix.read_flake_lock,
    "gemfile": ruby.read_gemfile,
    "gemfile_lock": ruby.read_gemfile_lock,
    "gemspec": ruby.read_gemspec,
    "go_mod": golang.read_go_mod,
    "go_sum": golang.read_go_sum,
    "gradle_build": gradle.read_build,
    "gradle_lock": gradle.read_gradle_lock,
    "mix": elixir.read_mix,
    "mix_lock": elixir.read_mix_lock,
    "package_blocks": python_lock.read_package_blocks,
    "package_json": npm.read_package_json,
    "package_lock": npm_lock.read_package_lock,
    "package_resolved": swift.read_package_resolved,
    "package_swift": swift.read_package_swift,
    "packages_config": dotnet.read_packages_config,
    "packages_lock": dotnet.read_packages_lock,
    "pipfile": python_project.read_pipfile,
    "pipfile_lock": python_lock.read_pipfile_lock,
    "pnpm_lock": npm_lock.read_pnpm_lock,
    "pnpm_workspace": npm.read_pnpm_workspace,
    "pom": maven.read_pom,
    "pubspec": dart.read_pubspec,
    "pubspec_lock": dart.read_pubspec_lock,
    "pylock": python_lock.read_pylock,
    "pyproject": python_project.read_pyproject,
    "requirements": python_requirement.read_requirements,
    "setup_cfg": python_setup.read_setup_cfg,
    "setup_py": python_setup.read_setup_py,
    "workflow": workflow.read_workflow,
    "yarn_lock": npm_lock.read_yarn_lock,
}
_CONFLICT = lazy(r"(?m)^(?:<<<<<<<|>>>>>>>) ")


def packages(path: str, text: str) -> Packages | None:
    """What the file declares or locks; None where it is no file that does. It never fails: see `Packages.problem`."""
    kind = kind_of(path)
    if not kind:
        return None
    locked = is_lock(kind) or (kind == "requirements" and python_requirement.is_compiled(text))
    if kind not in _READERS:
        return Packages(locked=locked, problem="it is binary")
    if _CONFLICT.search(text):
        return Packages(locked=locked, problem="it has an unresolved merge in it")
    try:
        return Packages(locked=locked, entries=tuple(dict.fromkeys(_READERS[kind](text))))
    except Unreadable as error:
        return Packages(locked=locked, problem=str(error))
