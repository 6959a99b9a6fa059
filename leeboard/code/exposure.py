"""Exposures the user's own words order: this secret into that file, and no other."""

from __future__ import annotations

import re

from leeboard.model.pattern import lazy
from leeboard.model.workspace import Workspace

RULE = "credential"

_ORDER = lazy(r"\b(?:hard-?code|put|paste|write|add|insert|keep|commit|embed|inline|set|use|leave)\b", re.IGNORECASE)


def lifted_by(prompt: str, workspace: Workspace, key: bytes) -> tuple[str, ...]:
    """Fingerprints of the findings that are the user's own wish. Nothing of the secret can be told from them."""
    if not key or not _ORDER.search(prompt):
        return ()
    from leeboard.code.secret.find import keyed_digest  # noqa: PLC0415 - as above
    from leeboard.code.secret.named import exposures_named  # noqa: PLC0415 - few prompts order anything of the kind

    return tuple(
        f"{RULE}:{workspace.spell(path)}:{keyed_digest(value, key)}"
        for value, paths in exposures_named(prompt)
        for path in paths
    )
