"""What work promised in writing, and a work tree held against it: blocks, packages, hardening, the drift report.

Only `disk` reads and writes tasks. Limits in a person's own words are in `speech`.
"""

GRAPH = "graph.jsonl"
NAMES = (".wg", ".workgraph")
"""Folders that hold a graph, in the order `wg` looks for them."""
