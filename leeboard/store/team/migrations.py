"""The tables of a team's database and who may do what in it, as SQL that its administrator runs.

What was released is never edited: a change is one more migration at the end. Members own nothing: they read, add and
bring up to date what belongs to their projects, which row-level security decides by the role that is connected. Nobody
logs in as `leeboard_owner`, who owns the tables, or as `leeboard_member`, which every member's role is in.

Steps are looked up by functions of the owner's that ask for membership first. They read `step_terms`, which has a row
for each file, folder, keyword and word of a step, in the order of the newest: the newest ten of a term are ten entries
of one index, however many steps have it. The GIN indexes on the arrays stay for SQL that people write.
"""

from __future__ import annotations

from collections.abc import Collection

from leeboard.errors import ConfigError
from leeboard.model.text import in_short, lazy

_ROLE = lazy(r"[a-z_][a-z0-9_]{0,62}\Z")
_NAME = lazy(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")

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


def _policies() -> str:
    """Everybody reads what belongs to their projects, and adds, changes and deletes rows of their own. A shared
    allowance is read while its member may still share any.
    """
    part = "project IN (SELECT m.project FROM leeboard.members AS m WHERE m.role = current_user{right})"
    own = "member = current_user AND " + part
    rows = [("steps", ""), ("records", ""), ("allowances", " AND m.may_allow"), ("policies", " AND m.may_publish")]
    standing = {"allowances": " AND (member = current_user OR leeboard.still_allows(member, project))"}
    seen = {table: part.format(right="") + standing.get(table, "") for table, _ in rows}
    lines = [f"CREATE POLICY reading ON leeboard.{table} FOR SELECT USING ({told});" for table, told in seen.items()]
    for table, right in rows:
        adding = own.format(right=right)
        lines.append(f"CREATE POLICY adding ON leeboard.{table} FOR INSERT WITH CHECK ({adding});")
        if table != "policies":
            lines.append(
                f"CREATE POLICY changing ON leeboard.{table} FOR UPDATE USING ({adding}) WITH CHECK ({adding});"
            )
            mine = own.format(right="")
            lines.append(f"CREATE POLICY forgetting ON leeboard.{table} FOR DELETE USING ({mine});")
    mine = own.format(right="")
    lines.append(f"CREATE POLICY reading ON leeboard.purges FOR SELECT USING ({part.format(right='')});")
    lines.append(f"CREATE POLICY adding ON leeboard.purges FOR INSERT WITH CHECK ({mine});")
    return "\n".join(lines)


def _column_rights() -> str:
    """Members write what they know. Numbers, times and whose a row is are the database's own."""
    step = (
        "project id session_id action_type files folders command reasoning drift_score drift_type correction_given "
        "is_key_decision is_validated keywords timestamp words origin revision"
    )
    columns = {
        "steps": step,
        "records": "project kind id session_id data origin revision",
        "allowances": "project id rule path fingerprint reason until by revoked origin revision",
        "policies": "project serial document",
        "purges": "project member",
    }
    lines = []
    for table, names in columns.items():
        told = ", ".join(f'"{name}"' for name in names.split())
        rights = f"INSERT ({told})" + (f", UPDATE ({told})" if "origin" in names else "")
        lines.append(f"GRANT {rights} ON leeboard.{table} TO leeboard_member;")
    return "\n".join(lines)


_SECOND = """
ALTER TABLE leeboard.members ADD COLUMN may_allow boolean NOT NULL DEFAULT false;
ALTER TABLE leeboard.members ADD COLUMN may_publish boolean NOT NULL DEFAULT false;
ALTER TABLE leeboard.steps ADD COLUMN changed xid8 NOT NULL DEFAULT '0';
ALTER TABLE leeboard.steps ALTER COLUMN changed SET DEFAULT pg_current_xact_id();
ALTER TABLE leeboard.steps ADD CONSTRAINT plain_lists CHECK (
  coalesce(array_ndims(files), 1) = 1 AND coalesce(array_ndims(folders), 1) = 1
  AND coalesce(array_ndims(keywords), 1) = 1 AND coalesce(array_ndims(words), 1) = 1
  AND array_position(files, NULL) IS NULL AND array_position(folders, NULL) IS NULL
  AND array_position(keywords, NULL) IS NULL AND array_position(words, NULL) IS NULL
);
CREATE INDEX steps_changed ON leeboard.steps (project, changed);
DROP INDEX leeboard.steps_words;
DROP FUNCTION leeboard.steps_sharing;
CREATE TABLE leeboard.step_terms (
  term bigint NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (term, seq)
);
CREATE FUNCTION leeboard.term_of(project text, list text, term text) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN hashtextextended(project || E'\\n' || list || E'\\n' || term, 0);
CREATE FUNCTION leeboard.terms_of(one leeboard.steps) RETURNS SETOF bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $function$
  SELECT DISTINCT leeboard.term_of(one.project, l.list, l.term) FROM (
    SELECT 'files' AS list, unnest(one.files) AS term UNION ALL SELECT 'folders', unnest(one.folders)
    UNION ALL SELECT 'keywords', unnest(one.keywords) UNION ALL SELECT 'words', unnest(one.words)
  ) AS l
$function$;
CREATE FUNCTION leeboard.keep_terms() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$ BEGIN
  IF TG_OP = 'UPDATE' AND OLD.is_validated = NEW.is_validated AND OLD.files = NEW.files
    AND OLD.folders = NEW.folders AND OLD.keywords = NEW.keywords AND OLD.words = NEW.words THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM leeboard.step_terms AS t USING leeboard.terms_of(OLD) AS had WHERE t.term = had AND t.seq = OLD.seq;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.is_validated THEN
    INSERT INTO leeboard.step_terms SELECT has, NEW.seq FROM leeboard.terms_of(NEW) AS has ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $function$;
CREATE FUNCTION leeboard.note_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$ BEGIN
  NEW.changed := pg_current_xact_id();
  RETURN NEW;
END $function$;
INSERT INTO leeboard.step_terms SELECT t.term, s.seq FROM leeboard.steps AS s, leeboard.terms_of(s) AS t (term)
  WHERE s.is_validated;
CREATE TRIGGER terms AFTER INSERT OR UPDATE OR DELETE ON leeboard.steps
  FOR EACH ROW EXECUTE FUNCTION leeboard.keep_terms();
CREATE TRIGGER changed BEFORE UPDATE ON leeboard.steps FOR EACH ROW EXECUTE FUNCTION leeboard.note_change();
CREATE TABLE leeboard.allowances (
  project text NOT NULL,
  id text NOT NULL,
  rule text NOT NULL,
  path text NOT NULL,
  fingerprint text NOT NULL,
  reason text NOT NULL CHECK (reason <> ''),
  until double precision NOT NULL CHECK (until <> 'NaN'),
  by text NOT NULL CHECK (by <> ''),
  revoked boolean NOT NULL,
  member name NOT NULL DEFAULT current_user,
  origin text NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (project, id)
);
CREATE TABLE leeboard.policies (
  project text NOT NULL,
  serial bigint NOT NULL CHECK (serial BETWEEN 1 AND 999999999),
  document text NOT NULL CHECK (length(document) < 100000),
  at timestamptz NOT NULL DEFAULT now(),
  member name NOT NULL DEFAULT current_user,
  PRIMARY KEY (project, serial)
);
CREATE TABLE leeboard.purges (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project text NOT NULL,
  member name,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX purges_project ON leeboard.purges (project, number);
ALTER TABLE leeboard.step_terms ENABLE ROW LEVEL SECURITY;
ALTER TABLE leeboard.allowances ENABLE ROW LEVEL SECURITY;
ALTER TABLE leeboard.policies ENABLE ROW LEVEL SECURITY;
ALTER TABLE leeboard.purges ENABLE ROW LEVEL SECURITY;
CREATE FUNCTION leeboard.still_allows(who name, asked text) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
  SELECT EXISTS (SELECT FROM leeboard.members AS m WHERE m.role = session_user AND m.project = asked)
    AND EXISTS (SELECT FROM leeboard.members AS m WHERE m.role = who AND m.project = asked AND m.may_allow)
$function$;
DROP POLICY project ON leeboard.steps;
DROP POLICY project ON leeboard.records;
{policies}
CREATE FUNCTION leeboard.newest_with(asked text, list text, terms text[], most integer) RETURNS bigint[]
  LANGUAGE plpgsql STABLE AS $function$ BEGIN
  RETURN ARRAY(
    SELECT DISTINCT found.seq FROM unnest(terms) AS wanted (term) CROSS JOIN LATERAL (
      SELECT t.seq FROM leeboard.step_terms AS t WHERE t.term = leeboard.term_of(asked, list, wanted.term)
      ORDER BY t.seq DESC LIMIT most
    ) AS found ORDER BY 1 DESC LIMIT most
  );
END $function$;
CREATE FUNCTION leeboard.steps_about(
  asked text, decisions integer, files text[], folders text[], keywords text[], most integer
) RETURNS TABLE (list text, step leeboard.steps, goal text)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  AS $function$
DECLARE
  name text;
  terms text[];
  found bigint[];
BEGIN
  IF NOT EXISTS (SELECT FROM leeboard.members AS m WHERE m.role = session_user AND m.project = asked) THEN
    RETURN;
  END IF;
  FOREACH name IN ARRAY ARRAY['decisions', 'files', 'folders', 'keywords'] LOOP
    CONTINUE WHEN name = 'decisions' AND decisions = 0;
    IF name = 'decisions' THEN
      found := ARRAY(SELECT s.seq FROM leeboard.steps AS s WHERE s.project = asked AND s.is_key_decision
        ORDER BY s.seq DESC LIMIT decisions);
    ELSE
      terms := CASE name WHEN 'files' THEN files WHEN 'folders' THEN folders ELSE keywords END;
      CONTINUE WHEN terms = '{}';
      found := leeboard.newest_with(asked, name, terms, most);
    END IF;
    RETURN QUERY SELECT name, s, coalesce(t.data ->> 'goal', '') FROM leeboard.steps AS s
      LEFT JOIN leeboard.records AS t ON t.project = asked AND t.kind = 'task' AND t.id = s.session_id
      WHERE s.seq = ANY (found) AND s.project = asked;
  END LOOP;
END $function$;
CREATE FUNCTION leeboard.steps_since(asked text, since xid8, most integer) RETURNS SETOF leeboard.steps
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$ BEGIN
  IF EXISTS (SELECT FROM leeboard.members AS m WHERE m.role = session_user AND m.project = asked) THEN
    RETURN QUERY SELECT * FROM leeboard.steps AS s WHERE s.project = asked AND s.changed >= since
      ORDER BY s.changed DESC LIMIT most;
  END IF;
END $function$;
CREATE FUNCTION leeboard.steps_with_words(asked text, terms text[], each integer)
  RETURNS TABLE (seq bigint, is_key_decision boolean, shared text[])
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  AS $function$
DECLARE
  found bigint[];
BEGIN
  IF NOT EXISTS (SELECT FROM leeboard.members AS m WHERE m.role = session_user AND m.project = asked) THEN
    RETURN;
  END IF;
  found := ARRAY(SELECT DISTINCT unnest(leeboard.newest_with(asked, 'words', ARRAY[w.term], each))
    FROM unnest(terms) AS w (term));
  RETURN QUERY SELECT s.seq, s.is_key_decision, ARRAY(SELECT unnest(s.words) INTERSECT SELECT unnest(terms))
    FROM leeboard.steps AS s WHERE s.seq = ANY (found) AND s.project = asked;
END $function$;
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA leeboard FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leeboard.steps_about, leeboard.steps_since, leeboard.steps_with_words, leeboard.still_allows
  TO leeboard_member;
REVOKE INSERT, UPDATE ON leeboard.steps, leeboard.records FROM leeboard_member;
GRANT SELECT ON leeboard.allowances, leeboard.policies, leeboard.purges TO leeboard_member;
GRANT DELETE ON leeboard.steps, leeboard.records, leeboard.allowances TO leeboard_member;
{rights}
""".replace("{policies}", _policies()).replace("{rights}", _column_rights())

_THIRD = """
DROP FUNCTION leeboard.steps_with_words;
CREATE FUNCTION leeboard.steps_with_words(asked text, terms text[], newest integer, ranked integer, most integer)
  RETURNS TABLE (place bigint, step leeboard.steps, goal text)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  SET plan_cache_mode = force_generic_plan
  AS $function$ BEGIN
  IF NOT EXISTS (SELECT FROM leeboard.members AS m WHERE m.role = session_user AND m.project = asked) THEN
    RETURN;
  END IF;
  RETURN QUERY
    WITH noted AS MATERIALIZED (
      SELECT w.word, t.seq FROM unnest(terms) AS w (word) CROSS JOIN LATERAL (
        SELECT i.seq FROM leeboard.step_terms AS i WHERE i.term = leeboard.term_of(asked, 'words', w.word)
        ORDER BY i.seq DESC LIMIT newest
      ) AS t
    ), rarity AS MATERIALIZED (
      SELECT n.word, quote_literal(n.word)::tsquery AS query, ln(1 + newest::double precision / count(*)) AS weight
      FROM noted AS n GROUP BY n.word
    ), best AS (
      SELECT n.seq FROM noted AS n JOIN rarity AS r ON r.word = n.word
      GROUP BY n.seq ORDER BY sum(r.weight) DESC, n.seq DESC LIMIT ranked
    ), found AS (
      SELECT s AS step, row_number() OVER (ORDER BY (
        SELECT sum(r.weight * ts_rank(array_to_tsvector(s.words), r.query)) FROM rarity AS r
      ) DESC, s.seq DESC) AS place
      FROM leeboard.steps AS s WHERE s.seq IN (SELECT b.seq FROM best AS b) AND s.project = asked
    )
    SELECT f.place, f.step, coalesce(t.data ->> 'goal', '') FROM found AS f LEFT JOIN leeboard.records AS t
      ON t.project = asked AND t.kind = 'task' AND t.id = (f.step).session_id
      WHERE f.place <= most ORDER BY f.place;
END $function$;
REVOKE EXECUTE ON FUNCTION leeboard.steps_with_words FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leeboard.steps_with_words TO leeboard_member;
"""

MIGRATIONS = (_FIRST, _SECOND, _THIRD)

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


def team_sql(version: int = len(MIGRATIONS)) -> str:
    """All of it, from an empty database or from any version on; up to `version`."""
    steps = "".join(_once(number, text) for number, text in enumerate(MIGRATIONS[:version], 1))
    return f"{_BEFORE}{steps}COMMIT;\n"


RIGHTS = ("allow", "publish")
"""What a role may do beside sharing its records: share allowances, publish policies."""


def member_sql(role: str, project: str, rights: Collection[str] = ()) -> str:
    """What lets a role into a project, with these rights and no other. Giving it a password, or a certificate, is the
    administrator's own business.
    """
    if not _ROLE.match(role):
        raise ConfigError(f"{in_short(role)} is no role: lower-case letters, digits and underscores, at most 63")
    name = _project(project)
    may = ", ".join(str(right in rights).lower() for right in RIGHTS)
    return (
        f"-- Lets {role} into the project {name}. This takes it back, run as leeboard_owner:\n"  # noqa: S608 - checked
        f"--   DELETE FROM leeboard.members WHERE role = '{role}' AND project = '{name}';\nBEGIN;\n"
        f"DO $$ BEGIN\n  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN "
        f"CREATE ROLE {role} LOGIN; END IF;\nEND $$;\nGRANT leeboard_member TO {role};\n"
        "SET LOCAL ROLE leeboard_owner;\n"
        f"INSERT INTO leeboard.members (role, project, may_allow, may_publish) VALUES ('{role}', '{name}', {may}) "
        "ON CONFLICT (role, project) DO UPDATE "
        "SET may_allow = excluded.may_allow, may_publish = excluded.may_publish;\n"
        "COMMIT;\n"
    )


def _project(name: str) -> str:
    """As it may stand in SQL. ConfigError for what is no name of a project: it would be pasted into a terminal."""
    if not _NAME.match(name):
        raise ConfigError(f"{in_short(name)} is no project: letters, digits, dots, dashes and underscores, at most 100")
    return name


def forget_sql(project: str = "", role: str = "") -> str:
    """What makes the database forget a project, what one role has in it, or, without a project, all that the role has.
    Policies stay: they are no records.
    """
    if role and not _ROLE.match(role):
        raise ConfigError(f"{in_short(role)} is no role: lower-case letters, digits and underscores, at most 63")
    where = [f"project = '{_project(project)}'"] if project else []
    where += [f"member = '{role}'"] if role else []
    if not where:
        raise ConfigError("say what is to be forgotten: a project, a role, or what the one has in the other")
    told = " ".join([*([f"of {role}"] if role else []), f"in the project {project}" if project else "in every project"])
    tables = [f"leeboard.{table} WHERE {' AND '.join(where)}" for table in ("steps", "records", "allowances")]
    projects = f"VALUES ('{project}')" if project else " UNION ".join(f"SELECT project FROM {one}" for one in tables)  # noqa: S608 - checked
    deletes = "".join(f"DELETE FROM {one};\n" for one in tables)  # noqa: S608 - checked
    name = f"UPDATE leeboard.purges SET member = NULL WHERE {' AND '.join(where)};\n" if role else ""  # noqa: S608 - checked
    return (
        f"-- Forgets all that was recorded {told}. There is no way back but a backup.\nBEGIN;\n"
        f"SET LOCAL ROLE leeboard_owner;\nINSERT INTO leeboard.purges (project) {projects};\n{deletes}{name}COMMIT;\n"
    )


def _once(number: int, text: str) -> str:
    return (
        f"DO $migration$ BEGIN\nIF NOT EXISTS (SELECT FROM leeboard.migrations WHERE number = {number}) THEN\n"
        f"{text.strip()}\nINSERT INTO leeboard.migrations (number) VALUES ({number});\nEND IF;\nEND $migration$;\n"
    )
