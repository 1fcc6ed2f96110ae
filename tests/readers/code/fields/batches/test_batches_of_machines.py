"""Batches of several machines and of devices whose number is open: who shares which."""

import pytest

SHARED = """
    import argparse
    import torch
    from torch.utils.data import DataLoader

    parser = argparse.ArgumentParser()
    parser.add_argument("--per_gpu_train_batch_size", type=int, default=8)
    parser.add_argument("--train_batch_size", type=int, default=8)
    args = parser.parse_args()
    args.n_gpu = torch.cuda.device_count()
    {whole}
    net = torch.nn.Linear(2, 2).cuda()
    if args.n_gpu > 1:
        net = torch.nn.DataParallel(net)
    best = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(3):
        for batch in DataLoader(rows, batch_size=size):
            net(batch).sum().backward()
            best.step()
"""


@pytest.mark.parametrize(
    ("whole", "words", "batch"),
    [
        ("size = args.per_gpu_train_batch_size * max(1, args.n_gpu)", "--per_gpu_train_batch_size 10", None),
        ("size = args.train_batch_size", "--train_batch_size 10", 10),
    ],
)
def test_the_whole_batch_of_unknown_devices_is_unknown_where_each_has_a_share(read, whole, words, batch):
    found = read({"learn.py": SHARED.format(whole=whole)}, f"python learn.py {words}")
    assert (found.batch_size, found.global_batch_size) == (10, batch)


SPAWNS = """
import argparse, torch
import torch.multiprocessing as mp
import torch.distributed as dist
parser = argparse.ArgumentParser()
parser.add_argument("--world-size", type=int, default=1)
parser.add_argument("--batch-size", type=int, default=256)


def worker(gpu, per_node, args):
    dist.init_process_group("nccl", world_size=args.world_size, rank=gpu)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.LSTM(2, 2).cuda(gpu))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    args.batch_size = int(args.batch_size / {divisor})
    loader = torch.utils.data.DataLoader([1], batch_size=args.batch_size)
    for epoch in range(3):
        for x in loader:
            model(x).sum().backward()
            optimizer.step()


args = parser.parse_args()
per_node = torch.cuda.device_count()
args.world_size = per_node * args.world_size
mp.spawn(worker, nprocs=per_node, args=(per_node, args))
"""


def test_each_machine_has_a_batch_of_its_own_where_only_its_devices_share_it(read):
    job = read({"train.py": SPAWNS.format(divisor="per_node")}, "python train.py --world-size 4 --batch-size 64")
    assert (job.num_nodes, job.batch_size, job.global_batch_size) == (4, 64, 256)


def test_all_machines_share_a_batch_that_is_divided_by_all_processes(read):
    code = SPAWNS.format(divisor="dist.get_world_size()")
    job = read({"train.py": code}, "python train.py --world-size 4 --batch-size 64")
    assert (job.num_nodes, job.global_batch_size) == (4, 64)
