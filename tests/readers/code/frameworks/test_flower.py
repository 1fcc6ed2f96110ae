"""Flower's clients train when a server or a simulation asks them to."""

import pytest

CLIENT = """
import flwr as fl
import torch
from flwr.client import ClientApp, NumPyClient
from torch.utils.data import DataLoader

class Party(NumPyClient):
    def __init__(self, place):
        self.net = torch.nn.Linear(4, 2).to("cuda")
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.02)
        self.rows = DataLoader(torch.load(f"part{place}.pt"), batch_size=12)

    def get_parameters(self, config):
        return [one.detach().numpy() for one in self.net.parameters()]

    def fit(self, parameters, config):
        for epoch in range(3):
            for x in self.rows:
                self.net(x).sum().backward()
                self.optimizer.step()
        return self.get_parameters(config), 9, {}

    def evaluate(self, parameters, config):
        self.net.eval()
        return 0.0, 9, {}

def make(place):
    return Party(place).to_client()
"""


@pytest.mark.parametrize(
    ("start", "gpus"),
    [
        ("fl.client.start_numpy_client(server_address='127.0.0.1:8080', client=Party(0))", 1),
        ("fl.client.start_client(server_address='127.0.0.1:8080', client=Party(0).to_client())", 1),
        ("fl.simulation.start_simulation(client_fn=make, num_clients=8)", None),
        ("fl.simulation.run_simulation(server_app=None, client_app=ClientApp(client_fn=make), num_supernodes=8)", None),
    ],
)
def test_a_client_is_told_to_fit(read, start, gpus):
    job = read({"go.py": CLIENT + start}, "python go.py")
    assert (job.is_training, job.epochs, job.batch_size, job.learning_rate) == (True, 3, 12, 0.02)
    assert (job.optimizer, job.num_gpus) == ("Adam", gpus)


@pytest.mark.parametrize("start", ["", "fl.server.start_server(config=fl.server.ServerConfig(num_rounds=3))"])
def test_a_client_that_nobody_asks_does_not_train(read, start):
    job = read({"go.py": CLIENT + start}, "python go.py")
    assert job.is_training is not True
    assert job.epochs is None
