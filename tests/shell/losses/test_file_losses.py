"""Which files a line removes or writes over, by a work tree that is told: real ones are in `tests/test_guard_lines.py`."""

from __future__ import annotations

import pytest

from leeboard.shell.effects import shell_effects
from leeboard.shell.losses.file_losses import file_losses
from tests.shell.losses.told_ground import told_ground


def lost(line: str, *, read: bool = False) -> list[str]:
    ground = told_ground(read=read)
    return [loss.subject for loss in file_losses(line, shell_effects(line, "/repo"), ground)]


@pytest.mark.parametrize(
    "line",
    ["rm notes.md", "echo x > notes.md", "cp a notes.md", "truncate -s 0 notes.md", "perl -e 'unlink \"notes.md\"'"],
)
def test_a_file_by_its_name(line: str) -> None:
    assert lost(line) == ["notes.md"]


def test_a_file_that_goes_on_under_another_name_is_not_lost() -> None:
    assert lost("mv notes.md old.md") == []
    assert lost("gzip notes.md") == []
    assert lost("python3 -c \"import os; os.rename('notes.md', 'b')\"") == []
    assert lost("python3 -c \"import os; os.remove('notes.md')\"") == ["notes.md"]


def test_what_the_agent_has_read_is_written_over_as_by_an_edit() -> None:
    assert lost("echo x > notes.md", read=True) == []
    assert lost("rm notes.md", read=True) == ["notes.md"]


def test_a_file_that_is_put_into_a_folder_replaces_the_one_of_its_name_alone() -> None:
    assert lost("cp x/one.md drafts") == ["drafts/one.md"]
    assert lost("cp x/two.md drafts") == []


def test_disks_are_named_and_other_devices_are_not() -> None:
    assert lost("dd if=x of=/dev/sda1") == ["/dev/sda1"]
    assert lost("dd if=x of=/dev/null; echo x > /dev/stderr") == []
