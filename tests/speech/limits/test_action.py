"""What a limit forbids to do: deeds, commands, changes of anything."""

from __future__ import annotations

import pytest

from leeboard.model.contract import ADD_DEPENDENCY
from leeboard.speech.limits.action import NOTHING, Ban, ban_on, ban_on_no, lifted_by


@pytest.mark.parametrize(
    ("verbs", "what", "ban"),
    [
        (("delete",), "any files", Ban(patterns=("**",), deeds=("delete",))),
        (("delete", "move"), "src/a.py", Ban(patterns=("**/src/a.py",), deeds=("delete", "move"))),
        (("create",), "new files", Ban(patterns=("**",), deeds=("create",))),
        (("change",), "anything", Ban(patterns=("**",), until="order")),
        (("run",), "the migrations", Ban(programs=("run-migrations",))),
        (("run",), "`make clean`", Ban(programs=("make clean",))),
        (("use",), "curl or wget", Ban(programs=("curl", "wget"))),
        (("push",), "to main", Ban(programs=("git push main",))),
        (("install",), "anything", Ban(programs=("install",))),
        (("install",), "new packages", Ban(programs=(ADD_DEPENDENCY,))),
        (("deploy",), "to production", Ban(programs=("deploy",))),
    ],
)
def test_verb_and_object_make_a_ban(verbs: tuple[str, ...], what: str, ban: Ban) -> None:
    assert ban_on(verbs, what) == ban


@pytest.mark.parametrize(
    ("verbs", "what"),
    [
        (("delete",), "the user's record"),
        (("create",), "a memory leak"),
        (("run",), "into a deadlock"),
        (("run",), "the loop twice"),
        (("use",), "python for this"),
        (("use",), "curl in the code"),
        (("push",), "the button"),
        (("merge",), "the two functions"),
        (("release",), "the lock early"),
        (("change",), "anything else"),
        (("fix",), "the typo"),
    ],
)
def test_what_says_more_or_something_else_is_not_checked(verbs: tuple[str, ...], what: str) -> None:
    assert ban_on(verbs, what) == NOTHING


def test_no_and_a_noun() -> None:
    assert ban_on_no("network access please") == Ban(programs=("network",))
    assert ban_on_no("rebasing") == Ban(programs=("rebase",))
    assert ban_on_no("idea why") == NOTHING


@pytest.mark.parametrize(
    ("asked", "lifted"),
    [
        ("now run the migrations", "run-migrations"),
        ("ok, delete src/old.py", "deed:delete"),
        ("put it in a new file", "deed:create"),
        ("please run make clean", "make clean"),
        ("you may use docker compose", "docker"),
        ("install the dependencies", "install"),
    ],
)
def test_asking_for_it_lifts_it(asked: str, lifted: str) -> None:
    assert lifted in set(lifted_by(asked))
    assert lifted not in set(lifted_by("the last one looks fine"))
