from __future__ import annotations

from leeboard.plan.disk import layout
from leeboard.plan.disk.truth.surface import drift_settings, ignored_globs
from tests.truth_project import TruthProject


def test_every_scope_has_its_own_files() -> None:
    """FD-04, FD-18: a stage's baseline lies with the stage, the intent's at its root."""
    assert layout.baseline_file("build") == "stages/build/baseline.json"
    assert layout.baseline_file("") == "baseline.json"
    assert layout.ack_file("build") == "stages/build/.baseline-ack"
    assert [layout.scope_of(path) for path in ("knowledge/a", "stages/build/artifacts/a", "other")] == ["", "build", ""]


def test_scopes_are_reached_one_after_another(project: TruthProject) -> None:
    """FD-19."""
    plan = project.plan()
    assert layout.all_scopes(plan) == ("", "shape", "build")
    assert layout.reached_scopes(plan) == ("", "shape")


def test_settings(project: TruthProject) -> None:
    """FD-53: only a literal boolean switches it off; what can not be read switches nothing off."""
    for text, is_on in (("drift_detection: false\n", False), ("drift_detection: 'false'\n", True), (": [", True)):
        (project.path / ".haiku/settings.yml").write_text(text)
        assert drift_settings(project.folder).drift_detection is is_on
    (project.path / ".haiku/settings.yml").write_text("drift_ignore: ['*.log', 3, 'knowledge/tmp/**']\n")
    assert ignored_globs(drift_settings(project.folder)) == ("*.log", "knowledge/tmp/**")
    (project.path / ".haiku/settings.yml").write_text("drift_ignore: nothing\n")
    assert ignored_globs(drift_settings(project.folder)) == ()
