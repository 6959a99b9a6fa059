"""What a path is to a project, told by its name: it wires things together, was left behind, holds an agent's notes."""

from __future__ import annotations

import re

from leeboard.model.text import lazy
from leeboard.text import language

_HUBS = lazy(
    r"route|config|setting|^index\.|^__init__\.|^(?:mod|lib|main)\.|^app\.|types?\.|constant|errors?\.|makefile|cmakelists|dockerfile|"
    r"manifest|procfile|^schema|^urls\.|^admin\.|compose|\.(?:ya?ml|toml|json|plist|gradle|cfg|ini|lock)$|^\."
)
"""Files that wire a project together: many a change has to pass through them."""


_ARTIFACT = lazy(
    r"\.(?:log|tmp|out|pid|bak|orig|swp|pyc|map|lock|sqlite3?|db|csv|png|jpe?g|gif|pdf|zip|gz)/?$|(?:^|[_\-/])(?:output|results?)[\w\-]*\.(?:txt|json)/?$",
    re.IGNORECASE,
)
"""What running things leaves behind: no choice of a file to work on."""
_OWN_NOTES = lazy(
    r"^\.(?:claude|cursor|codex|gemini)/(?:[^/]+\.md$|(?:plans?|todos?|notes|memory|tmp)/)|^(?:memory-bank|\.specstory)/"
    r"|(?:^|/)(?:todo|plan|notes)\.md$",
    re.IGNORECASE,
)
"""Where agents keep their own plans and memory."""
_GUARDED = lazy(r"^\.(?:claude|cursor|codex|gemini)(?:/settings[\w.]*\.json)?$|^leeboard\.toml$")
"""What a rule of its own stands guard over."""


def is_hub(path: str) -> bool:
    return bool(_HUBS.search(path.rsplit("/", 1)[-1].lower()))


def is_left_behind(path: str) -> bool:
    return language.lies_in(path, "artifact", any_case=True) or bool(_ARTIFACT.search(path))


def is_guarded(path: str) -> bool:
    return bool(_GUARDED.search(path))


def is_own_notes(path: str) -> bool:
    return bool(_OWN_NOTES.search(path))
