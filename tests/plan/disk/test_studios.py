"""Built-in studios are whole; a project's own lie over them; broken ones are named."""

from __future__ import annotations

from pathlib import Path

import pytest

import leeboard
from leeboard.model.studio import StageSpec, Studio
from leeboard.plan.disk.studios import LARGEST, list_studios, load_studio
from leeboard.plan.files.files import safe_id
from leeboard.plan.files.yaml import read_simple

BUILT_IN = Path(leeboard.__path__[0]) / "studios"
PAGES = sorted(BUILT_IN.rglob("*.md"))


def place(root: Path, path: str, text: str) -> None:
    file = root / ".haiku" / "studios" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def stages(root: Path) -> list[tuple[Studio, StageSpec]]:
    return [(studio, stage) for studio in list_studios(str(root)) for stage in studio.stages]


def mandates(stage: StageSpec) -> dict[str, str]:
    hats = {hat.name: hat.mandate for hat in (*stage.hats, *stage.fix_hats)}
    return hats | {f"review by {agent.name}": agent.mandate for agent in stage.reviewers}


def software(root: Path) -> Studio:
    studio = load_studio(str(root), "software")
    assert studio is not None
    return studio


def test_built_in_studios_are_consistent(tmp_path: Path) -> None:
    """SH-16: every hat has its file, every template its place, every policy its meaning."""
    for studio, stage in stages(tmp_path):
        assert studio.problems == stage.problems == ()
        assert stage.hats
        assert stage.unit_types
        assert stage.body
        if studio.slug != "everyday":
            assert stage.reviewers
            assert [hat.name for hat in stage.fix_hats] == ["fixer", "feedback-assessor"]
        assert any(template.kind == "output" for template in stage.templates)
        assert safe_id(stage.name, "stage")


def test_the_studio_of_every_day_is_one_stage_and_one_hat_and_a_person_lets_it_pass(tmp_path: Path) -> None:
    studio = load_studio(str(tmp_path), "everyday")
    assert studio is not None
    (stage,) = studio.stages
    assert [hat.name for hat in stage.hats] == ["builder"]
    assert stage.hats[0].run_quality_gates
    assert (stage.elaboration, stage.review, stage.reviewers) == ("autonomous", ("ask", "external"), ())
    assert [hat.name for hat in stage.fix_hats] == ["fixer"]


def test_built_in_mandates_say_enough(tmp_path: Path) -> None:
    for _, stage in stages(tmp_path):
        for name, mandate in mandates(stage).items():
            assert 15 <= len(mandate.splitlines()) <= 45, f"{stage.name}/{name}"


def test_what_a_stage_takes_in_an_earlier_one_gives(tmp_path: Path) -> None:
    for studio in list_studios(str(tmp_path)):
        given: set[tuple[str, str, str]] = set()
        for stage in studio.stages:
            for wanted in stage.inputs:
                kind = "discovery" if "discovery" in wanted else "output"
                assert (wanted["stage"], kind, wanted[kind]) in given
            given |= {(stage.name, template.kind, template.name) for template in stage.templates}


def test_templates_stand_below_the_intent_or_in_the_project(tmp_path: Path) -> None:
    for _, stage in stages(tmp_path):
        for template in stage.templates:
            assert template.location.startswith((".haiku/intents/{intent-slug}/", "(")), template.name
        places = [template.location for template in stage.templates]
        assert len(set(places)) == len(places)


def test_every_page_is_used_and_needs_no_yaml_library(tmp_path: Path) -> None:
    """A look at a plan reads all of them."""
    texts = {mandate for _, stage in stages(tmp_path) for mandate in mandates(stage).values()}
    texts |= {template.body for _, stage in stages(tmp_path) for template in stage.templates}
    texts |= {stage.body for _, stage in stages(tmp_path)}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        _, head, body = text.split("---\n", 2)
        assert read_simple(head) is not None, page
        assert page.name == "STUDIO.md" or body.strip() in texts, page


def test_the_software_studio(tmp_path: Path) -> None:
    """SH-16, SH-36: its stages, hats and policies."""
    studio = software(tmp_path)
    assert {stage.name: tuple(hat.name for hat in stage.hats) for stage in studio.stages} == {
        "inception": ("researcher", "elaborator"),
        "design": ("designer", "design-reviewer"),
        "product": ("product", "specification", "validator"),
        "development": ("planner", "builder", "reviewer"),
        "operations": ("ops-engineer", "sre"),
        "security": ("threat-modeler", "red-team", "blue-team", "security-reviewer"),
    }
    asked = ("external", "ask")
    assert [stage.review for stage in studio.stages] == [("ask",), asked, asked, asked, ("auto",), asked]
    assert {stage.name for stage in studio.stages if stage.elaboration == "collaborative"} == {
        "inception",
        "design",
        "product",
    }
    builder = studio.stages[3].hats[1]
    assert builder.run_quality_gates
    library = load_studio(str(tmp_path), "library")
    assert library is not None
    assert [stage.name for stage in library.stages] == ["inception", "development", "release"]


