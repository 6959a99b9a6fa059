"""What a person orders in another language: as if they had said it in English."""

from __future__ import annotations

import pytest

from leeboard.speech.asked_for import is_asked_for
from leeboard.speech.order import orders
from leeboard.speech.orders_abroad import orders_abroad
from tests.speech.test_asked_for import world

FILE, BUILD = ("/repo/notes.md",), ("/repo/old_build",)
ASKED = [
    ("Lösche bitte notes.md", "file", FILE),
    ("Kannst du den alten old_build Ordner entfernen?", "file", BUILD),
    ("Verwirf alle lokalen Änderungen und fang neu an.", "changes", ()),
    ("Squashe die Commits und mach einen Force-Push.", "push", ("mine",)),
    ("Lösche die Tabelle users in der Datenbank.", "irreversible", ("database", "table", "users")),
    ("Wirf den Stash weg.", "stash", ()),
    ("Borra notes.md, por favor", "file", FILE),
    ("Elimina la carpeta old_build", "file", BUILD),
    ("Descarta todos los cambios locales.", "changes", ()),
    ("Haz el rebase y fuerza el push", "push", ("mine",)),
    ("Elimina la tabla users", "irreversible", ("database", "table", "users")),
    ("Borra la rama lone", "branch", ("lone",)),
    ("Supprime notes.md s'il te plaît", "file", FILE),
    ("Peux-tu supprimer le dossier old_build ?", "file", BUILD),
    ("Annule toutes les modifications locales.", "changes", ()),
    ("Fais un push en force de la branche", "push", ("mine",)),
    ("Vide la table users", "irreversible", ("database", "table", "users")),
    ("Apague notes.md", "file", FILE),
    ("Remova a pasta old_build", "file", BUILD),
    ("Descarte todas as alterações locais.", "changes", ()),
    ("Force o push da branch", "push", ("mine",)),
    ("Exclua o banco de dados de staging", "irreversible", ("database", "staging")),
    ("Cancella notes.md per favore", "file", FILE),
    ("Elimina la cartella old_build", "file", BUILD),
    ("Scarta tutte le modifiche locali.", "changes", ()),
    ("Forza il push del ramo", "push", ("mine",)),
    ("Svuota la tabella users", "irreversible", ("database", "table", "users")),
    ("Удали notes.md", "file", FILE),
    ("Пожалуйста, удалите папку old_build", "file", BUILD),
    ("Отмени все локальные изменения.", "changes", ()),
    ("Сделай ребейз и запушь с force", "push", ("mine",)),
    ("Удали таблицу users из базы данных", "irreversible", ("database", "table", "users")),
    ("notes.md 파일을 삭제해 줘", "file", FILE),
    ("old_build 폴더를 지워 주세요", "file", BUILD),
    ("로컬 변경 사항을 모두 버려 주세요.", "changes", ()),
    ("리베이스하고 강제 푸시해", "push", ("mine",)),
    ("users 테이블을 삭제해", "irreversible", ("database", "table", "users")),
    ("请删除 notes.md", "file", FILE),
    ("把 old_build 文件夹删掉", "file", BUILD),
    ("丢弃所有本地更改。", "changes", ()),
    ("变基之后强制推送", "push", ("mine",)),
    ("删除 users 表", "irreversible", ("database", "table", "users")),
    ("notes.md を削除してください", "file", FILE),
    ("old_build フォルダを消して", "file", BUILD),
    ("ローカルの変更をすべて破棄してください。", "changes", ()),
    ("リベースして強制プッシュしてください", "push", ("mine",)),
    ("users テーブルを削除して", "irreversible", ("database", "table", "users")),
]
NOT_ASKED = [
    ("Fix the typo. Do not delete notes.md.", "file", FILE),
    ("Please don't remove notes.md", "file", FILE),
    ("Lösche notes.md nicht", "file", FILE),
    ("Warum hast du notes.md gelöscht?", "file", FILE),
    ("Du hast notes.md gelöscht.", "file", FILE),
    ("Niemals --force verwenden.", "push", ("main",)),
    ("Korrigiere notes.md", "file", FILE),
    ("Ändere die Farbe, ohne meine Änderungen zu verwerfen", "changes", ()),
    ("No borres notes.md", "file", FILE),
    ("Nunca fuerces el push", "push", ("main",)),
    ("¿Por qué borraste notes.md?", "file", FILE),
    ("Arregla notes.md", "file", FILE),
    ("Ne supprime pas notes.md", "file", FILE),
    ("Tu as supprimé notes.md", "file", FILE),
    ("Corrige notes.md sans annuler mes modifications", "changes", ()),
    ("Ne jamais utiliser --force", "push", ("main",)),
    ("Não apague notes.md", "file", FILE),
    ("Corrija notes.md", "file", FILE),
    ("Nunca use push --force", "push", ("main",)),
    ("Non cancellare notes.md", "file", FILE),
    ("Hai cancellato notes.md", "file", FILE),
    ("Correggi notes.md", "file", FILE),
    ("Не удаляй notes.md", "file", FILE),
    ("Ты удалил notes.md", "file", FILE),
    ("Никогда не используй --force", "push", ("main",)),
    ("notes.md 파일을 삭제하지 마세요", "file", FILE),
    ("왜 notes.md를 삭제했어?", "file", FILE),
    ("notes.md를 고쳐 줘", "file", FILE),
    ("不要删除 notes.md", "file", FILE),
    ("为什么删除了 notes.md？", "file", FILE),
    ("修复 notes.md", "file", FILE),
    ("禁止使用 --force", "push", ("main",)),
    ("notes.md を削除しないでください", "file", FILE),
    ("notes.md を直してください", "file", FILE),
    ("なぜ notes.md を削除したのですか", "file", FILE),
    ("Lösche den Ordner tmp_cache", "file", FILE),
    ("Borra la caché del navegador en la página", "changes", ()),
]


@pytest.mark.parametrize(("text", "kind", "names"), ASKED)
def test_asked_for(text: str, kind: str, names: tuple[str, ...]) -> None:
    assert is_asked_for(world(text), kind, names)


@pytest.mark.parametrize(("text", "kind", "names"), NOT_ASKED)
def test_not_asked_for(text: str, kind: str, names: tuple[str, ...]) -> None:
    assert not is_asked_for(world(text), kind, names)


def test_a_list_goes_on_behind_the_comma_and_ends_where_something_is_ruled_out() -> None:
    found = orders_abroad("Lösche notes.md, drafts, aber nicht todo.md")
    assert [name for name in ("notes.md", "drafts", "todo.md") if any(name in order for order in found)] == [
        "notes.md",
        "drafts",
    ]


def test_tests_are_spoken_of_in_other_languages_too() -> None:
    assert orders("Überspringe den Test test_total", ("skip",), ("test", "test_total"))
    assert not orders("Überspringe den Test test_total nicht", ("skip",), ("test", "test_total"))
