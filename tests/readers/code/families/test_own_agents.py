"""Agents whose algorithm and world are the repository's own, and places of models that are no names."""

import pytest

AGENT = """
import torch
from world import {world}

class ActorNetwork(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.line = torch.nn.Linear(4, 2)
    def forward(self, x):
        return self.line(x)

class {algorithm}:
    def __init__(self, env):
        self.env, self.actor = env, ActorNetwork()
        self.optimizer = torch.optim.Adam(self.actor.parameters(), lr=0.01)
    def learn(self, steps):
        done = 0
        while done < steps:
            self.actor(self.env.reset()).sum().backward()
            self.optimizer.step()
            done += 1

{algorithm}({world}()).learn(500)
"""
WORLD = """
class {world}:
    def reset(self):
        return 0
    def step(self, action):
        return 0, 1, False
"""


@pytest.mark.parametrize(
    ("algorithm", "world", "name", "task"),
    [("PPO", "RiverEnv", "PPO", "RL"), ("Learner", "RiverEnv", "ActorNetwork", None)],
)
def test_an_own_algorithm_in_an_own_world(read, algorithm, world, name, task):
    files = {"go.py": AGENT.format(algorithm=algorithm, world=world), "world.py": WORLD.format(world=world)}
    job = read(files, "python go.py")
    assert (job.model_name, job.task) == (name, task)


@pytest.mark.parametrize(
    ("path", "name"),
    [("./checkpoints/first", None), ("results/run_1/net", None), ("./checkpoints/resnet18", "resnet18")],
)
def test_where_a_model_is_written_is_not_its_name(read, path, name):
    job = read({"run.sh": f"python train_it.py --model_path {path} --lr 0.1 --epochs 3\n"}, "bash run.sh")
    assert (job.model_name, job.learning_rate) == (name, 0.1)
