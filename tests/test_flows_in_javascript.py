"""JavaScript and TypeScript, with the fixes people write: pairs of unsafe code and its fixed twin."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.table import Kind
from leeboard.source.syntax import parse

PAIRS: tuple[tuple[str, Kind, bool, str, str], ...] = (
    (
        "file under a folder given",
        "path",
        False,
        """
    const fs = require('fs');
    const path = require('path');
    function readUserFile(baseDir, fileName) {
      const target = path.join(baseDir, fileName);
      return fs.readFileSync(target, 'utf8');
    }
    module.exports = { readUserFile };
        """,
        """
    const fs = require('fs');
    const path = require('path');
    function readUserFile(baseDir, fileName) {
      const base = path.resolve(baseDir);
      const target = path.resolve(base, fileName);
      if (!target.startsWith(base + path.sep)) {
        throw new Error('Access denied');
      }
      return fs.readFileSync(target, 'utf8');
    }
    module.exports = { readUserFile };
        """,
    ),
    (
        "relative path check",
        "path",
        False,
        """
    import fs from 'node:fs/promises';
    import path from 'node:path';
    export async function load(root, name) {
      return await fs.readFile(path.join(root, name));
    }
        """,
        """
    import fs from 'node:fs/promises';
    import path from 'node:path';
    export async function load(root, name) {
      const full = path.join(root, name);
      const relative = path.relative(root, full);
      if (relative.startsWith('..') || path.isAbsolute(relative)) {
        throw new Error('outside');
      }
      return await fs.readFile(full);
    }
        """,
    ),
    (
        "listing by a shell",
        "command",
        False,
        """
    const { execSync } = require('child_process');
    function listDir(dirPath) {
      const output = execSync(`ls -l ${dirPath}`, { encoding: 'utf-8' });
      return output;
    }
        """,
        """
    const { execFileSync } = require('child_process');
    function listDir(dirPath) {
      const output = execFileSync('ls', ['-l', dirPath], { encoding: 'utf-8' });
      return output;
    }
        """,
    ),
    (
        "spawn with a shell",
        "command",
        False,
        """
    const { spawn } = require('child_process');
    function convert(file) {
      return spawn(`convert ${file} out.png`, { shell: true });
    }
        """,
        """
    const { spawn } = require('child_process');
    function convert(file) {
      return spawn('convert', [file, 'out.png'], { shell: false });
    }
        """,
    ),
    (
        "promisified exec",
        "command",
        False,
        """
    const util = require('util');
    const exec = util.promisify(require('child_process').exec);
    async function lookup(domain) {
      const { stdout } = await exec('nslookup ' + domain);
      return stdout;
    }
        """,
        """
    const util = require('util');
    const execFile = util.promisify(require('child_process').execFile);
    async function lookup(domain) {
      const { stdout } = await execFile('nslookup', [domain]);
      return stdout;
    }
        """,
    ),
    (
        "page built of a parameter",
        "html",
        False,
        """
    function renderProfile(username, bio) {
      return `<div class="profile"><h1>${username}</h1><p>${bio}</p></div>`;
    }
    module.exports = renderProfile;
        """,
        """
    function escapeHtml(text) {
      const map = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
      return String(text).replace(/[&<>"']/g, (m) => map[m]);
    }
    function renderProfile(username, bio) {
      return `<div class="profile"><h1>${escapeHtml(username)}</h1><p>${escapeHtml(bio)}</p></div>`;
    }
    module.exports = renderProfile;
        """,
    ),
    (
        "sqlite by callback",
        "sql",
        False,
        """
    function getUser(db, userId, callback) {
      const query = `SELECT * FROM users WHERE id = '${userId}'`;
      db.get(query, (err, row) => callback(err, row));
    }
        """,
        """
    function getUser(db, userId, callback) {
      const query = 'SELECT * FROM users WHERE id = ?';
      db.get(query, [userId], (err, row) => callback(err, row));
    }
        """,
    ),
    (
        "sql in a class",
        "sql",
        False,
        """
    class UserRepository {
      constructor(pool) {
        this.pool = pool;
      }
      async findByEmail(email) {
        const result = await this.pool.query("SELECT * FROM users WHERE email = '" + email + "'");
        return result.rows[0];
      }
    }
    module.exports = UserRepository;
        """,
        """
    class UserRepository {
      constructor(pool) {
        this.pool = pool;
      }
      async findByEmail(email) {
        const result = await this.pool.query('SELECT * FROM users WHERE email = $1', [email]);
        return result.rows[0];
      }
    }
    module.exports = UserRepository;
        """,
    ),
    (
        "fetch of an address",
        "url",
        False,
        """
    async function getContent(url) {
      const response = await fetch(url);
      return response.text();
    }
    module.exports = { getContent };
        """,
        """
    const ALLOWED = ['api.example.com', 'cdn.example.com'];
    async function getContent(url) {
      const parsed = new URL(url);
      if (parsed.protocol !== 'https:' || !ALLOWED.includes(parsed.hostname)) {
        throw new Error('URL not allowed');
      }
      const response = await fetch(parsed.toString());
      return response.text();
    }
    module.exports = { getContent };
        """,
    ),
    (
        "http get of a host",
        "url",
        False,
        """
    const http = require('http');
    function fetchUrl(url, done) {
      http.get(url, (res) => done(res));
    }
        """,
        """
    const http = require('http');
    function isAllowed(url) {
      const { hostname } = new URL(url);
      return hostname === 'example.com' || hostname.endsWith('.example.com');
    }
    function fetchUrl(url, done) {
      if (!isAllowed(url)) {
        return done(new Error('blocked'));
      }
      http.get(url, (res) => done(res));
    }
        """,
    ),
    (
        "express handler as a name",
        "sql",
        True,
        """
    const getUser = async (req, res) => {
      const { id } = req.params;
      const user = await db.query('SELECT * FROM users WHERE id = ' + id);
      res.json(user);
    };
    router.get('/users/:id', getUser);
        """,
        """
    const getUser = async (req, res) => {
      const { id } = req.params;
      if (isNaN(id)) {
        return res.status(400).json({ error: 'bad id' });
      }
      const user = await db.query('SELECT * FROM users WHERE id = ' + id);
      res.json(user);
    };
    router.get('/users/:id', getUser);
        """,
    ),
    (
        "controller in a class",
        "path",
        True,
        """
    class FileController {
      download(req, res) {
        const file = req.query.file;
        res.sendFile('/srv/files/' + file);
      }
    }
    module.exports = new FileController();
        """,
        """
    class FileController {
      download(req, res) {
        const file = req.query.file;
        res.sendFile(file, { root: '/srv/files' });
      }
    }
    module.exports = new FileController();
        """,
    ),
    (
        "new Function",
        "code",
        False,
        """
    function compile(formula) {
      const fn = new Function('x', 'return ' + formula);
      return fn(1);
    }
        """,
        """
    function compile(formula) {
      if (!/^[0-9x+*() -]+$/.test(formula)) {
        throw new Error('bad formula');
      }
      const fn = new Function('x', 'return ' + formula);
      return fn(1);
    }
        """,
    ),
    (
        "timer with a text",
        "code",
        True,
        """
    app.get('/later', (req, res) => {
      setTimeout(req.query.code, 100);
      res.end();
    });
        """,
        """
    app.get('/later', (req, res) => {
      setTimeout(() => console.log('later'), 100);
      res.end();
    });
        """,
    ),
    (
        "schema validated body",
        "sql",
        True,
        """
    app.post('/users', async (req, res) => {
      const { name } = req.body;
      await db.query(`INSERT INTO users VALUES ('${name}')`);
      res.end();
    });
        """,
        """
    const schema = Joi.object({ name: Joi.string().alphanum().required() });
    app.post('/users', async (req, res) => {
      const { error, value } = schema.validate(req.body);
      if (error) return res.status(400).end();
      await db.query('INSERT INTO users VALUES (?)', [value.name]);
      res.end();
    });
        """,
    ),
    (
        "xml with entities",
        "xxe",
        False,
        """
    const libxmljs = require('libxmljs');
    function parseXml(text) {
      return libxmljs.parseXml(text, { noent: true });
    }
        """,
        """
    const libxmljs = require('libxmljs');
    function parseXml(text) {
      return libxmljs.parseXml(text, { noent: false });
    }
        """,
    ),
    (
        "xpath",
        "xpath",
        False,
        """
    const xpath = require('xpath');
    function findUser(doc, name) {
      return xpath.select(`//user[name='${name}']`, doc);
    }
        """,
        """
    const xpath = require('xpath');
    function findUser(doc, name) {
      const evaluate = xpath.parse('//user[name=$name]');
      return evaluate.select({ node: doc, variables: { name } });
    }
        """,
    ),
    (
        "typescript handler",
        "sql",
        True,
        """
    import { Request, Response } from 'express';
    export async function find(req: Request, res: Response): Promise<void> {
      const name = req.query.name as string;
      const rows = await pool.query(`SELECT * FROM t WHERE name = '${name}'`);
      res.json(rows);
    }
        """,
        """
    import { Request, Response } from 'express';
    export async function find(req: Request, res: Response): Promise<void> {
      const name = req.query.name as string;
      const rows = await pool.query('SELECT * FROM t WHERE name = $1', [name]);
      res.json(rows);
    }
        """,
    ),
    (
        "where clause",
        "nosql",
        True,
        """
    app.get('/u', async (req, res) => {
      const users = await User.find({ $where: `this.name == '${req.query.name}'` });
      res.json(users);
    });
        """,
        """
    app.get('/u', async (req, res) => {
      const users = await User.find({ name: String(req.query.name) });
      res.json(users);
    });
        """,
    ),
    (
        "hostname by a pattern",
        "command",
        False,
        """
    const { exec } = require('child_process');
    function ping(host, cb) {
      exec(`ping -c 4 ${host}`, cb);
    }
        """,
        """
    const { exec } = require('child_process');
    const HOSTNAME = /^[a-zA-Z0-9.-]+$/;
    function ping(host, cb) {
      if (typeof host !== 'string' || !HOSTNAME.test(host)) {
        cb(new Error('Invalid host'));
        return;
      }
      exec(`ping -c 4 ${host}`, cb);
    }
        """,
    ),
    (
        "result of a check kept",
        "command",
        False,
        """
    const { exec } = require('child_process');
    function ping(host, cb) {
      exec(`ping -c 4 ${host}`, cb);
    }
        """,
        """
    const { exec } = require('child_process');
    function ping(host, cb) {
      const isValid = /^[a-zA-Z0-9.-]+$/.test(host);
      if (!isValid) {
        return cb(new Error('Invalid host'));
      }
      exec(`ping -c 4 ${host}`, cb);
    }
        """,
    ),
    (
        "characters kept",
        "command",
        False,
        """
    const { exec } = require('child_process');
    function f(name) { exec('ls ' + name); }
        """,
        """
    const { exec } = require('child_process');
    function f(name) {
      const safe = name.replace(/[^a-zA-Z0-9_-]/g, '');
      exec('ls ' + safe);
    }
        """,
    ),
    (
        "table of commands",
        "command",
        True,
        """
    const { exec } = require('child_process');
    app.get('/x', (req, res) => { exec(req.query.cmd, (e, o) => res.json(o)); });
        """,
        """
    const { exec } = require('child_process');
    const COMMANDS = { list: 'ls -la', date: 'date' };
    app.get('/x', (req, res) => {
      const cmd = COMMANDS[req.query.cmd];
      if (!cmd) return res.status(400).end();
      exec(cmd, (e, o) => res.json(o));
    });
        """,
    ),
    (
        "replacements",
        "sql",
        True,
        """
    app.get('/x', async (req, res) => { res.json(await sequelize.query(`SELECT * FROM t WHERE n = '${req.query.n}'`)); });
        """,
        """
    app.get('/x', async (req, res) => { res.json(await sequelize.query('SELECT * FROM t WHERE n = :n', { replacements: { n: req.query.n } })); });
        """,
    ),
    (
        "rendered",
        "html",
        True,
        """
    app.get('/x', (req, res) => { res.send('<p>' + req.query.n + '</p>'); });
        """,
        """
    app.get('/x', (req, res) => { res.render('view', { name: req.query.n }); });
        """,
    ),
    (
        "normalised",
        "path",
        True,
        """
    const path = require('path'); const fs = require('fs');
    app.get('/x', (req, res) => { fs.readFile('/srv/' + req.query.f, (e, d) => res.json(d)); });
        """,
        r"""
    const path = require('path'); const fs = require('fs');
    app.get('/x', (req, res) => {
      const name = path.normalize(req.query.f).replace(/^(\.\.[\/\\])+/, '');
      const full = path.join('/srv', name);
      if (!full.startsWith('/srv/')) return res.status(403).end();
      fs.readFile(full, (e, d) => res.json(d));
    });
        """,
    ),
    (
        "schema",
        "sql",
        True,
        """
    app.post('/x', async (req, res) => { await db.query(`INSERT INTO t VALUES ('${req.body.name}')`); res.end(); });
        """,
        """
    const { z } = require('zod');
    const schema = z.object({ name: z.string().regex(/^[a-z]+$/) });
    app.post('/x', async (req, res) => { const { name } = schema.parse(req.body); await db.query(`INSERT INTO t VALUES ('${name}')`); res.end(); });
        """,
    ),
    (
        "some",
        "url",
        False,
        """
    async function get(url) { return fetch(url); }
        """,
        """
    const HOSTS = ['https://a.example.com/', 'https://b.example.com/'];
    async function get(url) {
      if (!HOSTS.some((host) => url.startsWith(host))) {
        throw new Error('no');
      }
      return fetch(url);
    }
        """,
    ),
    (
        "template tag",
        "sql",
        False,
        """
    async function get(name) { return db.query(`select * from t where n = '${name}'`); }
        """,
        """
    const sql = require('postgres')();
    async function get(name) { return sql`select * from t where n = ${name}`; }
        """,
    ),
    (
        "guard clause in a helper that throws",
        "command",
        False,
        """
    const { execSync } = require('child_process');
    function run(branch) { return execSync('git checkout ' + branch); }
        """,
        r"""
    const { execSync } = require('child_process');
    function assertBranch(name) {
      if (!/^[\w.-]+$/.test(name)) {
        throw new Error('bad branch');
      }
    }
    function run(branch) {
      assertBranch(branch);
      return execSync('git checkout ' + branch);
    }
        """,
    ),
    (
        "text content",
        "html",
        False,
        """
    function show(list, name) { list.innerHTML += `<li>${name}</li>`; }
        """,
        """
    function show(list, name) {
      const item = document.createElement('li');
      item.textContent = name;
      list.appendChild(item);
    }
        """,
    ),
    (
        "host list by a set in a class",
        "url",
        False,
        """
    class Client { async load(url) { return axios.get(url); } }
    module.exports = Client;
        """,
        """
    class Client {
      constructor() { this.allowed = new Set(['api.example.com']); }
      async load(url) {
        const parsed = new URL(url);
        if (!this.allowed.has(parsed.host)) throw new Error('blocked');
        return axios.get(parsed.href);
      }
    }
    module.exports = Client;
        """,
    ),
    (
        "prototype by a path",
        "prototype",
        False,
        """
    function setPath(obj, path, value) {
      const keys = path.split('.');
      let cur = obj;
      for (let i = 0; i < keys.length - 1; i++) {
        const key = keys[i];
        if (!cur[key]) cur[key] = {};
        cur = cur[key];
      }
      cur[keys[keys.length - 1]] = value;
    }
        """,
        """
    function setPath(obj, path, value) {
      const keys = path.split('.');
      let cur = obj;
      for (let i = 0; i < keys.length - 1; i++) {
        const key = keys[i];
        if (key === '__proto__' || key === 'constructor') return;
        if (!cur[key]) cur[key] = {};
        cur = cur[key];
      }
      cur[keys[keys.length - 1]] = value;
    }
        """,
    ),
)
"""Name, kind, whether a request brings the value, the unsafe code, the fixed code."""


def _found(code: str) -> dict[Kind, float]:
    tree = parse(code.replace("\n    ", "\n"), "typescript" if "Request, Response" in code else "javascript")
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
