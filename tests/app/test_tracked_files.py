"""A real folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.tracked import Surveyed, changes_since, survey, tops_of
from leeboard.model.truth import Baseline, TrackedFile


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    place = tmp_path / "repo"
    for name in (
        "docs/a.md",
        "docs/deep/b.md",
        "docs/deep/c.txt",
        "docs/.git/x.md",
        "docs/~a.md~",
        "src/a.py",
        "top.md",
    ):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(name)
    return place


@pytest.mark.parametrize(
    ("patterns", "tops"),
    [
        (("docs/**",), ("docs",)),
        (("docs/a.md", "spec/*.md"), ("docs/a.md", "spec")),
        (("docs/**", "docs/deep/**", "!docs/tmp/**"), ("docs",)),
        (("*.md", "docs/**"), (".",)),
        (("./docs/",), ("docs",)),
        (("doc/**", "docs/**"), ("doc", "docs")),
    ],
)
def test_where_the_globs_lead(patterns: tuple[str, ...], tops: tuple[str, ...]) -> None:
    assert tops_of(patterns) == tops


@pytest.mark.parametrize(
    ("patterns", "found"),
    [
        (("docs/**",), {"docs/a.md", "docs/deep/b.md", "docs/deep/c.txt"}),
        (("docs/**/*.md",), {"docs/a.md", "docs/deep/b.md"}),
        (("docs", "!docs/deep/"), {"docs/a.md"}),
        (("*.md",), {"top.md"}),
        (("top.md",), {"top.md"}),
        (("nothing/**",), set()),
    ],
)
def test_what_they_match(root: Path, patterns: tuple[str, ...], found: set[str]) -> None:
    assert set(survey(str(root), patterns).files) == found


def baseline_of(found: Surveyed, *patterns: str) -> Baseline:
    files = {
        path: TrackedFile(path=path, sha256=digest.sha256, size=digest.bytes, is_binary=False)
        for path, digest in found.files.items()
    }
    return Baseline(patterns=patterns, files=files)


def test_new_changed_and_gone(root: Path) -> None:
    baseline = baseline_of(survey(str(root), ("docs/**",)), "docs/**")
    (root / "docs/a.md").write_text("another")
    (root / "docs/new.md").write_text("new")
    (root / "docs/deep/b.md").unlink()
    found = changes_since(baseline, survey(str(root), ("docs/**",), baseline.files))
    assert [(change.path, change.kind) for change in found] == [
        ("docs/a.md", "modified"),
        ("docs/deep/b.md", "file-removed"),
        ("docs/new.md", "new-file-detected"),
    ]


def test_what_was_not_looked_for_before_is_not_new(root: Path) -> None:
    baseline = baseline_of(survey(str(root), ("docs/*.md",)), "docs/*.md")
    assert changes_since(baseline, survey(str(root), ("docs/**",), baseline.files)) == ()


def test_what_could_not_be_reached_in_time_is_not_gone(root: Path) -> None:
    baseline = baseline_of(survey(str(root), ("docs/**",)), "docs/**")
    hasty = survey(str(root), ("docs/**",), baseline.files, budget=0.0)
    assert changes_since(baseline, hasty) == ()
    assert not hasty.files or not hasty.unsure or hasty.notes


def test_a_link_is_never_followed(root: Path) -> None:
    (root / "docs/link").symlink_to(root / "src")
    assert "docs/link/a.py" not in survey(str(root), ("docs/**",)).files
