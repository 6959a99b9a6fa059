from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.analysis.analyse import analyse
from leeboard.analysis.occasion import occasion_of, with_orders
from leeboard.analysis.relation import relations_of
from leeboard.model.event import Event, FilesChanged, TextEdit, ToolCall, ToolProposed
from leeboard.model.ledger import Met, Rows
from leeboard.model.lookup import Around, Tree
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Goal, Mark, Session
from leeboard.model.workspace import Workspace
from leeboard.model.world import World
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play

WHOLE = Goal(text="tidy up the code base", exchange=1)
PLACE = Workspace("/home/dev/shop-front")


def world(event: Event, agent: AgentState | None = None, reads: int = 1) -> World:
    return World(
        session=Session(id="s", reads=reads),
        agent=agent or AgentState(),
        analysis=analyse(event, PLACE),
        policy=Policy(),
        workspace=PLACE,
    )


def edit(old: str, new: str, tool: str = "Edit") -> ToolProposed:
    call = ToolCall(id="t", tool=tool, action="edit", paths=("src/a.py",), edits=(TextEdit(old, new),))
    return ToolProposed(session="s", call=call)


def shell(command: str) -> ToolProposed:
    return ToolProposed(session="s", call=ToolCall(id="t", tool="Bash", action="bash", command=command))


def names_of(event: Event) -> tuple[str, ...]:
    return occasion_of(world(event)).wording.of("src/a.py").names


@pytest.mark.parametrize(
    ("event", "creates"),
    [
        (shell("echo 1 > src/b.py"), {"src/b.py"}),
        (shell("echo 1 >> src/b.py"), set()),
        (shell("tee -a src/b.py <<< 1"), set()),
        (shell("sed -i s/1/2/ src/b.py"), set()),
        (shell("awk '{print $1}' src/b.py > src/c.py && mv src/c.py src/b.py"), set()),
        (shell("cp src/a.py src/b.py && sed -i s/1/2/ src/a.py"), {"src/b.py"}),
        (edit("a", "b"), set()),
        (FilesChanged(session="s", paths=("src/b.py",)), {"src/b.py"}),
    ],
)
def test_what_writes_a_whole_file(event: Event, creates: set[str]) -> None:
    assert occasion_of(world(event)).creates == creates


def test_an_edit_in_place_takes_having_read_where_reads_are_shown() -> None:
    assert occasion_of(world(edit("a", "b"))).in_place == {"src/a.py"}
    assert occasion_of(world(shell("sed -i s/1/2/ src/b.py && echo 1 > src/c.py"))).in_place == {"src/b.py"}
    assert not occasion_of(world(edit("a", "b"), reads=0)).in_place
    assert not occasion_of(world(edit("a", "b", tool="apply_patch"))).in_place


def test_the_reverse_of_an_earlier_edit_takes_it_back() -> None:
    done = analyse(edit("black", "navy"), PLACE)
    agent = AgentState(marks=(Mark(kind="edit", path="src/a.py", digest=done.digest, reverse=done.reverse),))
    assert occasion_of(world(edit("navy", "black"), agent)).takes_back == ("src/a.py",)
    assert occasion_of(world(edit("black", "navy"), agent)).takes_back == ()


def test_the_projects_own_name_tells_nothing() -> None:
    assert names_of(edit("", "front_counter = basket_total")) == ("front_counter", "basket_total")
    assert "front" not in names_of(edit("", "front = basket_total"))


def test_what_an_edit_adds_is_what_it_did_not_take_away() -> None:
    wording = occasion_of(world(edit("basket_total = price", "basket_total = discount"))).wording.of("src/a.py")
    assert wording.names == ("basket_total", "price", "discount")
    assert wording.added == ("discount",)


def test_what_the_orders_list_goes_along() -> None:
    goals = (
        Goal(text="add a health endpoint to app/a.py", exchange=1, keywords=("health", "endpoint")),
        Goal(text="now add docs", exchange=2, keywords=("docs",)),
    )
    event = edit("", "def health(): pass")
    told = replace(world(event), session=Session(id="s", goals=goals))
    ordered = with_orders(occasion_of(told), told)
    assert [item.text for item in ordered.listed] == ["docs", "health endpoint"]
    assert ordered.written is not None
    assert "health" in ordered.written.defined
    unordered = with_orders(occasion_of(world(event)), world(event))
    assert unordered.listed == ()
    assert unordered.written is None


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ({}, "an order of the user lists it"),
        ({"src/a.py": Met.EDITED}, "worked on before"),
    ],
    ids=["weighed by the orders", "settled without them"],
)
def test_a_path_is_weighed_by_the_orders_where_nothing_else_settles_it(rows: Rows, told: str) -> None:
    goals = (Goal(text="add a retry helper", exchange=1, keywords=("retry", "helper")),)
    event = edit("", "def retry_helper(): pass")
    here = replace(world(event), session=Session(id="s", goals=goals))
    relation = relations_of(here, rows, Around(MemoryStore(), "s", Tree()))["src/a.py"]
    assert told in (relation.settled, *(reason.text for reason in relation.reasons))


def test_a_name_in_the_prompt_leads_to_the_file_that_defines_it() -> None:
    indexed = ("repo src/text.py | def slugify(): pass", "repo src/mail.py | def send(): pass")
    told = ("@ make slugify keep dots", "edit src/app.py | a => b", "edit src/text.py | def x => def y")
    assert play((*indexed, *told)).proposed()[-1].score == 10


def test_the_whole_repository_has_no_strays() -> None:
    assert occasion_of(replace(world(edit("a", "b")), session=Session(id="s", goals=(WHOLE,)))).whole
    lines = ("@ tidy up the code base", "edit src/auth/token.ts | a => b", "edit src/billing/invoice.ts | a => b")
    assert play(lines).proposed()[-1].score == 10
