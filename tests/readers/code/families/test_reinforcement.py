"""Agents that learn by reinforcement: their runners' configurations, and what they learn from at once."""

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
