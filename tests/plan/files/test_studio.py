"""Studio definitions from their files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.studio import Hat, Reviewer, Template
from leeboard.plan.files.studio import included_agents, parse_stage_spec, parse_studio

STAGE = """---
name: build
description: Make it
hats: [planner, builder]
fix_hats: [fixer]
review: [external, ask]
elaboration: autonomous
unit_types: [feature, bugfix]
inputs:
  - stage: design
    output: DESIGN
review-agents-include:
  - stage: design
    agents: [taste]
---

Guidance
"""
TEXTS = {
    "STAGE.md": STAGE,
    "hats/planner.md": "Plan it.",
    "hats/builder.md": "---\ndescription: builds\nmodel: opus\nrun_quality_gates: true\n---\nBuild it.",
    "fix-hats/fixer.md": "Fix it.",
    "review-agents/a.md": "---\nmodel: sonnet\n---\nLook.",
    "review-agents/deep/b.md": "not one",
    "discovery/NOTES.md": "---\nlocation: .haiku/intents/{intent-slug}/knowledge/NOTES.md\n---\n# Notes",
    "outputs/CODE.md": "---\nname: code\nlocation: (project tree)\nscope: repo\nrequired: false\nformat: code\n---\n",
    "phases/EXECUTION.md": "Do it so.",
}


def test_a_stage_is_read() -> None:
    """SH-16, SH-25, SH-36"""
    spec = parse_stage_spec(TEXTS, model="haiku")
    assert (spec.name, spec.description, spec.body, spec.model) == ("build", "Make it", "Guidance", "haiku")
    assert spec.review == ("external", "ask")
    assert (spec.elaboration, spec.unit_types) == ("autonomous", ("feature", "bugfix"))
    assert spec.hats == (
        Hat(name="planner", mandate="Plan it."),
        Hat(name="builder", mandate="Build it.", description="builds", model="opus", run_quality_gates=True),
    )
    assert spec.fix_hats == (Hat(name="fixer", mandate="Fix it."),)
    assert spec.reviewers == (Reviewer(name="a", mandate="Look.", model="sonnet"),)
    notes = ".haiku/intents/{intent-slug}/knowledge/NOTES.md"
    assert spec.templates == (
        Template(name="NOTES", kind="discovery", location=notes, body="# Notes"),
        Template(name="code", kind="output", location="(project tree)", required=False, scope="repo", format="code"),
    )
    assert spec.inputs == ({"stage": "design", "output": "DESIGN"},)
    assert spec.phase_notes == {"execute": "Do it so."}
    assert spec.problems == ()
    assert included_agents(STAGE) == (("design", "taste"),)


@pytest.mark.parametrize(
    ("written", "kinds", "problem"),
    [
        ("review: auto", ("auto",), ""),
        ("review: external, ask", ("external", "ask"), ""),
        ("review: [await]", ("await",), ""),
        ("name: x", ("auto",), ""),
        ("review: maybe", ("ask",), "review is 'maybe'"),
        ("review: [", ("ask",), "not valid YAML"),
    ],
)
def test_review_policies(written: str, kinds: tuple[str, ...], problem: str) -> None:
    """SH-36, SH-41: what can not be read never opens a gate."""
    spec = parse_stage_spec({"STAGE.md": f"---\n{written}\n---\n"}, name="s")
    assert spec.review == kinds
    assert problem in "".join(spec.problems)
    assert bool(spec.problems) == bool(problem)


@pytest.mark.parametrize(
    ("path", "text", "problem"),
    [
        ("hats/planner.md", None, "the hat 'planner' has no file hats/planner.md"),
        ("hats/planner.md", "---\n[\n---\n", "hats/planner.md: frontmatter"),
        ("review-agents/a.md", "---\nx: [\n---\n", "review-agents/a.md: frontmatter"),
        ("discovery/NOTES.md", "no frontmatter", "discovery template NOTES: the file has to begin"),
        ("outputs/CODE.md", "---\nlocation: ../../etc\n---\n", "output template CODE: its location leads out"),
        ("outputs/CODE.md", "---\nlocation: /etc/x\n---\n", "output template CODE: its location leads out"),
        ("STAGE.md", None, "STAGE.md is not there"),
    ],
)
def test_broken_definitions_are_named(path: str, text: str | None, problem: str) -> None:
    texts = {key: value for key, value in {**TEXTS, path: text}.items() if value is not None}
    assert any(found.startswith(problem) for found in parse_stage_spec(texts, name="build").problems)


def test_a_studio_is_read() -> None:
    text = "---\nname: Web\nslug: web\naliases: [site]\ndescription: d\nstages: [a, b, a]\ndefault_model: opus\n---\n"
    studio = parse_studio(text, "folder")
    assert (studio.slug, studio.name, studio.aliases, studio.problems) == ("web", "Web", ("site",), ())
    assert [(stage.name, stage.model) for stage in studio.stages] == [("a", "opus"), ("b", "opus")]
    assert parse_studio("words", "folder").problems == (
        "STUDIO.md: the file has to begin with a line of `---`, nothing before it",
    )
    assert parse_studio("---\n[\n---", "folder").slug == "folder"


@given(st.dictionaries(st.sampled_from(sorted(TEXTS)), st.text(max_size=40).map(lambda text: f"---\n{text}\n---\n")))
def test_garbage_never_raises(texts: dict[str, str]) -> None:
    parse_stage_spec(texts, name="s")
    for text in texts.values():
        parse_studio(text, "s")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("unit_typs: [code]", "STAGE.md: nobody reads 'unit_typs'; is 'unit_types' meant?"),
        ("fix-hats: [builder]", "STAGE.md: nobody reads 'fix-hats'; is 'fix_hats' meant?"),
        ("quality_gates: []", "STAGE.md: nobody reads 'quality_gates'; quality gates stand in intent.md or in a unit"),
        ("zzz: 1", "STAGE.md: nobody reads 'zzz'; it takes name, description"),
        ("review: aks", "STAGE.md: review is 'aks'; valid are auto, ask, external, await"),
        ("elaboration: colaborative", "elaboration is 'colaborative'; valid are collaborative, autonomous"),
    ],
)
def test_a_slip_in_a_stage_is_named(line: str, problem: str) -> None:
    (found,) = parse_stage_spec({"STAGE.md": f"---\nname: a\n{line}\n---\n"}).problems
    assert found.startswith(problem)


def test_slips_in_other_files_of_a_studio_are_named() -> None:
    texts = {
        "STAGE.md": "---\nhats: [builder]\noutputs: []\n---\n",
        "hats/builder.md": "---\nrun_quality_gate: true\ncolour: red\n---\nBuild.\n",
        "outputs/CODE.md": "---\nlocation: src/\nrequire: false\n---\n",
    }
    assert parse_stage_spec(texts).problems == (
        "hats/builder.md: nobody reads 'run_quality_gate'; is 'run_quality_gates' meant?",
        "output template CODE: nobody reads 'require'; is 'required' meant?",
    )
    studio = parse_studio("---\nname: A\nstage: [build]\nstages: [build]\n---\n", "a")
    assert studio.problems == ("STUDIO.md: nobody reads 'stage'; is 'stages' meant?",)


def test_a_file_that_begins_with_something_else_is_told_so() -> None:
    """What is above the first line of `---` hides all fields below it."""
    studio = parse_studio("# STUDIO.md\n---\nname: Shop\nstages: [build]\n---\n", "shop")
    assert "has to begin with a line of `---`" in studio.unusable
    texts = {"STAGE.md": "# STAGE.md\n---\nhats: [a]\n---\n"}
    assert "STAGE.md: the file has to begin with" in parse_stage_spec(texts, name="build").problems[0]
    hats = {
        "STAGE.md": "---\nhats: [a, b]\n---\n",
        "hats/a.md": "# a\n---\nmodel: x\n---\n",
        "hats/b.md": "Words.\n---\n",
    }
    (problem,) = parse_stage_spec(hats, name="build").problems
    assert problem.startswith("hats/a.md: the file has to begin with")
