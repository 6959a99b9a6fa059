"""One of a list of things, drawn once: a hint, a server, a greeting. Nothing secret is made of it."""

from __future__ import annotations

import re

from leeboard.code.crypto.context import statement_text, target_of
from leeboard.code.crypto.site import Call
from leeboard.code.crypto.source import Source
from leeboard.code.words import split_name
from leeboard.model.pattern import lazy

_ALPHABET = lazy(
    r"(?i)char|alpha|letter|digit|ascii|hex|symbol|pool|byte|string\.|range|print|punct|vowel|conson|secret|code|pin"
)
_LISTS = frozenset("identifier attribute list tuple array member_expression constant instance_variable".split())
_REPEATED = frozenset(
    "list_comprehension generator_expression set_comprehension dictionary_comprehension for_statement while_statement "
    "for_in_statement do_statement arrow_function lambda do_block while until for".split()
)
_FUNCTIONS = frozenset("function_definition function_declaration method_definition method singleton_method".split())
_INDEXED = lazy(
    r"(?P<list>[A-Za-z_$][\w$.]{0,40})\[[^\[\]\n]{0,60}rand[^\[\]\n]{0,60}(?:(?P=list)\.length|len\((?P=list)\))"
)
_SAID = frozenset(
    "hint hints question questions message messages text texts tip tips prompt label greeting slogan reminder".split()
)


def picks_one(call: Call, source: Source) -> bool:
    """Whether the call draws one element of a list, outside of any loop; of an alphabet it makes a key."""
    drawn = _drawn_from(call, source)
    return bool(drawn) and not _ALPHABET.search(drawn) and not _is_repeated(call)


def picks_a_text(call: Call, source: Source) -> bool:
    """What is drawn is shown to people: the variable or the function is called so."""
    definition = source.definition_of(call)
    names = (target_of(call, source), definition.name if definition is not None else "")
    return any(words[-1] in _SAID for words in map(split_name, names) if words)


def _drawn_from(call: Call, source: Source) -> str:
    if call.last == "choice" and len(call.args) == 1 and call.args[0].kind() in _LISTS:
        return call.args[0].text()[:200]
    if call.last == "sample" and not call.args and (receiver := call.receiver) is not None:
        return receiver.text()[:200]
    found: re.Match[str] | None = _INDEXED.search(statement_text(call, source))
    return found["list"] if found is not None else ""


def _is_repeated(call: Call) -> bool:
    for ancestor in call.node.ancestors():
        kind = ancestor.kind()
        if kind in _FUNCTIONS:
            return False
        if kind in _REPEATED:
            return True
    return False
