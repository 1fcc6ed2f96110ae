"""Programs of several machines that each share a batch of their own, and batches set aside for evaluation."""

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
