from __future__ import annotations

import os
from pathlib import Path

from leeboard.app.guard.look import GONE, look


def test_only_other_content_is_another_digest(tmp_path: Path) -> None:
    place = tmp_path / "a"
    place.write_text("one", encoding="utf-8")
    first = look(str(place))
    assert look(str(place), first) is first
    os.utime(place, ns=(1, 1))
    touched = look(str(place), first)
    assert touched is not first
    assert touched.digest == first.digest
    place.write_text("two", encoding="utf-8")
    os.utime(place, ns=(1, 1))
    changed = look(str(place), touched)
    assert changed.digest != first.digest
    assert changed.first == first.digest
    place.unlink()
    assert look(str(place), changed).digest == GONE


def test_what_is_no_regular_file_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert look(str(tmp_path / "pipe")).digest.startswith("~")
