"""What a description of a form lets through, field by field: `z.object({ ... })`, `Joi.object({ ... })` and their like.

A number, a date, an identifier or a choice is harmless whatever was sent. A text is what was sent; no object can stand
in its place any more, and no field that nobody described.
"""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.text import lazy
from leeboard.security.taint.guard import spells_out
from leeboard.security.taint.state import State
from leeboard.security.taint.table import UNREAD_CHECK, Kind
from leeboard.security.taint.use import Use
from leeboard.security.taint.values import FOREIGN, HARMLESS, Key, TaintOrigin, Val, foreign, held

CHECKED_FIELD = lazy(
    r"\.(?:enum|nativeEnum|picklist|number|int|integer|boolean|bool|date|datetime|iso|isoDate|isoDateTime|literal|bigint|"
    r"uuid|guid|cuid2?|ulid|nanoid|ip|ipv[46]|valid|oneOf|hex|alphanum|base64|objectId|stringbool)\(\)",
)
_LOOKED_AT = lazy(r"\.(?:refine|superRefine|custom|external|test|check|rawCheck|when)\(\)")
"""Code of its own, which nobody reads here."""
_NARROWED = lazy(r"\.(?:transform|preprocess|email|url|regex|pattern|matches)\(\)")
"""Part of it is given a form; the rest is what was sent."""
_PATTERN = lazy(r"\.(?:regex|pattern|matches)\(\)")
_TEXT = lazy(r"\.(?:string|any|unknown|unsafe)\(\)")
_ANY_OF = lazy(r"\.(?:union|alternatives|oneOf|or|intersection|and|alternatives\(\)\.try)\(\)")
_SAME = lazy(r"\.(?:optional|nullable|nullish|lazy|promise|readonly|default|catch|required)\(\)$")
"""What is put around another description and says the same of the text."""
_DESCRIBES = lazy(r"(?i)^(?:zod|@?joi|@hapi/joi|yup|valibot|superstruct)\b")
_SHORT_NAMES = lazy(r"^[zv]\b")
_LIBRARIES = r"[\"'](?:zod(?:/\w+)?|valibot)[\"']"
_TELLS = lazy(r"(?i)^safe|validate")
_SETTLED: frozenset[Kind] = frozenset({"fields", "nosql", "prototype"})
_DEEPEST = 4


DESCRIBES = frozenset({"javascript", "typescript", "tsx"})
"""Languages in which a form is described by calls."""
_ASKS = lazy(r"\.(?:safeParse|parse|validate)(?:Async|Sync)?$")


def let_through(state: State, use: Use) -> Val | None:
    """What a schema of this file lets through; None where none is asked, or nobody sees what it says."""
    if use.path == "schema.validated" and len(use.args) > 2:
        return _through(use.args[1], use.args[0], str(use.args[2].const))
    asked = use.receiver
    if asked is not None and use.args and _ASKS.search(use.path) and _is_described(state, asked):
        return _through(asked, use.args[0], use.path.rpartition(".")[2])
    return _validated_before(state, use) if use.path.endswith(".valid") and use.args else None


def _is_described(state: State, schema: Val) -> bool:
    if _DESCRIBES.search(schema.path):
        return True
    return _SHORT_NAMES.search(schema.path) is not None and state.mentions.says(_LIBRARIES)


def _validated_before(state: State, use: Use) -> Val | None:
    """`c.req.valid("query")`: what stands in front of the handler has held it against a schema."""
    function = state.active[-1] if state.active else None
    for check in state.registered.get(id(function), ()):
        if len(check.args) > 1 and check.args[0].is_const and check.args[0].const == use.args[0].const:
            label = f"{use.written}({use.args[0].const!r})"
            return _through(check.args[1], foreign(TaintOrigin("request", label, use.line)), "")
    return None


def _fields_of(schema: Val) -> dict[Key, Val] | None:
    """The fields that it describes, where the file shows them."""
    for given in schema.args[:1]:
        if given.shape == "dict" and given.items and given.rest is None:
            return given.items
    return None


def _through(schema: Val, sent: Val, way: str) -> Val | None:
    """`way`: the method that is asked, some of which put what they let through beside what they found."""
    fields = _fields_of(schema)
    if not held(sent).taints or (fields is None and not _is_known(schema)):
        return None
    found = _field(schema, held(sent), 0) if fields is None else _filled(fields, held(sent), 0)
    if not _TELLS.search(way):
        return found
    return Val(shape="dict", items={**found.items, "data": found, "value": found, "output": found}, text=FOREIGN)


def _filled(fields: dict[Key, Val], sent: Val, depth: int) -> Val:
    items = {key: _field(field, _named(sent, key), depth) for key, field in fields.items()}
    return Val(shape="dict", items=items, steps=sent.steps)


def _is_known(schema: Val) -> bool:
    return _DESCRIBES.search(schema.path) is not None or _SHORT_NAMES.search(schema.path) is not None


def _field(field: Val, sent: Val, depth: int) -> Val:
    if _is_harmless(field):
        return HARMLESS
    inner = _fields_of(field)
    if inner is not None and depth < _DEEPEST:
        return _filled(inner, sent, depth + 1)
    if _ANY_OF.search(field.path):
        return sent
    if field.args and _is_known(field.args[0]) and not _TEXT.search(field.path):
        if depth >= _DEEPEST:
            return sent
        one = _field(field.args[0], sent, depth + 1)
        return one if _SAME.search(field.path) else Val(shape="list", rest=one)
    return _text(field, sent)


def _text(field: Val, sent: Val) -> Val:
    """What was sent, as far as the description says nothing of it."""
    if not _TEXT.search(field.path) or _LOOKED_AT.search(field.path):
        return replace(sent, opaque=True)
    if not _NARROWED.search(field.path):
        return sent
    return replace(sent, taints={origin: done | UNREAD_CHECK for origin, done in sent.taints.items()})


def _is_harmless(field: Val) -> bool:
    """Whether each text that it lets through is one of those that the program knows."""
    if CHECKED_FIELD.search(field.path):
        return True
    if _PATTERN.search(field.path) and field.args and isinstance(field.args[0].const, str):
        return spells_out(field.args[0].const)
    listed = field.args[0].items.values() if field.args and field.args[0].shape == "list" else ()
    return bool(listed) and all(CHECKED_FIELD.search(one.path) for one in listed)


def _named(sent: Val, key: Key) -> Val:
    taints = {
        TaintOrigin(origin.trust, f"{origin.label}[{key!r}]"[:80], origin.line): done | _SETTLED
        for origin, done in sent.taints.items()
    }
    return replace(sent, taints=taints, text=FOREIGN, path="", shape="", items={}, rest=None)
