"""The lines between a source and its sink as a reader follows them: the source first, the sink last."""

from __future__ import annotations

from collections.abc import Sequence

from leeboard.security.taint import ir

Call = tuple[ir.Function, int]
"""A function of the file that is being followed, and the line that calls it; 0 where a framework does."""


def way_of(first: int, steps: Sequence[int], last: int, calls: Sequence[Call]) -> tuple[int, ...]:
    """From the line of the source over the steps in their order to the line of the sink. `calls` are those it lies in
    there, outermost first: where the value is given to one, the line that calls it is on the way too.
    """
    between = [line for line in dict.fromkeys((first, *steps)) if line not in {first, last}]
    way = [first, *between] if first != last or between else []
    way.append(last)
    for function, line in reversed(calls):
        at = next((number for number, step in enumerate(way) if function.line <= step <= function.end), 0)
        if line and at and line not in way:
            way.insert(at, line)
    return tuple(way)
