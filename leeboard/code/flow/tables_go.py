"""Go: the tables."""

from __future__ import annotations

from leeboard.code.flow import _idiom_tables as shared
from leeboard.code.flow.table import Cleaner, Guard, Handlers, Kind, Model, Sink, Source, Tables

_REQUEST = r"(?:^|\s)(?:r|req|request|c\.Request|ctx\.Request|c\.Request\(\)|hr|httpReq)$"
_CONTEXT = r"(?:^|\s)(?:c|ctx|context|gc|ec|fc)$"
_SQL_TEXT = r"^\s*\(?\s*(?:select|insert|update|delete|replace|merge|with|create|drop|alter|truncate|exec|call|grant)\b"
_SQL_RECEIVER = r"(?:^|\.|_)(?:db|sql|sqldb|conn|tx|pool|database|dbx|pgx?|store|gorm|orm|txn|repo)\d?(?:\(\))?$"
_PLACE: frozenset[Kind] = frozenset({"html", "url", "redirect", "header", "path", "log"})

SOURCES = (
    *(
        Source(path=f"*.{name}()", receiver=_REQUEST, label=f"request {name}")
        for name in (
            "FormValue",
            "PostFormValue",
            "Cookie",
            "Cookies",
            "FormFile",
            "Referer",
            "UserAgent",
            "PathValue",
            "MultipartReader",
        )
    ),
    *(
        Source(path=f"*.{name}", receiver=_REQUEST, label=f"request {name}")
        for name in ("URL", "Form", "PostForm", "Header", "Body", "Host", "RequestURI", "MultipartForm", "Trailer")
    ),
    Source(path="*.Vars()", receiver=r"(?:^|\s)mux$", label="route variables"),
    Source(path="mux.Vars()", label="route variables"),
    Source(path="chi.URLParam()", label="route parameter"),
    *(
        Source(path=f"*.{name}()", receiver=_CONTEXT, label=f"request {name}")
        for name in (
            "Query",
            "Param",
            "PostForm",
            "DefaultQuery",
            "GetHeader",
            "QueryParam",
            "FormValue",
            "Params",
            "DefaultPostForm",
            "QueryArray",
            "GetRawData",
            "Cookies",
            "BodyRaw",
            "QueryParams",
            "FormParams",
            "GetQuery",
            "GetPostForm",
            "Body",
        )
    ),
    Source(path="request.bound()", label="the request's body"),
    Source(path="os.Args", label="os.Args"),
    *(Source(path=f"os.{name}()", trust="local", label=f"os.{name}") for name in ("Getenv", "LookupEnv")),
    *(Source(path=f"flag.{name}()", trust="local", label="a flag") for name in ("String", "Arg", "Args")),
)

