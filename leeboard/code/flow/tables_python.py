"""Python: the tables, put together of their parts."""

from __future__ import annotations

from leeboard.code.flow import _python_cleaners as cleaners
from leeboard.code.flow import _python_sinks as sinks
from leeboard.code.flow import _python_sources as sources
from leeboard.code.flow import _python_web_sinks as web
from leeboard.code.flow.table import Tables

_SINKS = (
    *sinks.SQL,
    *sinks.COMMANDS,
    *sinks.CODE,
    *sinks.DESERIALISE,
    *sinks.NOSQL,
    *sinks.DIRECTORY,
    *web.PAGES,
    *web.FILES,
    *web.ADDRESSES,
    *web.DOCUMENTS,
    *web.OTHERS,
)
_MARKS = (
    ".route", "@route", "@get", "@post", "expose", "session[", "headers[", "target=", "exec ", "to_thread",
    "run_in_executor", "(os.", "(subprocess.",
)  # fmt: skip
_WEB = (
    r"^[ \t]*(?:from|import)[ \t]+(?:flask|quart|django|rest_framework|ninja|aiohttp|fastapi|starlette|sanic|falcon|"
    r"pyramid|tornado|bottle|webob|werkzeug|cherrypy|webapp2|litestar|robyn|connexion|blacksheep|http\.server|"
    r"BaseHTTPServer|cgi|websockets|streamlit|functions_framework|azure)\b|\brequest\.(?:args|form|GET|POST|json|files|"
    r"cookies|values|get_json|query_params|data|headers|META|params)\b|lambda_handler|"
    r"\.recv(?:from)?\(|self\.(?:get_argument|request)\b"
)
_WEB_WORDS = tuple(
    """flask quart django rest_framework ninja aiohttp fastapi starlette sanic falcon pyramid tornado
        bottle webob werkzeug cherrypy webapp2 litestar robyn connexion blacksheep http.server
        BaseHTTPServer cgi websockets .recv streamlit functions_framework azure request. lambda_handler
        self.get_argument""".split()
)
_ORIGINS = (
    "request", "req.", "req)", "req,", "@", "self.get_", "self.path", "self.headers", "self.rfile", "self.kwargs",
    ".recv", ".receive_", "form.",
    "def get(", "def post(", "def put(", "def patch(", "def delete(", "def on_", "def list(",
    "def create(", "def retrieve(", "def update(", "def destroy(", "Request", "WebSocket", "FieldStorage", "text_input",
    "lambda_handler", "UploadFile", "argv", "input(", "stdin", "environ", "getenv", "parse_args",
)  # fmt: skip
_WORDS = (
    "shell=", "shell =", "system(", "popen(", "getoutput(", "getstatusoutput(", "eval(", "exec(", "exec ",
    "execfile(", "create_subprocess_shell", ".execute(", "executemany(", "executescript(", "exec_driver_sql(",
    "exec_command(", "mktemp(", "tempnam(", "tmpnam(", "chmod(", "umask(", "mark_safe(", "Markup(",
    "render_template_string(", "from_string(", "RawSQL(", "read_sql(", "read_sql_query(", "read_pickle(", "search_s(",
    "search_ext_s(", "search_ext(", ".search(f", "pickle.load", "pickle import", "Pickle.load", "ickler(",
    "marshal.load", "unsafe_load(", "full_load(", "yaml.load", "import yaml", "shelve.open(", "dill.load",
    "torch.load(", "joblib.load(", "allow_pickle", "jsonpickle", "setFeature(", "XPath(", ".xpath(", "XMLParser(",
    "parseString(", "iterparse(", "fromstring(", "etree.parse(", "ET.parse(", "ElementTree.parse(", "sax.parse(",
    "minidom.parse(", "pulldom.parse(", "etree.XML(", ".raw(", "literal_column(", "fetchrow(", "fetchval(",
    "extractall(", ".extract(", "Environment(", "Template(", "text(f", "debug=True", "debug = True", "target=os.",
    ".query(f", ".query(", ".sql(", ".fetch(", "typ=", "from os import", "callproc(",
)  # fmt: skip

TABLES = Tables(
    language="python",
    prefilter=".",
    candidates=".",
    marks=_MARKS,
    web=_WEB,
    web_words=_WEB_WORDS,
    origins=_ORIGINS,
    words=_WORDS,
    by_name=True,
    sources=sources.SOURCES,
    sinks=_SINKS,
    assigned=web.ASSIGNED,
    cleaners=cleaners.CLEANERS,
    guards=cleaners.GUARDS,
    handlers=sources.HANDLERS,
    model=cleaners.MODEL,
    requests=sources.REQUESTS,
    request_safe=sources.REQUEST_SAFE,
    own_address=sources.OWN_ADDRESS,
    numbers=frozenset({"-", "//", "**"}),
    exits=frozenset("sys.exit exit quit os._exit os.abort flask.abort abort bottle.abort quart.abort".split()),
    checks=cleaners.CHECKS,
    escapes=cleaners.ESCAPES,
    safe_types=r"^(?:int|float|bool|uuid\.UUID|UUID4?|Decimal|date|datetime|timedelta|IPv[46]Address|Literal\[.*|PositiveInt)$",
)
