"""Walks a shell text as bash would run it, with redirections given to the command they belong to."""

from __future__ import annotations

from ast_grep_py import SgNode

from leeboard.code._shell_scope import Scope
from leeboard.code._shell_tree import Walk
from leeboard.code._shell_words import split

_DEEPEST = 20


class WritingWalk(Walk):
    """The grammar hangs the redirection of `cd a && cat > b` on the chain; bash gives it to the last command."""

    def redirected(self, node: SgNode, scope: Scope, *, piped: bool) -> None:
        super().redirected(node, scope, piped=piped)
        body, *redirects = node.children()
        if body.kind() not in {"list", "pipeline"} or not redirects:
            return
        last = _last_command(body)
        following = self.source.text[body.range().end.index : node.range().end.index]
        simple = split(last.text() + following, scope.lookup, self.source.kept) if last is not None else None
        if simple is not None:
            self.perform(simple, self.effects, scope, piped=body.kind() == "pipeline")


def _last_command(node: SgNode) -> SgNode | None:
    for _ in range(_DEEPEST):
        if node.kind() == "command":
            return node
        named = [child for child in node.children() if child.is_named()]
        if not named or node.kind() not in {"list", "pipeline"}:
            return None
        node = named[-1]
    return None
