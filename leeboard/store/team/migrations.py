"""The tables of a team's database and who may do what in it, as SQL that its administrator runs.

What was released is never edited: a change is one more migration at the end. Members own nothing: they read, add and
bring up to date what belongs to their projects, which row-level security decides by the role that is connected. Nobody
logs in as `leeboard_owner`, who owns the tables, or as `leeboard_member`, which every member's role is in.

Steps are looked up by a function of the owner's that asks for membership first: under row-level security PostgreSQL
uses no index for operators on arrays, since it can not know that they tell nothing of rows that are hidden.
"""

from __future__ import annotations

from leeboard.errors import ConfigError
from leeboard.model.text import in_short, lazy

_ROLE = lazy(r"^[a-z_][a-z0-9_]{0,62}$")

_FIRST = """
CREATE TABLE leeboard.members (
  role name NOT NULL,
  project text NOT NULL,
  PRIMARY KEY (role, project)
);
CREATE TABLE leeboard.steps (
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  project text NOT NULL,
  id text NOT NULL,
  session_id text NOT NULL,
  action_type text NOT NULL,
  files text[] NOT NULL,
  folders text[] NOT NULL,
  command text,
  reasoning text,
  drift_score integer NOT NULL,
  drift_type text NOT NULL,
  correction_given text,
  is_key_decision boolean NOT NULL,
  is_validated boolean NOT NULL,
  keywords text[] NOT NULL,
  "timestamp" bigint NOT NULL,
  words text[] NOT NULL,
  member name NOT NULL DEFAULT current_user,
  origin text NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (project, id)
);
CREATE INDEX steps_newest ON leeboard.steps (project, seq DESC) WHERE is_validated;
CREATE INDEX steps_decisions ON leeboard.steps (project, seq DESC) WHERE is_key_decision;
CREATE INDEX steps_files ON leeboard.steps USING gin (files) WHERE is_validated;
CREATE INDEX steps_folders ON leeboard.steps USING gin (folders) WHERE is_validated;
CREATE INDEX steps_keywords ON leeboard.steps USING gin (keywords) WHERE is_validated;
CREATE INDEX steps_words ON leeboard.steps USING gin (words) WHERE is_validated;
CREATE TABLE leeboard.records (
  seq bigint GENERATED ALWAYS AS IDENTITY,
  project text NOT NULL,
  kind text NOT NULL,
  id text NOT NULL,
  session_id text NOT NULL,
  data jsonb NOT NULL,
  member name NOT NULL DEFAULT current_user,
  origin text NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (project, kind, id)
);
CREATE INDEX records_session ON leeboard.records (project, session_id);
ALTER TABLE leeboard.members ENABLE ROW LEVEL SECURITY;
ALTER TABLE leeboard.steps ENABLE ROW LEVEL SECURITY;
ALTER TABLE leeboard.records ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON leeboard.members FOR SELECT USING (role = current_user);
CREATE POLICY project ON leeboard.steps
  USING (project IN (SELECT m.project FROM leeboard.members AS m WHERE m.role = current_user))
  WITH CHECK (project IN (SELECT m.project FROM leeboard.members AS m WHERE m.role = current_user));
CREATE POLICY project ON leeboard.records
  USING (project IN (SELECT m.project FROM leeboard.members AS m WHERE m.role = current_user))
  WITH CHECK (project IN (SELECT m.project FROM leeboard.members AS m WHERE m.role = current_user));
CREATE FUNCTION leeboard.steps_sharing(asked text, list text, how text, terms text[], most integer)
  RETURNS TABLE (seq bigint, words text[]) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog
AS $function$ BEGIN
  IF list NOT IN ('files', 'folders', 'keywords', 'words') OR how NOT IN ('&&', '@>') THEN
    RAISE EXCEPTION 'no such question: % %', list, how;
  END IF;
  IF NOT EXISTS (SELECT FROM leeboard.members AS m WHERE m.role = session_user AND m.project = asked) THEN
    RETURN;
  END IF;
  RETURN QUERY EXECUTE format('SELECT s.seq, s.words FROM leeboard.steps AS s WHERE s.project = $1 '
    'AND s.is_validated AND s.%I %s $2 ORDER BY s.seq DESC LIMIT $3', list, how) USING asked, terms, most;
END $function$;
REVOKE EXECUTE ON FUNCTION leeboard.steps_sharing FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leeboard.steps_sharing TO leeboard_member;
GRANT SELECT ON leeboard.migrations, leeboard.members TO leeboard_member;
GRANT SELECT, INSERT, UPDATE ON leeboard.steps, leeboard.records TO leeboard_member;
"""

MIGRATIONS = (_FIRST,)

_BEFORE = """-- The tables and roles of Leeboard's team database. It may be run again: what is there stays as it is.
-- Run it as a role that may create roles and schemas:  leeboard team sql | psql "$ADMIN_URL"
BEGIN;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'leeboard_owner') THEN
    CREATE ROLE leeboard_owner NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'leeboard_member') THEN
    CREATE ROLE leeboard_member NOLOGIN;
  END IF;
END $$;
GRANT leeboard_owner TO current_user;
CREATE SCHEMA IF NOT EXISTS leeboard AUTHORIZATION leeboard_owner;
REVOKE ALL ON SCHEMA leeboard FROM PUBLIC;
GRANT USAGE ON SCHEMA leeboard TO leeboard_member;
SET LOCAL ROLE leeboard_owner;
CREATE TABLE IF NOT EXISTS leeboard.migrations (number integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
"""


def team_sql() -> str:
    """All of it, from an empty database or from any version on."""
    steps = "".join(_once(number, text) for number, text in enumerate(MIGRATIONS, 1))
    return f"{_BEFORE}{steps}COMMIT;\n"


def member_sql(role: str, project: str) -> str:
    """What lets a role into a project. Giving it a password, or a certificate, is the administrator's own business."""
    if not _ROLE.match(role):
        raise ConfigError(f"{in_short(role)} is no role: lower-case letters, digits and underscores, at most 63")
    name = project.replace("'", "''")
    return (
        f"-- Lets {role} into the project {name}; `DELETE FROM leeboard.members` takes it back.\nBEGIN;\n"  # noqa: S608 - checked
        f"DO $$ BEGIN\n  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN "
        f"CREATE ROLE {role} LOGIN; END IF;\nEND $$;\nGRANT leeboard_member TO {role};\n"
        "SET LOCAL ROLE leeboard_owner;\n"
        f"INSERT INTO leeboard.members VALUES ('{role}', '{name}') ON CONFLICT DO NOTHING;\nCOMMIT;\n"
    )


def _once(number: int, text: str) -> str:
    return (
        f"DO $migration$ BEGIN\nIF NOT EXISTS (SELECT FROM leeboard.migrations WHERE number = {number}) THEN\n"
        f"{text.strip()}\nINSERT INTO leeboard.migrations (number) VALUES ({number});\nEND IF;\nEND $migration$;\n"
    )
