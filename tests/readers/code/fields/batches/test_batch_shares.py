"""Batches that are named after what one device sees, or worked out by how many there are."""

import pytest

BY_DEVICES = """
    import argparse
    import torch
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", type=int, default=8)
    parser.add_argument("--gpus", type=int, default=-1)
    args = parser.parse_args()
    gpus = args.gpus if args.gpus > 0 else torch.cuda.device_count()
    model = torch.nn.DataParallel(torch.nn.Linear(4, 2), device_ids=list(range(gpus)))
    loader = torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=args.batch_size * gpus)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        model(batch).sum().backward()
        optimizer.step()
    """


def test_a_batch_that_is_multiplied_by_the_devices_that_are_found_is_no_whole_one(read):
    assert read({"main.py": BY_DEVICES}, "python main.py").global_batch_size is None
    assert read({"main.py": BY_DEVICES}, "python main.py --gpus 2").global_batch_size == 16


OUT_OF_REACH = """
import argparse
import torch
from zoo import build

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=16)
parser.add_argument("--{option}", type=int, default=4)
args = parser.parse_args()

class BigTrainer:
    def train(self, rows):
        self.engine = build(rows, args.{option})
        self.engine.go()

net = torch.nn.Linear(4, 2).cuda()
BigTrainer().train(torch.utils.data.DataLoader(net, batch_size=args.batch_size))
"""


@pytest.mark.parametrize(("option", "total"), [("patience", None), ("accumulation_steps", 64)])
def test_a_trainer_out_of_reach_tells_only_what_it_is_told(read, option, total):
    job = read({"fit.py": OUT_OF_REACH.format(option=option)}, "python fit.py")
    assert (job.is_training, job.batch_size, job.global_batch_size) == (True, 16, total)


SCATTERED = """
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader

dist.init_process_group("nccl")
net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(3, 1).cuda())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

def deal(rows):
    mine = [None]
    dist.scatter_object_list(mine, [rows[rank::4] for rank in range(4)], src=0)
    return mine[0]

def evaluate(rows):
    return net(deal(rows))

for epoch in range(3):
    for rows in DataLoader(range(1000), batch_size=128):
        net({rows}).sum().backward()
        optimizer.step()
    evaluate([1])
"""


@pytest.mark.parametrize(("rows", "batch", "whole"), [("deal(rows)", 32, 128), ("rows", 128, 512)])
def test_a_batch_that_is_scattered_is_one_of_all_processes(read, rows, batch, whole):
    job = read({"go.py": SCATTERED.format(rows=rows)}, "torchrun --nproc_per_node 4 go.py")
    assert (job.batch_size, job.global_batch_size) == (batch, whole)
