"""What routes, hooks, filters and clients of frameworks hand on: the dangerous way beside the one that does no harm."""

from __future__ import annotations

import pytest

from tests.security.taint.surest_flow import surest

_RAILS = "class A < ApplicationController\n  def a\n    BODY\n  end\n  private\n  def given\n    params.require(:u).permit(:name)\n  end\nend\n"
_HOOKED = "class A < ApplicationController\n  before_action :setHOOK\n  def show\n    Order.where(\"at > '#{@from}'\")\n  end\n  private\n  def set\n    @from = params[:from]\n  end\nend\n"
_MODEL = "class A < ApplicationRecord\n  def self.find_it(term)\n    BODY\n  end\nend\n"
_SLIM = "<?php\nuse Psr\\Http\\Message\\ServerRequestInterface as Request;\nreturn function (\\Slim\\App $app) {\n  $app->get('/a/{n}', function (Request $r, Response $res, array $args) {\n    $res->getBody()->write(BODY);\n  });\n};"
_ROUTED = "<?php\nuse Symfony\\Component\\Routing\\Attribute\\Route;\nclass A {\n  #[Route('/a/{PART}')]\n  public function a(string $n) { return new Response(\"<b>$n</b>\"); }\n}"
_PHP = "<?php\nuse Symfony\\Component\\HttpFoundation\\Request;\nclass A {\n  function f(Request $request) { $v = $request->query->get('v');\n    BODY }\n}"
_LARAVEL = "<?php\nuse Illuminate\\Http\\Request;\nclass A {\n  function f(Request $request) {\n    ['u' => $u] = $request->validate(['u' => 'required|RULE']);\n    BODY } }"
_SHORT = "<?php\nadd_shortcode('box', function ($given) {\n  $t = $_GET['t'];\n  return '<b>' . BODY . '</b>';\n});"
_STRIPPED = "<?php\n$t = str_replace('TAG', '', $_POST['t']);\necho \"<b>$t</b>\";"
_MOTOR = "import motor.motor_asyncio\nfrom aiohttp import web\nusers = motor.motor_asyncio.AsyncIOMotorClient().a.people\nasync def log_in(request: web.Request):\n    body = await request.json()\n    return await users.find_one({'pin': BODY})\n"
_FASTAPI = "from fastapi import FastAPI\nfrom pydantic import BaseModel\nfrom pymongo import MongoClient\ndb = MongoClient().a\napp = FastAPI()\nclass Entry(BaseModel):\n    pin: TYPE\n@app.post('/a')\ndef a(form: Entry, q: TYPE):\n    return db.users.find_one({'pin': GIVEN})\n"
_FILTER = "from django import template\nfrom django.utils.html import format_html\nfrom django.utils.safestring import mark_safe\nregister = template.Library()\nMARK\ndef badge(value):\n    return BODY\n"
_FLASK = "from flask import Flask, request\nfrom .models import User\napp = Flask(__name__)\n@app.post('/a')\ndef a():\n    data = request.get_json()\n    return User(BODY)\n"
_FORM = "from django import forms\nfrom django.db import connection\nclass Search(forms.Form):\n    term = forms.CharField()\ndef a(request):\n    form = Search(request.POST)\n    connection.cursor().execute(BODY)\n"
_EXPRESS = (
    "const express = require('express');\nconst app = express();\napp.get('/a', async (req, res) => {\n  BODY\n});\n"
)
_SOCKET = "const io = require('socket.io')(3000);\nconst vm = require('vm');\nio.on('connection', (socket) => {\n  socket.on('calc', (GIVEN) => { vm.runInNewContext(RUN); });\n});\n"
_DRIZZLE = "import { sql } from 'drizzle-orm';\nexport async function GET(req: Request) {\n  const by = new URL(req.url).searchParams.get('by');\n  return db.execute(sql`select * from t order by ${BODY}`);\n}\n"
_HONO = "import { Hono } from 'hono';\nimport { html, raw } from 'hono/html';\nconst app = new Hono();\napp.get('/a', (c) => c.html(html`<b>${BODY}</b>`));\n"
_MULTER = "const multer = require('multer');\nconst storage = multer.diskStorage({ filename: (req, file, cb) => cb(null, BODY) });\n"
_LDAP = "const ldap = require('ldapjs');\nconst client = ldap.createClient({});\nmodule.exports = (req, res) => {\n  const options = { filter: BODY };\n  client.search('dc=a', options, res.json);\n};\n"
_JAX = 'import jakarta.ws.rs.*;\n@Path("/a")\nclass A {\n  @GET public Response a(@QueryParam("n") String n) { return BODY; }\n}\n'
_ZIP = "import java.util.zip.*;\nclass A { void f(ZipInputStream in) throws Exception { ZipEntry e;\n  while ((e = in.getNextEntry()) != null) { BODY } } }\n"