_FILES = "Open OpenFile Create ReadFile WriteFile Remove RemoveAll Mkdir MkdirAll ReadDir Chmod Readlink Truncate"
SQL = (
    *(
        Sink(kind="sql", callee=f"*.{name}", receiver=_SQL_RECEIVER, looks=_SQL_TEXT, joined=True)
        for name in ("Query", "QueryRow", "Exec", "Prepare", "Raw", "Queryx", "MustExec", "QueryRowx", "Get", "Select")
    ),
    *(
        Sink(kind="sql", callee=f"*.{name}", args=(1,), receiver=_SQL_RECEIVER, looks=_SQL_TEXT, joined=True)
        for name in ("QueryContext", "QueryRowContext", "ExecContext", "PrepareContext", "GetContext", "SelectContext")
    ),
    *(
        Sink(kind="sql", callee=f"*.{name}", args=(1,), looks=_SQL_TEXT, joined=True)
        for name in ("Query", "QueryRow", "Exec", "Get", "Select")
    ),
    *(
        Sink(kind="sql", callee=f"*.{name}", receiver=_SQL_RECEIVER, joined=True)
        for name in ("Where", "Order", "Having", "Joins", "Group", "Table", "Or", "Not")
    ),
)
COMMAND = (
    Sink(kind="command", callee="os.exec.Command", least="handler"),
    Sink(kind="command", callee="os.exec.CommandContext", args=(1,), least="handler"),
    Sink(kind="command", callee="os.exec.Command", args=(1, 2, 3), given=(("0", shared.SHELL),)),
    Sink(kind="command", callee="os.exec.CommandContext", args=(2, 3, 4), given=(("1", shared.SHELL),)),
    Sink(kind="command", callee="syscall.Exec"),
    Sink(kind="command", callee="os.StartProcess"),
    Sink(kind="command", callee="plugin.Open"),
)
HTML = (
    Sink(kind="html", callee="page.built", joined=True),
    Sink(kind="html", callee="respond.html", args=(-1,), joined=True),
    Sink(kind="html", callee="respond.html", args=(-1,), least="request"),
    *(
        Sink(kind="html", callee=f"html.template.{name}")
        for name in ("HTML", "JS", "HTMLAttr", "URL", "CSS", "JSStr", "Srcset")
    ),
    *(
        Sink(kind="html", callee=f"*.{name}", args=(1, 2), receiver=_CONTEXT, looks=r"<\w", joined=True)
        for name in ("HTML", "String")
    ),
    Sink(kind="html", callee="*.HTML", args=(1,), receiver=_CONTEXT, arity=(2, 2)),
    Sink(kind="html", callee="*.Data", args=(2,), receiver=_CONTEXT, given=(("1", "text/html"),)),
)
PATH = (
    *(Sink(kind="path", callee=f"os.{name}", joined=True) for name in _FILES.split()),
    *(Sink(kind="path", callee=f"os.{name}", least="handler") for name in _FILES.split()),
    *(Sink(kind="path", callee=f"io.ioutil.{name}", joined=True) for name in ("ReadFile", "WriteFile", "ReadDir")),
    *(Sink(kind="path", callee=f"io.ioutil.{name}", least="handler") for name in ("ReadFile", "WriteFile", "ReadDir")),
    *(Sink(kind="path", callee=f"os.{name}", args=(0, 1), joined=True) for name in ("Rename", "Symlink", "Link")),
    Sink(kind="path", callee="net.http.ServeFile", args=(2,)),
    *(
        Sink(kind="path", callee=f"*.{name}", receiver=_CONTEXT)
        for name in ("File", "FileAttachment", "SendFile", "Download")
    ),
    Sink(kind="path", callee="*.SaveUploadedFile", args=(1,), receiver=_CONTEXT),
    Sink(kind="path", callee="html.template.ParseFiles", least="handler"),
)
_GETS = "Get Post Head PostForm"
URL = (
    *(Sink(kind="url", callee=f"net.http.{name}", start=True) for name in _GETS.split()),
    *(
        Sink(kind="url", callee=f"*.{name}", receiver=r"(?:[cC]lient|resty|\.R\(\))$", start=True)
        for name in _GETS.split()
    ),
    Sink(kind="url", callee="net.http.NewRequest", args=(1,), start=True),
    Sink(kind="url", callee="net.http.NewRequestWithContext", args=(2,), start=True),
    *(Sink(kind="url", callee=f"net.{name}", args=(1,), least="handler") for name in ("Dial", "DialTimeout")),
)
_LOGS = "Print Printf Println"
OTHER = (
    Sink(kind="redirect", callee="net.http.Redirect", args=(2,), start=True),
    Sink(kind="redirect", callee="*.Redirect", args=(0, 1), receiver=_CONTEXT, start=True),
    *(Sink(kind="header", callee=f"*.{name}", args=(1,), receiver=r"\.Header\(\)$") for name in ("Set", "Add")),
    *(Sink(kind="log", callee=f"log.{name}", args=(-1,), least="request") for name in _LOGS.split()),
    *(
        Sink(
            kind="log",
            callee=f"*.{name}",
            args=(-1,),
            receiver=r"(?:^|\.)log(?:ger|rus)?$",
            least="request",
            joined=True,
        )
        for name in ("Info", "Infof", "Warn", "Warnf", "Error", "Errorf", "Debug", "Debugf", "Printf", "Println")
    ),
    *(Sink(kind="template", callee=f"{package}.template.New().Parse") for package in ("text", "html")),
    Sink(kind="template", callee="*.Parse", receiver=r"(?:template|tmpl|tpl|^t)(?:\.New\(\))?(?:\.Funcs\(\))?$"),
    *(
        Sink(kind="regex", callee=f"regexp.{name}", least="request")
        for name in ("MustCompile", "Compile", "MatchString")
    ),
    Sink(kind="ldap", callee="ldap.NewSearchRequest", args=(0, 6), joined=True),
    *(
        Sink(kind="xpath", callee=f"{package}.{name}", args=(0, 1), joined=True)
        for package in ("xmlquery", "htmlquery", "xpath")
        for name in ("Find", "FindOne", "Compile", "Query", "QueryAll", "MustCompile")
    ),
    *(
        Sink(kind="nosql", callee=f"*.{name}", args=(1,), receiver=r"coll", least="request", joined=True)
        for name in ("Find", "FindOne", "Aggregate")
    ),
    *(Sink(kind="permission", callee="os.Chmod", args=(), needs=(("1", mode),), always=0.6) for mode in (0o777, 0o666)),
    *(
        Sink(kind="permission", callee=f"os.{name}", args=(), needs=(("2", 0o777),), always=0.6)
        for name in ("OpenFile", "WriteFile")
    ),
    Sink(kind="permission", callee="io.ioutil.WriteFile", args=(), needs=(("2", 0o777),), always=0.6),
    Sink(kind="code", callee="otto.Run"),
    *(
        Sink(kind="code", callee=f"*.{name}", receiver=r"^(?:vm|otto|goja|interp|L|lua)$")
        for name in ("Run", "RunString", "Eval", "DoString")
    ),
)

