from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.code._nod import NOD_LIMIT, is_nod


@pytest.mark.parametrize(
    "text",
    [
        "ok", "looks good", "Looks good, thanks!", "yes please", "go ahead", "continue", "LGTM 👍", "perfect, do it", "👍", "...",
        "ja, mach weiter", "passt, danke", "sieht gut aus", "sí, continúa", "vale, gracias", "oui, d'accord", "merci, c'est bon",
        "sim, pode continuar", "va bene, grazie", "да, продолжай", "хорошо, спасибо", "好的，继续", "可以", "谢谢", "はい、お願いします", "続けて",
    ],
)  # fmt: skip
def test_a_nod_is_a_nod(text: str) -> None:
    assert is_nod(text)


@pytest.mark.parametrize(
    "text",
    [
        "looks good, now the invoice", "ok fix login", "yes but use bcrypt", "no", "stop", "commit", "weiter mit der Rechnung",
        "好的，修改登录", "да, но исправь тесты", "continue with tests/", "not good", "that's wrong", "is this correct?! revert",
    ],
)  # fmt: skip
def test_a_word_more_is_none(text: str) -> None:
    assert not is_nod(text)


def test_a_long_message_says_something() -> None:
    assert not is_nod("ok " * NOD_LIMIT)


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    is_nod(text)
