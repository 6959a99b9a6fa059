"""The languages there are: how each is lowered, and its tables. A language costs only the files that are in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.code.flow import ir, table_file
from leeboard.code.flow.table import Tables
from leeboard.code.flow.table_file import TableFile, handlers_of, tables_of

if TYPE_CHECKING:
    from leeboard.code.syntax import Tree

Lower = Callable[["Tree"], ir.Module]
Language = tuple[Lower, Tables]


def _c() -> Language:
    from leeboard.code.flow.lower_c import lower  # noqa: PLC0415 - only files in this language pay for it

    return lower, _with_common("c", table_file.c())


def _csharp() -> Language:
    from leeboard.code.flow.lower_csharp import lower  # noqa: PLC0415 - as above

    return lower, _with_common("csharp", table_file.csharp())


def _go() -> Language:
    from leeboard.code.flow.lower_go import lower  # noqa: PLC0415 - as above

    return lower, _with_common("go", table_file.go())


def _java() -> Language:
    from leeboard.code.flow.lower_java import lower  # noqa: PLC0415 - as above

    return lower, _with_common("java", table_file.java())


def _javascript() -> Language:
    from leeboard.code.flow.lower_javascript import lower  # noqa: PLC0415 - as above

    return lower, _with_common("javascript", table_file.javascript())


def _kotlin() -> Language:
    from leeboard.code.flow.lower_kotlin import lower  # noqa: PLC0415 - as above

    java, own = _with_common("kotlin", table_file.java()), table_file.kotlin()
    model = replace(java.model, harmless=java.model.harmless.union(own.model["harmless"]))
    handlers = (*java.handlers, *handlers_of(own.handlers))
    return lower, replace(java, handlers=handlers, model=model, lexical=own.lexical)


def _php() -> Language:
    from leeboard.code.flow.lower_php import lower  # noqa: PLC0415 - as above

    return lower, _with_common("php", table_file.php())


def _python() -> Language:
    from leeboard.code.flow.lower_python import lower  # noqa: PLC0415 - as above

    return lower, tables_of("python", table_file.python())


def _ruby() -> Language:
    from leeboard.code.flow.lower_ruby import lower  # noqa: PLC0415 - as above

    return lower, _with_common("ruby", table_file.ruby())


def _rust() -> Language:
    from leeboard.code.flow.lower_rust import lower  # noqa: PLC0415 - as above

    return lower, _with_common("rust", table_file.rust())


def _with_common(language: str, file: TableFile) -> Tables:
    return tables_of(language, file, table_file.common())


LANGUAGES: dict[str, Callable[[], Language]] = {
    "python": _python,
    "javascript": _javascript,
    "typescript": _javascript,
    "tsx": _javascript,
    "java": _java,
    "kotlin": _kotlin,
    "go": _go,
    "php": _php,
    "ruby": _ruby,
    "csharp": _csharp,
    "rust": _rust,
    "c": _c,
    "cpp": _c,
}
