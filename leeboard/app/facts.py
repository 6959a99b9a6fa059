"""The one supplier of facts: what a rule may ask for beside its event and the world, by the type of its parameter.

A rule names what it wants in the signature of `detect` or `holds`. Whoever asks rules (a hook, a check, a scan, a
report) makes `Facts` of what it knows; a type that is not here is refused when the rules are loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from leeboard.code.relation import Relations
from leeboard.model.diff import Diffs
from leeboard.model.lookup import Surroundings
from leeboard.rule import LoadedRule, discover


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known around one event; the index is opened only for who asks."""

    around: Surroundings
    diffs: Diffs = ()
    relations: Relations = {}

    def give(self, wanted: str) -> Any:
        return _BY_TYPE[wanted](self)


_BY_TYPE: dict[str, Callable[[Facts], Any]] = {
    "BaseFiles": lambda facts: facts.around.base,
    "Diffs": lambda facts: facts.diffs,
    "Files": lambda facts: facts.around.files,
    "Knowledge": lambda facts: facts.around.knowledge,
    "Registry": lambda facts: facts.around,
    "Relations": lambda facts: facts.relations,
    "Symbols": lambda facts: facts.around.symbols,
    "Symbols | None": lambda facts: facts.around.symbols,
}


def load_rules(disabled: tuple[str, ...] = ()) -> tuple[LoadedRule, ...]:
    """Every rule that is there, but for those switched off. TypeError for one that wants what nobody supplies."""
    return supplied(discover(disabled))


def supplied(rules: tuple[LoadedRule, ...]) -> tuple[LoadedRule, ...]:
    for loaded in rules:
        for wanted in (*loaded.wants, *loaded.holds_wants):
            if wanted not in _BY_TYPE:
                raise TypeError(f"{loaded.id} wants {wanted}: nobody supplies it. There is {', '.join(_BY_TYPE)}.")
    return rules
