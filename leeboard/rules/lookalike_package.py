"""A package whose name is one slip away from another one.

## What it catches
A line that installs or runs a package by a name that nobody knows and that is one letter more, less, changed or swapped
away from a package that many projects use, or that this project uses; or that differs from it by a hyphen alone. For
`pip`, `uv`, `poetry`, `pdm`, `pipx`, `npm`, `pnpm`, `yarn`, `bun`, `cargo`, `go get`, `gem` and `composer`, and for
what `npx`, `pnpm dlx`, `bunx`, `uvx` and their kin fetch to run it. It is refused before it runs, under `advise` too:
installing runs what the package brings.

## Why it matters
Misspelt names are registered by people who wait for exactly that. What their packages run on installation can not be
taken back.

## Example
`pip install reqeusts`, in place of `requests`.

## Known limits
The lists of known names are those of `leeboard/data/packages/known.toml`: PyPI, npm, RubyGems and Go; for the other
registries only the manifests and lock files of the project count. A name that the user wrote passes, and so do names of
fewer than five letters, scopes that the project uses, programs in its `node_modules`, packages from files and
repositories, and other registries (`--index-url`), but for an address that is called after the public registry: it may
be that, or a copy of it. Names in a manifest that an install reads are not looked at here.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import ToolProposed
from leeboard.model.lookup import Files
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.shell.effects import shell_effects

RULE = Rule(
    code="LB-S034",
    denies=True,
    permit="word",
    remedy_first=True,
    needs_no_history=True,
    only_where="installing",
    summary="a package whose name is one slip away from another one",
)

FIRES = (
    Sample(name="two letters swapped", lines=("@ call the API", "$ pip install reqeusts")),
    Sample(name="a letter too many", lines=("@ call the API", "$ uv add 'requestss>=2'")),
    Sample(name="npm", lines=("@ add a page", "$ npm install --save-dev typescriptt@5")),
    Sample(name="an option before the command", lines=("@ call the API", "$ pip --quiet install reqeusts")),
    Sample(name="a flag before the name", lines=("@ add a page", "$ bun add -d typescriptt")),
    Sample(name="in one of the work spaces", lines=("@ add a page", "$ yarn workspace web add typescriptt")),
    Sample(name="beside what is here", lines=("@ call the API", "$ pip3.11 install -v -e . reqeusts")),
    Sample(name="fetched to be run", lines=("@ add a page", "$ npx -y typescriptt@5 --init")),
    Sample(
        name="from a copy of the public registry",
        lines=("@ call the API", "$ pip install --index-url https://pypi.acme-mirror.dev/simple reqeusts"),
    ),
    Sample(
        name="an index beside the public one",
        lines=("@ call the API", "$ pip install --extra-index-url https://packages.corp.internal/ reqeusts"),
    ),
    Sample(name="run by the name of its package", lines=("@ add a page", "$ npx -p typescriptt tsc -i x")),
    Sample(
        name="like one of the project's own",
        lines=("repo requirements.txt | acme-billing==1.0", "@ fix it", "$ pip install acme-biling"),
    ),
)
SILENT = (
    Sample(name="a known one", lines=("@ call the API", "$ pip install requests httpx 'numpy<3'")),
    Sample(name="one that is near and known", lines=("@ add a page", "$ npm i preact vuex")),
    Sample(name="one that is like none", lines=("@ fix it", "$ pip install acme-internal-billing-client")),
    Sample(name="the user wrote it", lines=("@ install reqeusts", "$ pip install reqeusts")),
    Sample(
        name="a program of the project",
        lines=("repo node_modules/.bin/eslintt | x", "@ fix it", "$ npx eslintt ."),
    ),
    Sample(name="what a program is told", lines=("@ fix it", "$ npx eslint reqeusts typescriptt -p typescriptt")),
    Sample(name="words", lines=("@ fix it", "$ echo pip install reqeusts")),
    Sample(name="another registry", lines=("@ fix it", "$ pip install --index-url https://pypi.example/ reqeusts")),
    Sample(name="what is pinned", lines=("@ fix it", "$ pip install -r requirements.txt -e .")),
)


def detect(event: ToolProposed, world: World, files: Files) -> Iterator[Finding]:
    """One finding for each such name."""
    if event.call.action != "bash":
        return
    line = shell_effects(event.call.command, event.cwd)
    from leeboard.shell.installs import installs  # noqa: PLC0415 - for lines that may install something

    for found in installs(line):
        from leeboard.contracts.manifest.lookalike import looks_like  # noqa: PLC0415 - as above
        from leeboard.speech.asked_for import is_asked_for  # noqa: PLC0415 - as above

        other = looks_like(found.ecosystem, found.name, files)
        if found.may_lie_here and files.exists(f"node_modules/.bin/{found.name}"):
            continue
        if other and not is_asked_for(world, "package", (found.name,)):
            yield _finding(found.name, other)


def _finding(name: str, other: str) -> Finding:
    text = f"{name} is no package that is known here, and one slip away from {other}"
    return Finding(
        rule="lookalike_package",
        subject=name,
        evidence=(Evidence(text, -8),),
        cap=2,
        message=f"{text}.",
        remedy=f"install {other} if that is meant; else ask the user to name {name} themselves",
    )
