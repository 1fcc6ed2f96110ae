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


SIMULATION = "fl.simulation.start_simulation(client_fn=make, num_clients=8, MORE)"
APP = "fl.simulation.run_simulation(server_app=None, client_app=ClientApp(client_fn=make), num_supernodes=8, MORE)"


@pytest.mark.parametrize(
    ("start", "epochs", "gpus"),
    [
        ("fl.client.start_numpy_client(server_address='127.0.0.1:8080', client=Party(0))", None, 1),
        ("fl.client.start_client(server_address='127.0.0.1:8080', client=Party(0).to_client())", None, 1),
        (SIMULATION.replace("MORE", ""), 3, None),
        (SIMULATION.replace("MORE", "config=fl.server.ServerConfig(num_rounds=1)"), 3, None),
        (SIMULATION.replace("MORE", "config=fl.server.ServerConfig(num_rounds=40)"), None, None),
        (SIMULATION.replace("MORE", "config=fl.server.ServerConfig(40)"), None, None),
        (SIMULATION.replace("MORE", "config={'num_rounds': 40}"), None, None),
        (APP.replace("MORE", ""), None, None),
    ],
)
def test_a_client_is_told_to_fit(read, start, epochs, gpus):
    job = read({"go.py": CLIENT + start}, "python go.py")
    assert (job.is_training, job.epochs, job.batch_size, job.learning_rate) == (True, epochs, 12, 0.02)
    assert (job.optimizer, job.num_gpus, job.total_steps) == ("Adam", gpus, None)


@pytest.mark.parametrize(
    ("start", "given", "gpus"),
    [
        (SIMULATION, "client_resources={'num_cpus': 2, 'num_gpus': 0.5}", 4),
        (SIMULATION, "client_resources={'num_cpus': 2, 'num_gpus': 0.0}", None),
        (SIMULATION, "client_resources={'num_cpus': 2}", None),
        (SIMULATION, "", None),
        (APP, "backend_config={'client_resources': {'num_gpus': 1}}", 4),
        (APP, "backend_config={'client_resources': {'num_cpus': 1}}", None),
    ],
)
def test_simulated_clients_take_the_gpus_that_there_are_if_each_is_given_some(read, start, given, gpus):
    job = read({"go.py": CLIENT + start.replace("MORE", given)}, "CUDA_VISIBLE_DEVICES=0,1,2,3 python go.py")
    assert (job.is_training, job.num_gpus) == (True, gpus)


@pytest.mark.parametrize("start", ["", "fl.server.start_server(config=fl.server.ServerConfig(num_rounds=3))"])
def test_a_client_that_nobody_asks_does_not_train(read, start):
    job = read({"go.py": CLIENT + start}, "python go.py")
    assert job.is_training is not True
    assert job.epochs is None
