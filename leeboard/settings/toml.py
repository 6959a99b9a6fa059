"""Our own settings: leeboard.toml, or [tool.leeboard] in pyproject.toml, and what the environment says over them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeGuard

import msgspec

from leeboard.errors import ConfigError
from leeboard.model.contract import Held
from leeboard.model.policy import Policy, Profile
from leeboard.model.text import in_short, lazy, nearest
from leeboard.settings.settings import LARGEST, KeepSettings, Settings, too_large

if TYPE_CHECKING:
    from leeboard.settings.model_judge import JudgeSettings
    from leeboard.settings.otel import OtelSettings
    from leeboard.settings.team import TeamSettings

PROFILES: dict[str, Profile] = {"observe": "observe", "advise": "advise", "enforce": "enforce"}
_KEYS = (
    *("profile", "idle_minutes", "rules", "goal", "interrupts", "contract", "truth", "judge", "protect", "keep"),
    "team",
    "otel",
)
INTERRUPTS = {
    "budget": "interrupt_budget",
    "cooldown_turns": "cooldown_turns",
    "grace_turns": "grace_turns",
    "queued": "queue_deliveries",
}
MOST_INTERRUPTS = 1_000
_RULE_KEYS, _GOAL_KEYS, _TRUTH_KEYS, _PROTECT_KEYS = ("enabled",), ("scope", "constraints"), ("track",), ("files",)
_ON, _OFF = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")
LONGEST_IDLE = 1_000_000_000
_AT_LINE = lazy(r"\(at line (\d+),")
_SLIPS, _SLIPS_READ = 100, 1_000_000
"""Tries to find what is valid in a file that is no TOML, and characters that are read for all of them."""
_MOST_PROBLEMS = 20
_TOO_DEEP = lazy(r"^[ \t]{0,40}\[{0,2}(?:[ \t]{0,4}[\w\"'-]{1,60}[ \t]{0,4}\.){100}", re.MULTILINE)
"""A key of a hundred parts: nobody writes it, and the parser takes long over it."""

Table = Mapping[str, object]
Path = tuple[str, ...]


MOST_KEPT = {"file_mb": 1_000, "total_mb": 100_000}


def parse(text: str, path: str) -> Settings:
    """The settings in a file. Of a pyproject.toml only [tool.leeboard] is read.

    Raises ConfigError, naming file, line, key and the nearest valid one.
    """
    settings, problems = parse_tolerantly(text, path)
    if problems:
        raise ConfigError(problems[0])
    return settings


def parse_tolerantly(text: str, path: str) -> tuple[Settings, tuple[str, ...]]:
    """As far as the file is valid, and what is wrong with the rest: one slip must not undo all the others say."""
    if len(text) > LARGEST:
        return Settings(), (too_large(path, len(text.encode("utf-8", "replace"))),)
    problems: list[str] = []
    file = _File(text=text, path=path, prefix=_prefix(path), problems=problems)
    table: object = _document(file)
    for depth, name in enumerate(file.prefix):
        table = _table(file, file.prefix[:depth], table).get(name, {})
    return _settings(file, _table(file, (), table)), tuple(problems)


def is_readable(text: str) -> bool:
    """Whether the parser takes no longer over it than over what people write."""
    return len(text) <= LARGEST and not _TOO_DEEP.search(text)


def _document(file: _File) -> Table:
    """The TOML without the lines that are none. Only a line that sets one key is left out alone: what follows a broken
    header would else be read as part of the table before it.
    """
    import tomllib  # noqa: PLC0415 - the hook process pays for every import, and most projects have no such file

    lines = file.text.removeprefix("\ufeff").split("\n")
    if deep := _TOO_DEEP.search(file.text):
        line = file.text.count("\n", 0, deep.start()) + 1
        file.problems.append(f"{file.path}: not valid TOML: a key of so many parts (at line {line})")
        del lines[line - 1 :]
    for _ in range(min(_SLIPS, _SLIPS_READ // max(1, len(file.text)))):
        try:
            return tomllib.loads("\n".join(lines))
        except (ValueError, RecursionError) as error:
            if not file.problems:
                file.problems.append(f"{file.path}: not valid TOML: {error}")
            found = _AT_LINE.search(str(error))
            at = int(found[1]) - 1 if found else len(lines) - 1
        if found and _sets_a_key(lines[at]):
            lines[at] = ""
        else:
            del lines[at:]
    return {}


def _sets_a_key(line: str) -> bool:

    return sets_a_key(line)


def merge_environment(settings: Settings, env: Mapping[str, str]) -> Settings:
    """The settings with LEEBOARD_PROFILE and LEEBOARD_OFF over them. An empty variable says nothing."""
    profile, off = env.get("LEEBOARD_PROFILE", "").strip(), env.get("LEEBOARD_OFF", "").strip().lower()
    if profile:
        if profile not in PROFILES:
            raise ConfigError(f"LEEBOARD_PROFILE is {profile!r}; {_choice(profile, PROFILES)}")
        policy = msgspec.structs.replace(settings.policy, profile=PROFILES[profile])
        settings = msgspec.structs.replace(settings, policy=policy)
    if off not in _ON + _OFF:
        raise ConfigError(f"LEEBOARD_OFF is {off!r}; 1 switches Leeboard off, 0 or nothing leaves it on")
    return msgspec.structs.replace(settings, enabled=False) if off in _ON else settings


class _File(msgspec.Struct, frozen=True, kw_only=True):
    """The file that is being read, for the words of an error."""

    text: str
    path: str
    prefix: Path
    problems: list[str]

    def line_of(self, key: Path) -> int:

        return line_of(self.text, self.prefix + key)

    def complain(self, key: Path, problem: str) -> None:
        """Finding the line takes a look at the whole text, so that there is an end to it."""
        if len(self.problems) > _MOST_PROBLEMS:
            return
        if len(self.problems) == _MOST_PROBLEMS:
            self.problems.append(f"{self.path}: and more")
            return
        line = self.line_of(key)
        where = f"{self.path}:{line}" if line else self.path
        self.problems.append(f"{where}: {'.'.join(key) or '.'.join(self.prefix)} {problem}")


def _prefix(path: str) -> Path:
    name = re.split(r"[/\\]", path)[-1]
    return ("tool", "leeboard") if name == "pyproject.toml" else ()


def _settings(file: _File, table: Table) -> Settings:
    _check_keys(file, (), table, _KEYS)
    goal = _part(file, "goal", table)
    _check_keys(file, ("goal",), goal, _GOAL_KEYS)
    defaults = Policy()
    policy = Policy(
        profile=_profile(file, table.get("profile", defaults.profile)),
        idle_seconds=_idle_seconds(file, table) if "idle_minutes" in table else defaults.idle_seconds,
        disabled_rules=_disabled(file, _part(file, "rules", table)),
        protected=_globs(file, ("protect", "files"), _part(file, "protect", table), _PROTECT_KEYS),
    )
    interrupts = _interrupts(file, _part(file, "interrupts", table))
    made = Settings(
        policy=msgspec.structs.replace(policy, **interrupts),
        scope=_texts(file, ("goal", "scope"), goal),
        constraints=_texts(file, ("goal", "constraints"), goal),
        contract=_contract(file, _part(file, "contract", table)),
        track=_globs(file, ("truth", "track"), _part(file, "truth", table), _TRUTH_KEYS),
        judge=_judge(file, _part(file, "judge", table)) if "judge" in table else None,
        keep=_keep(file, _part(file, "keep", table)),
        team=_team(file, _part(file, "team", table)) if "team" in table else None,
        otel=_otel(file, _part(file, "otel", table)) if "otel" in table else None,
    )
    return msgspec.structs.replace(made, said=tuple(_said(made, table, interrupts)))


def _said(made: Settings, table: Table, interrupts: Mapping[str, int]) -> Iterator[str]:
    """What a file does not set, or sets to something that is none, is not said by it."""
    if table.get("profile") == made.policy.profile:
        yield "profile"
    if "idle_minutes" in table and _is_idle(table["idle_minutes"]):
        yield "idle_minutes"
    rules = table.get("rules", {})
    for name, rule in rules.items() if isinstance(rules, dict) else ():
        id_ = _rule_id(name)
        if isinstance(rule, dict) and rule.get("enabled") is (id_ not in made.policy.disabled_rules):
            yield f"rules.{id_}"
    yield from (f"interrupts.{name}" for name, field in INTERRUPTS.items() if field in interrupts)
    lists = {
        "goal.scope": made.scope,
        "goal.constraints": made.constraints,
        "truth.track": made.track,
        "protect.files": made.policy.protected,
    }
    yield from (key for key, texts in lists.items() if texts)
    kept = table.get("keep", {})
    for name, value in kept.items() if isinstance(kept, dict) else ():
        if getattr(made.keep, name, None) == value:
            yield f"keep.{name}"
    if made.contract is not None:
        yield "contract"


def _globs(file: _File, key: Path, table: Table, valid: tuple[str, ...]) -> tuple[str, ...]:
    """A list of globs; those that lead out of the project are a slip and do not count."""
    _check_keys(file, key[:1], table, valid)
    given = _texts(file, key, table)
    outside = [glob for glob in given if glob.startswith(("/", "~")) or ".." in glob.split("/")]
    for glob in outside:
        file.complain(key, f"must stay inside of the project; {in_short(glob)} does not")
    return tuple(glob for glob in given if glob not in outside)


def _judge(file: _File, table: Table) -> JudgeSettings | None:
    from leeboard.settings.model_judge import JUDGE_KEYS, judge_of  # noqa: PLC0415 - hardly anybody asks a model

    _check_keys(file, ("judge",), table, JUDGE_KEYS)
    judge, faults = judge_of(table)
    for key, fault in faults:
        file.complain(("judge", key), fault)
    return judge


def _keep(file: _File, table: Table) -> KeepSettings:
    _check_keys(file, ("keep",), table, ("enabled", *MOST_KEPT))
    found: dict[str, Any] = {}
    if "enabled" in table:
        if isinstance(table["enabled"], bool):
            found["enabled"] = table["enabled"]
        else:
            file.complain(("keep", "enabled"), f"must be true or false, not {in_short(table['enabled'])}")
    for name, most in MOST_KEPT.items():
        number = table.get(name, 1)
        if isinstance(number, bool) or not isinstance(number, int) or not 0 < number <= most:
            file.complain(("keep", name), f"must be a whole number from 1 to {most}, not {in_short(number)}")
        elif name in table:
            found[name] = number
    return KeepSettings(**found)


def _team(file: _File, table: Table) -> TeamSettings | None:
    from leeboard.settings.team import TEAM_KEYS, team_of  # noqa: PLC0415 - only where a team shares a database

    _check_keys(file, ("team",), table, TEAM_KEYS)
    team, faults = team_of(table)
    for key, fault in faults:
        file.complain(("team", *key.split(".", 1)), fault)
    return team


def _otel(file: _File, table: Table) -> OtelSettings | None:
    from leeboard.settings.otel import OTEL_KEYS, otel_of  # noqa: PLC0415 - only where somebody is told

    _check_keys(file, ("otel",), table, OTEL_KEYS)
    otel, faults = otel_of(table)
    for key, fault in faults:
        file.complain(("otel", *key.split(".", 1)), fault)
    return otel


def _contract(file: _File, table: Table) -> Held | None:
    if not table:
        return None
    from leeboard.contracts.table import contract_of, sourced  # noqa: PLC0415 - most projects have none here

    contract, problems = contract_of(table)
    for problem in problems:
        file.complain(("contract", problem.key), problem.text.removeprefix(f"{problem.key} "))
    placed = tuple(
        msgspec.structs.replace(problem, line=file.line_of(("contract", problem.key))) for problem in problems
    )
    return Held(root="", contract=sourced(contract, "settings"), table=dict(table), problems=placed)


def _part(file: _File, name: str, table: Table) -> Table:
    return _table(file, (name,), table.get(name, {}))


def _table(file: _File, key: Path, found: object) -> Table:
    if not isinstance(found, dict):
        file.complain(key, f"must be a table, not {in_short(found)}")
        return {}
    return found


def _check_keys(file: _File, key: Path, table: Table, valid: tuple[str, ...]) -> None:
    for name in table:
        if name not in valid:
            file.complain((*key, name), f"is not a setting; {_choice(name, valid)}")


def _profile(file: _File, found: object) -> Profile:
    if not isinstance(found, str) or found not in PROFILES:
        file.complain(("profile",), f"is {in_short(found)}; {_choice(str(found), PROFILES)}")
        return Policy().profile
    return PROFILES[found]


def _idle_seconds(file: _File, table: Table) -> int:
    minutes = table["idle_minutes"]
    if not _is_idle(minutes):
        file.complain(("idle_minutes",), f"must be a number of minutes above zero, not {in_short(minutes)}")
        return Policy().idle_seconds
    return int(minutes * 60)


def _is_idle(minutes: object) -> TypeGuard[float]:
    if not isinstance(minutes, (int, float)) or isinstance(minutes, bool):
        return False
    return 1 <= minutes * 60 <= LONGEST_IDLE


def _interrupts(file: _File, table: Table) -> dict[str, int]:
    _check_keys(file, ("interrupts",), table, tuple(INTERRUPTS))
    found: dict[str, int] = {}
    for name, field in INTERRUPTS.items():
        number = table.get(name, 0)
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MOST_INTERRUPTS:
            file.complain(("interrupts", name), f"must be a whole number from 0 on, not {in_short(number)}")
        elif name in table:
            found[field] = number
    return found


def _disabled(file: _File, table: Table) -> tuple[str, ...]:
    if not table:
        return ()
    from leeboard.rule import discover  # noqa: PLC0415 - most projects name no rule, and a hook has it by then

    known = [name for name in table if _rule_id(name)]
    for name in table:
        if name not in known:
            near = nearest(name, [loaded.id for loaded in discover()])
            wanted = f"did you mean {near}?" if near else "`leeboard rules` lists them"
            file.complain(("rules", name), f"is not a rule; {wanted}")
    named = {name: _table(file, ("rules", name), rule) for name, rule in table.items() if name in known}
    for name, rule in named.items():
        _check_keys(file, ("rules", name), rule, _RULE_KEYS)
    off = (_rule_id(name) for name, rule in named.items() if not _is_enabled(file, name, rule))
    return tuple(dict.fromkeys(off))


def _rule_id(name: str) -> str:
    """The id of a rule that is named by its id or its code; empty where there is none."""
    from leeboard.rule import rule_named  # noqa: PLC0415 - as above

    rule = rule_named(name)
    return rule.id if rule else ""


def _is_enabled(file: _File, name: str, rule: Table) -> bool:
    enabled = rule.get("enabled", True)
    if not isinstance(enabled, bool):
        file.complain(("rules", name, "enabled"), f"must be true or false, not {in_short(enabled)}")
        return True
    return enabled


def _texts(file: _File, key: Path, table: Table) -> tuple[str, ...]:
    found = table.get(key[-1], [])
    if not isinstance(found, list):
        file.complain(key, f"must be a list of texts, not {in_short(found)}")
        return ()
    wrong = next((item for item in found if not isinstance(item, str) or not item.strip()), None)
    if wrong is not None:
        file.complain(key, f"must be a list of texts; {in_short(wrong)} is none")
    return tuple(item for item in found if isinstance(item, str) and item.strip())


def _choice(found: str, valid: Iterable[str]) -> str:
    names = list(valid)
    near = nearest(found, names)
    return f"did you mean {near}?" if near else f"valid are {', '.join(names)}"


# Where a key stands in a TOML text, for the words of an error: the parser does not tell.


_HEADER = lazy(r"\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?")
_ASSIGNMENT = lazy(r"\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=")
_NAME = lazy(r"[\w-]+|\"[^\"]*\"|'[^']*'")

KeyPath = tuple[str, ...]


def line_of(text: str, key: KeyPath) -> int:
    """The line a key is first set in, or the nearest table that holds it; zero where nothing was found."""
    table: KeyPath = ()
    best, best_line = 0, 0
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.fullmatch(line):
            here = table = _names(header[1])
        elif assignment := _ASSIGNMENT.match(line):
            here = table + _names(assignment[1])
        else:
            continue
        shared = min(len(here), len(key))
        if shared > best and here[:shared] == key[:shared]:
            best, best_line = shared, number
    return best_line


def sets_a_key(line: str) -> bool:
    return _ASSIGNMENT.match(line) is not None


def _names(dotted: str) -> KeyPath:
    return tuple(name.strip("\"'") for name in _NAME.findall(dotted))
