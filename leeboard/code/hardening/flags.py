"""Branches that keep an old way alive or wait for a switch: feature flags, legacy modes, toggles of the environment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leeboard.code.hardening.signal import FLAG, Hardening
from leeboard.code.hardening.source import Source
from leeboard.model.pattern import lazy

_FLAGS = lazy(
    r"feature_?(?:flags?|toggles?|gates?|switch(?:es)?)|is_?feature_?(?:enabled|active|on)|feature_?(?:is_?)?enabled"
    r"|\bFlipper[.\[]|launchdarkly|\bunleash\b|\bldclient\b|(?:flag|switch)_is_active|kill_?switch",
    re.IGNORECASE,
)
_OLD_WAY = lazy(
    r"\b(?:if|elif|elsif|unless|when)\b[^\n]{0,120}?(?:(?<![A-Za-z])(?:[a-z]+_){0,3}(?:legacy|use_(?:new|old)_\w)"
    r"|(?:[a-z]Legacy|(?:use|enable|force|keep|support)(?:Old|New))[A-Z]?\w{0,30})(?![^\n]{0,60}\bimport\b)"
)
_SWITCH = lazy(
    r"(?:\benviron\b|\bgetenv\b|\bprocess\.env\b|\benv::var|\bENV\b|GetEnvironmentVariable|\bGetenv\b|\bLookupEnv\b|\$_ENV)"
    r"(?:\.get|\.fetch)?[.\[(]{1,2}\s{0,3}[\"']?(?P<name>[A-Z][A-Z0-9_]{2,60})"
)
FLAG_CLUES = (
    *(f"feature{joint}{what}" for joint in ("", "_") for what in ("flag", "toggle", "gate", "switch", "enabled", "is")),
    *(
        "isfeature",
        "is_feature",
        "flipper",
        "launchdarkly",
        "unleash",
        "ldclient",
        "_is_active",
        "killswitch",
        "kill_switch",
    ),
)
SWITCH_CLUES = ("environ", "getenv", ".env", "env::var", "env[", "env.fetch", "lookupenv", "_env")
OLD_CLUES = (
    "legacy",
    "use_new",
    "use_old",
    *(f"{verb}{age}" for verb in ("use", "enable", "force", "keep", "support") for age in ("new", "old")),
)

_BROUGHT_IN = lazy(r"[ \t]{0,40}(?:import|from|package|using|use|namespace|require)\b")
_SWITCH_WORDS = frozenset("ENABLE ENABLED DISABLE DISABLED USE FEATURE FLAG FF TOGGLE SKIP ALLOW LEGACY".split())


def find_flags(source: Source) -> Iterator[Hardening]:
    """Each place where such a switch is named or asked."""
    lowered = source.code.lower()
    for pattern, clues in ((_FLAGS, FLAG_CLUES), (_OLD_WAY, OLD_CLUES)):
        # A look for words costs a hundredth of the pattern, and hardly any file has one.
        for match in pattern.finditer(source.code) if any(clue in lowered for clue in clues) else ():
            if _BROUGHT_IN.match(source.code, source.starts[source.line_at(match.start()) - 1]):
                continue
            shown = " ".join(match.group().split())[:60]
            yield Hardening(FLAG, (source.line_at(match.start()),), shown)
    for match in _SWITCH.finditer(source.text) if any(clue in lowered for clue in SWITCH_CLUES) else ():
        is_code = source.code[match.start()] == source.text[match.start()]
        if is_code and _SWITCH_WORDS.intersection(match["name"].split("_")):
            yield Hardening(FLAG, (source.line_at(match.start()),), match["name"])
