"""Agents that learn by reinforcement: their runners' configurations, and what they learn from at once."""

import pytest

ROBOTS = {
    "robots/__init__.py": "",
    "robots/base.py": """
        import inspect

        class Base:
            def __init__(self):
                self.open_up(self)

            @staticmethod
            def open_up(holder):
                for key in dir(holder):
                    if key == "__class__":
                        continue
                    inner = getattr(holder, key)
                    if inspect.isclass(inner):
                        made = inner()
                        setattr(holder, key, made)
                        Base.open_up(made)
        """,
    "robots/settings.py": """
        from robots.base import Base

        class WalkerCfg(Base):
            class env:
                num_envs = 1024

        class WalkerTrainCfg(Base):
            class algorithm:
                learning_rate = 5.e-4
                num_mini_batches = 8

            class runner:
                algorithm_class_name = "PPO"
                policy_class_name = "ActorCritic"
                num_steps_per_env = 32
                max_iterations = 700

        class HopperTrainCfg(WalkerTrainCfg):
            class runner(WalkerTrainCfg.runner):
                policy_class_name = "ActorCriticRecurrent"
                max_iterations = 90
        """,
    "train.py": """
        import isaacgym
        import torch
        from isaacgym import gymutil
        from rsl_rl.runners import OnPolicyRunner
        from robots.settings import HopperTrainCfg, WalkerCfg, WalkerTrainCfg

        def as_mapping(holder):
            if not hasattr(holder, "__dict__"):
                return holder
            found = {}
            for key in dir(holder):
                if key.startswith("_"):
                    continue
                inner = getattr(holder, key)
                found[key] = [as_mapping(one) for one in inner] if isinstance(inner, list) else as_mapping(inner)
            return found

        class Arena:
            def __init__(self, cfg, device):
                self.num_envs = cfg.env.num_envs
                self.buffer = torch.zeros(self.num_envs, device=device).to(device)

        if __name__ == "__main__":
            args = gymutil.parse_arguments(description="robots", custom_parameters=[
                {"name": "--task", "type": str, "default": "walker"},
                {"name": "--num_envs", "type": int},
                {"name": "--headless", "action": "store_true", "default": False},
            ])
            cfg, tasks = WalkerCfg(), {"walker": WalkerTrainCfg(), "hopper": HopperTrainCfg()}
            if args.num_envs is not None:
                cfg.env.num_envs = args.num_envs
            chosen = tasks[args.task]
            runner = OnPolicyRunner(Arena(cfg, args.sim_device), as_mapping(chosen), "logs", device=args.sim_device)
            runner.learn(num_learning_iterations=chosen.runner.max_iterations)
        """,
}


def test_a_robots_runner_says_how_it_learns(read):
    found = read(ROBOTS, "python train.py --task walker --headless")
    assert (found.model_name, found.model_type, found.task) == ("PPO", "rl (mlp)", "RL")
    assert (found.dataset_name, found.learning_rate, found.optimizer) == ("walker", 5e-4, "Adam")
    assert (found.batch_size, found.total_steps) == (1024 * 32 // 8, 700 * 32 * 1024)
    assert (found.num_gpus, found.epochs) == (1, None)


def test_options_of_the_simulator_are_kept_apart_from_the_programs(read):
    found = read(ROBOTS, "python train.py --task=hopper --num_envs=64 --sim_device=cpu --num_threads 4")
    assert (found.dataset_name, found.model_type) == ("hopper", "rl (rnn)")
    assert (found.batch_size, found.total_steps, found.num_gpus) == (64 * 32 // 8, 90 * 32 * 64, 0)


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


ACTORS = {
    "beast.py": """
        import argparse
        import threading

        import gym
        import torch

        class PlayerNet(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = torch.nn.Conv2d(4, 32, 8)
                self.core = torch.nn.LSTM(32, 32)

        def learn(flags, model, optimizer):
            step = 0
            while step < flags.frames_in_all:
                loss = model(torch.zeros(1, 4, 84, 84)).sum()
                loss.backward()
                optimizer.step()
                step += 80

        parser = argparse.ArgumentParser()
        parser.add_argument("--env", default="PongNoFrameskip-v4")
        parser.add_argument("--frames_in_all", type=int, default=100000)
        parser.add_argument("--num_threads", type=int, default=2)
        flags = parser.parse_args()
        game = gym.make(flags.env)
        model = PlayerNet()
        optimizer = torch.optim.RMSprop(model.parameters(), lr=4e-4)
        threads = []
        for number in range(flags.num_threads):
            thread = threading.Thread(target=learn, args=(flags, model, optimizer))
            thread.start()
            threads.append(thread)
        """,
}


def test_a_loop_that_starts_threads_repeats_nothing(read):
    found = read(ACTORS, "python beast.py --frames_in_all 5000 --num_threads 4")
    assert (found.total_steps, found.epochs) == (5000, None)


def test_a_network_that_plays_learns_by_reinforcement_whatever_its_name(read):
    assert str(read(ACTORS, "python beast.py").model_type).startswith("rl")


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
