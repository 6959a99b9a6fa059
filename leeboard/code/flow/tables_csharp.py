"""C#: the tables."""

from __future__ import annotations

from leeboard.code.flow import _idiom_tables as shared
from leeboard.code.flow.table import Cleaner, Guard, Handlers, Kind, Model, Sink, Source, Tables

_PLACE: frozenset[Kind] = frozenset({"html", "url", "redirect", "header", "path", "log"})
_SQL_TEXT = r"^\s*\(?\s*(?:select|insert|update|delete|replace|merge|with|create|drop|alter|truncate|exec|call|grant)\b"
_REQUEST = r"(?:^|\s)(?:(?:self\.)?(?:HttpContext\.|context\.)?Request|req)$"

SOURCES = (
    *(
        Source(path=f"*.{name}", receiver=_REQUEST, label=f"Request.{name}")
        for name in (
            "Query",
            "QueryString",
            "Form",
            "Headers",
            "Cookies",
            "Body",
            "Path",
            "RouteValues",
            "Params",
            "Files",
            "RawUrl",
            "Url",
            "InputStream",
        )
    ),
    *(
        Source(path=f"Request.{name}", label=f"Request.{name}")
        for name in ("Query", "QueryString", "Form", "Headers", "Cookies", "Body", "Params", "RouteValues", "RawUrl")
    ),
    Source(path="Request[]", label="Request"),
    Source(path="Console.ReadLine()", trust="local", label="standard input"),
    Source(path="Environment.GetEnvironmentVariable()", trust="local", label="the environment"),
)
_FILES = (
    "ReadAllText ReadAllBytes ReadAllLines WriteAllText WriteAllBytes Open OpenRead "
    "OpenWrite Delete Create AppendAllText ReadAllTextAsync ReadAllBytesAsync "
    "WriteAllTextAsync"
)
SINKS = (
    *(
        Sink(kind="sql", callee=name, joined=True)
        for name in (
            "SqlCommand",
            "SqliteCommand",
            "MySqlCommand",
            "NpgsqlCommand",
            "OleDbCommand",
            "OdbcCommand",
            "SqlDataAdapter",
            "OracleCommand",
            "SQLiteCommand",
        )
    ),
    *(
        Sink(kind="sql", callee=f"*.{name}", looks=_SQL_TEXT, joined=True)
        for name in (
            "ExecuteSqlRaw",
            "FromSqlRaw",
            "Query",
            "Execute",
            "QueryAsync",
            "ExecuteAsync",
            "QueryFirst",
            "QueryFirstOrDefault",
            "ExecuteSqlRawAsync",
            "SqlQuery",
            "ExecuteSqlCommand",
            "ExecuteScalar",
            "QuerySingle",
            "SqlQueryRaw",
        )
    ),
    Sink(kind="command", callee="Process.Start", args=(0, 1)),
    Sink(kind="command", callee="ProcessStartInfo", args=(0,), keywords=("FileName",)),
    Sink(kind="command", callee="ProcessStartInfo", args=(1,), keywords=("Arguments",), joined=True),
    Sink(kind="command", callee="ProcessStartInfo", args=(1,), keywords=("Arguments",), least="handler"),
    *(Sink(kind="code", callee=f"CSharpScript.{name}") for name in ("EvaluateAsync", "RunAsync", "Create")),
    *(
        Sink(kind="code", callee=name, least="handler")
        for name in ("Assembly.Load", "Assembly.LoadFrom", "Type.GetType")
    ),
    *(Sink(kind="html", callee=name) for name in ("Html.Raw", "HtmlString", "MvcHtmlString.Create", "MarkupString")),
    *(Sink(kind="html", callee=f"*.{name}", receiver=r"Response$", joined=True) for name in ("Write", "WriteAsync")),
    *(Sink(kind="html", callee="Content", args=(0,), given=(("1", "text/html"),), joined=True, least="handler"),),
    *(Sink(kind="path", callee=f"File.{name}", joined=True) for name in _FILES.split()),
    *(Sink(kind="path", callee=f"File.{name}", least="handler") for name in _FILES.split()),
    *(Sink(kind="path", callee=f"System.IO.File.{name}", joined=True) for name in _FILES.split()),
    *(Sink(kind="path", callee=f"System.IO.File.{name}", least="handler") for name in _FILES.split()),
    *(
        Sink(kind="path", callee=name, joined=True)
        for name in (
            "FileStream",
            "StreamReader",
            "StreamWriter",
            "FileInfo",
            "Directory.Delete",
            "Directory.CreateDirectory",
        )
    ),
    *(
        Sink(kind="path", callee=name, least="handler")
        for name in ("FileStream", "StreamReader", "StreamWriter", "PhysicalFile")
    ),
    *(Sink(kind="path", callee=f"*.{name}", joined=True) for name in ("ExtractToFile",)),
    *(
        Sink(kind="url", callee=f"*.{name}", receiver=r"client|http", start=True)
        for name in (
            "GetAsync",
            "GetStringAsync",
            "PostAsync",
            "GetStreamAsync",
            "GetByteArrayAsync",
            "DownloadString",
            "DownloadFile",
            "DownloadData",
            "SendAsync",
        )
    ),
    *(Sink(kind="url", callee=name, start=True) for name in ("WebRequest.Create", "HttpWebRequest.Create")),
    *(
        Sink(kind="redirect", callee=name, start=True, least="handler")
        for name in ("Redirect", "RedirectPermanent", "RedirectResult", "Response.Redirect")
    ),
    *(
        Sink(kind="header", callee=f"*.{name}", args=(1,), receiver=r"Response\.Headers$", least="request")
        for name in ("Add", "Append")
    ),
    *(
        Sink(kind="log", callee=f"*.{name}", args=(-1,), receiver=r"log(?:ger)?$", least="request", joined=True)
        for name in ("LogInformation", "LogWarning", "LogError", "LogDebug", "Info", "Warn", "Error", "Debug")
    ),
    *(
        Sink(kind="deserialise", callee=name, args=(0,))
        for name in (
            "BinaryFormatter().Deserialize",
            "SoapFormatter().Deserialize",
            "LosFormatter().Deserialize",
            "NetDataContractSerializer().Deserialize",
            "ObjectStateFormatter().Deserialize",
            "NetDataContractSerializer().ReadObject",
        )
    ),
    Sink(kind="ldap", callee="DirectorySearcher", args=(0, 1), joined=True),
    *(
        Sink(kind="xpath", callee=f"*.{name}", joined=True)
        for name in ("SelectNodes", "SelectSingleNode", "XPathSelectElement", "XPathSelectElements")
    ),
    Sink(kind="regex", callee="Regex", least="request"),
)
ASSIGNED = (
    Sink(kind="sql", callee="*.CommandText", joined=True),
    Sink(kind="command", callee="*.Arguments", receiver=r"startinfo|psi|process|info", joined=True),
    Sink(kind="command", callee="*.FileName", receiver=r"startinfo|psi|process", least="handler"),
    Sink(kind="ldap", callee="*.Filter", receiver=r"search", joined=True),
    Sink(kind="html", callee="*.InnerHtml"),
)
_NUMBERS = (
    "int.Parse long.Parse Convert.ToInt32 Convert.ToInt64 Guid.Parse bool.Parse "
    "decimal.Parse double.Parse DateTime.Parse Enum.Parse Guid.NewGuid Convert.ToBoolean "
    "Convert.ToDouble"
)
CLEANERS = (
    *shared.CLEANERS,
    *(Cleaner(callee=name) for name in _NUMBERS.split()),
    *(
        Cleaner(callee=f"*.{name}", kinds=frozenset({"html"}))
        for name in ("HtmlEncode", "HtmlAttributeEncode", "Sanitize", "Encode", "JavaScriptStringEncode")
    ),
    *(Cleaner(callee=f"*.{name}", kinds=_PLACE) for name in ("UrlEncode", "EscapeDataString", "UrlPathEncode")),
    *(
        Cleaner(callee=name, kinds=frozenset({"path"}))
        for name in (
            "Path.GetFileName",
            "Path.GetRandomFileName",
            "Path.GetFileNameWithoutExtension",
            "System.IO.Path.GetFileName",
        )
    ),
    *(Cleaner(callee=f"*.{name}", kinds=frozenset({"ldap"})) for name in ("LdapFilterEncode", "LdapEncode")),
    *(Cleaner(callee=f"*.{name}", kinds=frozenset({"sql"})) for name in ("QuoteIdentifier",)),
    Cleaner(callee="Regex.Escape", kinds=frozenset({"regex"})),
)
TABLES = Tables(
    language="csharp",
    prefilter=(
        r"Command|Sql|Query|Execute|Process|Script|Assembly|Html|Write|Content\(|File|Stream"
        r"|Directory|Client|WebRequest|Async|Redirect|Header|[lL]og|Formatter|Serializer|XPath"
        r"|Select|Regex|Type\."
    ),
    candidates=(
        r"Command|Sql|Query|Execute|Process|Arguments|Script|Assembly|Html|Write|Content\(|File"
        r"|Stream|Directory|Client|WebRequest|Async|Redirect|Header|[lL]og|Deserialize"
        r"|ReadObject|XPath|Select(?:Nodes|Single)|Regex|Type\.GetType|Filter|Download"
    ),
    sources=SOURCES,
    sinks=shared.told(SINKS),
    assigned=shared.told(ASSIGNED),
    cleaners=CLEANERS,
    guards=(
        *shared.GUARDS,
        *(Guard(callee=name, argument=0) for name in ("Enum.IsDefined", "char.IsLetterOrDigit")),
        Guard(callee="Url.IsLocalUrl", argument=0, kinds=frozenset({"redirect"})),
        Guard(callee="*.IsLocalUrl", argument=0, kinds=frozenset({"redirect"})),
    ),
    handlers=(
        Handlers(
            decorators=r"^(?:Http(?:Get|Post|Put|Delete|Patch)|Route|AcceptVerbs)$",
            annotations=r"\[From(?:Query|Route|Body|Form|Header)",
        ),
        Handlers(requests=r"\b(?:HttpRequest|HttpRequestMessage|HttpRequestBase)\b"),
    ),
    model=Model(
        push=frozenset({"Add", "AddRange"}),
        same=frozenset(
            {
                "Trim",
                "ToLower",
                "ToUpper",
                "ToString",
                "Substring",
                "Split",
                "GetFullPath",
                "ToLowerInvariant",
                "ToUpperInvariant",
                "TrimStart",
                "TrimEnd",
                "Replace",
                "Uri",
                "GetBytes",
                "GetString",
                "Normalize",
                "FirstOrDefault",
                "First",
                "UrlDecode",
                "PadLeft",
            }
        ),
        join=frozenset({"Format", "Concat", "Join"}),
        values=frozenset({"Values"}),
        harmless=frozenset(
            {
                "Length",
                "Count",
                "IndexOf",
                "IsNullOrEmpty",
                "IsNullOrWhiteSpace",
                "Exists",
                "Equals",
                "GetHashCode",
                "Any",
            }
        ),
    ),
    exits=frozenset({"Environment.Exit"}),
    checks=r"^(?:Is|Has|Check|Assert|Validate|Ensure|Verify|Try)(?:Valid|Safe|Allowed|Permitted|Trusted)|^Validate",
    escapes=(
        (r"(?i)escape_?(?:html|xml)|html_?(?:escape|encode)|sanitize_?html", frozenset({"html"})),
        (r"(?i)sanitize_?(?:file_?name|path)", frozenset({"path"})),
        (r"(?i)escape_?(?:ldap|filter)|ldap_?(?:escape|encode)", frozenset({"ldap"})),
    ),
    safe_types=(
        r"^(?!.*(?:string|String|object|dynamic|Request|Stream|IFormFile|Dictionary|List"
        r"|IEnumerable|byte\[\]|var\b|Uri|ZipArchive|\[From))."
    ),
)
