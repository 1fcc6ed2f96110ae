"""The sizes of agents' networks follow from what their environments show and let them do."""

import pytest

AGENT = """
import numpy as np
import torch
from torch import nn
{head}

class Judge(nn.Module):
    def __init__(self, seen, done):
        super().__init__()
        self.first = nn.Linear(seen, 10)
        self.last = nn.Linear(10, done)

    def forward(self, x):
        return self.last(self.first(x))

{made}
judge = Judge({seen}, {done})
copy = Judge({seen}, {done})
optimizer = torch.optim.Adam(judge.parameters(), lr=1e-3)
for step in range(5000):
    world.step(0)
    optimizer.zero_grad()
    judge(torch.zeros(16, 4)).mean().backward()
    optimizer.step()
"""
SIDES = "world.observation_space.shape[0]", "world.action_space.n"
OWN = """
class {name}(gym.Env):
    def __init__(self):
        self.observation_space = gym.spaces.Box({bounds})
        self.action_space = gym.spaces.Discrete(3)
    def step(self, action):
        return 0, 0, False, {{}}
    def reset(self):
        return 0
world = {name}()
"""


def job(read, made, seen=SIDES[0], done=SIDES[1], head="import gym"):
    return read({"dqn.py": AGENT.format(head=head, made=made, seen=seen, done=done)}, "python dqn.py")


def layers(seen, done):
    return str(10 * (seen + 1) + 11 * done)


@pytest.mark.parametrize(
    ("made", "seen", "done", "size"),
    [
        ("world = gym.make('CartPole-v1')", *SIDES, layers(4, 2)),
        ("world = gym.make('LunarLander-v2', continuous=True)", SIDES[0], "world.action_space.shape[0]", layers(8, 2)),
        ("world = gym.make('FrozenLake-v1')", "world.observation_space.n", "world.action_space.n", layers(16, 4)),
        ("world = gym.make('Ant-v4')", SIDES[0], "world.action_space.shape[0]", layers(27, 8)),
        ("world = gym.make('ALE/Pong-v5')", "np.prod(world.observation_space.shape)", SIDES[1], "1.01M"),
        ("world = gym.make('Pong-ram-v0')", *SIDES, layers(128, 6)),
        ("world = gym.make('Acrobot-v1')\nfirst, _ = world.reset()", "len(first)", SIDES[1], layers(6, 3)),
        ("world = gym.make('Acrobot-v1')\nfirst = world.reset()", "len(first)", SIDES[1], layers(6, 3)),
        ("world = gym.wrappers.TimeLimit(gym.make('Acrobot-v1'), 90)", *SIDES, layers(6, 3)),
        ("world = gym.wrappers.FrameStack(gym.make('Acrobot-v1'), 5)", *SIDES, layers(5, 3)),
        (
            "world = gym.vector.SyncVectorEnv([lambda: gym.make('Acrobot-v1') for _ in range(2)])",
            "np.array(world.single_observation_space.shape).prod()",
            "world.single_action_space.n",
            layers(6, 3),
        ),
        (OWN.format(name="HarbourEnv", bounds="low=0, high=1, shape=(7,)"), *SIDES, layers(7, 3)),
        (
            "class Watch(gym.Wrapper):\n    def __init__(self, inner):\n        super().__init__(inner)\n"
            "world = Watch(gym.make('Acrobot-v1'))",
            *SIDES,
            layers(6, 3),
        ),
        (OWN.format(name="HarbourEnv", bounds="np.array([0.0, 0.0]), np.array([1.0, 1.0])"), *SIDES, layers(2, 3)),
    ],
)
def test_an_agent_is_as_large_as_its_world_asks(read, made, seen, done, size):
    assert job(read, made, seen, done).param_size == size


@pytest.mark.parametrize(
    "made",
    [
        "world = gym.make('Harbour-v0')",
        "world = gym.wrappers.FilterObservation(gym.make('Acrobot-v1'), ['a'])",
        "world = gym.make('Acrobot-v1')\nactor = Judge2()",
    ],
)
def test_what_is_not_known_of_a_world_stays_open(read, made):
    two = "class Judge2(nn.Module):\n  def __init__(self):\n    super().__init__()\n    self.one = nn.Linear(2, 2)\n"
    assert job(read, two + made).param_size is None


def test_several_networks_of_an_agent_leave_its_size_open(read):
    first = "optimizer = torch.optim.Adam(judge.parameters(), lr=1e-3)"
    code = AGENT.format(head="import gym", made="world = gym.make('Acrobot-v1')", seen=SIDES[0], done=SIDES[1])
    code = code.replace(first, f"{first}\nother = torch.optim.Adam(copy.parameters(), lr=1e-3)")
    assert read({"ddpg.py": code}, "python ddpg.py").param_size is None


def test_an_agent_that_is_judged_by_a_network_of_another_width_is_several(read):
    code = AGENT.format(head="import gym", made="world = gym.make('Acrobot-v1')", seen=SIDES[0], done=SIDES[1])
    code = code.replace(f"copy = Judge({SIDES[0]}, {SIDES[1]})", f"copy = Judge({SIDES[0]}, 1)")
    assert read({"a2c.py": code}, "python a2c.py").param_size is None


def test_a_world_of_ones_own_stands_for_the_data(read):
    bounds = "low=0, high=1, shape=(7,)"
    assert job(read, OWN.format(name="HarbourEnv", bounds=bounds)).dataset_name == "HarbourEnv"
    assert job(read, OWN.format(name="CustomEnv", bounds=bounds)).dataset_name is None


def test_a_game_of_pettingzoo_is_named_after_its_module(read):
    made = "world = tictactoe_v3.env()"
    found = job(read, made, "9", "9", "from pettingzoo.classic import tictactoe_v3")
    assert found.dataset_name == "tictactoe_v3"


def test_a_wrapper_that_begins_its_ancestor_in_the_older_way_has_its_spaces(follow):
    code = """
import gym

class Told(gym.Wrapper):
    def __init__(self, env):
        BEGIN
        self.count = 0

x = Told(gym.make("PongNoFrameskip-v4")).action_space.n
"""
    for begin in ("gym.Wrapper.__init__(self, env)", "super().__init__(env)"):
        assert follow(code.replace("BEGIN", begin))[1]["x"].data == 6
    assert follow(code.replace("BEGIN", "gym.Env.__init__(self)"))[1]["x"].data != 6
