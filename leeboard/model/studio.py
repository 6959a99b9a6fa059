"""What a workflow goes by: a studio, its stages, who works in them, and what each has to bring forth."""

from __future__ import annotations

from typing import Literal

import msgspec

GateKind = Literal["auto", "ask", "external", "await"]
Elaboration = Literal["collaborative", "autonomous"]


class GateCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A quality gate: a shell command that has to succeed."""

    name: str
    command: str
    dir: str = ""
    """Below the top of the work tree it runs in."""


class Hat(msgspec.Struct, frozen=True, kw_only=True):
    """A role, worn in turn on a unit."""

    name: str
    mandate: str = ""
    description: str = ""
    model: str = ""
    run_quality_gates: bool = False


class Reviewer(msgspec.Struct, frozen=True, kw_only=True):
    """An agent that a stage has its work reviewed by, and what it is to look for."""

    name: str
    mandate: str = ""
    model: str = ""


class Template(msgspec.Struct, frozen=True, kw_only=True):
    """An artifact a stage has to bring forth: in discovery, or as its output."""

    name: str
    kind: Literal["discovery", "output"]
    location: str
    """From the top of the work tree, with `{intent-slug}`; a folder ends with `/`; `(...)` can not be verified."""
    required: bool = True
    scope: str = "intent"
    format: str = "text"
    body: str = ""

    def place(self, slug: str) -> str:
        """Where it lies for this intent."""
        return self.location.replace("{intent-slug}", slug)


class StageSpec(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a studio, as its files define it."""

    name: str
    description: str = ""
    body: str = ""
    hats: tuple[Hat, ...] = ()
    fix_hats: tuple[Hat, ...] = ()
    review: tuple[GateKind, ...] = ("auto",)
    elaboration: Elaboration = "collaborative"
    unit_types: tuple[str, ...] = ()
    """Empty: any."""
    reviewers: tuple[Reviewer, ...] = ()
    templates: tuple[Template, ...] = ()
    inputs: tuple[dict[str, str], ...] = ()
    """What it takes from earlier stages: `{stage, discovery | output}`."""
    model: str = ""
    phase_notes: dict[str, str] = msgspec.field(default_factory=dict)
    """Guidance for single phases, by their name."""
    problems: tuple[str, ...] = ()
    """What is wrong with its definition."""

    @property
    def complaints(self) -> tuple[str, ...]:
        return tuple(f"stage {self.name}: {problem}" for problem in self.problems)


class Studio(msgspec.Struct, frozen=True, kw_only=True):
    """A lifecycle for a kind of work."""

    slug: str
    name: str
    description: str = ""
    aliases: tuple[str, ...] = ()
    category: str = ""
    stages: tuple[StageSpec, ...] = ()
    problems: tuple[str, ...] = ()
    """What is wrong with its definition; what is wrong with a stage's stands there."""

    def stage(self, name: str) -> StageSpec | None:
        return next((stage for stage in self.stages if stage.name == name), None)

    @property
    def complaints(self) -> tuple[str, ...]:
        """What is wrong with the studio and its stages, each with the place it stands in."""
        own = (f"studio {self.slug}: {problem}" for problem in self.problems)
        return (*own, *(problem for stage in self.stages for problem in stage.complaints))

    @property
    def unusable(self) -> str:
        """Why nothing can be worked on with it; empty: something can."""
        if not self.stages:
            said = f" ({self.problems[0]})" if self.problems else ""
            return f"the studio {self.slug} names no stages in its STUDIO.md{said}"
        bare = next((stage for stage in self.stages if not stage.hats), None)
        if bare is None:
            return ""
        why = f" ({bare.problems[0]})" if bare.problems else ""
        return f"stage {bare.name} of the studio {self.slug} names no hats{why}"
