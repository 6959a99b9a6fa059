from __future__ import annotations

import pytest

from leeboard.contracts.hardening.forms import find_flags
from leeboard.contracts.hardening.sign import HardeningSource
from leeboard.source.syntax import parse


def _found(text: str, language: str) -> list[str]:
    tree = parse(text, language)
    assert tree is not None
    return [one.what for one in find_flags(HardeningSource(tree))]


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("javascript", "if (useLegacyApi) { f() }", ["if (useLegacyApi"]),
        ("javascript", "if (useNewFlow) { f() }", ["if (useNewFlow"]),
        ("javascript", "if (isNewUser) { f() }", []),
        ("javascript", "import flags from './feature-flags'", []),
        ("python", "import feature_flags\nfeature_flags.get('x')", ["feature_flags"]),
        ("python", "x = os.getenv('USE_CACHE')", ["USE_CACHE"]),
        ("python", "x = os.getenv('HOUSE_NAME')", []),
        ("python", "# os.getenv('USE_CACHE') if legacy\nx = 1", []),
    ],
)
def test_switches(language: str, text: str, names: list[str]) -> None:
    assert _found(text, language) == names
