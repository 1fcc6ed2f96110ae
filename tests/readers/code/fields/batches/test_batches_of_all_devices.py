"""The whole batch of all devices, and the share of it that each sees."""

import pytest

from tests.readers.code.programs import FIT_BATCHES


def test_what_is_called_whole_and_is_less_than_the_batch_is_a_share(read):
    program = """
import torch

class Config:
    batch_size = 32

torch.distributed.init_process_group("nccl")
config = Config()
effective_batch_size = config.batch_size // torch.distributed.get_world_size()
net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 2))
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
for batch in make(effective_batch_size):
    net(batch).sum().backward()
    sgd.step()
"""
    found = read({"go.py": program}, "torchrun --nproc_per_node 4 go.py")
    assert (found.batch_size, found.global_batch_size) == (8, 32)


def test_one_copy_on_one_gpu_makes_its_whole_batch(read):
    program = """
from transformers import Trainer, TrainingArguments
told = TrainingArguments(per_device_train_batch_size=2, gradient_accumulation_steps=4, output_dir="x")
Trainer(model=make(), args=told, train_dataset=rows()).train()
"""
    script = "#!/bin/bash\n#SBATCH --gres=gpu:{}\nsrun python go.py\n"
    found = read({"go.py": program, "job.sh": script.format(1)}, "sbatch job.sh")
    assert (found.num_gpus, found.global_batch_size) == (1, 8)


CUT_AGAIN = """
import argparse
import torch
import torch.distributed as dist

def train(batch_size, batch_gpu):
    a_process = batch_size // dist.get_world_size()
    if batch_gpu is None or batch_gpu > a_process:
        batch_gpu = a_process
    rounds = a_process // batch_gpu
    loader = iter(torch.utils.data.DataLoader(torch.zeros(4096, 4), batch_size=batch_gpu))
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    while True:
        optimizer.zero_grad()
        for _ in range(rounds):
            model(next(loader)).sum().backward()
        optimizer.step()

parser = argparse.ArgumentParser()
parser.add_argument("--batch-gpu", type=int)
options = parser.parse_args()
dist.init_process_group("nccl")
train(batch_size=512, batch_gpu=options.batch_gpu)
"""


@pytest.mark.parametrize(("told", "micro"), [("--batch-gpu 16", 16), ("", 128)])
def test_rounds_that_follow_from_the_whole_batch_do_not_multiply_it(read, told, micro):
    found = read({"go.py": CUT_AGAIN}, f"torchrun --nproc_per_node 4 go.py {told}")
    assert (found.batch_size, found.global_batch_size) == (micro, 512)


@pytest.mark.parametrize(
    ("settings", "whole"),
    [
        ("batch_size = 32\nrounds = 4", 128),
        ("batch_size, rounds = 32, 4", None),
        ("batch_size = 32\nrounds = batch_size // 8", 32),
    ],
)
def test_rounds_that_only_stand_in_the_same_line_do_not_follow_from_the_whole_batch(read, settings, whole):
    program = f"""
import torch
import torch.distributed as dist
{settings}
dist.init_process_group("nccl")
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(4096, 4), batch_size=batch_size // dist.get_world_size())
for epoch in range(3):
    for place, batch in enumerate(loader):
        loss = model(batch).sum() / rounds
        loss.backward()
        if (place + 1) % rounds == 0:
            optimizer.step()
            optimizer.zero_grad()
"""
    assert read({"go.py": program}, "torchrun --nproc_per_node $MANY go.py").global_batch_size == whole


@pytest.mark.parametrize(("head", "whole"), [("import gym\nplace = gym.make('Maze-v2')", 16), ("", 48)])
def test_how_often_an_agent_updates_its_target_is_no_accumulation(read, head, whole):
    program = f"""
import argparse
import torch
{head}
parser = argparse.ArgumentParser()
parser.add_argument("--update_freq", type=int, default=3)
told = parser.parse_args()
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
for step, batch in enumerate(torch.utils.data.DataLoader(make(), batch_size=16)):
    net(batch).sum().backward()
    follow(told.update_freq)
    sgd.step()
"""
    assert read({"go.py": program}, "python go.py").global_batch_size == whole


