"""A message says `1 job` and `2 jobs`: what is counted goes through one function."""

import ast
import re

import pytest

from schedmate.counts import how_many
from tests.test_layers import FILES, PACKAGE, nodes

THINGS = (
    "answer|cell|change|character|cluster|column|day|device|dimension|epoch|error|event|factor|failure|field|file|folder|format|"
    "GPU|host|hour|job|line|link|log|message|minute|model|node|note|one|other|question|rank|record|report|request|round|row|run|sample|"
    "second|slot|spare|statement|step|test|text|token|user|vector|word|worker|workload"
)
KINDS = "more|bad|odd|log|model|virtual|different|live|new|past"
COUNTED = re.compile(rf" (?:(?:{KINDS}) )?(?:(?:{THINGS})s|changes|entries|processes)\b(?!/)")

NEVER_ONE = {
    ("agents/claim_keys.py", "whole"),
    ("knowledge/code_tables.py", "table['maker']"),  # a verb: it reports
    ("history/commands.py", "value.count(',') + 1"),  # a mask that stands for a list of devices
    # a product that is explained: 8 x 4 processes x 2 accumulated
    ("readers/code/fields/batches/batches.py", "replicas.data"),
    ("readers/code/fields/length/epochs_and_steps.py", "outer.data"),
    ("readers/code/fields/length/steps_of_epochs.py", "epochs.value"),
    ("readers/code/fields/length/steps_of_epochs.py", "each.data"),
    ("scheduling/live/telling.py", "name"),  # a verb: it runs
    ("selftest.py", "vectors.shape[1]"),
    ("scheduling/live/this_machine.py", "nodes"),  # said where there are two or more
    ("tools/repository.py", "entries"),  # a limit
    ("tools/repository.py", "opened"),
}
"""Numbers that cannot be one, or of which English says it in the plural anyway."""


@pytest.mark.parametrize(
    ("number", "one", "shown"),
    [
        (1, "job", "1 job"),
        (0, "job", "0 jobs"),
        (1200, "entry", "1,200 entries"),
        (2, "day", "2 days"),
        (2, "process", "2 processes"),
        (2, "batch", "2 batches"),
        (2, "epoch", "2 epochs"),
        (0.5, "GPU", "0.5 GPUs"),
        (1.0, "GPU", "1 GPU"),
    ],
)
def test_a_number_and_what_it_counts_agree(number, one, shown):
    assert how_many(number, one) == shown


def test_a_verb_goes_along():
    assert [how_many(n, "job runs", "jobs run") for n in (1, 2)] == ["1 job runs", "2 jobs run"]


def uncounted(path):
    """Give the numbers that stand before a plural in a message of a file, without the function."""
    for node in nodes(path):
        if not isinstance(node, ast.JoinedStr):
            continue
        for number, words in zip(node.values, node.values[1:], strict=False):
            if not (isinstance(number, ast.FormattedValue) and isinstance(words, ast.Constant)):
                continue
            shown = ast.unparse(number.value)
            if COUNTED.match(str(words.value)) and not shown.isupper() and not shown.startswith("how_many("):
                yield path.relative_to(PACKAGE).as_posix(), shown


def test_no_message_counts_by_hand():
    found = {each for path in FILES for each in uncounted(path)}
    assert found == NEVER_ONE
