"""The flows of foreign values that a change brought: those that the file did not have before it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from leeboard.analysis.lost_lines import beside_lost, goes_past, has_lost
from leeboard.model.lookup import BaseFiles
from leeboard.model.text import lazy
from leeboard.model.touch import Diff, Span
from leeboard.text.language import language_of, was_generated

if TYPE_CHECKING:
    from leeboard.security.taint.state import Flow

_NAME = lazy(r"[^\W\d]\w*")
_CALLS = lazy(r"[(=`]")
_WITHOUT_BRACKETS = frozenset({"ruby", "php"})
"""Languages in which a call needs none: `system params[:host]`, `echo $_GET["q"]`."""
_MAY_BE_TEMPLATES = frozenset({"", "html", "php"})


def brought_flows(diff: Diff, base: BaseFiles) -> list[tuple[Flow, int]]:
    """Flows that were not there before this change, each with how many others like it are, in the same function; where
    nobody knows what was, those with a line it wrote.
    """
    language = read_as(diff.path, diff.after) if diff.path else ""
    if not language or not (diff.added or has_lost(diff)) or was_generated(diff.path, diff.after, diff.before):
        return []
    text = _dedented(diff)
    if not _is_worth_following(text, language):
        return []
    if _is_a_part(diff) and not _may_concern_a_flow(text, language, (*diff.added, *beside_lost(diff))):
        return []
    flows = flows_of(text, language)
    if flows and diff.before is None:
        from leeboard.analysis.patch import against_commit  # noqa: PLC0415 - only where one was found

        diff = against_commit(diff, base)
    if not flows or not diff.before:
        return [(flow, 0) for flow in flows if any(diff.wrote(line) for line in flow.steps)]
    new = _unmatched(flows, flows_of(diff.before, language))
    old = [flow for flow in flows if flow not in new]
    made = (flow for flow in new if _is_made_by(flow, diff, language))
    return [(flow, len({one.sink_line for one in old if _is_fed_otherwise(flow, one)})) for flow in made]


def _is_a_part(diff: Diff) -> bool:
    """Whether the file has lines that the change left alone: where it wrote all of them, all of it is followed."""
    lines = diff.after.count("\n") + (not diff.after.endswith("\n"))
    return not diff.fragment and not diff.is_new and diff.added != ((1, lines),)


def _unmatched(flows: Sequence[Flow], earlier: Sequence[Flow]) -> list[Flow]:
    """Those that none of the earlier ones is the same as, each taken once: also in a function that was renamed, from a
    value that was renamed, unless it is surer by now.
    """
    left, new = list(earlier), list(flows)
    for same in (_is_itself, _is_moved, _is_fed_otherwise):
        remaining: list[Flow] = []
        for flow in new:
            old = next((other for other in left if same(flow, other) and flow.confidence <= other.confidence), None)
            left.remove(old) if old is not None else remaining.append(flow)
        new = remaining
    return new


def _is_itself(flow: Flow, other: Flow) -> bool:
    return within(flow) == within(other) and _is_moved(flow, other)


def _is_moved(flow: Flow, other: Flow) -> bool:
    return (flow.kind, flow.sink, flow.source) == (other.kind, other.sink, other.source)


def _is_fed_otherwise(flow: Flow, other: Flow) -> bool:
    return (flow.kind, flow.sink, within(flow)) == (other.kind, other.sink, within(other))


def _is_made_by(flow: Flow, diff: Diff, language: str) -> bool:
    """It goes over a written line, or past a place where lines are gone, as a check may be; or one names what it goes
    through, as an import or a route does. Of a file that could not be read before, nobody knows what was in it.
    """
    if any(map(diff.wrote, flow.steps)) or goes_past(diff, *_ends(flow)):
        return True
    if not diff.added:
        return _was_readable(diff, language)
    names = {flow.sink.partition(".")[0], flow.sink.rpartition(".")[2], flow.function}
    lines = diff.after.split("\n")
    written = " ".join(line for first, last in diff.added for line in lines[first - 1 : last])
    return bool(names & set(_NAME.findall(written))) and _was_readable(diff, language)


def _ends(flow: Flow) -> Span:
    lines = (flow.sink_line, *flow.steps)
    return min(lines), max(lines)


def _was_readable(diff: Diff, language: str) -> bool:
    from leeboard.source.syntax import parse  # noqa: PLC0415 - ast-grep is loaded for files that may hold a sink

    tree = parse(diff.before or "", language)
    return tree is not None and not tree.errors


def _dedented(diff: Diff) -> str:
    """A piece of a file starts where it stands in it."""
    first = diff.after.lstrip("\n")
    indent = first[: len(first) - len(first.lstrip(" \t"))]
    if not diff.fragment or not indent:
        return diff.after
    return "\n".join(line.removeprefix(indent) for line in diff.after.split("\n"))


def read_as(path: str, text: str) -> str:
    """The language of a file, or the ending by which it is known as a template."""
    language = language_of(path, text[:200])
    if language not in _MAY_BE_TEMPLATES:
        return language
    from leeboard.security.taint.template import template_of  # noqa: PLC0415 - most files are no templates

    return template_of(path) or language


@lru_cache(maxsize=16)
def _may_concern_a_flow(text: str, language: str, written: tuple[Span, ...]) -> bool:
    """Whether it is worth to follow the whole file: what is written into a function concerns it and those it is called
    by, and most often no flow leads there.
    """
    from leeboard.security.taint.flow import touches_flow  # noqa: PLC0415 - files that may hold a sink pay for it
    from leeboard.source.syntax import parse  # noqa: PLC0415 - ast-grep is loaded for files that may hold a sink

    tree = parse(text, language) if not language.startswith(".") else None
    return tree is None or touches_flow(tree, written) is not False


@lru_cache(maxsize=16)
def flows_of(text: str, language: str) -> tuple[Flow, ...]:
    if language.startswith("."):
        from leeboard.security.taint.template import template_flows  # noqa: PLC0415 - as above

        return _once_a_line((*template_flows(text, language), *_of_scripts(text)))
    if not _is_worth_following(text, language):
        return ()
    from leeboard.security.taint.flow import find_flows  # noqa: PLC0415 - files that may hold a sink pay for it
    from leeboard.source.syntax import parse  # noqa: PLC0415 - ast-grep is loaded for files that may hold a sink

    tree = parse(text, language)
    return _once_a_line(find_flows(tree)) if tree is not None else ()


def _of_scripts(text: str) -> tuple[Flow, ...]:
    """What flows in the scripts of a page."""
    if "<script" not in text.lower():
        return ()
    from leeboard.security.taint.page_script import script_flows  # noqa: PLC0415 - pages with a script pay for it

    return script_flows(text)


def _once_a_line(flows: tuple[Flow, ...]) -> tuple[Flow, ...]:
    """One value that goes into one harm on one line is one flow, though it passes two calls there: the surest of them,
    and of equals the outermost, which comes first.
    """
    kept: dict[tuple[object, ...], Flow] = {}
    for flow in flows:
        way = (flow.kind, flow.sink_line, flow.source, flow.source_line)
        known = kept.get(way)
        if known is None or known.confidence < flow.confidence:
            kept[way] = flow
    return tuple(kept.values())


def _is_worth_following(text: str, language: str) -> bool:
    """Whether it is a template, or something is called or set in it and it names a sink."""
    if language.startswith("."):
        return True
    if language not in _WITHOUT_BRACKETS and not _CALLS.search(text):
        return False
    from leeboard.security.taint.table_file import may_flow  # noqa: PLC0415 - files in a known language pay for it

    return may_flow(text, language)


def within(flow: Flow) -> str:
    return flow.within or flow.function
