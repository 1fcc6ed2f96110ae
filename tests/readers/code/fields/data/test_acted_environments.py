"""In which environment an agent acts that learns by reinforcement: it stands for the data."""

import pytest

from tests.readers.code.networks import CONV_NET, with_training

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


def test_a_world_for_many_tasks_goes_by_the_one_that_it_sets(read):
    world = WORLD.format(world="RiverEnv").replace(
        "    def reset", "    def __init__(self, task):\n        pass\n    def reset"
    )
    agent = AGENT.format(algorithm="PPO", world="RiverEnv").replace("RiverEnv()", "RiverEnv(task=FordTask())")
    task = "from world import FordTask\n"
    files = {"go.py": task + agent, "world.py": world + "class FordTask:\n    pass\n"}
    assert read(files, "python go.py").dataset_name == "FordTask (RiverEnv)"


NESTED = {
    "main.py": """
        import gymnasium as gym
        import hydra
        import torch

        @hydra.main(config_path="conf", config_name="main")
        def run(cfg):
            env = gym.Wrapper(cfg.overrides.env)
            net = torch.nn.Linear(4, 2)
            optimizer = torch.optim.Adam(net.parameters(), lr=cfg.overrides.model_lr)
            steps = 0
            while steps < cfg.overrides.num_steps:
                loss = net(env.step(0)).sum()
                loss.backward()
                optimizer.step()
                steps += 1

        run()
        """,
    "conf/main.yaml": """
        defaults:
          - algorithm: pets
          - overrides: runner
        """,
    "conf/algorithm/pets.yaml": "name: pets\n",
    "conf/overrides/runner.yaml": "env: two_legged_runner\nnum_steps: 40\nmodel_lr: 2e-4\n",
}


def test_an_environment_may_be_named_further_down(read):
    found = read(NESTED, "python main.py")
    assert (found.model_name, found.dataset_name, found.total_steps) == ("pets", "two_legged_runner", 40)


def test_the_configuration_names_algorithm_and_environment(read):
    text = """
    import dmc2gym
    import hydra

    @hydra.main(config_path=".", config_name="sac", version_base=None)
    def main(config):
        env = dmc2gym.make(config.env)
        train(Actor(), [1, 2])

    main()
    """
    files = {
        "train.py": with_training(CONV_NET.format(name="Actor") + text.replace("\n    ", "\n")),
        "sac.yaml": "env: walker_walk\nagent:\n  name: sac\n",
    }
    found = read(files, "python train.py")
    assert (found.model_name, found.model_type) == ("sac", "rl (cnn)")
    assert (found.dataset_name, found.task, found.task_fine) == ("walker_walk", "RL", "continuous control")


@pytest.mark.parametrize(("task", "name"), [("xxx", None), ("walker", "walker")])
def test_a_word_to_be_filled_in_is_no_environment(read, task, name):
    code = (
        "import argparse\nimport gym\np = argparse.ArgumentParser()\np.add_argument('--task')\n"
        "args = p.parse_args()\nenv = registry.make(args.task)\n"
        + CONV_NET.format(name="ActorNetwork")
        + "train(ActorNetwork(), [1, 2])\n"
    )
    assert read({"ppo.py": with_training(code)}, f"python ppo.py --task {task}").dataset_name == name
