"""Python: where foreign values come from, and which functions a framework calls with them."""

from __future__ import annotations

from leeboard.code.flow.table import Handlers, Source, Trust


def _calls(trust: Trust, paths: str, receiver: str = "") -> tuple[Source, ...]:
    return tuple(Source(path=f"{path}()", trust=trust, receiver=receiver) for path in paths.split())


SOURCES = (
    *_calls("request", "cgi.FieldStorage cgi.parse streamlit.text_input streamlit.text_area"),
    *_calls(
        "request",
        """*.get_argument *.get_arguments *.get_query_argument *.get_query_arguments *.get_body_argument
        *.get_body_arguments *.get_secure_cookie""",
        r"^self$|self\b",
    ),
    *_calls("request", "*.receive_text *.receive_json *.receive_bytes"),
    *_calls("request", "*.recv *.recvfrom *.recv_string", r"sock|conn|ws\b|websocket|client|self\.request"),
    Source(path="*.data", receiver=r"\bform\b", label="form data"),
    Source(path="*.kwargs", receiver=r"^self self$", trust="handler", label="self.kwargs"),
    *_calls("local", "input raw_input getpass.getpass sys.stdin.read sys.stdin.readline sys.stdin.readlines os.getenv"),
    *_calls("local", "*.parse_args *.parse_known_args", r"pars|argparse"),
    Source(path="sys.argv", trust="local"),
    Source(path="sys.stdin", trust="local"),
    Source(path="os.environ", trust="local"),
    Source(path="os.environb", trust="local"),
)

_WEB = (
    r"\b(?:flask|quart|django|rest_framework|ninja|aiohttp|fastapi|starlette|sanic|falcon|pyramid|tornado|bottle|webob|"
    r"werkzeug|cherrypy|webapp2|litestar|robyn|connexion|blacksheep|muffin|hug|responder|functions_framework|azure)\b"
)
_ROUTE = r"(?:^|\.)(?:route|get|post|put|delete|patch)$"

HANDLERS = (
    Handlers(
        imports=r"\b(?:flask|quart|bottle|cherrypy|flask_restful|flask_restx|flask_openapi3)\b",
        decorators=_ROUTE + r"|(?:^|\.)expose$|errorhandler$",
        bases=r"(?:MethodView|^View|\.View|Resource)$",
        methods=r"get|post|put|patch|delete|dispatch_request",
        returns_html=True,
    ),
    Handlers(
        imports=r"\b(?:fastapi|starlette|litestar|ninja|robyn|blacksheep|sanic|responder|connexion)\b",
        decorators=_ROUTE + r"|(?:^|\.)(?:websocket|api_route|head|options)$",
        requests=r"\b(?:Request|WebSocket|HTTPConnection)\b",
        annotations=r"\b(?:Query|Body|Form|Header|Cookie|UploadFile)\b",
    ),
    Handlers(
        imports=_WEB,
        decorators=r"(?:^|\.)(?:api_view|view_config|view|action|require_(?:GET|POST|http_methods))$|(?:^|\.)csrf_exempt$",
        bases=r"(?:View|APIView|ViewSet|RequestHandler|HTTPEndpoint|Resource)$",
        methods=r"get|post|put|patch|delete|list|create|retrieve|update|destroy|partial_update|on_\w+|form_valid",
        requests=r"\b(?:HttpRequest|Request|WSGIRequest|HttpRequest)\b",
        names=r"request|req",
    ),
    Handlers(
        imports=r"\b(?:http\.server|BaseHTTPServer|socketserver|SocketServer)\b",
        bases=r"(?:HTTPRequestHandler|StreamRequestHandler|BaseRequestHandler)$",
        fields=("path", "headers", "rfile", "requestline", "request", "data"),
    ),
    Handlers(functions=r"lambda_handler|cloud_function|hello_http|hello_world_http", names=r"event|request|req"),
    Handlers(
        imports=r"\b(?:click|typer|fire|invoke|fabric)\b",
        decorators=r"(?:^|\.)(?:command|argument|option|task)$",
        trust="local",
    ),
)

REQUESTS = frozenset(
    """flask.request quart.request bottle.request cherrypy.request request self.request flask.globals.request
    web.input werkzeug.local.request""".split()
)

OWN_ADDRESS = r"path|full_path|get_full_path|path_info|url|base_url|uri|script_root|rel_url|raw_path|path_qs"

REQUEST_SAFE = (
    r"method|user|session|app|state|auth|remote_addr|remote_user|is_\w+|has_\w+|endpoint|blueprint|url_rule|loop|"
    r"transport|site|scheme|client|content_length|user_id|current_user|registry|db|dbsession|tenant|csrf_token|max_\w+|"
    r"build_absolute_uri|get_host|resolver_match|accepts?|accept_\w+|environ|id|protocol|config_dict|config|task|charset|"
    r"encoding|on_\w+|prepare|host|host_url|url_root|remote|client_addr|blueprints|routing_exception|start_time|version|"
    r"get_response|authorization|finish|write|send|sendall|close|setblocking|settimeout|makefile|getsockname"
)
