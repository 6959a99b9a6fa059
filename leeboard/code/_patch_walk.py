"""Walks a shell text as bash would run it, with redirections given to the command they belong to."""

from __future__ import annotations

from ast_grep_py import SgNode

from leeboard.code._shell_scope import Scope
from leeboard.code._shell_tree import Walk
from leeboard.code._shell_words import split

_DEEPEST = 20


class WritingWalk(Walk):
    """The grammar may hang the redirection of `a | cat > b` on the pipe; bash gives it to the last command."""

    def with_redirects(self, redirects: list[SgNode], body: SgNode, scope: Scope, *, piped: bool = False) -> None:
        super().with_redirects(redirects, body, scope, piped=piped)
        last = _last_command(body) if body.kind() == "pipeline" else None
        following = self.source.text[body.range().end.index : redirects[-1].range().end.index]
        simple = split(last.text() + following, scope.lookup, self.source.kept) if last is not None else None
        if simple is not None:
            self.perform(simple, self.effects, scope, piped=True)


def _last_command(node: SgNode) -> SgNode | None:
    for _ in range(_DEEPEST):
        if node.kind() == "command":
            return node
        named = [child for child in node.children() if child.is_named()]
        if not named or node.kind() not in {"list", "pipeline"}:
            return None
        node = named[-1]
    return None
