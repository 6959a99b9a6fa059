"""What a test shows about the foreign values it looks at, if it holds and if it does not."""

from __future__ import annotations

from functools import reduce

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.doubts.unread_check import checked_for, unread_check, unread_check_by_outcome
from leeboard.security.taint.lowering.idiom import plain_pattern
from leeboard.security.taint.removed import PATHS, without_pattern, without_text
from leeboard.security.taint.state import Facts, State, TaintScope, added, both
from leeboard.security.taint.table import WEAK_CHECK, Kind, TaintGuard
from leeboard.security.taint.values import ALL, NONE, Val, held, is_settled

_EQUAL = {"==": True, "===": True, "is": True, "!=": False, "!==": False, "is not": False, "<>": False}
_WITHIN = {"in": True, "not in": False}
_ADDRESS: frozenset[Kind] = frozenset({"url", "redirect"})
_DEEPEST = 4
_READ = (ir.Name, ir.Attr, ir.Index)
_SEARCHES = frozenset({"any", "all", "search", "test", "match", "match?", "preg_match", "MatchString", "find"})
"""What tells something by not holding."""
_AT_ONE_PLACE = {"python": frozenset({"match"}), "java": frozenset({"match"}), "kotlin": frozenset({"match"})}
"""By language: what looks at the start alone, or at the whole, and so says nothing of the rest by not holding."""
_PARTS = {"netloc", "hostname", "host", "scheme", "domain", "origin"}
_LOOSE = lazy(r"(?<!\\)\.(?:\*|\+|\{)|\\S[*+]|\[\^|^\^?\.")
_ENDED = lazy(r"(?:\$|\\Z|\\z)\)*$")
_HOST = lazy(r"https?://[^/\s]+/|https?://[^/\s]+\.\w+")


def facts_of(state: State, scope: TaintScope, test: ir.Expr, *, holds: bool, depth: int = 0) -> Facts:
    """Labels of foreign values, with the kinds for which they are harmless where the test holds (or does not)."""
    if isinstance(test, ir.Not):
        return facts_of(state, scope, test.value, holds=not holds, depth=depth)
    if isinstance(test, ir.Walrus):
        return facts_of(state, scope, test.value, holds=holds)
    if isinstance(test, ir.Bool):
        return _several(state, scope, test, holds=holds)
    if isinstance(test, ir.Compare):
        shown = _comparison(state, scope, test, holds=holds)
        return shown or unread_check_by_outcome(state, scope, test, holds=holds)
    if isinstance(test, ir.Call):
        shown = _call(state, scope, test, holds=holds)
        return shown or unread_check(state, scope, test, holds=holds, later=depth > 0)
    return _plain(state, scope, test, holds=holds, depth=depth)


def _plain(state: State, scope: TaintScope, test: ir.Expr, *, holds: bool, depth: int) -> Facts:
    """A name that holds the outcome of a test, or a value that is empty where it does not hold."""
    found: Facts = {}
    if not holds and isinstance(test, _READ):
        found = _placed(state.evaluate(test, scope), ALL)
    if isinstance(test, ir.Name) and test.id in scope.tests and depth < _DEEPEST:
        found = added(found, facts_of(state, scope, scope.tests[test.id], holds=holds, depth=depth + 1))
    return found


def _several(state: State, scope: TaintScope, test: ir.Bool, *, holds: bool) -> Facts:
    found = [facts_of(state, scope, part, holds=holds) for part in test.parts]
    combine = added if (test.op == "and") == holds else both
    result = found[0] if found else {}
    for facts in found[1:]:
        result = combine(result, facts)
    return result


def _placed(value: Val, kinds: frozenset[Kind]) -> Facts:
    """Of the field that was asked about, and no other."""
    return {origin.place: kinds for origin in held(value).taints} if kinds else {}


def _comparison(state: State, scope: TaintScope, test: ir.Compare, *, holds: bool) -> Facts:
    if test.op in _EQUAL:
        if _EQUAL[test.op] is not holds:
            return {}
        return _equal(state, scope, test)
    if test.op in _WITHIN:
        within = _WITHIN[test.op] is holds
        left, right = state.compared(test, scope)
        if within and left.is_foreign and not held(right).is_foreign:
            return _placed(left, _part_kinds(test.left, left))
        if within and isinstance(test.right, ir.Attr) and test.right.name == "parents":
            return _placed(right, PATHS)
        if not within and isinstance(left.const, str) and right.is_foreign:
            return _placed(right, without_text(left.const))
    return {}


