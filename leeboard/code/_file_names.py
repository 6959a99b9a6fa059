"""What tells a file's name from prose: endings, names without one, and words that only look like paths."""

from __future__ import annotations

import msgspec

from leeboard.data import load


class _FileNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    extensions: frozenset[str]
    bare_names: frozenset[str]
    """Files that are told by their whole name."""
    not_files: frozenset[str]
    """Products and calls that look like file names, in lower case."""
    domain_endings: frozenset[str]
    prose_pairs: frozenset[str]
    """Two words and a slash that prose is full of, in lower case."""
    media_kinds: frozenset[str]
    """First half of a media type such as `application/json`."""


_NAMES = load("speech/file_names", _FileNames)
EXTENSIONS = _NAMES.extensions
BARE_NAMES = _NAMES.bare_names
NOT_FILES = _NAMES.not_files
DOMAIN_ENDINGS = _NAMES.domain_endings
PROSE_PAIRS = _NAMES.prose_pairs
MEDIA_KINDS = _NAMES.media_kinds
