"""What a change does to the code, in counts that add up: lines, functions, decisions, tests."""

from __future__ import annotations

import msgspec


class Health(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A difference: what came minus what went."""

    lines: int = 0
    functions: int = 0
    decisions: int = 0
    """Points where the code branches: what cyclomatic complexity counts."""
    tests: int = 0
    files: int = 0
    """New files."""

    def plus(self, other: Health) -> Health:
        return Health(
            lines=self.lines + other.lines,
            functions=self.functions + other.functions,
            decisions=self.decisions + other.decisions,
            tests=self.tests + other.tests,
            files=self.files + other.files,
        )
