"""Follow comprehensions over known sequences."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

LOOP = """
for epoch in range(4):
    loss = model(torch.randn(2, 3)).sum()
    loss.backward()
    optimizer.step()
"""


def test_a_table_of_numbers_does_not_end_the_reading(read):
    """Sinusoids made number by number cost nothing, and what stands after them is read."""
    program = (
        TORCH_HEAD
        + """
def angles(position, width):
    return [position / 10000 ** (2 * (place // 2) / width) for place in range(width)]

table = torch.tensor([angles(position, 512) for position in range(500)])
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
"""
        + LOOP
    )
    workload = read({"train.py": program}, "python train.py")
    assert (workload.learning_rate, workload.precision) == (0.5, "fp32")


def test_items_that_are_all_made_alike_cost_no_more_than_a_few(read):
    program = (
        TORCH_HEAD
        + """
class Labels:
    def get(self):
        total = 0
        for place in ["a", "b", "c", "d", "e", "f", "g", "h"] * 4:
            total = total + len(place)
        return total

labels = Labels()
batch = 500
names = [labels.get() for _ in range(batch)]
assert len(names) == batch
"""
        + TORCH_LOOP
        + "\ntrain(0.5, len(names), 3)\n"
    )
    job = read({"train.py": program}, "python train.py")
    assert (job.batch_size, job.epochs, job.learning_rate) == (500, 3, 0.5)


CLIENTS = """
import importlib
import torch
from torch.utils.data import DataLoader

Client = importlib.import_module("parties").Client
shards = torch.load("shards.pt")
clients = {made}
for round in range(7):
    {asked}
"""
PARTIES = """
import torch
from torch.utils.data import DataLoader

class Client:
    def __init__(self, shard):
        self.net = torch.nn.Linear(4, 2)
        self.rows = DataLoader(shard, batch_size=24)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.05)

    def answer(self, message=None):
        for x in self.rows:
            self.net(x).sum().backward()
            self.optimizer.step()

    def name(self):
        return "client"
"""


@pytest.mark.parametrize(
    ("made", "asked"),
    [
        ("[Client(shard) for shard in shards]", "clients[torch.randint(9, (1,)).item()].answer()"),
        ("[Client(shard) for shard in shards]", "[one.answer() for one in clients]"),
        ("[Client(shard) for shard in shards]", "for one in clients: one.answer()"),
        ("[Client(shard) for shard in shards]", "for place, one in enumerate(clients): one.answer(place)"),
        ("{place: Client(shard) for place, shard in enumerate(shards)}", "clients[round].answer()"),
    ],
)
def test_objects_made_for_what_only_the_run_counts_do_their_work(read, made, asked):
    files = {"go.py": CLIENTS.format(made=made, asked=asked), "parties.py": PARTIES}
    job = read(files, "python go.py")
    assert (job.is_training, job.batch_size, job.learning_rate, job.optimizer) == (True, 24, 0.05, "SGD")
    files["go.py"] = files["go.py"].replace(".answer(", ".name(")
    assert read(files, "python go.py").is_training is not True