def _equal(state: State, scope: TaintScope, test: ir.Compare) -> Facts:
    left, right = state.compared(test, scope)
    for one, other, value, against in ((test.left, test.right, left, right), (test.right, test.left, right, left)):
        if isinstance(one, ir.Call) and ir.dotted(one.callee) in {"type", "typeof"} and one.args:
            return _typed(state, scope, one.args[0], ir.dotted(other) or str(against.const))
        if isinstance(one, ir.Call) and ir.dotted(one.callee).endswith("commonpath") and _is_folder(against):
            return _placed(_without(value, against), PATHS)
        if against.const is None and isinstance(one, ir.Name) and _is_beside(scope, one):
            return {}  # `value, err := read()`: that nothing failed says nothing of what was read
        if value.is_foreign and not held(against).is_foreign and (is_settled(against) or against.path):
            return _placed(value, _part_kinds(one, value))
        named = isinstance(one, ir.Attr) and one.name in _PARTS - {"scheme"}
        if named and value.is_foreign and _is_own_address(against):
            return _placed(value, _LOCAL)
    return {}


def _is_own_address(value: Val) -> bool:
    """`request.nextUrl.origin`: where the page itself lies, so that what has the same host stays there."""
    taints = held(value).taints
    return bool(taints) and all("redirect" in done for done in taints.values())


_IS_ERROR = lazy(r"(?i)_?e|\w*err(?:or)?\d?")


def _is_beside(scope: TaintScope, tested: ir.Name) -> bool:
    """Whether it is the error that comes beside a value, and no answer to a question that was asked about it."""
    return _IS_ERROR.fullmatch(tested.id) is not None and tested.id not in scope.tests


_TELL_NOTHING = frozenset({"len", "type", "size", "count", "getName", "getKey"})


def _part_kinds(tested: ir.Expr, value: Val) -> frozenset[Kind]:
    """A test of the host of an address says nothing of the rest of it, nor does the name of a thing of its content."""
    fields = {origin.field.rpartition(".")[2] for origin in value.taints}
    if isinstance(tested, ir.Attr) and tested.name in _PARTS and tested.name not in fields:
        return _ADDRESS if tested.name != "scheme" else NONE
    if isinstance(tested, ir.Call) and ir.dotted(tested.callee).rpartition(".")[2] in _TELL_NOTHING:
        return NONE
    return ALL


def _call(state: State, scope: TaintScope, test: ir.Call, *, holds: bool) -> Facts:
    name = ir.dotted(test.callee).rpartition(".")[2]
    if not holds and name not in _SEARCHES - _AT_ONE_PLACE.get(state.module.language, frozenset()):
        return _stays_below(state, scope, test) if name in _PREFIX_TESTS or name == "starts_with" else {}
    receiver = state.evaluate(test.callee.value, scope) if isinstance(test.callee, ir.Attr) else None
    path = f"{receiver.path}.{name}" if receiver is not None and receiver.path else _resolved(state, scope, test.callee)
    if name in {"any", "all"} and test.args and isinstance(test.args[0], ir.Comprehension):
        return _quantified(state, scope, test.args[0], name, holds=holds)
    if name in {"isinstance", "is_a?"} and len(test.args) == 2 and holds:
        return _typed(state, scope, test.args[0], ir.dotted(test.args[1]))
    if (name in _PREFIX_TESTS or name == "is_relative_to") and holds:
        return _prefixed(state, scope, test, receiver)
    # A form was looked at: what was sent to it is still as it was.
    is_form = name == "is_valid" and receiver is not None and receiver.opaque
    for guard in () if is_form else state.index.guards(path):
        facts = (_guarded if holds else _excluded)(state, scope, guard, test, receiver)
        if facts:
            return facts
    return _checked(state, scope, test, path, receiver) if holds and not is_form else {}


def _resolved(state: State, scope: TaintScope, callee: ir.Expr) -> str:
    return state.evaluate(callee, scope).path or ir.dotted(callee)


def _quantified(state: State, scope: TaintScope, test: ir.Comprehension, name: str, *, holds: bool) -> Facts:
    """`all(c in ALLOWED for c in value)`; `any(c in BAD for c in value)` where it does not hold."""
    if (name == "all") is not holds:
        return {}
    tested = state.evaluate(test.clauses[0][1], scope) if test.clauses else Val()
    if tested.is_foreign:
        return _placed(tested, ALL)
    element = test.value
    if name == "any" and isinstance(element, ir.Compare) and element.op == "in":
        tested = state.evaluate(element.right, scope)
        return _placed(tested, ALL) if tested.is_foreign else {}
    return {}


