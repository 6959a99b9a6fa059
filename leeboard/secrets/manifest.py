"""The values of a Kubernetes Secret: under `data` in Base64, under `stringData` plain, whatever their names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leeboard.model.text import lazy
from leeboard.secrets.hit import SecretHit
from leeboard.secrets.weight import weigh

_KIND = lazy(r"(?m)^[ \t]{0,8}kind:[ \t]{1,4}[\"']?Secret[\"']?[ \t]{0,4}\r?$")
_BLOCK = lazy(r"(?m)^(?P<indent>[ \t]{0,8})(?:data|stringData):[ \t]{0,4}\r?$")
_ENTRY = lazy(
    r"""(?m)(?P<indent>[ \t]{1,12})(?P<name>[\w.\-]{1,80}):[ \t]{1,4}["']?"""
    r"""(?P<value>[^\s"'#]{4,4000})["']?[ \t]{0,4}\r?$"""
)
_MANIFEST = 40_000
_PUBLIC = (
    "cert",
    "crt",
    "ca.",
    "user",
    "name",
    "host",
    "url",
    "port",
    "email",
    "namespace",
    "config",
    "type",
    "region",
)


def by_manifest(text: str) -> Iterator[SecretHit]:
    """Entries of the data blocks of each manifest that says it is a Secret."""
    if "Secret" not in text or "ata:" not in text:
        return
    done = 0
    for kind in _KIND.finditer(text):
        if kind.start() < done:
            continue
        first = max(done, text.rfind("\n---", 0, kind.start()) + 1, kind.start() - _MANIFEST)
        end = text.find("\n---", kind.end(), kind.end() + _MANIFEST)
        done = end if end >= 0 else min(len(text), kind.end() + _MANIFEST)
        for block in _BLOCK.finditer(text, first, done):
            yield from _entries(text, block)


def _entries(text: str, block: re.Match[str]) -> Iterator[SecretHit]:
    """The lines of a block, as far as they are plain entries that stand further in."""
    entry = _ENTRY.match(text, block.end() + 1)
    while entry is not None and len(entry["indent"]) > len(block["indent"]):
        public = any(word in entry["name"].lower() for word in _PUBLIC)
        weight = None if public else weigh(entry["name"], entry["value"], "secret")
        if weight is not None:
            yield SecretHit(
                kind="kubernetes-secret",
                name=entry["name"],
                value=entry["value"],
                start=entry.start("value"),
                confidence=weight[0],
                note=weight[1],
            )
        entry = _ENTRY.match(text, entry.end() + 1)
