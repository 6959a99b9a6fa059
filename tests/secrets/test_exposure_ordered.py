"""Exposures a prompt orders: this secret into that file, and no other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.workspace import Workspace
from leeboard.secrets.detection import keyed_digest
from leeboard.secrets.exposure import lifted_by
from tests.leak import live_key

KEY, OWN = live_key(1), b"a key of this machine"
PLACE = Workspace("/repo")


def fingerprint(path: str, value: str = KEY) -> str:
    return f"credential:{path}:{keyed_digest(value, OWN)}"


@pytest.mark.parametrize(
    "prompt",
    [
        f"hardcode {KEY} in src/config.py",
        f"Put the key {KEY} into src/config.py, it is a sandbox key.",
        f"Please write `{KEY}` to ./src/config.py",
        f"Paste {KEY} into /repo/src/config.py",
    ],
)
def test_naming_both_is_an_order(prompt: str) -> None:
    """SW-161."""
    assert lifted_by(prompt, PLACE, OWN) == (fingerprint("src/config.py"),)


@pytest.mark.parametrize(
    "prompt",
    [
        "hardcode the key in src/config.py",
        f"hardcode {KEY}",
        f"don't put {KEY} into src/config.py",
        f"our key is {KEY}; the settings are read in src/config.py",
        "I don't mind secrets in the code, go ahead",
        "",
    ],
)
def test_anything_less_is_none(prompt: str) -> None:
    assert lifted_by(prompt, PLACE, OWN) == ()


def test_two_files_are_two() -> None:
    found = lifted_by(f"put {KEY} into src/a.py and src/b.py", PLACE, OWN)
    assert set(found) == {fingerprint("src/a.py"), fingerprint("src/b.py")}


def test_without_a_key_to_digest_with_nothing_is_kept() -> None:
    assert lifted_by(f"hardcode {KEY} in src/config.py", PLACE, b"") == ()


def test_nothing_of_the_secret_can_be_told_from_it() -> None:
    (found,) = lifted_by(f"hardcode {KEY} in src/config.py", PLACE, OWN)
    assert not any(KEY[at : at + 6] in found for at in range(len(KEY) - 5))
    assert found != fingerprint("src/config.py", live_key(2))


@given(st.text(max_size=300))
def test_no_prompt_breaks_it(prompt: str) -> None:
    assert isinstance(lifted_by(f"put {prompt} into a.py", PLACE, OWN), tuple)