def _typed(state: State, scope: TaintScope, tested: ir.Expr, type_name: str) -> Facts:
    value = state.evaluate(tested, scope)
    if state.index.safe_types.match(type_name) or type_name in {"number", "boolean"}:
        return _placed(value, ALL)
    return _placed(value, frozenset({"nosql"})) if type_name in {"str", "string"} else {}


_LOCAL: frozenset[Kind] = frozenset({"redirect"})
_STAYS_HERE = lazy(
    r"^\^\(?(?:\\?/)(?:\(\?!(?=[^()]*/)[^()]*\\\\[^()]*\)|\[\^(?=[^\]]*/)[^\]]*\\\\[^\]]*\]|"
    r"\\w|\[(?:\\w|\w)(?:[^\]/\\]|\\[^/\\])*\])"
)
"""It begins with one slash, behind which neither a second one stands nor a backslash, which browsers take for one."""
_PREFIX_TESTS = frozenset({"startswith", "startsWith", "start_with?", "hasPrefix", "HasPrefix"})
_MADE_RELATIVE = lazy(r"\bRel\(|relative(?:_path_from)?\(|relpath\(|relativize\(")


def _stays_below(state: State, scope: TaintScope, test: ir.Call) -> Facts:
    """`rel` was made relative to a folder and does not begin with `..`."""
    text = state.mentions.text_of(state.active[-1]) if state.active else ""
    given = [state.evaluate(arg, scope) for arg in test.args]
    if isinstance(test.callee, ir.Attr) and len(given) == 1:
        given.insert(0, state.evaluate(test.callee.value, scope))
    climbs = len(given) > 1 and given[1].text.startswith("..")
    return _placed(given[0], PATHS) if climbs and _MADE_RELATIVE.search(text) else {}


def _prefixed(state: State, scope: TaintScope, test: ir.Call, receiver: Val | None) -> Facts:
    """A path that was made absolute and starts with a folder; an address that starts with a host."""
    tested = receiver if receiver is not None and receiver.is_foreign else None
    given = [state.evaluate(arg, scope) for arg in test.args]
    if tested is None and len(given) > 1 and given[0].is_foreign:
        tested, given = given[0], given[1:]
    if tested is None or not given or not _is_folder(given[0]):
        return {}
    tested, prefix = _without(tested, given[0]), given[0].const
    if isinstance(prefix, str) and _HOST.match(prefix):
        return _placed(tested, _ADDRESS)
    if isinstance(prefix, str) and prefix == "/":
        return _placed(tested, frozenset({"redirect"} if _looks_behind_a_slash(state) else {WEAK_CHECK}))
    if isinstance(prefix, str) and prefix.startswith(("http", "/static")):
        return {}
    return _placed(tested, PATHS)


def _looks_behind_a_slash(state: State) -> bool:
    """Whether the function knows that `//host` begins with a slash and leads elsewhere."""
    text = state.mentions.text_of(state.active[-1]) if state.active else ""
    return _SECOND_SLASH.search(text) is not None


_SECOND_SLASH = lazy(
    r"""["'`](?://|/\\\\?)["'`]|\[1\]|\[:2\]|charAt\(1\)|at\(1\)|\[\^?/?\\*/|(?:host|Host|netloc|origin)\b"""
)


def _is_folder(value: Val) -> bool:
    """A folder to stay in may be given by the program's own people, but not by who is kept in it."""
    return all(origin.trust in {"parameter", "local"} for origin in held(value).taints)


def _without(tested: Val, folder: Val) -> Val:
    """What is left of the value besides the folder it lies in."""
    whole, given = held(tested), held(folder).taints
    return msgspec.structs.replace(whole, taints={one: done for one, done in whole.taints.items() if one not in given})


def _guarded(state: State, scope: TaintScope, guard: TaintGuard, test: ir.Call, receiver: Val | None) -> Facts:
    if guard.argument < 0:
        value = receiver
    elif guard.argument < len(test.args):
        value = state.evaluate(test.args[guard.argument], scope)
    else:
        value = None
    if value is None or not held(value).is_foreign:
        return {}
    if guard.pattern >= 0 and not _is_narrow(state, scope, test, guard, receiver):
        pattern = _pattern_of(state, scope, test, guard, receiver).const
        return _placed(value, _LOCAL) if isinstance(pattern, str) and _STAYS_HERE.match(pattern) else {}
    return _placed(value, ALL if guard.kinds is None else guard.kinds)


