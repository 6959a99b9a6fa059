"""A package the work added and the contract does not speak of.

## What it catches
Packages that a manifest declares now and did not declare at the base, by name and one by one: Python, JavaScript, Rust,
Go, Ruby, Java, .NET, PHP, Elixir, Dart, Swift, Nix, images of containers and actions of workflows, in any folder. And
packages that appear in a lock file though no manifest beside or below it gained one.

## Why it matters
Each package is code that nobody here reviewed, with an owner of its own. It is easily added and hard to take out again.

## Example
The contract is about a date format; the agent adds `moment` to `web/package.json`.

## Known limits
A package the contract or the user names, one that was declared in another manifest before, and what comes along with an
addition are only told, as are new versions and removed packages. So is everything in the modes `harden` and `explore`
and below folders of fixtures. What is local (a workspace member, a path) is no package; manifests inside vendored
folders are not read. Lists that a build script computes are not seen. A file that can not be read is named, never
passed over.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.contracts.manifest.kind import is_foreign, kind_of
from leeboard.model.event import TreeChecked
from leeboard.model.lookup import BaseFiles, Files
from leeboard.model.verdict import TOLD, WARNED, Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample

RULE = Rule(
    code="LB-S013",
    summary="a package the work added that the contract does not mention",
    detail="packages",
    order=5,
    countersteer=Countersteer(
        action="confirm that the added packages are wanted, or take them out",
        rationale="each one is code that nobody here reviewed",
    ),
)

FIRES = (
    Sample(
        name="one more package",
        lines=(
            'contract objective = "format dates"',
            'repo web/package.json | {"dependencies": {"react": "^18.0.0"}}',
            'write web/package.json | {"dependencies": {"react": "^18.0.0", "moment": "^2.30.0"}}',
            "check",
        ),
    ),
    Sample(
        name="only the lock file",
        lines=(
            'contract objective = "format dates"',
            "repo go.sum | a.example/x v1.0.0 h1:x=",
            "write go.sum | a.example/y v1.0.0 h1:y=",
            "check",
        ),
    ),
)
SILENT = (
    Sample(
        name="another version",
        lines=(
            'contract objective = "format dates"',
            "repo requirements.txt | requests==2.31.0",
            "write requirements.txt | requests==2.32.0",
            "check",
        ),
    ),
    Sample(
        name="what a linter is told",
        lines=(
            'contract objective = "format dates"',
            'repo pyproject.toml | project.dependencies = ["msgspec"]',
            'write pyproject.toml | project = {dependencies = ["msgspec"], description = "dates"}',
            "check",
        ),
    ),
    Sample(
        name="the contract names it",
        lines=(
            'contract objective = "parse dates with dateutil"',
            "repo requirements.txt | requests",
            "write requirements.txt | dateutil",
            "check",
        ),
    ),
    Sample(
        name="hardening",
        lines=(
            'contract mode = "harden"',
            "repo requirements.txt | requests",
            "write requirements.txt | tenacity",
            "check",
        ),
    ),
)


def detect(event: TreeChecked, world: World, now: Files, base: BaseFiles) -> Iterator[Finding]:
    """One finding for each manifest and package, and one for each file of what is only worth knowing."""
    changes = [
        change
        for change in event.change.files
        if not change.submodule and not is_foreign(change.path) and any(kind_of(path) for path in change.paths)
    ]
    if world.held is None or not changes:
        return
    from leeboard.contracts.manifest.drift import (  # noqa: PLC0415 - the readers, only where a manifest was changed
        drift_of,
    )

    for told in drift_of(changes, event, world, now, base):
        yield Finding(
            rule="dependency_drift",
            subject=f"{told.path}:{told.about}",
            evidence=(Evidence(told.text, WARNED if told.is_drift else TOLD),),
            path=told.path,
            line=told.line,
            message=f"{told.text}.",
            remedy=f"remove it from {told.path}, or have the contract ask for it" if told.is_drift else "",
        )
