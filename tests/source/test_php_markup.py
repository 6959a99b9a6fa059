"""Pages of PHP, read as the statements they run."""

from __future__ import annotations

import pytest

from leeboard.source.php_markup import statements_of
from leeboard.source.syntax import parse


@pytest.mark.parametrize(
    ("page", "statements"),
    [
        ("<?php echo 1;", "<?php echo 1;"),
        ("<?php echo 1; ?>\n", "<?php echo 1; ?>\n"),
        ("<b><?php echo 1 ?></b>", "   <?php echo 1 ;     "),
        ("<?php $x = 1; ?>\n<b><?= $x ?></b>", "<?php $x = 1;   \n   _e( $x );    "),
        ("<?php f(); ?><?= $x; ?>", "<?php f();   _e( $x  );"),
        ("<?php if ($a): ?><i><?php endif; ?>", "<?php if ($a):            endif;   "),
        ("<?php $s = 'a?>b'; // c ?><i>", "<?php $s = 'a?>b'; // c ;    "),
        ("no tags ?> at all", "no tags ?> at all"),
    ],
)
def test_markup_is_blanked_and_every_character_keeps_its_place(page: str, statements: str) -> None:
    assert statements_of(page) == statements
    assert len(statements) == len(page)


def test_a_page_of_markup_and_code_is_parsed_without_errors() -> None:
    page = "<ul>\n<?php foreach ($rows as $row) { ?>\n<li><?= $row ?></li>\n<?php } ?>\n</ul><?php function last_one() {} ?>"
    tree = parse(page, "php")
    assert tree is not None
    assert tree.errors == ()
    assert [(one.name, one.start) for one in tree.definitions] == [("last_one", 5)]
