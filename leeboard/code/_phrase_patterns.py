"""The red-flag phrases as expressions over plain text: lower case, contractions written out, `let me` as `i will`.

Each has words of which one must occur, so that ordinary text costs a few substring tests. Every repeat is bounded.
"""

from __future__ import annotations

import re

from leeboard.model.pattern import lazy

_WILL = (
    "(?:i will|i should|i could|i can|i would|i need to|i have to|i want to|i might|"
    "we should|we could|we can|we need to)"
)
_ANY = "[^.!?;]"
_MAKE = "(?:build|write|implement|create|make|code|develop|roll|craft|design|construct)"
_ROLES = (
    "(?:service|handler|middleware|layer|module|abstraction|client|manager|wrapper|helper|utility|adapter|provider|"
    "component|class|repository|factory)"
)
_OPERATIONS = "(?:query|sql|statement|command|shell|html|template|url|path)"
_CHECKS = "(?:input |auth(?:entication|orization)? )?(?:validat|saniti[sz]|escap|auth checks?|permission checks?)"
_WEAK = r"(?:md5|sha-?1|ecb|math\.random(?:\(\))?|rc4|des)"
_RUNNERS = r"(?:exec|eval|os\.system|shell ?= ?true|child_process)"
_SECRET = "(?:key|token|secret|password|credentials?)"  # noqa: S105 - words for secrets, not one
_LEFTOVERS = (
    r" (?:[\w\-]{1,20} ){0,3}(?:temp\w{0,6}|tests?|debug\w{0,5}|scratch|logs?|artifacts?|generated|scripts?|"
    r"process\w{0,2}|servers?|branch\w{0,2}|worktrees?|containers?|data|builds?|output|backups?)\b"
)
"""Tidying up after oneself is no refactoring."""
_NEAR = f"{_ANY}{{0,12}}"
_MID = f"{_ANY}{{0,20}}"
_FAR = f"{_ANY}{{0,60}}"

_SOURCES: tuple[tuple[str, str, str], ...] = (
    ("RF-A1", "scratch", f"{_WILL} {_MID}{_MAKE} {_FAR}from scratch"),
    (
        "RF-A2",
        "new ",
        (
            rf"{_WILL} {_MID}(?:create|add|introduce|build|write) (?:a |an |the |some )?(?:brand[ -])?new "
            rf"(?:[\w\-]{{1,30}} ){{0,3}}{_ROLES}\b"
        ),
    ),
    (
        "RF-A3",
        "see|find|no |seem",
        (
            r"(?:(?:do not|does not|did not|cannot|could not) (?:see|find|seem to (?:exist|have))|there is no|"
            rf"there are no|there is not){_FAR}\b(?:so|then|therefore) "
            rf"{_NEAR}{_WILL} {_NEAR}(?:add|create|build|write|implement)"
        ),
    ),
    ("RF-A4", "own |custom ", rf"{_WILL} {_MID}{_MAKE} (?:(?:my|our) own|a custom) [\w\-]{{2,40}}"),
    (
        "RF-B1",
        "hardcod|hard-cod|hard cod|directly",
        (
            rf"{_WILL} {_MID}hard[ -]?cod(?:e|ing)\b|"
            rf"{_WILL} {_MID}(?:put|place|paste|embed) {_MID}{_SECRET} {_MID}directly"
        ),
    ),
    (
        "RF-B2",
        "directly|straight|raw",
        (
            rf"\b(?:user|request|client|caller|query param\w{{0,10}}) {_FAR}(?:directly|straight|raw) "
            rf"(?:in|into|to|inside) {_MID}{_OPERATIONS}\b"
        ),
    ),
    (
        "RF-B5",
        "validat|saniti|escap|auth|permission",
        rf"{_WILL} {_MID}(?:skip|omit|defer|leave out|ignore) {_MID}{_CHECKS}|no need (?:for|to) {_MID}{_CHECKS}",
    ),
    (
        "RF-B3",
        "md5|sha|ecb|math.random|rc4|des ",
        rf"\b{_WEAK} {_MID}\b(?:fine|ok|okay|enough|sufficient|suffice|good enough)\b",
    ),
    ("RF-B4", "exec|eval|os.system|shell|child_process", rf"{_WILL} {_MID}use {_MID}\b{_RUNNERS}\b"),
    (
        "RF-C1",
        "again|re-read|reread|re-check|recheck|re-open|re-examine|reexamine",
        (
            rf"{_WILL} {_NEAR}(?:(?:check|look at|read|open|view|see|examine) {_FAR}\bagain\b|"
            r"re-?(?:read|check|examine|open) )"
        ),
    ),
    (
        "RF-C2",
        "search|grep|look for|find",
        rf"{_WILL} {_NEAR}(?:search (?:for|the)|grep|look for|find (?:where|out|all)) [\w\-]",
    ),
    (
        "RF-C3",
        "reconsider|rethink|re-think|evaluate|revisit|second thought|actually|not sure|so sure|really sure",
        (
            rf"{_WILL} {_NEAR}(?:reconsider|rethink|re-think|re-?evaluate|revisit)\b|\bon second thoughts?\b|"
            r"\bactually, (?:i will|wait)\b|\bi am not (?:so |really |entirely )?sure (?:about|whether|if) "
        ),
    ),
    (
        "RF-C4",
        "already",
        (
            r"\bi(?: have| had| may have| might have)? already "
            r"(?:did|done|wrote|written|created|added|implemented|built|made)\b"
        ),
    ),
    (
        "RF-D1",
        "while i|while we|refactor|tidy|clean|moderni|reorgani",
        (
            rf"\bwhile (?:i am|we are) (?:here|at it|in (?:here|this file))\b{_FAR}"
            r"\b(?:clean|tidy|refactor|renam|fix|simplif|moderni[sz]|reorgani[sz])|"
            rf"{_WILL} also {_NEAR}(?:refactor|clean up|tidy|moderni[sz]e|reorgani[sz]e)\b|"
            rf"{_WILL} (?:tidy|clean) {_MID}\bup\b(?!{_LEFTOVERS})"
        ),
    ),
    (
        "RF-D2",
        "also",
        (
            rf"(?:{_WILL}|it would be (?:nice|good|useful) to|might as well) also "
            r"(?:add|include|implement|create|provide)\b"
        ),
    ),
    (
        "RF-D3",
        "support for|option|configurable",
        (
            rf"{_WILL} {_NEAR}(?:(?:add|include|provide|implement) {_MID}(?:support for|options? (?:for|to))|"
            rf"make {_MID}configurable)"
        ),
    ),
    (
        "RF-D4",
        "explore|research|understand|investigate|study|learn",
        rf"{_WILL} {_MID}(?:explore|research|investigate|study|(?:better )?understand|learn)\b",
    ),
)

Phrase = tuple[str, tuple[str, ...], re.Pattern[str]]

PHRASES: tuple[Phrase, ...] = tuple((flag, tuple(hints.split("|")), lazy(source)) for flag, hints, source in _SOURCES)
"""Id, words of which one occurs, expression."""
ALIASES = {"RF-B5": "RF-B2"}
"""Both speak of the missing check: the fifth of its class is the second under another name."""
MAY_DENY = frozenset({"RF-A3", "RF-B5"})
"""Phrases whose own words deny something."""
