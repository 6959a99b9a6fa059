"""Kotlin: Java's tables, with what is spelled otherwise."""

from __future__ import annotations

import msgspec

from leeboard.code.flow.table import Handlers
from leeboard.code.flow.tables_java import HANDLERS, MODEL, SAFE_TYPES
from leeboard.code.flow.tables_java import TABLES as JAVA

TABLES = msgspec.structs.replace(
    JAVA,
    language="kotlin",
    handlers=(*HANDLERS, Handlers(requests=r"\bApplicationCall\b")),
    model=msgspec.structs.replace(MODEL, harmless=MODEL.harmless | {"isNullOrBlank", "isNullOrEmpty"}),
    safe_types=SAFE_TYPES,
    lexical=True,
)
