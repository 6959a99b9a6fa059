"""Python: calls in which a foreign value does harm. SQL, commands, code, deserialisation, databases."""

from __future__ import annotations

from leeboard.code.flow.table import Sink

_SQL = (
    r"^[\s(\x01\"']*(?:select|insert|update|delete|replace|drop|create|alter|truncate|with|merge|grant|exec|call|"
    r"pragma|show|set|union|use|copy|vacuum|attach)\s"
)
_DATABASE = (
    r"(?:^|[._\s])(?:cur|curs|cursor|conn|con|connection|db|database|session|engine|crsr|tx|trans\w*|pool|mydb|dbc|"
    r"sqlite\w*|pg\w*|mysql\w*|postgres\w*|dbcon\w*|db_\w+|\w+_db|\w+_cur(?:sor)?|\w+_conn(?:ection)?|c)(?:\(\))?$|"
    r"cursor\(|connect\(|create_engine|sessionmaker|connections?\b"
)
_TEXT_OPENED = "Use placeholders and pass the values apart from the statement."


def _sql(names: str, receiver: str = _DATABASE, looks: str = _SQL) -> tuple[Sink, ...]:
    keywords = ("query", "sql", "statement", "operation")
    return tuple(
        Sink(kind="sql", callee=f"*.{name}", keywords=keywords, receiver=receiver, looks=looks, bare=0.55)
        for name in names.split()
    )


SQL = (
    *_sql("execute executemany executescript exec_driver_sql execute_async executesql callproc"),
    *_sql("fetch fetchrow fetchval query sql raw_sql execute_sql run_query fetch_all fetch_one stream", receiver=""),
    Sink(kind="sql", callee="*.raw", receiver=r"objects$|_manager$", looks=_SQL, bare=0.55),
    Sink(
        kind="sql",
        callee="*.extra",
        args=(),
        keywords=("where", "select", "tables", "order_by"),
        receiver=r"objects|filter\(|queryset|qs$",
    ),
    Sink(kind="sql", callee="django.db.models.expressions.RawSQL"),
    *(
        Sink(kind="sql", callee=callee, keywords=("text", "sql"), note=_TEXT_OPENED)
        for callee in (
            "sqlalchemy.text",
            "sqlalchemy.sql.text",
            "sqlalchemy.sql.expression.text",
            "sqlalchemy.literal_column",
        )
    ),
    *(
        Sink(kind="sql", callee=callee, keywords=("sql",), looks=_SQL)
        for callee in ("pandas.read_sql", "pandas.read_sql_query", "*.read_sql", "*.read_sql_query")
    ),
    Sink(kind="sql", callee="*.run", looks=r"^\s*(?:match|merge|create|optional match|unwind)\s*\("),
    Sink(
        kind="sql", callee="*.filter", looks=r"(?:=|like|in)\s*['\"(]?\x00", joined=True, receiver="", least="handler"
    ),
    Sink(kind="sql", callee="*.where", looks=r"(?:=|like|in)\s*['\"(]?\x00", joined=True, receiver="", least="handler"),
)

_SUBPROCESS = tuple(f"subprocess.{name}" for name in "run call check_call check_output Popen".split())
COMMANDS = (
    *(
        Sink(kind="command", callee=callee, bare=0.6)
        for callee in """os.system os.popen os.popen2 os.popen3 popen2.popen2 commands.getoutput
        commands.getstatusoutput subprocess.getoutput subprocess.getstatusoutput asyncio.create_subprocess_shell
        asyncio.subprocess.create_subprocess_shell platform.popen""".split()
    ),
    *(
        Sink(kind="command", callee=callee, keywords=("args",), needs=(("shell", True),), bare=0.6)
        for callee in _SUBPROCESS
    ),
    *(Sink(kind="command", callee=callee, keywords=("args",), least="handler") for callee in _SUBPROCESS),
    *(
        Sink(kind="command", callee=callee, args=(0,), least="handler")
        for callee in """asyncio.create_subprocess_exec os.execl os.execle os.execlp os.execv os.execve os.execvp
        os.posix_spawn pexpect.spawn pexpect.run pexpect.spawnu pty.spawn os.startfile""".split()
    ),
    *(
        Sink(kind="command", callee=callee, args=(1, 2), least="handler")
        for callee in "os.spawnl os.spawnle os.spawnlp os.spawnv os.spawnve os.spawnvp os.spawnvpe".split()
    ),
    Sink(kind="command", callee="*.exec_command", receiver=r"ssh|client|paramiko|conn|channel", parameter=0.55),
)

