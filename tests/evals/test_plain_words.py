"""The lines that words are learned from are well formed, and learning from some of them tells the others."""

from importlib.resources import files
from random import Random

import pytest

from evals import plain_words
from evals.plain_lines.fitting import fitted, write_weights
from evals.plain_lines.lines import hands
from schedmate.readers.failures.sightings.plain_words import ENTRIES, NOTHING, shipped

HANDS = hands()


@pytest.mark.parametrize("name", sorted(HANDS))
def test_every_line_has_a_kind_and_words(name):
    lines = HANDS[name]
    assert {kind for kind, _ in lines} <= {*ENTRIES, NOTHING}
    assert all(text.strip() for _, text in lines)
    assert len({text for _, text in lines}) == len(lines)


def test_who_learns_from_one_hand_knows_much_of_another():
    draw = Random(1)
    lines = [*HANDS["companies"], *draw.sample(HANDS["planted"], 1500)]
    weights = fitted(lines)
    row = plain_words.row_of("operators", HANDS["operators"], weights)
    _, faults, sure, right, _, others, wrong = row
    assert sure > 0.25 * faults
    assert right > 0.6 * sure
    assert wrong < 0.1 * others


def test_what_is_written_is_what_ships(tmp_path):
    written, ships = tmp_path / "weights.json", files("schedmate.knowledge").joinpath("plain_words.json")
    write_weights(shipped(), written)
    assert written.read_bytes() == ships.read_bytes()
