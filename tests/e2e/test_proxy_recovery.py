"""The real Claude Code behind the proxy, without hooks: corrected inside its loop, and a forced recovery to its end."""

from __future__ import annotations

import pytest

from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, edit, read, say, use, write

pytestmark = pytest.mark.e2e

PROMPT = "Fix the lifetime in src/auth/token.ts. Only touch src/auth."
OPEN = "Fix the lifetime in src/auth/token.ts."
"""Without a limit: what is outside is corrected, and not refused."""
THEME, BUTTON = "src/styles/theme.css", "src/components/Button.tsx"


def test_a_correction_is_in_the_very_next_request_and_in_no_later_one(bare_desk: Desk) -> None:
    desk = bare_desk
    token, theme, button = (desk.path(path) for path in ("src/auth/token.ts", THEME, BUTTON))
    script = Script(
        main=(
            use(read(token)),
            use(edit(token, "60", "30")),
            use(read(theme), read(button)),
            use(edit(theme, "black", "red")),
            use(write(button, "export const Button = 1\n"), thinking="The colours could be nicer, so these come now."),
            use(edit(token, "30", "45")),
            say("The lifetime is 45 now."),
        )
    )
    run = desk.run(OPEN, script, behind_proxy=True)
    assert (run.code, run.result) == (0, "The lifetime is 45 now.")
    told = [BUTTON in request.text and "<leeboard level" in request.text for request in run.main]
    assert told == [False, False, False, False, False, True, False]
    with desk.store() as store:
        steps = {step.files[0]: step for step in store.steps(run.session)}
        (capture,) = store.captures(str(desk.repo))
    assert steps[BUTTON].correction_given
    assert "thought: …" in (steps[BUTTON].reasoning or "")
    assert steps["src/auth/token.ts"].is_validated
    assert (capture.drift_events, capture.needs_review) == (2, True)
    assert desk.session(run.session).mode == "NORMAL"


def test_a_forced_recovery_runs_its_course(bare_desk: Desk) -> None:
    desk = bare_desk
    desk.env["LEEBOARD_PROFILE"] = "enforce"
    token, session = desk.path("src/auth/token.ts"), desk.path("src/auth/session.ts")
    theme, button = desk.path(THEME), desk.path(BUTTON)
    script = Script(
        main=(
            use(read(token), read(session), read(theme), read(button)),
            use(edit(token, "60", "30")),
            use(edit(theme, "black", "red")),
            use(edit(button, "null", "1")),
            use(edit(theme, "black", "blue")),
            use(edit(session, "lifetime", "age")),
            use(read(token)),
            use(edit(session, "'./token'", "'./token.js'")),
            say("The lifetime is 30 now."),
        )
    )
    run = desk.run(PROMPT, script, behind_proxy=True)
    assert (run.code, run.result) == (0, "The lifetime is 30 now.")
    assert (desk.read(THEME), desk.read(BUTTON)) == (
        "body { color: black; }\n",
        "export const Button = () => null;\n",
    )
    assert desk.read("src/auth/session.ts") == "import { lifetime } from './token.js';\n"
    found = desk.session(run.session)
    assert (found.mode, found.denied) == ("NORMAL", 4)
    with desk.store() as store:
        notes = [one.note for one in store.traffic.carried_in(run.session) if one.note]
        withheld = [one.withheld for one in store.traffic.carried_in(run.session)]
    assert withheld == [0, 0, 1, 1, 1, 1, 0, 0, 0]
    assert [note.partition(" ")[0] for note in notes[:3]] == ["drifted", "still", "forced:"]
    assert "forced: only src/auth/token.ts leads on" in notes
    assert "Leeboard held this call back" in run.main[3].text
