"""Looking at the remote for somebody who waits there: whether a reviewed intent was merged meanwhile."""

from __future__ import annotations

from leeboard.io.git.remote import fetch, find_remote, head_of

EVERY_SECONDS = 60.0
"""So often while somebody waits."""
REVIEWED_ELSEWHERE = frozenset({"external_review_requested", "awaiting_external_review"})
"""Actions after which only the remote can say how it goes on."""


def fetch_base(home: str, base: str) -> bool:
    """What the remote says of the branch that the work is merged into; False where there is none, or nobody answers."""
    remote = find_remote(home)
    if remote is None:
        return False
    wanted = dict.fromkeys(filter(None, (base, head_of(home, remote))))
    return all(not fetch(home, remote, branch) for branch in wanted)
