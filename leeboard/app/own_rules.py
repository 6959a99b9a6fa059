"""The rules of a project's own people: read from `.leeboard/rules`, compiled once, and asleep until they are trusted.

A rule speaks to agents in the words of its file, so nothing of it counts before a person has seen it. A hook reads the
bytes and takes what was compiled of them before; only who meets them first reads YAML.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from posixpath import basename, join

import msgspec

from leeboard.errors import LeeboardError
from leeboard.io import places
from leeboard.io.file import read_start, replace_file
from leeboard.model.own_rule import RULES_FOLDER, OwnRule, OwnRules, RuleProblem
from leeboard.model.text import digest
from leeboard.trust import record
from leeboard.trust.actor import Actor

MOST_FILES = 40
_PART = f"rules:{RULES_FOLDER}"
_FORMAT = 1
_KEPT = 16
_known: dict[str, OwnRules] = {}


def trusted_rules(root: str) -> OwnRules:
    """Those that count here; none where nobody trusted them as they are. What is wrong is told in either case."""
    said, key = _texts(root)
    if not said:
        return OwnRules()
    found = compiled(said, key)
    return found if record.trusts(root, _PART, key) else OwnRules(problems=found.problems)


def read_rules(root: str) -> OwnRules:
    """All there are, trusted or not: for the people who write them."""
    return compiled(*_texts(root))


def rules_actor(root: str) -> Iterator[Actor]:
    said, key = _texts(root)
    found = compiled(said, key)
    if found.rules:
        yield Actor(
            part=_PART,
            digest=key,
            place=RULES_FOLDER,
            does="rules of its own: their words are told to agents, and what they refuse is refused",
            shown=tuple(
                record.escaped(f"{rule.file}: {rule.id} ({rule.does}): {rule.message}") for rule in found.rules
            ),
        )


def compiled(said: dict[str, str], key: str) -> OwnRules:
    """By what was compiled before, where the very same was."""
    known = _known.get(key)
    if known is not None:
        return known
    path = join(places.cache_dir(), "own-rules", f"{key}.json")
    found = _compiled_before(path)
    if found is None:
        found = _together(said)
        _keep(path, found)
    while len(_known) >= _KEPT:
        del _known[next(iter(_known))]
    _known[key] = found
    return found


def _texts(root: str) -> tuple[dict[str, str], str]:
    """The files by name, and the digest of all that stands in them."""
    folder = join(root, RULES_FOLDER)
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith((".yml", ".yaml")))  # noqa: PTH208 - pathlib costs the hook process its import
    except OSError:
        return {}, ""
    said: dict[str, str] = {}
    for name in names[:MOST_FILES]:
        try:
            said[name] = read_start(join(folder, name), 1 << 17).decode("utf-8", "replace")
        except OSError:
            continue
    return said, digest("\x1f".join((str(_FORMAT), *(part for one in said.items() for part in one))), 16)


def _compiled_before(path: str) -> OwnRules | None:
    try:
        return msgspec.json.decode(read_start(path, 1 << 21), type=OwnRules)
    except (OSError, msgspec.DecodeError):
        return None


def _keep(path: str, found: OwnRules) -> None:
    try:
        places.make_private_dir(places.cache_dir())
        places.make_private_dir(path.rpartition("/")[0])
        replace_file(path, msgspec.json.encode(found))
    except (OSError, LeeboardError):
        return  # the next one reads the files again


def _together(said: dict[str, str]) -> OwnRules:
    from leeboard.settings.own_rules.file import parse_rules  # noqa: PLC0415 - YAML, only for files nobody has seen

    parsed = [parse_rules(text, f"{RULES_FOLDER}/{name}") for name, text in said.items()]
    rules: dict[str, OwnRule] = {}
    problems = [problem for one in parsed for problem in one.problems]
    for rule in (rule for one in parsed for rule in one.rules):
        first = rules.setdefault(rule.id, rule)
        if first is not rule:
            text = f"{rule.id} is a rule of {basename(first.file)} already"
            problems.append(RuleProblem(file=rule.file, line=rule.line, key="id", text=text))
    samples = tuple(sample for one in parsed for sample in one.samples)
    return OwnRules(rules=tuple(rules.values()), samples=samples, problems=tuple(problems))
