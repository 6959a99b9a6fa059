"""Which command a line runs, as people speak of commands."""

from __future__ import annotations

import pytest

from leeboard.shell.command_kinds import ANY_COMMAND, is_command
from leeboard.shell.effects import shell_effects


def runs(line: str, named: str) -> bool:
    return any(is_command(started, named) for started in shell_effects(line, "/repo").started)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("git push origin HEAD:main", "git push main"),
        ("git -C web push", "git push"),
        ("bash -c 'git push'", "git push"),
        ("npm i -D zod", "add-dependency"),
        ("python -m pip install x", "add-dependency"),
        ("uv add --group dev x", "add-dependency"),
        ("git branch x", "new-branch"),
        ("git tag v1", "tag"),
        ("bundle exec rails db:migrate", "run-migrations"),
        ("cd api && ./manage.py migrate", "run-migrations"),
        ("php artisan migrate --force", "run-migrations"),
        ("git push -fu origin x", "force-push"),
        ("git push origin +main", "force-push"),
        ("sudo rm -rf build", "rm -rf"),
        ("make clean all", "make clean"),
        ("npm run dev", "start-server"),
        ("FOO=1 npm ci", "install"),
        ("ls", ANY_COMMAND),
    ],
)
def test_a_command_is_known_through_wrappers(line: str, named: str) -> None:
    assert runs(line, named)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("git push origin feature", "git push main"),
        ("git stash push", "git push"),
        ("git push --dry-run", "git push"),
        ("echo git push", "git push"),
        ("grep -rn 'git push' docs", "git push"),
        ("npm install", "add-dependency"),
        ("pip install -r requirements.txt", "add-dependency"),
        ("pip install -e .", "add-dependency"),
        ("go get ./...", "add-dependency"),
        ("git branch", "new-branch"),
        ("git branch -d x", "new-branch"),
        ("git tag -l", "tag"),
        ("git checkout -- src/a.py", "switch-branch"),
        ("git checkout src/a.py", "switch-branch"),
        ("rm build/a.o", "rm -rf"),
        ("python manage.py makemigrations", "run-migrations"),
        ("npm test", "start-server"),
    ],
)
def test_look_alikes_are_not_it(line: str, named: str) -> None:
    assert not runs(line, named)
