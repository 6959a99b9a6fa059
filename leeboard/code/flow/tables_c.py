"""C and C++: the tables. Names of the standard namespace go without it; see `_c_library` for what moves text."""

from __future__ import annotations

from leeboard.code.flow import _idiom_tables as shared
from leeboard.code.flow.table import Cleaner, Guard, Handlers, Model, Sink, Source, Tables

_SQL_TEXT = r"^\s*\(?\s*(?:select|insert|update|delete|replace|merge|with|create|drop|alter|truncate|exec|call|grant)\b"

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

SQL = (
    *(
        Sink(kind="sql", callee=name, args=(1,), joined=True)
        for name in (
            "sqlite3_exec",
            "mysql_query",
            "mysql_real_query",
            "PQexec",
            "PQsendQuery",
            "sqlite3_prepare",
            "sqlite3_prepare_v2",
            "sqlite3_prepare_v3",
            "sqlite3_get_table",
            "SQLExecDirect",
            "SQLPrepare",
            "SQLExecDirectA",
            "PQprepare",
        )
    ),
    *(
        Sink(kind="sql", callee=f"*.{name}", looks=_SQL_TEXT, joined=True)
        for name in (
            "executeQuery",
            "executeUpdate",
            "execute",
            "exec",
            "exec_params",
            "exec0",
            "exec1",
            "query",
            "prepareStatement",
            "prepare",
            "execQuery",
        )
    ),
    *(
        Sink(kind="sql", callee=name, looks=_SQL_TEXT, joined=True)
        for name in ("SQLite.Statement", "SQLite::Statement", "QSqlQuery", "soci.statement")
    ),
    *(Sink(kind="nosql", callee=name, joined=True) for name in ("bson_new_from_json", "from_json")),
)
COMMAND = (
    *(
        Sink(kind="command", callee=name)
        for name in (
            "system",
            "popen",
            "_popen",
            "_wsystem",
            "wsystem",
            "g_spawn_command_line_sync",
            "g_spawn_command_line_async",
            "WinExec",
        )
    ),
    *(
        Sink(kind="command", callee=name, args=(0,))
        for name in ("execlp", "execvp", "execl", "execv", "execve", "execle", "posix_spawnp", "execvpe")
    ),
    *(
        Sink(kind="command", callee=name, args=(2, 3, 4), given=(("0", shared.SHELL),))
        for name in ("execl", "execlp", "execle")
    ),
    *(
        Sink(kind="command", callee=name, args=(1,), joined=True)
        for name in ("CreateProcess", "CreateProcessA", "CreateProcessW")
    ),
    Sink(kind="command", callee="ShellExecute", args=(2, 3)),
    Sink(kind="command", callee="ShellExecuteA", args=(2, 3)),
    *(
        Sink(kind="code", callee=name)
        for name in (
            "dlopen",
            "LoadLibrary",
            "LoadLibraryA",
            "LoadLibraryEx",
            "PyRun_SimpleString",
            "lua_dostring",
            "luaL_dostring",
        )
    ),
    *(Sink(kind="code", callee=name, args=(1,)) for name in ("luaL_dostring", "luaL_loadstring", "Tcl_Eval")),
)
FORMAT = (
    *(
        Sink(kind="format", callee=name)
        for name in ("printf", "sprintf", "wprintf", "warn", "warnx", "g_print", "printk")
    ),
    *(
        Sink(kind="format", callee=name, args=(1,))
        for name in ("fprintf", "syslog", "err", "errx", "dprintf", "fwprintf")
    ),
    Sink(kind="format", callee="error", args=(2,)),
)
_FILES = (
    "fopen open creat freopen fopen64 open64 _open _wfopen unlink remove rmdir mkdir "
    "chmod opendir truncate rename ifstream ofstream fstream CreateFile CreateFileA "
    "CreateFileW DeleteFile DeleteFileA"
)
PATH = (
    *(Sink(kind="path", callee=name, joined=True) for name in _FILES.split()),
    *(Sink(kind="path", callee=name, least="request") for name in _FILES.split()),
    *(
        Sink(kind="path", callee=f"*.{name}", receiver=r"(?:stream|file|in|out|ifs|ofs|fs)\w*$", joined=True)
        for name in ("open",)
    ),
    *(
        Sink(kind="path", callee=name, args=(1,), joined=True)
        for name in ("openat", "unlinkat", "rename", "symlink", "fopen_s")
    ),
    *(
        Sink(kind="path", callee=f"filesystem.{name}", joined=True)
        for name in ("remove", "remove_all", "create_directories", "copy", "rename", "create_directory")
    ),
    *(Sink(kind="path", callee=f"fs.{name}", joined=True) for name in ("remove", "remove_all", "create_directories")),
)
OTHER = (
    Sink(kind="html", callee="page.built", joined=True),
    *(
        Sink(kind="tempfile", callee=name, args=(), always=0.7, note="Use mkstemp.")
        for name in ("mktemp", "tmpnam", "tempnam", "tmpnam_r")
    ),
    *(
        Sink(kind="permission", callee=name, args=(), needs=(("1", mode),), always=0.6)
        for name in ("chmod", "fchmod")
        for mode in (0o777, 0o666)
    ),
    Sink(kind="permission", callee="umask", args=(), needs=(("0", 0),), always=0.55),
    Sink(kind="url", callee="curl_easy_setopt.CURLOPT_URL", start=True),
    *(
        Sink(kind="url", callee=name, start=True)
        for name in (
            "cpr.Url",
            "URLDownloadToFile",
            "InternetOpenUrl",
            "InternetOpenUrlA",
            "http.client.http_client",
            "httplib.Client",
        )
    ),
    *(
        Sink(kind="header", callee=f"*.{name}", args=(1,), receiver=r"^(?:res|resp|response)$", least="request")
        for name in ("set_header", "add_header", "setHeader")
    ),
    *(
        Sink(kind="html", callee=f"*.{name}", receiver=r"^(?:res|resp|response)$", joined=True)
        for name in ("set_content", "write", "send")
    ),
    *(Sink(kind="log", callee=name, args=(2, 3), least="request") for name in ("syslog",)),
    *(
        Sink(kind="ldap", callee=name, args=(3,), joined=True)
        for name in ("ldap_search_ext_s", "ldap_search_ext", "ldap_search_s", "ldap_search", "ldap_search_st")
    ),
    *(
        Sink(kind="xpath", callee=name, joined=True)
        for name in ("xmlXPathEvalExpression", "xmlXPathEval", "xmlXPathCompile", "xmlXPathEvalExpression")
    ),
    *(
        Sink(kind="xpath", callee=f"*.{name}", joined=True)
        for name in ("select_nodes", "select_node", "select_single_node")
    ),
    *(
        Sink(kind="xxe", callee=f"{name}.noent", args=(-1,), always=0.75)
        for name in (
            "xmlReadMemory",
            "xmlReadFile",
            "xmlReadDoc",
            "xmlReadFd",
            "xmlCtxtReadMemory",
            "xmlCtxtReadFile",
            "xmlParseMemory",
            "xmlCtxtUseOptions",
            "xmlReaderForMemory",
            "xmlReaderForFile",
            "xmlParseInNodeContext",
        )
    ),
    *(Sink(kind="regex", callee=name, least="request") for name in ("regex",)),
    Sink(kind="regex", callee="regcomp", args=(1,), least="request"),
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
    sinks=shared.told((*SQL, *COMMAND, *FORMAT, *PATH, *OTHER)),
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
