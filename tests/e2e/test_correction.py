"""Under `advise` a step aside is spoken of before the model's next request, once."""

from __future__ import annotations

import pytest

from tests.e2e.client import Run
from tests.e2e.desk import Desk
from tests.e2e.model_script import Reply, Script, bash, edit, read, say, use

pytestmark = pytest.mark.e2e

TOKEN, THEME, BUTTON = "src/auth/token.ts", "src/styles/theme.css", "src/components/Button.tsx"


def auth_work(desk: Desk, *, read_first: bool) -> Run:
    """Asked for auth, the agent goes on to the style sheet and to a button."""

    def step(name: str, old: str, new: str) -> list[Reply]:
        look = [use(read(desk.path(name)))] if read_first else []
        return [*look, use(edit(desk.path(name), old, new))]

    steps = [
        *[use(read(desk.path(TOKEN))), use(edit(desk.path(TOKEN), "60", "3600"))],
        *step(THEME, "black", "navy"),
        *step(BUTTON, "null", "undefined"),
    ]
    return desk.run("fix auth bug", Script(main=(*steps, say("Done."))))


@pytest.mark.parametrize("read_first", [True, False])
def test_the_correction_is_in_the_very_next_request_and_in_no_later_one_again(desk: Desk, *, read_first: bool) -> None:
    """AD-02, AD-21, AD-62: not at the next prompt, when both files have been changed already."""
    run = auth_work(desk, read_first=read_first)
    after_theme, after_button = (4, 6) if read_first else (3, 4)
    assert len(run.main) == after_button + 1
    assert all(request.our_words == [] for request in run.main[:after_theme])
    (first,) = run.main[after_theme].our_words
    assert THEME in first
    assert "Goal: fix auth bug" in first
    assert all(request.our_words == [first] for request in run.main[after_theme:after_button])
    again, second = run.main[after_button].our_words
    assert again == first, "the whole conversation holds it once"
    assert BUTTON in second
    assert THEME not in second
    assert "navy" in desk.read(THEME), "advice refuses nothing"


def test_once_back_on_course_nothing_more_is_said(desk: Desk) -> None:
    session = desk.path("src/auth/session.ts")
    script = Script(
        main=(
            use(read(desk.path(TOKEN))),
            use(edit(desk.path(TOKEN), "60", "3600")),
            use(edit(desk.path(THEME), "black", "navy")),
            use(bash(f"git checkout -- {THEME}"), text="I undo it."),
            use(read(session)),
            use(edit(session, "lifetime", "lifetime as seconds")),
            say("Done."),
        )
    )
    run = desk.run("fix auth bug", script)
    assert [len(request.our_words) for request in run.main] == [0, 0, 0, 1, 1, 1, 1]
    assert desk.session(run.session).mode == "NORMAL"
