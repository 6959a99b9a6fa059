"""The commonest limits in other languages, and what only looks like them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.contract import Constraint
from leeboard.speech.limits.abroad import limits
from leeboard.speech.limits.constraint import find_constraints


def forbid(
    text: str, *, patterns: tuple[str, ...] = (), areas: tuple[str, ...] = (), programs: tuple[str, ...] = ()
) -> Constraint:
    return Constraint(text=f"DO NOT {text}", kind="forbid", patterns=patterns, areas=areas, programs=programs)


def only(text: str, *, patterns: tuple[str, ...] = ()) -> Constraint:
    return Constraint(text=text, kind="only", patterns=patterns)


ORDERS = [
    ("ändere nicht src/a.py", [forbid("change src/a.py", patterns=("**/src/a.py",))]),
    ("Ändere keine Tests", [forbid("change Tests", areas=("tests",))]),
    ("ne modifie pas src/a.py", [forbid("change src/a.py", patterns=("**/src/a.py",))]),
    ("ne touche pas à tests/", [forbid("change tests/", patterns=("**/tests/**",))]),
    ("no modifiques src/a.py", [forbid("change src/a.py", patterns=("**/src/a.py",))]),
    ("no toques los tests", [forbid("change los tests", areas=("tests",))]),
    ("não altere src/a.py", [forbid("change src/a.py", patterns=("**/src/a.py",))]),
    ("non modificare src/a.py", [forbid("change src/a.py", patterns=("**/src/a.py",))]),
    ("не трогай src/a.py", [forbid("change src/a.py", patterns=("**/src/a.py",))]),
    ("不要修改 src/a.py", [forbid("change src/a.py", patterns=("**/src/a.py",))]),
    ("别改src/a.py", [forbid("change src/a.py", patterns=("**/src/a.py",))]),
    ("src/a.py を変更しないで", [forbid("change src/a.py", patterns=("**/src/a.py",))]),
    ("ohne die Tests zu ändern", [forbid("change die Tests", areas=("tests",))]),
    ("sin tocar src/a.py", [forbid("change src/a.py", patterns=("**/src/a.py",))]),
    ("don't touch src/größe.py", [forbid("touch src/größe.py", patterns=("**/src/größe.py",))]),
    ("Bitte src/a.py nicht ändern", [forbid("change src/a.py", patterns=("**/src/a.py",))]),
    ("Keine Änderungen an package.json", [forbid("change package.json", patterns=("**/package.json",))]),
    ("Fixe den Bug, aber ändere keine Tests", [forbid("change Tests", areas=("tests",))]),
    ("Nur src/a.py ändern", [only("ONLY change src/a.py", patterns=("**/src/a.py",))]),
    ("Corrige le bug sans toucher à tests/", [forbid("change tests/", patterns=("**/tests/**",))]),
    ("ne modifie que src/a.py", [only("ONLY change src/a.py", patterns=("**/src/a.py",))]),
    ("Arregla el error pero no toques package.json", [forbid("change package.json", patterns=("**/package.json",))]),
    ("Modifica solo src/a.py", [only("ONLY change src/a.py", patterns=("**/src/a.py",))]),
    ("Corrija o erro, não mexa em tests/", [forbid("change tests/", patterns=("**/tests/**",))]),
    ("Correggi il bug senza modificare src/a.py", [forbid("change src/a.py", patterns=("**/src/a.py",))]),
    ("Исправь баг, не меняй tests/", [forbid("change tests/", patterns=("**/tests/**",))]),
    ("меняй только src/a.py", [only("ONLY change src/a.py", patterns=("**/src/a.py",))]),
    ("修复登录，不要修改tests/", [forbid("change tests/", patterns=("**/tests/**",))]),
    ("只修改 src/a.py", [only("ONLY change src/a.py", patterns=("**/src/a.py",))]),
    ("请勿修改 package.json 文件", [forbid("change package.json 文件", patterns=("**/package.json",))]),
    ("バグを直して。tests/ には触らないでください。", [forbid("change tests/", patterns=("**/tests/**",))]),
    ("不要提交", [forbid("commit", programs=("git commit", "git push"))]),
    ("nicht committen", [forbid("commit", programs=("git commit", "git push"))]),
]


@pytest.mark.parametrize(("text", "expected"), ORDERS)
def test_an_order_is_a_constraint(text: str, expected: list[Constraint]) -> None:
    assert list(find_constraints(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Warum ändert sich package.json nicht?",
        "Der Knopf darf src/a.py nicht verändern, wenn er gesperrt ist",
        "Les utilisateurs ne modifient pas package.json",
        "No se puede modificar package.json",
        "no encuentro src/a.py",
        "O usuário não altera package.json",
        "Пользователь не меняет package.json",
        "Почему не меняется src/a.py?",
        "为什么不修改 package.json 就报错？",
        "用户不能修改其他人的文章",
        "tests/ を変更しないでビルドできますか",
        "No idea why src/a.py fails",
    ],
)
def test_descriptions_and_questions_limit_nothing(text: str) -> None:
    assert not [constraint for constraint in find_constraints(text) if constraint.checkable]


@given(st.text(max_size=300))
def test_any_sentence_is_read(sentence: str) -> None:
    for limit in limits(sentence):
        assert 0 <= limit.start <= limit.end <= len(sentence)
