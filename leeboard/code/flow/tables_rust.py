"""Rust: the tables. Paths go by their last two parts (`fs.read`)."""

from __future__ import annotations

from leeboard.code.flow import _idiom_tables as shared
from leeboard.code.flow.table import Cleaner, Guard, Handlers, Model, Sink, Source, Tables

_SQL_TEXT = r"^\s*\(?\s*(?:select|insert|update|delete|replace|merge|with|create|drop|alter|truncate|call|grant)\b"
_FILES = (
    "fs.read fs.read_to_string fs.write fs.remove_file fs.remove_dir_all fs.create_dir "
    "fs.create_dir_all fs.read_dir File.open File.create NamedFile.open "
    "NamedFile.open_async"
)

SOURCES = (
    *(Source(path=f"env.{name}()", trust="local", label=f"env::{name}") for name in ("args", "var", "var_os")),
    *(
        Source(path=f"*.{name}()", receiver=r"(?:^|\s)(?:req|request)$", label=f"request {name}")
        for name in ("query_string", "match_info", "headers", "uri", "path", "param", "body")
    ),
)
SINKS = (
    *(
        Sink(kind="sql", callee=name, joined=True)
        for name in (
            "sqlx.query",
            "sqlx.query_as",
            "sqlx.query_scalar",
            "diesel.sql_query",
            "sql_query",
            "sqlx.raw_sql",
        )
    ),
    *(
        Sink(kind="sql", callee=f"*.{name}", looks=_SQL_TEXT, joined=True)
        for name in (
            "execute",
            "query",
            "query_row",
            "prepare",
            "execute_batch",
            "batch_execute",
            "simple_query",
            "query_one",
            "query_opt",
            "query_map",
            "exec",
            "query_drop",
        )
    ),
    Sink(kind="command", callee="Command.shell_arg", args=(-1,)),
    Sink(kind="command", callee="Command.new"),
    *(Sink(kind="path", callee=name, joined=True) for name in _FILES.split()),
    *(Sink(kind="path", callee=name, least="handler") for name in _FILES.split()),
    *(Sink(kind="path", callee=f"*.{name}", receiver=r"OpenOptions", joined=True) for name in ("open",)),
    *(
        Sink(kind="url", callee=name, start=True)
        for name in ("reqwest.get", "blocking.get", "ureq.get", "surf.get", "isahc.get")
    ),
    *(
        Sink(kind="url", callee=f"*.{name}", receiver=r"client(?:\(\))?$|Client\.new\(\)", start=True)
        for name in ("get", "post", "put", "delete")
    ),
    *(
        Sink(kind="redirect", callee=f"Redirect.{name}", start=True, least="handler")
        for name in ("to", "temporary", "permanent", "found")
    ),
    *(
        Sink(kind="html", callee=name, joined=True)
        for name in ("Html", "RawHtml", "html.Html", "response.Html", "PreEscaped")
    ),
    *(Sink(kind="regex", callee=name, least="handler") for name in ("Regex.new", "RegexBuilder.new")),
    *(Sink(kind="log", callee=f"{name}!", args=(-1,), least="handler") for name in ("info", "warn", "error", "debug")),
    Sink(kind="code", callee="Library.new", least="handler"),
    *(Sink(kind="code", callee=f"*.{name}", receiver=r"lua|engine|rhai|context") for name in ("eval", "load")),
)
CLEANERS = (
    *shared.CLEANERS,
    *(Cleaner(callee=f"*.{name}") for name in ("parse", "len", "count", "is_empty", "hash")),
    *(Cleaner(callee=name) for name in ("Uuid.parse_str", "i32.from_str", "u64.from_str", "i64.from_str")),
    *(
        Cleaner(callee=name, kinds=frozenset({"html"}))
        for name in (
            "html_escape.encode_text",
            "encode_text",
            "html_escape.encode_safe",
            "ammonia.clean",
            "askama_escape.escape",
            "encode_safe",
            "v_htmlescape.escape",
            "htmlescape.encode_minimal",
        )
    ),
    *(
        Cleaner(callee=name, kinds=frozenset({"command"}))
        for name in ("shell_escape.escape", "shlex.quote", "shlex.try_quote", "unix.escape", "shell_words.quote")
    ),
    *(Cleaner(callee=f"*.{name}", kinds=frozenset({"path"})) for name in ("file_name", "file_stem")),
    *(
        Cleaner(callee=name, kinds=frozenset({"url", "redirect", "html", "header"}))
        for name in ("urlencoding.encode", "percent_encoding.utf8_percent_encode", "utf8_percent_encode")
    ),
    Cleaner(callee="regex.escape", kinds=frozenset({"regex"})),
)
TABLES = Tables(
    language="rust",
    prefilter=(
        r"query|execute|prepare|Command|fs::|File|OpenOptions|reqwest|ureq|surf|\.(?:get"
        r"|post)\(|Redirect|Html|PreEscaped|Regex|info!|warn!|error!|debug!|Library|eval"
    ),
    candidates=(
        r"query|execute|prepare|Command|\.args?\(|fs::|File|OpenOptions|reqwest|ureq|surf"
        r"|\.(?:get|post|put|delete|open)\(|Redirect|Html|PreEscaped|Regex|info!|warn!|error!"
        r"|debug!|Library|eval|exec\("
    ),
    sources=SOURCES,
    sinks=shared.told(SINKS),
    cleaners=CLEANERS,
    guards=(*shared.GUARDS, Guard(callee="char.is_plain", argument=0)),
    handlers=(
        Handlers(
            decorators=r"(?:^|::)(?:get|post|put|delete|patch|handler)$",
            annotations=r"\b(?:Query|Path|Json|Form|web::\w+|extract::\w+|HeaderMap|Multipart)\s*<|\bHttpRequest\b",
        ),
    ),
    model=Model(
        push=frozenset({"push", "insert"}),
        read=frozenset({"get"}),
        same=frozenset(
            {
                "trim",
                "to_lowercase",
                "to_uppercase",
                "split",
                "canonicalize",
                "trim_start_matches",
                "trim_end_matches",
                "from_utf8",
                "from_utf8_lossy",
                "replace",
                "lines",
                "next",
                "nth",
                "collect",
                "map",
                "unwrap_or",
                "into_string",
                "trim_matches",
                "clean",
            }
        ),
        join=frozenset({"format!", "concat!", "concat", "format"}),
        values=frozenset({"values"}),
        harmless=frozenset({"len", "is_empty", "exists", "is_file", "capacity"}),
    ),
    exits=frozenset({"process.exit"}),
    checks=r"^(?:is_|has_|check_|assert_|validate_|ensure_|verify_)(?:valid|safe|allowed|permitted)|^validate_",
    escapes=(
        (r"(?i)escape_?html|html_?escape|sanitize_?html", frozenset({"html"})),
        (r"(?i)sanitize_?(?:file_?name|path)|safe_?(?:join|path)", frozenset({"path"})),
    ),
    safe_types=(
        r"^(?!.*(?:str\b|String|Path|Query|Json|Form|Vec<u8>|\[u8\]|OsStr|Value|HttpRequest"
        r"|HeaderMap|Multipart|impl\b|T\b|Cow|Url))."
    ),
    lexical=True,
)
