from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg

from leeboard.store.team.copy import TeamMark
from leeboard.store.team.postgres import connected
from leeboard.store.team.shared import newest_decisions, newest_policies, shared_allowances, steps_since
from tests.store.team.test_recall import step

if TYPE_CHECKING:
    from tests.team_server import TeamServer

_LATE = (
    "INSERT INTO leeboard.steps (project, id, session_id, action_type, files, folders, drift_score, drift_type, "
    "is_key_decision, is_validated, keywords, timestamp, words, origin, revision) "
    "VALUES ('shop', 'late', 's', 'edit', '{}', '{}', 9, 'none', false, true, '{}', 1, '{}', 'there', 1)"
)


def test_only_what_changed_comes_again_and_what_ended_late_too(team_server: TeamServer) -> None:
    url = team_server.member("kim", "shop")
    with connected(url) as remote, psycopg.connect(url) as slow:
        slow.execute(_LATE)  # takes its number, and ends after others
        remote.put([step("one", 1), step("mine", 2)], "there")  # type: ignore[list-item] # built by the helper
        remote.put([step("own", 3)], "here")  # type: ignore[list-item] # as above
        first = steps_since(remote, "shop", TeamMark(), "here")
        assert first.anew
        assert {one.id for _, one in first.steps} == {"one", "mine"}
        assert {one.member for _, one in first.steps} == {"kim"}
        slow.commit()
        second = steps_since(remote, "shop", first.mark, "here")
        assert not second.anew
        assert "late" in {one.id for _, one in second.steps}
        third = steps_since(remote, "shop", second.mark, "here")
        assert third.steps == ()
        remote.put([step("one", 9, is_validated=0)], "there")  # type: ignore[list-item] # as above
        (changed,) = steps_since(remote, "shop", third.mark, "here").steps
        assert (changed[1].id, changed[1].is_validated) == ("one", False)
        team_server.execute("INSERT INTO leeboard.purges (project) VALUES ('shop')")
        assert steps_since(remote, "shop", third.mark, "here").anew
        assert steps_since(remote, "shop", TeamMark(1 << 60, 0), "here").anew  # a database that was made anew
        assert newest_decisions(remote, "shop", 5) == []
        assert shared_allowances(remote, "shop", "here") == ()
        assert newest_policies(remote, "shop") == []