CODE = (
    *(
        Sink(kind="code", callee=callee, bare=0.6)
        for callee in ("eval", "exec", "builtins.eval", "builtins.exec", "execfile")
    ),
    *(
        Sink(kind="code", callee=callee, least="handler")
        for callee in """compile __import__ importlib.import_module importlib.__import__ runpy.run_path
        runpy.run_module pandas.eval numexpr.evaluate code.interact imp.load_source js2py.eval_js""".split()
    ),
    Sink(kind="code", callee="*.runcode", least="handler"),
    Sink(kind="code", callee="*.runsource", least="handler"),
    Sink(
        kind="code", callee="*.eval", receiver=r"(?:^|[._])(?:df|pd|data|frame|asteval|interpreter)$", least="handler"
    ),
)

_PICKLE = "Use JSON, or sign the data before it is stored and check that first."
_YAML = "Use yaml.safe_load."
_SAFE_LOADER = (
    ("Loader", r"(?<!un)safe|BaseLoader"),
    ("1", r"(?<!un)safe|BaseLoader"),
    ("loader", r"(?<!un)safe|BaseLoader"),
)
DESERIALISE = (
    *(
        Sink(kind="deserialise", callee=f"{module}.{name}", always=0.55, note=_PICKLE)
        for module in ("pickle", "cPickle", "_pickle", "dill", "cloudpickle", "marshal")
        for name in ("load", "loads", "Unpickler")
    ),
    Sink(kind="deserialise", callee="jsonpickle.decode", always=0.6, note=_PICKLE),
    Sink(kind="deserialise", callee="jsonpickle.loads", always=0.6, note=_PICKLE),
    Sink(kind="deserialise", callee="shelve.open", parameter=0.55, note=_PICKLE),
    Sink(kind="deserialise", callee="pandas.read_pickle", always=0.55, note=_PICKLE),
    Sink(kind="deserialise", callee="joblib.load", parameter=0.55, note=_PICKLE),
    Sink(
        kind="deserialise",
        callee="torch.load",
        args=(),
        unless=(("weights_only", "True"),),
        always=0.55,
        note="Pass weights_only=True.",
    ),
    Sink(
        kind="deserialise",
        callee="numpy.load",
        needs=(("allow_pickle", True),),
        always=0.55,
        note="Pass allow_pickle=False.",
    ),
    *(
        Sink(kind="deserialise", callee=callee, unless=_SAFE_LOADER, always=0.7, note=_YAML)
        for callee in ("yaml.load", "yaml.load_all", "ruamel.yaml.load")
    ),
    *(
        Sink(kind="deserialise", callee=f"yaml.{name}", always=0.7, note=_YAML)
        for name in ("unsafe_load", "unsafe_load_all")
    ),
    *(
        Sink(kind="deserialise", callee=f"yaml.{name}", parameter=0.55, note=_YAML)
        for name in ("full_load", "full_load_all")
    ),
    Sink(kind="deserialise", callee="ruamel.yaml.YAML", args=(), needs=(("typ", "unsafe"),), always=0.65, note=_YAML),
)

_COLLECTION = r"collection|coll$|mongo|\bdb[.\[]|users?$|(?:^|[._])db$"
NOSQL = tuple(
    Sink(kind="nosql", callee=f"*.{name}", keywords=("filter", "query"), receiver=_COLLECTION, least="handler")
    for name in """find find_one find_one_and_update find_one_and_delete update_one update_many delete_one delete_many
    count_documents aggregate find_and_modify remove distinct""".split()
)

DIRECTORY = (
    *(
        Sink(kind="ldap", callee=f"*.{name}", args=(0, 2), keywords=("filterstr", "base"))
        for name in "search_s search_st search_ext search_ext_s".split()
    ),
    Sink(
        kind="ldap",
        callee="*.search",
        args=(0, 1),
        keywords=("search_filter", "search_base"),
        looks=r"^\(|=\x00|dc=",
        receiver=r"ldap",
    ),
    Sink(
        kind="ldap", callee="*.paged_search", args=(0, 1), keywords=("search_filter", "search_base"), looks=r"^\(|dc="
    ),
)
