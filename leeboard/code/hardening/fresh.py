"""The lines a change really wrote: what was only moved, within a file or to another, is left out."""

from __future__ import annotations

from collections import Counter

from leeboard.model.tree import FileChange, TreeChange


class Moves:
    """Lines that were taken away somewhere, each to be found again once."""

    def __init__(self, change: TreeChange) -> None:
        gone = (line.strip() for file in change.files for hunk in file.hunks for line in hunk.removed)
        self._gone = Counter(line for line in gone if line)

    def fresh(self, file: FileChange) -> dict[int, str]:
        """Lines of a file that nobody took away elsewhere, by number. To be asked once for each file."""
        kept: dict[int, str] = {}
        gone = self._gone
        for hunk in file.hunks:
            for line, text in enumerate(hunk.added, hunk.start):
                bare = text.strip()
                if gone.get(bare):
                    gone[bare] -= 1
                elif bare:
                    kept[line] = text
        return kept
