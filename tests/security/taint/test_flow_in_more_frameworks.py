"""What frameworks call a request, and where they send it: each with the dangerous way beside the one that does no harm."""

from __future__ import annotations

import pytest

from tests.security.taint.surest_flow import surest

_SYMFONY = "<?php\nuse Symfony\\Component\\HttpFoundation\\Request;\nclass A extends AbstractController { function f(Request $request) { "
_CODE_IGNITER = "<?php\nclass A extends BaseController { function f() { $e = $this->request->getGet('e'); "
_YII = "<?php\nclass A extends Controller { function actionF() { $c = Yii::$app->request->post('c'); "
_DJANGO = "from django.shortcuts import redirect\nfrom .forms import LoginForm\ndef log_in(request):\n    form = LoginForm(request.POST)\n    if form.is_valid():\n"
_CLOUD = "import os, subprocess\ndef handler(event, context):\n    "
_SOCKET = "from channels.generic.websocket import WebsocketConsumer\nimport subprocess\nclass Console(WebsocketConsumer):\n    def receive(self, text_data):\n        "
_SPAWN = "const cp = require('child_process');\nmodule.exports = (req, res) => { "
_ANGULAR = "import { ActivatedRoute } from '@angular/router';\nclass A { constructor(private route: ActivatedRoute, private s: any) {\n  this.route.queryParams.subscribe((given) => { "
_JSX = "export function A() {\n  const to = new URLSearchParams(window.location.search).get('to');\n  return "
_VERTX = 'import io.vertx.ext.web.RoutingContext;\nclass A { Pool client; void f(RoutingContext ctx) {\n  String n = ctx.request().getParam("n");\n  '
_MONGO = "const User = require('./user');\nmodule.exports = (req, res) => User.findOne("
_RESOLVED = "const User = require('./user');\nconst resolvers = { Query: { user: async (_, { filter }) => User.findOne("
_CORS = 'services.AddCors(o => o.AddPolicy("p", b => b.'
_HUB = 'using System.Diagnostics;\npublic class BASE { public void Run(string line) { Process.Start("bash", "-c " + line); } }'
_XML = 'class A { Object f(InputStream in) { DocumentBuilderFactory f = DocumentBuilderFactory.newInstance(); FIRST return f.newDocumentBuilder().parse(in); }\n  Object g(InputStream in) { DocumentBuilderFactory g = DocumentBuilderFactory.newInstance(); g.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true); return g.newDocumentBuilder().parse(in); } }'
PAIRS = [
    ("php", _SYMFONY + "return $this->redirect($request->query->get('to')); } }", _SYMFONY + "return $this->redirect('/home'); } }"),
    ("php", _CODE_IGNITER + "return $db->query(\"SELECT * FROM m WHERE e = '$e'\"); } }", _CODE_IGNITER + "return $db->query('SELECT * FROM m WHERE e = ?', [$e]); } }"),
    ("php", _YII + "return unserialize($c); } }", _YII + "return json_decode($c); } }"),
    ("php", "<?php\nfunction f() { global $wpdb; return $wpdb->get_row(\"SELECT * FROM a WHERE id = {$_POST['id']}\"); }", "<?php\nfunction f() { global $wpdb; return $wpdb->get_row($wpdb->prepare('SELECT * FROM a WHERE id = %d', $_POST['id'])); }"),
    ("php", "<?php\nchmod($folder, 0777);", "<?php\nchmod($folder, 0750);"),
    ("python", _DJANGO + "        return redirect(request.POST['next'])", _DJANGO + "        return redirect(form.cleaned_data['next'])"),
    ("python", _CLOUD + "os.system('ls ' + event['dir'])", _CLOUD + "subprocess.run(['ls', '--', event['dir']])"),
    ("python", _SOCKET + "subprocess.run(text_data, shell=True)", _SOCKET + "subprocess.run(['uptime'])"),
    ("python", "import os\nfrom flask import jsonify\ndef f():\n    return jsonify(dict(os.environ))", "import os\nfrom flask import jsonify\ndef f():\n    return jsonify(os.environ.get('REGION'))"),
    ("python", "import os\ndef f(a):\n    return os.open(a, os.O_CREAT, 0o777)", "import os\ndef f(a):\n    return os.open(a, os.O_CREAT, 0o600)"),
    ("python", "from flask import request\ndef f(resp):\n    resp.set_cookie('sessionid', request.args['sid'])", "from flask import request\ndef f(resp):\n    resp.set_cookie('theme', request.args['theme'])"),
    ("javascript", _SPAWN + "cp.spawn('ls', [req.query.dir], { shell: true }); }", _SPAWN + "cp.spawn('ls', ['--', req.query.dir]); }"),
    ("typescript", _ANGULAR + "this.html = this.s.bypassSecurityTrustHtml(given['note']); }); } }", _ANGULAR + "this.html = given['note']; }); } }"),
    ("tsx", _JSX + "<a href={to}>x</a>; }", _JSX + "<a href={`/x/${to}`}>x</a>; }"),
    ("tsx", _JSX + "<iframe src={to}></iframe>; }", _JSX + "<Link href={to}>x</Link>; }"),
    ("java", _VERTX + "client.query(\"SELECT * FROM u WHERE n = '\" + n + \"'\"); } }", _VERTX + 'client.preparedQuery("SELECT * FROM u WHERE n = $1").execute(Tuple.of(n)); } }'),
    ("javascript", _MONGO + "{ email: { $eq: req.body.email }, password: req.body.password });", _MONGO + "{ email: { $eq: req.body.email }, password: String(req.body.password) });"),
    ("javascript", _RESOLVED + "JSON.parse(filter)) } };", _RESOLVED + "{ email: filter }) } };"),
    ("csharp", _CORS + "AllowAnyOrigin().AllowCredentials()));", _CORS + 'WithOrigins("https://a.example").AllowCredentials()));'),
    ("csharp", _CORS + "SetIsOriginAllowed(_ => true).AllowCredentials()));", _CORS + "SetIsOriginAllowed(known.Contains).AllowCredentials()));"),
    ("java", _XML.replace("FIRST", ""), _XML.replace("FIRST", "hardened(f);")),
    ("go", 'package a\nfunc f(w http.ResponseWriter, r *http.Request) { exec.Command("sh", "-c", "ls "+r.FormValue("d")).Run() }', 'package a\nfunc f(w http.ResponseWriter, r *http.Request) { exec.Command("ls", "--", r.FormValue("d")).Run() }'),
    ("ruby", 'class App < Roda\n  route do |r|\n    r.get("a") { `ls #{r.params["d"]}` }\n  end\nend', 'class App < Roda\n  route do |r|\n    r.get("a") { `ls` }\n  end\nend'),
]  # fmt: skip


