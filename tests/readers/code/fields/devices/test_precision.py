"""Weights that are loaded to be given to another framework's network do not tell in which type that one computes."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, on_device

PROGRAM = """
    import jax, optax, torch
    from flax import linen as nn
    from transformers import {loader}

    class Weaver(nn.Module):
        rows: int = 4

    given = {loader}.from_pretrained("gpt2", {argument}={kind})
    net = Weaver()
    state = net.init(jax.random.PRNGKey(0), given)
    rates = optax.adam(0.1)
    for step in range(9):
        loss, grads = jax.value_and_grad(net.apply)(state, step)
        updates, kept = rates.update(grads, state)
        state = optax.apply_updates(state, updates)
    """


@pytest.mark.parametrize(
    ("loader", "argument", "kind", "precision"),
    [
        ("AutoModelForCausalLM", "torch_dtype", "torch.float16", None),
        ("FlaxAutoModelForCausalLM", "dtype", "jax.numpy.bfloat16", "bf16"),
    ],
)
def test_only_weights_of_the_same_framework_tell(read, loader, argument, kind, precision):
    text = PROGRAM.format(loader=loader, argument=argument, kind=kind)
    found = read({"go.py": text if "torch." in kind else text.replace(", torch", "")}, "python go.py")
    assert (found.is_training, found.precision) == (True, precision)


@pytest.mark.parametrize(
    "setup",
    [
        "torch.set_default_dtype({'single': torch.float32, 'exact': torch.float64}['exact'])",
        "torch.set_default_tensor_type(torch.DoubleTensor)",
    ],
)
def test_double_precision_is_told_once_for_all(read, setup):
    assert read(on_device(setup), "python train.py").precision == "fp64"


def test_a_model_may_be_made_double(read):
    assert read(on_device(move="model.double()"), "python train.py").precision == "fp64"


def test_a_model_is_turned_to_a_type_and_a_device_at_once(read):
    code = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)
model = Net().to("cuda", torch.bfloat16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(1).sum().backward()
optimizer.step()
"""
    assert read({"train.py": code}, "python train.py").precision == "bf16"


POLICIES = {
    "policies.py": """
        import torch
        from torch.distributed.fsdp import MixedPrecision

        halves = MixedPrecision(param_dtype=torch.float16, reduce_dtype=torch.float16)
        brains = MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.bfloat16)
        """,
    "train.py": """
        import sys

        import torch
        from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
        from transformers import LlamaForCausalLM

        from policies import brains, halves

        torch.distributed.init_process_group("nccl")
        pure = "--pure" in sys.argv
        model = LlamaForCausalLM.from_pretrained("/models/8B")
        if pure:
            model.to(torch.bfloat16)
        model = FSDP(model, mixed_precision=None if pure else halves if "--halves" in sys.argv else brains)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
        for step in range(10):
            model(torch.ones(1)).loss.backward()
            optimizer.step()
        """,
}


def test_the_policy_counts_that_the_wrapper_gets(read):
    assert read(POLICIES, "torchrun --nproc_per_node 2 train.py --halves").precision == "fp16"
    assert read(POLICIES, "torchrun --nproc_per_node 2 train.py").precision == "bf16"


def test_without_a_policy_the_models_own_type_counts(read):
    found = read(POLICIES, "torchrun --nproc_per_node 2 train.py --pure")
    assert (found.precision, found.distributed) == ("bf16", "FSDP")


TOP = (
    TORCH_HEAD
    + """
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=700)
parser.add_argument("--half", action="store_true")
args = parser.parse_args()
model = torch.nn.Linear(3, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
"""
)
BY_FLAG = """
class Log:
    def __init__(self):
        self.total_steps = 0

    def push(self):
        self.total_steps += 1

log = Log()
scaler = torch.cuda.amp.GradScaler(enabled=args.half)
total_steps = 0
going = True
while going:
    for number, data in enumerate(DataLoader(TensorDataset(torch.rand(9, 3)), batch_size=3)):
        scaler.scale(model(data).sum()).backward()
        scaler.step(optimizer)
        log.push()
        print(log.total_steps)
        total_steps += 1
        if total_steps > args.rounds:
            going = False
            break
"""


@pytest.mark.parametrize(("option", "precision"), [("--half", "fp16"), ("", "fp32")])
def test_scaling_that_is_told_to_be_on_tells_the_precision(read, option, precision):
    assert read({"train.py": TOP + BY_FLAG}, f"python train.py {option}").precision == precision


