"""Studios and their stages, as their files define them. What is wrong with a definition is named, never raised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from leeboard.model.studio import Elaboration, GateKind, Hat, Reviewer, StageSpec, Studio, Template
from leeboard.model.text import lazy
from leeboard.plan.files.splice import PlanPage, read_page
from leeboard.plan.files.values import Fields, strange_keys

GATES: tuple[GateKind, ...] = ("auto", "ask", "external", "await")
_ELABORATIONS: tuple[Elaboration, ...] = ("collaborative", "autonomous")
_STUDIO_KEYS = (
    *("name", "slug", "description", "aliases", "category", "stages", "default_model"),
    *("persistence", "delivery"),  # of other tools: they mean nothing here, and are no slip
)
_STAGE_KEYS = (
    *("name", "description", "hats", "fix_hats", "review", "elaboration", "unit_types", "inputs", "model"),
    *("review-agents-include", "tracked_paths", "binary_extensions"),
    *("outputs", "gate-protocol"),  # as above
)
_HAT_KEYS = ("name", "description", "model", "run_quality_gates")
_TEMPLATE_KEYS = ("name", "location", "required", "scope", "format", "model")
NO_BEGINNING = "the file has to begin with a line of `---`, nothing before it"
_BELOW = lazy(r"(?m:^)---[ \t]*\r?\n[A-Za-z_-]{1,40}:")
_NEAR_TOP = 500
_ELSEWHERE = {"quality_gates": "quality gates stand in intent.md or in a unit", "touch": "globs stand in a unit"}
_PHASE_FILES = {"ELABORATION": "elaborate", "EXECUTION": "execute", "REVIEW": "review", "GATE": "gate"}


def parse_studio(text: str, slug: str) -> Studio:
    """`STUDIO.md`. Of its stages only the names are known here."""
    page = read_page(text)
    fields = Fields(page.fields, page.problem)
    stages = fields.texts("stages")
    if not page.has_frontmatter:
        fields.complain(f"STUDIO.md: {NO_BEGINNING}")
    elif not stages and not page.problem:
        fields.complain("STUDIO.md names no stages")
    _name_slips(fields, "STUDIO.md", page, _STUDIO_KEYS)
    return Studio(
        slug=fields.text("slug") or slug,
        name=fields.text("name") or slug,
        description=fields.text("description").strip(),
        aliases=fields.texts("aliases"),
        category=fields.text("category"),
        stages=tuple(StageSpec(name=name, model=fields.text("default_model")) for name in dict.fromkeys(stages)),
        problems=fields.problems,
    )


def parse_stage_spec(texts: Mapping[str, str], name: str = "", model: str = "") -> StageSpec:
    """A stage from the files of its folder, by their path in it. `name` and `model` hold where STAGE.md has none."""
    if "STAGE.md" not in texts:
        return StageSpec(name=name, review=("ask",), model=model, problems=("STAGE.md is not there",))
    page = read_page(texts["STAGE.md"])
    problem = page.problem if page.has_frontmatter else NO_BEGINNING
    fields = Fields(page.fields, problem and f"STAGE.md: {problem}")
    _name_slips(fields, "STAGE.md", page, _STAGE_KEYS)
    return StageSpec(
        name=name or fields.text("name"),
        description=fields.text("description").strip(),
        body=page.body.strip(),
        hats=_hats(fields, "hats", texts, ("hats",)),
        fix_hats=_hats(fields, "fix_hats", texts, ("fix-hats", "hats")),
        review=_review(fields, page),
        elaboration=fields.choice("elaboration", _ELABORATIONS, "collaborative", {}),
        unit_types=fields.texts("unit_types"),
        reviewers=tuple(_reviewer(*entry, fields) for entry in _pages("review-agents", texts)),
        templates=_templates(fields, texts),
        inputs=_inputs(fields),
        model=fields.text("model") or model,
        phase_notes=_phase_notes(texts),
        problems=fields.problems,
    )


def included_agents(stage_text: str) -> tuple[tuple[str, str], ...]:
    """Stage and review agent that a STAGE.md borrows from other stages."""
    fields = Fields(read_page(stage_text).fields)
    borrowed = (Fields(record) for record in fields.records("review-agents-include"))
    return tuple((record.text("stage"), agent) for record in borrowed for agent in record.texts("agents"))


def _too_late(page: PlanPage) -> str:
    """What is wrong where fields stand behind another line; a page of words alone needs none."""
    return NO_BEGINNING if not page.has_frontmatter and _BELOW.search(page.body[:_NEAR_TOP]) else ""


def _name_slips(fields: Fields, file: str, page: PlanPage, known: tuple[str, ...], *, near: bool = False) -> None:
    """Keys that nobody reads, with the one that may be meant. `near`: only where one may be."""
    for key, meant in strange_keys(page.fields, known):
        if meant:
            fields.complain(f"{file}: nobody reads {key[:60]!r}; is {meant!r} meant?")
        elif not near:
            why = _ELSEWHERE.get(key, f"it takes {', '.join(known)}")
            fields.complain(f"{file}: nobody reads {key[:60]!r}; {why}")


def _review(fields: Fields, page: PlanPage) -> tuple[GateKind, ...]:
    """What can not be read is asked: an unknown word must not open a gate."""
    kinds = [part.strip() for text in fields.texts("review") for part in text.split(",")]
    if not kinds:
        return ("ask",) if page.problem else ("auto",)
    unknown = [kind for kind in kinds if kind not in GATES]
    if unknown:
        fields.complain(f"STAGE.md: review is {unknown[0][:40]!r}; valid are {', '.join(GATES)}")
        return ("ask",)
    return tuple(dict.fromkeys(gate for kind in kinds for gate in GATES if gate == kind))


def _hats(fields: Fields, key: str, texts: Mapping[str, str], folders: tuple[str, ...]) -> tuple[Hat, ...]:
    return tuple(_hat(name, fields, texts, folders) for name in dict.fromkeys(fields.texts(key)))


def _hat(name: str, fields: Fields, texts: Mapping[str, str], folders: tuple[str, ...]) -> Hat:
    paths = [path for folder in folders if (path := f"{folder}/{name}.md") in texts]
    if not paths:
        fields.complain(f"the hat {name[:60]!r} has no file {folders[0]}/{name[:60]}.md")
        return Hat(name=name)
    page = read_page(texts[paths[0]])
    own = Fields(page.fields)
    if problem := page.problem or _too_late(page):
        fields.complain(f"{paths[0]}: {problem}")
    _name_slips(fields, paths[0], page, _HAT_KEYS, near=True)
    return Hat(
        name=name,
        mandate=page.body.strip(),
        description=own.text("description"),
        model=own.text("model"),
        run_quality_gates=own.yes("run_quality_gates"),
    )


def _pages(folder: str, texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Stem and text of the markdown files directly in a folder, by name."""
    found = (
        (path.removeprefix(f"{folder}/").removesuffix(".md"), text)
        for path, text in sorted(texts.items())
        if path.startswith(f"{folder}/") and path.endswith(".md")
    )
    return tuple((stem, text) for stem, text in found if stem and "/" not in stem)


