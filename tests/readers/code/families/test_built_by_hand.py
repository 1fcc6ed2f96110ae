"""Programs that write their own trainers, optimizers and configurations: paths with errors, sections, own steps."""

import pytest

PADDLE = {
    "configs/base/reader.yml": """
        EvalReader: {batch_size: 3}
        TrainReader: {batch_size: 24}
    """,
    "configs/base/rates.yml": """
        OptimizerBuilder:
          optimizer: {type: Momentum, momentum: 0.9}
        LearningRate: {base_lr: 0.02}
        epochs: 17
    """,
    "configs/wide.yml": """
        _BASE_: [base/reader.yml, base/rates.yml]
        epochs: 19
    """,
    "train.py": """
        import argparse
        import os
        import paddle
        import yaml
        from shop import make

        def load(path):
            with open(path) as file:
                data = yaml.safe_load(file)
            merged = {}
            for base in data.pop("_BASE_", []):
                merged.update(load(os.path.join(os.path.dirname(path), base)))
            merged.update(data)
            return merged

        class Trainer:
            def __init__(self, cfg):
                self.cfg = cfg
                self.reader = make("TrainReader")
                self.model = paddle.nn.Linear(3, 3)
                self.optimizer = make("OptimizerBuilder")
                self.eval_size = cfg["EvalReader"]["batch_size"]

            def train(self, amp):
                for epoch in range(self.cfg["epochs"]):
                    for batch in self.reader:
                        with paddle.amp.auto_cast(enable=amp):
                            loss = self.model(batch).mean()
                        loss.backward()
                        self.optimizer.step()

        parser = argparse.ArgumentParser()
        parser.add_argument("-c", "--config")
        parser.add_argument("--eval", action="store_true")
        parser.add_argument("--amp", action="store_true")
        args = parser.parse_args()
        Trainer(load(args.config)).train(args.amp)
    """,
    "shop.py": """
        SHELF = {}

        def make(name):
            if name in SHELF:
                return SHELF[name]()
            else:
                raise ValueError(name + " was never put here")
    """,
}


def test_a_branch_that_ends_in_an_error_is_not_what_the_run_does(read):
    found = read(PADDLE, "python train.py -c configs/wide.yml --eval")
    assert found.is_training is True  # evaluation is asked for beside training, not instead of it
    assert found.epochs == 19
    assert (found.batch_size, found.optimizer, found.precision) == (24, "SGD", "fp32")


def test_automatic_casts_of_paddle_hang_on_their_option(read):
    assert read(PADDLE, "python train.py -c configs/wide.yml --amp").precision == "fp16"


def test_evaluation_instead_of_training_is_followed(read):
    program = PADDLE["train.py"].replace("Trainer(load(args.config)).train(args.amp)", "") + (
        "        trainer = Trainer(load(args.config))\n"
        "        if args.eval:\n"
        "            print(trainer.model(1))\n"
        "        else:\n"
        "            trainer.train(args.amp)\n"
    )
    files = {**PADDLE, "train.py": program}
    assert read(files, "python train.py -c configs/wide.yml --eval").is_training is False
    assert read(files, "python train.py -c configs/wide.yml").is_training is True


OWN = """
import gym
import numpy as np
import tensorflow as tf

class {name}:
    def __init__(self, size):
        self.moments = np.zeros(size)

    def {step}(self, grad, rate):
        self.moments = self.moments - rate * grad

env = gym.make("CartPole-v0")
rule = {name}(8)
for step in range(70):
    rule.{step}(np.ones(8), 0.004)
"""


@pytest.mark.parametrize(
    ("name", "step", "optimizer"), [("MpiAdam", "update", "Adam"), ("SlowLAMBOptimizer", "step", "LAMB")]
)
def test_an_optimizer_written_out_trains(read, name, step, optimizer):
    found = read({"fit.py": OWN.format(name=name, step=step)}, "python fit.py")
    assert (found.is_training, found.optimizer, found.learning_rate) == (True, optimizer, 0.004)


def test_other_objects_that_are_updated_do_not_train(read):
    assert read({"fit.py": OWN.format(name="Madam", step="update")}, "python fit.py").is_training is not True


GROWN = """
import json
import torch

def read(path):
    rows = []
    for entry in json.load(open(path))["rows"]:
        rows.append(entry)
    return rows

rows = read("elsewhere.json")
fixed = []
for size in (4, 4, 4):
    fixed.append(torch.nn.Linear(size, size))
net = torch.nn.Sequential(*fixed)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range({bound}):
    net(torch.ones(4)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("bound", "steps"),
    [("len(rows)", None), ("len(list(rows))", None), ("len([row for row in rows])", None), ("len(fixed) * 30", 90)],
)
def test_how_long_a_list_is_that_grows_with_the_data_is_not_known(read, bound, steps):
    assert read({"fit.py": GROWN.format(bound=bound)}, "python fit.py").total_steps == steps


ESTIMATOR = {
    "run_it.py": """
        import argparse
        import tensorflow.compat.v1 as tf
        from tensorflow.contrib import tpu as contrib_tpu
        import rules

        parser = argparse.ArgumentParser()
        parser.add_argument("--epochs", type=int, default=3)
        args = parser.parse_args()

        def model_fn(features, labels, mode, params):
            if mode == tf.estimator.ModeKeys.TRAIN:
                return rules.create(0.03)

        estimator = contrib_tpu.TPUEstimator(model_fn=model_fn, train_batch_size=64)
        estimator.train(input_fn=None, max_steps=900)
    """,
    "rules.py": """
        import tensorflow.compat.v1 as tf

        class AdamWeightDecayOptimizer(tf.train.Optimizer):
            def __init__(self, learning_rate):
                self.learning_rate = learning_rate

        def create(rate):
            return AdamWeightDecayOptimizer(learning_rate=rate).minimize(1)
    """,
}


def test_an_estimators_function_is_asked_in_the_names_that_it_uses(read):
    found = read(ESTIMATOR, "python run_it.py")
    assert (found.optimizer, found.learning_rate) == ("AdamW", 0.03)


def test_no_epoch_asked_for_is_no_training(read):
    assert read(ESTIMATOR, "python run_it.py --epochs 0").is_training is False
