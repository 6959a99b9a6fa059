from __future__ import annotations

from leeboard.secrets.weight import CONFIDENCE, by_entropy

MIXED = "aB3dE6gH9jK2mN5pQ8sT1vW4"


def test_a_literal_that_only_its_entropy_speaks_for() -> None:
    """SW-56."""
    (hit,) = by_entropy(f'call("{MIXED}")')
    assert (hit.value, hit.confidence) == (MIXED, CONFIDENCE)


def test_lines_about_digests_and_the_like_are_left_out() -> None:
    for line in (
        f'sha256 = "{MIXED}"',
        f'integrity: "{MIXED}"',
        f'import x from "{MIXED}"',
        'text = "plain words and more"',
    ):
        assert not list(by_entropy(line))
