"""A small training program that launchers of every kind start."""

import pytest

TRAIN = """
    import argparse, os
    import torch
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--local_rank", type=int, default=-1)
    args, _ = parser.parse_known_args()
    size = os.environ.get("WORLD_SIZE") or os.environ.get("SLURM_NTASKS") or os.environ.get("OMPI_COMM_WORLD_SIZE", 1)
    model = torch.nn.Linear(4, 4).cuda()
    if int(size) > 1:
        dist.init_process_group("nccl")
        model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    loader = torch.utils.data.DataLoader(data, batch_size=args.batch)
    for epoch in range(args.epochs):
        for x in loader:
            model(x).sum().backward()
            optimizer.step()
"""


@pytest.fixture
def start(read):
    """Read what a command starts, beside the training program and the files that are given."""

    def read_started(command, files=None, workdir="."):
        return read({"train.py": TRAIN, **(files or {})}, command, workdir)

    return read_started
