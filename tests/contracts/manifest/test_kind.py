"""Kinds of files by their names."""

from __future__ import annotations

import pytest

from leeboard.contracts.manifest.kind import MAIN, is_foreign, is_lock, is_sample, kind_of


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("package.json", "package_json"),
        ("apps/web/package.json", "package_json"),
        ("requirements.txt", "requirements"),
        ("requirements-dev.txt", "requirements"),
        ("requirements_test.in", "requirements"),
        ("dev-requirements.txt", "requirements"),
        ("requirements/prod.txt", "requirements"),
        ("requirements/constraints.txt", ""),
        ("docs/requirements.md", ""),
        ("myrequirements.txt", ""),
        ("Dockerfile", "dockerfile"),
        ("deploy/Dockerfile.prod", "dockerfile"),
        ("api.Dockerfile", "dockerfile"),
        ("Containerfile", "dockerfile"),
        ("src/dockerfile_parser.py", ""),
        ("compose.yaml", "compose"),
        ("docker-compose.override.yml", "compose"),
        ("src/compose.py", ""),
        (".github/workflows/ci.yml", "workflow"),
        ("docs/workflows/ci.yml", ""),
        ("actions/setup/action.yml", "workflow"),
        ("gradle/libs.versions.toml", "catalog"),
        ("src/App/App.csproj", "dotnet_project"),
        ("environment.yml", "environment"),
        ("pylock.dev.toml", "pylock"),
        ("x.gemspec", "gemspec"),
        ("src/package.json.ts", ""),
        ("", ""),
    ],
)
def test_kind(path: str, kind: str) -> None:
    assert kind_of(path) == kind


def test_locks_are_told_apart() -> None:
    locks = "Cargo.lock go.sum uv.lock bun.lockb pnpm-lock.yaml Package.resolved gradle.lockfile packages.lock.json"
    manifests = (
        "Cargo.toml go.mod pyproject.toml package.json pnpm-workspace.yaml Package.swift build.gradle Dockerfile"
    )
    assert all(is_lock(kind_of(path)) for path in locks.split())
    assert not any(is_lock(kind_of(path)) for path in manifests.split())


def test_the_main_manifests_are_some() -> None:
    assert all(kind_of(name) and not is_lock(kind_of(name)) for names in MAIN.values() for name in names)


def test_whose_it_is() -> None:
    assert is_foreign("web/node_modules/a/package.json")
    assert not is_foreign("web/package.json")
    assert is_sample("tests/fixtures/app/package.json")
    assert not is_sample("tests/requirements.txt")
