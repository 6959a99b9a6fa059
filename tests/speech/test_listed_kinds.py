from __future__ import annotations

import pytest

from leeboard.speech.listed import is_called, is_sole, kinds_of_noun, lives_in


@pytest.mark.parametrize(
    ("noun", "path"),
    [
        ("workflow", ".github/workflows/ci.yml"),
        ("ci", ".gitlab-ci.yml"),
        ("dockerfile", "ops/api.Dockerfile"),
        ("license", "LICENSE"),
        ("changelog", "CHANGELOG.md"),
        ("release-note", "docs/release_notes.md"),
        ("readme", "packages/web/README.md"),
        ("issue-template", ".github/ISSUE_TEMPLATE/bug.md"),
        ("linter", ".eslintrc.json"),
        ("mypy", "mypy.ini"),
        ("setting", "app/conf8.py"),
        ("configuration", "src/config/load.ts"),
        ("endpoint", "app/views.py"),
        ("controller", "src/web/UserController.java"),
        ("migration", "db/migrate/001_users.rb"),
        ("model", "app/models.py"),
        ("component", "src/ui/Fallback.tsx"),
        ("stylesheet", "web/main.css"),
        ("test", "tests/test_a.py"),
        ("documentation", "docs/guide.md"),
        ("translation", "locales/de.json"),
        ("dependency", "package.json"),
        ("entry-point", "tide/__main__.py"),
        ("logging", "app/log.py"),
    ],
)
def test_things_live_in_their_places(noun: str, path: str) -> None:
    assert any(lives_in(kind, path) for kind in kinds_of_noun(noun))


@pytest.mark.parametrize(
    ("noun", "path"),
    [
        ("setting", "src/confirm.py"),
        ("logging", "src/login.py"),
        ("logging", "src/catalog.py"),
        ("changelog", "src/history.py"),
        ("license", "src/license/check.py"),
        ("endpoint", "bucket/main.tf"),
        ("endpoint", "src/main/resources/logo.svg"),
        ("test", "src/attestation.py"),
        ("workflow", "src/workflow.py"),
    ],
)
def test_and_not_in_others(noun: str, path: str) -> None:
    assert not any(lives_in(kind, path) for kind in kinds_of_noun(noun))


def test_a_noun_that_is_no_kind() -> None:
    assert kinds_of_noun("banana") == ()


def test_kinds_of_few_files() -> None:
    assert is_sole("ci")
    assert is_sole("deps")
    assert not is_sole("endpoint")
    assert not is_sole("tests")


def test_a_file_is_called_so_by_its_own_name() -> None:
    assert is_called("config", "app/settings.py")
    assert not is_called("config", "config/loader.py")
    assert not is_called("config", "app/values.yaml")
    assert not is_called("tests", "tests/test_a.py")
