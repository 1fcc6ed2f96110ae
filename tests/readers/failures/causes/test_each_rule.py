"""Each rule of the table decides a log of its own, does nothing to one near it, and is not there in vain."""

import pytest

from schedmate.readers.failures.causes.corrections import TABLES
from tests.readers.failures.causes.each_rule import of_choice, of_places, of_weight
from tests.readers.failures.causes.each_rule.row import marked
from tests.readers.failures.moves import asked_of, verdict_of

ROWS = (*of_weight.ROWS, *of_choice.ROWS, *of_places.ROWS)
NAMES = [row.rule for row in ROWS]


def answer(verdict):
    """Give the root's line, and which entry classes it."""
    return (verdict.root.number, verdict.root.failure.id) if verdict.root else (None, "")


def test_every_rule_has_its_row():
    assert [rule.name for table in TABLES for rule in table] == NAMES


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_it_decides_the_answer_which_is_another_without_it(tmp_path, row):
    text, root, without = marked(row.decides)
    verdict = verdict_of(tmp_path / "job.log", text)
    assert (answer(verdict)[0], row.rule in asked_of(verdict)) == (root, True)
    left_out = verdict_of(tmp_path / "job.log", text, [row.rule])
    assert answer(left_out)[0] == without
    assert answer(left_out) != answer(verdict)


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_it_leaves_alone_what_is_near(tmp_path, row):
    text, root, _ = marked(row.leaves)
    verdict = verdict_of(tmp_path / "job.log", text)
    assert (answer(verdict)[0], row.rule in asked_of(verdict)) == (root, False)
