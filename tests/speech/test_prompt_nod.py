from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.speech.prompt import NOD_LIMIT, REMARK_LIMIT, is_nod, is_remark


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


@pytest.mark.parametrize(
    "text",
    [
        "no, that's wrong",
        "hmm why did you do that?",
        "looks good, the profile change is fine",
        "perfect. now commit",
        "that doesn't work",
        "still broken",
        "it fails with the same error",
        "undo that",
        "revert it",
        "stop",
        "wait",
        "what does this do?",
        "run the tests",
        "commit and push",
        "no",
        "nope",
        "Stop!",
        "wait a second",
        "why did you change the profile page?",
        "what did you change?",
        "did you run the tests?",
        "are you sure?",
        "the tests still fail",
        "tests are green",
        "now commit it",
        "push it",
        "ok commit and push to main",
        "please run the linter",
        "rerun the tests",
        "fix it",
        "that is not what I asked for",
        "it still doesn't work",
        "same error again",
        "it crashes",
        "undo your last change",
        "revert the last change",
        "roll it back",
        "go back",
        "try again",
        "that's much better, thanks",
        "this is worse than before",
        "explain what you did",
        "show me the diff",
        "what happened?",
        "I don't understand",
        "open a PR",
        "are you done?",
        "hold on",
        "why?",
        "cancel that",
        "great, the login works now",
        "What are you doing?",
        "No! Why did you touch the migrations?",
        "ok, thanks. commit it",
        "run the tests again please",
        "the build is red",
        "hm, that's weird",
        "you broke it",
        "nice, push",
    ],
)
def test_a_remark_is_about_the_work(text: str) -> None:
    assert is_remark(text)


@pytest.mark.parametrize(
    "text",
    [
        "add dark mode",
        "fix the tests",
        "now the mobile view",
        "update the schema",
        "fix login",
        "change the tests",
        "now the tests",
        "make it faster",
        "use bcrypt",
        "no, use bcrypt",
        "looks good, now the invoice",
        "that's wrong, the total should be rounded",
        "still broken on the invoice page",
        "the login is broken",
        "stop the server",
        "commit the invoice export",
        "write a test",
        "add tests",
        "remove the banner",
        "rename foo to bar",
        "and the footer",
        "also the footer",
        "next: pagination",
        "do the same for invoices",
        "why does the login fail?",
        "what does the parser do?",
        "how would you implement caching?",
        "the button is too small",
        "perfect. now add a logout link",
        "why did you do that? add a test instead",
        "undo that and use a map",
        "revert the profile page",
        "why is the page slow?",
        "it crashes when I click save",
        "implement phase 2",
        "continue with the api",
        "go back to the old parser",
        "ok, go ahead and modify the schema",
        "refactor this",
        "clean up the imports",
        "deploy it",
        "translate it to German",
        "fix the bug in the login",
        "the tests for billing are missing",
        "show a spinner",
        "let users change the theme",
        "explain the parser",
        "test the login",
        "look at the invoice",
    ],
)
def test_new_work_is_no_remark(text: str) -> None:
    assert not is_remark(text)


def test_a_long_message_says_something() -> None:
    assert not is_nod("ok " * NOD_LIMIT)
    assert not is_remark("no " * REMARK_LIMIT)


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    assert is_remark(text) or not is_nod(text)
