"""How the words of a command are read; the commands themselves are in `tests/fixtures/guard`."""

from __future__ import annotations

from leeboard.shell.effects import shell_effects
from leeboard.shell.irreversible import irreversible


def told(line: str) -> list[str]:
    return [found.subject for found in irreversible(shell_effects(line, "/repo"), line)]


def test_options_before_the_first_words_are_passed_over() -> None:
    assert told("kubectl -n prod --context x delete pod a") == ["kubectl delete pod"]
    assert told("terraform -chdir=infra destroy") == ["terraform destroy"]


def test_what_runs_elsewhere_is_read_as_a_command_of_its_own() -> None:
    assert told("docker exec db psql -c 'drop table a'") == ["psql: drop table a"]
    assert told("ssh host 'kubectl delete ns x'") == ["kubectl delete ns"]
    assert told("docker exec db ls") == []


def test_what_is_fed_by_a_pipe() -> None:
    assert told("echo 'drop table a' | psql app") == ["psql: drop table a"]
    assert told("echo 'drop table a'; psql app -c 'select 1'") == []


def test_what_is_meant_for_tests() -> None:
    assert told("dropdb app_test") == []
    assert told("RAILS_ENV=test rails db:drop") == []
    assert told("rails db:drop") == ["rails db:drop"]
