"""Tables of words, sinks, formats and roles: TOML for people, and the same compiled for processes that must be quick.

A table is `leeboard/data/<room>/<name>.toml`; its schema is the msgspec type it is loaded as. `make data` writes every
table into `compiled/` as JSON, which a hook reads for about what the import of a module of that size would cost. A list
so long that its weight counts in an installation is packed.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

T = TypeVar("T")


def load(name: str, schema: type[T]) -> T:
    """The table of this name, such as `taint/python`, as a value of its schema."""
    place = f"{__path__[0]}/compiled/{name.replace('/', '.')}.json"
    try:
        compiled = _read(place)
    except FileNotFoundError:
        from zlib import decompress  # noqa: PLC0415 - only for what is packed

        compiled = decompress(_read(f"{place}.z"))
    return msgspec.json.decode(compiled, type=schema)


def _read(path: str) -> bytes:
    data: bytes = __spec__.loader.get_data(path)  # type: ignore[union-attr]  # a package's loader reads its files
    return data
