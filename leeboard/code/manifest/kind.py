"""Which kind of manifest or lock file a path is, told by its name alone, at any depth."""

from __future__ import annotations

import posixpath
from functools import lru_cache

from leeboard.model import folder
from leeboard.model.pattern import lazy

_NAMES = {
    "pyproject.toml": "pyproject",
    "pipfile": "pipfile",
    "setup.cfg": "setup_cfg",
    "setup.py": "setup_py",
    **dict.fromkeys(("poetry.lock", "uv.lock", "pdm.lock"), "package_blocks"),
    "pipfile.lock": "pipfile_lock",
    "package.json": "package_json",
    **dict.fromkeys(("package-lock.json", "npm-shrinkwrap.json"), "package_lock"),
    "yarn.lock": "yarn_lock",
    "pnpm-lock.yaml": "pnpm_lock",
    "pnpm-workspace.yaml": "pnpm_workspace",
    "bun.lock": "bun_lock",
    "bun.lockb": "bun_binary",
    **dict.fromkeys(("deno.json", "deno.jsonc"), "deno_json"),
    "deno.lock": "deno_lock",
    "cargo.toml": "cargo_toml",
    "cargo.lock": "cargo_lock",
    "go.mod": "go_mod",
    "go.sum": "go_sum",
    **dict.fromkeys(("gemfile", "gems.rb"), "gemfile"),
    **dict.fromkeys(("gemfile.lock", "gems.locked"), "gemfile_lock"),
    "pom.xml": "pom",
    **dict.fromkeys(("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"), "gradle_build"),
    **dict.fromkeys(("gradle.lockfile", "buildscript-gradle.lockfile"), "gradle_lock"),
    "packages.config": "packages_config",
    "packages.lock.json": "packages_lock",
    **dict.fromkeys(("directory.packages.props", "directory.build.props", "directory.build.targets"), "dotnet_project"),
    "dotnet-tools.json": "dotnet_tools",
    "composer.json": "composer_json",
    "composer.lock": "composer_lock",
    "mix.exs": "mix",
    "mix.lock": "mix_lock",
    **dict.fromkeys(("pubspec.yaml", "pubspec.yml"), "pubspec"),
    "pubspec.lock": "pubspec_lock",
    "package.swift": "package_swift",
    "package.resolved": "package_resolved",
    "flake.nix": "flake",
    "flake.lock": "flake_lock",
    **dict.fromkeys(("action.yml", "action.yaml"), "workflow"),
}
_PATTERNS = (
    (lazy(r"(?:^|/)requirements/(?![^/]*constraint)[^/]{1,200}\.(?:txt|in)$"), "requirements"),
    (lazy(r"(?:^|/)(?:[^/]{0,80}[-_.])?requirements(?:[-_.][^/]{0,80})?\.(?:txt|in)$"), "requirements"),
    (lazy(r"(?:^|/)pylock(?:\.[^/]{1,80})?\.toml$"), "pylock"),
    (lazy(r"(?:^|/)(?:conda-?)?environment(?:[-_.][^/]{0,80})?\.ya?ml$"), "environment"),
    (lazy(r"\.gemspec$"), "gemspec"),
    (lazy(r"\.versions\.toml$"), "catalog"),
    (lazy(r"\.(?:cs|fs|vb)proj$"), "dotnet_project"),
    (
        lazy(r"(?:^|/)(?:docker|container)file(?:[-_.](?![^/]*\.(?:py|js|ts|go|rb|rs|md|txt)$)[^/]{0,80})?$"),
        "dockerfile",
    ),
    (lazy(r"\.(?:docker|container)file$"), "dockerfile"),
    (lazy(r"(?:^|/)(?:docker-)?compose(?:[-_.][^/]{0,80})?\.ya?ml$"), "compose"),
    (lazy(r"(?:^|/)\.(?:github|gitea|forgejo)/workflows/[^/]{1,200}\.ya?ml$"), "workflow"),
)
_LOCKED = {"package_blocks", "pylock", "bun_binary"}
_SAMPLE = lazy(r"(?i)(?:^|/)(?:fixtures?|__fixtures__|test-?fixtures|testdata|test[-_]data|__snapshots__|snapshots)/")

MAIN = {
    "pypi": ("pyproject.toml", "requirements.txt", "setup.cfg", "setup.py", "Pipfile", "requirements.in"),
    "npm": ("package.json", "pnpm-workspace.yaml", "deno.json"),
    "jsr": ("deno.json", "deno.jsonc"),
    "cargo": ("Cargo.toml",),
    "go": ("go.mod",),
    "gem": ("Gemfile",),
    "maven": ("pom.xml", "build.gradle", "build.gradle.kts", "gradle/libs.versions.toml"),
    "gradle": ("build.gradle", "build.gradle.kts", "gradle/libs.versions.toml"),
    "nuget": ("Directory.Packages.props", "Directory.Build.props"),
    "composer": ("composer.json",),
    "hex": ("mix.exs",),
    "pub": ("pubspec.yaml",),
    "swift": ("Package.swift",),
    "nix": ("flake.nix",),
    "docker": ("Dockerfile", "compose.yaml", "docker-compose.yml"),
}
"""Where a package of each ecosystem is likely to be declared already."""


@lru_cache(maxsize=4_096)
def kind_of(path: str) -> str:
    """The name of its reader; empty for a file that declares no packages."""
    plain = path.lower()
    found = _NAMES.get(posixpath.basename(plain))
    return found or next((kind for pattern, kind in _PATTERNS if pattern.search(plain)), "")


def is_lock(kind: str) -> bool:
    return kind.endswith(("_lock", "_sum", "_resolved")) or kind in _LOCKED


def is_foreign(path: str) -> bool:
    """Whether it came with somebody else's code: what that declares is not ours."""
    return folder.lies_in(path, "foreign")


def is_sample(path: str) -> bool:
    """Whether it is material for tests, not what anything here is built with."""
    return bool(_SAMPLE.search(path))
