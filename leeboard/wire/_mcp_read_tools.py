"""The tools that read and report, and those that look after the project's settings and files."""

from __future__ import annotations

from leeboard.wire._mcp_run_tools import INTENT
from leeboard.wire.mcp_schema import flag, identifier, needed, reader, text, writer

_STUDIO = needed(identifier("Slug or alias of the studio."))

READ_TOOLS = (
    reader("haiku_intent_get", "An intent's fields.", intent=INTENT),
    reader("haiku_intent_list", "All intents.", include_archived=flag("Those in the archive too.")),
    reader(
        "haiku_stage_get",
        "How a stage of an intent stands.",
        intent=INTENT,
        stage=identifier("Name of the stage. Left out: the active one."),
    ),
    reader("haiku_knowledge_list", "What is known: of the project, and of an intent.", intent=INTENT),
    reader(
        "haiku_knowledge_read",
        "One file of the knowledge: of the intent, else of the project.",
        intent=INTENT,
        name=needed(text("Name of the file, such as ARCHITECTURE.md.", 256)),
    ),
    reader("haiku_studio_list", "The studios to choose from."),
    reader("haiku_studio_get", "A studio and its stages.", studio=_STUDIO),
    reader(
        "haiku_studio_stage_get",
        "A stage as its studio defines it.",
        studio=_STUDIO,
        stage=needed(identifier("Name of the stage.")),
    ),
    reader(
        "haiku_settings_get",
        "The project's settings, or one of them.",
        path=text("A dotted path, such as model_profiles.builder.", 256),
    ),
    writer(
        "haiku_settings_set",
        "Set one of the project's settings.",
        path=needed(text("A dotted path, such as granularity.", 256)),
        value=needed({"description": "Its new value: a text, a number, true or false, or a list."}),
    ),
    reader("haiku_dashboard", "All active intents and how they stand, in a few lines."),
    writer(
        "haiku_repair",
        "Look for what is wrong with an intent's files, and put right what can safely be.",
        intent=INTENT,
        apply=flag("False: only say what is wrong."),
    ),
    reader("haiku_version_info", "Versions of the server and of its protocol."),
)
