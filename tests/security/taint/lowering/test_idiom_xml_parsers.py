"""Parsers that load outside entities."""

from __future__ import annotations

import pytest

from leeboard.security.taint.lowering.idiom import unhardened
from leeboard.source.syntax import parse

PARSES = "class A { Object f(InputStream in) { return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in); } }"
HARDENED = PARSES.replace(
    "return", 'factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true); return'
)

WRITES = PARSES.replace(".parse(in)", ".newDocument()").replace("} }", "} Object g() { return reader.parse(in); } }")


@pytest.mark.parametrize(
    ("code", "callee", "wanted"),
    [
        (PARSES, "DocumentBuilderFactory.newInstance", True),
        (HARDENED, "DocumentBuilderFactory.newInstance", False),
        (PARSES, "Other.newInstance", False),
        (WRITES, "DocumentBuilderFactory.newInstance", False),
    ],
)
def test_factories(code: str, callee: str, *, wanted: bool) -> None:
    tree = parse(code, "java")
    assert tree is not None
    node = tree.root.find(kind="method_invocation")
    assert node is not None
    assert unhardened(node, callee) is wanted
