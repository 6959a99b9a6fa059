"""A project's own rules as their authors see them: a file to start from, and what their samples show."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from leeboard.app.own_rules import read_rules
from leeboard.errors import ConfigError
from leeboard.io.file import replace_file
from leeboard.model.own_rule import RULES_FOLDER
from leeboard.model.text import lazy

_NAME = lazy(r"[a-z][a-z0-9-]{1,60}")
_TEMPLATE = """\
id: {name}
language: python
message: use the logger, not print
note: logging.getLogger(__name__) gives one
rule:
  pattern: print($$$)
when:
  path: src/**
  tool: [edit, write]
then: say            # say, refuse or log
samples:
  fires:
    - path: src/app.py
      code: print("hello")
  silent:
    - path: tools/build.py
      code: print("hello")
    - path: src/app.py
      code: log.info("print(1)")
"""


class SampleView(msgspec.Struct, frozen=True, kw_only=True):
    rule: str
    place: str
    fires: bool
    """Whether the rule is to speak of it."""
    holds: bool


class SampleRun(msgspec.Struct, frozen=True, kw_only=True):
    """What all samples of a project's own rules show."""

    kind: str = "own_rules"
    rules: int
    samples: tuple[SampleView, ...]
    failed: int
    untested: tuple[str, ...]
    problems: tuple[str, ...]


def new_rule(root: str, name: str) -> str:
    """Writes the file and says where; ConfigError where the name is none, or is taken."""
    spelled = name.strip().removesuffix(".yml").lower()
    if not _NAME.fullmatch(spelled):
        raise ConfigError(f"{name!r} is no name for a rule: small letters, digits and `-`, such as use-the-logger")
    place = Path(root) / RULES_FOLDER / f"{spelled}.yml"
    if place.exists() or place.is_symlink():
        raise ConfigError(f"{RULES_FOLDER}/{spelled}.yml is there already")
    place.parent.mkdir(parents=True, exist_ok=True)
    replace_file(os.fspath(place), _TEMPLATE.format(name=spelled).encode())
    return f"{RULES_FOLDER}/{spelled}.yml"


def test_rules(root: str) -> SampleRun:
    """Every sample held against its rule."""
    from leeboard.settings.own_rules.match import fires  # noqa: PLC0415 - the grammars, only for who runs samples

    found = read_rules(root)
    by_id = {rule.id: rule for rule in found.rules}
    samples = tuple(
        SampleView(
            rule=sample.rule,
            place=f"{by_id[sample.rule].file}:{sample.line}",
            fires=sample.fires,
            holds=fires(by_id[sample.rule], sample) == sample.fires,
        )
        for sample in found.samples
        if sample.rule in by_id
    )
    shown = {sample.rule for sample in found.samples if sample.fires}
    return SampleRun(
        rules=len(found.rules),
        samples=samples,
        failed=sum(not sample.holds for sample in samples),
        untested=tuple(rule.id for rule in found.rules if rule.id not in shown),
        problems=tuple(map(str, found.problems)),
    )
