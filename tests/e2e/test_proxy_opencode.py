"""The real opencode behind the proxy: the same run where all is well, and no call that must not run."""

from __future__ import annotations

import pytest

from tests.e2e.desk import Desk
from tests.e2e.model_script import Reply, Use, say, use
from tests.e2e.opencode_client import OpencodeRun, run_opencode

pytestmark = pytest.mark.e2e

PROMPT = "Fix add() in app.py. Don't modify the schema."


def run(desk: Desk, *replies: Reply, proxy: bool = False) -> OpencodeRun:
    return run_opencode(desk, PROMPT, *replies, proxy=proxy)


def edit(path: str, old: str, new: str) -> Use:
    return Use("edit", {"filePath": path, "oldString": old, "newString": new})


def read(path: str) -> Use:
    return Use("read", {"filePath": path})


def test_an_allowed_run_is_the_same_with_and_without_the_proxy(bare_desk: Desk) -> None:
    app = bare_desk.path("app.py")
    replies = (use(read(app)), use(edit(app, "a - b", "a + b")), say("add() adds now."))
    direct = run(bare_desk, *replies)
    assert "a + b" in bare_desk.read("app.py")
    bare_desk.write("app.py", "def add(a, b):\n    return a - b\n\n\nprint(add(1, 2))\n")
    carried = run(bare_desk, *replies, proxy=True)
    assert "a + b" in bare_desk.read("app.py")
    assert direct.words == ["add() adds now."]
    assert (carried.code, carried.words, carried.calls) == (direct.code, direct.words, direct.calls)
    main = [[request for request in each.requests if request.kind == "main"] for each in (direct, carried)]
    assert [len(request.body["messages"]) for request in main[1]] == [
        len(request.body["messages"]) for request in main[0]
    ]
    assert [request.our_words for request in main[1]] == [[]] * len(main[0])


def test_a_blocked_call_never_reaches_the_client_and_the_conversation_goes_on(bare_desk: Desk) -> None:
    desk = bare_desk
    desk.env["LEEBOARD_PROFILE"] = "enforce"
    schema, app, before = desk.path("db/schema.sql"), desk.path("app.py"), desk.read("db/schema.sql")
    carried = run(
        desk,
        use(read(schema), read(app)),
        use(edit(schema, "users", "people"), edit(app, "a - b", "a + b")),
        say("add() adds now."),
        proxy=True,
    )
    assert desk.read("db/schema.sql") == before
    assert "a + b" in desk.read("app.py")
    assert [told["filePath"] for name, told in carried.calls if name == "edit"] == [app]
    main = [request for request in carried.requests if request.kind == "main"]
    assert "broken_constraint" in main[2].text
    assert (carried.code, carried.words) == (0, ["add() adds now."])
