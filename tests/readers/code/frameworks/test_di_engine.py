"""DI-engine: agents that two mappings in Python describe, one of what they do and one of registered parts."""

import pytest

SETTINGS = """
    from easydict import EasyDict
    settings = EasyDict(dict(
        env=dict(env_id="Maze-v3"),
        policy=dict(cuda=True, learning_rate=0.004, batch_size=24, optim_type="Adam", other=dict(batch_size=7)),
    ))
    parts = EasyDict(dict(env=dict(type="maze"), policy=dict(type="dqn")))
    """
OWN_LOOP = """
    from ding.config import compile_config
    from ding.policy import create_policy
    from ding.worker import BaseLearner

    def go(pair, max_env_step):
        settings, parts = pair
        settings = compile_config(settings, seed=0, create_cfg=parts)
        policy = create_policy(settings.policy)
        learner = BaseLearner(settings.policy.learner, policy.learn_mode)
        rows = policy._cfg.batch_size
        while True:
            learner.train(collect(rows), collector.envstep)
            if collector.envstep >= max_env_step:
                break

    go((settings, parts), max_env_step=int(5e4))
    """
PIPELINE = """
    from ding.entry import serial_pipeline
    serial_pipeline((settings, parts), seed=0, max_env_step=int(5e4))
    """


BY_PLACE = """
    from ding.entry import serial_pipeline
    serial_pipeline((settings, parts), 0, None, None, int(1e10), int(5e4), True)
    """


@pytest.mark.parametrize("way", [OWN_LOOP, PIPELINE, BY_PLACE])
def test_settings_of_an_agent(read, way):
    job = read({"go.py": SETTINGS + way}, "python go.py")
    assert (job.is_training, job.task, job.framework) == (True, "RL", "DI-engine, PyTorch")
    assert (job.learning_rate, job.batch_size, job.optimizer, job.total_steps) == (0.004, 24, "Adam", 50_000)
    assert (job.model_name, job.dataset_name) == ("dqn", "Maze-v3")


def test_settings_that_are_not_known_stay_open(read):
    way = OWN_LOOP.replace("go((settings, parts)", "go(load_all()")
    job = read({"go.py": SETTINGS + way}, "python go.py")
    assert (job.learning_rate, job.batch_size, job.model_name) == (None, None, None)
