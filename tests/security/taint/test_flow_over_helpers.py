"""Requests that go through a helper, a job, a form's defaults or a getter: each with a twin that does no harm."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

_BUN = """
const send = (rel: string) => new Response(Bun.file("/srv/www/" + rel));
Bun.serve({
  async fetch(req) {
    const asked = new URL(req.url);
    if (asked.pathname === "/file") {
      NAMED
      return send(name);
    }
    return send("home.html");
  },
});
"""
_FRESH = """
async function pull(target: string) { return await fetch(target); }
export const handler = define.handlers({
  async PUT(ctx) {
    const sent = await ctx.req.json().catch(() => ({}));
    if (typeof sent.hook !== "string") return new Response("no", { status: 400 });
    return Response.json(await pull(TARGET));
  },
});
"""
_PIKA = """
import json, pickle
import pika
def on_job(ch, method, props, raw: bytes) -> None:
    run(LOAD.loads(raw))
def start():
    channel = pika.BlockingConnection(PARAMS).channel()
    channel.basic_consume(queue="jobs", on_message_callback=on_job)
"""
_SQLX = """
package server
import ("context"; "strings"; "github.com/jmoiron/sqlx")
type Shop struct { pb.UnimplementedShopServer; db *sqlx.DB }
func (s *Shop) Find(ctx context.Context, req *pb.FindRequest) (*pb.FindReply, error) {
    var q strings.Builder
    q.WriteString("SELECT id FROM goods WHERE owner = $1 ORDER BY ")
    q.WriteString(COLUMN)
    var rows []row
    err := s.db.SelectContext(ctx, &rows, q.String(), req.GetOwner())
    return nil, err
}
"""
_JOB = """<?php
use Illuminate\\Http\\Request;
class FetchCover implements ShouldQueue {
    public function __construct(private int $book, private string $cover) {}
    public static function ask(Request $request, Book $book): void {
        self::dispatch($book->id, GIVEN);
    }
    public function handle(): void { Http::timeout(5)->get($this->cover); }
}
"""
_FORM = """<?php
$old = ['city' => '', 'street' => ''];
foreach ($old as $key => $_) { $old[$key] = trim($_POST[$key] ?? ''); }
?>
<input value="<?= SHOWN ?>">
"""
_LETTER = """<?php
function tell() {
    $from = $_POST['from'];
    CHECK
    return mail('desk@example.org', 'Order', 'text', "Reply-To: $from");
}
tell();
"""
_HTTPD = """
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit
class Themes(BaseHTTPRequestHandler):
    def do_GET(self):
        theme = parse_qs(urlsplit(self.path).query)["theme"][0]
        CHECK
        self.send_header("Set-Cookie", "theme=" + theme)
"""
_FLASK = """
import xml.dom.minidom
from pathlib import Path
from flask import Flask, request
from werkzeug.utils import secure_filename
app = Flask(__name__)
@app.post("/a")
def change():
"""
_FEED = """
from urllib.parse import urlsplit
import requests
from flask import Flask, abort, request
app = Flask(__name__)
HOST = "example.org"
def is_known(address):
    return address.startswith("https://") and TEST
@app.get("/feed")
def feed():
    address = request.args["address"]
    if not is_known(address):
        abort(403)
    return requests.get(address, timeout=3).text
"""
_PAGE = """
package pages
import ("net/http"; "KIND/template")
var shown = template.Must(template.New("n").Parse("<html><p>{{.Text}}</p></html>"))
func Show(notes *Notes) http.HandlerFunc {
    return func(w http.ResponseWriter, r *http.Request) {
        note, _ := notes.Find(r.Context(), r.PathValue("id"))
        _ = shown.Execute(w, View{Note: note})
    }
}
"""
_RUBY = """
module NotesHelper
  def heading(note)
    label = note.title
    label = "#{note.author.name}: #{label}" if note.author
    BUILT
  end
