"""Gym's own registry of environments, as far as the command asks for them: a specification has an id and a module."""

import pytest

PROGRAM = {
    "run.py": """
        import argparse
        from collections import defaultdict

        import gym
        import torch
        import defaults

        games = defaultdict(set)
        for env in gym.envs.registry.all():
            games[env.entry_point.split(":")[0].split(".")[-1]].add(env.id)

        def kind_of(wanted):
            kind = None
            for module, ids in games.items():
                if wanted in ids:
                    kind = module
                    break
            assert kind is not None
            return kind

        def learn(env, lr=1e-2, total=50):
            net = torch.nn.Linear(3, 1)
            frac = 1.0 - (1 - 1.0) / env.spec.max_episode_steps
            optimizer = torch.optim.Adam(net.parameters(), lr=lr(frac) if callable(lr) else lr)
            for _ in range(total):
                loss = net(env.step()).sum()
                loss.backward()
                optimizer.step()

        parser = argparse.ArgumentParser()
        parser.add_argument("--env")
        args = parser.parse_args()
        learn(gym.make(args.env), **getattr(defaults, kind_of(args.env))())
        """,
    "defaults.py": """
        def mujoco():
            return dict(lr=lambda part: 3e-4 * part, total=900)

        def atari():
            return dict(lr=lambda part: part * 2.5e-4)
        """,
}


@pytest.mark.parametrize(("env", "rate"), [("PongNoFrameskip-v4", 2.5e-4), ("Hopper-v2", 3e-4)])
def test_defaults_go_by_where_an_environment_is_registered(read, env, rate):
    assert read(PROGRAM, f"python run.py --env={env}").learning_rate == rate
