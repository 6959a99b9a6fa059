"""JavaScript: calls in which foreign values do harm."""

from __future__ import annotations

from leeboard.code.flow.table import Sink

_SQL_TEXT = (
    r"^\s*\(?\s*(?:select|insert|update|delete|replace|merge|with|create|drop|alter|truncate|exec|call|set|grant)\b"
)
_SQL_RECEIVER = (
    r"(?:^|\.|_)(?:db|sql|conn|connection|pool|client|pg|mysql|sqlite3?|knex|sequelize"
    r"|database|tx|trx|transaction)\d?(?:\(\)|\[\])?$"
)
_RESPONSE = (
    r"^(?:res|resp|response|reply|ctx\.res|ctx\.response|self\.res|rsp)(?:\.(?:status|type|set|header|code)\(\))*$"
)
_DOCUMENT = r"(?:^|\.)document$"

_READS = "readFile readFileSync createReadStream open openSync readdir readdirSync access accessSync"
_WRITES = (
    "writeFile writeFileSync createWriteStream appendFile appendFileSync unlink "
    "unlinkSync rm rmSync rmdir rmdirSync mkdir"
)
_MOVES = "rename renameSync copyFile copyFileSync link symlink cp cpSync"
_FETCHERS = (
    "fetch axios axios.get axios.post axios.put axios.delete axios.head axios.request axios.patch got got.get got.post "
    "request request.get request.post superagent.get superagent.post needle.get needle http.get https.get http.request "
    "https.request node-fetch undici.fetch undici.request cross-fetch urllib.request"
)
_ENGINES = (
    "ejs.render ejs.compile pug.render pug.compile handlebars.compile Handlebars.compile nunjucks.renderString "
    "mustache.render Mustache.render lodash.template _.template doT.template hogan.compile jade.compile jade.render "
    "underscore.template swig.render twig.twig dot.template eta.renderString"
)

