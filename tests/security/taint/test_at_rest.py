"""What a flow is worth in code that lies there: what is proven stays refused, what hardly ever was a fault is logged."""

from __future__ import annotations

import pytest

from leeboard.security.taint.at_rest import rest_of
from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse
from leeboard.text.language import language_of

REFUSED = 0.85
FLASK = "from flask import Flask, request, redirect\napp = Flask(__name__)\n\n\n@app.route('/x')\ndef view():\n"
FAR = "    count()\n" * 60
CORS = """
app.use((req, res, next) => {
  if (!ASKED) return next();
  res.setHeader('Access-Control-Allow-Origin', req.headers.origin);
  res.setHeader('Access-Control-Allow-Credentials', 'true');
});
"""
UNZIP = """
import os, zipfile
def unpack(path, root):
    with zipfile.ZipFile(path) as packed:
        for name in packed.namelist():
            to = os.path.join(root, name)
            ASKED
            open(to, 'wb').write(packed.read(name))
"""
SERVLET = """
class A extends HttpServlet {
  public void doGet(HttpServletRequest req, HttpServletResponse res) {
    File f = new File(req.ASKED);
  }
}
"""


def resting(path: str, text: str) -> tuple[str, str]:
    """What the surest flow of the file is at most, and why."""
    tree = parse(text, language_of(path))
    assert tree is not None
    flow = max(find_flows(tree), key=lambda one: one.confidence)
    rest = rest_of(path, text, flow, is_refused=flow.confidence > REFUSED)
    return (rest.at_most if rest.why else "FIRE" if flow.confidence > REFUSED else "QUEUE"), rest.why


def php(body: str) -> str:
    return f"<?php\nfunction f($name) {{\n  {body}\n}}\n"


def flask(body: str) -> str:
    return FLASK + "".join(f"    {line}\n" for line in body.split("; "))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("app.py", flask('db.execute(f"SELECT * FROM u WHERE n = \'{request.args["n"]}\'")')),
        ("app.py", flask("name = request.form.get('n'); os.system('ping ' + name)")),
        ("app.py", flask("return '<b>' + request.args['n'] + '</b>'")),
        ("web/admin/users.php", php("echo '<td>' . $_GET['n'] . '</td>';")),
        ("lib/vendor_ruby/app.rb", "class A < ApplicationController\n  def a\n    system(params[:cmd])\n  end\nend\n"),
        ("app.py", flask("os.system('ping ' + request.args['host'])")),
        ("routes.js", "app.get('/u', (req, res) => {\n  db.query('SELECT 1 FROM u WHERE n = ' + req.query.n);\n});\n"),
    ],
)
def test_a_named_field_and_a_short_way_into_a_sure_harm_stay_refused(path: str, text: str) -> None:
    assert resting(path, text) == ("FIRE", "")


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        ("app.py", flask("return open('/srv/' + request.args['n']).read()"), "where the program runs"),
        ("app.py", flask("return redirect(request.args['next'])"), "where the program runs"),
        ("app.py", flask("os.system('ping ' + request.headers['X-Host'])"), "no field"),
        ("a.php", php("echo '<a href=' . $_SERVER['HTTP_REFERER'] . '>';"), "no field"),
        ("a.php", php("echo $_GET['n'];"), "no markup"),
        ("app.py", flask("n = request.args['n']") + FAR + "    os.system('ping ' + n)\n", "a long way"),
        ("install/step1.php", php("echo '<td>' . $_GET['n'] . '</td>';"), "nobody gets there"),
        ("web/console/run.php", php("system($_GET['n']);"), "as much without it"),
    ],
)
def test_what_leaves_something_to_assume_is_queued_with_its_reason(path: str, text: str, why: str) -> None:
    at_most, told = resting(path, text)
    assert at_most == "QUEUE"
    assert why in told


NEXT = (
    "import { NextResponse } from 'next/server';\nexport async function GET(req: Request) {\n"
    "  const { searchParams } = new URL(req.url);\n  return NextResponse.redirect(searchParams.get('to'));\n}\n"
)
FETCHED = flask("url = request.args['url']; import requests; TEST: return ''; return requests.get(url).text")
SENT_ON = flask(
    "from urllib.parse import urlparse; url = request.args['u']; if urlparse(url).netloc.endswith('END'):;     return redirect(url)"
)
SET = "for key, value in request.get_json().items(): HOW(user, key, value)"


