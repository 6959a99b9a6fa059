"""`python -m benchmarks [name ...]`: ratios of one run each, with what is aimed at."""

from __future__ import annotations

import sys

from benchmarks import (
    check_cost,
    contention,
    growth,
    hook_cost,
    hostile_lines,
    index_cost,
    judge_cost,
    large_cost,
    mcp_cost,
    memory_cost,
    proxy_cost,
    replay_cost,
    scan_cost,
    session_cost,
    store_cost,
    team_cost,
    truth_cost,
    web_cost,
)

PARTS = {
    "hook": hook_cost,
    "store": store_cost,
    "memory": memory_cost,
    "judge": judge_cost,
    "replay": replay_cost,
    "sessions": session_cost,
    "contention": contention,
    "growth": growth,
    "hostile": hostile_lines,
    "large": large_cost,
    "scan": scan_cost,
    "index": index_cost,
    "check": check_cost,
    "mcp": mcp_cost,
    "truth": truth_cost,
    "proxy": proxy_cost,
    "web": web_cost,
    "team": team_cost,
}


def main() -> None:
    asked = sys.argv[1:]
    if not PARTS.keys() >= {*asked}:
        sys.exit(f"python -m benchmarks [name ...], of these names: {', '.join(PARTS)}")
    for name in asked or PARTS:
        for ratio in PARTS[name].measure():
            print(ratio.line, flush=True)


main()