UNKNOWN_TRAINER = """
import argparse
import importlib
import torch
import torch.multiprocessing as mp

def main(rank, experiment, args):
    torch.distributed.init_process_group("nccl", rank=rank, world_size=args.devices)
    trainer = experiment.get_trainer(args)
    trainer.train()

parser = argparse.ArgumentParser()
parser.add_argument("-n", "--name")
parser.add_argument("-b", "--batch-size", type=int, default=64)
parser.add_argument("-d", "--devices", type=int, default=1)
args = parser.parse_args()
experiment = importlib.import_module("settings." + args.name).Experiment()
mp.spawn(main, nprocs=args.devices, args=(experiment, args))
"""


def test_a_trainer_that_is_not_seen_says_nothing_of_precision_or_of_the_whole_batch(read):
    job = read({"train.py": UNKNOWN_TRAINER}, "python train.py -n small -d 8 -b 64")
    assert (job.is_training, job.num_gpus, job.precision, job.global_batch_size) == (True, 8, None, None)


RECOGNIZER = {
    "train.py": """
        import copy
        import k2
        import torch
        from tracking import Tracker

        class Schedule:
            def __init__(self):
                self.batch = 0

            def step_batch(self):
                self.batch = self.batch + 1
                return 0.1 / (self.batch + 1)

        class Tdnn(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.first = torch.nn.Conv1d(80, 32, 3)

        tracker, schedule, model = Tracker(), Schedule(), Tdnn().cuda()
        average = copy.deepcopy(model).to(torch.float64)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.02)

        @tracker.track("train", 100)
        def train_one(sounds):
            with torch.cuda.amp.autocast(enabled=True):
                loss = model(sounds).sum()
            loss.backward()
            optimizer.step()
            schedule.step_batch()

        for epoch in range(7):
            train_one(torch.zeros(1, 80, 10))
        """,
}


def test_a_schedules_counter_is_no_batch_and_an_averaged_copy_no_precision(read):
    found = read(RECOGNIZER, "python train.py")
    assert (found.batch_size, found.precision, found.epochs) == (None, "fp16", 7)
    assert (found.model_type, found.task_fine) == ("tdnn", "speech recognition")


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


@pytest.mark.parametrize(("asked", "kind"), [("settings.load().precision == 16", None), ("metrics[0] > 1", "fp32")])
def test_a_precision_that_is_read_from_lost_settings_is_open(read, asked, kind):
    code = (
        "import torch, settings\nmetrics = [2]\nprecision = metrics[0] / 3\nnet = torch.nn.LSTM(2, 2).cuda()\n"
        f"optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nif {asked}:\n    print('half')\n"
        "for step in range(40):\n    net(step).sum().backward()\n    optimizer.step()\n"
    )
    files = {"train.py": code, "settings.py": "import os\ndef load():\n    return eval(os.environ['SETTINGS'])\n"}
    assert read(files, "python train.py").precision == kind


IN_JAX = """
import jax, optax
SETUP
import flax.linen as nn
class Net(nn.Module):
    rows: int = 4
state = Net().init(jax.random.PRNGKey(0), 1)
rates = optax.adam(0.1)
for step in range(9):
    loss, grads = jax.value_and_grad(Net().apply)(state, step)
    updates, kept = rates.update(grads, state)
    state = optax.apply_updates(state, updates)
"""


@pytest.mark.parametrize(
    ("setup", "precision"),
    [
        ("jax.config.update('jax_enable_x64', True)", "fp64"),
        ("from jax import config\nconfig.update('jax_enable_x64', True)", "fp64"),
        ("jax.config.update('jax_enable_x64', False)", "fp32"),
        ("jax.config.update('jax_debug_nans', True)", "fp32"),
        ("jax.config.update('jax_enable_x64', True)\nones = jax.numpy.ones(3, dtype=jax.numpy.float32)", None),
        ("jax.config.update('jax_enable_x64', True)\nones = jax.numpy.ones(3, jax.numpy.bfloat16)", None),
        ("jax.config.update('jax_enable_x64', True)\nones = jax.numpy.ones(3, jax.numpy.float64)", "fp64"),
    ],
)
def test_jax_computes_in_double_precision_where_it_is_told_to(read, setup, precision):
    assert read({"go.py": IN_JAX.replace("SETUP", setup)}, "python go.py").precision == precision


READY = """
import sys
import torch
from LIBRARY import NAME
net = NAME(device="cuda")
for path in sys.argv[1:]:
    net.detect(torch.load(path))
"""


@pytest.mark.parametrize(
    ("library", "name", "precision"),
    [("facenet_pytorch", "MTCNN", "fp32"), ("facenet_pytorch", "Drawer", None), ("clip", "ResNet", None)],
)
def test_a_ready_network_that_is_used_computes_as_its_framework_does(read, library, name, precision):
    code = READY.replace("LIBRARY", library).replace("NAME", name)
    found = read({"extract_faces.py": code}, "python extract_faces.py a")
    assert (found.is_training, found.num_gpus, found.precision) == (False, 1, precision)
