"""Numbers of an agent's steps: those of one turn, of a rollout, between updates, and of all."""

import pytest

ACTS = """
import argparse
import gym
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--num_steps", type=int, default={steps})
args = parser.parse_args()
env = gym.make("CartPole-v1")
policy = torch.nn.Linear(4, 2)
adam = torch.optim.Adam(policy.parameters(), lr=0.1)
seen = 0
{loop}
"""
ROUNDS = """
while True:
    for step in range(args.num_steps):
        env.step(env.action_space.sample())
    policy(torch.randn(8, 4)).sum().backward()
    adam.step()
"""
ALL = """
while True:
    env.step(env.action_space.sample())
    policy(torch.randn(8, 4)).sum().backward()
    adam.step()
    seen += 1
    if seen > args.num_steps:
        break
"""


def test_an_agent_s_steps_between_updates_are_not_all_of_them(read):
    assert read({"go.py": ACTS.format(steps=20, loop=ROUNDS)}, "python go.py").total_steps is None
    assert read({"go.py": ACTS.format(steps=20, loop=ROUNDS)}, "python go.py --num_steps 128").total_steps is None
    assert read({"go.py": ACTS.format(steps=1_000_000, loop=ALL)}, "python go.py").total_steps == 1_000_000


TURNS = """
for episode in range(1, 2001):
    done = 0
    while done < args.max_steps:
        env.step(env.action_space.sample())
        policy(torch.randn(8, 4)).sum().backward()
        adam.step()
        done += 1
"""
UPDATES = """
class Agent:
    def __init__(self, rounds):
        self.rounds = rounds

    def update(self):
        for step in range(self.rounds):
            policy(torch.randn(8, 4)).sum().backward()
            adam.step()

agent = Agent(args.num_updates)
while seen < int(input()):
    seen += env.step(env.action_space.sample())
    agent.update()
"""


@pytest.mark.parametrize(("loop", "option"), [(TURNS, "max_steps"), (UPDATES, "num_updates")])
def test_an_agent_s_rounds_of_one_turn_are_not_all_of_them(read, loop, option):
    program = ACTS.format(steps=50, loop=loop).replace("--num_steps", f"--{option}")
    assert read({"go.py": program}, "python go.py").total_steps is None


def test_an_agent_s_loop_over_all_its_steps_counts(read):
    loop = (
        "while seen < args.max_steps:\n    policy(torch.randn(8, 4)).sum().backward()\n    adam.step()\n    seen += 1\n"
    )
    program = ACTS.format(steps=50_000, loop=loop).replace("--num_steps", "--max_steps")
    assert read({"go.py": program}, "python go.py").total_steps == 50_000


AGENT_ROUNDS = """
import agents
import gym
import torch

num_iterations, training_steps = {rounds}, {steps}
env = gym.make("Pong-v0")
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--num_iterations", type=int, default=30)
parser.add_argument("--training_steps", type=int, default=5000)
args = parser.parse_args()

runner = agents.Runner(args.num_iterations, args.training_steps, env, net, optimizer)
while runner.goes_on():
    net(runner.seen()).backward()
    optimizer.step()
"""


def test_how_often_an_agent_goes_over_its_rollouts_is_no_number_of_epochs(read):
    code = AGENT_ROUNDS.format(rounds=3, steps=4).replace("args.num_iterations, ", "n_epochs, ") + "print(n_epochs)\n"
    code = code.replace("import argparse", "n_epochs = 8\nimport argparse").replace("num_iterations", "rounds")
    code = code.replace(
        'parser.add_argument("--rounds"',
        'parser.add_argument("--n_epochs", type=int, default=8)\nparser.add_argument("--rounds"',
    )
    assert read({"go.py": code}, "python go.py").epochs is None


def test_a_setting_at_the_top_comes_before_one_of_a_part(read):
    program = """
        import hydra
        import torch
        from elsewhere import Agent

        @hydra.main(config_path="settings", config_name="base")
        def main(cfg):
            Agent(cfg, torch.device("cuda")).run_training()

        main()
    """
    settings = "env:\n  args:\n    max_steps: 72\noptimizer: adam\nlr: 0.3\nmax_steps: 9000\n"
    found = read({"learn.py": program, "settings/base.yaml": settings}, "python learn.py optimizer=adam lr=0.2")
    assert found.total_steps == 9000


MAZE = """
import gym, torch

class MazeEnv:
    def __init__(self, max_steps=40):
        self.max_steps, self.done_steps = max_steps, 0

    def reset(self):
        self.done_steps = 0

    def step(self, move):
        self.done_steps += 1
        return move, 0.0, self.done_steps >= self.max_steps

maze = MazeEnv({told})
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
while not settled(model):
    maze.reset()
    model(maze.step(1)[0]).sum().backward()
    optimizer.step()
"""


def test_the_steps_that_a_world_lets_one_game_have_are_not_the_jobs(read):
    assert read({"play.py": MAZE.format(told="")}, "python play.py").total_steps is None
