"""What a rank starts in its place is a rank; a batch system before a wrapper starts one process, no ranks."""

import pytest

INNER = """
    import argparse
    import torch
    import torch.distributed as dist
    from torch.utils.data import DataLoader

    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", type=int, default=8)
    parser.add_argument("--microbatch", type=int, default=8)
    args = parser.parse_args()
    dist.init_process_group("nccl")
    net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2).cuda())
    best = torch.optim.AdamW(net.parameters(), lr=2e-4)
    for step, batch in zip(range(700), DataLoader(rows, batch_size=args.batch_size)):
        for start in range(0, batch.shape[0], {share}):
            net(batch[start:]).sum().backward()
        best.step()
"""
OUTER = """
    import os
    import sys
    words = "--batch_size 256 --microbatch 32"
    os.system(f"LOGGED=1 python inner.py {words}")
"""


def test_a_program_that_a_rank_starts_is_a_rank(read):
    files = {"inner.py": INNER.format(share="args.microbatch"), "outer.py": OUTER}
    found = read(files, "torchrun --nproc_per_node=4 --nnodes=2 outer.py")
    assert (found.num_gpus, found.num_nodes, found.distributed) == (8, 2, "DDP")
    assert (found.batch_size, found.global_batch_size) == (32, 8 * 256)


def test_a_launcher_of_its_own_says_more_than_what_started_it(read):
    files = {
        "inner.py": INNER.format(share="args.microbatch"),
        "outer.py": OUTER.replace("python", "torchrun --nproc_per_node=2"),
    }
    found = read(files, "python outer.py")
    assert (found.num_gpus, found.num_nodes, found.global_batch_size) == (2, 1, 2 * 256)


@pytest.mark.parametrize("share", ["args.microbatch", "batch.shape[0]"])
def test_the_loaders_batch_is_the_share_where_it_is_cut_no_further(read, share):
    files = {"inner.py": INNER.format(share=share)}
    found = read(files, "torchrun --nproc_per_node=4 inner.py --batch_size 16 --microbatch 16")
    assert (found.batch_size, found.global_batch_size) == (16, 64)


PLAIN = """
    import torch
    net = torch.nn.Linear(2, 2).cuda()
    best = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(30):
        net(torch.zeros(2)).sum().backward()
        best.step()
"""


@pytest.mark.parametrize(
    "started", ["uv run learn.py", "conda run -n env python learn.py", "nohup python learn.py", "python learn.py"]
)
@pytest.mark.parametrize("asked", ["--nodes=1 --ntasks-per-node=1 --gres=gpu:1", "-N 1 --gres=gpu:4"])
def test_a_wrapper_behind_a_batch_system_starts_no_ranks(read, started, asked):
    files = {"learn.py": PLAIN, "go.sh": f"#!/bin/bash\n#SBATCH {asked}\n{started}\n"}
    found = read(files, "sbatch go.sh")
    assert (found.num_gpus, found.num_nodes, found.distributed) == (1, 1, "none")
