"""C and C++: pairs of unsafe code and its fixed twin."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.table import Kind
from leeboard.source.syntax import parse

PAIRS: tuple[tuple[str, Kind, bool, str, str], ...] = (
    (
        "system with an argument",
        "command",
        False,
        """
    #include <stdlib.h>
    int main(int argc, char **argv) {
        char cmd[256];
        snprintf(cmd, sizeof(cmd), "ping -c 1 %s", argv[1]);
        return system(cmd);
    }
        """,
        """
    #include <unistd.h>
    int main(int argc, char **argv) {
        char *args[] = {"ping", "-c", "1", argv[1], NULL};
        return execv("/bin/ping", args);
    }
        """,
    ),
    (
        "system in a function",
        "command",
        False,
        """
    #include <stdlib.h>
    #include <string.h>
    void list_directory(const char *directory) {
        char command[512] = "ls -l ";
        strcat(command, directory);
        system(command);
    }
        """,
        """
    #include <stdlib.h>
    #include <string.h>
    #include <ctype.h>
    void list_directory(const char *directory) {
        char command[512] = "ls -l ";
        for (const char *p = directory; *p; p++) {
            if (!isalnum((unsigned char)*p)) {
                return;
            }
        }
        strcat(command, directory);
        system(command);
    }
        """,
    ),
    (
        "popen",
        "command",
        False,
        """
    #include <stdio.h>
    FILE *run(const char *file) {
        char buf[100];
        sprintf(buf, "cat %s | sort", file);
        return popen(buf, "r");
    }
        """,
        """
    #include <stdio.h>
    FILE *run(const char *file) {
        (void)file;
        return popen("cat data.txt | sort", "r");
    }
        """,
    ),
    (
        "sqlite exec",
        "sql",
        False,
        """
    #include <sqlite3.h>
    int find_user(sqlite3 *db, const char *name) {
        char sql[256];
        snprintf(sql, sizeof sql, "SELECT * FROM users WHERE name = '%s'", name);
        return sqlite3_exec(db, sql, NULL, NULL, NULL);
    }
        """,
        """
    #include <sqlite3.h>
    int find_user(sqlite3 *db, const char *name) {
        sqlite3_stmt *stmt;
        sqlite3_prepare_v2(db, "SELECT * FROM users WHERE name = ?", -1, &stmt, NULL);
        sqlite3_bind_text(stmt, 1, name, -1, SQLITE_TRANSIENT);
        return sqlite3_step(stmt);
    }
        """,
    ),
    (
        "mysql query",
        "sql",
        False,
        """
    #include <mysql.h>
    int find(MYSQL *conn, char *name) {
        char query[512];
        strcpy(query, "SELECT * FROM t WHERE n='");
        strcat(query, name);
        strcat(query, "'");
        return mysql_query(conn, query);
    }
        """,
        """
    #include <mysql.h>
    int find(MYSQL *conn, char *name) {
        char query[512];
        char safe[200];
        mysql_real_escape_string(conn, safe, name, strlen(name));
        strcpy(query, "SELECT * FROM t WHERE n='");
        strcat(query, safe);
        strcat(query, "'");
        return mysql_query(conn, query);
    }
        """,
    ),
    (
        "libpq",
        "sql",
        False,
        """
    #include <libpq-fe.h>
    int main(int argc, char *argv[]) {
        char q[300];
        sprintf(q, "DELETE FROM t WHERE id = %s", argv[1]);
        PGresult *res = PQexec(conn, q);
        return 0;
    }
        """,
        """
    #include <libpq-fe.h>
    int main(int argc, char *argv[]) {
        const char *values[1] = {argv[1]};
        PGresult *res = PQexecParams(conn, "DELETE FROM t WHERE id = $1", 1, NULL, values, NULL, NULL, 0);
        return 0;
    }
        """,
    ),
    (
        "format string",
        "format",
        False,
        """
    #include <stdio.h>
    void show(const char *message) {
        printf(message);
    }
        """,
        """
    #include <stdio.h>
    void show(const char *message) {
        printf("%s", message);
    }
        """,
    ),
    (
        "format string of a socket",
        "format",
        True,
        """
    #include <stdio.h>
    #include <sys/socket.h>
    int serve(int peer) {
        char line[128];
        recv(peer, line, sizeof(line), 0);
        fprintf(stderr, line);
        return 0;
    }
        """,
        """
    #include <stdio.h>
    #include <sys/socket.h>
    int serve(int peer) {
        char line[128];
        recv(peer, line, sizeof(line), 0);
        fputs(line, stderr);
        return 0;
    }
        """,
    ),
    (
        "syslog format",
        "format",
        False,
        """
    #include <syslog.h>
    void note(char *text) {
        syslog(LOG_INFO, text);
    }
        """,
        """
    #include <syslog.h>
    void note(char *text) {
        syslog(LOG_INFO, "%s", text);
    }
        """,
    ),
    (
        "path of a file",
        "path",
        False,
        """
    #include <stdio.h>
    FILE *open_document(const char *name) {
        char path[256];
        snprintf(path, sizeof(path), "/srv/docs/%s", name);
        return fopen(path, "r");
    }
        """,
        """
    #include <stdio.h>
    #include <string.h>
    FILE *open_document(const char *name) {
        char path[256];
        if (strstr(name, "..") != NULL || strchr(name, '/') != NULL) {
            return NULL;
        }
        snprintf(path, sizeof(path), "/srv/docs/%s", name);
        return fopen(path, "r");
    }
        """,
    ),
    (
        "path resolved",
        "path",
        True,
        """
    #include <fcntl.h>
    int serve(int peer) {
        char name[256];
        recv(peer, name, sizeof(name), 0);
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s", BASE, name);
        return open(path, O_RDONLY);
    }
        """,
        """
    #include <fcntl.h>
    #include <stdlib.h>
    #include <string.h>
    int serve(int peer) {
        char name[256];
        recv(peer, name, sizeof(name), 0);
        char path[4096];
        char resolved[4096];
        snprintf(path, sizeof(path), "%s/%s", BASE, name);
        if (realpath(path, resolved) == NULL) return 1;
        if (strncmp(resolved, BASE, strlen(BASE)) != 0) return 1;
        return open(resolved, O_RDONLY);
    }
        """,
    ),
    (
        "library chosen by the environment",
        "code",
        True,
        """
    #include <dlfcn.h>
    void *load(void) {
        const char *name = getenv("PLUGIN");
        return dlopen(name, RTLD_NOW);
    }
        """,
        """
    #include <dlfcn.h>
    void *load(void) {
        return dlopen("/usr/lib/plugin.so", RTLD_NOW);
    }
        """,
    ),
    (
        "address of a request",
        "url",
        False,
        """
    #include <curl/curl.h>
    void fetch(CURL *curl, const char *url) {
        curl_easy_setopt(curl, CURLOPT_URL, url);
        curl_easy_perform(curl);
    }
        """,
        """
    #include <curl/curl.h>
    #include <string.h>
    void fetch(CURL *curl, const char *url) {
        if (strncmp(url, "https://api.example.com/", 24) != 0) {
            return;
        }
        curl_easy_setopt(curl, CURLOPT_URL, url);
        curl_easy_perform(curl);
    }
        """,
    ),
    (
        "entities in xml",
        "xxe",
        False,
        """
    #include <libxml/parser.h>
    xmlDocPtr load(const char *text, int size) {
        return xmlReadMemory(text, size, "in.xml", NULL, XML_PARSE_NOENT | XML_PARSE_DTDLOAD);
    }
        """,
        """
    #include <libxml/parser.h>
    xmlDocPtr load(const char *text, int size) {
        return xmlReadMemory(text, size, "in.xml", NULL, XML_PARSE_NONET);
    }
        """,
    ),
    (
        "ldap filter",
        "ldap",
        False,
        """
    #include <ldap.h>
    int find(LDAP *ld, const char *user) {
        char filter[256];
        snprintf(filter, sizeof filter, "(uid=%s)", user);
        return ldap_search_ext_s(ld, "dc=x", LDAP_SCOPE_SUBTREE, filter, NULL, 0, NULL, NULL, NULL, 0, NULL);
    }
        """,
        """
    #include <ldap.h>
    int find(LDAP *ld, const char *user) {
        (void)user;
        return ldap_search_ext_s(ld, "dc=x", LDAP_SCOPE_SUBTREE, "(uid=guest)", NULL, 0, NULL, NULL, NULL, 0, NULL);
    }
        """,
    ),
    (
        "shell by execl",
        "command",
        False,
        """
    #include <unistd.h>
    void run(char *line) {
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    }
        """,
        """
    #include <unistd.h>
    void run(char *line) {
        execl("/bin/echo", "echo", line, (char *)NULL);
    }
        """,
    ),
    (
        "system with a string",
        "command",
        False,
        """
    #include <cstdlib>
    #include <string>
    void ping(const std::string& host) {
        std::string cmd = "ping -c 1 " + host;
        std::system(cmd.c_str());
    }
        """,
        """
    #include <cstdlib>
    #include <string>
    #include <regex>
    void ping(const std::string& host) {
        static const std::regex allowed("^[a-zA-Z0-9.-]+$");
        if (!std::regex_match(host, allowed)) {
            throw std::invalid_argument("host");
        }
        std::string cmd = "ping -c 1 " + host;
        std::system(cmd.c_str());
    }
        """,
    ),
    (
        "stream into sql",
        "sql",
        False,
        """
    #include <iostream>
    #include <sstream>
    int main() {
        std::string name;
        std::cin >> name;
        std::ostringstream sql;
        sql << "SELECT * FROM users WHERE name = '" << name << "'";
        sqlite3_exec(db, sql.str().c_str(), nullptr, nullptr, nullptr);
    }
        """,
        """
    #include <iostream>
    int main() {
        std::string name;
        std::cin >> name;
        sqlite3_stmt* stmt;
        sqlite3_prepare_v2(db, "SELECT * FROM users WHERE name = ?", -1, &stmt, nullptr);
        sqlite3_bind_text(stmt, 1, name.c_str(), -1, SQLITE_TRANSIENT);
    }
        """,
    ),
    (
        "file stream",
        "path",
        False,
        """
    #include <fstream>
    #include <string>
    std::string load(const std::string& name) {
        std::ifstream in("/srv/data/" + name);
        std::string line;
        std::getline(in, line);
        return line;
    }
        """,
        """
    #include <fstream>
    #include <string>
    #include <filesystem>
    std::string load(const std::string& name) {
        std::ifstream in("/srv/data/" + std::filesystem::path(name).filename().string());
        std::string line;
        std::getline(in, line);
        return line;
    }
        """,
    ),
    (
        "statement of a connector",
        "sql",
        False,
        """
    void find(sql::Connection* con, std::string id) {
        sql::Statement* stmt = con->createStatement();
        stmt->executeQuery("SELECT * FROM t WHERE id = " + id);
    }
        """,
        """
    void find(sql::Connection* con, std::string id) {
        sql::PreparedStatement* stmt = con->prepareStatement("SELECT * FROM t WHERE id = ?");
        stmt->setString(1, id);
        stmt->executeQuery();
    }
        """,
    ),
    (
        "getline into system",
        "command",
        False,
        """
    #include <iostream>
    int main() {
        std::string file;
        std::getline(std::cin, file);
        std::string cmd = "cat ";
        cmd.append(file);
        system(cmd.c_str());
    }
        """,
        """
    #include <iostream>
    #include <set>
    int main() {
        static const std::set<std::string> allowed = {"a.txt", "b.txt"};
        std::string file;
        std::getline(std::cin, file);
        if (allowed.find(file) == allowed.end()) {
            return 1;
        }
        std::string cmd = "cat ";
        cmd.append(file);
        system(cmd.c_str());
    }
        """,
    ),
    (
        "number from text",
        "sql",
        False,
        """
    void find(pqxx::work& txn, const std::string& id) {
        txn.exec("SELECT * FROM t WHERE id = " + id);
    }
        """,
        """
    void find(pqxx::work& txn, const std::string& id) {
        int number = std::stoi(id);
        txn.exec("SELECT * FROM t WHERE id = " + std::to_string(number));
    }
        """,
    ),
)
"""Name, kind, whether a request brings the value, the unsafe code, the fixed code."""


def _found(code: str) -> dict[Kind, float]:
    tree = parse(code.replace("\n    ", "\n"), "cpp" if "std::" in code or "::" in code else "c")
    assert tree is not None
    found: dict[Kind, float] = {}
    for flow in find_flows(tree):
        found[flow.kind] = max(flow.confidence, found.get(flow.kind, 0.0))
    return found


@pytest.mark.parametrize(("kind", "from_request", "unsafe"), [pytest.param(*pair[1:4], id=pair[0]) for pair in PAIRS])
def test_unsafe_code_is_found(kind: Kind, *, from_request: bool, unsafe: str) -> None:
    found = _found(unsafe)
    assert kind in found
    assert found[kind] >= (0.55 if from_request else 0.5)
    assert from_request or found[kind] <= 0.85


@pytest.mark.parametrize("fixed", [pytest.param(pair[4], id=pair[0]) for pair in PAIRS])
def test_its_fixed_twin_is_silent(fixed: str) -> None:
    assert {kind: sure for kind, sure in _found(fixed).items() if sure >= 0.5} == {}
