"""A piece of work with everything in it that makes counting turns hard, in two sittings."""

from __future__ import annotations

from tests.e2e.client import Run
from tests.e2e.desk import Desk
from tests.e2e.model_script import Script, Use, agent, bash, edit, read, say, use

PROMPT = "Fix add() in app.py. Don't modify the schema."
FULL = 990_000
"""Tokens at which the client compacts before it goes on."""


def first_sitting(desk: Desk) -> Script:
    app, schema = desk.path("app.py"), desk.path("db/schema.sql")
    return Script(
        main=(
            use(read(app), read(desk.path("README.md")), text="I look at both.", thinking="Where is add()?"),
            use(bash("exit 3")),
            use(edit(schema, "users", "people")),
            use(edit(app, "a - b", "a + b"), bash("python3 app.py"), bash("false"), text="Now the fix."),
            use(agent("Find out what add() does"), text="Somebody else looks too."),
            use(Use("NoSuchTool", {"x": 1})),
            use(bash("echo the window is full"), tokens=FULL),
            use(bash("git diff --stat")),
            say("add() adds now."),
        ),
        sub_agent=(
            use(read(app), text="I read it."),
            use(bash("exit 4"), bash("ls")),
            say("It adds."),
        ),
    )


def second_sitting(desk: Desk) -> Script:
    readme = desk.path("README.md")
    return Script(main=(use(read(readme)), use(edit(readme, "A small", "An adding")), say("Said so.")))


def work(desk: Desk) -> tuple[Run, Run]:
    """Under `enforce`, so that one of the calls is refused."""
    desk.env["LEEBOARD_PROFILE"] = "enforce"
    first = desk.run(PROMPT, first_sitting(desk))
    return first, desk.run("Say so in README.md", second_sitting(desk), "--resume", first.session)
