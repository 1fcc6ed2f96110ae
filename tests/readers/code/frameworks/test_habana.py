"""Optimum's runner for Gaudi, which starts a script on several cards."""

import pytest

SPAWN = """
    import argparse, sys
    from optimum.habana.distributed import DistributedRunner
    parser = argparse.ArgumentParser()
    parser.add_argument("--cards", type=int, default=1)
    parser.add_argument("--use_mpi", action="store_true")
    parser.add_argument("--use_deepspeed", action="store_true")
    parser.add_argument("script")
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    words = [args.script] + args.rest
    runner = DistributedRunner(
        command_list=[" ".join(words)], world_size=args.cards, use_mpi=args.use_mpi, use_deepspeed=args.use_deepspeed
    )
    sys.exit(runner.run())
"""
FIT = """
    import argparse, torch
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.5)
    net = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=parser.parse_args().lr)
    for step in range(9):
        net(torch.ones(3)).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("options", "gpus", "spread"),
    [("--cards 8 --use_mpi", 8, None), ("--cards 4", 4, None), ("--cards 2 --use_deepspeed", 2, "DeepSpeed")],
)
def test_the_script_is_followed_with_its_words(read, options, gpus, spread):
    job = read({"spawn.py": SPAWN, "fit.py": FIT}, f"python spawn.py {options} fit.py --lr 0.25")
    assert (job.is_training, job.learning_rate, job.num_gpus, job.distributed) == (True, 0.25, gpus, spread)


def test_another_runner_is_not_optimums(read):
    other = SPAWN.replace("optimum.habana.distributed", "races.track")
    assert read({"spawn.py": other, "fit.py": FIT}, "python spawn.py --cards 2 fit.py").is_training is None
