"""What is asked of some lines is what all of the text says of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leeboard.secrets.hit import Region, Secret, SecretHit
from leeboard.secrets.redaction import find_secrets

DRAWN = "aB3dE6gH9jK2mN5pQ8sT1vW4"
ARMOUR = ("-----BEGIN RSA PRIVATE " + "KEY-----", "-----END RSA PRIVATE " + "KEY-----")
LINES = (
    f'api_key = "{DRAWN}"',
    'password = "hunter2"',
    "password =",
    f'    "{DRAWN}x"',
    "<key>secret</key>",
    f"<string>{DRAWN}</string>",
    "- name: DB_PASSWORD",
    f"  value: {DRAWN}",
    f"curl -u bot:{DRAWN} https://x.dev",
    f"mysql -p{DRAWN[:9]} --token {DRAWN}",
    f'url = "postgres://app:{DRAWN}@db/app"',
    f'login("bot", "{DRAWN}")  # nosec',
    f'x = "{DRAWN}"',
    f"ghp_{DRAWN}{DRAWN[:12]}",
    f"Authorization: Bearer {DRAWN}",
    *ARMOUR,
    DRAWN + DRAWN,
    '"""',
    'token = """',
    "kind: Secret",
    "data:",
    f"  stripe: {DRAWN}",
    "",
    "def f(x):",
    "discord heroku",
    '"',
    "\r",
    "\u0130 secret: \u00e9",
)
PATHS = ("src/a.py", "a.yml", "run.sh", "README.md", "", "tests/test_a.py", "Makefile")


def lines_of(secret: Secret) -> set[int]:
    return set(range(secret.line, secret.line + secret.value.count("\n") + 1))


@given(
    st.lists(st.sampled_from(LINES) | st.text(max_size=12), max_size=14),
    st.sampled_from(PATHS),
    st.frozensets(st.integers(min_value=-1, max_value=16)),
)
def test_some_lines_are_a_part_of_all(lines: list[str], path: str, wanted: frozenset[int]) -> None:
    text = "\n".join(lines)
    told = tuple(secret for secret in find_secrets(text, path) if lines_of(secret) & wanted)
    assert find_secrets(text, path, wanted) == told


def test_a_line_too_long_to_be_read_is_the_same_alone() -> None:
    text = "a = 1\n" + f'k="{DRAWN}";' * 2_000 + "\npassword = 'hunter2'\n"
    told = tuple(secret for secret in find_secrets(text, "a.js") if secret.line == 2)
    assert find_secrets(text, "a.js", [2]) == told


def test_lines_that_follow_each_other_are_one_run() -> None:
    region = Region("ab\ncd\nef", [0, 3, 6], [3, 2, 9, 0])
    assert region.spans == [(3, 9)]
    assert region.touches(0, 3)
    assert not region.touches(0, 2)
    hits = region.each(lambda _start, _end: [SecretHit(kind="k", value="c", start=0, confidence=0.5)])
    assert [hit.start for hit in hits] == [3]


def test_the_margin_around_its_lines_is_there_once() -> None:
    region = Region("ab\ncd\nef\ngh\nij", [0, 3, 6, 9, 12], [1, 2, 5])
    assert region.with_margin(0) == "ab\ncd\n\nij"
    assert region.with_margin(2) == "ab\ncd\nef\nh\nij"
    assert region.with_margin(9) == "ab\ncd\nef\ngh\nij"
