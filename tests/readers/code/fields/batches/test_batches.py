"""Loaders of a repository's own that cut a text into B rows of T tokens."""

import pytest

from tests.readers.code.programs import KNOWN_ROWS, TORCH_HEAD

PROGRAM = """
import torch
from torch import nn

class Pages:
    def __init__(self, B, T):
        self.B, self.T = B, T

    def next_batch(self):
        return torch.zeros(self.B, self.T)

total_batch_size = {total}
print("in all", total_batch_size)
pages = Pages(B=8, T=256)
model = nn.Linear(256, 256)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.001)
for step in range(100):
    model(pages.next_batch()).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("total", "whole"), [(8192, 32), (64, 64)])
def test_rows_are_the_batch_and_tokens_count_as_rows(read, total, whole):
    found = read({"go.py": PROGRAM.format(total=total)}, "python go.py")
    assert (found.batch_size, found.global_batch_size) == (8, whole)


SETTINGS = """
import torch
from torch import nn

class Quantizer:
    def __init__(self, B, T):
        self.B, self.T = B, T

quantizer = Quantizer(8, {steps})
global_batch_size = 512
print("in all", global_batch_size, "of", {batch})
model = nn.Linear(4, 4)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.001)
for step in range(100):
    model(step).sum().backward()
    optimizer.step()
"""


def test_letters_of_what_gives_no_batches_are_none(read):
    assert read({"go.py": SETTINGS.format(steps=2, batch=None)}, "python go.py").batch_size is None


@pytest.mark.parametrize("steps", [0, 64])
def test_letters_of_what_gives_no_batches_leave_the_whole_batch_as_it_is(read, steps):
    program = SETTINGS.format(steps=steps, batch=8).replace("global_batch_size = 512", OPTIONS)
    found = read({"go.py": program}, "python go.py")
    assert (found.batch_size, found.global_batch_size) == (8, 512)


OPTIONS = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=8)
parser.add_argument("--global_batch_size", type=int, default=512)
args = parser.parse_args()
global_batch_size = args.global_batch_size
"""
NETWORK = """
import torch
from torch import nn

class Mixer(nn.Module):
    def __init__(self, B, T):
        super().__init__()
        self.B, self.T = B, T
        self.layer = nn.Linear(4, 4)

model = Mixer(3, 5)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.001)
for step in range(100):
    model(step).sum().backward()
    optimizer.step()
"""


def test_letters_of_a_network_are_no_batch(read):
    assert read({"go.py": NETWORK}, "python go.py").batch_size is None


MODULES = """
import torch
from evaluate import evaluate
from rows import iterate
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
for epoch in range(3):
    for batch in iterate({told}):
        net(batch).sum().backward()
        sgd.step()
    evaluate(net)
"""
EVALUATE = """
from rows import iterate

def evaluate(net):
    batch_size = 1
    for batch in iterate(batch_size=batch_size):
        net(batch)
"""


def test_a_batch_of_the_module_that_evaluates_is_not_the_job_s(read):
    files = {"evaluate.py": EVALUATE, "rows.py": "from elsewhere import iterate\n"}
    assert read({"go.py": MODULES.format(told=""), **files}, "python go.py").batch_size is None
    told = MODULES.replace("net =", "batch_size = 12\nnet =").format(told="batch_size")
    assert read({"go.py": told, **files}, "python go.py").batch_size in (12, None)


def test_a_sampler_of_batches_tells_their_size(read):
    files = {
        "train.py": """
            import argparse
            import torch
            from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset

            class Mixed(BatchSampler):
                def __init__(self, *args, mix=True, **kwargs):
                    super().__init__(*args, **kwargs)
                    self.mix = mix

            parser = argparse.ArgumentParser()
            parser.add_argument("--batch-size", type=int, default=64)
            args = parser.parse_args()
            data = TensorDataset(torch.randn(100, 4))
            sampler = Mixed(sampler=RandomSampler(data), batch_size=args.batch_size // 4, drop_last=False)
            loader = DataLoader(data, batch_sampler=sampler)
            model = torch.nn.Linear(4, 2)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for (x,) in loader:
                model(x).sum().backward()
                optimizer.step()
            """
    }
    assert read(files, "python train.py --batch-size 32").batch_size == 8


