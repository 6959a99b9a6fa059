from __future__ import annotations

import pytest

from leeboard.model.truth import ABSENT, TrackedChange, TrackedFile

BEFORE = TrackedFile(path="a.md", sha256="1", size=1, is_binary=False)


@pytest.mark.parametrize(
    ("before", "sha256", "kind"),
    [(None, "2", "new-file-detected"), (BEFORE, "2", "modified"), (BEFORE, ABSENT, "file-removed")],
)
def test_what_happened_to_a_file(before: TrackedFile | None, sha256: str, kind: str) -> None:
    assert TrackedChange(path="a.md", before=before, sha256=sha256).kind == kind
