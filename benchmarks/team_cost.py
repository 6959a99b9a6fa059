"""What questions to a team's PostgreSQL cost as its history grows: from 10,000 steps to 1,000,000.

`LEEBOARD_BENCH_STEPS` sets the larger number, such as 10000000. The steps are generated: ten projects with the same
names
of files, two hundred folders, three of a thousand keywords and twelve of five thousand words to a step, one of them in
every step; a longer history has more files. Each question is also asked by hand, on the same data, by the owner of the
database, for whom no row-level security is checked.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial

import psycopg

from benchmarks.measure import Ratio, in_turns, milliseconds
from leeboard.store.recall import RecallQuestion
from leeboard.store.team.postgres import connected
from leeboard.store.team.recall import recall_from_team
from tests.team_server import TeamServer

SMALL, LARGE = 10_000, int(os.environ.get("LEEBOARD_BENCH_STEPS", "1000000"))
ROUNDS = 40
FLAT, BESIDE = 1.5, 2.0
QUESTIONS = {
    "files": RecallQuestion(files=("src/m7/f7.py",)),
    "folders": RecallQuestion(folders=("src/m7/",)),
    "keywords": RecallQuestion(keywords=("k7",)),
    "words": RecallQuestion(words=("w7", "common")),
}
_BY_HAND = {
    "files": "files && ARRAY['src/m7/f7.py']",
    "folders": "folders && ARRAY['src/m7/']",
    "keywords": "keywords && ARRAY['k7']",
    "words": "words && ARRAY['w7', 'common']",
}
_STEPS = """
INSERT INTO leeboard.steps (project, id, session_id, action_type, files, folders, command, reasoning, drift_score,
  drift_type, is_key_decision, is_validated, keywords, "timestamp", words, origin, revision)
SELECT 'p' || n % 10, 's' || n / 100 || ':' || n, 's' || n / 100, 'edit',
  ARRAY['src/m' || file % 200 || '/f' || file || '.py'], ARRAY['src/m' || file % 200 || '/'],
  NULL, 'what was said before step ' || n, 9, 'none', n % 50 = 0, n % 20 <> 0,
  ARRAY(SELECT 'k' || (hashint8(n * 100 + part) & 2147483647) % 1000 FROM generate_series(1, 3) AS part), n,
  ARRAY['common']
    || ARRAY(SELECT 'w' || (hashint8(n * 100 + part) & 2147483647) % 5000 FROM generate_series(11, 21) AS part),
  'bench', n
FROM (
  SELECT n, (hashint8(n) & 2147483647) % greatest({count} / 500, 200) AS file
  FROM generate_series(1, {count}::bigint) AS n
) AS made
"""


def measure() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory(prefix="lb") as folder:
        os.chmod(folder, 0o755)  # noqa: PTH101 - the server runs as another user
        servers = {count: TeamServer(folder) for count in (SMALL, LARGE)}
        try:
            for count, server in servers.items():
                fill(server, count)
            yield from _compared(servers)
        finally:
            for server in servers.values():
                server.stop()


def fill(server: TeamServer, count: int) -> None:
    """Indexes are made after the rows, which takes a fifth of the time."""
    named = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'leeboard' AND indexdef LIKE '%USING gin%'"
    indexes = server.execute(named)
    server.member("kim", "p7")
    for name, _definition in indexes:
        server.execute(f"DROP INDEX leeboard.{name}")
    server.execute(_STEPS.format(count=count))
    for _name, definition in indexes:
        server.execute(f"SET maintenance_work_mem = '256MB'; {definition}")
    server.execute("VACUUM ANALYZE leeboard.steps")


def _compared(servers: dict[int, TeamServer]) -> Iterator[Ratio]:
    small, large = servers[SMALL].url("kim"), servers[LARGE].url("kim")
    with connected(small) as few, connected(large) as many, psycopg.connect(servers[LARGE].url()) as owner:
        for name, question in QUESTIONS.items():
            assert recall_from_team(few, "p7", question)
            assert recall_from_team(many, "p7", question)
            limit = 200 if name == "words" else 5
            by_hand = (
                f"SELECT * FROM leeboard.steps WHERE project = 'p7' AND is_validated AND {_BY_HAND[name]} "
                f"ORDER BY seq DESC LIMIT {limit}"
            ).encode()
            parts: dict[str, Callable[[], object]] = {
                "few": partial(recall_from_team, few, "p7", question),
                "many": partial(recall_from_team, many, "p7", question),
                "by hand": lambda sql=by_hand: owner.execute(sql).fetchall(),  # type: ignore[misc] # bound now
            }
            taken = in_turns(parts, ROUNDS)
            detail = ", ".join(f"{part} {milliseconds(seconds)}" for part, seconds in taken.items())
            grown = taken["many"] / taken["few"]
            yield Ratio(name=f"team, {name}: {LARGE:,} steps / {SMALL:,}", ratio=grown, aim=FLAT, detail=detail)
            beside = taken["many"] / taken["by hand"]
            yield Ratio(name=f"team, {name}: whole recall / one query by hand", ratio=beside, aim=BESIDE)