@pytest.mark.parametrize("name", ["software", "Software", " SOFTWARE ", "web", "app"])
def test_a_studio_has_many_names(tmp_path: Path, name: str) -> None:
    studio = load_studio(str(tmp_path), name)
    assert studio is not None
    assert studio.slug == "software"


@pytest.mark.parametrize("name", ["", "nothing", "../software", "software/stages", "\x00", "."])
def test_no_studio_of_that_name(tmp_path: Path, name: str) -> None:
    assert load_studio(str(tmp_path), name) is None


def test_a_project_replaces_one_hat_and_adds_another(tmp_path: Path) -> None:
    place(tmp_path, "software/stages/development/hats/builder.md", "Build it our way.\n")
    place(tmp_path, "software/stages/development/review-agents/licence.md", "Look for licences.\n")
    stage = software(tmp_path).stage("development")
    assert stage is not None
    assert [hat.mandate for hat in stage.hats if hat.name == "builder"] == ["Build it our way."]
    assert "# Planner" in stage.hats[0].mandate
    assert "licence" in [agent.name for agent in stage.reviewers]
    assert software(tmp_path).problems == ()


def test_a_project_replaces_the_policy_of_a_stage(tmp_path: Path) -> None:
    """SH-36: the value changes, the behaviour follows."""
    place(tmp_path, "software/stages/inception/STAGE.md", "---\nhats: [researcher]\nreview: auto\n---\n")
    stage = software(tmp_path).stage("inception")
    assert stage is not None
    assert (stage.review, len(stage.hats), stage.name) == (("auto",), 1, "inception")


def test_a_project_has_a_studio_of_its_own_that_wins(tmp_path: Path) -> None:
    place(tmp_path, "ours/STUDIO.md", "---\nname: Ours\nslug: software\nstages: [one]\ndefault_model: opus\n---\n")
    place(
        tmp_path,
        "ours/stages/one/STAGE.md",
        "---\nhats: [a]\nreview-agents-include:\n  - stage: two\n    agents: [x]\n---\n",
    )
    place(tmp_path, "ours/stages/one/hats/a.md", "A")
    place(tmp_path, "ours/stages/two/review-agents/x.md", "X")
    assert [studio.name for studio in list_studios(str(tmp_path))] == ["Ours", "Everyday", "Library", "Software"]
    ours = load_studio(str(tmp_path), "ours")
    assert ours is not None
    assert (ours.stages[0].model, ours.stages[0].reviewers[0].mandate) == ("opus", "X")
    assert software(tmp_path).name == "Software"


@pytest.mark.parametrize(
    ("path", "text", "problem"),
    [
        ("odd/note.txt", "", "STUDIO.md is not there"),
        ("odd/STUDIO.md", "---\nstages: [\n---\n", "frontmatter"),
        ("odd/STUDIO.md", "---\nname: x\n---\n", "names no stages"),
        ("odd/STUDIO.md", "---\nstages: [gone]\n---\n", "STAGE.md is not there"),
        ("odd/STUDIO.md", '---\nstages: ["../../etc", main]\n---\n', "can not be the name of a stage"),
        ("odd/STUDIO.md", "x" * (LARGEST + 1), "STUDIO.md is not there"),
        ("odd/STUDIO.md", "\x00\ufffe", "has to begin"),
    ],
)
def test_broken_definitions_are_problems(tmp_path: Path, path: str, text: str, problem: str) -> None:
    place(tmp_path, path, text)
    studio = load_studio(str(tmp_path), "odd")
    assert studio is not None
    assert problem in "; ".join([*studio.problems, *(text for stage in studio.stages for text in stage.problems)])
    assert len(list_studios(str(tmp_path))) == 4


def test_bytes_that_are_no_text_are_no_crash(tmp_path: Path) -> None:
    place(tmp_path, "odd/STUDIO.md", "")
    (tmp_path / ".haiku/studios/odd/STUDIO.md").write_bytes(b"---\nstages: [\xff\xfe]\n---\n")
    studio = load_studio(str(tmp_path), "odd")
    assert studio is not None
    assert studio.stages[0].problems


@pytest.mark.parametrize("link", [".haiku", ".haiku/studios", ".haiku/studios/software"])
def test_links_are_not_followed(tmp_path: Path, link: str) -> None:
    place(tmp_path / "outside", "software/stages/development/hats/builder.md", "Do evil.")
    real = tmp_path / "outside" / link
    root = tmp_path / "project"
    (root / link).parent.mkdir(parents=True)
    (root / link).symlink_to(real)
    stage = software(root).stage("development")
    assert stage is not None
    assert all("evil" not in hat.mandate for hat in stage.hats)


def test_a_linked_page_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("TOKEN", encoding="utf-8")
    place(tmp_path, "software/stages/development/hats/other.md", "x")
    (tmp_path / ".haiku/studios/software/stages/development/hats/builder.md").symlink_to(tmp_path / "secret")
    stage = software(tmp_path).stage("development")
    assert stage is not None
    assert all("TOKEN" not in hat.mandate for hat in stage.hats)
