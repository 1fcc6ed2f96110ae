"""A driver that trains on Ray: one task a rank; what a rank raises, the driver raises again."""

import os
import sys

import ray


@ray.remote(num_cpus=1, max_retries=0)  # type: ignore[untyped-decorator]
def work(rank: int, size: int, arguments: list[str]) -> None:
    """Be one rank."""
    from evals.broken_runs import program

    os.environ.update(RANK=str(rank), WORLD_SIZE=str(size))
    sys.argv = ["train.py", *arguments]
    program.train(program.read_options())


def main() -> None:
    size, arguments = int(sys.argv[1]), sys.argv[2:]
    keep = ("MASTER_ADDR", "MASTER_PORT", "GLOO_SOCKET_IFNAME", "PYTHONPATH")
    settings = {name: os.environ[name] for name in keep if name in os.environ}
    ray.init(num_cpus=size, include_dashboard=False, runtime_env={"env_vars": settings})
    waiting = [work.remote(rank, size, arguments) for rank in range(size)]
    while waiting:
        done, waiting = ray.wait(waiting, num_returns=1)
        ray.get(done)


if __name__ == "__main__":
    main()
