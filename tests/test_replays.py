"""Recorded sessions and what is concluded from them: a change of a rule shows as a diff to be reviewed.

UPDATE_GOLDENS=1 writes the expectations anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from leeboard.app.replay import replay_bytes
from tools.scripted import transcript

HERE = Path(__file__).parent
EXPECTED = HERE / "replays"
TRANSCRIPTS = (
    "claude-auto-compact",
    "claude-hook-context-and-stop",
    "claude-hook-denials",
    "claude-manual-compact-resumed",
    "claude-multi-tool",
    "claude-subagent",
    "claude-tasks",
    "codex-hook-answers",
    "codex-multi-tool",
)
SCRIPTS = (
    "ledgerly-api/webhook-duplicate-payments",
    "plantshop-web/friday-polish",
    "plantshop-web/filtro-precio",
    "tidecli/sed-only-error-wrapping",
    "trailmate/riverpod-migration",
)
DRIFTING = """@ The login sometimes fails with "token expired" right after a refresh. Don't touch the schema.
~ I will look at the token handling.
grep expires :: src
  src/auth/token.ts:14: if (expires < now) throw new TokenExpired()
read src/auth/token.ts
  export const skew = 0
edit src/auth/token.ts
  - export const skew = 0
  + export const skew = 30
$ npm test -- auth
  12 passed
~ While I am here, the theme looks dated.
edit src/styles/theme.css
  - --accent: red
  + --accent: teal
& edit src/components/Button.tsx
  - className="btn"
  + className="btn btn-lg"
edit db/schema.sql
  - ttl integer
  + ttl bigint
@ Stop that. Only the token please.
edit src/auth/token.ts
  - export const skew = 30
  + export const skew = 60
~ Done.
@ looks good
"""


def session_bytes(name: str) -> bytes:
    if name in TRANSCRIPTS:
        return (HERE / "fixtures" / "transcripts" / f"{name}.jsonl").read_bytes()
    if name == "drifting":
        return transcript(DRIFTING, session="drifting", repo="shop")
    repo, _, task = name.partition("/")
    script = (HERE / "sessions" / f"{name}.txt").read_text(encoding="utf-8")
    return transcript(script, session=f"{repo}-{task}", repo=repo)


@pytest.mark.parametrize("name", [*TRANSCRIPTS, *SCRIPTS, "drifting"])
def test_concluded_as_before(name: str) -> None:
    golden = EXPECTED / f"{name.replace('/', '.')}.jsonl"
    told = b"".join(msgspec.json.encode(line) + b"\n" for line in replay_bytes(session_bytes(name)))
    if os.environ.get("UPDATE_GOLDENS"):
        golden.write_bytes(told)
    assert told == golden.read_bytes()


def test_every_expectation_belongs_to_a_session() -> None:
    names = {f"{name.replace('/', '.')}.jsonl" for name in (*TRANSCRIPTS, *SCRIPTS, "drifting")}
    assert {path.name for path in EXPECTED.glob("*.jsonl")} == names


def test_the_drifting_one_is_spoken_of_and_the_rest_is_left_in_peace() -> None:
    said = [one for one in replay_bytes(session_bytes("drifting")) if one.get("message")]
    paths = {path for one in said for path in one["paths"]}
    assert {"src/styles/theme.css", "src/components/Button.tsx", "db/schema.sql"} <= paths
    assert "src/auth/token.ts" not in paths
