"""Batches that a loop goes through in pieces before the optimizer takes its step."""

import pytest

from tests.readers.code.programs import TORCH_HEAD

PROGRAM = """
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=2)
parser.add_argument("--microbatch", type=int, default=-1)
args = parser.parse_args()
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
loader = torch.utils.data.DataLoader(torch.randn(int(input()), 4), batch_size=args.batch_size)
piece = args.microbatch if args.microbatch > 0 else args.batch_size
micro = piece
for step in range(1000):
    batch = next(iter(loader))
    {loop}
    sgd.step()
"""
PIECES = """for start in range(0, batch.shape[0], micro):
        net(batch[start : start + micro]).sum().backward()"""


@pytest.mark.parametrize(
    ("words", "loop", "sizes"),
    [
        ("--batch_size 256 --microbatch 32", PIECES, (32, 256)),
        ("--batch_size 256", PIECES, (256, 256)),
        ("--batch_size 256 --microbatch 32", "net(batch).sum().backward()", (32, 32)),
    ],
)
def test_pieces_of_a_batch_make_one_step(read, words, loop, sizes):
    found = read({"go.py": PROGRAM.format(loop=loop)}, f"python go.py {words}")
    assert (found.batch_size, found.global_batch_size) == sizes


def test_each_process_cuts_its_own_batch(read):
    start = "torch.distributed.init_process_group('nccl')\nnet = torch.nn.Linear(4, 2)"
    program = (
        PROGRAM.format(loop=PIECES)
        .replace("net = torch.nn.Linear(4, 2)", start)
        .replace("piece =", "net = torch.nn.parallel.DistributedDataParallel(net)\npiece =")
    )
    found = read({"go.py": program}, "torchrun --nproc_per_node 4 go.py --batch_size 256 --microbatch 32")
    assert (found.batch_size, found.global_batch_size) == (32, 1024)


CUT_BY_HAND = (
    TORCH_HEAD
    + """
def check(net, rows, minibatch_size=1):
    return [net(rows[place:place + minibatch_size]) for place in range(0, 90, minibatch_size)]

import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--test-batch-size", type=int, default=1)
args = parser.parse_args()
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
rows = torch.load("rows.pt")
for step in range(40):
    net(rows[step : step + args.batch_size]).sum().backward()
    optimizer.step()
    check(net, rows, args.test_batch_size)
"""
)


def test_a_batch_of_tests_under_another_name_is_not_that_of_training(read):
    job = read({"go.py": CUT_BY_HAND}, "python go.py --batch-size 24 --test-batch-size 2")
    assert job.batch_size == 24


PIPED = """
    import argparse
    import torch
    from {library} import {pipe}

    p = argparse.ArgumentParser()
    p.add_argument("--num_microbatches", type=int, default=6)
    args = p.parse_args()
    net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 2))
    net = {pipe}(net, balance=[1, 1], {told}=args.num_microbatches)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        for x in torch.utils.data.DataLoader(range(4000), batch_size=512):
            net(x).sum().backward()
            optimizer.step()
    """


@pytest.mark.parametrize(("library", "pipe"), [("torchgpipe", "GPipe"), ("fairscale.nn", "Pipe")])
def test_a_pipeline_of_devices_cuts_its_batch_and_gathers_none(read, library, pipe):
    found = read({"go.py": PIPED.format(library=library, pipe=pipe, told="chunks")}, "python go.py")
    assert (found.distributed, found.batch_size, found.num_gpus) == ("pipeline parallel", 512, None)
    assert found.global_batch_size in (None, 512)


def test_a_wrapper_of_another_library_is_no_pipeline_of_devices(read):
    found = read({"go.py": PIPED.format(library="plumbing", pipe="Pipe", told="chunks")}, "python go.py")
    assert found.distributed != "pipeline parallel"
