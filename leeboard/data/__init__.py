"""Tables of words, sinks, formats and roles: TOML for people, and the same compiled for processes that must be quick.

A table is `leeboard/data/<room>/<name>.toml`; its schema is the msgspec type it is loaded as. `make data` writes every
table into `compiled/` as JSON, which a hook reads for about what the import of a module of that size would cost.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

T = TypeVar("T")


def load(name: str, schema: type[T]) -> T:
    """The table of this name, such as `taint/python`, as a value of its schema."""
    folder = __path__[0]
    compiled: bytes = __spec__.loader.get_data(f"{folder}/compiled/{name.replace('/', '.')}.json")  # type: ignore[union-attr]  # a package's loader reads its files
    return msgspec.json.decode(compiled, type=schema)
