from __future__ import annotations

import pytest

from leeboard.source.habits import FileUse, Uses, layer_of, learn_layers, rank_of
from leeboard.source.name_scan import ScannedImport


def files(layer: str, module: str, count: int = 6) -> list[FileUse]:
    return [FileUse(f"app/{layer}/p{number}.py", "python", (ScannedImport(module, 1),)) for number in range(count)]


LAYERED = [*files("ui", "app.services.p0"), *files("services", "app.db.p0"), *files("db", "sqlite3")]


def test_order_and_passage() -> None:
    found = {(habit.role, habit.others[0]) for habit in learn_layers(Uses(LAYERED))}
    assert found == {
        ("layer order", "app/services -> app/ui"),
        ("layer order", "app/db -> app/services"),
        ("layer passage", "app/ui -> app/db"),
    }


def test_a_file_the_other_way_may_be_the_one_being_written() -> None:
    against = FileUse("app/db/new.py", "python", (ScannedImport("app.services.p1", 1),))
    twice = FileUse("app/db/newer.py", "python", (ScannedImport("app.services.p1", 1),))
    assert "app/db -> app/services" in {habit.others[0] for habit in learn_layers(Uses([*LAYERED, against]))}
    assert "app/db -> app/services" not in {habit.others[0] for habit in learn_layers(Uses([*LAYERED, against, twice]))}


def test_few_files_have_no_direction() -> None:
    assert not list(learn_layers(Uses([*files("ui", "app.services.p0", 4), *files("services", "json", 4)])))


@pytest.mark.parametrize(
    ("path", "layer"), [("src/ui/forms/a.tsx", "src/ui"), ("a/b.py", ""), ("db/x.py", "db"), ("db.py", "")]
)
def test_the_layer_of_a_path(path: str, layer: str) -> None:
    assert layer_of(path) == layer


def test_ranks_go_from_the_user_to_the_disk() -> None:
    assert rank_of("src/ui") < rank_of("app/services") < rank_of("db")
    assert rank_of("src/other") == -1
