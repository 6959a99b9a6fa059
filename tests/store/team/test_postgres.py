from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from leeboard.errors import ConfigError, EffectError, NewerStateError, StateError
from leeboard.store.team.outbox import Waiting
from leeboard.store.team.postgres import MANY, connected, options, place_of
from tests.leak import live_key

if TYPE_CHECKING:
    from tests.team_server import TeamServer


def waiting(seq: int, *, project: str = "shop", key: str = "s:1", **row: Any) -> Waiting:
    told = {
        "id": key,
        "session_id": "s",
        "action_type": "edit",
        "files": '["src/a.py"]',
        "folders": '["src/"]',
        "command": None,
        "reasoning": "rotate the tokens",
        "drift_score": 9,
        "drift_type": "none",
        "correction_given": None,
        "is_key_decision": 1,
        "is_validated": 1,
        "keywords": '["token"]',
        "timestamp": 1,
    }
    return Waiting(seq=seq, kind="step", key=key, session="s", project=project, row=told | row)


def test_of_two_copies_the_newer_stands_however_they_come(team_server: TeamServer) -> None:
    url = team_server.member("kim", "shop")
    for seq in (2, 5, 5, 3):
        with connected(url) as remote:
            remote.put([waiting(seq, drift_score=seq)], "here")
    assert team_server.execute("SELECT revision, drift_score, files, member FROM leeboard.steps") == [
        (5, 5, ["src/a.py"], "kim")
    ]
    with connected(url) as remote:
        assert remote.projects() == ["shop"]
        remote.put([waiting(1, drift_score=7)], "elsewhere")  # a database that was made anew counts from the start
    assert team_server.execute("SELECT revision, drift_score FROM leeboard.steps") == [(1, 7)]


def test_history_that_waited_comes_by_copy_and_by_the_same_rules(team_server: TeamServer) -> None:
    """Of two copies the newer stands, what stands there newer stays, and what another member has is theirs."""
    with connected(team_server.member("lee", "shop")) as remote:
        remote.put([waiting(1, key="lee's", drift_score=3)], "there")
    history = [waiting(seq, key=f"s:{seq}", drift_score=seq % 10) for seq in range(10, 10 + 2 * MANY)]
    records = [replace(one, kind="verdict", row={"trace": '["a\\tb\\n"]'}) for one in history]
    with connected(team_server.member("kim", "shop")) as remote:
        remote.put([waiting(9_999, key="s:10", drift_score=8)], "here")
        twice = [waiting(9_000, key="s:11", drift_score=7), waiting(9_001, key="lee's", drift_score=1)]
        for _ in range(2):
            remote.put([*twice, *history, *records], "here")
    told = (
        "SELECT id, revision, drift_score FROM leeboard.steps WHERE id IN ('s:10', 's:11', 's:12', 'lee''s') ORDER BY 1"
    )
    assert team_server.execute(told) == [("lee's", 1, 3), ("s:10", 9_999, 8), ("s:11", 9_000, 7), ("s:12", 12, 2)]
    assert team_server.execute("SELECT count(*) FROM leeboard.steps") == [(2 * MANY + 1,)]
    assert team_server.execute("SELECT DISTINCT data FROM leeboard.records") == [({"trace": ["a\tb\n"]},)]


def test_texts_lose_secrets_and_what_the_database_can_not_hold(team_server: TeamServer) -> None:
    key = live_key(3)
    record = Waiting(seq=1, kind="verdict", key="v\x00", session="s", project="shop", row={"trace": f'["k {key}"]'})
    with connected(team_server.member("kim", "shop")) as remote:
        remote.put([waiting(1, reasoning=f"\x00\ud800 key = {key}"), record], "here")
    (step,) = team_server.execute("SELECT reasoning FROM leeboard.steps")
    (kept,) = team_server.execute("SELECT id, data FROM leeboard.records")
    assert key not in str(step) + str(kept)
    assert "\x00" not in step[0]
    assert kept[0] == "v"
    assert isinstance(kept[1]["trace"], list)


def test_a_batch_is_all_or_nothing_and_another_project_is_closed(team_server: TeamServer) -> None:
    url = team_server.member("kim", "shop")
    batch = [waiting(1), waiting(2, project="bank", key="s:2")]
    with pytest.raises(ConfigError, match="leeboard team sql --role"), connected(url) as remote:
        remote.put(batch, "here")
    assert team_server.execute("SELECT * FROM leeboard.steps") == []


def test_each_failure_says_what_to_do(team_server: TeamServer) -> None:
    with pytest.raises(EffectError, match="the team's database at"), connected(team_server.url("nobody_known")):
        pass
    url = team_server.member("kim", "shop")
    with pytest.raises(EffectError, match="refused"), connected("postgresql://kim@127.0.0.1:1/x"):
        pass
    team_server.execute("INSERT INTO leeboard.migrations (number) VALUES (9)")
    with pytest.raises(NewerStateError, match="update"), connected(url):
        pass
    team_server.execute("UPDATE leeboard.migrations SET number = -number")
    with pytest.raises(StateError, match="leeboard team sql"), connected(url):
        pass
    team_server.execute("DELETE FROM leeboard.migrations WHERE number = -9")
    team_server.execute("UPDATE leeboard.migrations SET number = -number")


def test_over_a_network_the_server_proves_itself_unless_the_address_says_otherwise() -> None:
    assert options("postgresql://kim@db.example/x")["sslmode"] == "verify-full"
    assert options("postgresql://kim@db.example/x")["sslrootcert"] == "system"
    assert "sslrootcert" not in options("postgresql://kim@db.example/x?sslrootcert=/etc/ca.pem")
    for url in ("postgresql:///x", "postgresql://localhost/x", "postgresql://h/x?sslmode=require"):
        assert "sslmode" not in options(url)
    hidden = (
        "postgresql:///x?hostaddr=203.0.113.5",
        "postgresql://127.0.0.1/x?host=db.example",
        "postgresql:///?service=x",
    )
    for url in hidden:
        assert options(url)["sslmode"] == "verify-full"
    with pytest.raises(ConfigError, match="pgpass"):
        options("postgresql://h/x?%70assword=hush")
    with pytest.raises(ConfigError, match="can not be read"):
        options("postgresql://h/x?no_such_option=1")
    assert options("postgresql://h/x?connect_timeout=3").get("connect_timeout") is None
    assert place_of("postgresql://kim@db.example/x?application_name=y") == "the team's database at db.example/x"


def test_a_shared_reason_goes_out_without_its_secret(team_server: TeamServer) -> None:
    url, key = team_server.member("kim", "shop", "allow"), live_key(1)
    row = {"rule": "circling", "path": "", "fingerprint": "", "reason": f"the key {key} is fine", "until": 0.0}
    one = Waiting(
        seq=1, kind="allowance", key="a1", session="", project="shop", row=row | {"id": "a1", "by": "Kim", "revoked": 0}
    )
    with connected(url) as remote:
        assert remote.put([one], "here") == ()
    ((reason,),) = team_server.execute("SELECT reason FROM leeboard.allowances")
    assert reason.startswith("the key ")
    assert key not in reason
    with connected(team_server.member("kim", "shop")) as remote:
        assert remote.put([waiting(1), replace(one, key="a2")], "here") == ("a2",)
    assert team_server.execute("SELECT count(*) FROM leeboard.steps") == [(1,)]
