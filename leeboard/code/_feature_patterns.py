"""How a feature that a user can see looks in code: routes, flags, commands, settings, controls, tables, jobs.

Every expression is run over one added line at a time and names the feature in its group `name`. Lines are bounded, and
so is every repeat.
"""

from __future__ import annotations

import re
from typing import Literal

from leeboard.model.pattern import lazy

FeatureKind = Literal["route", "flag", "command", "setting", "control", "column", "table", "job", "dependency"]

Feature = tuple[FeatureKind, tuple[str, ...], re.Pattern[str]]

_Q = r"[\"'`]"
_VERB = r"(?:get|post|put|patch|delete|all|route)"

_CALLS = ".get( .post( .put( .patch( .delete( .all( .route("
_SOURCES: tuple[tuple[FeatureKind, str, str], ...] = (
    (
        "route",
        f"{_CALLS} mapping( @get( @post( @put( @patch( @delete(",
        (
            rf"^\s*@[\w.]{{1,40}}\.{_VERB}\(\s*{_Q}(?P<name>/[^\"'`]{{0,120}}){_Q}"
            rf"|^\s*@(?:Get|Post|Put|Patch|Delete|Request)(?:Mapping)?\(\s*(?:value\s*=\s*|path\s*=\s*)?{_Q}(?P<name2>[^\"'`]{{1,120}}){_Q}"
        ),
    ),
    (
        "route",
        f"{_CALLS} handlefunc( .handle( mapget( mappost( mapput( mapdelete( route::",
        (
            rf"\b(?:app|router|routes?|server|api|mux|r|e|group|Route|fastify)(?:\.|::)(?i:{_VERB}|HandleFunc|Handle|MapGet|MapPost|MapPut|MapDelete)"
            rf"\(\s*{_Q}(?P<name>/[^\"'`]{{0,120}}){_Q}"
        ),
    ),
    ("route", "path(", rf"^\s*(?:re_)?path\(\s*r?{_Q}(?P<name>[^\"'`]{{1,120}}){_Q}\s*,"),
    (
        "route",
        "get put post patch delete",
        rf"^\s*(?:get|post|put|patch|delete)\s+{_Q}(?P<name>/?[\w/:\-]{{1,120}}){_Q}\s*(?:,|=>)",
    ),
    ("flag", "add_argument", rf"\.add_argument\(\s*(?:{_Q}-\w{_Q}\s*,\s*)?{_Q}--(?P<name>[\w\-]{{2,60}}){_Q}"),
    (
        "flag",
        "option(",
        rf"\b(?:option|Option)\(\s*(?:[^\"'`]{{0,40}}\s*,\s*)?(?:{_Q}-\w{_Q}\s*,\s*)?{_Q}(?:-\w,?\s+)?--(?P<name>[\w\-]{{2,60}})",
    ),
    (
        "flag",
        "flag fs.",
        (
            r"\b(?:[Ff]lags?\(\)|flag|flags|fs|pflag)\.(?:String|Bool|Int|Int64|Float64|Duration|Uint|StringSlice)(?:Var)?P?"
            rf"\((?:&[\w.]{{1,60}}\s*,\s*)?{_Q}(?P<name>[\w\-]{{2,60}}){_Q}"
        ),
    ),
    ("flag", ".on(", rf"\bopts?\.on\(\s*(?:{_Q}-\w{_Q}\s*,\s*)?{_Q}--(?:\[no-\])?(?P<name>[\w\-]{{2,60}})"),
    ("flag", "arg::new", rf"\bArg::new\(\s*{_Q}(?P<name>[\w\-]{{2,60}}){_Q}"),
    ("command", "add_parser", rf"\.add_parser\(\s*{_Q}(?P<name>[\w\-]{{2,60}}){_Q}"),
    (
        "command",
        "command(",
        rf"(?:@[\w.]{{1,40}}|\b(?:program|cli|yargs))\.command\(\s*(?:name\s*=\s*)?{_Q}(?P<name>[\w\-]{{2,60}})",
    ),
    ("command", "use:", rf"\bUse:\s*{_Q}(?P<name>[\w\-]{{2,60}})"),
    (
        "setting",
        "environ getenv( lookupenv( env::var( process.env.",
        (
            rf"\b(?:os\.environ(?:\.get\(|\[)|os\.getenv\(|os\.Getenv\(|os\.LookupEnv\(|System\.getenv\(|env::var\(|getenv\()\s*"
            rf"{_Q}(?P<name>[A-Z][A-Z0-9_]{{2,60}}){_Q}"
            r"|\bprocess\.env\.(?P<name2>[A-Z][A-Z0-9_]{2,60})\b"
        ),
    ),
    ("setting", "env[ env.fetch(", rf"\bENV(?:\.fetch\(|\[)\s*{_Q}(?P<name>[A-Z][A-Z0-9_]{{2,60}}){_Q}"),
    (
        "control",
        "<button <iconbutton <menuitem",
        r"<(?:button|Button|IconButton|MenuItem)\b[^<>]{0,200}>\s*(?P<name>[A-Za-z][\w \-]{2,40}?)\s*</",
    ),
    (
        "table",
        "create",
        (
            r"(?i:\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?[\"'`\[]?)(?P<name>\w{2,60})"
            r"|\bcreate_table[( ]\s*[:\"'](?P<name2>\w{2,60})"
        ),
    ),
    (
        "column",
        "column",
        (
            r"(?i:\badd\s+column\s+(?:if\s+not\s+exists\s+)?[\"'`\[]?)(?P<name>\w{2,60})"
            r"|\badd_column[( ]\s*[:\"']\w{1,60}[\"']?\s*,\s*(?:sa\.Column\(\s*)?[:\"'](?P<name2>\w{2,60})"
        ),
    ),
    (
        "job",
        "cron. schedule",
        rf"\b(?:cron|scheduler?)\.(?:schedule|add_job|addJob|AddFunc)\(\s*(?P<name>[\w.]{{2,60}}|{_Q}[^\"'`]{{1,60}}{_Q})",
    ),
)
FEATURES: tuple[Feature, ...] = tuple(
    (kind, tuple(hint.replace("~", " ") for hint in hints.split()), lazy(source)) for kind, hints, source in _SOURCES
)
"""Kind, pieces of text of which one occurs in lower case, expression."""