SQL = (
    *(
        Sink(kind="sql", callee=f"*.{name}", receiver=_SQL_RECEIVER, looks=_SQL_TEXT, joined=name != "raw")
        for name in (
            "query",
            "execute",
            "raw",
            "all",
            "get",
            "run",
            "each",
            "exec",
            "prepare",
            "whereRaw",
            "orderByRaw",
        )
    ),
    *(
        Sink(kind="sql", callee=f"*.{name}")
        for name in ("$queryRawUnsafe", "$executeRawUnsafe", "havingRaw", "joinRaw")
    ),
    Sink(kind="sql", callee="*.literal", receiver=r"equelize$"),
    Sink(kind="nosql", callee="*.$where"),
)
_SPAWNERS = ("execFile", "execFileSync", "spawn", "spawnSync")
COMMAND = (
    *(Sink(kind="command", callee=f"child_process.{name}") for name in ("exec", "execSync")),
    *(Sink(kind="command", callee=f"child_process.{name}", joined=True) for name in _SPAWNERS),
    *(Sink(kind="command", callee=f"child_process.{name}", least="handler") for name in _SPAWNERS),
    *(Sink(kind="command", callee=f"child_process.{name}", needs=(("shell", True),)) for name in _SPAWNERS),
    *(Sink(kind="command", callee=name) for name in ("shelljs.exec", "execa.command", "execa.commandSync", "exec-sh")),
    Sink(kind="command", callee="*.exec", receiver=r"^(?:shell|shelljs|ssh|sshClient)$"),
)
CODE = (
    *(
        Sink(kind="code", callee=name)
        for name in ("eval", "window.eval", "global.eval", "globalThis.eval", "execScript")
    ),
    *(Sink(kind="code", callee=name, args=(-1,)) for name in ("Function", "AsyncFunction")),
    *(Sink(kind="code", callee=name, least="request") for name in ("setTimeout", "setInterval", "setImmediate")),
    *(Sink(kind="code", callee=name, joined=True) for name in ("setTimeout", "setInterval")),
    *(
        Sink(kind="code", callee=f"vm.{name}")
        for name in ("runInThisContext", "runInNewContext", "runInContext", "compileFunction", "Script")
    ),
    *(Sink(kind="code", callee=name) for name in ("vm2.VM().run", "safe-eval", "static-eval")),
    Sink(kind="code", callee="require", least="handler"),
    Sink(kind="code", callee="*.run", receiver=r"^(?:vm|sandbox|nodeVM|vm2)$"),
)
HTML = (
    Sink(kind="html", callee="page.built", joined=True),
    Sink(kind="html", callee="*.send", receiver=_RESPONSE, least="request"),
    Sink(kind="html", callee="*.send", receiver=_RESPONSE, joined=True, looks=r"<\w"),
    *(Sink(kind="html", callee=f"*.{name}", receiver=_RESPONSE, joined=True) for name in ("write", "end")),
    *(Sink(kind="html", callee=f"*.{name}", receiver=_DOCUMENT) for name in ("write", "writeln")),
    Sink(kind="html", callee="*.insertAdjacentHTML", args=(1,)),
    Sink(kind="html", callee="dangerouslySetInnerHTML"),
    *(
        Sink(kind="html", callee=f"*.{name}", receiver=r"^(?:\$|jQuery)\(\)|^\$\w+$|(?:^|\.)\$el$")
        for name in ("html", "append", "prepend", "after", "before", "replaceWith")
    ),
    *(Sink(kind="html", callee=name, joined=True, looks=r"<\w") for name in ("$", "jQuery")),
    *(Sink(kind="html", callee=f"*.{name}") for name in ("createContextualFragment", "bypassSecurityTrustHtml")),
    Sink(kind="html", callee="handlebars.SafeString"),
    Sink(kind="html", callee="Handlebars.SafeString"),
)
PATH = (
    *(Sink(kind="path", callee=f"fs.{name}", joined=True) for name in f"{_READS} {_WRITES}".split()),
    *(Sink(kind="path", callee=f"fs.{name}", least="handler") for name in f"{_READS} {_WRITES}".split()),
    *(Sink(kind="path", callee=f"fs.{name}", args=(0, 1), joined=True) for name in _MOVES.split()),
    *(Sink(kind="path", callee=f"fs.promises.{name}", joined=True) for name in f"{_READS} {_WRITES}".split()),
    *(
        Sink(kind="path", callee=f"fs-extra.{name}", joined=True)
        for name in f"{_READS} {_WRITES} readJson remove".split()
    ),
    *(
        Sink(kind="path", callee=f"*.{name}", receiver=_RESPONSE, unless=(("root", ".*"),))
        for name in ("sendFile", "sendfile", "download")
    ),
)
URL = (
    *(
        Sink(kind="url", callee=name, args=(0,), keywords=("url", "uri", "host", "hostname"), start=True)
        for name in _FETCHERS.split()
    ),
    Sink(kind="url", callee="*.goto", receiver=r"page$"),
)
OTHER = (
    *(Sink(kind="redirect", callee="*.redirect", receiver=f"{_RESPONSE}|^ctx$", args=(0, 1), start=True),),
    *(
        Sink(kind="redirect", callee=f"{scope}location.{name}", start=True)
        for scope in ("", "window.", "document.")
        for name in ("assign", "replace")
    ),
    *(
        Sink(kind="header", callee=f"*.{name}", receiver=_RESPONSE, args=(1,), joined=True)
        for name in ("setHeader", "header", "append")
    ),
    *(
        Sink(kind="header", callee=f"*.{name}", receiver=_RESPONSE, args=(1,), least="handler")
        for name in ("setHeader", "header", "append")
    ),
    Sink(kind="header", callee="*.writeHead", receiver=_RESPONSE, args=(1, 2), least="request"),
    *(
        Sink(kind="log", callee=f"{logger}.{name}", args=(-1,), least="request", joined=True)
        for logger in ("console", "logger", "log", "winston")
        for name in ("log", "info", "warn", "error", "debug")
    ),
    *(Sink(kind="template", callee=name) for name in _ENGINES.split()),
    Sink(kind="regex", callee="RegExp", least="request"),
    *(
        Sink(kind="deserialise", callee=name)
        for name in (
            "node-serialize.unserialize",
            "serialize-to-js.deserialize",
            "funcster.deepDeserialize",
            "cryo.parse",
            "v8.deserialize",
        )
    ),
    Sink(kind="deserialise", callee="*.unserialize"),
    *(Sink(kind="deserialise", callee=f"js-yaml.{name}") for name in ("unsafeLoad", "unsafeLoadAll")),
    *(
        Sink(kind="deserialise", callee=f"js-yaml.{name}", arity=(2, 9), unless=(("1", r"^(?!.*FULL)"),))
        for name in ("load", "loadAll")
    ),
    *(
        Sink(kind="permission", callee=f"fs.{name}", args=(), needs=(("1", mode),), always=0.6)
        for name in ("chmod", "chmodSync", "promises.chmod")
        for mode in (0o777, 0o666)
    ),
    *(
        Sink(kind="nosql", callee=f"*.{name}", least="request")
        for name in (
            "findOne",
            "findOneAndUpdate",
            "findOneAndDelete",
            "updateOne",
            "deleteOne",
            "deleteMany",
            "updateMany",
            "countDocuments",
        )
    ),
    Sink(kind="nosql", callee="*.find", receiver=r"(?:^[A-Z]|[cC]ollection|users|\bdb\b|[mM]odel)", least="request"),
    Sink(kind="prototype", callee="prototype.assign"),
    *(
        Sink(kind="prototype", callee=name, args=(1, 2), least="request")
        for name in ("lodash.merge", "lodash.defaultsDeep", "_.merge", "_.defaultsDeep", "deepmerge")
    ),
    *(Sink(kind="ldap", callee="*.search", receiver=r"ldap|^client$", args=(0,), keywords=("filter",), joined=True),),
    *(Sink(kind="xpath", callee=name, joined=True) for name in ("xpath.select", "xpath.select1", "xpath.evaluate")),
    *(Sink(kind="xpath", callee="*.evaluate", receiver=_DOCUMENT, joined=True),),
    *(
        Sink(kind="xxe", callee=f"libxmljs{suffix}.{name}.noent")
        for suffix in ("", "2")
        for name in ("parseXml", "parseXmlString", "parseXmlAsync")
    ),
)
SINKS = (*SQL, *COMMAND, *CODE, *HTML, *PATH, *URL, *OTHER)

ASSIGNED = (
    *(Sink(kind="html", callee=f"*.{name}") for name in ("innerHTML", "outerHTML", "srcdoc")),
    Sink(kind="redirect", callee="*.href", receiver=r"(?:^|\.)location$", start=True),
    Sink(kind="redirect", callee="*.location", receiver=r"^(?:window|document|self|top|parent)$", start=True),
    Sink(kind="html", callee="*.body", receiver=r"^ctx(?:\.response)?$", joined=True, looks=r"<\w", least="request"),
)
