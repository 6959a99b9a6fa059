"""Whether an event has what a rule rests on: a cheap look, so that most rules are not even imported for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from leeboard.model.event import (
    WORDS,
    Event,
    FilesChanged,
    Stopped,
    ToolFinished,
    ToolProposed,
    TreeChecked,
)
from leeboard.model.text import lazy
from leeboard.model.world import World
from leeboard.rule import Footing
from leeboard.text.language import is_data, is_test_path
from leeboard.text.names import clues, held_of

if TYPE_CHECKING:
    from leeboard.judge.urgency import Give

_CLAIMS = lazy(
    r"pass|green|succe|fixed|solved|works|working|verified|tested|confirmed|checked|commit|pushed|clean|compiles|builds"
    r"|failures|errors|failing|✅|✓|\btest|\bbuild|\bspecs?\b|prueba|fehler|alles|tudo|todo|tutto|bug|erro|problem"
    r"|тест|сборк|ошибк|вс[её]|测试|測試|用例|构建|编译|问题|错误|提交|全部|テスト|ビルド|コンパイル|バグ|コミット|グリーン|테스트|빌드|버그|커밋|오류",
    re.IGNORECASE,
)
_EVADES = lazy(
    r"no-verify|hookspath|husky|skip=|lefthook|overcommit|/protection|/ruleset|uninstall|hooks/|commit\b[^;|&]{0,4000}?\s-\w*n|<<",
    re.IGNORECASE,
)
_CHECK_FILES = lazy(
    r"(?:^|/)(?:\.github/|\.gitlab|\.circleci/|\.buildkite/|\.husky/|\.githooks/|\.git/hooks/|azure-|bitbucket-|Jenkins|\.travis"
    r"|\.drone|cloudbuild|\.pre-commit|\.?lefthook|[Mm]akefile|GNUmakefile|[Jj]ustfile|\.?eslint|biome|\.oxlint|\.stylelint"
    r"|tsconfig|tslint|pyproject|setup\.cfg|tox\.ini|\.?mypy|\.?ruff|\.flake8|\.?pylintrc|pyright|\.coverage|pytest\.ini"
    r"|\.golangci|\.rubocop|Cargo\.toml|\.?clippy|package\.json|composer\.json|\.?lint-?staged|jest\.|vitest\.|vite\.|karma\."
    r"|\.nycrc|\.c8rc|\.?codecov|pom\.xml|build\.gradle|phpunit|\.simplecov|spec_helper|sonar-|stryker|mutmut"
    r"|conftest\.py|playwright\.|cypress\.|\.mocharc|\.?jasmine|\.rspec|phpstan|psalm|[\w.]+\.csproj|gradle\.prop|ava\.config)"
)
_MARKS = clues(
    (
        *("noqa", "type: ignore", "type:ignore", "type:  ", "eslint-disable", "@ts-", "nolint", "allow(", "@Suppress"),
        *("SuppressMessage", "rubocop:", "pylint:", "pragma", "phpcs:", "phpstan-ignore", "psalm-suppress", "nosec"),
        *("NOSONAR", "biome-ignore", "oxlint-disable", "CHECKSTYLE", "no_type_check", "mypy:", "pyright:", "tslint:"),
        *("nullable disable", "typed:", "fmt:", "formatter:off", "skip_file", "standard:disable", "codingStandards"),
    )
)
_HANDLES = (
    "except",
    "catch",
    "rescue",
    "!= nil",
    "!=nil",
    "unwrap_or",
    ".ok()",
    "runCatching",
    "suppress(",
    "_ =",
    "Err(",
)
_IN_PLACE = lazy(
    r"\b(?:sed|perl|ruby|awk|gawk)\b[^|;&\n]{0,80}?\s-{1,2}[\w.]{0,20}i|\b(?:python|node|git\s+apply|patch|ed|ex)\b"
)
_OUTSIDE = 60_000
_FLAGS = 40
_PLANS = (
    *(" build", " creat", " implement", " writ", " make", " develop", " introduce", " add "),
    *("version", "separate", "second", "copy", "variant", "alternative", "duplicate"),
    *("rewrit", "redo", "replac", "implement", "recreat", "rebuil"),
)
"""One of these is in all words that announce something to be built, a second one of it, or the same once more."""
_DESTROYS = lazy(
    r"(?i)drop|truncate|delet|update|destroy|reset|remove|flush|wipe|purge|erase|discard|rollback|migrate:|db:"
    r"|\b(?:prune|rm|rb|uninstall|unpublish|yank|zero|mkfs|downgrade|clean|del|compose|stop|disable"
    r"|terminate-instances|sync|push|mysqladmin)\b"
)
_SENDS = lazy(
    r"\b(?:curl|wget|nc|ncat|netcat|socat|telnet|scp|rsync|sftp|rclone|gsutil|croc|l?ftp|ncftpput|s3cmd|wormhole|gist|s3\w*|storage|ssh|gh|glab|aws|gcloud|az|hf|tcp|udp|upload"
    r"|https?|xh|mail|mailx|sendmail|mutt|requests|httpx|urllib|fetch|axios|socket|smtplib|aiohttp)\b"
)
_INSTALLS = lazy(
    r"\b(?:in|ins\w*|isnt\w*|it|inject|download|wheel|add|i|get|require|a|exec|x|dlx|[np]+px|bunx|uvx|pipx|run|create|init)\b"
)
_QUOTES = str.maketrans("", "", "'\"\\")
_RECORDS = lazy(r"\s-u\b|[Uu]pdate|UPDATE|insta\b|BLESS|RECORD|REGEN|INSTA|regen")


def rests_on(what: Footing, world: World, give: Give) -> bool:
    """Whether the rule that rests on it could find anything."""
    look = _LOOKS.get(what)
    if look is not None:
        return look(world)
    asking = _ASKING.get(what)
    return asking is None or asking(world, give)


def _claims(world: World) -> bool:
    event = world.analysis.event
    return isinstance(event, Stopped) and may_claim(event.text)


def _reads_orders(world: World) -> bool:
    event = world.analysis.event
    if not isinstance(event, ToolFinished) or not event.output or event.call.action not in {"bash", "read", "other"}:
        return False
    read = [touch.path for touch in world.analysis.touches if touch.kind == "read"]
    if len(read) == 1 and is_data(read[0]):
        return False
    from leeboard.text.order_words import may_order  # noqa: PLC0415 - not needed in front of a call

    return may_order(event.output[:_OUTSIDE])


def _is_seen_only_now(event: Event) -> bool:
    """What a script did to files, and what an editor of the shell did to those it was given."""
    if isinstance(event, ToolFinished):
        return event.call.action == "bash" and event.outcome == "done" and bool(_IN_PLACE.search(event.call.command))
    return isinstance(event, FilesChanged) and bool(event.call)


def _handles_errors(world: World) -> bool:
    event = world.analysis.event
    if _is_seen_only_now(event):
        return True
    return isinstance(event, ToolProposed) and any(word in edit.new for edit in event.call.edits for word in _HANDLES)


def _may_silence(world: World) -> bool:
    event = world.analysis.event
    if _is_seen_only_now(event):
        return True
    if not isinstance(event, ToolProposed) or event.call.action not in {"bash", "edit", "write"}:
        return False
    if event.call.action == "bash" and _EVADES.search(event.call.command):
        return True
    if any(_CHECK_FILES.search(path) for path in world.analysis.modified):
        return True
    return any(mark in edit.new for edit in event.call.edits for mark in held_of(edit.new, _MARKS))


def _comes_again(world: World) -> bool:
    calls, marks = world.agent.calls, world.agent.marks
    if not isinstance(world.analysis.event, ToolFinished) or not calls:
        return False
    again = calls[-1] in calls[-3:-1]
    return again or (bool(marks) and marks[-1].kind == "failure" and marks[-1] in marks[:-1])


def may_claim(text: str) -> bool:
    """Whether a last message has a word that a claim can not do without."""
    return bool(text) and bool(_CLAIMS.search(text))


def _changes_tests(world: World) -> bool:
    event = world.analysis.event
    touched = (touch.path for touch in world.analysis.touches if touch.modifies)
    if any(path.endswith(".rs") or is_test_path(path) for path in touched):
        return True
    runs = isinstance(event, ToolProposed) and event.call.action == "bash"
    return runs and bool(_RECORDS.search(world.analysis.command))


def _line(world: World) -> str:
    """The shell line that is proposed; empty where it is no such call."""
    event = world.analysis.event
    return event.call.command if isinstance(event, ToolProposed) and event.call.action == "bash" else ""


def _unquoted_line(world: World) -> str:
    """As `_line`, with words whole that quotes or backslashes split."""
    return _line(world).translate(_QUOTES)


def _writes(_world: World, give: Give) -> bool:
    return any(diff.path for diff in give("Diffs"))


def _flags(world: World, give: Give) -> bool:
    if not isinstance(world.analysis.event, WORDS):
        return _writes(world, give)
    turn = world.agent.turn
    return any(flag.turn == turn for flag in give("Registry").newest("flag", _FLAGS))


def _plans(world: World, give: Give) -> bool:
    if not isinstance(world.analysis.event, WORDS):
        return _writes(world, give)
    said = world.analysis.text.lower()
    return any(hint in said for hint in _PLANS)


def _strays(world: World, give: Give) -> bool:
    if isinstance(world.analysis.event, TreeChecked):
        return True
    return any(not relation.belongs for relation in give("Relations").values())


_LOOKS: dict[str, Callable[[World], bool]] = {
    "contract": lambda world: world.held is not None,
    "constraint": lambda world: bool(world.contract.constraints),
    "correction": lambda world: world.agent.corrected,
    "protected": lambda world: bool(world.policy.protected),
    "own": lambda world: bool(world.own_rules),
    "tests": _changes_tests,
    "guards": _may_silence,
    "claim": _claims,
    "repetition": _comes_again,
    "handler": _handles_errors,
    "outside": _reads_orders,
    "rework": lambda world: bool(world.agent.marks and world.analysis.modified),
    "shell": lambda world: bool(_line(world)),
    "destroying": lambda world: bool(_DESTROYS.search(_unquoted_line(world))),
    "sending": lambda world: bool(_SENDS.search(_unquoted_line(world))),
    "installing": lambda world: bool(_INSTALLS.search(_unquoted_line(world))),
}
_ASKING: dict[str, Callable[[World, Give], bool]] = {
    "written": _writes,
    "flag": _flags,
    "plan": _plans,
    "stray": _strays,
    "area": lambda _world, give: any(relation.unrelated_area for relation in give("Relations").values()),
}