_NUMBERS = (
    "strconv.Atoi strconv.ParseInt strconv.ParseUint strconv.ParseFloat strconv.ParseBool "
    "uuid.Parse uuid.MustParse len int int64 uint time.Parse net.ParseIP netip.ParseAddr "
    "primitive.ObjectIDFromHex"
)
_ESCAPES = (
    "html.EscapeString html.template.HTMLEscapeString text.template.HTMLEscapeString "
    "html.template.JSEscapeString template.HTMLEscapeString "
    "html.template.HTMLEscaper template.HTMLEscaper bluemonday.Sanitize"
)
CLEANERS = (
    *shared.CLEANERS,
    *(Cleaner(callee=name) for name in _NUMBERS.split()),
    *(Cleaner(callee=name, kinds=frozenset({"html"})) for name in _ESCAPES.split()),
    *(
        Cleaner(callee=f"*.{name}", kinds=frozenset({"html"}))
        for name in ("Sanitize", "SanitizeBytes", "EscapeString", "HTMLEscapeString")
    ),
    *(Cleaner(callee=f"net.url.{name}", kinds=_PLACE) for name in ("QueryEscape", "PathEscape")),
    *(Cleaner(callee=f"path.{name}", kinds=frozenset({"path"})) for name in ("Base", "filepath.Base")),
    Cleaner(callee="securejoin.SecureJoin", kinds=frozenset({"path"})),
    *(Cleaner(callee=f"ldap.{name}", kinds=frozenset({"ldap"})) for name in ("EscapeFilter", "EscapeDN")),
    Cleaner(callee="regexp.QuoteMeta", kinds=frozenset({"regex"})),
    *(
        Cleaner(callee=name, kinds=frozenset({"sql"}))
        for name in ("pq.QuoteIdentifier", "pq.QuoteLiteral", "pgx.Identifier.Sanitize")
    ),
    *(
        Cleaner(callee=name, kinds=frozenset({"command"}))
        for name in ("shellescape.Quote", "shellquote.Join", "syntax.Quote")
    ),
    *(
        Cleaner(callee=f"strconv.{name}", kinds=frozenset({"log", "header", "html"}))
        for name in ("Quote", "QuoteToASCII")
    ),
    *(
        Cleaner(callee=name)
        for name in ("sha256.Sum256", "hex.EncodeToString", "crypto.sha256.Sum256", "errors.Is", "time.Now")
    ),
)
GUARDS = (
    *shared.GUARDS,
    Guard(callee="char.is_plain", argument=0),
    Guard(callee="path.is_local", argument=0, kinds=frozenset({"path"})),
    Guard(callee="path.filepath.IsLocal", argument=0, kinds=frozenset({"path"})),
    *(
        Guard(callee=f"govalidator.{name}", argument=0)
        for name in ("IsAlphanumeric", "IsInt", "IsUUID", "IsNumeric", "IsIP", "IsDNSName")
    ),
)

