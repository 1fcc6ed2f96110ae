"""What a failure takes down with it: effects by the dozen, in the order of nobody."""

from random import Random


def fallout(rng: Random, ranks: int) -> list[str]:
    """Write the other ranks' complaints, their shutting down, and the launcher's last words."""
    rank_lines = [line for rank in range(ranks) for line in rank_complaints(rng, rank)]
    rng.shuffle(rank_lines)
    return [*rank_lines, *launcher(rng, ranks)]


def rank_complaints(rng: Random, rank: int) -> list[str]:
    """Write what one innocent rank says."""
    sequence = 4000 + rng.randrange(9)
    kinds = [
        [
            f"[rank{rank}]:[E304 12:20:{rng.randrange(60):02d}.{rng.randrange(10**6):06d} ProcessGroupNCCL.cpp:629] [Rank {rank}] Watchdog caught "
            f"collective operation timeout: WorkNCCL(SeqNum={sequence}, OpType=ALLREDUCE, NumelIn=26214400, NumelOut=26214400, Timeout(ms)=600000) ran for 60{rng.randrange(10)}11 milliseconds before timing out.",
        ],
        [
            f"[rank{rank}]: Traceback (most recent call last):",
            f'[rank{rank}]:   File "/home/user/project/train.py", line 88, in main',
            f"[rank{rank}]:     dist.barrier()",
            f"[rank{rank}]: torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1970, remote process exited or there was a network error, NCCL version 2.20.5",
        ],
        [
            f"[rank{rank}]: Traceback (most recent call last):",
            f'[rank{rank}]:   File "/home/user/project/train.py", line 91, in main',
            f"[rank{rank}]:     loss.backward()",
            f"[rank{rank}]: RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:525] Connection closed by peer [10.1.0.{rank}]:41123",
        ],
        [f"[rank{rank}]: BrokenPipeError: [Errno 32] Broken pipe"],
    ]
    return ["\n".join(rng.choice(kinds))]


def launcher(rng: Random, ranks: int) -> list[str]:
    """Write what torchrun or srun says at the end."""
    code = rng.choice([1, 1, 134, 9])
    elastic = [
        f"W0304 12:21:03.551000 1201 site-packages/torch/distributed/elastic/multiprocessing/api.py:897] Sending process {9000 + rank} closing signal SIGTERM"
        for rank in range(min(4, ranks))
    ]
    elastic += [
        f"E0304 12:21:09.120000 1201 site-packages/torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: {code}) local_rank: 0 (pid: 9000) of binary: /opt/conda/bin/python",
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
        "/home/user/project/train.py FAILED",
    ]
    slurm = [
        f"srun: error: cn{rng.randrange(100, 999)}: task {rng.randrange(ranks or 1)}: Exited with exit code {code}",
        "srun: launch/slurm: _step_signal: Terminating StepId=88123.0",
    ]
    return rng.choice([elastic, slurm, elastic + slurm])