_BOUND = 'class A : Controller {\n  public IActionResult F(RunModel model) { var c = new SqlCommand("SELECT 1 FROM t WHERE a = " + model.FIELD); return Ok(); }\n}\nclass RunModel { public int Id { get; set; } public string Name { get; set; } }\n'
_PARSED = (
    "class A < ApplicationController\n  def a\n    Nokogiri::XML(params[:x]) { |config| config.HOW }\n  end\nend\n"
)

PAIRS = [
    ("csharp", _BOUND.replace("FIELD", "Name"), _BOUND.replace("FIELD", "Id")),
    ("ruby", _PARSED.replace("HOW", "noent"), _PARSED.replace("HOW", "nonet")),
    ("ruby", _RAILS.replace("BODY", "`tar czf #{given[:name]}.tgz /srv`"), _RAILS.replace("BODY", "User.create(given)")),
    ("ruby", _RAILS.replace("BODY", "redirect_to given[:name]"), _RAILS.replace("BODY", "redirect_to given")),
    ("ruby", _RAILS.replace("BODY", "Faraday.new(url: params[:u]).get"), _RAILS.replace("BODY", "Faraday.new(url: BASE).get(id: params[:u])")),
    ("ruby", _HOOKED.replace("HOOK", ""), _HOOKED.replace("HOOK", ", only: :index")),
    ("ruby", _MODEL.replace("BODY", "find_by_sql(\"SELECT * FROM a WHERE t = '#{term}'\")"), _MODEL.replace("BODY", "where('t = ?', term)")),
    ("php", _SLIM.replace("BODY", '"<b>" . $args["n"] . "</b>"'), _SLIM.replace("BODY", '"<b>" . htmlspecialchars($args["n"]) . "</b>"')),
    ("php", _ROUTED.replace("PART", "n"), _ROUTED.replace("PART", r"n<\d+>")),
    ("php", _PHP.replace("BODY", 'Process::fromShellCommandline("pdf $v out.pdf");'), _PHP.replace("BODY", 'new Process(["pdf", $v, "out.pdf"]);')),
    ("php", _PHP.replace("BODY", "return $res->withHeader('Location', $v);"), _PHP.replace("BODY", "return $res->withHeader('X-Given', '1');")),
    ("php", _PHP.replace("BODY", "$qb = $em->createQueryBuilder(); $qb->where(\"p.a = '$v'\");"), _PHP.replace("BODY", "$qb = $em->createQueryBuilder(); $qb->where('p.a = :a')->setParameter('a', $v);")),
    ("php", _LARAVEL.replace("RULE", "url").replace("BODY", "return Http::get($u);"), _LARAVEL.replace("RULE", "in:a,b").replace("BODY", "return Http::get($u);")),
    ("php", _SHORT.replace("BODY", "$t"), _SHORT.replace("BODY", "esc_html($t)")),
    ("php", _STRIPPED.replace("TAG", "<script>"), _STRIPPED.replace("TAG", "<")),
    ("python", _MOTOR.replace("BODY", "body['pin']"), _MOTOR.replace("BODY", "str(body['pin'])")),
    ("python", _FASTAPI.replace("TYPE", "dict").replace("GIVEN", "form.pin"), _FASTAPI.replace("TYPE", "str").replace("GIVEN", "form.pin")),
    ("python", _FASTAPI.replace("TYPE", "dict").replace("GIVEN", "q"), _FASTAPI.replace("TYPE", "str | None").replace("GIVEN", "q")),
    ("python", _FILTER.replace("MARK", "@register.filter").replace("BODY", "mark_safe('<b>%s</b>' % value)"), _FILTER.replace("MARK", "@register.filter").replace("BODY", "format_html('<b>{}</b>', value)")),
    ("python", _FLASK.replace("BODY", "**data"), _FLASK.replace("BODY", "**{key: data[key] for key in ('name', 'bio')}")),
    ("python", _FORM.replace("BODY", "\"SELECT 1 FROM t WHERE n = '\" + form.cleaned_data['term'] + \"'\""), _FORM.replace("BODY", "'SELECT 1 FROM t WHERE n = %s', [form.cleaned_data['term']]")),
    ("python", "print(eval(input('> ')))\n", "print(int(input('> ')))\n"),
    ("javascript", _EXPRESS.replace("BODY", "for (const [k, v] of Object.entries(req.query)) db.query(`SELECT 1 FROM t WHERE a = '${v}'`);"), _EXPRESS.replace("BODY", "for (const [k, v] of Object.entries(req.query)) db.query('SELECT 1 FROM t WHERE a = ?', [v]);")),
    ("javascript", _EXPRESS.replace("BODY", "const text = req.query.t.replace('<script>', '');\n  res.send('<b>' + text + '</b>');"), _EXPRESS.replace("BODY", "const text = req.query.t.replace(/</g, '');\n  res.send('<b>' + text + '</b>');")),
    ("javascript", _SOCKET.replace("GIVEN", "line").replace("RUN", "line"), _SOCKET.replace("GIVEN", "line").replace("RUN", "KNOWN[line] ? '1' : '2'")),
    ("typescript", _DRIZZLE.replace("BODY", "sql.raw(by)"), _DRIZZLE.replace("BODY", "by")),
    ("typescript", _HONO.replace("BODY", "raw(c.req.query('n'))"), _HONO.replace("BODY", "c.req.query('n')")),
    ("javascript", _MULTER.replace("BODY", "file.originalname"), _MULTER.replace("BODY", "randomUUID()")),
    ("javascript", _LDAP.replace("BODY", "'(uid=' + req.query.u + ')'"), _LDAP.replace("BODY", "new ldap.EqualityFilter({ attribute: 'uid', value: req.query.u })")),
    ("java", _JAX.replace("BODY", 'Response.ok("<b>" + n + "</b>").build()'), _JAX.replace("BODY", 'Response.ok("<b>" + Encode.forHtml(n) + "</b>").build()')),
    ("java", _JAX.replace("BODY", "ResponseEntity.status(302).location(URI.create(n)).build()"), _JAX.replace("BODY", 'ResponseEntity.status(302).location(URI.create("/a")).build()')),
    ("java", _ZIP.replace("BODY", 'new FileOutputStream(new File("/srv", e.getName()));'), _ZIP.replace("BODY", 'new FileOutputStream(new File("/srv", "one"));')),
]  # fmt: skip


@pytest.mark.parametrize(("language", "harmful", "harmless"), PAIRS)
def test_each_is_heard_and_its_twin_is_not(language: str, harmful: str, harmless: str) -> None:
    assert surest(harmful, language) > 0.5
    assert surest(harmless, language) < 0.5


def test_the_part_behind_the_mark_of_the_own_address_is_decoded() -> None:
    text = "const to = WHOLE;\ndocument.body.innerHTML = '<h2>' + to + '</h2>';\n"
    assert surest(text.replace("WHOLE", "decodeURIComponent(window.location.hash)"), "javascript") > 0.5
    assert surest(text.replace("WHOLE", "window.location.href"), "javascript") < 0.5