def _excluded(state: State, scope: TaintScope, guard: TaintGuard, test: ir.Call, receiver: Val | None) -> Facts:
    """`!preg_match('/[^a-z]/', $name)`: nothing but what the pattern spares is in it."""
    pattern = _pattern_of(state, scope, test, guard, receiver) if guard.pattern >= 0 else Val()
    if not isinstance(pattern.const, str) or without_pattern(pattern.const) is not None:
        return {}
    tested = receiver if guard.argument < 0 else None
    if 0 <= guard.argument < len(test.args):
        tested = state.evaluate(test.args[guard.argument], scope)
    return _placed(tested, ALL) if tested is not None else {}


def _pattern_of(state: State, scope: TaintScope, test: ir.Call, guard: TaintGuard, receiver: Val | None) -> Val:
    if guard.pattern < len(test.args) and guard.argument != guard.pattern:
        pattern = state.evaluate(test.args[guard.pattern], scope)
        is_written = state.module.language == "php" and isinstance(pattern.const, str)
        return msgspec.structs.replace(pattern, const=plain_pattern(str(pattern.const))) if is_written else pattern
    return receiver.args[0] if receiver is not None and receiver.args else Val()


def _is_narrow(state: State, scope: TaintScope, test: ir.Call, guard: TaintGuard, receiver: Val | None) -> bool:
    """Whether the pattern allows only what it names, from start to end. One nobody knows is believed."""
    name = ir.dotted(test.callee).rpartition(".")[2]
    pattern = _pattern_of(state, scope, test, guard, receiver)
    if not isinstance(pattern.const, str):
        return not pattern.is_foreign
    text = pattern.const
    whole = "full" in name.lower() or bool(_ENDED.search(text))
    from_start = name not in {"search", "test", "match?", "preg_match", "MatchString"} or text.startswith(_STARTS)
    return whole and from_start and not _LOOSE.search(text)


def spells_out(pattern: str) -> bool:
    """Whether it allows only what it names, from start to end."""
    return pattern.startswith(_STARTS) and bool(_ENDED.search(pattern)) and not _LOOSE.search(pattern)


_STARTS = ("^", r"\A")


def _checked(state: State, scope: TaintScope, test: ir.Call, path: str, receiver: Val | None) -> Facts:
    """A function that calls itself a check, or one of this file that returns a test."""
    values = [state.evaluate(arg, scope) for arg in (*test.args, *(value for _name, value in test.keywords))]
    kinds = checked_for(state, path)
    if receiver is not None and not values and receiver.is_foreign and kinds:
        return _placed(receiver, kinds)
    known = scope.find(path) if "." not in path else None
    function = known.call.function if known is not None and known.call else state.functions.get(path)
    if function is not None:
        return _returned(state, scope, function, values)
    found: Facts = {}
    for value in values:
        found = added(found, _placed(value, kinds))
    return found


def _returned(state: State, scope: TaintScope, function: ir.Function, values: list[Val]) -> Facts:
    """What a function of this file shows by returning something true."""
    if scope.depth > 2:
        return {}
    inner = TaintScope(function.name, scope, scope.depth + 1)
    for param, value in zip(function.params, values, strict=False):
        inner.names[param.name] = value
    ways = _ways_to_true(state, inner, state.body(function))
    return reduce(both, ways) if ways else {}


def _ways_to_true(state: State, scope: TaintScope, body: ir.Block) -> list[Facts]:
    """What holds at each place where something is returned that may be true, in branches and loops too."""
    ways: list[Facts] = []
    for statement in body:
        if isinstance(statement, ir.Assign):
            state.execute((statement,), scope)
        elif isinstance(statement, ir.If):
            for block, holds in ((statement.body, True), (statement.orelse, False)):
                way = scope.fork()
                way.facts = added(scope.facts, facts_of(state, scope, statement.test, holds=holds))
                ways += _ways_to_true(state, way, block)
            scope.facts = added(scope.facts, _skipped(state, scope, statement))
        elif isinstance(statement, ir.Loop):
            turn = scope.fork()
            if statement.target is not None and statement.iterable is not None:
                element = ir.Index(statement.line, statement.iterable, None)
                state.execute((ir.Assign(statement.line, (statement.target,), element),), turn)
            ways += _ways_to_true(state, turn, statement.body)
        elif isinstance(statement, ir.Return):
            value = statement.value
            if value is not None and not (isinstance(value, ir.Const) and not value.value):
                ways.append(added(scope.facts, facts_of(state, scope, value, holds=True)))
            break
    return ways


def _skipped(state: State, scope: TaintScope, statement: ir.If) -> Facts:
    """What holds after `if ...: return False`."""
    first = statement.body[0] if len(statement.body) == 1 else None
    refused = isinstance(first, ir.Return) and isinstance(first.value, ir.Const) and not first.value.value
    return facts_of(state, scope, statement.test, holds=False) if refused or isinstance(first, ir.Exit) else {}
