"""C and C++: the tables. Names of the standard namespace go without it; see `_c_library` for what moves text."""

from __future__ import annotations

from leeboard.code.flow import _idiom_tables as shared
from leeboard.code.flow._c_sinks import SINKS
from leeboard.code.flow.table import Cleaner, Guard, Handlers, Model, Source, Tables

SOURCES = (
    Source(path="stdin.read()", label="standard input"),
    Source(path="cin.read()", label="std::cin"),
    Source(path="socket.read()", label="a socket"),
    Source(path="file.read()", trust="parameter", label="a file"),
    *(
        Source(path=f"{name}()", trust="parameter", label="the environment")
        for name in ("getenv", "secure_getenv", "_wgetenv")
    ),
    *(Source(path=name, trust="handler", label="the command line") for name in ("optarg",)),
    *(
        Source(path=f"{name}()", label="standard input")
        for name in ("readline", "getpass", "FCGX_GetParam", "cgi_param")
    ),
    *(
        Source(path=f"*.{name}", receiver=r"(?:^|\s)(?:req|request|hm|c\.req)$", label=f"request {name}")
        for name in ("body", "query", "uri", "url_params", "target", "params", "message")
    ),
    *(
        Source(path=f"*.{name}()", receiver=r"(?:^|\s)(?:req|request)$", label=f"request {name}")
        for name in (
            "get_param_value",
            "get_header_value",
            "body",
            "target",
            "getParameter",
            "getQuery",
            "path_match",
            "get_file_value",
        )
    ),
    Source(path="*.get()", receiver=r"url_params$", label="request parameter"),
)

_NUMBERS = (
    "atoi atol atoll strtol strtoul strtoull strtoll strtod atof stoi stol stoul stoull "
    "stod strlen sizeof to_string toInt isdigit "
    "crypt SHA256 hash inet_addr inet_pton getpid time rand"
)
CLEANERS = (
    *shared.CLEANERS,
    *(Cleaner(callee=name) for name in _NUMBERS.split()),
    *(Cleaner(callee=f"*.{name}") for name in ("size", "length", "toInt", "empty")),
    *(
        Cleaner(callee=name, kinds=frozenset({"sql"}))
        for name in (
            "mysql_real_escape_string",
            "PQescapeStringConn",
            "PQescapeLiteral",
            "PQescapeIdentifier",
            "sqlite3_mprintf_q",
        )
    ),
    *(Cleaner(callee=f"*.{name}", kinds=frozenset({"sql"})) for name in ("quote", "esc", "quote_name", "escapeString")),
    *(
        Cleaner(callee=name, kinds=frozenset({"path"}))
        for name in ("basename", "PathFindFileName", "g_path_get_basename")
    ),
    *(Cleaner(callee=f"*.{name}", kinds=frozenset({"path"})) for name in ("filename", "stem")),
    *(
        Cleaner(callee=name, kinds=frozenset({"url", "redirect", "html", "header"}))
        for name in ("curl_easy_escape", "url_encode", "curl_escape")
    ),
    *(
        Cleaner(callee=name, kinds=frozenset({"html"}))
        for name in (
            "html_escape",
            "escape_html",
            "g_markup_escape_text",
            "xmlEncodeEntitiesReentrant",
            "xmlEncodeSpecialChars",
        )
    ),
    *(
        Cleaner(callee=name, kinds=frozenset({"command"}))
        for name in ("g_shell_quote", "shell_quote", "shell_escape", "escape_shell_arg", "escapeshellarg")
    ),
)
GUARDS = (
    *shared.GUARDS,
    Guard(callee="char.is_plain", argument=0),
    *(
        Guard(callee=name, argument=0)
        for name in (
            "is_valid_name",
            "is_safe_path",
            "is_valid_filename",
            "is_allowed",
            "validate_input",
            "is_valid_input",
        )
    ),
)

TABLES = Tables(
    language="c",
    prefilter=(
        r"system|popen|exec|spawn|sql|quer|PQ|printf|fopen|open|stream|unlink|remove"
        r"|CURLOPT_URL|ldap_|XPath|mktemp|tmpnam|tempnam|chmod|umask|<|xmlRead|xmlC|xmlP|dlopen"
        r"|LoadLibrary|syslog|regcomp|warn|\berrx?\(|dostring|Url|set_content|header"
        r"|CreateProcess|ShellExecute|mkdir|rename"
    ),
    candidates=(
        r"system|popen|exec|spawn|sql|uery|PQ|printf|fopen|open|stream|unlink|remove|rmdir"
        r"|mkdir|creat|rename|CURLOPT_URL|ldap_|XPath|select_node|mktemp|tmpnam|tempnam|chmod"
        r"|umask|<|xmlRead|xmlC|xmlP|dlopen|LoadLibrary|syslog|regcomp|regex|warn|\berrx?\("
        r"|dostring|Url|set_content|header|CreateProcess|CreateFile|ShellExecute|prepare"
    ),
    sources=SOURCES,
    sinks=shared.told(SINKS),
    cleaners=CLEANERS,
    guards=GUARDS,
    handlers=(Handlers(annotations=r"\bargv\b|char\s*\*\s*\*\s*av\b|char\s*\*\s*args\[\]"),),
    model=Model(
        same=frozenset(
            {
                "string",
                "strdup",
                "strndup",
                "c_str",
                "substr",
                "strtok",
                "strtok_r",
                "realpath",
                "string_view",
                "path",
                "move",
                "ref",
                "canonical",
                "weakly_canonical",
                "lexically_normal",
                "absolute",
                "wstring",
                "static_cast",
                "reinterpret_cast",
                "const_cast",
                "strcasestr",
                "strsep",
                "xstrdup",
                "toStdString",
                "toUtf8",
                "constData",
                "value",
                "tolower",
                "toupper",
                "QString",
                "parent_path",
            }
        ),
        join=frozenset(
            {
                "sprintf",
                "vsprintf",
                "format",
                "arg",
                "asprintf",
                "g_strdup_printf",
                "g_strconcat",
                "strcat",
                "sqlite3_mprintf",
                "StringPrintf",
                "StrCat",
                "to_utf8",
                "append",
            }
        ),
        copy=frozenset({"built"}),
        push=frozenset({"push_back", "emplace_back", "push"}),
        read=frozenset({"at", "get"}),
        harmless=frozenset({"strlen", "strcmp", "sizeof", "access", "stat", "lstat", "exists", "compare"}),
    ),
    safe_types=(
        r"^format\b|^(?!.*(?:char\s*(?:const\s*)?\*|char\s+\w+\s*\[|string|wchar_t\s*\*"
        r"|void\s*\*|argv|auto|LPC?W?STR|LPCTSTR|QString|CString|path|uint8_t\s*\*|BYTE|xmlChar"
        r"|Request|request))."
    ),
)
