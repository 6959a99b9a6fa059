"""What the engine carries while it follows one file: names, what tests have shown, flows, what is left to spend."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from functools import cached_property

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.index import PathIndex
from leeboard.security.taint.table import Handlers, Kind, TaintSource, Trust
from leeboard.security.taint.values import FIELD, NONE, Key, TaintOrigin, Val, either
from leeboard.text.names import words_of

Facts = dict[str, frozenset[Kind]]
"""Labels or places of foreign values, and the kinds for which a test has made them harmless here."""

_ANSWERED = lazy(r"(?:^|\.)(?:fetch|axios|got|ky)(?:\.(?:get|post|put|patch|delete|request))?\(\)\.\w+(?:\(\))?$")
"""What is read of the answer to a request of one's own."""

NAMELESS = "<lambda>"
OUTSIDE = "<module>"


class Flow(msgspec.Struct, frozen=True, kw_only=True):
    """One way a foreign value takes into a dangerous call."""

    kind: Kind
    confidence: float
    trust: Trust | None
    """None for a call that is unsafe by itself or gets a value nobody knows."""
    source: str
    """How the value is called: `request.args`, `parameter 'name'`."""
    source_line: int
    sink: str
    """The call, dotted, as written."""
    sink_line: int
    function: str
    """The function the sink lies in; `<module>` outside of one."""
    within: str = ""
    """That function as its file tells it from others: `Members.get`, `<get /search>`; empty where its name does."""
    steps: tuple[int, ...] = ()
    """Lines on the way, sorted, with source and sink."""
    way: tuple[int, ...] = ()
    """The same as a reader follows them, from the source to the sink, with the lines that call the functions it goes
    into; empty: the steps are in that order.
    """
    advice: str = ""
    """What to do instead."""
    by_design: bool = False
    """Whether running code is what the function is for."""
    doubt: str = ""
    """What speaks against it; empty where all of the way is understood."""


