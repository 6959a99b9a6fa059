"""With hooks at the start, at prompts and at the stop alone, drift is found after the fact, in the transcript."""

from __future__ import annotations

import json

import pytest

from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, edit, read, say, use

pytestmark = pytest.mark.e2e

TOKEN, THEME, BUTTON = "src/auth/token.ts", "src/styles/theme.css", "src/components/Button.tsx"


def keep_hooks(desk: Desk, *names: str) -> None:
    settings = json.loads(desk.settings.read_text(encoding="utf-8"))
    settings["hooks"] = {name: settings["hooks"][name] for name in names}
    desk.settings.write_text(json.dumps(settings), encoding="utf-8")


def drifting(desk: Desk) -> Script:
    return Script(
        main=(
            use(read(desk.path(TOKEN))),
            use(edit(desk.path(TOKEN), "60", "3600")),
            use(edit(desk.path(THEME), "black", "navy")),
            use(edit(desk.path(BUTTON), "null", "undefined")),
            say("Done."),
        )
    )


def test_the_next_prompt_brings_the_correction_of_both_files(desk: Desk) -> None:
    """AD-59, AD-60, AD-63, AD-64: `looks good` is a prompt like any other."""
    keep_hooks(desk, "SessionStart", "UserPromptSubmit")
    run = desk.run("fix auth bug", drifting(desk), then=("looks good",))
    assert [len(request.our_words) for request in run.main] == [0, 0, 0, 0, 0, 1]
    (said,) = run.main[-1].our_words
    assert THEME in said
    assert BUTTON in said


def test_the_stop_may_bring_it_earlier(desk: Desk) -> None:
    """What the file holds by then is spoken of at the stop, and the rest with the next prompt: nothing is lost."""
    keep_hooks(desk, "SessionStart", "UserPromptSubmit", "Stop")
    run = desk.run("fix auth bug", drifting(desk), then=("looks good",))
    said = "\n".join(run.main[-1].our_words)
    assert THEME in said
    assert BUTTON in said
    assert all(request.our_words == [] for request in run.main[:5])
