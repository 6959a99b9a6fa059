"""Every address of the page: what is refused, to whom, and how; what a hostile session can not do."""

from __future__ import annotations

import http.client
import re
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import quote

import pytest

from leeboard.app.views.projects import project_key
from leeboard.io.places import state_dir
from leeboard.surfaces.web.application import CHANGES, PAGES
from leeboard.surfaces.web.guard import HEADERS
from tests.flow_desk import SLUG, FlowDesk
from tests.web_desk import WebDesk, served

PATHS = (*PAGES, "/live")
SHA = "0" * 64


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDesk]:
    """One for all: whatever is tried here is refused, and changes nothing."""
    with pytest.MonkeyPatch.context() as patch:
        folder = mkdtemp(prefix="lbw")
        flow = FlowDesk(tmp_path_factory.mktemp("doors"), patch)
        patch.setenv("LEEBOARD_RUNTIME_DIR", folder)
        flow.at_stage_gate()
        with served(str(flow.root)) as made:
            yield made
        shutil.rmtree(folder)


def filled(path: str, desk: WebDesk) -> str:
    return path.format(key=project_key(desk.root), slug=SLUG, sha=SHA)


def on_disk(root: str) -> dict[str, bytes]:
    """Everything that says where the workflow stands, and what people decided."""
    found = Path(root, ".haiku/intents").rglob("*")
    return {str(path): path.read_bytes() for path in found if path.is_file() and not path.name.startswith(".")}


@pytest.mark.parametrize("path", PATHS)
def test_without_a_cookie_nothing_is_shown(desk: WebDesk, path: str) -> None:
    for cookie in (None, "leeboard=", "leeboard=guessed", "other=1"):
        came = desk.get(filled(path, desk), {"Cookie": cookie})
        assert came.status == 403
        assert SLUG not in came.text
        assert "Make the thing" not in came.text


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1:{port}", "localhost:{port}", "", None]
)
def test_a_foreign_name_is_refused(desk: WebDesk, path: str, host: str | None) -> None:
    given = host.format(port=desk.port) if host is not None else None
    assert desk.get(filled(path, desk), {"Host": given}).status in {400, 421}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost:{port}", "http://evil.localhost:{port}"]
)
def test_a_foreign_page_is_refused(desk: WebDesk, path: str, origin: str) -> None:
    assert desk.get(filled(path, desk), {"Origin": origin.format(port=desk.port)}).status == 403
    assert desk.get(filled(path, desk), {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}).status == 403


@pytest.mark.parametrize("path", CHANGES)
def test_a_change_needs_cookie_origin_and_token(desk: WebDesk, path: str) -> None:
    before, place = on_disk(desk.root), filled(path, desk)
    fields = {"decision": "approved", "text": "x", "id": "s", "reason": "x", "what": "tangent", "paths": "src"}
    assert desk.post(place, fields, {"Cookie": None}).status == 403
    assert desk.post(place, fields, {"Origin": None}).status == 403
    assert desk.post(place, fields, {"Origin": "https://evil.example"}).status == 403
    assert desk.post(place, fields, {"Host": "evil.example"}).status == 421
    for forged in ("", "forged", desk.token[:-1], desk.token.upper()):
        assert desk.post(place, {**fields, "token": forged}).status == 403
    assert desk.post(place, fields, {"Content-Length": None, "Transfer-Encoding": "chunked"}).status in {400, 413}
    assert desk.get(place).status in {404, 405}
    assert on_disk(desk.root) == before


def test_an_agent_that_holds_everything_decides_nothing(flow: FlowDesk) -> None:
    flow.at_stage_gate()
    with served(str(flow.root)) as mine:
        cookie, port = mine.cookie, mine.port
    before = on_disk(str(flow.root))
    with served(str(flow.root), agent="CLAUDECODE", port=port) as desk:
        desk.cookie = cookie
        came = desk.post(filled(next(iter(CHANGES)), desk), {"decision": "approved"})
        assert (came.status, "CLAUDECODE says that an agent sent this" in came.text) == (403, True)
        assert desk.get(desk.server.entrance().removeprefix(desk.address)).status == 403
    assert on_disk(str(flow.root)) == before