@pytest.mark.parametrize(("language", "harmful", "harmless"), PAIRS)
def test_each_is_heard_and_its_twin_is_not(language: str, harmful: str, harmless: str) -> None:
    assert surest(harmful, language) > 0.5
    assert surest(harmless, language) < 0.5


def test_a_function_called_handler_is_one_of_a_cloud_by_what_it_is_given() -> None:
    text = "import os\ndef handler(GIVEN):\n    os.system('stop ' + event['dir'])\n"
    assert surest(text.replace("GIVEN", "event, context"), "python") > 0.85
    assert surest(text.replace("GIVEN", "event, frame"), "python") < 0.85


def test_a_query_read_from_a_text_is_one_that_the_text_was_put_into() -> None:
    text = 'class A { @GetMapping("/a") Object f(@RequestParam String n) { return mongo.find(new BasicQuery(BUILT), A.class); } }'
    assert surest(text.replace("BUILT", '"{ name: \'" + n + "\' }"'), "java") > 0.5
    assert surest(text.replace("BUILT", '"{ name: 1 }"'), "java") < 0.5


def test_a_browser_calls_the_methods_of_a_hub() -> None:
    assert surest(_HUB.replace("BASE", "Console : Hub"), "csharp") > 0.85
    assert surest(_HUB.replace("BASE", "Console : Tool"), "csharp") < 0.85
