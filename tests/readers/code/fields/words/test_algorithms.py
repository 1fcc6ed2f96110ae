"""By which algorithm of reinforcement learning an agent learns, and from how many steps it learns at once."""

import pytest

from tests.readers.code.networks import CONV_NET, with_training

ROLLOUTS = {
    "main.py": """
        import argparse

        import gym
        import torch

        parser = argparse.ArgumentParser()
        parser.add_argument("--algo", default="a2c")
        parser.add_argument("--env-name", default="Pong-v5")
        parser.add_argument("--num-processes", type=int, default=16)
        parser.add_argument("--num-steps", type=int, default=5)
        parser.add_argument("--num-mini-batch", type=int, default=4)
        parser.add_argument("--num-env-steps", type=int, default=9000)
        parser.add_argument("--lr", type=float, default=7e-4)
        args = parser.parse_args()
        envs = [gym.make(args.env_name) for _ in range(args.num_processes)]
        actor = torch.nn.Linear(8, 2)
        optimizer = torch.optim.RMSprop(actor.parameters(), lr=args.lr)
        for update in range(args.num_env_steps // args.num_steps // args.num_processes):
            rollout = [env.step(0) for _ in range(args.num_steps) for env in envs]
            loss = actor(torch.tensor(rollout)).sum()
            loss.backward()
            optimizer.step()
        """,
}


def test_what_keeps_no_replay_learns_from_the_steps_of_its_environments(read):
    found = read(ROLLOUTS, "python main.py --num-steps 20")
    assert (found.model_name, found.batch_size, found.total_steps) == ("a2c", 320, 9000)


def test_mini_batches_are_only_ppos(read):
    assert read(ROLLOUTS, "python main.py --algo ppo --num-steps 64").batch_size == 64 * 16 // 4
    assert read(ROLLOUTS, "python main.py --algo sac").batch_size is None


AGENT = """
import gym
import jax
import flax.linen as nn
import optax

class GaussianPolicy(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x)

class ConservativeSAC:
    def __init__(self, policy):
        self.policy = policy
        self.optimizer = optax.adam(1e-3)

    def train(self, batch):
        grads = jax.grad(lambda params: self.policy.apply(params, batch).sum())({})
        updates, state = self.optimizer.update(grads, None)
        return optax.apply_updates({}, updates)

environment = gym.make("HalfCheetah-v2")
policy = GaussianPolicy()
agent = ConservativeSAC(policy)
for step in range(10):
    agent.train(environment.step(0))
"""


def test_an_agent_is_named_after_its_algorithm_not_after_its_policy_network(read):
    assert read({"agents/__init__.py": "", "agents/run.py": AGENT}, "python -m agents.run").model_name == (
        "ConservativeSAC"
    )
    plain = AGENT.replace("ConservativeSAC", "Learner")
    assert read({"agents/__init__.py": "", "agents/sac_run.py": plain}, "python -m agents.sac_run").model_name == "SAC"
    job = read({"run.py": plain}, "python run.py")
    assert (job.is_training, job.model_name, job.model_type) == (True, None, "rl (mlp)")


def test_the_folder_of_a_plain_script_may_be_the_algorithm_s(read):
    plain = AGENT.replace("ConservativeSAC", "Learner")
    assert read({"D4PG/main.py": plain}, "python D4PG/main.py").model_name == "D4PG"
    assert read({"sac_and_others/main.py": plain}, "python sac_and_others/main.py").model_name is None


SHARED = """
import argparse

def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--algo", default="iql")
    return parser.parse_args()
"""


@pytest.mark.parametrize(("words", "name"), [("", "SAC"), ("--algo td3", "td3")])
def test_a_default_that_programs_share_says_less_than_the_script(read, words, name):
    program = "from options import parse\nargs = parse()\n" + AGENT.replace("ConservativeSAC", "Learner")
    program += "print(args.algo)\n"
    files = {"main_sac.py": program, "main_any.py": program, "options.py": SHARED}
    assert read(files, f"python main_sac.py {words}").model_name == name
    assert read(files, "python main_any.py").model_name == "iql"


