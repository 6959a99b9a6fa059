"""`environment.yml`: packages of conda, and those of pip in the list below `pip`."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.manifest._yaml_text import entries, flow_items
from leeboard.code.manifest.package import Package
from leeboard.code.manifest.python_requirement import requirement
from leeboard.model.pattern import lazy

_SPEC = lazy(r"(?:[\w.\-/]{1,100}::)?([A-Za-z0-9_][\w.\-]{0,200})[ \t]{0,9}(?=$|[=<>!~ \[])(.*)")


def read_environment(text: str) -> Iterator[Package]:
    for path, value in entries(text):
        if path == ("dependencies", "-", "pip", "-"):
            found = requirement(value)
            yield from (found,) if found else ()
        elif path in {("dependencies", "-"), ("dependencies",)}:
            for item in (value, *flow_items(value)):
                spec = _SPEC.match(item)
                if spec and spec[1] not in {"python", "pip"}:
                    yield Package("conda", spec[1].lower(), spec[2].strip())
