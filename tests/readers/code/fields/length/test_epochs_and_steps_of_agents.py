"""How long agents train: their turns and episodes are no epochs, and only what all of them do are the job's steps."""

import pytest

from tests.readers.code.programs import lasts

PLAYING = """
import sys
import gymnasium
import torch

class Driver:
    def __init__(self):
        self.env = gymnasium.make("CartPole-v1")

    def __call__(self, policy, steps=0):
        for _ in range(steps):
            self.env.step(policy())

def train(model, goal):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)
    driver, done = Driver(), 0
    {loop}

train(torch.nn.Linear(4, 2), int(float(sys.stdin.readline())))
"""


def test_steps_of_one_turn_of_an_endless_loop_are_no_job(read):
    turn = "while done < goal:\n        driver(model, steps=10)\n        optimizer.step()"
    assert read({"go.py": PLAYING.format(loop=turn)}, "python go.py").total_steps is None


EPISODES = """
import argparse
import gym
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--total_steps", type=int, default=9000)
told = parser.parse_args()
place = gym.make("Maze-v2")
model = torch.nn.Linear(3, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
{loops}
"""
STEP = "        model(look()).sum().backward()\n        optimizer.step()\n"


def test_whole_episodes_of_an_agent_are_no_steps(read):
    loops = f"for step in range(0, told.total_steps, 500):\n    for turn in range(many(step)):\n{STEP}"
    assert read({"go.py": EPISODES.format(loops=loops)}, "python go.py").total_steps == 9000


def test_steps_that_the_command_tells_an_agent_in_all(read):
    loops = f"for epoch in range(told.total_steps // 300):\n    for turn in look(place):\n{STEP}"
    job = read({"go.py": EPISODES.format(loops=loops)}, "python go.py --total_steps 6000")
    assert job.total_steps == 6000


TURNS = """
import argparse
import torch
p = argparse.ArgumentParser()
p.add_argument("--crit_steps", type=int, default=1)
p.add_argument("--{name}", type=int, default=300)
a = p.parse_args()
net = torch.nn.Linear(4, 2)
adam = torch.optim.Adam(net.parameters())

def learn(updates):
    for batch in rows():
        for step in range(a.crit_steps):
            net(batch).sum().backward()
            adam.step()

learn(a.{name})
"""


@pytest.mark.parametrize(
    ("name", "words", "steps"),
    [("updates_per_round", "", None), ("max_steps", "", 300), ("max_steps", "--max_steps 7", 7)],
)
def test_a_turn_of_one_step_and_so_many_of_each_are_no_total(read, name, words, steps):
    assert read({"fit.py": TURNS.format(name=name)}, f"python fit.py {words}").total_steps == steps


CRITIC = """
judge = torch.nn.Linear(2, 2)
other = torch.optim.Adam(judge.parameters())
{around}
{indent}for critic_iter in range(5):
{indent}    other.zero_grad()
{indent}    judge(rows).sum().backward()
{indent}    other.step()
{indent}work(rows)
"""


@pytest.mark.parametrize(
    ("around", "found"),
    [
        ("for iteration in range(60):", (None, 60)),
        ("for epoch in range(many()):\n    for rows in known:", (None, None)),
        ("for rows in unknown:", (None, None)),
    ],
)
def test_rounds_of_a_critic_are_no_steps_of_the_job(read, around, found):
    indent = "    " * around.count("for ")
    assert lasts(read, CRITIC.format(around=around, indent=indent)) == found


AGENT = """
import gym
import torch

{name} = 700
env = gym.make("CartPole-v1")
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for {turn} in range({name}):
    state, done = env.reset(), False
    while not done:
        state, reward, done, _ = env.step(0)
        net(state).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(("name", "turn"), [("n_episodes", "i"), ("rounds", "a_i"), ("EPISODES", "episode")])
def test_episodes_last_as_long_as_they_last(read, name, turn):
    job = read({"go.py": AGENT.format(name=name, turn=turn)}, "python go.py")
    assert (job.task, job.epochs, job.total_steps) == ("RL", None, None)


OPTIONS = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--n_iter', type=int)\n"
OPTIONS += "rounds = parser.parse_args().n_iter"


def test_rounds_of_an_agent_that_the_command_tells_are_no_epochs(read):
    code = AGENT.format(name="rounds", turn="itr").replace("rounds = 700", OPTIONS)
    assert read({"go.py": code}, "python go.py --n_iter 12").epochs is None
    assert read({"go.py": code.replace("n_iter", "epochs")}, "python go.py --epochs 12").epochs in (None, 12)


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


def test_an_agent_trains_so_many_rounds_of_so_many_steps(read):
    job = read(
        {"go.py": AGENT_ROUNDS.format(rounds=30, steps=5000)}, "python go.py --num_iterations 20 --training_steps 4000"
    )
    assert job.total_steps == 80_000


FILLED = """
import argparse
import gym
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--num_T", type=int, default=90_000)
parser.add_argument("--sampled", type=int, default=1000)
parser.add_argument("--epochs", type=int, default=60)
args = parser.parse_args()
env = gym.make("CartPole-v1")
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=3e-4)
turns = {turns}
for epoch in range(1, 1 + turns):
    for _ in range(args.sampled):
        env.step(0)
    net(torch.ones(4)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("turns", "epochs"), [("args.num_T // args.sampled + 1", None), ("args.epochs", 60)])
def test_turns_that_fill_the_steps_of_the_environment_are_no_epochs(read, turns, epochs):
    assert read({"go.py": FILLED.format(turns=turns)}, "python go.py").epochs == epochs
