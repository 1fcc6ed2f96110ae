"""Settings that set their own items, buffers that fill, heads, stages, groups by a path, data by a word or folder."""

import pytest

LOOP = """
import torch
from torch.utils.data import DataLoader
def fit(lr, steps, data=range(9), batch=4):
    net = torch.nn.Linear(3, 2)
    optimizer = torch.optim.AdamW(net.parameters(), lr=lr)
    for step in range(steps):
        for x in DataLoader(data, batch_size=batch):
            net(x).sum().backward()
            optimizer.step()
"""

BUFFER = """
import torch
class Buffer:
    def __init__(self):
        self.held = 0
    def insert(self):
        self.held = self.held + 1
    def can_sample(self, size):
        return self.held >= size
net = torch.nn.Linear(3, 2)
optimizer = torch.optim.RMSprop(net.parameters(), lr=0.25)
buffer, t_env = Buffer(), 0
while t_env <= 5000:
    buffer.insert()
    if buffer.can_sample(32):
        for part in reversed(range(unknown())):
            net(part).sum().backward()
        optimizer.step()
    t_env += 1
"""


def test_a_buffer_that_fills_is_full_some_time(read):
    job = read({"main.py": BUFFER}, "python main.py")
    assert (job.is_training, job.learning_rate, job.epochs) == (True, 0.25, None)


OWN_SETTINGS = (
    LOOP
    + """
import os
class Settings:
    def __init__(self, given):
        self.held = {{}}
        for key, value in given.items():
            self.held[key] = value
            {keeping}
    def __getitem__(self, key):
        return self.held[key]
    def __setitem__(self, key, value):
        self.held[key] = value
        {keeping}
settings = Settings({{"lr": 0.3, "size": 64}})
settings["world"] = int(os.environ["WORLD_SIZE"])
settings["size"] = settings.size // settings["world"]
fit(settings.lr, 3, batch=settings.size)
"""
)


@pytest.mark.parametrize(
    "keeping", ["self.__setattr__(key, value)", "object.__setattr__(self, key, value)", "setattr(self, key, value)"]
)
def test_an_object_keeps_items_and_attributes_as_its_class_says(read, keeping):
    job = read({"train.py": OWN_SETTINGS.format(keeping=keeping)}, "WORLD_SIZE=4 python train.py")
    assert (job.learning_rate, job.batch_size) == (0.3, 16)


NETWORK = """
import torch
class GPT(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = torch.nn.MultiheadAttention(8, 2)
        self.lm_head = torch.nn.Linear(8, 9)
net = GPT()
optimizer = torch.optim.AdamW(net.lm_head.parameters(), lr=0.1)
net(1).sum().backward()
optimizer.step()
"""
HEAD = """
import torch
from torchvision import models
net = models.vgg16(pretrained=True)
net.classifier = torch.nn.Sequential(torch.nn.Linear(8, 9))
optimizer = torch.optim.Adam(net.classifier.parameters(), lr=0.1)
net(1).sum().backward()
optimizer.step()
"""


@pytest.mark.parametrize(("code", "name", "kind"), [(NETWORK, "GPT", "transformer"), (HEAD, "vgg16", "cnn")])
def test_an_optimizer_of_a_head_trains_the_network_that_it_sits_on(read, code, name, kind):
    job = read({"train.py": code}, "python train.py")
    assert (job.model_name, job.model_type) == (name, kind)


@pytest.mark.parametrize("test", ["worst > 0.5", "left > 3"])
def test_what_counts_down_to_a_bound_is_no_count_of_steps(read, test):
    code = LOOP + f"worst = left = read()\nwhile {test}:\n    fit(0.1, unknown())\n    worst = left = read()\n"
    assert read({"train.py": code}, "python train.py").total_steps is None


STAGE = (
    LOOP
    + """
import somelibrary
class Solver(somelibrary.Base):
    def train(self):
        fit(0.2, 5)
    def run(self):
        self.run_stage("train", self.train)
Solver().run()
"""
)


def test_a_stage_that_a_library_is_told_to_run_is_followed(read):
    job = read({"main.py": STAGE}, "python main.py")
    assert (job.is_training, job.learning_rate) == (True, 0.2)


