"""Options that are objects in code: LazyConfig, config flags, gin references, Keras models, filtered mappings."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

LAZY = {
    "train.py": TORCH_HEAD
    + """
from detectron2.config import LazyConfig, instantiate
from detectron2.engine import default_argument_parser

def main(args):
    cfg = LazyConfig.load(args.config_file)
    cfg = LazyConfig.apply_overrides(cfg, args.opts)
    model = instantiate(cfg.model)
    cfg.optimizer.params = model.parameters()
    optimizer = instantiate(cfg.optimizer)
    for step in range(cfg.train.max_iter):
        model(torch.randn(4)).sum().backward()
        optimizer.step()

main(default_argument_parser().parse_args())
""",
    "net.py": "import torch\nclass Net(torch.nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"
    "        self.conv = torch.nn.Conv2d(3, width, 3)\n",
    "configs/common.py": "import torch\nfrom detectron2.config import LazyCall as L\n"
    "optimizer = L(torch.optim.AdamW)(lr=0.5)\ntrain = dict(max_iter=1000)\n",
    "configs/small.py": "from detectron2.config import LazyCall as L\nfrom net import Net\n"
    "from .common import optimizer, train\nmodel = L(Net)(width=8)\noptimizer.lr = 0.25\n",
}


def test_lazy_configurations_are_overridden_and_made(read):
    job = read(LAZY, "python train.py --config-file configs/small.py train.max_iter=70 optimizer.lr=0.125")
    assert (job.model_name, job.optimizer, job.learning_rate, job.total_steps) == ("Net", "AdamW", 0.125, 70)


FLAGS = {
    "main.py": TORCH_HEAD
    + TORCH_LOOP
    + """
from absl import app, flags
from ml_collections import config_flags

FLAGS = flags.FLAGS
config_flags.DEFINE_config_file("config", "configs/base.py")
flags.DEFINE_enum("mode", "train", ["train", "eval"], "")

def main(argv):
    if FLAGS.mode == "train":
        c = FLAGS.config
        train(c.optim.lr, c.batch_size, c.epochs)

if __name__ == "__main__":
    app.run(main)
""",
    "configs/base.py": "import ml_collections\ndef get_config(size=''):\n    c = ml_collections.ConfigDict()\n"
    "    c.optim = optim = ml_collections.ConfigDict()\n    optim.lr = 0.5\n    c.batch_size = 8\n"
    "    c.epochs = {'long': 20}.get(size, 2)\n    return c\n",
}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("--config=configs/base.py:long --config.optim.lr=0.01", (0.01, 8, 20)),
        ("--config configs/base.py --config.batch_size 16", (0.5, 16, 2)),
        ("", (0.5, 8, 2)),
    ],
)
def test_flags_of_a_config_file_take_an_argument_and_overrides(read, words, found):
    job = read(FLAGS, f"python main.py {words}")
    assert (job.learning_rate, job.batch_size, job.epochs) == found
    assert read(FLAGS, f"python main.py {words} --mode=eval").is_training is not True


def test_keras_models_tell_their_optimizer_and_their_fit(read):
    program = """
import keras
from keras import layers

(x, y), _ = keras.datasets.cifar10.load_data()
model = keras.Sequential([layers.Conv2D(32, 3), layers.Flatten(), layers.Dense(10)])
model.compile(optimizer=keras.optimizers.RMSprop(learning_rate=0.002), loss="mse")
model.fit(x, y, batch_size=64, epochs=7)
"""
    job = read({"train.py": program}, "python train.py")
    assert (job.is_training, job.optimizer, job.learning_rate) == (True, "RMSprop", 0.002)
    assert (job.batch_size, job.epochs, job.dataset_name) == (64, 7, "CIFAR-10")


def test_mlxu_flags_reach_into_mappings(read):
    program = (
        TORCH_HEAD
        + TORCH_LOOP
        + """
import mlxu

def defaults():
    config = mlxu.config_dict()
    config.lr = 0.5
    config.rounds = 2
    return config

FLAGS, FLAGS_DEF = mlxu.define_flags_with_default(batch_size=8, optimizer=defaults())

def main(argv):
    train(FLAGS.optimizer.lr, FLAGS.batch_size, FLAGS.optimizer.rounds)

if __name__ == "__main__":
    mlxu.run(main)
"""
    )
    job = read({"train.py": program}, "python train.py --batch_size=16 --optimizer.lr=0.01")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 16, 2)


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


def test_a_configuration_is_filtered_by_a_function_that_calls_itself(read):
    program = (
        TORCH_HEAD
        + TORCH_LOOP
        + """
from collections.abc import Mapping, Sequence
import yaml

def without_marks(node):
    if isinstance(node, Mapping):
        return {key: without_marks(value) for key, value in node.items() if not key.startswith("__")}
    if isinstance(node, Sequence) and not isinstance(node, str):
        return [without_marks(value) for value in node]
    return node

cfg = without_marks(yaml.safe_load(open("a.yaml")))
train(cfg["run"]["optim"]["lr"], cfg["run"]["batch_size"], cfg["run"]["epochs"])
"""
    )
    text = "__note: 1\nrun: {optim: {lr: 0.01, __seen: 2}, batch_size: 16, epochs: 3}\n"
    job = read({"train.py": program, "a.yaml": text}, "python train.py")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 16, 3)
