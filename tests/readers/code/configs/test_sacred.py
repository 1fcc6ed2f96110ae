"""Sacred alone: the local names of functions as a configuration, and the words behind `with`."""

import pytest

HEAD = (
    "from sacred import Experiment\nex = Experiment('a')\n"
    "@ex.config\ndef base():\n    lr = 0.1\n    epochs = 2\n    steps = epochs * 10\n"
    "@ex.named_config\ndef big():\n    epochs = 5\n"
)
MAIN = "@ex.automain\ndef main(lr, epochs, steps, _config):\n    global x\n    x = [lr, epochs, steps]\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", [0.1, 2, 20]),
        ("with lr=0.5", [0.5, 2, 20]),
        ("with epochs=3", [0.1, 3, 30]),
        ("with big", [0.1, 5, 50]),
        ("with big epochs=7", [0.1, 7, 70]),
        ("with c.yaml", [0.3, 2, 20]),
        ("-F logs with steps=1", [0.1, 2, 1]),
    ],
)
def test_words_stand_over_named_parts_and_these_over_the_rest(outcome, words, expected):
    assert outcome(HEAD + MAIN, words, {"c.yaml": "lr: 0.3\n"}) == expected


def test_a_command_is_started_by_its_name(outcome):
    text = (
        f"x = 'nothing'\n{HEAD}@ex.command\ndef show(lr):\n    global x\n"
        "    x = lr\n@ex.main\ndef main():\n    pass\nex.run_commandline()\n"
    )
    assert outcome(text, "show with lr=0.25") == 0.25


def test_a_captured_function_takes_what_the_caller_leaves_out(outcome):
    text = (
        f"{HEAD}@ex.capture\ndef rate(lr, scale):\n    return lr * scale\n"
        "@ex.automain\ndef main():\n    global x\n    x = rate(scale=2)\n"
    )
    assert outcome(text, "with lr=0.5") == 1.0


def test_an_ingredient_has_a_part_of_its_own(outcome):
    text = (
        "from sacred import Experiment, Ingredient\ndata = Ingredient('data')\n@data.config\ndef d():\n    batch = 4\n"
        "ex = Experiment('a', ingredients=[data])\n@ex.automain\ndef main(data):\n    global x\n    x = data['batch']\n"
    )
    assert outcome(text) == 4
    assert outcome(text, "with data.batch=8") == 8


def test_configurations_may_be_mappings(outcome):
    text = f"{HEAD}ex.add_config({{'lr': 0.9}})\n{MAIN}"
    assert outcome(text) == [0.9, 2, 20]
