"""Networks and parts of networks that one process puts on several devices."""

import pytest

HALVES = """
import torch
from torch import nn

class Halves(nn.Module):
    def __init__(self):
        super().__init__()
        self.low = nn.Linear(8, 8){low}
        self.high = nn.Sequential(nn.ReLU(), nn.Linear(8, 2)){high}

    def forward(self, x):
        return self.high(self.low(x))

class Twin(nn.Module):
    def __init__(self):
        super().__init__()
        self.all = nn.Linear(8, 2)

    def forward(self, x):
        return self.all(x)

net = Halves()
{beside}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(range(99), batch_size=16)
for epoch in range(3):
    for x in loader:
        net(x).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("low", "high", "spread", "gpus"),
    [
        (".to('cuda:0')", ".to('cuda:1')", "model parallel", 2),
        (".cuda(0)", ".cuda(3)", "model parallel", 2),
        (".to(torch.device('cuda:1'))", ".to(torch.device('cuda:2'))", "model parallel", 2),
        (".to('cuda:0')", ".to('cuda:0')", "none", 1),
        (".to('cuda')", ".to('cuda')", "none", 1),
    ],
)
def test_parts_on_several_devices_are_model_parallelism(read, low, high, spread, gpus):
    job = read({"fit.py": HALVES.format(low=low, high=high, beside="")}, "python fit.py")
    assert (job.distributed, job.num_gpus, job.batch_size, job.global_batch_size) == (spread, gpus, 16, 16)


@pytest.mark.parametrize(
    ("beside", "gpus"),
    [
        ("net.to('cuda:0')\ntwin = Twin().to('cuda:1')", 2),
        ("net.to('cuda:0')\nif torch.cuda.device_count() > 1:\n    twin = Twin().to('cuda:1')", 1),
        ("net.to('cuda:1')\nx = torch.ones(3).to('cuda:0')", 1),
    ],
)
def test_whole_networks_on_several_devices_are_only_counted(read, beside, gpus):
    job = read({"fit.py": HALVES.format(low="", high="", beside=beside)}, "python fit.py")
    assert (job.num_gpus, job.global_batch_size) == (gpus, 16)
    assert job.distributed == (None if gpus == 2 else "none")


def test_what_each_of_several_processes_places_is_its_own(read):
    text = HALVES.format(low=".to('cuda:0')", high=".to('cuda:1')", beside="")
    assert read({"fit.py": text}, "torchrun --nproc_per_node=4 fit.py").num_gpus == 4


GRAPH = """
import mxnet as mx

places = {{"low": mx.gpu(0), "high": {high}}}
out = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2)
run = out.simple_bind(ctx=mx.gpu(), data=(16, 8), group2ctx=places)
update = mx.optimizer.get_updater(mx.optimizer.create("sgd", learning_rate=0.1))
for iteration in range(5):
    for data_batch in mx.io.CSVIter(data_csv="a.csv", data_shape=(8,), batch_size=16):
        run.forward(is_train=True)
        run.backward()
"""


@pytest.mark.parametrize(("high", "gpus"), [("mx.gpu(1)", 2), ("mx.gpu(0)", 1)])
def test_groups_of_a_graph_may_be_told_devices(read, high, gpus):
    job = read({"fit.py": GRAPH.format(high=high)}, "python fit.py")
    assert (job.distributed == "model parallel", job.total_steps) == (gpus == 2, None)
    assert job.num_gpus in (gpus, None)
