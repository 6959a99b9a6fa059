"""Workflows."""

from __future__ import annotations

from leeboard.contracts.manifest.systems import read_workflow


def test_actions_and_images() -> None:
    text = """name: ci
on: [push]
jobs:
  call:
    uses: org/shared/.github/workflows/build.yml@main
  test:
    runs-on: ubuntu-latest
    container: node:20
    services:
      db:
        image: postgres:16
    steps:
      - uses: actions/checkout@v4 # pinned
      - name: local
        uses: ./.github/actions/own
      - name: init
        uses: github/codeql-action/init@v3
      - uses: docker://alpine:3.19
      - run: |
          uses: no/thing@v1
"""
    assert [(one.ecosystem, one.name, one.version) for one in read_workflow(text)] == [
        ("actions", "org/shared", "main"),
        ("docker", "node", "20"),
        ("docker", "postgres", "16"),
        ("actions", "actions/checkout", "v4"),
        ("actions", "github/codeql-action", "v3"),
        ("docker", "alpine", "3.19"),
    ]


def test_composite_action() -> None:
    text = "runs:\n  using: composite\n  steps:\n    - uses: actions/cache@v4\n"
    assert [one.name for one in read_workflow(text)] == ["actions/cache"]
