"""Classes of the file that check what they are given, field by field: pydantic's models, marshmallow's schemas.

A field of a number, a date, an identifier or a choice is harmless whatever was sent. A text stays what was sent; where
the class limits it by more than its type, that may have been enough.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.state import State
from leeboard.security.taint.table import Kind
from leeboard.security.taint.values import ALL, FOREIGN, HARMLESS, Key, TaintOrigin, Val, foreign, held

_BASES = ("BaseModel", "Schema", "SQLModel", "BaseSettings", "Struct")
_CHOICES = ("Enum", "Flag", "IntFlag", "Choices")
_CHECKERS = lazy(r"valid|pre_load|post_load")
_LIMITED = lazy(r"pattern|regex|validate|constr|Annotated|Email|Url|Slug|IP|Json|Secret|Path")
_HARMLESS_FIELD = lazy(
    r"(?:^|\.)(?:Int|Integer|Float|Decimal|Number|Bool|Boolean|UUID|Date|DateTime|NaiveDateTime|AwareDateTime|Time|"
    r"TimeDelta|Timestamp|Enum|IPv[46]?|IPInterface)\(\)$"
)
_WRAPPED = lazy(
    r"^(?:typing\.|t\.)?(?:Optional|Annotated|list|List|set|Set|frozenset|tuple|Tuple|Sequence)\[(.{1,200})\]$"
)
DECLARED_TEXT = lazy(
    r"(?:Optional\[)?(?:str|EmailStr|SecretStr|constr\b.{0,80}|StrictStr)\]?\s*(?:\|\s*None\s*)?(?:=|$)"
)
NO_OBJECT: frozenset[Kind] = frozenset({"nosql"})
"""Where a text stands, no operator can."""
_NOTHING: frozenset[Kind] = frozenset()
_NUMBERS = lazy(
    r"^(?:datetime\.|uuid\.|decimal\.)?(?:con(?:int|float|decimal)\(.*|(?:Non)?(?:Positive|Negative)(?:Int|Float)|"
    r"Strict(?:Int|Bool|Float)|UUID[1-8]?|datetime|date|time|timedelta|Decimal|int|float|bool|"
    r"(?:Aware|Naive|Past|Future)(?:Date|Datetime)|ObjectId|None|Literal\[.*)$"
)


def is_schema(state: State, kind: ir.Class | None, depth: int = 0) -> bool:
    """Whether the class, or a base of it in this file, checks its fields."""
    if kind is None or depth > 3:
        return False
    return any(base.endswith(_BASES) or is_schema(state, state.classes.get(base), depth + 1) for base in kind.bases)


def filled(
    state: State, kind: ir.Class, given: dict[str, Val], whole: Val | None, shape: Literal["object", "dict"] = "object"
) -> Val:
    """What comes out of the class for what it was given by name, and as a whole."""
    items: dict[Key, Val] = {}
    for name, declared in _fields(state, kind).items():
        value = given.get(name, whole)
        if value is not None:
            items[name] = _checked(state, kind, name, declared, held(value))
    base = held(whole) if whole is not None else Val(text="\x02")
    return vouched(Val(shape=shape, items=items, taints=base.taints, text=base.text, steps=base.steps))


def _fields(state: State, kind: ir.Class) -> dict[str, str]:
    """Names with their declared types, or the calls that make them; those of bases in this file first."""
    found: dict[str, str] = {}
    for base in kind.bases:
        if base in state.classes and state.classes[base] is not kind:
            found |= _fields(state, state.classes[base])
    for field in kind.fields:
        if isinstance(field, ir.Assign) and not field.annotation:
            found |= {target.id: _made(field.value) for target in field.targets if isinstance(target, ir.Name)}
    return found | dict(kind.types)


def _made(value: ir.Expr) -> str:
    named = " ".join(name for name, _value in value.keywords) if isinstance(value, ir.Call) else ""
    return f"{named} {ir.dotted(value)}".strip()


def _checked(state: State, kind: ir.Class, name: str, declared: str, value: Val) -> Val:
    if not value.taints:
        return value
    if _is_harmless(state, declared):
        return HARMLESS
    settled = NO_OBJECT if DECLARED_TEXT.match(declared) else _NOTHING
    taints = {
        TaintOrigin(origin.trust, _label(origin.label, name), origin.line): done | settled
        for origin, done in value.taints.items()
    }
    limited = _LIMITED.search(declared) is not None or any(_CHECKERS.search(method.name) for method in kind.methods)
    marked = any(_CHECKERS.search(ir.dotted(mark)) for method in kind.methods for mark in method.decorators)
    found = Val(taints=taints, text=FOREIGN, steps=value.steps, opaque=value.opaque)
    return vouched(found) if limited or marked else found


def _label(label: str, name: str) -> str:
    return f"{label[:-1]}.{name}'" if label.startswith("parameter '") else f"{label}[{name!r}]"


def _is_harmless(state: State, declared: str) -> bool:
    if _HARMLESS_FIELD.search(declared):
        return True
    parts = [part.strip() for part in declared.partition("=")[0].strip().split("|")]
    return bool(parts) and all(_is_harmless_type(state, part) for part in parts)


def _is_harmless_type(state: State, name: str) -> bool:
    inner = _WRAPPED.match(name)
    if inner is not None:
        return _is_harmless_type(state, inner[1].partition(",")[0].strip())
    kind = state.classes.get(name)
    if kind is not None and any(base.rpartition(".")[2].endswith(_CHOICES) for base in kind.bases):
        return True
    return _NUMBERS.match(name) is not None or state.index.safe_types.search(name) is not None


def loaded(state: State, kind: ir.Class, given: tuple[Val, ...]) -> Val | None:
    """`Schema().load(data)`, `Model.model_validate(data)`."""
    if not given or not is_schema(state, kind):
        return None
    return filled(state, kind, {}, held(given[0]), "dict" if is_loader(kind) else "object")


_NARROW_RULE = lazy(
    r"(?:^|\|)(?:int|integer|numeric|decimal|digits|bool|boolean|alpha\w*|in:|uuid|ulid|date\w*|regex|exists|ip\w*|"
    r"mac_address|timezone|enum|accepted|email|file|image|mimes|array)\b"
)
_ADDRESS_RULE = lazy(r"(?:^|\|)(?:active_)?url\b")
_BUT_ADDRESSED: frozenset[Kind] = ALL - {"url", "redirect"}
"""An address that is well formed leads where its sender likes."""


def by_rules(rules: Val, line: int) -> Val | None:
    """`$request->validate(['name' => 'required|string'])`: what each field is let through as; None where that is not
    told there.
    """
    if rules.shape != "dict" or rules.rest is not None or not rules.items:
        return None
    items: dict[Key, Val] = {}
    for key, rule in rules.items.items():
        listed = [rule, *rule.items.values()]
        is_text = all(part.is_const or part.shape == "list" for part in listed)
        narrow = any(_NARROW_RULE.search(str(part.const)) for part in listed if part.is_const)
        address = any(_ADDRESS_RULE.search(str(part.const)) for part in listed if part.is_const)
        done = _BUT_ADDRESSED if address else _NOTHING
        origin = TaintOrigin("request", f"request[{key!r}]", line)
        items[key] = HARMLESS if narrow or not is_text else foreign(origin, done=done)
    return Val(shape="dict", items=items, text=FOREIGN)


def is_loader(kind: ir.Class) -> bool:
    """Whether an object of the class reads data, and is none itself."""
    return any(base.endswith("Schema") for base in kind.bases)


def vouched(value: Val) -> Val:
    """What a model let through whose checks nobody can read here."""
    taints = {origin: done | _PASSED for origin, done in value.taints.items()}
    return msgspec.structs.replace(value, taints=taints) if taints else value


_PASSED: frozenset[Kind] = frozenset({"passed"})


def doubted(value: Val) -> Val:
    """What nobody says to be foreign, in containers too."""
    rest = doubted(value.rest) if value.rest is not None else None
    if not value.taints and rest is value.rest:
        return value
    return msgspec.structs.replace(value, opaque=bool(value.taints), rest=rest)
