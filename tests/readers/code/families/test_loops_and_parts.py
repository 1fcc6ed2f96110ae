"""How long loops run that go by flags and counters, and which part of a configuration is about training."""

import pytest

from tests.readers.code.programs import TORCH_HEAD

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
FROM_ONE = """
epoch = 0
epoch += 1
while epoch < args.rounds + 1:
    for (data,) in DataLoader(TensorDataset(torch.rand(9, 3)), batch_size=3):
        model(data).sum().backward()
        optimizer.step()
    epoch += 1
"""


def test_a_loop_goes_on_until_its_flag_falls(read):
    workload = read({"train.py": TOP + BY_FLAG}, "python train.py --rounds 900")
    assert (workload.total_steps, workload.epochs) == (900, None)


@pytest.mark.parametrize(("option", "precision"), [("--half", "fp16"), ("", "fp32")])
def test_scaling_that_is_told_to_be_on_tells_the_precision(read, option, precision):
    assert read({"train.py": TOP + BY_FLAG}, f"python train.py {option}").precision == precision


def test_epochs_are_counted_from_the_first(read):
    assert read({"train.py": TOP + FROM_ONE}, "python train.py --rounds 25").epochs == 25


PARTS = {
    "pipeline.py": """
    import tomllib
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    with open("job.toml", "rb") as file:
        config = tomllib.load(file)

    def train(steps, batch_size):
        model = torch.nn.Linear(3, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
        data = draw(batch_size)
        for step in range(steps):
            model(next(data)).sum().backward()
            optimizer.step()
        return model

    def draw(batch_size):
        while True:
            yield torch.rand(batch_size, 3)

    def sample(model, batch_size):
        return model(torch.rand(batch_size, 3))

    sample(train(**config["train"]), batch_size=config["sample"]["batch_size"])
    """,
    "job.toml": "[train]\nsteps = 40\nbatch_size = 16\n[sample]\nbatch_size = 9000\n",
}


def test_what_is_set_for_sampling_is_not_for_training(read):
    workload = read(PARTS, "python pipeline.py")
    assert (workload.batch_size, workload.total_steps) == (16, 40)


def test_a_file_on_an_added_path_is_meant_before_a_library_of_its_name(read):
    program = """
    import sys
    sys.path.append("core")
    import torch
    import datasets

    model = torch.nn.Conv2d(3, 1, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(3):
        for image in datasets.fetch(8):
            model(image).sum().backward()
            optimizer.step()
    """
    own = """
    import torch

    class FlyingChairs(torch.utils.data.Dataset):
        def __init__(self, root):
            self.files = open(root).read().split()

    def fetch(batch_size):
        return torch.utils.data.DataLoader(FlyingChairs("list.txt"), batch_size=batch_size)
    """
    workload = read({"train.py": program, "core/datasets.py": own}, "python train.py")
    assert (workload.dataset_name, workload.batch_size) == ("FlyingChairs", 8)


def test_a_packages_module_of_a_librarys_name_does_not_stand_in_for_the_library(read):
    """`python -m lab.train` puts the folder above on the path, so `optax` is the library and `lab.optax` the module."""
    program = """
    import jax
    import optax
    import lab.optax as own

    state = own.start()
    optimizer = optax.adamw(learning_rate=0.01)
    updates = optimizer.update(jax.grad(lambda x: x.sum())(state), optimizer.init(state))
    state = optax.apply_updates(state, updates)
    """
    files = {
        "lab/__init__.py": "",
        "lab/train.py": program,
        "lab/optax.py": "import jax\ndef start(): return jax.numpy.zeros(3)\n",
    }
    assert read(files, "python -m lab.train").optimizer == "AdamW"


REVERSED = (
    TOP
    + """
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.rand(9, 3)), batch_size=3)
args.done = 1
args.last = len(loader.dataset.wherever()) * 3
while args.done <= args.last:
    for (data,) in loader:
        if args.done > args.last:
            break
        model(data).sum().backward()
        optimizer.step()
        args.done += 1
"""
)


def test_where_a_counter_begins_is_not_how_far_it_counts(read):
    assert read({"train.py": REVERSED}, "python train.py").total_steps is None
