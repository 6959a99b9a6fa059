"""Copies come back as they were, are forgotten when they are old, and share one content."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leeboard.app.safety_net.copies import content, digest_of, forget_older, kept_files, read_kept, write_copy
from leeboard.app.safety_net.note import folder_of
from leeboard.errors import EffectError
from tests.netted_repository import NettedRepository


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=5_000))
def test_what_was_copied_is_read_back_byte_for_byte(net: NettedRepository, data: bytes) -> None:
    write_copy(net.root, digest_of(data), data)
    assert content(net.root, digest_of(data)) == data


def test_one_content_is_kept_once(net: NettedRepository) -> None:
    net.git.write("again.md", (net.path / "notes.md").read_bytes())
    net.note()
    digests = [one.digest for one in read_kept(net.root).copies]
    assert len(digests) > len(set(digests)) == len(list(Path(folder_of(net.root), "copies").iterdir()))


def test_what_is_old_is_forgotten_in_every_project(net: NettedRepository) -> None:
    net.note()
    assert forget_older(1.0) == 0
    assert forget_older(1e12) == 4
    assert read_kept(net.root).copies == ()
    assert not list(Path(folder_of(net.root), "copies").iterdir())


def test_all_files_of_a_tree_are_told(net: NettedRepository) -> None:
    net.note()
    assert {*kept_files(net.root)} == {str(path) for path in Path(folder_of(net.root)).rglob("*") if path.is_file()}


def test_a_place_that_is_no_folder_is_an_error_of_ours(net: NettedRepository) -> None:
    Path(folder_of(net.root)).parent.mkdir(parents=True)
    Path(folder_of(net.root)).write_text("in the way")
    with pytest.raises(EffectError, match="can not write"):
        write_copy(net.root, digest_of(b"x"), b"x")
