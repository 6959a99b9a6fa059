"""XML parsers that load outside entities unless they are told not to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_FACTORIES = lazy(
    r"^(?:DocumentBuilderFactory\.newInstance|SAXParserFactory\.newInstance"
    r"|XMLInputFactory\.(?:newInstance|newFactory)|XMLReaderFactory\.createXMLReader)$"
)
_HARDENED = lazy(
    r"disallow-doctype-decl|external-general-entities|FEATURE_SECURE_PROCESSING"
    r"|ACCESS_EXTERNAL_DTD|SUPPORT_DTD|IS_SUPPORTING_EXTERNAL"
    r"|setExpandEntityReferences\(false"
)
_USED = lazy(r"\.parse\(|createXMLStreamReader|createXMLEventReader|newSAXParser")
_ANCESTORS = 80


def unhardened(node: SgNode, callee: str) -> bool:
    """A factory in a class that parses with it and nowhere switches entities off."""
    if not _FACTORIES.search(callee):
        return False
    current = node
    for _ in range(_ANCESTORS):
        above = current.parent()
        if above is None:
            break
        current = above
    text = current.text()
    return bool(_USED.search(text)) and not _HARDENED.search(text)
