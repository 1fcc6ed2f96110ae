"""gin alone: bindings by the names of functions, their scopes, macros and references."""

import pytest

from schedmate.readers.code.configs.gin import unfinished, value_of, without_comment
from schedmate.readers.code.values.nested import plain

HEAD = "import gin\n@gin.configurable\ndef fit(lr=0.1, epochs=1, net=None):\n    return [lr, epochs]\n"
PARSE = "gin.parse_config_file('c.gin')\n"


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("", [0.1, 1]),
        ("fit.lr = 0.5\n", [0.5, 1]),
        ("fit.lr = 0.5\nfit.lr = 0.7\n", [0.7, 1]),
        ("fit:\n  lr = 0.5\n  epochs = 3\n", [0.5, 3]),
        ("RATE = 0.25\nfit.lr = %RATE\n", [0.25, 1]),
        ("fit.lr = 0.5  # not 0.1\n", [0.5, 1]),
        ("main.fit.epochs = 4\n", [0.1, 4]),
        ("include 'base.gin'\nfit.epochs = 2\n", [0.3, 2]),
    ],
)
def test_bindings_reach_the_call(outcome, config, expected):
    files = {"c.gin": config, "base.gin": "fit.lr = 0.3\nfit.epochs = 9\n"}
    assert outcome(f"{HEAD}{PARSE}x = fit()\n", "", files) == expected


def test_the_callers_own_argument_wins(outcome):
    assert outcome(f"{HEAD}{PARSE}x = fit(lr=1.0)\n", "", {"c.gin": "fit.lr = 0.5\n"}) == [1.0, 1]


def test_single_bindings_win_over_files(outcome):
    text = f"{HEAD}gin.parse_config_files_and_bindings(['c.gin'], ['fit.lr = 0.9'])\nx = fit()\n"
    assert outcome(text, "", {"c.gin": "fit.lr = 0.5\n"}) == [0.9, 1]


def test_a_reference_with_brackets_is_called(outcome):
    text = (
        "import gin\n@gin.configurable\ndef rate(base=1):\n"
        "    return base / 4\n@gin.configurable\ndef fit(lr=0):\n    return lr\n"
    )
    assert outcome(f"{text}{PARSE}x = fit()\n", "", {"c.gin": "fit.lr = @rate()\nrate.base = 2\n"}) == 0.5


def test_a_scope_binds_only_what_is_called_in_it(outcome):
    text = (
        "import gin\n@gin.configurable\ndef rate(base=1):\n    return base\n"
        "@gin.configurable\ndef fit(a=0, b=0):\n    return [a, b]\n"
    )
    config = "fit.a = @slow/rate()\nfit.b = @rate()\nslow/rate.base = 5\n"
    assert outcome(f"{text}{PARSE}x = fit()\n", "", {"c.gin": config}) == [5, 1]


@pytest.mark.parametrize("name", ["'loop'", "name='loop'", "'own.loop', module='own'"])
def test_a_registered_name_stands_for_the_function(outcome, name):
    text = f"import gin\n@gin.configurable({name})\ndef fit(lr=0):\n    return lr\n"
    assert outcome(f"{text}{PARSE}x = fit()\n", "", {"c.gin": "loop.lr = 2\nfit.lr = 1\n"}) == 2


def test_a_value_knows_the_line_of_its_binding(follow):
    _, names = follow(f"{HEAD}{PARSE}x = fit()[0]\n", "", {"c.gin": "# rates\nfit.lr = 0.5\n"})
    assert (names["x"].src[0].path, names["x"].src[0].line) == ("c.gin", 2)


@pytest.mark.parametrize(
    ("text", "expected"), [("3", 3), ("'a'", "a"), ("(1, 2)", (1, 2)), ("{'a': [1]}", {"a": [1]}), ("None", None)]
)
def test_a_literal(text, expected):
    assert plain(value_of(text, ())) == expected


def test_a_value_goes_on_until_its_brackets_close():
    assert unfinished("a = [1,")
    assert unfinished("a = \\")
    assert not unfinished("a = [1]")


def test_a_mark_inside_quotes_is_no_comment():
    assert without_comment("a = '#1'  # first") == "a = '#1'  "


def test_what_is_bound_by_hand_outlives_another_file(read):
    files = {
        "a.gin": "train.batch_size = 16\n",
        "b.gin": "train.lr = 0.1\n",
        "train.py": """
import gin, torch
@gin.configurable
def train(batch_size=1, lr=0.5):
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for x in torch.utils.data.DataLoader([1, 2], batch_size=batch_size):
        model(x).sum().backward()
        optimizer.step()
gin.parse_config_file("a.gin")
gin.bind_parameter("train.batch_size", 64)
gin.parse_config_file("b.gin")
train()
""",
    }
    found = read(files, "python train.py")
    assert (found.batch_size, found.learning_rate) == (64, 0.1)
