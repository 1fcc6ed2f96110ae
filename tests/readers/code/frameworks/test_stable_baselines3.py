"""Stable-Baselines3: algorithms of reinforcement learning with their own defaults."""

import pytest

ALGORITHM = """
import torch
from stable_baselines3 import PPO

class Alg(PPO):
    def __init__(self, policy, coefficient):
        super().__init__(policy, "CartPole-v1")
        self.coefficient = coefficient

Alg("MlpPolicy", 0.001).learn(total_timesteps=1000)
"""


def test_an_algorithm_that_is_told_to_learn_is_no_optimizer(read):
    job = read({"train.py": ALGORITHM}, "python train.py")
    assert (job.is_training, job.optimizer != "Alg", job.learning_rate != 0.001) == (True, True, True)


def test_an_agent_starts_with_what_its_schedule_gives_for_all_that_is_left(read):
    code = (
        "from stable_baselines3 import PPO\n"
        "agent = PPO('MlpPolicy', 'CartPole-v1', batch_size=80, learning_rate=lambda left: 1e-4 / (2 - left))\n"
        "agent.learn(total_timesteps=5000)\n"
    )
    job = read({"train.py": code}, "python train.py")
    assert (job.learning_rate, job.batch_size, job.global_batch_size) == (1e-4, 80, 80)


WORLDS = """
import gymnasium as gym
from stable_baselines3 import A2C
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv, VecNormalize

worlds = MADE
A2C("MlpPolicy", worlds).learn(4000)
"""


@pytest.mark.parametrize(
    ("made", "batch"),
    [
        ("make_vec_env('Hopper-v4', n_envs=4)", 20),
        ("VecNormalize(make_vec_env('Hopper-v4', n_envs=2))", 10),
        ("gym.make('Hopper-v4')", 5),
        ("SubprocVecEnv([lambda: gym.make('Hopper-v4') for _ in range(3)])", 15),
        ("some.worlds.of_mine()", None),
        ("make_vec_env('Hopper-v4', **told)", None),
    ],
)
def test_a2c_steps_on_all_that_was_played(read, made, batch):
    assert read({"go.py": WORLDS.replace("MADE", made)}, "python go.py").batch_size == batch


@pytest.mark.parametrize(("name", "rate", "batch"), [("MaskablePPO", 3e-4, 64), ("CrossQ", 1e-3, 256)])
def test_the_algorithms_of_the_contributed_part_have_their_own_defaults(read, name, rate, batch):
    code = (
        f"import torch\nfrom sb3_contrib import {name}\n"
        f"agent = {name}('MlpPolicy', make_world())\nagent.learn(total_timesteps=5000)\n"
        "torch.ones(4).to(agent.device)\n"
    )
    job = read({"train.py": code}, "python train.py")
    assert (job.learning_rate, job.batch_size, job.optimizer, job.num_gpus) == (rate, batch, "Adam", 1)