class Followed(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """How a call of a function of the file went."""

    result: Val
    shown: Facts
    """What tests inside have shown on every way out."""
    changes: dict[Key, Val]
    """Fields of the object it was called on, as they were set."""
    depth: int
    invoked: frozenset[int]
    """Ids of the functions it called or would have called: while one of them is being followed, it goes otherwise."""
    entry: int
    """Where something foreign came out: the function in which following began, by id; else 0."""
    places: dict[str, int]
    """Then also what was foreign in what it was given, with the lines at which that came in."""


class Memory:
    """Calls of the file's own functions that were followed."""

    __slots__ = ("_numbers", "followed", "methods", "signatures", "times")

    def __init__(self) -> None:
        self.followed: dict[Hashable, Followed] = {}
        self.times: dict[int, int] = {}
        """How often each function was, by id."""
        self.methods: dict[tuple[int, int], tuple[int, ...]] = {}
        """By class and function, those that a call of the function may reach in that class."""
        self.signatures: dict[int, tuple[Val, tuple[int, int]]] = {}
        """Values by their ids, kept so that no other gets the same, with what calls of their object depend on."""
        self._numbers: dict[Hashable, int] = {}

    def number(self, what: Hashable) -> int:
        """One for each, which is sooner compared than the thing itself."""
        return self._numbers.setdefault(what, len(self._numbers) + 1)


class PossibleCheck(msgspec.Struct, frozen=True, gc=False):
    """A call or a comparison in a condition, which may look at a foreign value."""

    node: ir.Node
    decides: bool
    """Whether what hangs on the condition leaves the function, or sets something."""
    first: int
    last: int
    """The lines that run only as the condition says."""


class TaintScope:
    """The names of one function at one point, and what tests on the way there have shown."""

    __slots__ = ("depth", "facts", "function", "handler", "names", "parent", "returns", "tests", "within")

    def __init__(self, function: str, parent: TaintScope | None = None, depth: int = 0, within: str = "") -> None:
        self.function = function
        self.within = within or function
        """As `Flow.within`."""
        self.parent = parent
        self.depth = depth
        self.names: dict[str, Val] = {}
        self.facts: Facts = parent.facts if parent is not None else {}
        """Never changed, only replaced."""
        self.returns: list[tuple[Val, Facts]] = []
        self.tests: dict[str, ir.Expr] = {}
        """Names that hold the outcome of a test, and the test."""
        self.handler: Handlers | None = None
        """Set while a route handler itself is followed: what it returns is sent."""

    def find(self, name: str) -> Val | None:
        scope: TaintScope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def fork(self) -> TaintScope:
        """A copy for one of two ways; what is returned on it counts for both."""
        copy = TaintScope.__new__(TaintScope)
        copy.function, copy.parent, copy.depth = self.function, self.parent, self.depth
        copy.within = self.within
        copy.names = self.names.copy()
        copy.facts = self.facts
        copy.tests = self.tests
        copy.returns = self.returns
        copy.handler = self.handler
        return copy

    def become(self, other: TaintScope) -> None:
        self.names, self.facts = other.names, other.facts

    def join(self, other: TaintScope) -> None:
        """Either of two ways was taken."""
        mine, theirs = self.names, other.names
        for name, value in theirs.items():
            known = mine.get(name)
            if known is not value:
                mine[name] = value if known is None else either(known, value)
        self.facts = both(self.facts, other.facts)

    def cleaned(self, origin: TaintOrigin, *, by_parts: bool = True) -> frozenset[Kind]:
        """The kinds for which tests have made a value harmless: it, what it lies in, or, `by_parts`, its parts."""
        if not self.facts:
            return NONE
        found = self.facts.get(origin.label, NONE) | self._shown_of_fields(origin, by_parts=by_parts)
        label = origin.label
        while "[" in label:
            label = label[: label.rindex("[")]
            found |= self.facts.get(label, NONE)
        return found

    def _shown_of_fields(self, origin: TaintOrigin, *, by_parts: bool) -> frozenset[Kind]:
        """What was shown of the field, of what it lies in, or of a part of it; not of its sisters."""
        found: frozenset[Kind] = NONE
        for place, kinds in self.facts.items():
            label, mark, field = place.partition(FIELD)
            is_meant = mark and label == origin.label
            if is_meant and (_is_of(origin.field, field) or (by_parts and _is_of(field, origin.field))):
                found |= kinds
        return found


def _is_of(one: str, other: str) -> bool:
    """Whether the first field is the second, or lies in it."""
    return not other or one == other or one.startswith(f"{other}.")


def both(one: Facts, other: Facts) -> Facts:
    """What holds on both ways."""
    if not one or not other:
        return {}
    return {label: shared for label in one.keys() & other.keys() if (shared := one[label] & other[label])}


def added(facts: Facts, more: Facts) -> Facts:
    """All that holds."""
    if not more:
        return facts
    return {**facts, **{label: facts.get(label, NONE) | kinds for label, kinds in more.items()}}


class LoweredBodies:
    """What functions do, lowered when it is asked for."""

    __slots__ = ("_bodies", "_nodes", "by_line")

    def __init__(self) -> None:
        self.by_line: dict[int, list[ir.Function]] = {}
        """The functions around a line whose bodies were asked for."""
        self._bodies: dict[int, ir.Block] = {}
        self._nodes: dict[int, ir.NodesByLine] = {}

    def body(self, function: ir.Function) -> ir.Block:
        key = id(function)
        if key not in self._bodies:
            self._bodies[key] = function.lower()
            for line in range(function.line, function.end + 1):
                self.by_line.setdefault(line, []).append(function)
        return self._bodies[key]

    def nodes(self, block: ir.Block) -> ir.NodesByLine:
        key = id(block)
        if key not in self._nodes:
            self._nodes[key] = ir.NodesByLine(block)
        return self._nodes[key]


class State:
    """One file. `evaluate` and `execute` are set by the engine, so that its parts need not know each other."""

    evaluate: Callable[[ir.Expr, TaintScope], Val]
    execute: Callable[[ir.Block, TaintScope], bool]

    def __init__(self, module: ir.Module, index: PathIndex, budget: int) -> None:
        self.module, self.index, self.budget = module, index, budget
        self.flows: dict[tuple[Kind, int, str], Flow] = {}
        self.functions: dict[str, ir.Function] = {function.name: function for function in module.functions}
        self.classes: dict[str, ir.Class] = {item.name: item for item in module.classes}
        self.active: list[ir.Function] = []
        self.called_at: list[int] = []
        """For each of these the line that calls it; 0 where a framework does."""
        self.globals = TaintScope(OUTSIDE)
        self.handlers: tuple[Handlers, ...] = ()
        """Those of the frameworks this file imports."""
        self.is_web = False
        self.loops: list[list[TaintScope]] = []
        """For each loop around, the ways that left it or went on to its next turn."""
        self.operands: dict[int, tuple[dict[str, Val], Val, Val]] | None = None
        """While a condition is looked at: its comparisons by their ids, with the names around them and both sides. A
        call in one is followed once, and not again for what is known where it holds and where it does not."""
        self.held_against: set[tuple[int, str]] = set()
        """Functions by id, with the labels of values that one of their loops compares with each of several things."""
        self.checks: dict[int, tuple[PossibleCheck, ...]] = {}
        """Calls and comparisons in the conditions of a block, by its id."""
        self.compares: dict[tuple[int, int], bool] = {}
        """By a function and a place among its parameters: whether it holds what stands there against something."""
        self.registered: dict[int, tuple[Val, ...]] = {}
        """Handlers by id, with what they were registered with: their route, and what is called before them."""
        self.routes: dict[int, str] = {}
        """Handlers by id, with the route they are called by."""
        self.nested: list[tuple[ir.Function, TaintScope]] = []
        """Functions defined inside others, with the names around them."""
        self.holds_sinks: Callable[[ir.Function], bool] = lambda _function: True
        self.methods: dict[tuple[int, str], ir.Function | None] = {}
        """Methods by class and name, once they were looked for."""
        self.fields: dict[tuple[int, str], Val | None] = {}
        """Class attributes likewise: what they are set to depends on the file alone."""
        self.outside: dict[tuple[str, str], Val] = {}
        """What is neither of this file nor foreign, by its path and how it is written: the same on every line."""
        self.memory = Memory()
        self.invoked: set[int] = set()
        """Functions that were called, or would have been, since the call that is being followed began."""
        self.written: dict[int, str] = {}
        """Calls as they stand in the file, by their ids: each is made once, and evaluated many times."""
        self.set_first: dict[int, frozenset[str]] = {}
        """Loops by id, with the names that each turn sets before it reads them."""
        self.rebound = 0
        """How often a name of a function around the one that is followed was set."""
        self.captured: list[TaintScope] = []
        """Names that a function defined among them can read."""
        self.mentions = Mentions("")
        self.unfollowed: set[int] = set()
        """First lines of functions for which the budget did not last."""
        self.lowered = LoweredBodies()

    def body(self, function: ir.Function) -> ir.Block:
        """Lowered once."""
        return self.lowered.body(function)

    def nodes(self, block: ir.Block) -> ir.NodesByLine:
        """Those of a body, or of the statements outside of all functions."""
        return self.lowered.nodes(block)

    def scope_of(self, function: ir.Function, around: TaintScope, depth: int = 0) -> TaintScope:
        """For the names of a function that is defined among these."""
        return TaintScope(function.name, around, depth, self._within(function, around.within))

    def _within(self, function: ir.Function, outer: str) -> str:
        """By its class, or that of the function around it; one without a name by its route or the function around it.
        Several of these inside of each other are one.
        """
        name = function.name
        if function.owner:
            return f"{function.owner}.{name}"
        if name != NAMELESS:
            return f"{outer}.{name}" if "." in outer.partition("<")[0] else name
        if (route := self.routes.get(id(function))) is not None:
            return route
        return outer if outer.endswith(NAMELESS) else name if outer == OUTSIDE else f"{outer}.{name}"

    def compared(self, test: ir.Compare, scope: TaintScope) -> tuple[Val, Val]:
        """Both sides of a comparison, as they were when its condition was asked for."""
        known = self.operands.get(id(test)) if self.operands is not None else None
        if known is not None and known[0] is scope.names:
            return known[1], known[2]
        return self.evaluate(test.left, scope), self.evaluate(test.right, scope)

    def source_of(self, path: str, written: str, *, called: bool = False, first: object = None) -> TaintSource | None:
        """The source which this path is, or a call of it with this constant as its first argument."""
        for source in self.index.sources(path, written, called=called):
            if source.receiver and _ANSWERED.search(path):
                continue  # it is called a request, and is what came back for one
            is_asked = not source.given or (isinstance(first, str) and re.fullmatch(source.given, first))
            if is_asked and (not source.beside or self.mentions.says(source.beside)):
                return source
        return None

    def dotted(self, callee: ir.Expr) -> str:
        """`ir.dotted` of something that is called, put together once."""
        found = self.written.get(id(callee))
        if found is None:
            found = self.written[id(callee)] = ir.dotted(callee)
        return found

    def let_go(self) -> None:
        """Break all circles, so that everything is freed at once and no collector has to look for them."""
        for scope in self.captured:
            scope.names, scope.returns, scope.parent = {}, [], None
        del self.evaluate, self.execute

    @property
    def running(self) -> int:
        """The id of the function that is being followed; 0 outside of all."""
        return id(self.active[-1]) if self.active else 0

    def report(self, flow: Flow) -> None:
        """Keep the surer one of two flows into one call."""
        key = (flow.kind, flow.sink_line, flow.sink)
        if self.budget <= 0:
            return  # of what is spent nothing is known, which may look like a value of unknown origin
        if key not in self.flows or self.flows[key].confidence < flow.confidence:
            self.flows[key] = flow


# Which names a function's text holds, with those of the functions of the file it may call.


_WHOLE_OBJECT = lazy(r"(?:self(?<!\wself)|this(?<!\wthis)|cls(?<!\wcls))\b(?!\s*(?:\.|\?\.|->|::)\s*\w)")
"""Looked for by its letters, and then by where it stands: so most of a text is passed over."""
_FIELD_ASKED = lazy(r"\b(?:has|get)attr\(\s*self,\s*(?=['\"])")
_DOCSTRING = lazy(r"^\s*[rR]?\"\"\"[^\"]*\"\"\"")
_OWN_IMPORT = lazy(r"from(?<!\wfrom)\s+\.[\w.]*\s+import\s([^#\n]*)")
_IMPORTED = lazy(r"\w+")
_MOST_WORDS = 2_000
ENDLESS = 99
_HEAD_LINES = 200


class Mentions:
    """Asked by function, read once from the text."""

    functions: dict[str, list[ir.Function]]
    """Those of the file, by name."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = text.split("\n")
        self.functions = {}
        self._own: dict[int, frozenset[str] | None] = {}
        self._known: dict[int, frozenset[str] | None] = {}
        self._named: dict[int, tuple[ir.Function, ...]] = {}
        self._heights: dict[int, int] = {}
        self._hands_on: dict[int, bool] = {}
        self._said: dict[str, bool] = {}

    def know(self, functions: dict[str, list[ir.Function]]) -> None:
        """These are the functions of the file."""
        self.functions = functions
        self._named.clear()

    def imports(self, pattern: str) -> bool:
        """Whether an import of the file says so, package and all."""
        return any(line.startswith("import") and re.search(pattern, line) for line in self._lines[:_HEAD_LINES])

    def says(self, pattern: str) -> bool:
        """Whether the pattern is found anywhere in the file."""
        if pattern not in self._said:
            self._said[pattern] = re.search(pattern, self._text) is not None
        return self._said[pattern]

    @cached_property
    def from_own_package(self) -> frozenset[str]:
        """The words of all lines that import from files of the same package, in Python: `from .models import User`."""
        return frozenset(word for brought in _OWN_IMPORT.findall(self._text) for word in _IMPORTED.findall(brought))

    def text_of(self, function: ir.Function) -> str:
        """The lines of the function."""
        return "\n".join(self._lines[function.line - 1 : function.end])

    def hands_on(self, function: ir.Function) -> bool:
        """Whether it gives what it gets to another one of its name: `query(sql) { c.query(sql) }`."""
        key = id(function)
        if key not in self._hands_on:
            given = {param.name for param in function.params}
            called = re.finditer(rf"(?:\.|->){re.escape(function.name)}\(\s*[$&]?(\w+)", self.text_of(function))
            self._hands_on[key] = any(found[1] in given for found in called)
        return self._hands_on[key]

    def of(self, function: ir.Function) -> frozenset[str] | None:
        """What a call of it may read of its object, with all that the functions it names mention in turn; None:
        anything, since the object itself is handed on.
        """
        key = id(function)
        if key not in self._known:
            self._known[key] = self._gathered(function)
        return self._known[key]

    def _gathered(self, function: ir.Function) -> frozenset[str] | None:
        names: set[str] = set()
        seen = {id(function)}
        waiting = [function]
        while waiting:
            function = waiting.pop()
            words = self._words(function)
            if words is None or len(names) > _MOST_WORDS:
                return None
            names |= words
            called = [each for each in self._named_by(function) if id(each) not in seen]
            seen.update(map(id, called))
            waiting += called
        return frozenset(names)

    def _named_by(self, function: ir.Function) -> tuple[ir.Function, ...]:
        """Functions of the file that it names."""
        key = id(function)
        if key not in self._named:
            words = self._words(function) or frozenset()
            self._named[key] = tuple(each for name in words & self.functions.keys() for each in self.functions[name])
        return self._named[key]

    def height_of(self, function: ir.Function) -> int:
        """How many functions of the file may call each other in turn from here, itself left out, which no call of it
        follows; `ENDLESS` where one may come back.
        """
        key = id(function)
        if key not in self._heights:
            self._heights[key] = ENDLESS  # for those below that name it
            words = self._words(function)
            called = [each for each in self._named_by(function) if each is not function]
            above = 1 + max(map(self.height_of, called), default=-1)
            self._heights[key] = ENDLESS if words is None else min(above, ENDLESS)
        return self._heights[key]

    def _words(self, function: ir.Function) -> frozenset[str] | None:
        key = id(function)
        if key not in self._own:
            # Its head only names the parameters; a function on one line is all body.
            body = "\n".join(self._lines[min(function.line, function.end - 1) : function.end])
            told = _DOCSTRING.match(body)
            body = body[told.end() :] if told is not None else body
            body = _FIELD_ASKED.sub("", body) if "attr(" in body else body
            self._own[key] = None if _WHOLE_OBJECT.search(body) else frozenset(words_of(body))
        return self._own[key]
