"""Names that say that something is for evaluation, and those that only hold letters of such a word."""

import pytest

from schedmate.knowledge.evaluation_words import is_measured_on, tells_evaluation


@pytest.mark.parametrize(
    "name",
    [
        "val_loader",
        "valloader",
        "EvalReader",
        "testset",
        "--eval_data.batch=8",
        "do_validate",
        "val1",
        "testloader2",
        "val2017",
    ],
)
def test_a_word_by_itself_in_a_name_or_glued_before_its_thing(name):
    assert tells_evaluation(name)


@pytest.mark.parametrize(
    "name", ["value_net", "interval", "latest", "invalid", "contest_data", "dev_id", "train_loader"]
)
def test_letters_of_another_word_say_nothing(name):
    assert not tells_evaluation(name)


def test_parts_of_data_count_where_data_are_meant():
    assert tells_evaluation("data/dev", "splits")
    assert not tells_evaluation("dev", "uses")


@pytest.mark.parametrize(
    ("name", "aside"), [("Set12", True), ("Set5_x3.h5", True), ("BSD500", False), ("set_five", False)]
)
def test_pictures_that_all_measure_on_are_no_data_to_train_on(name, aside):
    assert is_measured_on(name) is aside
