"""Clients of which some are drawn by chance in each round."""

import pytest

PROGRAM = """
import random
import numpy as np
import torch
from torch.utils.data import DataLoader
from torchvision.datasets import MNIST

class Client:
    def __init__(self, place, net):
        self.place = place
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
        self.rows = DataLoader(MNIST("x"), batch_size=16)
    def train(self):
        for epoch in range(2):
            for x in self.rows:
                self.net(x).sum().backward()
                self.optimizer.step()

net = torch.nn.Linear(4, 2)
clients = [Client(place, net) for place in range(20)]
by_name = {{f"client {{one.place}}": one for one in clients}}
for round in range(9):
    {drawn}
"""


@pytest.mark.parametrize(
    "drawn",
    [
        "clients[np.random.randint(20)].train()",
        "random.choice(clients).train()",
        "[one.train() for one in random.sample(clients, 5)]",
        "for one in np.random.choice(clients, 5, replace=False): one.train()",
        "for place in np.random.choice(range(20), 5): clients[place].train()",
        "for name in random.sample(sorted(by_name), 5): by_name[name].train()",
    ],
)
def test_drawn_clients_train(read, drawn):
    job = read({"go.py": PROGRAM.format(drawn=drawn)}, "python go.py")
    assert (job.is_training, job.learning_rate, job.batch_size, job.optimizer) == (True, 0.05, 16, "SGD")