def test_a_token_is_good_once_and_a_copy_ends_the_visit(desk: WebDesk) -> None:
    entrance = desk.server.entrance().removeprefix(desk.address)
    first = desk.get(entrance, {"Cookie": None})
    cookie = first.headers["set-cookie"]
    assert re.search(r"HttpOnly.*Path=/.*SameSite=strict", cookie)
    assert "Domain" not in cookie
    held = {"Cookie": cookie.partition(";")[0]}
    assert desk.get("/", held).status == 200
    assert desk.get(entrance, held).status == 200, "a reload by the one who used it"
    assert desk.get(entrance, {"Cookie": None}).status == 403
    assert desk.get("/", held).status == 403, "somebody has a copy: nobody is in"
    assert desk.get("/enter?token=guessed", {"Cookie": None}).status == 403
    assert desk.get("/enter", {"Cookie": None}).status == 403


def test_no_file_holds_what_lets_somebody_in(desk: WebDesk) -> None:
    token = desk.server.entrance().partition("token=")[2]
    kept = [path.read_bytes() for path in Path(state_dir()).rglob("*") if path.is_file()]
    assert kept
    assert not any(secret.encode() in data for data in kept for secret in (token, desk.cookie, desk.token))
    visitors = Path(state_dir(), "web/visitors.json")
    assert visitors.stat().st_mode & 0o077 == 0


def test_only_this_machine_reaches_it(desk: WebDesk) -> None:
    addresses = {each[4][0] for each in socket.getaddrinfo(socket.gethostname(), None) if ":" not in str(each[4][0])}
    for address in addresses - {"127.0.0.1"}:
        connection = http.client.HTTPConnection(str(address), desk.port, timeout=5)
        if not str(address).startswith("127."):
            with pytest.raises(OSError, match=r"."):
                connection.request("GET", "/")
        connection.close()
    assert desk.server._socket.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize("path", ["/", "/sessions", "/static/page.css", "/nothing", "/enter"])
def test_every_answer_tells_the_browser_to_be_careful(desk: WebDesk, path: str) -> None:
    came = desk.get(path)
    assert {name: came.headers.get(name.lower()) for name in HEADERS} == HEADERS
    assert "unsafe" not in came.headers["content-security-policy"]
    assert "server" not in came.headers


TRAVERSALS = [
    "/static/../application.py",
    "/static/%2e%2e/application.py",
    "/static/..%2fapplication.py",
    "/static/%5c..%5capplication.py",
    "/p/{key}/i/../../../etc/passwd",
    "/p/{key}/i/%2e%2e%2f%2e%2e",
    "/p/..%2f..%2fetc/i/thing",
    "/p/{key}/i/thing%00",
    "/p/{key}/i/{slug}/picture/..%2f..%2fintent.md",
    "/p/{key}/i/{slug}/picture/{sha}?scope=..%2f..%2f..",
    "/p/{key}/i/{slug}/document/..%2f..%2f..%2f..%2fetc%2fpasswd",
    "/p/{key}/i/{slug}?file=..%2f..%2f..%2fetc%2fpasswd",
    "/p/{key}/i/{slug}?file=%2fetc%2fpasswd",
    "/session?id=..%2f..%2fetc%2fpasswd",
    "//etc/passwd",
]


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_address_leads_out(desk: WebDesk, path: str) -> None:
    came = desk.get(path.format(key=project_key(desk.root), slug=SLUG, sha=SHA))
    assert came.status == 404, came.status
    assert b"root:" not in came.body
    assert b"def application" not in came.body


@pytest.mark.parametrize(
    "name", ["../../intent.md", "/etc/passwd", "..", "a/b.md", "a\\b.md", "x.html", "x.svg", "x.exe", "x"]
)
def test_no_upload_leads_out_or_is_active(desk: WebDesk, name: str) -> None:
    before = on_disk(desk.root)
    mark = "x" * 20
    parts = [("token", desk.token), ("stage", "build"), ("shelf", "outputs")]
    body = b"".join(
        f'--{mark}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
        for field, value in parts
    )
    body += f'--{mark}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\nhello\r\n--{mark}--\r\n'.encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={mark}"}
    came = desk.ask("POST", filled("/p/{key}/i/{slug}/files/upload", desk), body, headers)
    assert came.status == 409, came.text
    assert on_disk(desk.root) == before


def test_where_to_go_after_entering_is_always_inside(desk: WebDesk) -> None:
    for to in ("//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"):
        entrance = desk.server.entrance().removeprefix(desk.address) + f"&to={quote(to)}"
        assert 'url=/"' in desk.get(entrance, {"Cookie": None}).text