SHIFTED = """
#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --image=some/image:1
srun shifter{option} bash -c "python train.py"
"""


@pytest.mark.parametrize("option", ["", " --image=other:2", " --module gpu"])
def test_shifter_takes_no_image_before_the_program(read, option):
    job = read({"run.sh": SHIFTED.format(option=option), "train.py": LOOP + "fit(0.1, 5)\n"}, "sbatch run.sh")
    assert (job.is_training, job.num_nodes, job.learning_rate) == (True, 2, 0.1)


COMPOSED = (
    LOOP
    + """
import hydra
@hydra.main(config_path="conf", config_name="top")
def main(cfg):
    fit({"first": 0.1, "second": 0.2}[cfg.solver], cfg.steps, batch=cfg.size)
main()
"""
)


def test_a_choice_with_a_folder_stands_in_its_group(read):
    files = {
        "train.py": COMPOSED,
        "conf/top.yaml": "defaults: [{solver: default}, _self_]\nsteps: 5\n",
        "conf/solver/default.yaml": "# @package __global__\nsize: 3\n",
        "conf/solver/music/base.yaml": "# @package __global__\ndefaults: [music/general, _self_]\nsize: 7\n",
        "conf/solver/music/general.yaml": "# @package __global__\nsolver: second\nsize: 4\n",
    }
    job = read(files, "python train.py solver=music/base")
    assert (job.learning_rate, job.batch_size) == (0.2, 7)


READS = (
    LOOP
    + """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--{name}", default="./data/blossoms")
fit(0.1, 5, data=load(parser.parse_args().{name}))
"""
)


@pytest.mark.parametrize(
    ("name", "given", "data"),
    [
        ("train_file", "packed-blossoms-4k", "packed-blossoms-4k"),
        ("train_file", "train", None),
        ("dataset", "/projects/lab/blossoms_of_may/dataset", "blossoms_of_may"),
    ],
)
def test_data_are_named_after_a_single_word_or_a_folder_of_the_command(read, name, given, data):
    assert read({"train.py": READS.format(name=name)}, f"python train.py --{name} {given}").dataset_name == data


WRAPPED = """
#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --gres=gpu:v100:4
srun site_wrapper exec deepspeed train.py
"""


def test_a_wrapper_that_nobody_knows_is_taken_off(read):
    job = read({"run.sh": WRAPPED, "train.py": LOOP + "fit(0.1, 5)\n"}, "sbatch run.sh")
    assert (job.is_training, job.num_gpus, job.num_nodes, job.learning_rate) == (True, 4, 1, 0.1)


@pytest.mark.parametrize("command", ["site_wrapper train.py", "site_wrapper exec python --version"])
def test_a_program_that_wraps_no_script_is_left_as_it_is(read, command):
    assert read({"train.py": LOOP + "fit(0.1, 5)\n"}, command).learning_rate is None


FLAGGED = (
    LOOP
    + """
from absl import app, flags
from ml_collections import ConfigDict, config_flags
config_flags.DEFINE_config_dict("model", ConfigDict({"lr": 0.1, "size": 4}))
def main(_):
    fit(flags.FLAGS.model["lr"], 5, batch=flags.FLAGS.model.size)
app.run(main)
"""
)


def test_a_mapping_as_a_flag_takes_what_the_command_says_below_it(read):
    job = read({"train.py": FLAGGED}, "python train.py --model.size 9")
    assert (job.learning_rate, job.batch_size) == (0.1, 9)


REPLICATED = """
import flax, jax, optax
class Trainer(flax.struct.PyTreeNode):
    opt: object
    def update(self, batch):
        grads = jax.grad(lambda params: params)(batch)
        return optax.apply_updates(batch, self.opt.update(grads, batch))
trainer = flax.jax_utils.replicate(Trainer(optax.adam(0.02)), devices=jax.local_devices())
for step in range(50):
    trainer.update(step)
"""


def test_copies_for_devices_are_what_they_are_copies_of(read):
    job = read({"train.py": REPLICATED}, "python train.py")
    assert (job.is_training, job.learning_rate) == (True, 0.02)
