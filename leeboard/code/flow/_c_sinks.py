"""C and C++: calls in which foreign values do harm."""

from __future__ import annotations

from leeboard.code.flow import _idiom_tables as shared
from leeboard.code.flow.table import Sink

_SQL_TEXT = r"^\s*\(?\s*(?:select|insert|update|delete|replace|merge|with|create|drop|alter|truncate|exec|call|grant)\b"

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

SINKS = (*SQL, *COMMAND, *FORMAT, *PATH, *OTHER)