end
"""
PAIRS = (
    (
        "a path that was asked about, and another part of the address",
        "typescript",
        _BUN.replace("NAMED", 'const name = asked.searchParams.get("name");'),
        _BUN.replace("NAMED", 'const name = "index.html";'),
    ),
    (
        "what was promised, or nothing",
        "typescript",
        _FRESH.replace("TARGET", "sent.hook"),
        _FRESH.replace("TARGET", "HOOKS[0]"),
    ),
    ("a message with a type", "python", _PIKA.replace("LOAD", "pickle"), _PIKA.replace("LOAD", "json")),
    (
        "a statement behind what it fills",
        "go",
        _SQLX.replace("COLUMN", "req.GetOrder()"),
        _SQLX.replace("COLUMN", "columns[req.GetOrder()]"),
    ),
    (
        "a job that is handed what it keeps",
        "php",
        _JOB.replace("GIVEN", "$request->input('cover')"),
        _JOB.replace("GIVEN", "config('covers.default')"),
    ),
    (
        "a form's empty places",
        "php",
        _FORM.replace("SHOWN", "$old['city']"),
        _FORM.replace("SHOWN", "htmlspecialchars($old['city'])"),
    ),
    (
        "a header of a letter",
        "php",
        _LETTER.replace("CHECK", ""),
        _LETTER.replace("CHECK", "if (!filter_var($from, FILTER_VALIDATE_EMAIL)) { return false; }"),
    ),
    (
        "a header of a small server",
        "python",
        _HTTPD.replace("CHECK", ""),
        _HTTPD.replace("CHECK", 'theme = theme if theme in {"dark", "light"} else "dark"'),
    ),
    (
        "where a file is moved to",
        "python",
        f'{_FLASK}    place = Path("/srv/notes")\n    (place / "a.txt").rename(place / request.form["to"])\n',
        f'{_FLASK}    place = Path("/srv/notes")\n    (place / "a.txt").rename(place / secure_filename(request.form["to"]))\n',
    ),
    (
        "entities of a document",
        "python",
        f"{_FLASK}    return xml.dom.minidom.parseString(request.get_data()).toxml()\n",
        f"{_FLASK}    return xml.dom.minidom.parseString('<a/>').toxml()\n",
    ),
    (
        "a host anywhere in an address",
        "python",
        _FEED.replace("TEST", "HOST in address"),
        _FEED.replace(
            "    return address.startswith", "    asked = urlsplit(address)\n    return address.startswith"
        ).replace("TEST", "asked.hostname == HOST"),
    ),
    ("a page of what is kept", "go", _PAGE.replace("KIND", "text"), _PAGE.replace("KIND", "html")),
    (
        "what somebody typed, between tags",
        "ruby",
        _RUBY.replace("BUILT", '"<h2>#{label}</h2>".html_safe'),
        _RUBY.replace("BUILT", "content_tag(:h2, label)"),
    ),
    (
        "a folder that everybody may have made",
        "python",
        'import os\ndef work(name):\n    os.makedirs("/tmp/pack-" + name, mode=0o777, exist_ok=True)\n',
        'import os\ndef work(name):\n    os.makedirs("/var/lib/pack/" + name, mode=0o777, exist_ok=True)\n',
    ),
)


_ONLY_NOTED = frozenset({"path", "url"})
"""What a helper's own parameter reaches; of these nobody is told."""


def _surest(code: str, language: str) -> float:
    tree = parse(code, language)
    assert tree is not None
    flows = [flow for flow in find_flows(tree) if flow.trust != "parameter" or flow.kind not in _ONLY_NOTED]
    return max((flow.confidence for flow in flows), default=0.0)


@pytest.mark.parametrize(("language", "unsafe"), [pytest.param(*pair[1:3], id=pair[0]) for pair in PAIRS])
def test_a_request_reaches_a_sink(language: str, unsafe: str) -> None:
    assert _surest(unsafe, language) >= 0.6


@pytest.mark.parametrize(("language", "safe"), [pytest.param(pair[1], pair[3], id=pair[0]) for pair in PAIRS])
def test_its_twin_is_silent(language: str, safe: str) -> None:
    assert _surest(safe, language) < 0.5