def test_a_name_in_the_code_gives_way_to_the_commands_option(read):
    files = {
        "train.py": "import argparse\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--batch-size', type=int)\n"
        "args = parser.parse_args()\n"
        + TORCH_HEAD
        + "from unseen import make_batches\nmodel = torch.nn.Linear(2, 2)\nbatch = 4\nprobe = torch.zeros(batch, 2)\n"
        "for x in make_batches(args):\n    model(x).sum().backward()\n"
    }
    assert read(files, "python train.py --batch-size 16").batch_size == 16


PREPARES = """
import argparse
from torch.utils.data import DataLoader
from voices import Settings, Trainer, read_samples

def write_masks(samples):
    size = 16
    for batch in DataLoader(samples, batch_size=size):
        print(batch)

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=4)
args = parser.parse_args()
settings = Settings(batch_size=args.batch_size)
if not settings.has_masks:
    write_masks(read_samples())
trainer = Trainer(settings)
trainer.fit()
"""


def test_a_loader_that_may_only_prepare_gives_way_to_what_the_command_asks_for(read):
    assert read({"go.py": PREPARES}, "python go.py --batch_size 48").batch_size == 48


def test_loaders_of_an_evaluation_agree_or_are_left_open(read):
    head = "import torch\nfrom torch.utils.data import DataLoader\nnet = torch.load('x').eval().cuda()\n"
    one = head + "for batch in DataLoader([1], batch_size=32):\n    net(batch)\n"
    assert read({"evaluate.py": one}, "python evaluate.py").batch_size == 32
    two = one + "for batch in DataLoader([1], batch_size=8):\n    net(batch)\n"
    assert read({"evaluate.py": two}, "python evaluate.py").batch_size is None


def test_a_loader_of_what_comes_after_has_another_batch(read):
    code = """
def finetune(net):
    for epoch in range(9):
        for rows in DataLoader(Unknown(), batch_size=512, shuffle=True):
            work(rows)
source = iter(known)
for step in range(300):
    work(next(source))
finetune(model)
"""
    job = read({"train.py": KNOWN_ROWS + code}, "python train.py")
    assert (job.batch_size, job.total_steps) == (4, 300)


GRAPHS = {
    "train.py": """
        import torch
        from dgl.data import GINDataset
        from dgl.dataloading import GraphDataLoader
        from dgl.nn import GINConv

        class GIN(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.first = GINConv(torch.nn.Linear(4, 4))

        model = GIN().cuda()
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        train_loader = GraphDataLoader(GINDataset("NCI1"), batch_size=48)
        for epoch in range(9):
            for graphs, labels in train_loader:
                loss = torch.nn.functional.cross_entropy(model(graphs), labels)
                loss.backward()
                optimizer.step()
        """,
}


def test_graphs_have_loaders_of_their_own(read):
    found = read(GRAPHS, "python train.py")
    assert (found.batch_size, found.epochs, found.task, found.model_type) == (48, 9, "graph", "gnn")


SAMPLE = """
import argparse
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 3, 3)

    def forward(self, x):
        return self.conv(x)

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=16)
parser.add_argument("--use_fp16", type=lambda text: text == "True", default=False)
args = parser.parse_args()
net = Net().cuda()
net.load_state_dict(torch.load("net.pt"))
if args.use_fp16:
    for layer in net.children():
        layer.weight.data = layer.weight.data.half()
net.eval()
with torch.no_grad():
    images = net(torch.randn(args.batch_size, 3, 8, 8).cuda())
"""


def test_a_sampler_tells_batch_device_and_precision(read):
    job = read({"sample.py": SAMPLE}, "python sample.py --batch_size 4")
    assert (job.is_training, job.batch_size, job.num_gpus, job.precision) == (False, 4, 1, "fp32")
    assert (job.learning_rate, job.optimizer, job.epochs) == (None, None, None)
    assert read({"sample.py": SAMPLE}, "python sample.py").batch_size == 16
