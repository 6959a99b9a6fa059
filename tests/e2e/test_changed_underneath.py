"""A file that another process changes between the agent's Read and its Edit, with the real client around it."""

from __future__ import annotations

import json

import pytest

from tests.e2e.client import Run
from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, Use, agent, bash, edit, read, say, use, use_after

pytestmark = pytest.mark.e2e

PROMPT = "Fix add() in app.py."
THEIRS = "print(add(2, 2))"
UNKNOWN = "By whom: unknown: a person or another program."


def changed_by_somebody(desk: Desk) -> str:
    return f"sed -i 's/print(add(1, 2))/{THEIRS}/' {desk.path('app.py')}"


def read_and_edit(desk: Desk, *more: Use) -> Run:
    app = desk.path("app.py")
    edits = (edit(app, "a - b", "a + b"), *more)
    script = Script(main=(use(read(app)), use_after(changed_by_somebody(desk), *edits), say("add() adds now.")))
    return desk.run(PROMPT, script)


def hooks_that_said(words: str, desk: Desk, run: Run) -> set[str]:
    """Which hooks of the client said so, by its transcript."""
    lines = [json.loads(line) for line in desk.transcripts(run.session)[0].read_text(encoding="utf-8").splitlines()]
    told = [line["attachment"] for line in lines if line.get("type") == "attachment"]
    return {str(one.get("hookName")) for one in told if words in json.dumps(one)}


def test_under_advise_it_is_spoken_of_before_the_edit_lands(desk: Desk) -> None:
    """FD: who, and the new line with its number; the model reads it with the result of the edit."""
    run = read_and_edit(desk)
    text = desk.read("app.py")
    assert ("a + b" in text, THEIRS in text) == (True, True), "advice refuses nothing, and nothing is lost"
    (said,) = run.main[-1].our_words
    assert "app.py was changed since you last read it: 1 line new, 1 gone." in said
    assert UNKNOWN in said
    assert f"+ 5: {THEIRS}" in said
    assert hooks_that_said("changed_underneath", desk, run) == {"PreToolUse:Edit"}, "the hook that runs before the tool"


def test_under_enforce_the_edit_is_denied_until_the_file_is_read_again(desk: Desk) -> None:
    desk.env["LEEBOARD_PROFILE"] = "enforce"
    app = desk.path("app.py")
    script = Script(
        main=(
            use(read(app)),
            use_after(changed_by_somebody(desk), edit(app, "a - b", "a + b")),
            use(edit(app, "a - b", "a + b")),
            use(read(app)),
            use(edit(app, "a - b", "a + b")),
            say("add() adds now."),
        )
    )
    run = desk.run(PROMPT, script)
    refused, again, passed = (run.main[at].results[0] for at in (2, 3, 5))
    assert (refused["is_error"], again["is_error"], passed.get("is_error")) == (True, True, None)
    assert "read it again before you change it" in refused["content"]
    assert f"+ 5: {THEIRS}" in refused["content"]
    assert ("a + b" in desk.read("app.py"), THEIRS in desk.read("app.py")) == (True, True)
    assert desk.session(run.session).denied == 2


def test_its_own_work_is_never_spoken_of(desk: Desk) -> None:
    """Edits of one message, shell lines that name the file and that do not, a sub-agent that only looks."""
    desk.env["LEEBOARD_PROFILE"] = "enforce"
    app = desk.path("app.py")
    script = Script(
        main=(
            use(read(app)),
            use(edit(app, "a - b", "a + b"), edit(app, "1, 2", "3, 4")),
            use(bash("sed -i s/3/5/ app.py")),
            use(bash("printf 'sed -i s/4/6/ app.py' > /tmp/$$.sh && sh /tmp/$$.sh; rm /tmp/$$.sh")),
            use(edit(app, "5, 6", "7, 8")),
            use(agent("look at app.py")),
            use(bash("git stash -q && git stash pop -q")),
            use(edit(app, "7, 8", "9, 9")),
            say("Done."),
        ),
        sub_agent=(use(read(app)), say("It adds.")),
    )
    run = desk.run(PROMPT, script, then=("Go on.",))
    assert "print(add(9, 9))" in desk.read("app.py")
    assert [request.our_words for request in run.main] == [[]] * len(run.main)


def test_the_next_prompt_names_it_once(desk: Desk) -> None:
    script = Script(
        main=(
            use(read(desk.path("app.py"))),
            say("I have read it."),
            use_after(changed_by_somebody(desk), bash("true")),
            say("Well."),
            say("Yes."),
            say("No."),
        )
    )
    run = desk.run(PROMPT, script, then=("Hm.", "And now?", "Still?"))
    told = [words for words in run.main[-1].our_words if "app.py: 1 line new, 1 gone" in words]
    assert len(told) == 1
    assert "unknown: a person or another program" in told[0]
