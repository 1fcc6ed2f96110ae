"""RLlib's algorithms: what chained calls, mappings and Ray Tune tell of them, and their defaults."""

import pytest


def test_a_chained_configuration(read):
    program = """
        from ray.rllib.algorithms.ppo import PPOConfig
        config = PPOConfig().environment("CartPole-v1").training(lr=3e-4, train_batch_size=2048).framework("torch")
        algorithm = config.resources(num_gpus=1).build()
        for index in range(10):
            algorithm.train()
        """
    found = read({"go.py": program}, "python go.py")
    assert (found.is_training, found.learning_rate, found.batch_size, found.num_gpus) == (True, 3e-4, 2048, 1)
    assert (found.model_name, found.dataset_name, found.task) == ("PPO", "CartPole-v1", "RL")
    assert (found.framework, found.optimizer) == ("Ray RLlib, PyTorch", "Adam")
    assert (found.total_steps, found.epochs) == (None, None)


OLD = """
    import ray.rllib.agents.dqn as dqn
    from ray.tune.registry import register_env
    register_env("Market", lambda settings: None)
    {settings}
    agent = dqn.DQNTrainer(env="Market", config={told})
    for round in range(70):
        agent.train()
    """


@pytest.mark.parametrize(
    ("settings", "told", "rate", "batch", "gpus", "framework"),
    [
        ("", "{'lr': 2e-4, 'train_batch_size': 48, 'num_gpus': 1}", 2e-4, 48, 1, "Ray RLlib, TensorFlow"),
        ("", "{'framework': 'torch'}", 5e-4, 32, None, "Ray RLlib, PyTorch"),
        ("import sys", "{'lr': sys.stdin.read(), 'framework': 'tf2'}", None, 32, None, "Ray RLlib, TensorFlow"),
        ("told = dqn.DEFAULT_CONFIG.copy()\n    told['lr'] = 1e-5", "told", 1e-5, 32, None, "Ray RLlib, TensorFlow"),
    ],
)
def test_a_mapping_is_told_to_a_trainer(read, settings, told, rate, batch, gpus, framework):
    found = read({"go.py": OLD.format(settings=settings, told=told)}, "python go.py")
    assert (found.is_training, found.model_name, found.dataset_name) == (True, "DQN", "Market")
    assert (found.learning_rate, found.batch_size, found.num_gpus) == (rate, batch, gpus)
    assert (found.framework, found.optimizer, found.task) == (framework, "Adam", "RL")


TUNED = """
    from ray import tune, air
    from ray.rllib.agents import ppo, ddpg
    from worlds import Reach
    {handed}
    """
WORLDS = """
    import gym
    class Reach(gym.Env):
        def step(self, action): ...
        def reset(self): ...
    """


@pytest.mark.parametrize(
    ("handed", "name", "steps", "rate"),
    [
        ("tune.run('SAC', config={'env': Reach}, stop={'timesteps_total': 9000})", "SAC", 9000, 3e-4),
        ("tune.run(ddpg.TD3Trainer, config={'env': Reach, 'actor_lr': 0.02})", "TD3", None, 0.02),
        (
            "tune.Tuner('PPO', param_space={'env': Reach, 'lr': 0.1}, run_config=air.RunConfig("
            "stop={'timesteps_total': 77})).fit()",
            "PPO", 77, 0.1,
        ),
        (
            "tune.run_experiments({'one': {'run': 'IMPALA', 'env': 'Reach', 'stop': {'timesteps_total': 5},"
            " 'config': {'lr': 0.3}}})",
            "IMPALA", 5, 0.3,
        ),
    ],
)  # fmt: skip
def test_ray_tune_trains_what_it_is_handed(read, handed, name, steps, rate):
    found = read({"go.py": TUNED.format(handed=handed), "worlds.py": WORLDS}, "python go.py")
    assert (found.is_training, found.model_name, found.dataset_name) == (True, name, "Reach")
    assert (found.total_steps, found.learning_rate, found.task) == (steps, rate, "RL")


def test_a_search_over_rates_leaves_the_rate_open(read):
    program = """
        from ray import tune
        tune.run("PPO", config={"env": "Maze", "lr": tune.grid_search([0.1, 0.01]), "model": {"use_lstm": True}})
        """
    found = read({"go.py": program}, "python go.py")
    assert (found.learning_rate, found.batch_size, found.model_type) == (None, 128, "rl (rnn)")


def test_a_function_that_is_tuned_is_none_of_its_algorithms(read):
    program = """
        from ray import tune
        tune.register_trainable("mine", lambda settings: None)
        tune.run("mine", config={"lr": 0.5})
        """
    found = read({"go.py": program}, "python go.py")
    assert (found.model_name, found.framework, found.task) == (None, None, None)
