"""PHP: the tables."""

from __future__ import annotations

from leeboard.code.flow import _idiom_tables as shared
from leeboard.code.flow.table import Cleaner, Guard, Handlers, Kind, Model, Sink, Source, Tables

_PLACE: frozenset[Kind] = frozenset({"html", "url", "redirect", "header", "path", "log"})
_SQL_TEXT = r"^\s*\(?\s*(?:select|insert|update|delete|replace|merge|with|create|drop|alter|truncate|call|grant)\b"
_SQL_RECEIVER = r"(?:pdo|db|dbh|conn|connection|mysqli|wpdb|link|database|sqlite)\d?$"
_CLIENT = "_GET _POST _REQUEST _COOKIE _FILES _SERVER"

SOURCES = (
    *(Source(path=name, label=f"${name}") for name in _CLIENT.split()),
    *(
        Source(path=f"*.{name}()", receiver=r"^(?:request|req|self\.request|input|Request)$", label=f"request {name}")
        for name in (
            "input",
            "get",
            "query",
            "post",
            "all",
            "cookie",
            "header",
            "file",
            "getQueryParams",
            "getParsedBody",
            "getVar",
            "getPost",
            "getGet",
            "route",
        )
    ),
    Source(path="request()", label="request"),
    Source(path="getallheaders()", label="request headers"),
    *(Source(path=path, label="request") for path in ("Input.get()", "Request.input()", "Request.get()")),
    *(Source(path=f"{name}()", trust="local") for name in ("getenv", "fgets", "readline")),
)
_RUNS = "system exec shell_exec passthru popen proc_open pcntl_exec"
_OPENS = (
    "fopen file_get_contents file_put_contents readfile unlink file opendir scandir copy "
    "rename mkdir rmdir fpassthru parse_ini_file highlight_file show_source "
    "simplexml_load_file glob"
)
SINKS = (
    *(Sink(kind="sql", callee=name, joined=True) for name in ("mysql_query", "sqlite_query")),
    *(
        Sink(kind="sql", callee=name, args=(1,), joined=True)
        for name in (
            "mysqli_query",
            "pg_query",
            "sqlsrv_query",
            "mysqli_multi_query",
            "pg_prepare",
            "odbc_exec",
            "mysqli_prepare",
        )
    ),
    Sink(kind="sql", callee="pg_query", arity=(1, 1), joined=True),
    *(
        Sink(kind="sql", callee=f"*.{name}", receiver=_SQL_RECEIVER, looks=_SQL_TEXT, joined=True)
        for name in (
            "query",
            "exec",
            "prepare",
            "multi_query",
            "get_results",
            "get_row",
            "get_var",
            "execute",
            "querySingle",
            "executeQuery",
            "executeStatement",
        )
    ),
    *(
        Sink(kind="sql", callee=f"DB.{name}", joined=True)
        for name in ("raw", "select", "statement", "insert", "update", "delete", "unprepared")
    ),
    *(
        Sink(kind="sql", callee=f"*.{name}", joined=True)
        for name in ("whereRaw", "orderByRaw", "selectRaw", "havingRaw", "fromRaw")
    ),
    *(Sink(kind="command", callee=name) for name in _RUNS.split()),
    *(Sink(kind="code", callee=name) for name in ("eval", "assert", "create_function", "include")),
    Sink(kind="code", callee="create_function", args=(1,)),
    *(
        Sink(kind="code", callee=name, least="request")
        for name in ("call_user_func", "call_user_func_array", "array_map")
    ),
    Sink(kind="html", callee="echo", args=(-1,), least="handler"),
    Sink(kind="html", callee="echo", args=(-1,), joined=True),
    *(Sink(kind="html", callee=name, args=(-1,), least="handler") for name in ("printf", "print_r", "vprintf")),
    *(Sink(kind="path", callee=name, joined=True) for name in _OPENS.split()),
    *(Sink(kind="path", callee=name, least="handler") for name in _OPENS.split()),
    Sink(kind="upload", callee="move_uploaded_file", args=(1,), least="handler"),
    Sink(kind="url", callee="curl_init", start=True),
    Sink(kind="url", callee="curl_setopt.CURLOPT_URL", start=True),
    *(
        Sink(kind="url", callee=f"*.{name}", args=(0, 1), receiver=r"client|guzzle|http", start=True, least="handler")
        for name in ("get", "post", "request")
    ),
    Sink(kind="redirect", callee="redirect", start=True, least="handler"),
    Sink(kind="redirect", callee="header.location", start=True),
    *(Sink(kind="log", callee=name, least="request") for name in ("error_log", "syslog")),
    Sink(kind="deserialise", callee="unserialize", unless=(("1", "allowed_classes"),)),
    *(Sink(kind="ldap", callee=name, args=(2,), joined=True) for name in ("ldap_search", "ldap_list", "ldap_read")),
    *(
        Sink(kind="xpath", callee=f"*.{name}", receiver=r"xpath|xml", joined=True)
        for name in ("query", "evaluate", "xpath")
    ),
    *(Sink(kind="regex", callee=name, least="request") for name in ("preg_match", "preg_replace")),
    *(
        Sink(kind="template", callee=f"*.{name}", receiver=r"twig|smarty|blade", least="handler")
        for name in ("createTemplate", "renderString")
    ),
)
_NUMBERS = (
    "intval floatval boolval count strlen md5 sha1 hash crc32 random_int uniqid "
    "ctype_digit password_hash bin2hex is_numeric"
)
CLEANERS = (
    *shared.CLEANERS,
    *(Cleaner(callee=name) for name in _NUMBERS.split()),
    *(Cleaner(callee=f"filter_var.FILTER_VALIDATE_{name}") for name in ("INT", "FLOAT", "BOOLEAN", "IP", "BOOL")),
    *(Cleaner(callee=f"filter_var.FILTER_SANITIZE_{name}") for name in ("NUMBER_INT", "NUMBER_FLOAT")),
    *(
        Cleaner(callee=f"filter_var.FILTER_SANITIZE_{name}", kinds=frozenset({"html"}))
        for name in ("SPECIAL_CHARS", "FULL_SPECIAL_CHARS", "STRING")
    ),
    *(
        Cleaner(callee=name, kinds=frozenset({"html"}))
        for name in (
            "htmlspecialchars",
            "htmlentities",
            "strip_tags",
            "e",
            "esc_html",
            "esc_attr",
            "wp_kses",
            "wp_kses_post",
        )
    ),
    *(
        Cleaner(callee=name, kinds=frozenset({"sql"}))
        for name in (
            "mysqli_real_escape_string",
            "mysql_real_escape_string",
            "pg_escape_string",
            "pg_escape_literal",
            "esc_sql",
        )
    ),
    *(
        Cleaner(callee=f"*.{name}", kinds=frozenset({"sql"}))
        for name in ("real_escape_string", "quote", "escape_string", "escapeString")
    ),
    *(Cleaner(callee=name, kinds=frozenset({"command"})) for name in ("escapeshellarg", "escapeshellcmd")),
    *(Cleaner(callee=name, kinds=frozenset({"path"})) for name in ("basename", "sanitize_file_name")),
    *(Cleaner(callee=name, kinds=_PLACE) for name in ("urlencode", "rawurlencode", "http_build_query")),
    Cleaner(callee="ldap_escape", kinds=frozenset({"ldap"})),
    Cleaner(callee="preg_quote", kinds=frozenset({"regex"})),
    Cleaner(callee="json_encode", kinds=frozenset({"log", "header", "sql"})),
)
GUARDS = (
    *shared.GUARDS,
    *(
        Guard(callee=name, argument=0)
        for name in ("ctype_alnum", "ctype_digit", "ctype_alpha", "is_numeric", "is_int", "ctype_xdigit")
    ),
    Guard(callee="filter_var.FILTER_VALIDATE_EMAIL", argument=0, kinds=frozenset({"command", "header", "sql"})),
    *(Guard(callee=f"filter_var.FILTER_VALIDATE_{name}", argument=0) for name in ("INT", "IP", "FLOAT", "BOOLEAN")),
)
TABLES = Tables(
    language="php",
    prefilter=(
        r"quer|exec|prepare|system|passthru|popen|proc_open|eval|assert|create_function|include"
        r"|require|echo|print|<\?=|open|file|unlink|curl|redirect|header|log|unserialize|ldap"
        r"|xpath|preg|move_uploaded|DB::|Raw|`|scandir|mkdir|copy|rename|call_user_func"
        r"|get_results"
    ),
    candidates=(
        r"quer|exec|prepare|system|passthru|popen|proc_open|eval|assert|create_function|include"
        r"|require|echo|print|<\?=|open|file|unlink|curl|redirect|header|log|unserialize|ldap"
        r"|xpath|preg|move_uploaded|DB::|Raw|`|scandir|mkdir|copy|rename|call_user_func"
        r"|get_results|get_row|get_var|statement"
    ),
    sources=SOURCES,
    sinks=shared.told(SINKS),
    cleaners=CLEANERS,
    guards=GUARDS,
    handlers=(Handlers(requests=r"\b(?:Request|ServerRequestInterface|RequestInterface)\b"),),
    request_safe=(
        r"user|session|method|isMethod|ip|validate|validated|getMethod|getUser|getSession"
        r"|server|ajax|wantsJson|expectsJson|route"
    ),
    model=Model(
        push=frozenset({"array_push"}),
        same=frozenset(
            {
                "trim",
                "strtolower",
                "strtoupper",
                "ltrim",
                "rtrim",
                "substr",
                "stripslashes",
                "nl2br",
                "ucfirst",
                "urldecode",
                "rawurldecode",
                "base64_decode",
                "realpath",
                "explode",
                "html_entity_decode",
                "strval",
                "addslashes",
                "str_replace",
                "preg_replace",
                "utf8_encode",
                "array_merge",
                "json_decode",
                "reset",
                "end",
                "current",
                "array_values",
                "str_pad",
            }
        ),
        join=frozenset({"sprintf", "implode", "vsprintf", "join"}),
        values=frozenset({"array_values"}),
        harmless=frozenset(
            {"strlen", "count", "isset", "empty", "is_null", "file_exists", "is_file", "is_array", "strpos", "strcmp"}
        ),
    ),
    exits=frozenset({"die", "exit", "abort"}),
    checks=r"^(?:is|has|check|assert|validate|ensure|verify)_?(?:valid|safe|allowed|permitted)|^validate",
    escapes=(
        (r"(?i)escape_?(?:html|xml)|html_?escape|esc_html|sanitize_?html|clean_?html", frozenset({"html"})),
        (r"(?i)escape_?sql|quote_?ident", frozenset({"sql"})),
        (r"(?i)sanitize_?(?:file_?name|path)", frozenset({"path"})),
    ),
    safe_types=(
        r"^\??(?:int|float|bool|DateTime|DateTimeInterface|DateTimeImmutable|Carbon|PDO|mysqli" r"|LoggerInterface)$"
    ),
)
