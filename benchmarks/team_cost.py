"""What questions to a team's PostgreSQL cost as its history grows: with 10,000 steps, 1,000,000 and 10,000,000.

`LEEBOARD_BENCH_STEPS` sets other numbers, such as `10000,1000000`: the largest takes 20 GB of disk and most of the
time, about twenty minutes. The steps are generated: ten projects with the same names of files, two hundred folders,
three of a thousand keywords and twelve of five thousand words to a step, one of them in every step; a longer history
has more files. Each question is also asked by hand, on the same data, in one query that goes the shortest way, by the
owner of the database, for whom no row-level security is checked. Times are the best of many rounds in turn. Beside
them stand the pages that PostgreSQL looks at for the query by hand, which no load on the machine changes.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial

import psycopg

from benchmarks import team_event_cost
from benchmarks.measure import Ratio, in_turns, milliseconds
from leeboard.store.recall import RecallQuestion
from leeboard.store.team.postgres import TeamDatabase, connected
from leeboard.store.team.recall import NEWEST, RANKED, recall_from_team
from leeboard.store.team.shared import newest_decisions
from tests.team_server import TeamServer

SIZES = sorted(map(int, os.environ.get("LEEBOARD_BENCH_STEPS", "10000,1000000,10000000").split(",")))
ROUNDS = 200
FLAT, BESIDE = 1.5, 2.0
PROJECT = "p7"
Question = Callable[[TeamDatabase], object]
QUESTIONS: dict[str, Question] = {
    "decisions": lambda remote: newest_decisions(remote, PROJECT, 5),
    "files": lambda remote: recall_from_team(remote, PROJECT, RecallQuestion(files=("src/m7/f7.py",))),
    "folders": lambda remote: recall_from_team(remote, PROJECT, RecallQuestion(folders=("src/m7/",))),
    "keywords": lambda remote: recall_from_team(remote, PROJECT, RecallQuestion(keywords=("k7",))),
    "words": lambda remote: recall_from_team(remote, PROJECT, RecallQuestion(words=("w7", "common"))),
}
_ROWS = (
    "SELECT s.*, t.data ->> 'goal' FROM leeboard.steps AS s LEFT JOIN leeboard.records AS t "
    "ON t.project = s.project AND t.kind = 'task' AND t.id = s.session_id WHERE s.project = 'p7' AND s."
)
_TERM = (
    "(SELECT seq FROM leeboard.step_terms WHERE term = leeboard.term_of('p7', '{0}', '{1}') "
    "ORDER BY seq DESC LIMIT {2})"
)
BY_HAND = {
    "decisions": f"{_ROWS}is_key_decision ORDER BY s.seq DESC LIMIT 5",
    "files": f"{_ROWS}seq IN {_TERM.format('files', 'src/m7/f7.py', 5)}",
    "folders": f"{_ROWS}seq IN {_TERM.format('folders', 'src/m7/', 5)}",
    "keywords": f"{_ROWS}seq IN {_TERM.format('keywords', 'k7', 5)}",
    "words": (
        f"WITH noted AS MATERIALIZED (SELECT 'w7' AS word, seq FROM {_TERM.format('words', 'w7', NEWEST)} AS one "
        f"UNION ALL SELECT 'common', seq FROM {_TERM.format('words', 'common', NEWEST)} AS other), "
        f"rarity AS (SELECT word, ln(1 + {NEWEST}.0 / count(*)) AS weight FROM noted GROUP BY word), "
        "best AS (SELECT seq FROM noted JOIN rarity USING (word) GROUP BY seq "
        f"ORDER BY sum(weight) DESC, seq DESC LIMIT {RANKED}) "
        f"{_ROWS}seq IN (SELECT seq FROM best) ORDER BY (SELECT sum(weight * ts_rank(array_to_tsvector(s.words), "
        "quote_literal(word)::tsquery)) FROM rarity) DESC, s.seq DESC LIMIT 10"
    ),
}
_STEPS = """
INSERT INTO leeboard.steps (project, id, session_id, action_type, files, folders, command, reasoning, drift_score,
  drift_type, is_key_decision, is_validated, keywords, "timestamp", words, origin, revision)
SELECT 'p' || n % 10, 's' || n / 100 || ':' || n, 's' || n / 100, 'edit',
  ARRAY['src/m' || file % 200 || '/f' || file || '.py'], ARRAY['src/m' || file % 200 || '/'],
  NULL, 'what was said before step ' || n, 9, 'none', hashint8(n * 100 + 99) % 50 = 0, n % 20 <> 0,
  ARRAY(SELECT 'k' || (hashint8(n * 100 + part) & 2147483647) % 1000 FROM generate_series(1, 3) AS part), n,
  ARRAY['common']
    || ARRAY(SELECT 'w' || (hashint8(n * 100 + part) & 2147483647) % 5000 FROM generate_series(11, 21) AS part),
  'bench', n
