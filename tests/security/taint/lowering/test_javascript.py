"""JavaScript and TypeScript: pairs of unsafe code and its fixed twin."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.table import Kind
from leeboard.source.syntax import parse

PAIRS: tuple[tuple[str, Kind, bool, str, str], ...] = (
    (
        "sql template in a route",
        "sql",
        True,
        """
    app.get('/user', (req, res) => {
      db.query(`SELECT * FROM users WHERE id = ${req.query.id}`, (err, rows) => res.json(rows));
    });
        """,
        """
    app.get('/user', (req, res) => {
      db.query('SELECT * FROM users WHERE id = ?', [req.query.id], (err, rows) => res.json(rows));
    });
        """,
    ),
    (
        "sql concatenation in a plain function",
        "sql",
        False,
        """
    async function findUser(db, name) {
      const sql = "SELECT * FROM users WHERE name = '" + name + "'";
      return await db.query(sql);
    }
    module.exports = { findUser };
        """,
        """
    async function findUser(db, name) {
      const sql = 'SELECT * FROM users WHERE name = $1';
      return await db.query(sql, [name]);
    }
    module.exports = { findUser };
        """,
    ),
    (
        "sql order column chosen from a list",
        "sql",
        True,
        """
    app.get('/list', async (req, res) => {
      const sort = req.query.sort;
      const rows = await pool.query('SELECT * FROM items ORDER BY ' + sort);
      res.json(rows);
    });
        """,
        """
    const COLUMNS = ['name', 'price'];
    app.get('/list', async (req, res) => {
      const sort = COLUMNS.includes(req.query.sort) ? req.query.sort : 'name';
      const rows = await pool.query('SELECT * FROM items ORDER BY ' + sort);
      res.json(rows);
    });
        """,
    ),
    (
        "command by exec",
        "command",
        True,
        """
    const { exec } = require('child_process');
    router.post('/ping', (req, res) => {
      const { host } = req.body;
      exec('ping -c 1 ' + host, (err, out) => res.json({ out }));
    });
        """,
        """
    const { execFile } = require('child_process');
    router.post('/ping', (req, res) => {
      const { host } = req.body;
      execFile('ping', ['-c', '1', host], (err, out) => res.json({ out }));
    });
        """,
    ),
    (
        "command in an exported function",
        "command",
        False,
        """
    const cp = require('child_process');
    exports.archive = function (name) {
      return cp.execSync(`tar czf backup.tgz ${name}`).toString();
    };
        """,
        """
    const cp = require('child_process');
    exports.archive = function (name) {
      if (!/^[a-z0-9_-]+$/i.test(name)) {
        throw new Error('bad name');
      }
      return cp.execSync(`tar czf backup.tgz ${name}`).toString();
    };
        """,
    ),
    (
        "eval of a parameter",
        "code",
        False,
        """
    export function calculate(expression) {
      return eval(expression);
    }
        """,
        """
    export function calculate(expression) {
      return JSON.parse(expression);
    }
        """,
    ),
    (
        "html of a response",
        "html",
        True,
        """
    app.get('/hello', function (req, res) {
      const name = req.query.name || 'you';
      res.send('<h1>Hello ' + name + '</h1>');
    });
        """,
        """
    const escapeHtml = require('escape-html');
    app.get('/hello', function (req, res) {
      const name = req.query.name || 'you';
      res.send('<h1>Hello ' + escapeHtml(name) + '</h1>');
    });
        """,
    ),
    (
        "innerHTML in the browser",
        "html",
        True,
        """
    const params = new URLSearchParams(window.location.search);
    document.getElementById('out').innerHTML = params.get('q');
        """,
        """
    const params = new URLSearchParams(window.location.search);
    document.getElementById('out').textContent = params.get('q');
        """,
    ),
    (
        "innerHTML from a parameter",
        "html",
        False,
        """
    function showComment(element, comment) {
      element.innerHTML = '<p>' + comment + '</p>';
    }
        """,
        """
    function escape(text) {
      return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
    }
    function showComment(element, comment) {
      element.innerHTML = '<p>' + escape(comment) + '</p>';
    }
        """,
    ),
    (
        "path of a download",
        "path",
        True,
        """
    const path = require('path');
    const fs = require('fs');
    app.get('/file', (req, res) => {
      const file = path.join(__dirname, 'uploads', req.query.name);
      fs.readFile(file, (err, data) => res.json({ size: data.length }));
    });
        """,
        """
    const path = require('path');
    const fs = require('fs');
    const BASE = path.resolve(__dirname, 'uploads');
    app.get('/file', (req, res) => {
      const file = path.resolve(BASE, req.query.name);
      if (!file.startsWith(BASE + path.sep)) {
        return res.status(403).end();
      }
      fs.readFile(file, (err, data) => res.json({ size: data.length }));
    });
        """,
    ),
    (
        "path in a plain function",
        "path",
        False,
        """
    const fs = require('fs');
    function readDocument(name) {
      return fs.readFileSync('/srv/docs/' + name, 'utf8');
    }
    module.exports = readDocument;
        """,
        """
    const fs = require('fs');
    const path = require('path');
    function readDocument(name) {
      return fs.readFileSync('/srv/docs/' + path.basename(name), 'utf8');
    }
    module.exports = readDocument;
        """,
    ),
    (
        "request to a given address",
        "url",
        True,
        """
    app.get('/proxy', async (req, res) => {
      const response = await axios.get(req.query.url);
      res.json(response.data);
    });
        """,
        """
    const ALLOWED_HOSTS = new Set(['api.example.com']);
    app.get('/proxy', async (req, res) => {
      const target = new URL(req.query.url);
      if (!ALLOWED_HOSTS.has(target.hostname)) {
        return res.status(400).end();
      }
      const response = await axios.get(target.href);
      res.json(response.data);
    });
        """,
    ),
    (
        "redirect",
        "redirect",
        True,
        """
    app.get('/go', (req, res) => {
      res.redirect(req.query.next);
    });
        """,
        """
    app.get('/go', (req, res) => {
      const next = req.query.next;
      if (!['/home', '/profile'].includes(next)) {
        return res.redirect('/');
      }
      res.redirect(next);
    });
        """,
    ),
    (
        "nosql query object",
        "nosql",
        True,
        """
    app.post('/login', async (req, res) => {
      const user = await users.findOne({ name: req.body.name, password: req.body.password });
      res.json(user);
    });
        """,
        """
    app.post('/login', async (req, res) => {
      const user = await users.findOne({ name: String(req.body.name), password: String(req.body.password) });
      res.json(user);
    });
        """,
    ),
    (
        "prototype pollution by a merge",
        "prototype",
        False,
        """
    function merge(target, source) {
      for (const key in source) {
        if (typeof source[key] === 'object') {
          target[key] = merge(target[key] || {}, source[key]);
        } else {
          target[key] = source[key];
        }
      }
      return target;
    }
    module.exports = merge;
        """,
        """
    function merge(target, source) {
      for (const key in source) {
        if (key === '__proto__' || key === 'constructor' || key === 'prototype') continue;
        if (typeof source[key] === 'object') {
          target[key] = merge(target[key] || {}, source[key]);
        } else {
          target[key] = source[key];
        }
      }
      return target;
    }
    module.exports = merge;
        """,
    ),
    (
        "deserialisation",
        "deserialise",
        True,
        """
    const serialize = require('node-serialize');
    app.post('/state', (req, res) => {
      const state = serialize.unserialize(req.cookies.state);
      res.json(state);
    });
        """,
        """
    app.post('/state', (req, res) => {
      const state = JSON.parse(req.cookies.state);
      res.json(state);
    });
        """,
    ),
    (
        "regular expression from a parameter",
        "regex",
        True,
        """
    app.get('/search', (req, res) => {
      const pattern = new RegExp(req.query.q, 'i');
      res.json(items.filter((item) => pattern.test(item)));
    });
        """,
        """
    const escapeRegExp = require('lodash/escapeRegExp');
    app.get('/search', (req, res) => {
      const pattern = new RegExp(escapeRegExp(req.query.q), 'i');
      res.json(items.filter((item) => pattern.test(item)));
    });
        """,
    ),
    (
        "header with a line break",
        "header",
        True,
        """
    app.get('/lang', (req, res) => {
      res.writeHead(200, { 'Set-Cookie': 'lang=' + req.query.lang });
      res.end();
    });
        """,
        """
    app.get('/lang', (req, res) => {
      res.writeHead(200, { 'Set-Cookie': 'lang=' + encodeURIComponent(req.query.lang) });
      res.end();
    });
        """,
    ),
    (
        "template from input",
        "template",
        True,
        """
    const ejs = require('ejs');
    app.post('/render', (req, res) => {
      const page = ejs.render(req.body.template, { user: 'x' });
      res.json({ page });
    });
        """,
        """
    const ejs = require('ejs');
    app.post('/render', (req, res) => {
      const page = ejs.render('<p><%= name %></p>', { name: req.body.template });
      res.json({ page });
    });
        """,
    ),
    (
        "koa context",
        "sql",
        True,
        """
    router.get('/users', async (ctx) => {
      const id = ctx.query.id;
      ctx.body = await sequelize.query('SELECT * FROM users WHERE id = ' + id);
    });
        """,
        """
    router.get('/users', async (ctx) => {
      const id = parseInt(ctx.query.id, 10);
      ctx.body = await sequelize.query('SELECT * FROM users WHERE id = ' + id);
    });
        """,
    ),
    (
        "zip slip",
        "path",
        False,
        """
    const fs = require('fs');
    const path = require('path');
    function extract(entries, target) {
      entries.forEach((entry) => {
        const out = path.join(target, entry.path);
        fs.writeFileSync(out, entry.data);
      });
    }
    module.exports = { extract };
        """,
        """
    const fs = require('fs');
    const path = require('path');
    function extract(entries, target) {
      entries.forEach((entry) => {
        const out = path.join(target, entry.path);
        if (!out.startsWith(target + path.sep)) {
          throw new Error('bad entry');
        }
        fs.writeFileSync(out, entry.data);
      });
    }
    module.exports = { extract };
        """,
    ),
    (
        "log with a line break",
        "log",
        True,
        """
    app.get('/x', (req, res) => {
      console.log('user: ' + req.query.user);
      res.end();
    });
        """,
        r"""
    app.get('/x', (req, res) => {
      console.log('user: ' + req.query.user.replace(/[\r\n]/g, ''));
      res.end();
    });
        """,
    ),
    (
        "react html",
        "html",
        False,
        """
    export function Comment({ body }) {
      return <div dangerouslySetInnerHTML={{ __html: body }} />;
    }
        """,
        """
    import DOMPurify from 'dompurify';
    export function Comment({ body }) {
      return <div dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(body) }} />;
    }
        """,
    ),
)
"""Name, kind, whether a request brings the value, the unsafe code, the fixed code."""


def _found(code: str) -> dict[Kind, float]:
    tree = parse(code.replace("\n    ", "\n"), "javascript")
    assert tree is not None
    found: dict[Kind, float] = {}
    for flow in find_flows(tree):
        found[flow.kind] = max(flow.confidence, found.get(flow.kind, 0.0))
    return found


@pytest.mark.parametrize(("kind", "from_request", "unsafe"), [pytest.param(*pair[1:4], id=pair[0]) for pair in PAIRS])
def test_unsafe_code_is_found(kind: Kind, *, from_request: bool, unsafe: str) -> None:
    found = _found(unsafe)
    assert kind in found
    assert found[kind] >= 0.55
    assert from_request or found[kind] <= 0.85


@pytest.mark.parametrize("fixed", [pytest.param(pair[4], id=pair[0]) for pair in PAIRS])
def test_its_fixed_twin_is_silent(fixed: str) -> None:
    assert {kind: sure for kind, sure in _found(fixed).items() if sure >= 0.5} == {}
