"""`python -m benchmarks [name ...]`: ratios of one run each, with what is aimed at."""

from __future__ import annotations

import sys

from benchmarks import contention, growth, hook_cost, replay_cost

PARTS = {"hook": hook_cost, "replay": replay_cost, "contention": contention, "growth": growth}


def main() -> None:
    for name in sys.argv[1:] or PARTS:
        for ratio in PARTS[name].measure():
            print(ratio.line, flush=True)


main()
