"""Places of a sink in which a foreign value does no harm, by what it is and what stands around it."""

from __future__ import annotations

from leeboard.model.text import lazy
from leeboard.security.taint.table import Sink
from leeboard.security.taint.values import CLEAN, FOREIGN, OPEN, TaintOrigin, Val, held

_HOST_FIXED = lazy(r"[a-z][\w+.-]{0,12}://[^/?#\x00]*[/?#]|[\x01\x02][^\x00]*[/?#=]|/[^/\\\x00]|\w[\w.-]*/|\.\.?/|\?|#")
_BEHIND_OWN = lazy(r"\x00[^\x00]*[?#]")
"""Something of the page's own address, and the rest behind it."""
_NAMED_CALLS = frozenset({"*.send", "*.public_send", "*.__send__", "send", "public_send", "__send__", "*.__invoke"})
"""Calls of a method or a function by its name."""
_PREFIXED = lazy(r"[^\W\d]\w+$")
_HEAD_LINES = lazy(r"(?!\r\n)(?:[^<\r\n]{1,400}\r\n){1,60}(?:\r\n)?$")
_STRUCTURED = lazy(r"json|body|\.data\b|payload|\breq(?:uest)?\.query\b")
_NO_MAPPINGS = ("RegExp()", "ObjectId()", "String()")
"""What is made by these is one value, whatever it was made of."""
_QUERY_CODE = "where.built"
"""What stands under `$where`."""
_WHOLE_REQUEST = lazy(r"(?:\w+\.)?request$")
_WHOLE_BODY = lazy(r"(?:^|\.)(?:req|request)\.body$")
_EVENT_STREAM = lazy(r"(?:event|data|id|retry): ?")


def is_named_here(sink: Sink, value: Val) -> bool:
    """The fields that are set, or the method of an object that is called, stand in the source."""
    if sink.kind == "attribute":
        return bool(value.items) and value.rest is None
    method = value.items.get(1) if sink.kind == "code" and value.shape == "list" else None
    return method is not None and method.is_const


def is_passed_on(sink: Sink, value: Val, origin: TaintOrigin) -> bool:
    """`fetch(event.request)` sends a request where it was going, as a service worker does."""
    return sink.kind == "url" and value.text == FOREIGN and bool(_WHOLE_REQUEST.match(origin.label))


def is_sent_as_data(value: Val) -> bool:
    """A record or a parsed body is sent as JSON, and a stream of events is no page."""
    if value.shape == "dict":
        return "__html" not in value.items
    return bool(_WHOLE_BODY.search(value.path)) or bool(_EVENT_STREAM.match(value.text))


def is_operator(sink: Sink, value: Val, origin: TaintOrigin) -> bool:
    """Only what may be a mapping can be an operator: a form gives texts. Code inside a query is another matter, and so
    is the text that a query is read from.
    """
    if sink.callee == _QUERY_CODE or sink.joined:
        return True
    code = [value.items[key] for key in ("$where", "$function", "$expr") if key in value.items]
    if any(item.taints for item in code):
        return True
    compared = {name: item for name, item in value.items.items() if not _is_compared(item)}
    if value.items and not compared and value.rest is None:
        return False
    held_in = [item for item in compared.values() if held(item).taints] or [value]
    if all(not item.shape and (item.path.endswith(_NO_MAPPINGS) or len(item.text) > 1) for item in held_in):
        return False  # a text that was built, or a pattern
    parsed = any("json" in item.path for item in (value, *value.items.values()) if item.taints)
    return parsed or bool(_STRUCTURED.search(origin.label)) or origin.trust == "handler"


def _is_compared(item: Val) -> bool:
    """`{ email: { $eq: sent } }`: whatever was sent is what the field has to be, and no operator."""
    return item.shape == "dict" and set(item.items) == {"$eq"} and item.rest is None


def is_harmless_place(sink: Sink, value: Val) -> bool:
    before = value.text.partition(FOREIGN)[0]
    if sink.joined and not value.text.replace(FOREIGN, "").strip(OPEN + CLEAN):
        return True
    if sink.kind == "attribute" or sink.callee in _NAMED_CALLS:
        return _PREFIXED.match(before) is not None  # one of a family of methods: `do_` + command
    if sink.kind == "upload" and value.path.endswith((".stream", ".file", ".read()")):
        return True  # what was sent, not what it is called
    if sink.kind == "path" and value.path.endswith("IO()"):
        return True  # a file in memory has no path, whatever was written to it
    if sink.kind == "html" and _HEAD_LINES.match(value.text):
        return True  # header lines of a response, which are judged where they are set
    return sink.start and _has_its_host(sink, value, before)


def _has_its_host(sink: Sink, value: Val, before: str) -> bool:
    """What stands in front of it names the host, or is of the page's own address."""
    of_own = any(sink.kind in done for done in value.taints.values()) and _BEHIND_OWN.match(value.text)
    return bool(_HOST_FIXED.match(before) or of_own)
