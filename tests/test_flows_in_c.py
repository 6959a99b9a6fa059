"""C and C++, with the fixes people write: pairs of unsafe code and its fixed twin."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.table import Kind, confidence_of
from leeboard.source.syntax import parse

PAIRS: tuple[tuple[str, Kind, bool, str, str], ...] = (
    (
        "file under a folder given",
        "path",
        False,
        """
    #include <stdio.h>
    #include <string.h>
    char *read_file(const char *base_dir, const char *name) {
        char path[1024];
        snprintf(path, sizeof(path), "%s/%s", base_dir, name);
        FILE *f = fopen(path, "r");
        if (!f) return NULL;
        return slurp(f);
    }
        """,
        """
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    char *read_file(const char *base_dir, const char *name) {
        char path[1024];
        char real_base[4096], real_path[4096];
        snprintf(path, sizeof(path), "%s/%s", base_dir, name);
        if (!realpath(base_dir, real_base) || !realpath(path, real_path)) {
            return NULL;
        }
        if (strncmp(real_path, real_base, strlen(real_base)) != 0) {
            return NULL;
        }
        FILE *f = fopen(real_path, "r");
        if (!f) return NULL;
        return slurp(f);
    }
        """,
    ),
    (
        "directory listing",
        "command",
        False,
        """
    #include <stdio.h>
    #include <stdlib.h>
    char *list_dir(const char *dir) {
        char cmd[300];
        snprintf(cmd, sizeof(cmd), "ls %s", dir);
        FILE *fp = popen(cmd, "r");
        return slurp(fp);
    }
        """,
        """
    #include <unistd.h>
    #include <sys/wait.h>
    char *list_dir(const char *dir) {
        pid_t pid = fork();
        if (pid == 0) {
            execlp("ls", "ls", dir, (char *)NULL);
            _exit(1);
        }
        waitpid(pid, NULL, 0);
        return NULL;
    }
        """,
    ),
    (
        "command with allocated buffer",
        "command",
        False,
        """
    #include <stdlib.h>
    #include <string.h>
    int backup(const char *file) {
        size_t len = strlen(file) + 32;
        char *cmd = malloc(len);
        strcpy(cmd, "tar czf backup.tgz ");
        strncat(cmd, file, len);
        int rc = system(cmd);
        free(cmd);
        return rc;
    }
        """,
        """
    #include <stdlib.h>
    #include <string.h>
    #include <ctype.h>
    static int is_safe(const char *s) {
        while (*s) {
            if (!isalnum((unsigned char)*s) && *s != '_') return 0;
            s++;
        }
        return 1;
    }
    int backup(const char *file) {
        if (!is_safe(file)) return -1;
        size_t len = strlen(file) + 32;
        char *cmd = malloc(len);
        strcpy(cmd, "tar czf backup.tgz ");
        strncat(cmd, file, len);
        int rc = system(cmd);
        free(cmd);
        return rc;
    }
        """,
    ),
    (
        "allow list of commands",
        "command",
        False,
        """
    #include <stdlib.h>
    #include <string.h>
    int run(const char *name) {
        return system(name);
    }
        """,
        """
    #include <stdlib.h>
    #include <string.h>
    int run(const char *name) {
        if (strcmp(name, "date") == 0) {
            return system("date");
        }
        if (strcmp(name, "uptime") == 0) {
            return system("uptime");
        }
        return -1;
    }
        """,
    ),
    (
        "list of names in a loop",
        "command",
        False,
        """
    #include <stdlib.h>
    #include <string.h>
    int run(const char *name) {
        char cmd[64];
        snprintf(cmd, 64, "service %s restart", name);
        return system(cmd);
    }
        """,
        """
    #include <stdlib.h>
    #include <string.h>
    static const char *allowed[] = {"nginx", "redis", NULL};
    int run(const char *name) {
        char cmd[64];
        int ok = 0;
        for (int i = 0; allowed[i]; i++) {
            if (strcmp(name, allowed[i]) == 0) {
                ok = 1;
                break;
            }
        }
        if (!ok) return -1;
        snprintf(cmd, 64, "service %s restart", name);
        return system(cmd);
    }
        """,
    ),
    (
        "sql by asprintf",
        "sql",
        False,
        """
    #include <sqlite3.h>
    int del(sqlite3 *db, const char *id) {
        char *sql = NULL;
        asprintf(&sql, "DELETE FROM t WHERE id = '%s'", id);
        int rc = sqlite3_exec(db, sql, 0, 0, 0);
        free(sql);
        return rc;
    }
        """,
        """
    #include <sqlite3.h>
    int del(sqlite3 *db, const char *id) {
        char *sql = sqlite3_mprintf("DELETE FROM t WHERE id = %Q", id);
        int rc = sqlite3_exec(db, sql, 0, 0, 0);
        sqlite3_free(sql);
        return rc;
    }
        """,
    ),
    (
        "number of a text",
        "sql",
        False,
        """
    #include <stdio.h>
    #include <mysql.h>
    int main(int argc, char *argv[]) {
        char q[200];
        sprintf(q, "SELECT * FROM t WHERE id = %s", argv[1]);
        mysql_query(conn, q);
    }
        """,
        """
    #include <stdio.h>
    #include <stdlib.h>
    #include <mysql.h>
    int main(int argc, char *argv[]) {
        char q[200];
        int id = atoi(argv[1]);
        sprintf(q, "SELECT * FROM t WHERE id = %d", id);
        mysql_query(conn, q);
    }
        """,
    ),
    (
        "page",
        "html",
        False,
        """
    #include <stdio.h>
    char *render(const char *name) {
        static char page[512];
        snprintf(page, sizeof(page), "<h1>Hello %s</h1>", name);
        return page;
    }
        """,
        """
    #include <stdio.h>
    char *render(const char *name) {
        static char page[512];
        char *safe = html_escape(name);
        snprintf(page, sizeof(page), "<h1>Hello %s</h1>", safe);
        return page;
    }
        """,
    ),
    (
        "socket into a command",
        "command",
        True,
        """
    #include <sys/socket.h>
    void serve(int fd) {
        char buf[256];
        int n = recv(fd, buf, sizeof(buf) - 1, 0);
        buf[n] = 0;
        system(buf);
    }
        """,
        """
    #include <sys/socket.h>
    #include <string.h>
    void serve(int fd) {
        char buf[256];
        int n = recv(fd, buf, sizeof(buf) - 1, 0);
        buf[n] = 0;
        if (strcmp(buf, "status") == 0) {
            system("status");
        }
    }
        """,
    ),
    (
        "environment into a format",
        "format",
        True,
        """
    #include <stdio.h>
    #include <stdlib.h>
    void greet(void) {
        char *name = getenv("NAME");
        printf(name);
    }
        """,
        r"""
    #include <stdio.h>
    #include <stdlib.h>
    void greet(void) {
        char *name = getenv("NAME");
        printf("%s\n", name);
    }
        """,
    ),
    (
        "xpath",
        "xpath",
        False,
        """
    #include <libxml/xpath.h>
    xmlXPathObjectPtr find(xmlXPathContextPtr ctx, const char *name) {
        char expr[256];
        snprintf(expr, sizeof(expr), "//user[name='%s']", name);
        return xmlXPathEvalExpression((const xmlChar *)expr, ctx);
    }
        """,
        r"""
    #include <libxml/xpath.h>
    #include <string.h>
    xmlXPathObjectPtr find(xmlXPathContextPtr ctx, const char *name) {
        char expr[256];
        if (strchr(name, '\'') != NULL) {
            return NULL;
        }
        snprintf(expr, sizeof(expr), "//user[name='%s']", name);
        return xmlXPathEvalExpression((const xmlChar *)expr, ctx);
    }
        """,
    ),
    (
        "characters searched",
        "command",
        False,
        """
    #include <stdlib.h>
    #include <string.h>
    void ping(const char *host) {
        char cmd[128];
        snprintf(cmd, sizeof cmd, "ping %s", host);
        system(cmd);
    }
        """,
        r"""
    #include <stdlib.h>
    #include <string.h>
    void ping(const char *host) {
        char cmd[128];
        if (strpbrk(host, ";&|`$<>\n") != NULL) {
            return;
        }
        snprintf(cmd, sizeof cmd, "ping %s", host);
        system(cmd);
    }
        """,
    ),
    (
        "canonical path",
        "path",
        False,
        """
    #include <filesystem>
    #include <fstream>
    #include <string>
    namespace fs = std::filesystem;
    std::string load(const std::string& base, const std::string& name) {
        std::ifstream file(base + "/" + name);
        std::stringstream ss;
        ss << file.rdbuf();
        return ss.str();
    }
        """,
        """
    #include <filesystem>
    #include <fstream>
    #include <string>
    namespace fs = std::filesystem;
    std::string load(const std::string& base, const std::string& name) {
        fs::path root = fs::canonical(base);
        fs::path full = fs::weakly_canonical(root / name);
        if (full.string().rfind(root.string(), 0) != 0) {
            throw std::runtime_error("denied");
        }
        std::ifstream file(full);
        std::stringstream ss;
        ss << file.rdbuf();
        return ss.str();
    }
        """,
    ),
    (
        "popen of a string",
        "command",
        False,
        """
    #include <cstdio>
    #include <string>
    #include <memory>
    std::string run(const std::string& dir) {
        std::string cmd = "ls " + dir;
        std::unique_ptr<FILE, decltype(&pclose)> pipe(popen(cmd.c_str(), "r"), pclose);
        return slurp(pipe.get());
    }
        """,
        """
    #include <string>
    #include <filesystem>
    std::string run(const std::string& dir) {
        std::string out;
        for (const auto& entry : std::filesystem::directory_iterator(dir)) {
            out += entry.path().filename().string();
        }
        return out;
    }
        """,
    ),
    (
        "page",
        "html",
        False,
        """
    #include <string>
    std::string render(const std::string& name) {
        return "<h1>Hello, " + name + "</h1>";
    }
        """,
        """
    #include <string>
    std::string escapeHtml(const std::string& in) {
        std::string out;
        for (char c : in) {
            switch (c) {
                case '<': out += "&lt;"; break;
                case '>': out += "&gt;"; break;
                default: out += c;
            }
        }
        return out;
    }
    std::string render(const std::string& name) {
        return "<h1>Hello, " + escapeHtml(name) + "</h1>";
    }
        """,
    ),
    (
        "characters in a loop",
        "command",
        False,
        """
    #include <cstdlib>
    #include <string>
    int ping(const std::string& host) {
        return std::system(("ping " + host).c_str());
    }
        """,
        """
    #include <cstdlib>
    #include <string>
    #include <cctype>
    int ping(const std::string& host) {
        for (char c : host) {
            if (!std::isalnum(c) && c != '.') {
                return -1;
            }
        }
        return std::system(("ping " + host).c_str());
    }
        """,
    ),
    (
        "method of a class",
        "sql",
        False,
        """
    #include <sqlite3.h>
    class Users {
    public:
        bool remove(const std::string& name) {
            std::string sql = "DELETE FROM users WHERE name = '" + name + "';";
            return sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
        }
    private:
        sqlite3* db_;
    };
        """,
        """
    #include <sqlite3.h>
    class Users {
    public:
        bool remove(const std::string& name) {
            sqlite3_stmt* stmt = nullptr;
            if (sqlite3_prepare_v2(db_, "DELETE FROM users WHERE name = ?;", -1, &stmt, nullptr) != SQLITE_OK) return false;
            sqlite3_bind_text(stmt, 1, name.c_str(), -1, SQLITE_TRANSIENT);
            return sqlite3_step(stmt) == SQLITE_DONE;
        }
    private:
        sqlite3* db_;
    };
        """,
    ),
    (
        "address of a request",
        "url",
        False,
        """
    #include <curl/curl.h>
    #include <string>
    void fetch(const std::string& url) {
        CURL* curl = curl_easy_init();
        curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
        curl_easy_perform(curl);
    }
        """,
        """
    #include <curl/curl.h>
    #include <string>
    void fetch(const std::string& url) {
        const std::string prefix = "https://api.example.com/";
        if (url.compare(0, prefix.size(), prefix) != 0) {
            return;
        }
        CURL* curl = curl_easy_init();
        curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
        curl_easy_perform(curl);
    }
        """,
    ),
    (
        "all characters",
        "command",
        False,
        """
    #include <algorithm>
    #include <cstdlib>
    void stop(std::string name) {
        std::string cmd = "killall " + name;
        system(cmd.c_str());
    }
        """,
        """
    #include <algorithm>
    #include <cstdlib>
    void stop(std::string name) {
        if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c); })) {
            throw std::invalid_argument("name");
        }
        std::string cmd = "killall " + name;
        system(cmd.c_str());
    }
        """,
    ),
    (
        "dots searched",
        "path",
        False,
        """
    #include <fstream>
    bool save(const std::string& name, const std::string& data) {
        std::ofstream out("uploads/" + name);
        out << data;
        return true;
    }
        """,
        """
    #include <fstream>
    bool save(const std::string& name, const std::string& data) {
        if (name.find("..") != std::string::npos || name.find('/') != std::string::npos) {
            return false;
        }
        std::ofstream out("uploads/" + name);
        out << data;
        return true;
    }
        """,
    ),
    (
        "environment and argument",
        "command",
        False,
        """
    #include <cstdlib>
    #include <iostream>
    int main(int argc, char* argv[]) {
        std::string cmd = std::string("grep ") + argv[1] + " data.txt";
        return system(cmd.c_str());
    }
        """,
        """
    #include <unistd.h>
    int main(int argc, char* argv[]) {
        execl("/bin/grep", "grep", "--", argv[1], "data.txt", nullptr);
    }
        """,
    ),
    (
        "pattern",
        "command",
        False,
        """
    #include <regex.h>
    #include <stdlib.h>
    int run(const char *name) { char c[99]; snprintf(c, 99, "ls %s", name); return system(c); }
        """,
        """
    #include <regex.h>
    #include <stdlib.h>
    int run(const char *name) {
        regex_t re;
        char c[99];
        regcomp(&re, "^[a-z]+$", REG_EXTENDED);
        if (regexec(&re, name, 0, NULL, 0) != 0) {
            return -1;
        }
        snprintf(c, 99, "ls %s", name);
        return system(c);
    }
        """,
    ),
    (
        "loop by index",
        "command",
        False,
        """
    #include <stdlib.h>
    int run(const char *name) { char c[99]; snprintf(c, 99, "ls %s", name); return system(c); }
        """,
        r"""
    #include <ctype.h>
    #include <stdlib.h>
    #include <string.h>
    int run(const char *name) {
        char c[99];
        for (size_t i = 0; i < strlen(name); i++) {
            if (!isalnum(name[i]) && name[i] != '-') {
                fprintf(stderr, "bad\n");
                return -1;
            }
        }
        snprintf(c, 99, "ls %s", name);
        return system(c);
    }
        """,
    ),
    (
        "validator in the file",
        "path",
        False,
        """
    #include <stdio.h>
    FILE *get(const char *n) { char p[99]; snprintf(p, 99, "/d/%s", n); return fopen(p, "r"); }
        """,
        """
    #include <stdbool.h>
    #include <stdio.h>
    #include <string.h>
    static bool valid(const char *n) {
        if (strstr(n, "..")) return false;
        if (n[0] == '/') return false;
        return true;
    }
    FILE *get(const char *n) {
        char p[99];
        if (!valid(n)) {
            return NULL;
        }
        snprintf(p, 99, "/d/%s", n);
        return fopen(p, "r");
    }
        """,
    ),
    (
        "bound statement in mysql",
        "sql",
        False,
        """
    #include <mysql.h>
    void find(MYSQL *c, const char *n) { char q[99]; sprintf(q, "SELECT * FROM t WHERE n='%s'", n); mysql_query(c, q); }
        """,
        """
    #include <mysql.h>
    void find(MYSQL *c, const char *n) {
        MYSQL_STMT *s = mysql_stmt_init(c);
        const char *q = "SELECT * FROM t WHERE n=?";
        mysql_stmt_prepare(s, q, strlen(q));
        MYSQL_BIND b[1];
        memset(b, 0, sizeof(b));
        b[0].buffer = (char *)n;
        mysql_stmt_bind_param(s, b);
        mysql_stmt_execute(s);
    }
        """,
    ),
)
"""Name, kind, whether a request brings the value, the unsafe code, the fixed code."""


def _found(code: str) -> dict[Kind, float]:
    tree = parse(code.replace("\n    ", "\n"), "cpp" if "std::" in code or "class " in code else "c")
    assert tree is not None
    found: dict[Kind, float] = {}
    for flow in find_flows(tree):
        found[flow.kind] = max(flow.confidence, found.get(flow.kind, 0.0))
    return found


@pytest.mark.parametrize(("kind", "from_request", "unsafe"), [pytest.param(*pair[1:4], id=pair[0]) for pair in PAIRS])
def test_unsafe_code_is_found(kind: Kind, *, from_request: bool, unsafe: str) -> None:
    found = _found(unsafe)
    assert kind in found
    assert found[kind] >= (0.55 if from_request else confidence_of(kind, "local"))
    assert from_request or found[kind] <= 0.85


@pytest.mark.parametrize("fixed", [pytest.param(pair[4], id=pair[0]) for pair in PAIRS])
def test_its_fixed_twin_is_silent(fixed: str) -> None:
    assert {kind: sure for kind, sure in _found(fixed).items() if sure >= 0.5} == {}
