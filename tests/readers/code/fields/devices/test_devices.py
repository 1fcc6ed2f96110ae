"""On what one process computes, where GPUs are hidden from it."""

import pytest

from tests.readers.code.programs import on_device

PROGRAM = """
import os
{first}
import torch
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    model(torch.randn(4, 8, device=device)).sum().backward()
    optimizer.step()
"""
HIDE = 'os.environ["CUDA_VISIBLE_DEVICES"] = '


@pytest.mark.parametrize(
    ("first", "command", "gpus"),
    [
        ("", "python go.py", 1),
        (HIDE + '""', "python go.py", 0),
        (HIDE + '"-1"', "python go.py", 0),
        (HIDE + '"3"', "python go.py", 1),
        ("", "CUDA_VISIBLE_DEVICES=-1 python go.py", 0),
        ("", "CUDA_VISIBLE_DEVICES= python go.py", 0),
        ("", "CUDA_VISIBLE_DEVICES='' python go.py", 0),
    ],
)
def test_gpus_that_are_hidden_are_not_used(read, first, command, gpus):
    assert read({"go.py": PROGRAM.format(first=first)}, command).num_gpus == gpus


PADDLE = """
import argparse
import paddle
import paddle.nn.functional as F
parser = argparse.ArgumentParser()
parser.add_argument("--on", default="gpu:1")
told = parser.parse_args()
{first}
net = paddle.nn.Linear(8, 2)
adam = paddle.optimizer.Adam(learning_rate=0.1, parameters=net.parameters())
for step in range(100):
    net(paddle.randn([4, 8])).sum().backward()
    adam.step()
    adam.clear_grad()
"""


@pytest.mark.parametrize(
    ("first", "gpus"),
    [
        ("", 1),
        ('paddle.set_device("gpu")', 1),
        ("paddle.set_device(told.on)", 1),
        ("place = paddle.CUDAPlace(0)", 1),
        ("place = paddle.CUDAPlace(0) if input() else paddle.CPUPlace()", 1),
        ('paddle.device.set_device("cpu")', 0),
        ("place = paddle.CPUPlace()", 0),
        ("paddle.set_device(input())", None),
    ],
)
def test_paddle_computes_on_a_gpu_unless_it_is_told_otherwise(read, first, gpus):
    assert read({"go.py": PADDLE.format(first=first)}, "python go.py").num_gpus == gpus


def test_paddle_s_processes_are_counted_by_what_starts_them(read):
    first = "paddle.distributed.init_parallel_env()"
    files = {"go.py": PADDLE.format(first=first)}
    assert read(files, "python -m paddle.distributed.launch --gpus 0,1,2 go.py").num_gpus == 3


@pytest.mark.parametrize(
    ("target", "gpus"), [('device_target="Ascend"', 1), ('device_target="CPU"', 0), ("mode=0", None)]
)
def test_mindspore_says_on_what_it_computes(read, target, gpus):
    program = f"""
import mindspore
from mindspore import Model, nn
import mindspore.dataset as ds
mindspore.set_context({target})
rows = ds.MnistDataset("digits").batch(16)
net = nn.Dense(4, 2)
Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.25, momentum=0.9)).train(7, rows)
"""
    assert read({"go.py": program}, "python go.py").num_gpus == gpus


@pytest.mark.parametrize(
    ("told", "gpus"),
    [
        ('device="cuda:0"', 1),
        ("device=args.device", 1),
        ("device=settings.device", None),
        ('device="cpu"', 0),
        ("device=None", 0),
        ("", 0),
    ],
)
def test_what_a_library_is_told_of_devices(read, told, gpus):
    program = f"""
import argparse
import torch
from absentlib import Runner, settings
parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
args = parser.parse_args()
model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    model(torch.randn(4, 8)).sum().backward()
    optimizer.step()
Runner(model, {told})
"""
    assert read({"go.py": program}, "python go.py").num_gpus == gpus


@pytest.mark.parametrize(
    "move",
    [
        "model.to(torch.device('cuda:{}'.format(0)))",
        "model.to('cuda:{}'.format(random.choice([0, 1])))",
        "model.to(f'cuda:{random.choice([0, 1])}')",
        "model.to('cuda:%d' % random.choice([0, 1]))",
    ],
)
def test_a_device_whose_number_is_open_is_one(read, move):
    assert read(on_device(move=move), "python train.py").num_gpus == 1


def test_a_device_that_is_not_known_at_all_is_not_counted(read):
    assert (
        read(on_device(move="model.to('{}:0'.format(random.choice(['cpu', 'cuda'])))"), "python train.py").num_gpus
        is None
    )


def test_where_a_checkpoint_is_unpacked_is_not_where_the_model_computes(read):
    program = """
        import torch
        state = torch.load("last.pt", map_location=torch.device("cpu"))
        model = torch.nn.Linear(2, 2).{place}
        model.load_state_dict(state)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
        for step in range(3):
            model(torch.randn(2, 2)).sum().backward()
            optimizer.step()
    """
    assert read({"main.py": program.replace("{place}", "to(where)")}, "python main.py").num_gpus is None
    assert read({"main.py": program.replace("{place}", "to('cpu')")}, "python main.py").num_gpus == 0


WHERE_IT_IS = """
import torch
class Agent(torch.nn.Module):
    def __init__(self, device):
        super().__init__()
        self.net = torch.nn.Linear(2, 2)
        self.to(device)
    def learn(self, rows):
        device = DEVICE
        self.net(rows.to(device)).sum().backward()
agent = Agent("cpu")
sgd = torch.optim.SGD(agent.parameters(), lr=0.1)
for step in range(9):
    agent.learn(torch.load("rows"))
    sgd.step()
"""


@pytest.mark.parametrize(("device", "gpus"), [("next(self.parameters()).device", 0), ("other.device", None)])
def test_where_a_networks_own_weights_are_says_nothing_new(read, device, gpus):
    code = WHERE_IT_IS.replace("DEVICE", device).replace("import torch\n", "import torch\nimport other\n")
    assert read({"go.py": code}, "python go.py").num_gpus == gpus


UNREAD = """
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", type=torch.device, default="cpu")
parser.add_argument("--rate", type=float, default=0.1)
told = parser.parse_args()
model = torch.nn.Linear(4, 2){place}
optimizer = torch.optim.SGD(model.parameters(), lr=told.rate)
for epoch in range(3):
    for rows in load():
        model(rows.to({rows})).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(("place", "rows", "gpus"), [("", "'cpu'", 0), (".to(told.device)", "told.device", 1)])
def test_a_device_that_is_told_and_never_read_is_none(read, place, rows, gpus):
    job = read({"go.py": UNREAD.format(place=place, rows=rows)}, "python go.py --device cuda:1")
    assert job.num_gpus == gpus
