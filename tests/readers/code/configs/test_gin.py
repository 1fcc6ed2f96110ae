"""gin alone: bindings by the names of functions, their scopes, macros and references."""

import pytest

from schedmate.readers.code.configs.gin import unfinished, value_of, without_comment
from schedmate.readers.code.values.nested import plain
from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

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


GIN = {
    "agents/base.py": """
        import gin
        import tensorflow as tf

        @gin.configurable
        class Agent:
            def __init__(self, size=3, optimizer=tf.compat.v1.train.RMSPropOptimizer(learning_rate=0.5)):
                self.optimizer = optimizer
                self.size = size

            def learn_step(self, loss):
                return self.optimizer.minimize(loss)
    """,
    "play.py": """
        import gin
        import gym
        import tensorflow as tf
        from absl import app, flags
        from agents.base import Agent

        flags.DEFINE_multi_string("gin_files", [], "")
        flags.DEFINE_multi_string("gin_bindings", [], "")
        FLAGS = flags.FLAGS

        @gin.configurable
        class Runner:
            def __init__(self, rounds=7, round_steps=11):
                self.agent = Agent()
                self.rounds = rounds
                self.round_steps = round_steps
                self.start = 0
                if tf.io.gfile.exists("saved"):
                    self.start = tf.io.gfile.GFile("saved").read()

            def one_round(self, limit):
                step_count = 0
                while step_count < limit:
                    self.agent.learn_step(tf.constant(1.0))
                    step_count += 1

            def run(self):
                for iteration in range(self.start, self.rounds):
                    self.one_round(self.round_steps)

        def main(_):
            gin.parse_config_files_and_bindings(FLAGS.gin_files, bindings=FLAGS.gin_bindings)
            env = gym.make("CartPole-v0")
            Runner().run()

        app.run(main)
    """,
    "deep.gin": """
        import gin.tf.external_configurables
        Agent.optimizer = @tf.train.AdamOptimizer()
        tf.train.AdamOptimizer.learning_rate = 0.0625
        Runner.rounds = 20
        Runner.round_steps = 300
    """,
}


def test_gin_makes_a_librarys_optimizer_with_what_is_bound_to_it(read):
    found = read(GIN, "python -um play --gin_files deep.gin --gin_bindings 'Runner.rounds=30'")
    assert (found.optimizer, found.learning_rate) == ("Adam", 0.0625)
    assert found.total_steps == 30 * 300


STEP = """
import gin
import os
import tensorflow as tf
gin.add_config_file_search_path(os.path.join(os.path.dirname(__file__), "settings"))
gin.parse_config_file("base.gin")
gin.parse_config_files_and_bindings([], ["rate = 0.25"])


@gin.configurable
class Learner:
    def __init__(self, strategy, rate=0.1, steps=9):
        self.strategy, self.steps = strategy, steps
        self.optimizer = tf.keras.optimizers.Adam(rate)

    def step(self, batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(batch)
        self.optimizer.apply_gradients(zip(tape.gradient(loss, []), []))

    def run(self):
        for step in range(self.steps):
            self.strategy.run(self.step, args=(step,))


def main():
    Learner(tf.distribute.MirroredStrategy()).run()


if __name__ == "__main__":
    main()
"""


def test_gin_looks_in_the_folders_that_it_is_told_and_macros_are_what_was_set_last(read):
    files = {"tool/go.py": STEP, "tool/settings/base.gin": "rate = 0.5\nLearner.rate = %rate\nLearner.steps = 70\n"}
    job = read(files, "python tool/go.py")
    assert (job.is_training, job.total_steps, job.learning_rate, job.optimizer) == (True, 70, 0.25, "Adam")


def test_gin_makes_what_a_reference_names_with_its_scope_and_its_arguments(read):
    program = (
        TORCH_HEAD
        + TORCH_LOOP.replace("def train(lr, batch_size, epochs)", "@gin.configurable\ndef fit(plan)").replace(
            "    model =", "    lr, batch_size, epochs = plan.lr, plan.batch_size, plan.epochs\n    model =", 1
        )
        + """
@gin.configurable
class Plan:
    def __init__(self, lr, batch_size, epochs=2):
        self.lr, self.batch_size, self.epochs = lr, batch_size, epochs

gin.parse_config_file("job.gin")
fit()
"""
    )
    bindings = "fit.plan = @long/Plan()\nPlan.lr = 0.5\nlong/Plan.lr = 0.01\nPlan.batch_size = 16\n"
    job = read({"train.py": "import gin\n" + program, "job.gin": bindings}, "python train.py")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 16, 2)


def test_what_a_program_binds_for_gin_reaches_its_calls(read):
    code = (
        "import argparse, gin, torch\nclass Unset: pass\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--steps', type=eval, default=Unset())\nparser.add_argument('--rate', default=Unset())\n"
        "args = parser.parse_args()\ngin.parse_config_files_and_bindings([], ['fit.rate = 0.3'])\n"
        "for name in ('steps', 'rate'):\n    value = getattr(args, name)\n    if not isinstance(value, Unset):\n"
        "        gin.bind_parameter(f'fit.{name}', value)\n"
        "@gin.configurable\ndef fit(steps, rate):\n    net = torch.nn.LSTM(2, 2)\n"
        "    optimizer = torch.optim.SGD(net.parameters(), lr=rate)\n    for step in range(steps[0]):\n"
        "        net(1)[0].sum().backward()\n        optimizer.step()\nfit()\n"
    )
    job = read({"train.py": code}, "python train.py --steps [60]")
    assert (job.total_steps, job.learning_rate) == (60, 0.3)


def test_what_a_file_imports_is_configurable_though_no_program_imports_it(outcome):
    part = "import gin\n@gin.configurable\ndef rate(base=1):\n    return base / 4\n"
    files = {"c.gin": "import own_rates\nfit.lr = @rate()\nrate.base = 2\n", "own_rates.py": part}
    assert outcome(f"{HEAD}{PARSE}x = fit()\n", "", files) == [0.5, 1]
    other = {**files, "c.gin": "fit.lr = @rate()\nrate.base = 2\n"}
    assert outcome(f"{HEAD}{PARSE}x = fit()[0] == 0.5\n", "", other) in (False, "unknown")
