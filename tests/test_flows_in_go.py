"""Go, with the fixes people write: pairs of unsafe code and its fixed twin."""

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
    package files
    import ("os"; "path/filepath")
    func Read(baseDir, name string) ([]byte, error) {
        p := filepath.Join(baseDir, name)
        return os.ReadFile(p)
    }
        """,
        """
    package files
    import ("errors"; "os"; "path/filepath"; "strings")
    func Read(baseDir, name string) ([]byte, error) {
        base, err := filepath.Abs(baseDir)
        if err != nil {
            return nil, err
        }
        p, err := filepath.Abs(filepath.Join(base, name))
        if err != nil {
            return nil, err
        }
        if !strings.HasPrefix(p, base+string(os.PathSeparator)) {
            return nil, errors.New("denied")
        }
        return os.ReadFile(p)
    }
        """,
    ),
    (
        "relative check",
        "path",
        False,
        """
    package files
    import ("os"; "path/filepath")
    func Read(base, name string) ([]byte, error) {
        return os.ReadFile(filepath.Join(base, name))
    }
        """,
        """
    package files
    import ("errors"; "os"; "path/filepath"; "strings")
    func Read(base, name string) ([]byte, error) {
        full := filepath.Join(base, name)
        rel, err := filepath.Rel(base, full)
        if err != nil || strings.HasPrefix(rel, "..") {
            return nil, errors.New("outside")
        }
        return os.ReadFile(full)
    }
        """,
    ),
    (
        "dots rejected",
        "path",
        False,
        """
    package files
    import "os"
    func Read(name string) ([]byte, error) {
        return os.ReadFile("/data/" + name)
    }
        """,
        """
    package files
    import ("errors"; "os"; "strings")
    func Read(name string) ([]byte, error) {
        if strings.Contains(name, "..") {
            return nil, errors.New("bad name")
        }
        return os.ReadFile("/data/" + name)
    }
        """,
    ),
    (
        "page by Sprintf",
        "html",
        False,
        """
    package view
    import "fmt"
    func Render(name string) string {
        return fmt.Sprintf("<html><body><h1>%s</h1></body></html>", name)
    }
        """,
        """
    package view
    import ("fmt"; "html")
    func Render(name string) string {
        return fmt.Sprintf("<html><body><h1>%s</h1></body></html>", html.EscapeString(name))
    }
        """,
    ),
    (
        "exec in a helper",
        "command",
        True,
        """
    package main
    import ("net/http"; "os/exec")
    func run(cmd string) ([]byte, error) {
        return exec.Command("sh", "-c", cmd).Output()
    }
    func handler(w http.ResponseWriter, r *http.Request) {
        run("ls " + r.URL.Query().Get("dir"))
    }
        """,
        """
    package main
    import ("net/http"; "os/exec")
    func run(dir string) ([]byte, error) {
        return exec.Command("ls", "--", dir).Output()
    }
    func handler(w http.ResponseWriter, r *http.Request) {
        run(r.URL.Query().Get("dir"))
    }
        """,
    ),
    (
        "query context in a closure",
        "sql",
        True,
        """
    package main
    import ("fmt"; "net/http")
    func main() {
        http.HandleFunc("/u", func(w http.ResponseWriter, r *http.Request) {
            name := r.URL.Query().Get("name")
            q := "SELECT * FROM users WHERE name = '" + name + "'"
            rows, err := db.QueryContext(r.Context(), q)
            _, _ = rows, err
        })
    }
        """,
        """
    package main
    import "net/http"
    func main() {
        http.HandleFunc("/u", func(w http.ResponseWriter, r *http.Request) {
            name := r.URL.Query().Get("name")
            rows, err := db.QueryContext(r.Context(), "SELECT * FROM users WHERE name = ?", name)
            _, _ = rows, err
        })
    }
        """,
    ),
    (
        "body decoded",
        "sql",
        True,
        """
    package main
    import ("encoding/json"; "fmt"; "net/http")
    type In struct{ Name string }
    func create(w http.ResponseWriter, r *http.Request) {
        var in In
        json.NewDecoder(r.Body).Decode(&in)
        db.Exec(fmt.Sprintf("INSERT INTO t VALUES ('%s')", in.Name))
    }
        """,
        """
    package main
    import ("encoding/json"; "net/http")
    type In struct{ Name string }
    func create(w http.ResponseWriter, r *http.Request) {
        var in In
        json.NewDecoder(r.Body).Decode(&in)
        db.Exec("INSERT INTO t VALUES (?)", in.Name)
    }
        """,
    ),
    (
        "number parsed",
        "sql",
        True,
        """
    package main
    import ("fmt"; "net/http")
    func one(w http.ResponseWriter, r *http.Request) {
        id := r.FormValue("id")
        db.QueryRow(fmt.Sprintf("SELECT * FROM t WHERE id = %s", id))
    }
        """,
        """
    package main
    import ("fmt"; "net/http"; "strconv")
    func one(w http.ResponseWriter, r *http.Request) {
        id, err := strconv.Atoi(r.FormValue("id"))
        if err != nil {
            return
        }
        db.QueryRow(fmt.Sprintf("SELECT * FROM t WHERE id = %d", id))
    }
        """,
    ),
    (
        "address of a request",
        "url",
        False,
        """
    package client
    import ("io"; "net/http")
    func Fetch(url string) ([]byte, error) {
        resp, err := http.Get(url)
        if err != nil {
            return nil, err
        }
        defer resp.Body.Close()
        return io.ReadAll(resp.Body)
    }
        """,
        """
    package client
    import ("errors"; "io"; "net/http"; "net/url")
    func Fetch(raw string) ([]byte, error) {
        u, err := url.Parse(raw)
        if err != nil {
            return nil, err
        }
        if u.Scheme != "https" || u.Host != "api.example.com" {
            return nil, errors.New("not allowed")
        }
        resp, err := http.Get(u.String())
        if err != nil {
            return nil, err
        }
        defer resp.Body.Close()
        return io.ReadAll(resp.Body)
    }
        """,
    ),
    (
        "hosts in a helper",
        "url",
        False,
        """
    package client
    import "net/http"
    func Fetch(target string) (*http.Response, error) {
        return http.Get(target)
    }
        """,
        """
    package client
    import ("errors"; "net/http"; "net/url")
    var allowed = []string{"api.example.com"}
    func isAllowed(target string) bool {
        u, err := url.Parse(target)
        if err != nil {
            return false
        }
        for _, host := range allowed {
            if u.Hostname() == host {
                return true
            }
        }
        return false
    }
    func Fetch(target string) (*http.Response, error) {
        if !isAllowed(target) {
            return nil, errors.New("blocked")
        }
        return http.Get(target)
    }
        """,
    ),
    (
        "echo context",
        "redirect",
        True,
        """
    package main
    import "github.com/labstack/echo/v4"
    func next(c echo.Context) error {
        return c.Redirect(302, c.QueryParam("to"))
    }
        """,
        """
    package main
    import "github.com/labstack/echo/v4"
    func next(c echo.Context) error {
        to := c.QueryParam("to")
        if to != "/home" {
            to = "/"
        }
        return c.Redirect(302, to)
    }
        """,
    ),
    (
        "xpath",
        "xpath",
        False,
        """
    package q
    import ("fmt"; "github.com/antchfx/xmlquery")
    func Find(doc *xmlquery.Node, name string) *xmlquery.Node {
        return xmlquery.FindOne(doc, fmt.Sprintf("//user[name='%s']", name))
    }
        """,
        r"""
    package q
    import ("errors"; "fmt"; "regexp"; "github.com/antchfx/xmlquery")
    var word = regexp.MustCompile(`^\w+$`)
    func Find(doc *xmlquery.Node, name string) *xmlquery.Node {
        if !word.MatchString(name) {
            return nil
        }
        return xmlquery.FindOne(doc, fmt.Sprintf("//user[name='%s']", name))
    }
        """,
    ),
    (
        "builder of strings",
        "sql",
        False,
        """
    package store
    import "strings"
    func (s *Store) Search(term string) {
        var b strings.Builder
        b.WriteString("SELECT * FROM items WHERE name LIKE '%")
        b.WriteString(term)
        b.WriteString("%'")
        s.db.Query(b.String())
    }
        """,
        """
    package store
    func (s *Store) Search(term string) {
        s.db.Query("SELECT * FROM items WHERE name LIKE ?", "%"+term+"%")
    }
        """,
    ),
    (
        "header",
        "header",
        False,
        """
    package web
    import "net/http"
    func Disposition(w http.ResponseWriter, name string) {
        w.Header().Set("Content-Disposition", "attachment; filename="+name)
    }
        """,
        r"""
    package web
    import ("net/http"; "strings")
    func Disposition(w http.ResponseWriter, name string) {
        name = strings.NewReplacer("\r", "", "\n", "").Replace(name)
        w.Header().Set("Content-Disposition", "attachment; filename="+name)
    }
        """,
    ),
    (
        "table of columns",
        "sql",
        False,
        """
    package a
    func (s *S) List(sort string) { s.db.Query("SELECT * FROM t ORDER BY " + sort) }
        """,
        """
    package a
    func (s *S) List(sort string) {
        allowed := map[string]string{"name": "name", "age": "age"}
        col, ok := allowed[sort]
        if !ok {
            col = "name"
        }
        s.db.Query("SELECT * FROM t ORDER BY " + col)
    }
        """,
    ),
    (
        "characters",
        "command",
        False,
        """
    package a
    import "os/exec"
    func f(name string) error { return exec.Command("sh", "-c", "ls "+name).Run() }
        """,
        """
    package a
    import ("errors"; "os/exec"; "unicode")
    func f(name string) error {
        for _, c := range name {
            if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
                return errors.New("bad")
            }
        }
        return exec.Command("sh", "-c", "ls "+name).Run()
    }
        """,
    ),
    (
        "address",
        "command",
        False,
        """
    package a
    import "os/exec"
    func f(ip string) error { return exec.Command("sh", "-c", "ping "+ip).Run() }
        """,
        """
    package a
    import ("errors"; "net"; "os/exec")
    func f(ip string) error {
        if net.ParseIP(ip) == nil {
            return errors.New("bad")
        }
        return exec.Command("sh", "-c", "ping "+ip).Run()
    }
        """,
    ),
    (
        "number",
        "sql",
        True,
        """
    package a
    import ("fmt"; "net/http")
    func f(w http.ResponseWriter, r *http.Request) { db.Query(fmt.Sprintf("SELECT * FROM t WHERE id = %s", r.FormValue("id"))) }
        """,
        """
    package a
    import ("fmt"; "net/http"; "strconv")
    func f(w http.ResponseWriter, r *http.Request) {
        id := r.FormValue("id")
        if _, err := strconv.Atoi(id); err != nil {
            http.Error(w, "bad", 400)
            return
        }
        db.Query(fmt.Sprintf("SELECT * FROM t WHERE id = %s", id))
    }
        """,
    ),
    (
        "validator in the file",
        "command",
        False,
        """
    package a
    import "os/exec"
    func Run(name string) error { return exec.Command("bash", "-c", "echo "+name).Run() }
        """,
        """
    package a
    import ("fmt"; "os/exec"; "regexp")
    var re = regexp.MustCompile(`^[a-z]+$`)
    func validate(name string) error {
        if !re.MatchString(name) {
            return fmt.Errorf("bad name %q", name)
        }
        return nil
    }
    func Run(name string) error {
        if err := validate(name); err != nil {
            return err
        }
        return exec.Command("bash", "-c", "echo "+name).Run()
    }
        """,
    ),
    (
        "slices",
        "command",
        False,
        """
    package a
    import "os/exec"
    func Run(name string) error { return exec.Command("bash", "-c", "service "+name+" start").Run() }
        """,
        """
    package a
    import ("errors"; "os/exec"; "slices")
    var services = []string{"a", "b"}
    func Run(name string) error {
        if !slices.Contains(services, name) {
            return errors.New("unknown service")
        }
        return exec.Command("bash", "-c", "service "+name+" start").Run()
    }
        """,
    ),
    (
        "loop over a list",
        "command",
        False,
        """
    package a
    import "os/exec"
    func Run(name string) error { return exec.Command("bash", "-c", "service "+name+" start").Run() }
        """,
        """
    package a
    import ("errors"; "os/exec")
    var services = []string{"a", "b"}
    func Run(name string) error {
        valid := false
        for _, s := range services {
            if s == name {
                valid = true
                break
            }
        }
        if !valid {
            return errors.New("unknown service")
        }
        return exec.Command("bash", "-c", "service "+name+" start").Run()
    }
        """,
    ),
    (
        "base name compared",
        "path",
        False,
        """
    package a
    import "os"
    func Load(dir, name string) ([]byte, error) { return os.ReadFile(dir + "/" + name) }
        """,
        """
    package a
    import ("errors"; "os"; "path/filepath")
    func Load(dir, name string) ([]byte, error) {
        clean := filepath.Base(name)
        return os.ReadFile(filepath.Join(dir, clean))
    }
        """,
    ),
)
"""Name, kind, whether a request brings the value, the unsafe code, the fixed code."""


def _found(code: str) -> dict[Kind, float]:
    tree = parse(code.replace("\n    ", "\n"), "go")
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