@pytest.mark.parametrize(("every", "whole"), [("3", 48), ("100_000_000", 16)])
def test_nobody_gathers_gradients_over_millions_of_batches(read, every, whole):
    program = f"""
import torch
net = torch.nn.Linear(4, 2)
update_freq = {every}
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
for step, batch in enumerate(torch.utils.data.DataLoader(make(), batch_size=16)):
    net(batch).sum().backward()
    follow(update_freq)
    sgd.step()
"""
    assert read({"go.py": program}, "python go.py").global_batch_size == whole


def test_a_global_batch_that_a_function_divides_under_the_same_name(read):
    source = """
        import argparse, torch
        import torch.distributed as dist
        parser = argparse.ArgumentParser()
        parser.add_argument("-b", "--batch_size", type=int, default=64)
        args = parser.parse_args()
        dist.init_process_group("nccl")
        model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2).cuda())
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

        def loader_of(data, batch_size):
            batch_size = batch_size // dist.get_world_size()
            return torch.utils.data.DataLoader(data, batch_size=batch_size, shuffle=True)

        for x in loader_of(data, args.batch_size):
            model(x).sum().backward()
            optimizer.step()
    """
    job = read({"train.py": source}, "torchrun --nproc_per_node=4 train.py -b 32")
    assert (job.batch_size, job.global_batch_size) == (8, 32)


def test_a_whole_batch_in_the_loader_is_not_what_one_device_sees(read):
    main = FIT_BATCHES + (
        "from omegaconf import OmegaConf\ncfg = OmegaConf.load('run.yaml')\n"
        "steps = cfg.train_global_batch_size // cfg.train_micro_batch_size\n"
        "fit(0.1, 3, batch=cfg.train_global_batch_size)\n"
    )
    job = read(
        {"main.py": main, "run.yaml": "train_global_batch_size: 32\ntrain_micro_batch_size: 2\n"}, "python main.py"
    )
    assert (job.batch_size, job.global_batch_size) == (2, 32)


KERAS = """
import tensorflow as tf
from tensorflow import keras
from mine import RAdamOptimizer

data = tf.keras.preprocessing.image_dataset_from_directory("pins", batch_size=8)
{strategy}
net = keras.Sequential([keras.layers.Conv2D(8, 3), keras.layers.Dense(2)])
choices = [("adadelta", keras.optimizers.Adadelta(lr=0.001)), ("radam", RAdamOptimizer(0.001))]
chosen = None
for name, made in choices:
    if name == "radam":
        chosen = made
net.compile(optimizer=chosen, loss="categorical_crossentropy")
net.fit(data, epochs=4)
"""
MINE = (
    "from keras.optimizers import Optimizer\nclass RAdamOptimizer(Optimizer):\n"
    "    def __init__(self, learning_rate):\n        self.rate = learning_rate\n"
)


def test_keras_splits_what_the_data_are_cut_into_among_replicas(read):
    code = KERAS.format(strategy="strategy = tf.distribute.MirroredStrategy()")
    files = {"train.py": code, "mine.py": MINE, "job.sh": "#SBATCH --nodes=1\n#SBATCH --gres=gpu:4\npython train.py\n"}
    job = read(files, "sbatch job.sh")
    assert (job.num_gpus, job.batch_size, job.global_batch_size) == (4, 2, 8)


MICRO_BATCHES = """
import sys, torch, yaml
cfg = yaml.safe_load(open("base.yaml"))
torch.distributed.init_process_group("nccl")
each = cfg["global_train_batch_size"] // torch.distributed.get_world_size()
data = torch.utils.data.DataLoader(torch.load("all.pt"), batch_size=each)
model = torch.nn.parallel.DistributedDataParallel(torch.nn.LSTM(2, 2).cuda())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in data:
    for part in batch.split(cfg["device_train_microbatch_size"]):
        model(part)[0].sum().backward()
    optimizer.step()
"""


def test_a_micro_batch_that_is_called_so_stands_beside_the_whole_batch(read):
    settings = "global_train_batch_size: 512\ndevice_train_microbatch_size: 16\n"
    job = read({"train.py": MICRO_BATCHES, "base.yaml": settings}, "composer train.py")
    assert (job.batch_size, job.global_batch_size) == (16, 512)


