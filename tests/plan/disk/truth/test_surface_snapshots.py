from __future__ import annotations

from leeboard.model.truth import BaselineEntry
from leeboard.plan.disk.truth import surface
from tests.truth_project import NOW, SLUG, TruthProject


def entry(project: TruthProject, place: str, path: str = "", *, is_binary: bool = False) -> BaselineEntry:
    return BaselineEntry(
        path=path or place,
        sha256=project.sha(place),
        bytes=(project.top / place).stat().st_size,
        mtime_ns=0,
        is_binary=is_binary,
        author_class="agent",
        acknowledged_at=NOW,
        acknowledged_via="baseline-init",
        stage=None,
        tracking_class="knowledge",
    )


def kept(project: TruthProject, place: str, scope: str = "") -> str | None:
    return surface.kept(project.folder, SLUG, scope, project.sha(place))


def test_texts_are_kept_under_their_digest(project: TruthProject) -> None:
    project.write("knowledge/a.md", "text\n")
    surface.keep(project.folder, SLUG, "", [entry(project, "knowledge/a.md")])
    assert kept(project, "knowledge/a.md") == "text\n"
    assert (project.top / f"baseline-content/{project.sha('knowledge/a.md')}").read_text() == "text\n"


def test_a_file_under_the_other_name_of_its_folder_is_found(project: TruthProject) -> None:
    """FD-15."""
    place = "stages/shape/outputs/a.md"
    project.write(place, "text\n")
    surface.keep(project.folder, SLUG, "shape", [entry(project, place, "stages/shape/artifacts/a.md")])
    assert kept(project, place, "shape") == "text\n"


def test_what_is_not_kept(project: TruthProject) -> None:
    """Binary, large, secret, empty, or another content by now."""
    project.write("knowledge/large.md", "x" * (surface.LONGEST + 1))
    project.write("knowledge/secret.md", "aws_secret_access_key = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzQ4TkLmNpVs'\n")
    project.write("knowledge/binary", b"a\0b")
    project.write("knowledge/empty", "")
    for name in ("large.md", "secret.md", "binary", "empty"):
        place = f"knowledge/{name}"
        surface.keep(project.folder, SLUG, "", [entry(project, place, is_binary=name == "binary")])
        assert kept(project, place) is None, name
    gone = entry(project, "knowledge/large.md")
    project.write("knowledge/large.md", "short now\n")
    surface.keep(project.folder, SLUG, "", [gone])
    assert kept(project, "knowledge/large.md") is None


def test_a_torn_one_is_as_good_as_none(project: TruthProject) -> None:
    place = project.top / f"baseline-content/{project.sha('knowledge/old.md')}"
    assert place.read_text() == "old\n"
    place.write_text("ol")
    assert kept(project, "knowledge/old.md") is None


def test_no_link_is_followed(project: TruthProject) -> None:
    place = project.top / f"baseline-content/{project.sha('knowledge/old.md')}"
    place.unlink()
    place.symlink_to(project.top / "knowledge/old.md")
    assert kept(project, "knowledge/old.md") is None


def test_what_no_entry_names_goes(project: TruthProject) -> None:
    project.write("baseline-content/left", "over\n")
    surface.prune(project.folder, SLUG, "", {project.sha("knowledge/old.md")})
    assert [path.name for path in (project.top / "baseline-content").iterdir()] == [project.sha("knowledge/old.md")]
