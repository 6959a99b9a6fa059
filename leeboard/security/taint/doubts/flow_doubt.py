"""The doubts there are, and the words by which they are found: the table `data/security/doubt.toml`."""

from __future__ import annotations

import msgspec

from leeboard.data import load


class FlowDoubt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that speaks against a refusal: the flow is worth a look then, or only a note."""

    at_most: float
    """How sure the finding is with it."""
    why: str


class DoubtTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The table; its comments say what each entry is."""

    whole_request: frozenset[str]
    sent_by_browser: tuple[str, ...]
    written_by_browser: str
    forwarded_host: str
    field_of_address: str
    referrer: str
    page_address: str
    asked_of_page: str
    named_field: str
    named_segment: str
    asked_path: str
    sends_files: str
    known_path: str
    cuts_path: str
    decodes: str
    joins_paths: str
    own_token: str
    all_shown: str
    checked_form: str
    routes_elsewhere: str
    checks_before_handler: str
    knows_who: str
    says_nothing_of_it: str
    takes_statements: str
    begins_statement: str
    asks_database: str
    before_clause: str
    behind_clause: str
    whole_form: str
    library_merge: str
    operator_stores: str
    other_stores: str
    own_model: str
    takes_apart: str
    is_test: str
    tells_nothing: tuple[str, ...]
    finds_file: str
    tells_little: tuple[str, ...]
    check_names: str
    raising_check_names: str
    counting_names: str
    measuring_names: str
    plain_answers: tuple[str, ...]
    markup: str
    writes_lines: str
    where_it_runs: str
    shows_on_demand: str
    script_paths: tuple[str, ...]
    environment: str
    migration_paths: str
    code_tool_paths: tuple[str, ...]
    terminal_paths: str
    named_as_command: str
    named_as_safe: str
    named_as_number: str
    makes_code: tuple[str, ...]
    quotes_for_shell: str
    database_front_end: str
    manages_database: str
    free_text: str
    named_as_foreign: str
    named_as_who: str
    trial_paths: str
    named_as_code: str
    library_paths: str
    library_banner: str
    doubts: dict[str, FlowDoubt]


TABLE = load("security/doubt", DoubtTable)


def doubt(name: str) -> FlowDoubt:
    return TABLE.doubts[name]