TABLES = Tables(
    language="go",
    prefilter=(
        r"<\w|Query|Exec|Prepare|Raw\(|Command|Start|HTML|Fprint|Write|os\.|ioutil|http\."
        r"|Redirect|Header\(|log|Parse|regexp|NewSearchRequest|xpath|query|Find|File\(|Download"
        r"|Dial|Where\(|Order\(|Sprintf|Run|Eval|DoString"
    ),
    candidates=(
        r"<\w|Query|Exec|Prepare|Raw\(|Command|StartProcess|HTML|JS\(|Fprint|\.Write"
        r"|WriteString|os\.\w+\(|ioutil|http\.|[cC]lient\.|Redirect|Header\(|[lL]og\w*\.|Parse"
        r"|regexp|NewSearchRequest|xpath|Find|File\(|SaveUploaded|Download|Dial|Where\(|Order\("
        r"|Having\(|Joins\(|Group\(|\.(?:Get|Select|String|Data)\(|Run|Eval|DoString"
    ),
    sources=SOURCES,
    sinks=shared.told((*SQL, *COMMAND, *HTML, *PATH, *URL, *OTHER)),
    cleaners=CLEANERS,
    guards=GUARDS,
    lexical=True,
    handlers=(
        Handlers(calls=r"HandleFunc$|\.(?:Get|Post|Put|Delete|Patch|Handle)$", request_position=1),
        Handlers(requests=r"http\.Request\b|gin\.Context|echo\.Context|fiber\.Ctx|iris\.Context"),
    ),
    model=Model(
        push=frozenset({"append"}),
        write=frozenset({"Set", "Add"}),
        read=frozenset({"Get"}),
        copy=frozenset({"built"}),
        same=frozenset(
            {
                "TrimSpace",
                "ToLower",
                "ToUpper",
                "Trim",
                "TrimPrefix",
                "TrimSuffix",
                "TrimLeft",
                "TrimRight",
                "string",
                "String",
                "Split",
                "Fields",
                "Replace",
                "ReplaceAll",
                "Clean",
                "FromSlash",
                "ToSlash",
                "Abs",
                "Title",
                "Bytes",
                "ReadAll",
                "QueryUnescape",
                "PathUnescape",
                "Parse",
                "EvalSymlinks",
                "TrimFunc",
                "Text",
                "DecodeString",
                "byte",
                "Repeat",
                "Query",
                "EscapedPath",
                "Hostname",
                "Cookie",
                "Unescape",
                "NewDecoder",
                "NewReader",
                "Rel",
            }
        ),
        join=frozenset({"Sprintf", "Sprint", "Sprintln", "Join", "Errorf", "WriteString"}),
        harmless=frozenset(
            {"len", "cap", "Index", "Count", "Compare", "IndexByte", "LastIndex", "Stat", "IsDir", "Now", "StatusText"}
        ),
    ),
    safe_types=(
        r"^(?!.*(?:string|byte|any\b|interface|Request|Context|zip|tar|URL|Values|Header|Reader"
        r"|Builder|Buffer|RawMessage|Params))."
    ),
)
