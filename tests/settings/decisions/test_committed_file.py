from __future__ import annotations

import pytest

from leeboard.errors import ConfigError
from leeboard.settings.decisions.committed_file import CommittedFile, read, written


def test_an_empty_one_is_one() -> None:
    assert read(written("things", ()), CommittedFile, "x.json", "leeboard x").version == 1


@pytest.mark.parametrize("text", ["", "\0", "[" * 100_000, "\ud800", '{"version": "1"}'])
def test_who_writes_it_is_named_where_it_is_none(text: str) -> None:
    with pytest.raises(ConfigError, match=r"x.json: can not be read: .*`leeboard x` writes it"):
        read(text, CommittedFile, "x.json", "leeboard x")
