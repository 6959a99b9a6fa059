"""The languages there are: how each is lowered, and its tables. A language costs only the files that are in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from leeboard.code.flow import ir
from leeboard.code.flow.table import Tables

if TYPE_CHECKING:
    from leeboard.code.syntax import Tree

Language = tuple[Callable[["Tree"], ir.Module], Tables]


def _c() -> Language:
    from leeboard.code.flow import lower_c, tables_c  # noqa: PLC0415 - as above

    return lower_c.lower, tables_c.TABLES


def _csharp() -> Language:
    from leeboard.code.flow import lower_csharp, tables_csharp  # noqa: PLC0415 - as above

    return lower_csharp.lower, tables_csharp.TABLES


def _go() -> Language:
    from leeboard.code.flow import lower_go, tables_go  # noqa: PLC0415 - as above

    return lower_go.lower, tables_go.TABLES


def _java() -> Language:
    from leeboard.code.flow import lower_java, tables_java  # noqa: PLC0415 - as above

    return lower_java.lower, tables_java.TABLES


def _javascript() -> Language:
    from leeboard.code.flow import lower_javascript, tables_javascript  # noqa: PLC0415 - as above

    return lower_javascript.lower, tables_javascript.TABLES


def _kotlin() -> Language:
    from leeboard.code.flow import lower_kotlin, tables_kotlin  # noqa: PLC0415 - as above

    return lower_kotlin.lower, tables_kotlin.TABLES


def _php() -> Language:
    from leeboard.code.flow import lower_php, tables_php  # noqa: PLC0415 - as above

    return lower_php.lower, tables_php.TABLES


def _python() -> Language:
    from leeboard.code.flow import lower_python, tables_python  # noqa: PLC0415 - as above

    return lower_python.lower, tables_python.TABLES


def _ruby() -> Language:
    from leeboard.code.flow import lower_ruby, tables_ruby  # noqa: PLC0415 - as above

    return lower_ruby.lower, tables_ruby.TABLES


def _rust() -> Language:
    from leeboard.code.flow import lower_rust, tables_rust  # noqa: PLC0415 - as above

    return lower_rust.lower, tables_rust.TABLES


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
