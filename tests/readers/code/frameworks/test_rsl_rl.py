"""rsl_rl: the runner by which Isaac Gym and Isaac Lab train simulated robots."""

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
