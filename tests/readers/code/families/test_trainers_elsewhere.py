"""Programs whose trainer, server or table lies outside: what their settings, words and calls still tell."""

import pytest

CONFIG = """
total = dict(total_steps=700)
data = dict(micro_bsz=3, total_steps=total["total_steps"])
adam = dict(lr=2e-4)
model = dict(dtype="torch.bfloat16")
"""
MAIN = """
from outside.builder import Builder
from outside.words import parse_args
import torch
args = parse_args()
Builder(torch.nn.LSTM(2, 2), **vars(args)).fit()
"""


@pytest.mark.parametrize("words", ["--config ./settings/first.py", "--config=settings/first.py"])
def test_a_python_file_of_settings_speaks_for_a_trainer_that_is_not_here(read, words):
    job = read({"train.py": MAIN, "settings/first.py": CONFIG}, f"torchrun --nproc_per_node=4 train.py {words}")
    assert (job.is_training, job.batch_size, job.total_steps, job.learning_rate) == (True, 3, 700, 2e-4)
    assert (job.precision, job.global_batch_size) == ("bf16", None)


def test_a_trainer_that_is_not_here_has_no_default_precision(read):
    assert read({"train.py": MAIN}, "python train.py").precision is None


def test_options_are_made_of_the_parameters_that_a_class_takes(read):
    code = (
        "import argparse, inspect, typing, torch\nclass Fitting:\n"
        "    def __init__(self, rate: float = 0.1, steps: int = 5, name: typing.Optional[str] = None):\n"
        "        self.rate, self.steps = rate, steps\n    def run(self):\n        net = torch.nn.LSTM(2, 2)\n"
        "        optimizer = torch.optim.Adam(net.parameters(), lr=self.rate)\n"
        "        for step in range(self.steps):\n            net(1)[0].sum().backward()\n            optimizer.step()\n"
        "parser = argparse.ArgumentParser()\nhints = typing.get_type_hints(Fitting.__init__)\n"
        "for key, one in inspect.signature(Fitting).parameters.items():\n"
        "    if one.default is inspect.Parameter.empty:\n        continue\n"
        "    if one.default.__class__.__module__ == 'builtins' and typing.get_origin(hints[key]) is None:\n"
        "        parser.add_argument(f'--{key}', default=one.default, type=type(one.default))\n"
        "Fitting(**vars(parser.parse_args())).run()\n"
    )
    job = read({"train.py": code}, "python train.py --rate 0.02 --steps 900")
    assert (job.learning_rate, job.total_steps) == (0.02, 900)


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


@pytest.mark.parametrize(("told", "size"), [("--use_vllm true --vllm_max_model_len 99", 64), ("", 16)])
def test_groups_of_a_server_beside_the_trainer_share_no_batch(read, told, size):
    words = "--model Qwen/Qwen2.5-7B --per_device_train_batch_size 2 --gradient_accumulation_steps 4"
    line = f"NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo {words} --dataset a/b --tensor_parallel_size 4 {told}"
    assert read({"run.sh": f"{line}\n"}, "bash run.sh").global_batch_size == size


@pytest.mark.parametrize(("told", "precision"), [("", "fp32"), (", torch_dtype='auto'", None)])
def test_a_loaded_model_is_used_in_single_precision_unless_something_is_said(read, told, precision):
    code = (
        "from transformers import AutoModelForCausalLM\nimport torch\n"
        f"model = AutoModelForCausalLM.from_pretrained('gpt2'{told}).cuda()\nmodel.eval()\n"
        "with torch.no_grad():\n    print(model.generate(torch.zeros(1, 4)))\n"
    )
    job = read({"sample.py": code}, "python sample.py")
    assert (job.is_training, job.precision) == (False, precision)


@pytest.mark.parametrize(("second", "name"), [("", "whale_songs"), ("pd.read_csv('other_birds.csv')\n", None)])
def test_data_are_named_after_the_one_table_that_is_read(read, second, name):
    code = (
        "import pandas as pd, torch\ntable = pd.read_csv('./data/whale_songs.csv')\n"
        + second
        + "net = torch.nn.LSTM(2, 2)\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for epoch in range(3):\n    net(1)[0].sum().backward()\n    optimizer.step()\n"
    )
    assert read({"train.py": code}, "python train.py").dataset_name == name