JOB_DECORATOR = lazy(r"^\s*@(?:[\w.]{1,40}\.)?(?:task|shared_task|periodic_task|job)\b")
JOB_HINTS = ("task", "job")
DEFINED = lazy(r"^\s*(?:async\s+)?(?:def|function|fn|func)\s+(?P<name>\w{2,80})")

DEPENDENCIES: dict[str, re.Pattern[str]] = {
    "package.json": lazy(r"^\s*\"(?P<name>@?[\w./\-]{2,80})\"\s*:\s*\"[\^~><=]{0,2}\d[\w.\-]{0,30}\"\s*,?\s*$"),
    "requirements.txt": lazy(r"^(?P<name>[A-Za-z][\w.\-]{1,60})(?:\[[\w,]{0,40}\])?\s*(?:[=<>~!]=|$)"),
    "pyproject.toml": lazy(
        r"^\s*\"(?P<name>[A-Za-z][\w.\-]{1,60})(?:\[[\w,]{0,40}\])?\s*[=<>~!]=[^\"]{1,40}\"\s*,?\s*$"
    ),
    "go.mod": lazy(r"^\s*(?:require\s+)?(?P<name>[\w.\-]{1,60}/[\w./\-]{2,100})\s+v\d"),
    "cargo.toml": lazy(r"^(?P<name>[a-z][\w\-]{1,60})\s*=\s*(?:\"\d|\{\s*version)"),
    "gemfile": lazy(r"^\s*gem\s+[\"'](?P<name>[\w\-]{2,60})[\"']"),
}
"""By the lower-case name of the manifest."""