def test_capital_settings_of_an_agent_give_its_mini_batch(read):
    code = (
        "import argparse, gym, torch\nparser = argparse.ArgumentParser()\nparser.add_argument('--LR', default=0.5)\n"
        "for name, number in (('NUM_ENVS', 128), ('NUM_STEPS', 32), ('NUM_MINIBATCHES', 16)):\n"
        "    parser.add_argument('--' + name, default=number)\n"
        "config = vars(parser.parse_args())\nenv = gym.make('Pong-v5')\n"
        "class ActorCritic(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.body = torch.nn.Linear(4, 2)\n"
        "net = ActorCritic().cuda()\noptimizer = torch.optim.Adam(net.parameters(), lr=config['LR'])\n"
        "batch = config['NUM_ENVS'] * config['NUM_STEPS'] // config['NUM_MINIBATCHES']\n"
        "for update in range(900):\n    net(env.reset()).sum().backward()\n    optimizer.step()\n"
    )
    assert read({"ppo_atari.py": code}, "python ppo_atari.py").batch_size == 256


AGENTS = """
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument("--algorithm_name")
parser.add_argument("--num_env_steps", type=int, default=1000)
parser.add_argument("--ppo_epoch", type=int, default=15)
args = parser.parse_args()
class Actor(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)
actor = Actor().cuda()
optimizer = torch.optim.Adam(actor.parameters(), lr=7e-4)
for episode in range(args.num_env_steps // 100):
    collect(actor)
    for _ in range(args.ppo_epoch):
        actor(1).sum().backward()
        optimizer.step()
"""


def test_an_algorithm_of_several_agents_counts_the_steps_of_their_world(read):
    job = read({"run.py": AGENTS}, "python run.py --algorithm_name rmappo --num_env_steps 20000000")
    assert (job.model_name, job.task, job.task_fine) == ("rmappo", "RL", "multi-agent reinforcement learning")
    assert (job.epochs, job.total_steps, job.learning_rate) == (None, 20_000_000, 7e-4)


def test_a_learned_policy_is_told_with_its_layers(read):
    text = """
    import gymnasium as gym

    class PPO(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.policy = nn.Sequential(nn.Linear(4, width), nn.Tanh(), nn.Linear(width, 2))

    env = gym.make("CartPole-v1")
    train(PPO(64), [1, 2])
    """
    found = read({"train.py": with_training(text.replace("\n    ", "\n"))}, "python train.py")
    assert (found.model_name, found.model_type) == ("PPO", "rl (mlp)")
    assert (found.task, found.task_fine, found.dataset_name) == ("RL", "classic control", "CartPole-v1")


def test_a_label_of_a_run_is_cut_to_its_algorithm(read):
    found = read({"main.py": ROLLOUTS["main.py"].replace('"a2c"', '"a2c_env=8_long"')}, "python main.py")
    assert found.model_name == "a2c"


SETTINGS = """
class {name}:
    steps = 9

known = {name}()
env = gym.make("CartPole-v1")
train(Brook(), [1, 2])
"""


@pytest.mark.parametrize(("name", "found"), [("WalkerRoughCfgPPO", None), ("WalkerPPO", "WalkerPPO")])
def test_the_settings_of_an_algorithm_for_one_body_name_no_model(read, name, found):
    code = "import gym\n" + CONV_NET.format(name="Brook") + SETTINGS.format(name=name)
    named = read({"train.py": with_training(code)}, "python train.py").model_name
    assert (named == name) == (found == name)


IMITATING = """
import gym
import torch
from torch import nn

class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

class PPO:
    def __init__(self, model):
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

    def train(self, loss):
        loss.backward()
        self.optimizer.step()

class {outer}:
    def __init__(self, inner):
        self.inner = inner

    def train(self, loss):
        self.inner.train(loss)

env = gym.make("CartPole-v1")
net = ActorCritic()
learner = {outer}(PPO(net))
for step in range(9):
    learner.train(net.layer(torch.rand(4)).sum())
"""


@pytest.mark.parametrize(("outer", "name"), [("GAIL", "GAIL"), ("Keeper", "PPO"), ("PPORunner", "PPO")])
def test_an_algorithm_that_is_made_with_another_one_is_the_whole(read, outer, name):
    assert read({"go.py": IMITATING.format(outer=outer)}, "python go.py").model_name == name
