"""Who does the work of each tool: arguments are checked here, once, and every failure becomes an answer with a code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leeboard.errors import LeeboardError
from leeboard.surfaces.mcp.answers import ASK_AGAIN, refused, tool_in
from leeboard.surfaces.mcp.calls import Call
from leeboard.surfaces.mcp.desk import Desk, RefusedError
from leeboard.surfaces.mcp.drift_handlers import DRIFT_HANDLERS
from leeboard.surfaces.mcp.feedback_handlers import FEEDBACK_HANDLERS
from leeboard.surfaces.mcp.project_handlers import PROJECT_HANDLERS
from leeboard.surfaces.mcp.read_handlers import READ_HANDLERS
from leeboard.surfaces.mcp.run_handlers import RUN_HANDLERS
from leeboard.surfaces.mcp.unit_handlers import UNIT_HANDLERS
from leeboard.wire.mcp_schema import Tool, problems
from leeboard.wire.plan_files import safe_id

HANDLERS = {
    **RUN_HANDLERS,
    **UNIT_HANDLERS,
    **FEEDBACK_HANDLERS,
    **DRIFT_HANDLERS,
    **READ_HANDLERS,
    **PROJECT_HANDLERS,
}
_MOST_PROBLEMS = 5


def handle(root: str, tool: Tool, arguments: Mapping[str, Any], call: Call) -> dict[str, Any]:
    wrong = problems(tool, arguments, safe_id)
    if wrong:
        said = "; ".join(wrong[:_MOST_PROBLEMS])
        return refused("invalid_arguments", f"{tool.name}: {said}.", following=tool.name)
    try:
        return HANDLERS[tool.name](Desk(root, call), arguments)
    except RefusedError as error:
        return refused(error.code, str(error), error.following, **error.details)
    except LeeboardError as error:
        return refused(error.kind, str(error), tool_in(str(error)))
    except OSError as error:
        return refused("not_done", f"{error.filename or 'the system'}: {error.strerror or error}", ASK_AGAIN)
