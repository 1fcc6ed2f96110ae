"""Which of several proposals is kept: who stands highest, of equals the first, and none without a place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedmate.readers.code.evidence.precedence import Certainty, Proposer
from schedmate.readers.code.evidence.proposals import MOST_REMEMBERED, Basis, Proposals
from schedmate.readers.code.values.value import SourceLocation, Value

HERE = (SourceLocation("train.py", 1),)


def proposals_of(ranks):
    made = Proposals()
    for place, rank in enumerate(ranks):
        with made.proposing(Proposer(f"rule {place}", Certainty.SEEN, rank)):
            made.keep("epochs", place + 1, HERE)
    return made


@given(st.lists(st.integers(0, 999), min_size=1, max_size=6, unique=True), st.randoms())
def test_the_order_of_asking_changes_nothing(ranks, random):
    shuffled = random.sample(ranks, len(ranks))
    assert proposals_of(ranks).values["epochs"].by.rank == min(ranks)
    assert proposals_of(shuffled).values["epochs"].by.rank == min(ranks)


def test_of_equals_the_first_is_kept_and_all_are_remembered():
    made = proposals_of([1, 1, 3])
    assert made.get("epochs") == 1
    assert [one.value for one in made.proposals()["epochs"]] == [1, 2, 3]


def test_only_who_is_declared_to_corrects_what_was_kept():
    made = proposals_of([1])
    with made.proposing(Proposer("a share", Certainty.OPTION, 9, corrects=("epochs",))):
        made.correct("epochs", 2, HERE)
    assert made.get("epochs") == 2
    with made.proposing(Proposer("another", Certainty.SEEN, 0)), pytest.raises(LookupError, match="CORRECTS"):
        made.correct("epochs", 3, HERE)


def test_a_field_is_known_by_its_value_or_since_it_has_none():
    made = proposals_of([1])
    assert made.knows("epochs")
    assert not made.knows("total_steps")
    made.rule_out("total_steps")
    assert made.knows("total_steps")


def test_without_a_place_nothing_is_kept():
    made = Proposals()
    assert not made.keep("epochs", 3, ())
    assert not made.keep("epochs", 3, (SourceLocation("", 1),))
    assert made.get("epochs") is None


@pytest.mark.parametrize("data", [True, 0, -1, float("nan"), 1e16, "3", None])
def test_what_is_no_sensible_number_is_not_kept(data):
    assert not Proposals().number("epochs", Value(data, HERE))


def test_a_field_that_is_ruled_out_stays_empty():
    made = Proposals()
    made.rule_out("epochs")
    assert made.number("epochs", Value(3, HERE))
    assert made.get("epochs") is None


def test_who_stands_higher_than_who_ruled_a_field_out_is_heard():
    made = Proposals()
    with made.proposing(Proposer("likely", Certainty.LIKELY, 9)):
        made.rule_out("epochs")
    with made.proposing(Proposer("lower", Certainty.LIKELY, 10)):
        made.keep("epochs", 3, HERE)
    assert (made.get("epochs"), [one.value for one in made.proposals()["epochs"]]) == (None, [3])
    with made.proposing(Proposer("seen", Certainty.SEEN, 1)):
        made.keep("epochs", 7, HERE)
    assert made.get("epochs") == 7
    with made.proposing(Proposer("an exit", Certainty.SEEN, 5, corrects=("epochs",))):
        made.give_up("epochs")
    with made.proposing(Proposer("told", Certainty.TOLD, 0)):
        made.keep("epochs", 8, HERE)
    assert made.get("epochs") is None, "what was taken back is so for good"


def test_what_gives_way_is_remembered_within_bounds():
    made = Proposals()
    for place in range(3 * MOST_REMEMBERED):
        made.keep("epochs", place + 1, HERE)
    assert made.get("epochs") == 1
    assert len(made.proposals()["epochs"]) == MOST_REMEMBERED


def test_accumulation_and_strategies_keep_the_first():
    made = Proposals()
    made.accumulates(Value("auto"))
    made.accumulates(Value(4))
    made.accumulates(Value(8))
    made.spreads("DDP", HERE)
    made.spreads("DDP", (SourceLocation("other.py", 2),))
    assert made.accumulation is not None
    assert made.accumulation.data == 4
    assert made.strategies == {"DDP": HERE}


def test_what_a_value_is_taken_from_is_said_in_its_note_unless_that_says_more():
    made = Proposals()
    made.keep("model_name", "owl-b", HERE, basis=Basis.WEIGHTS)
    made.keep("is_training", True, HERE, "the name of fit.py", Basis.LOST_LOOP)
    assert made.values["model_name"].note == "the weights that it starts from"
    told = made.values["is_training"]
    assert (told.note, told.basis) == ("the name of fit.py", Basis.LOST_LOOP)