FROM (
  SELECT n, (hashint8(n) & 2147483647) % greatest({count} / 500, 200) AS file
  FROM generate_series(1, {count}::bigint) AS n
) AS made
"""
_TERMS = """
INSERT INTO leeboard.step_terms SELECT leeboard.term_of(s.project, l.list, l.term), s.seq FROM leeboard.steps AS s,
  LATERAL (
    SELECT 'files' AS list, unnest(s.files) AS term UNION ALL SELECT 'folders', unnest(s.folders)
    UNION ALL SELECT DISTINCT 'keywords', unnest(s.keywords) UNION ALL SELECT DISTINCT 'words', unnest(s.words)
  ) AS l WHERE s.is_validated
"""
_INDEXES = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'leeboard' AND tablename = 'steps' AND "


def measure() -> Iterator[Ratio]:
    yield from team_event_cost.measure()
    with tempfile.TemporaryDirectory(prefix="lb") as folder, ExitStack() as stack:
        os.chmod(folder, 0o755)  # noqa: PTH101 - the server runs as another user
        servers = {}
        for count in SIZES:
            servers[count] = TeamServer(folder)
            stack.callback(servers[count].stop)
            fill(servers[count], count)
        yield from compared(servers)


def fill(server: TeamServer, count: int) -> None:
    """Indexes are made after the rows, which takes a fifth of the time; nothing is logged."""
    indexes = server.execute(f"{_INDEXES} indexdef NOT LIKE '%UNIQUE%'")
    server.member("kim", PROJECT)
    for name, _definition in indexes:
        server.execute(f"DROP INDEX leeboard.{name}")
    server.execute("ALTER TABLE leeboard.step_terms DROP CONSTRAINT step_terms_pkey")
    for table in ("steps", "step_terms"):
        server.execute(f"ALTER TABLE leeboard.{table} SET UNLOGGED; ALTER TABLE leeboard.{table} DISABLE TRIGGER USER")
    server.execute(_STEPS.format(count=count))
    server.execute(_TERMS)
    for definition in (
        *(made for _name, made in indexes),
        "ALTER TABLE leeboard.step_terms ADD PRIMARY KEY (term, seq)",
    ):
        server.execute(f"SET maintenance_work_mem = '1GB'; {definition}")
    server.execute("ALTER TABLE leeboard.steps ENABLE TRIGGER USER")
    for table in ("steps", "step_terms"):
        server.execute(f"VACUUM ANALYZE leeboard.{table}")


def compared(servers: dict[int, TeamServer]) -> Iterator[Ratio]:
    few, many = min(servers), max(servers)
    with ExitStack() as stack:
        members = {count: stack.enter_context(connected(server.url("kim"))) for count, server in servers.items()}
        owner = stack.enter_context(psycopg.connect(servers[many].url(), autocommit=True))
        for name, question in QUESTIONS.items():
            assert all(question(member) for member in members.values())
            parts: dict[str, Callable[[], object]] = {
                f"{count:,}": partial(question, member) for count, member in members.items()
            }
            by_hand = BY_HAND[name].encode()
            parts["by hand"] = lambda sql=by_hand: owner.execute(sql).fetchall()  # type: ignore[misc] # bound now
            taken = in_turns(parts, ROUNDS, min)
            detail = ", ".join(f"{part} {milliseconds(seconds)}" for part, seconds in taken.items())
            for count in sorted(servers)[1:]:
                grown = taken[f"{count:,}"] / taken[f"{few:,}"]
                pages = f"; pages {_pages(servers[few], name)} -> {_pages(servers[count], name)}"
                yield Ratio(
                    name=f"team, {name}: {count:,} steps / {few:,}", ratio=grown, aim=FLAT, detail=detail + pages
                )
            beside = taken[f"{many:,}"] / taken["by hand"]
            yield Ratio(name=f"team, {name}: whole recall / one query by hand", ratio=beside, aim=BESIDE)


def _pages(server: TeamServer, name: str) -> int:
    """That the query by hand looks at, the same way as the function does."""
    with psycopg.connect(server.url()) as connection:
        row = connection.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {BY_HAND[name]}".encode()).fetchone()
    assert row is not None
    return int(row[0][0]["Plan"]["Shared Hit Blocks"]) + int(row[0][0]["Plan"]["Shared Read Blocks"])
