"""Random numbers anybody can predict, where something is guarded by them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leeboard.model.text import lazy
from leeboard.security.crypto import words
from leeboard.security.crypto.constant import values_of
from leeboard.security.crypto.source import CallSite, CryptoSource, SettingSite
from leeboard.security.crypto.uses import statement_text, target_of
from leeboard.security.crypto.weakness import WeaknessHit
from leeboard.text.words import split_name

_OF_JAVA = (
    r"\A(?:java\.util\.)?Random\Z|\A(?:java\.lang\.)?Math\.random\Z|\AThreadLocalRandom\.current\Z|"
    r"\ARandomStringUtils\.random\w{0,20}\Z|\A(?:java\.util\.)?SplittableRandom\Z|\ARandom\.next\w{0,10}\Z|\AkotlinRandom\Z"
)
_JAVA = lazy(_OF_JAVA)
_KOTLIN = lazy(rf"{_OF_JAVA}|[.)\]]random\Z")
_CSHARP = lazy(r"\A(?:System\.)?Random\Z|\ARandom\.Shared\.\w{1,20}\Z")
_RUBY = lazy(
    r"\A(?:Kernel\.)?s?rand\Z|\ARandom\.(?:rand|new|new_seed|bytes|random_number)\Z|(?:\A|[.)])(?:sample|shuffle)\Z"
)
_RUST = lazy(
    r"\A(?:fastrand\.(?:\w{1,20}\.)?\w{1,20}|oorandom\.\w{1,30}|(?:\w{1,20}\.){0,3}(?:SmallRng|Pcg\w{1,10}|XorShiftRng|Xoshiro\w{1,20})\.\w{1,20}|(?:\w{1,20}\.){0,3}\w{1,20}Rng\.seed_from_u64)\Z"
)
_CPP = lazy(
    r"(?:\bstd::)?\b(?:mt19937(?:_64)?|default_random_engine|minstd_rand0?|ranlux\d{2}(?:_base)?|knuth_b)\s+\w+\s*[({;]"
)
_MATH_RAND = lazy(
    r"(?:^|[;(])\s*(?:import\s+)?(?:(\w+)\s+)?\"(?:math/rand(?:/v2)?|golang\.org/x/exp/rand)\"", re.MULTILINE
)
_MAY_BE = lazy(
    r"(?i)rand|uuid|uniqid|lcg_value|shuffle|choice|sample|uniform|gauss|variate|bytes|integers|permutation|triangular|seed|rng|current\Z|\.next"
)
_OF_THE_JVM = frozenset({"java", "kotlin"})
"""Elsewhere `secureRandom(12)` draws twelve bytes."""
_WITH_FIELDS = frozenset({"java", "kotlin", "csharp"})
_DRAWS = lazy(r"\.[nN]ext\w{0,12}\Z")
_GENERATOR = lazy(r"(?:new\s+)?(?:java\.util\.|kotlin\.random\.|System\.)?Random\s*(?:\(|\Z)")
_OF_ITS_TYPE = lazy(r"new\s*\(")
_DECLARED_RANDOM = lazy(r"\b(?:System\.)?Random\s+\w+\s*=")
_SECURE_OBJECT = lazy(r"(?i)systemrandom|securerandom|\bsecrets\b|csprng")
_FROM_RANDOM = lazy(r"^[^\S\n]*from\s+(?:numpy\.)?random\s+import\s+([^\n#]{1,200})", re.MULTILINE)


def hits(source: CryptoSource) -> Iterator[WeaknessHit]:
    """Every predictable generator; only those for a secret count, which the weighing decides."""
    math_rand = _math_rand(source) if source.language == "go" else ""
    bare = _imported_bare(source) if source.language == "python" else frozenset()
    for name, calls in source.calls_by_name.items():
        if name in bare or (math_rand and name.startswith(math_rand)) or (len(name) <= 80 and _MAY_BE.search(name)):
            for call in calls:
                if not source.is_own(call) and _is_predictable(call, source, math_rand, bare):
                    yield from _drawn(call, source)
    for call in source.named("setseed", "securerandom") if source.language in _OF_THE_JVM else ():
        if call.args:
            yield from _seeded(call, source)
    if source.language == "cpp":
        for site in source.spelling(_CPP, ("mt19937", "random_engine", "minstd", "ranlux", "knuth_b"), broken=True):
            yield WeaknessHit(
                kind="predictable random",
                what="std::mt19937 and its kin",
                site=site,
                weighing="random",
                fix=_fix(source),
            )


def _is_predictable(call: CallSite, source: CryptoSource, math_rand: str, bare: frozenset[str]) -> bool:
    name, language = call.name, source.language
    if language == "python":
        return _is_python_random(call, source, bare)
    if language in {"javascript", "typescript", "tsx"}:
        return name in {
            "uuid.v1",
            "uuidv1",
            "Math.random",
            "_.random",
            "lodash.random",
            "crypto.pseudoRandomBytes",
            "window.Math.random",
        }
    if language == "go":
        return bool(math_rand) and name.startswith(math_rand + ".") and call.last not in {"newsource", "newzipf"}
    if language in {"c", "cpp"}:
        return name in words.randomness().c
    if language == "php":
        return name in words.randomness().php
    return _is_named_so(call, source)


def _is_named_so(call: CallSite, source: CryptoSource) -> bool:
    name, language = call.name, source.language
    pattern = {"java": _JAVA, "kotlin": _KOTLIN, "csharp": _CSHARP, "ruby": _RUBY, "rust": _RUST}.get(language)
    if pattern is None:
        return False
    kept = language in _WITH_FIELDS and bool(_DRAWS.search(name)) and _is_plain_generator(name, source)
    return kept or (bool(pattern.search(name)) and not _is_strong_object(call, source))


def _is_python_random(call: CallSite, source: CryptoSource, bare: frozenset[str]) -> bool:
    owner, _, last = call.name.rpartition(".")
    if not owner:
        return last in bare
    if owner in {"random", "np.random", "numpy.random", "_random"} or source.aliases.get(owner) == "random":
        return (last in words.randomness().python or last in {"seed", "Random"}) and not _rebound(owner, source)
    if owner == "uuid":
        return last == "uuid1"
    return last in words.randomness().python and _is_random_object(owner, source)


def _is_random_object(owner: str, source: CryptoSource) -> bool:
    made = [setting.value.text()[:60] for setting in source.settings.get(owner.rpartition(".")[2], ())]
    return bool(made) and all(re.match(r"(?:random\.)?Random\(|np\.random\.|numpy\.random\.", text) for text in made)


def _rebound(owner: str, source: CryptoSource) -> bool:
    """`random = SystemRandom()`."""
    made = [setting.value.text()[:80] for setting in source.settings.get(owner, ())]
    return any(_SECURE_OBJECT.search(text) for text in made) or bool(
        re.search(rf"import\s+\w+\s+as\s+{re.escape(owner)}\b", source.text) and "SystemRandom as" in source.text
    )


def _imported_bare(source: CryptoSource) -> frozenset[str]:
    found = [name for match in _FROM_RANDOM.finditer(source.text) for name in re.findall(r"\w+|\*", match[1])]
    every = words.randomness().python | {"seed"}
    return every if "*" in found else every.intersection(found)


def _math_rand(source: CryptoSource) -> str:
    """What `math/rand` is called in this file."""
    found = _MATH_RAND.search(source.text)
    return (found[1] or "rand") if found is not None and found[1] != "_" else ""


def _is_plain_generator(name: str, source: CryptoSource) -> bool:
    """Whether it is drawn from a field that is made once, outside of any function: `random.nextInt(900)`. One that is
    made where it is used is told there.
    """
    owner = name.rpartition(".")[0].removeprefix("this.")
    made = source.settings.get(owner, ())
    return bool(made) and all(_is_generator(setting, source) and _is_field(setting, source) for setting in made)


def _is_generator(setting: SettingSite, source: CryptoSource) -> bool:
    """`new Random()`, or a `Random` that is made by `new()` alone."""
    made = setting.value.text()[:60]
    if source.language == "csharp" and _OF_ITS_TYPE.match(made):
        return _DECLARED_RANDOM.search(source.lines[setting.line - 1][:200]) is not None
    return _GENERATOR.match(made) is not None


def _is_field(setting: SettingSite, source: CryptoSource) -> bool:
    definition = source.definition_of(setting)
    return definition is None or definition.kind == "class"


def _is_strong_object(call: CallSite, source: CryptoSource) -> bool:
    receiver = call.receiver
    if receiver is None:
        return False
    made = list(source.settings.get(receiver.text()[:60], ()))
    given = [arg.text()[:80] for arg in (*call.args, *call.named.values())]
    made = [*made, *(setting for name in given for setting in source.settings.get(name, ()))]
    inside = " ".join(given)
    return any(_SECURE_OBJECT.search(setting.value.text()[:80]) for setting in made) or bool(
        _SECURE_OBJECT.search(inside)
    )


def _seeded(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    receiver = call.receiver
    made = source.settings.get(receiver.text()[:60].rpartition(".")[2], ()) if receiver is not None else ()
    if call.last == "setseed" and not any(_SECURE_OBJECT.search(setting.value.text()[:80]) for setting in made):
        return  # what a plain generator is given is no secret
    values = values_of(call.args[0], source) if call.args else None
    text = call.args[0].text()[:80] if call.args else ""
    is_time = bool(re.search(r"currentTimeMillis|nanoTime|time\(", text)) and "^" not in text
    if is_time or (values is not None and values.complete and values.known):
        yield WeaknessHit(
            kind="predictable seed", what="SecureRandom with a known seed", site=call, fix="let it seed itself"
        )


def _drawn(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    if call.last in words.randomness().seeds and not call.args:
        return  # without a number the system gives one
    one = picks_one(call, source)
    if not (one and picks_a_text(call, source)) and not _is_a_digit(call):
        kind = "predictable seed" if call.last in words.randomness().seeds else "predictable random"
        excuse = "picks one of a list" if one else ""
        name = f"{call.name}()"[:60]
        yield WeaknessHit(kind=kind, what=name, site=call, weighing="random", fix=_fix(source), excuse=excuse)


def _is_a_digit(call: CallSite) -> bool:
    """`randint(1, 9)`, once: a sum to solve or a die; a code is made of several."""
    bounds = [arg.text() for arg in call.args]
    return (
        call.last in {"randint", "randrange", "rand", "mt_rand"}
        and len(bounds) == _BOUNDS
        and all(len(bound) == 1 and bound.isdigit() for bound in bounds)
        and not _is_repeated(call)
    )


_BOUNDS = 2


def _fix(source: CryptoSource) -> str:
    return words.randomness().fixes.get(source.language, "use the system's random generator (getrandom, RAND_bytes)")


# One of a list of things, drawn once: a hint, a server, a greeting. Nothing secret is made of it.


_ALPHABET = lazy(
    r"(?i)char|alpha|letter|digit|ascii|hex|symbol|pool|byte|string\.|range|print|punct|vowel|conson|secret|code|pin|word|pass"
)
_LISTS = frozenset("identifier attribute list tuple array member_expression constant instance_variable".split())
_REPEATED = frozenset(
    "list_comprehension generator_expression set_comprehension dictionary_comprehension for_statement while_statement "
    "for_in_statement do_statement arrow_function lambda do_block while until for".split()
)
_FUNCTIONS = frozenset("function_definition function_declaration method_definition method singleton_method".split())
_INDEXED = lazy(
    r"(?P<list>[A-Za-z_$][\w$.]{0,40})\[[^\[\]\n]{0,60}rand[^\[\]\n]{0,60}(?:(?P=list)\.length|len\((?P=list)\))"
)
_SAID = frozenset(
    "hint hints question questions message messages text texts tip tips prompt label greeting slogan reminder".split()
)


def picks_one(call: CallSite, source: CryptoSource) -> bool:
    """Whether the call draws one element of a list, outside of any loop; of an alphabet it makes a key."""
    drawn = _drawn_from(call, source)
    return bool(drawn) and not _ALPHABET.search(drawn) and not _is_repeated(call)


def picks_a_text(call: CallSite, source: CryptoSource) -> bool:
    """What is drawn is shown to people: the variable or the function is called so."""
    definition = source.definition_of(call)
    names = (target_of(call, source), definition.name if definition is not None else "")
    return any(words[-1] in _SAID for words in map(split_name, names) if words)


def _drawn_from(call: CallSite, source: CryptoSource) -> str:
    if call.last == "choice" and len(call.args) == 1 and call.args[0].kind() in _LISTS:
        return call.args[0].text()[:200]
    if call.last == "sample" and not call.args and (receiver := call.receiver) is not None:
        return receiver.text()[:200]
    if call.last == "sample" and len(call.args) == _BOUNDS and call.args[0].kind() in _LISTS:
        return "" if "join" in statement_text(call, source) else call.args[0].text()[:200]
    found: re.Match[str] | None = _INDEXED.search(statement_text(call, source))
    return found["list"] if found is not None else ""


def _is_repeated(call: CallSite) -> bool:
    for ancestor in call.node.ancestors():
        kind = ancestor.kind()
        if kind in _FUNCTIONS:
            return False
        if kind in _REPEATED:
            return True
    return False