def _reviewer(name: str, text: str, fields: Fields) -> Reviewer:
    page = read_page(text)
    if problem := page.problem or _too_late(page):
        fields.complain(f"review-agents/{name}.md: {problem}")
    return Reviewer(name=name, mandate=page.body.strip(), model=Fields(page.fields).text("model"))


def _templates(fields: Fields, texts: Mapping[str, str]) -> tuple[Template, ...]:
    found = [_template(name, text, "discovery", fields) for name, text in _pages("discovery", texts)]
    found += [_template(name, text, "output", fields) for name, text in _pages("outputs", texts)]
    return tuple(template for template in found if template is not None)


def _template(stem: str, text: str, kind: Literal["discovery", "output"], fields: Fields) -> Template | None:
    page = read_page(text)
    own = Fields(page.fields, page.problem)
    location = own.text("location").strip()
    template = Template(
        name=own.text("name") or stem,
        kind=kind,
        location=location,
        required=own.yes("required", default=True),
        scope=own.text("scope", "intent"),
        format=own.text("format", "text"),
        body=page.body.strip(),
    )
    if not location:
        own.complain("has no location" if page.has_frontmatter else NO_BEGINNING)
    if location.startswith("/") or ".." in location.split("/"):
        own.complain("its location leads out of the work tree")
    for problem in own.problems:
        fields.complain(f"{kind} template {stem}: {problem}")
    _name_slips(fields, f"{kind} template {stem}", page, _TEMPLATE_KEYS, near=True)
    return None if own.problems else template


def _inputs(fields: Fields) -> tuple[dict[str, str], ...]:
    records = fields.records("inputs")
    return tuple({str(key): str(value) for key, value in record.items() if value is not None} for record in records)


def _phase_notes(texts: Mapping[str, str]) -> dict[str, str]:
    notes = ((_PHASE_FILES.get(stem, ""), read_page(text).body.strip()) for stem, text in _pages("phases", texts))
    return {phase: note for phase, note in notes if phase and note}
