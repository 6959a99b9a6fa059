"""The look at hints stops a text only where every finder would have come back with nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from leeboard.secrets.detection import secret_spans, weighed_secrets
from leeboard.secrets.hit import STEMS
from leeboard.secrets.place import HINTS
from leeboard.secrets.redaction import find_secrets, may_hold
from tests.secrets.test_redaction import SECRETS

ROOT = Path(__file__).resolve().parent.parent.parent
PATHS = ("", "src/a.py", "run.sh", "deploy.yml", "README.md", "a.min.js", "package-lock.json", "locales/de.json")
NEAR = (
    *STEMS,
    *HINTS,
    *"@tcp( @udp( PRIVATE PuTTY-User MII LS0t contribsys Secret data: stringData: BEGIN sqlcmd mysql".split(),
    *"= : := => ( ) [ ] { } , ; ' \" ` -- - / . < > </ $ # @ \\ \n".split(" "),
    *("\n", "\n    ", " ", "  ", "\t", "\u0130", "\u212a", "\u00e9"),
    *"hunter2 Sommer2024! tr0ub4dor qwertzuiop correcthorse batterystaple aaaaaaaaaaaaaaaaaaa Ab3 X9 9f8e7d6c".split(),
    *"login name return value user kim root server host open close read".split(),
)
TEXTS = st.lists(st.sampled_from(NEAR) | st.text(max_size=6), max_size=14).map("".join)
PLAIN = st.lists(
    st.sampled_from([piece for piece in NEAR if not may_hold(piece)]) | st.text(max_size=4), max_size=20
).map("".join)


@given(TEXTS | PLAIN, st.sampled_from(PATHS))
def test_what_it_stops_holds_nothing(text: str, path: str) -> None:
    assume(not may_hold(text))
    assert weighed_secrets(text, path) == () or "\u0130" in text
    assert find_secrets(text, path) == weighed_secrets(text, path)


@given(PLAIN)
def test_what_it_stops_has_nothing_to_redact(text: str) -> None:
    assume(not may_hold(text) and "\u0130" not in text)
    assert secret_spans(text) == []


@pytest.mark.parametrize("word", STEMS)
def test_every_word_of_a_name_is_a_hint(word: str) -> None:
    assert may_hold(word)


@pytest.mark.parametrize("hint", HINTS)
def test_every_hint_of_a_place_is_one_before_a_literal(hint: str) -> None:
    assert may_hold(f"{hint}'")


def test_a_login_without_a_literal_is_none() -> None:
    assert not may_hold("def login(name: str) -> str:\n    return name.strip()\n")
    assert may_hold("login('kim', 'x')")


@pytest.mark.parametrize("secret", SECRETS)
def test_no_secret_of_a_great_maker_is_stopped(secret: str) -> None:
    assert may_hold(secret)


_LOADS = """
import sys
from leeboard.secrets.redaction import find_secrets
assert find_secrets("def login(name: str) -> str:\\n    return name.strip()\\n", "src/login.py") == ()
assert "leeboard.secrets.detection" not in sys.modules
"""


def test_a_plain_text_loads_no_finder() -> None:
    subprocess.run([sys.executable, "-c", _LOADS], check=True, timeout=60, cwd=ROOT)