@pytest.mark.parametrize(
    ("path", "text", "twin"),
    [
        ("app.py", FETCHED.replace("TEST", "if 'a.example' not in url"), FETCHED.replace("TEST", "if '/..' in url")),
        ("app.py", SENT_ON.replace("END", "a.example"), SENT_ON.replace("END", ".a.example")),
        ("app.py", flask(SET.replace("HOW", "setattr")), flask(SET.replace("HOW", "getattr"))),
    ],
    ids=["the name of a host anywhere", "a host that ends in another", "all fields that were sent"],
)
def test_what_reads_like_a_check_or_the_own_address_and_is_none_is_queued(path: str, text: str, twin: str) -> None:
    assert resting(path, text)[0] in {"QUEUE", "FIRE"}
    assert resting(path, twin)[0] == "LOG"


def test_a_field_of_the_address_that_was_asked_for_is_its_senders() -> None:
    assert resting("app/api/route.ts", NEXT) == ("QUEUE", "where the program runs decides what it harms")


@pytest.mark.parametrize(
    ("path", "text", "twin"),
    [
        (
            "dao.php",
            "<?php\nclass A {\n  private function f($name) { mysqli_query($c, \"SELECT 1 FROM u WHERE n = '$name'\"); }\n}\n",
            "<?php\nclass A {\n  public function f($name) { mysqli_query($c, \"SELECT 1 FROM u WHERE n = '$name'\"); }\n}\n$o = $_GET['o'];\n",
        ),
        (
            "app/controllers/u_controller.rb",
            "class U < ApplicationController\n  def a\n    @u.update(params[:u].slice(:name).permit!)\n  end\nend\n",
            "class U < ApplicationController\n  def a\n    @u.update(params[:u].permit!)\n  end\nend\n",
        ),
        (
            "lib/init.js",
            "const { exec } = require('child_process');\nfunction add(name) {\n  exec(`npm install ${name} --save`, done);\n}\n",
            "const { exec } = require('child_process');\nfunction add(name) {\n  exec(`ping ${name} -c 1`, done);\n}\nlet a = req.body;\n",
        ),
        (
            "up.js",
            "app.post('/up', async (req, res) => {\n  fs.writeFile('/up/' + req.file.originalname, b);\n});\n",
            "app.post('/up', async (req, res) => {\n  fs.writeFile('/up/' + req.body.name, b);\n});\n",
        ),
        (
            "cors.js",
            CORS.replace("ASKED", "matchOrigin(req, origins)"),
            CORS.replace("ASKED", "req.method"),
        ),
        (
            "app.py",
            flask("return redirect(request.form['next'])"),
            flask("return redirect(request.args['next'])"),
        ),
        (
            "unzip.py",
            UNZIP.replace("ASKED", "note(os.path.realpath(to).startswith(root))"),
            UNZIP.replace("ASKED", "note(to)"),
        ),
        (
            "page.py",
            "from jinja2 import Environment\nenv = Environment(loader=own)\n",
            flask("return '<b>' + request.args['n'] + '</b>'"),
        ),
        (
            "login.py",
            "from flask import session\n" + flask("session['user'] = request.form['user']"),
            flask("os.system('ping ' + request.args['host'])"),
        ),
        (
            "files.js",
            "app.get('/*', (request, reply) => {\n  reply.sendFile(request.params['*']);\n});\n",
            "app.get('/*', (request, reply) => {\n  fs.readFile('/srv/' + request.params['*'], done);\n});\n",
        ),
        ("A.java", SERVLET.replace("ASKED", "getPathTranslated()"), SERVLET.replace("ASKED", 'getParameter("f")')),
    ],
    ids=[
        "a private function",
        "named fields",
        "a tool of those who develop",
        "a name of an upload",
        "a list of origins",
        "a form",
        "a held entry",
        "a template",
        "who logged in",
        "a folder of its own",
        "a path that the container settled",
    ],
)
def test_what_hardly_ever_was_a_fault_is_logged_and_its_twin_is_not(path: str, text: str, twin: str) -> None:
    assert resting(path, text)[0] == "LOG"
    assert resting(path, twin)[0] != "LOG"


@pytest.mark.parametrize(
    ("path", "at_most"), [("examples/app.py", "LOG"), ("docs/example_web.py", "LOG"), ("app/shop.py", "FIRE")]
)
def test_an_example_is_only_logged(path: str, at_most: str) -> None:
    assert resting(path, flask("os.system('ping ' + request.args['host'])"))[0] == at_most