ASIDE = """
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int)
parser.add_argument("--valid-batch-size", type=int)
args = parser.parse_args()
model = torch.nn.LSTM(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def make(is_train):
    batch_size = args.batch_size if is_train else args.valid_batch_size
    global_batch_size = batch_size * 8
    print(global_batch_size)


make(True)
for epoch in range(3):
    model(1)[0].sum().backward()
    optimizer.step()
make(False)
"""


def test_a_batch_of_validation_is_not_the_whole_batch(read):
    script = "python train.py \\\n  --batch-size=16 \\\n  --valid-batch-size=4\n"
    assert read({"train.py": ASIDE, "run.sh": script}, "bash run.sh").global_batch_size == 128


@pytest.mark.parametrize("divisor", ["jax.local_device_count()", "strategy.num_replicas_in_sync"])
def test_a_batch_that_is_shared_out_is_the_whole_batch(read, divisor):
    code = (
        "import argparse, jax, optax\nimport tensorflow as tf\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--batch_size', type=int, default=96)\n"
        "parser.add_argument('--batch_size_per_device', type=int, default=7)\nargs = parser.parse_args()\n"
        "strategy = tf.distribute.MirroredStrategy()\n"
        f"size = args.batch_size // {divisor} if args.batch_size > 9 else args.batch_size_per_device\n"
        "tx = optax.adam(1e-3)\nfor step in range(50):\n    updates, state = tx.update(step, size)\n"
    )
    assert read({"train.py": code}, "python train.py").batch_size == 96


def test_what_tokens_are_divided_by_is_no_share_of_a_batch(read):
    code = (
        "import os, torch\nB, total = 16, 4096\nworld = int(os.environ['WORLD_SIZE'])\n"
        "gathered = total // (B * 8 * world)\nnet = torch.nn.LSTM(2, 2)\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nfor step in range(9):\n"
        "    net(torch.zeros(B, 2)).sum().backward()\n    optimizer.step()\n"
    )
    assert read({"train.py": code}, "torchrun --nproc_per_node=2 train.py").batch_size != 4096


GATHERED = """
import os
import torch

model = torch.nn.Linear(4, 2)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
batch_size = 16
total = TOTAL
grad_accum_steps = total // batch_size
loader = torch.utils.data.DataLoader(torch.zeros(100, 4), batch_size=batch_size)
for batch in loader:
    for part in range(grad_accum_steps):
        model(batch).sum().backward()
    optimizer.step()
"""


def test_an_accumulation_that_the_run_works_out_leaves_the_whole_batch_open(read):
    job = read({"train.py": GATHERED.replace("TOTAL", "int(os.environ['TOTAL'])")}, "python train.py")
    assert (job.batch_size, job.global_batch_size) == (16, None)
    assert read({"train.py": GATHERED.replace("TOTAL", "64")}, "python train.py").global_batch_size == 64


FOR_ALL = """
import jax, optax
import flax.linen as nn
from torch.utils.data import DataLoader
class Net(nn.Module):
    rows: int = 4
state = Net().init(jax.random.PRNGKey(0), 1)
rates = optax.adam(0.1)
step = jax.pmap(lambda rows: jax.value_and_grad(Net().apply)(state, rows))
for rows in LOADER:
    loss, grads = step(rows)
    updates, kept = rates.update(grads, state)
    state = optax.apply_updates(state, updates)
"""


def test_one_process_of_jax_cuts_what_its_loader_gives_among_its_devices(read):
    code = FOR_ALL.replace("LOADER", "DataLoader(range(96), batch_size=24)")
    found = read({"go.py": code}, "CUDA_VISIBLE_DEVICES=0,1 python go.py")
    assert (found.num_gpus, found.batch_size, found.global_batch_size) == (2, 12, 24)
    drawn = "[jax.random.normal(jax.random.PRNGKey(1), (batch_size, 3)) for batch_size in (24, 24)]"
    code = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--batch_size', default=24)\n" + FOR_ALL
    found = read({"go.py": code.replace("LOADER", drawn)}, "CUDA_VISIBLE_DEVICES=0,1 python go.py")
    assert found.global_batch_size != 24
