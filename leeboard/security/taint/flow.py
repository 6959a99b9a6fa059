"""The way in: a parsed file to the flows in it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache, partial
from importlib import import_module
from itertools import accumulate, count
from operator import add
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.model.text import lazy
from leeboard.model.touch import Span
from leeboard.security.taint import ir
from leeboard.security.taint.dependency import dependencies
from leeboard.security.taint.entry import active_handlers, entry_values, handler_of, takes_request
from leeboard.security.taint.evaluate import evaluate
from leeboard.security.taint.execute import execute
from leeboard.security.taint.index import PathIndex
from leeboard.security.taint.reach import Reach
from leeboard.security.taint.schema import doubted, vouched
from leeboard.security.taint.state import Flow, Mentions, State, TaintScope
from leeboard.security.taint.table import Handlers, Trust, tables_for
from leeboard.security.taint.table_file import LANGUAGES, SinkGate, gate_of, may_flow, offsets
from leeboard.security.taint.values import CLEAN, Key, TaintOrigin, Val, foreign

if TYPE_CHECKING:
    from leeboard.source.syntax import SyntaxTree


_BUDGET = 120_000
_PER_FUNCTION = 12_000

_COMMENTED = {"python": ("#",), "ruby": ("#",), "php": ("#", "//")}
"""What a line that only explains begins with, where that is not two slashes."""
_NAMES_WHAT_IT_IMPORTS = frozenset({"go", "java", "javascript", "kotlin", "python", "rust", "tsx", "typescript"})
"""Languages in which an import names on its line what it brings, but for a star."""

_CALLED_BACKWARDS = lazy(r"\(\s?(\w{1,80})\b")

Lower = Callable[["SyntaxTree"], ir.Module]
_Entry = tuple[ir.Function, ir.Class | None]
Spans = tuple[Span, ...]


def find_flows(tree: SyntaxTree) -> tuple[Flow, ...]:
    """Flows in the file, by line. Empty for a language that has no tables."""
    return _all_of(tree)[0]


def unfollowed(tree: SyntaxTree) -> tuple[int, ...]:
    """The lines of functions that were not followed to their end, as there is too much in the file or in them."""
    return _all_of(tree)[1]


@lru_cache(maxsize=4)
def _all_of(tree: SyntaxTree) -> tuple[tuple[Flow, ...], tuple[int, ...]]:
    return _flows_of(tree, ()) or ((), ())


def touches_flow(tree: SyntaxTree, written: Spans) -> bool | None:
    """Whether a flow leads through functions that hold these lines, name what they import, or call those that do. None
    where a line outside of all functions may concern any of them.
    """
    found = _flows_of(tree, written)
    return None if found is None else bool(found[0] or found[1])


def _flows_of(tree: SyntaxTree, written: Spans) -> tuple[tuple[Flow, ...], tuple[int, ...]] | None:
    gate = gate_of(tree.language)
    if gate is None or not may_flow(tree.text, tree.language):
        return (), ()
    index = _known(LANGUAGES[tree.language])[1]
    state = State(_lowered(tree), index, _BUDGET)
    _declare(state, state.module.body)
    concerned = _concerned(state, tree, written) if written else None
    if written and concerned is None:
        return None
    try:
        _follow(state, _Wanted(tree.text, index, gate), tree.text, concerned)
    except RecursionError:  # nested beyond reason: what was found until then stands
        pass
    finally:
        state.let_go()
    found = sorted(state.flows.values(), key=lambda flow: (flow.sink_line, flow.kind, flow.sink))
    return _as_written(found, tree.text), tuple(sorted(state.unfollowed))


@lru_cache(maxsize=4)
def _lowered(tree: SyntaxTree) -> ir.Module:
    """Remembered from the look at what a change concerns to the flows of the whole file."""
    return _known(LANGUAGES[tree.language])[0](tree)


def _as_written(flows: list[Flow], text: str) -> tuple[Flow, ...]:
    """Sources are shown in the words of the file."""
    lines = text.split("\n") if flows else []
    return tuple(
        replace(flow, source=as_written(flow.source, lines[flow.source_line - 1]))
        if flow.trust in {"request", "handler"} and 0 < flow.source_line <= len(lines)
        else flow
        for flow in flows
    )


@lru_cache(maxsize=16)
def _known(name: str) -> tuple[Lower, PathIndex]:
    """How a language is lowered, and its tables: it costs only the files that are in it."""
    lower: Lower = import_module(f"leeboard.security.taint.lowering.{name}").lower
    return lower, PathIndex(tables_for(name))


def _follow(state: State, wanted: _Wanted, text: str, concerned: list[_Entry] | None) -> None:
    """The statements outside of functions first, for the names they set; then each function that may hold a sink: of
    the concerned ones, or of all.
    """
    state.evaluate, state.execute = partial(evaluate, state), partial(execute, state)
    state.handlers = active_handlers(state, text)
    state.is_web = any(handlers.imports and handlers.trust != "local" for handlers in state.handlers)
    state.mentions = Mentions(text)
    state.mentions.know(_by_name(_entries(state)))
    state.execute(state.module.body, state.globals)
    if state.budget <= 0:
        state.unfollowed.add(1)
    state.budget = _BUDGET  # what stands outside of functions takes nothing from them
    entries = _entries(state)
    state.mentions.know(_by_name(entries))
    # Where nothing comes from a request, only what a private function is given has to be looked up at its callers.
    called = [function for function, _owner in entries if state.is_web or function.name.startswith("_")]
    wanted.add_callers(called)
    state.holds_sinks = wanted.has
    chosen = entries if concerned is None else concerned
    reach = Reach(state)
    # Should the budget not last for all of them: a stranger comes in by the handlers.
    worthy = [entry for entry in chosen if wanted.has(entry[0])]
    for function, owner in sorted(worthy, key=lambda entry: handler_of(state, *entry) is None):
        _enter(state, wanted, function, owner, state.globals, reach)
    done: set[int] = set()
    while state.nested:
        function, scope = state.nested.pop()
        if id(function) not in done and wanted.has(function):
            done.add(id(function))
            _enter(state, wanted, function, None, scope, reach)


def _declare(state: State, block: ir.Block) -> None:
    """Functions and classes are known wherever in the file they stand."""
    for stmt in block:
        if isinstance(stmt, ir.Define):
            state.functions.setdefault(stmt.function.name, stmt.function)
        elif isinstance(stmt, ir.DefineClass):
            state.classes.setdefault(stmt.type.name, stmt.type)
        elif isinstance(stmt, ir.If):
            _declare(state, stmt.body + stmt.orelse)
        elif isinstance(stmt, ir.Try):
            _declare(state, stmt.body)


def _concerned(state: State, tree: SyntaxTree, written: Spans) -> list[_Entry] | None:
    """The functions that hold a written line, or name what one imports, and those that name one of them, in turn; None
    where a line outside of all functions does more than that.
    """
    entries, text = _entries(state), tree.text
    names = _named_outside(state, tree, _outside(entries, text, written))
    if names is None:
        return None
    starts = _line_starts(text)
    found: dict[int, _Entry] = {}
    waiting = [
        (function, owner)
        for function, owner in entries
        if any(function.line <= last and first <= function.end for first, last in written)
    ]
    waiting += _naming(names, entries, text, starts)
    while waiting:
        entry = waiting.pop()
        if found.setdefault(id(entry[0]), entry) is entry:
            others = [other for other in entries if id(other[0]) not in found]
            waiting += _naming(_called_by(entry), others, text, starts)
    return [entry for entry in entries if id(entry[0]) in found]


def _naming(names: set[str], entries: list[_Entry], text: str, starts: list[int]) -> list[_Entry]:
    places = {at for name in names for at in offsets(name, text) if _is_whole(name, at, text)}
    lines = sorted({bisect_left(starts, at + 1) for at in places})
    return [entry for entry in entries if _is_within(lines, entry[0])]


def _is_whole(name: str, at: int, text: str) -> bool:
    """Whether it is no part of a longer name: `send_header` does not call `send_head`."""
    end = at + len(name)
    before, behind = text[max(0, at - 1) : at], text[end : end + 1]
    return not (_IN_NAME.match(before) or _IN_NAME.match(behind))


def _outside(entries: list[_Entry], text: str, written: Spans) -> list[int]:
    """The written lines that stand in no function and are not blank."""
    lines = text.split("\n")
    within = bytearray(len(lines) + 1)
    for function, _owner in entries:
        within[function.line : function.end + 1] = bytes([1]) * (min(function.end, len(lines)) + 1 - function.line)
    places = (line for first, last in written for line in range(first, min(last, len(lines)) + 1))
    return [line for line in places if not within[line] and lines[line - 1].strip()]


def _named_outside(state: State, tree: SyntaxTree, places: list[int]) -> set[str] | None:
    """The names that imports on these lines bring; None where more may be concerned than who names one of them: a
    framework is brought in, or a line is neither import nor comment.
    """
    lines = tree.text.split("\n")
    code = [line for line in places if not lines[line - 1].lstrip().startswith(_COMMENTED.get(tree.language, ("//",)))]
    if not code:
        return set()
    listed = {one.line for one in tree.imports} if tree.language in _NAMES_WHAT_IT_IMPORTS else set[int]()
    imports = state.module.imports
    names: set[str] = set()
    for line in code:
        brought = {name for name in _WORD.findall(lines[line - 1]) if name in imports}
        if line not in listed or "*" in lines[line - 1] or not brought:
            return None
        names |= brought
    paths = " ".join(imports[name] for name in names)
    frameworks = (handlers.imports for handlers in state.index.tables.handlers if handlers.imports)
    if len(names) == len(imports) or any(state.index.matches(known, paths) for known in frameworks):
        return None
    return names


def _line_starts(text: str) -> list[int]:
    """The offset at which each line begins."""
    ends = accumulate(map(len, text.split("\n")))
    return [0, *map(add, ends, count(1))][:-1]


def _called_by(entry: _Entry) -> set[str]:
    """The names under which a function may be called: one that makes an object is called by that of its class."""
    function, owner = entry
    return {name for name in (function.name, owner.name if owner is not None else "") if name}


def _entries(state: State) -> list[_Entry]:
    found: list[_Entry] = [(function, None) for function in state.functions.values()]
    found += [(method, kind) for kind in state.classes.values() for method in kind.methods]
    return found


def _by_name(entries: list[_Entry]) -> dict[str, list[ir.Function]]:
    found: dict[str, list[ir.Function]] = {}
    for function, _owner in entries:
        found.setdefault(function.name, []).append(function)
    return found


class _Wanted:
    """Which functions are worth following: those with something like a sink in them, and those that call them."""

    def __init__(self, text: str, index: PathIndex, gate: SinkGate) -> None:
        self._starts = _line_starts(text)
        self._text = text
        self._index = index
        self._needs_origin = bool(index.tables.origins)
        self._bare = index.tables.language == "ruby"  # a call needs no parenthesis
        self._sure = self._lines(gate.sure_places(text))
        self._likely: list[int] = []
        self._origins: list[int] = []
        self._patterned: dict[int, bool] | None = None
        """Functions by id, and whether a pattern for sinks is found in their lines; None where none is looked for."""
        if not gate.has_words or gate.handles_requests(text):
            renamed = _RENAMED.findall(text) if "promisify(" in text else ()
            named = [at for name in (*index.sink_names, *renamed) for at in self._calls.get(name, ())]
            self._likely = self._lines([*index.places(text), *named])
            self._patterned = {}
            self._origins = self._lines(index.origin_places(text))

    def _lines(self, offsets: Iterable[int]) -> list[int]:
        return sorted({bisect_left(self._starts, at) for at in offsets})

    @cached_property
    def _calls(self) -> dict[str, list[int]]:
        """Names with the offsets at which they are followed by a parenthesis."""
        found: dict[str, list[int]] = {}
        if self._bare:
            for word in _WORD.finditer(self._text):
                found.setdefault(word[0], []).append(word.end())
            return found
        size = len(self._text)
        # From the parenthesis back to the name: there are far fewer of them than words.
        for match in _CALLED_BACKWARDS.finditer(self._text[::-1]):
            found.setdefault(match[1][::-1], []).append(size - match.start())
        return found

    def add_callers(self, functions: list[ir.Function]) -> None:
        """Twice, for callers of callers."""
        for _round in range(2):
            names = {name for function in functions if self._holds(function) for name in _called_as(function)}
            calls = {at for name in names for at in self._calls.get(name, ())} if names else set()
            self._likely = sorted({*self._likely, *self._lines(calls)})

    def _holds(self, function: ir.Function) -> bool:
        return _is_within(self._sure, function) or self._is_likely(function)

    def _is_likely(self, function: ir.Function) -> bool:
        return _is_within(self._likely, function) or self._has_pattern(function)

    def _has_pattern(self, function: ir.Function) -> bool:
        """Looked for where it matters, up to the first: most lines of a file are never asked."""
        if self._patterned is None:
            return False
        known = self._patterned.get(id(function))
        if known is None:
            first = self._starts[function.line - 1] if function.line <= len(self._starts) else len(self._text)
            end = self._starts[function.end] if function.end < len(self._starts) else len(self._text)
            known = self._patterned[id(function)] = self._index.has_pattern(self._text, first, end)
        return known

    def has(self, function: ir.Function) -> bool:
        if not self._needs_origin:
            return self._holds(function)
        likely = _is_within(self._origins, function) and self._is_likely(function)
        return likely or _is_within(self._sure, function)

    def is_called(self, function: ir.Function) -> bool:
        """Whether this file calls it, apart from its definition."""
        return len(self._calls.get(function.name, ())) > 1


_MAKERS = frozenset({"__construct", "__init__", "constructor", "initialize"})


def _called_as(function: ir.Function) -> tuple[str, ...]:
    """What makes an object is called by the name of its class, or as one of its own."""
    return (function.owner, "self", "static") if function.name in _MAKERS and function.owner else (function.name,)


_RENAMED = lazy(r"\b(\w+)\s*=\s*(?:util\.)?promisify\(")
"""Another name for a call, which says nothing of what it does."""


def _is_within(lines: list[int], function: ir.Function) -> bool:
    at = bisect_left(lines, function.line)
    return at < len(lines) and lines[at] <= function.end


_DEFINES_FOR_ALL = frozenset({"ruby"})
"""Where a method that a block defines is one of the class, which anybody may call."""


def _enter(
    state: State, wanted: _Wanted, function: ir.Function, owner: ir.Class | None, around: TaintScope, reach: Reach
) -> None:
    handlers = handler_of(state, function, owner)
    nested = around is not state.globals and state.module.language not in _DEFINES_FOR_ALL
    private = function.name.startswith("_") or nested
    trust: Trust | None = None if private and wanted.is_called(function) else "parameter"
    if not wanted.is_called(function) and takes_request(state, function):
        trust = "handler"
    scope = state.scope_of(function, around)
    scope.handler = handlers
    given = entry_values(state, function, handlers, trust)
    if handlers is None and trust == "handler":
        # Called like a view, but known to nobody as one; what stands in an address is given one by one.
        given = {name: doubted(value) if value.shape else vouched(value) for name, value in given.items()}
    scope.names.update(given)
    if handlers is not None and state.module.language == "python":
        scope.names.update(dependencies(state, function, handlers))
    if owner is not None:
        scope.names["self"] = scope.names["cls"] = _receiver(owner, handlers, function.line)
    if handlers is None and not reach.is_worth_it(function, scope):
        return
    if state.budget <= 0:
        state.unfollowed.add(function.line)
        return
    allowance = min(_PER_FUNCTION, state.budget)
    kept, state.budget = state.budget - allowance, allowance
    state.active.append(function)
    state.called_at.append(0)
    state.execute(state.body(function), scope)
    state.active.pop()
    state.called_at.pop()
    if state.budget <= 0:
        state.unfollowed.add(function.line)
    state.budget = kept + max(state.budget, 0)


def _receiver(owner: ir.Class, handlers: Handlers | None, line: int) -> Val:
    names = handlers.fields if handlers is not None else ()
    items: dict[Key, Val] = {
        name: foreign(TaintOrigin("request", f"self.{name}", line), f"self.{name}") for name in (*names, *_bound(owner))
    }
    return Val(shape="object", type=owner, path="self", items=items, text=CLEAN)


_BOUND = lazy(r"\[\s*(?:BindProperty|SupplyParameterFrom(?:Query|Form))\b.*\bstring\b")


def _bound(owner: ir.Class) -> list[str]:
    """Properties of a page that its framework fills with the texts of a request."""
    return [name for name, declared in owner.types if _BOUND.search(declared)]


# How a foreign value is spoken of: as it stands in the file, where it can be found there.


_CHAIN = lazy(r"\$?[^\W\d]\w{0,60}(?:(?:\.|->|::|\?\.|&\.)\w{1,60}|\([^()\n]{0,40}\)|\[[^\[\]\n]{0,40}\]){1,12}")
_WORD = lazy(r"\w+")
_IN_NAME = lazy(r"\w")
_KEY = lazy(r"\[[^\[\]]*\]")
_QUOTED_KEY = lazy(r"\['([^'\[\]]+)'\]$")
_DEEPEST = 3
_LONGEST_LINE = 2_000
_LONGEST = 60


def as_written(label: str, line: str) -> str:
    """The piece of the line that the label speaks of: with its key, else without; the label itself where none does."""
    if label.startswith("parameter '") or len(line) > _LONGEST_LINE:
        return label
    chains = sorted(_chains(line), key=len)
    for wanted in (label, _KEY.sub("", label)):
        words = set(_WORD.findall(wanted.removeprefix("request ")))
        held = [chain for chain in chains if words and words <= set(_WORD.findall(chain))]
        if held:
            return label if _are_sisters(held, label) else held[0]
    key = _QUOTED_KEY.search(label)
    named = [chain for chain in chains if key is not None and " " in label and _holds(chain, key[1])]
    return named[0] if named else label


def _are_sisters(chains: list[str], label: str) -> bool:
    """`req.query.id` and `req.query.n` on one line: which of them is meant, `req.query` does not say."""
    fields = {chain for chain in chains if chain.startswith(f"{label}.")}
    return (
        label not in chains
        and len(fields) > 1
        and not any(one.startswith(other) for one in fields for other in fields - {one})
    )


def _chains(text: str, depth: int = 0) -> list[str]:
    """Those of the text, and those inside their brackets."""
    found: list[str] = []
    for chain in _CHAIN.findall(text):
        found += [chain] if len(chain) <= _LONGEST else []
        inside = chain.partition("(")[2] if depth < _DEEPEST else ""
        found += _chains(inside, depth + 1) if inside else []
    return found


def _holds(chain: str, key: str) -> bool:
    return f'"{key}"' in chain or f"'{key}'" in chain
