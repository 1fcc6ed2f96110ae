"""Loops of a script that count; what they start in the background, each told its place, are the ranks of one job."""

import pytest

PROGRAM = """
    import argparse
    import os
    import torch

    parser = argparse.ArgumentParser()
    parser.add_argument("--rank", type=int, default=int(os.environ.get("RANK", 0)))
    parser.add_argument("--lr", type=float, default=0.1)
    args = parser.parse_args()
    torch.distributed.init_process_group("nccl", rank=args.rank)
    net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2).cuda())
    best = torch.optim.SGD(net.parameters(), lr=args.lr)
    loader = torch.utils.data.DataLoader(rows, batch_size=6)
    for batch in loader:
        net(batch).sum().backward()
        best.step()
"""


@pytest.mark.parametrize(
    ("loop", "count"),
    [
        ("for ((i=0;i<4;i++)); do python learn.py --rank $i & done", 4),
        ("for((i=0;i<SIZE;i++))\ndo\n  export RANK=$i\n  python learn.py > log$i 2>&1 &\ndone", 6),
        ("for (( i = 1; i <= 3; i += 1 )); do RANK=$((i-1)) python learn.py & done", 3),
        ("for i in {0..4}; do python learn.py --rank=$i & done", 5),
        ("for i in $(seq 0 7); do python learn.py --rank ${i} & done", 8),
        ("for i in 0 1 2; do LOCAL_RANK=$i RANK=$i nohup python learn.py & done; wait", 3),
    ],
)
def test_each_round_is_a_rank(read, loop, count):
    found = read({"learn.py": PROGRAM, "go.sh": f"SIZE=6\n{loop}\n"}, "bash go.sh")
    assert (found.num_gpus, found.num_nodes, found.distributed) == (count, 1, "DDP")
    assert (found.batch_size, found.global_batch_size) == (6, 6 * count)


@pytest.mark.parametrize(
    "loop",
    [
        "for i in 4 8 16; do python learn.py --rank $i & done",  # how wide an adapter is
        "for ((i=0;i<4;i++)); do python learn.py --lr 0.$i & done",  # a search: several jobs
        "for ((i=0;i<4;i++)); do python learn.py --rank $i; done",  # one after the other
        "for ((i=0;i<$(nvidia-smi -L | wc -l);i++)); do python learn.py --rank $i & done",  # the run's matter
        "for i in 0 1 2 3; do python learn.py --rank $i & wait; done",  # one after the other
        "for i in 0 1 2 3; do\n  RANK=$i python learn.py &\n  wait $!\ndone",
        "for i in 1 2 3 4; do python learn.py --rank $i & done",  # no group begins with 1
        "for i in {0..4000}; do python learn.py --rank $i & done",
        "for i in 0 1 2 3; do RANK=$i WORLD_SIZE=1 python learn.py & done",
        "for i in 8 9; do MASTER_ADDR=first WORLD_SIZE=16 RANK=$i python learn.py & done",  # some of more
        "for i in 0 1; do MASTER_ADDR=first WORLD_SIZE=16 RANK=$i python learn.py & done",
        "for i in 0 1; do MASTER_ADDR=first RANK=$((i+OFFSET)) python learn.py & done",
    ],
)
def test_other_loops_count_no_ranks(read, loop):
    found = read({"learn.py": PROGRAM, "go.sh": f"{loop}\n"}, "bash go.sh")
    assert (found.num_gpus, found.global_batch_size) == (None, None)


ALONE = """
    import argparse
    import torch

    parser = argparse.ArgumentParser()
    parser.add_argument("--rank", type=int, default=4)
    parser.add_argument("--world-size", type=int, default=1)
    args = parser.parse_args()
    {more}
    net = torch.nn.Linear(2, args.rank + 2).cuda()
    best = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(rows, batch_size=6)
    for epoch in range(3):
        for batch in loader:
            net(batch).sum().backward()
            best.step()
"""


@pytest.mark.parametrize(
    ("loop", "more", "gpus"),
    [
        ("for r in 1 2 3 4; do python learn.py --rank $r & done", "", 1),  # how wide an adapter is
        ("for r in 0 1 2 3; do python learn.py --rank $r & done", "", 1),
        ("for r in {4..11}; do CUDA_VISIBLE_DEVICES=$((r-4)) python learn.py --rank=$r & done", "", 1),
        ("for fold in 0 1 2 3 4; do RANK=$fold python learn.py & done", "", 1),
        ("for ((r=0;r<=4000;r++)); do python learn.py --rank $r & done", "", 1),
        ("for a in 0 1; do for b in 0 1; do python learn.py --rank $a & done; done", "", 1),
        ("for r in 0 1 2; do torchrun --nproc_per_node 2 learn.py --rank $r & done", "", 2),
        ("for r in 0 1 2; do python learn.py --rank $r --world-size 3 & done", "", 3),
        ("for r in 0 1 2; do MASTER_PORT=2950 RANK=$r python learn.py & done", "", 3),
        ("for r in 0 1 2; do python learn.py --rank $r & done", "import jax\n    jax.distributed.initialize()", 3),
    ],
)
def test_what_a_loop_starts_is_one_job_only_where_it_joins(read, loop, more, gpus):
    found = read({"learn.py": ALONE.format(more=more), "go.sh": f"{loop}\n"}, "bash go.sh")
    assert (found.num_gpus, found.global_batch_size, found.epochs) == (gpus, 6 * gpus, 3)


@pytest.mark.parametrize(
    ("loop", "rate"),
    [
        ("for ((i=0;i<3;i++)); do RATE=0.$i; done", 0.2),
        ("for i in {3..1}; do RATE=0.$i; done", 0.1),
        ("for i in {1..9..4}; do RATE=0.$i; done", 0.9),
        ("for i in $(seq 5 -1 2); do RATE=0.$i; done", 0.2),
        ("for i in $(seq 3); do RATE=0.$i; done", 0.3),
    ],
)
def test_a_loop_that_starts_nothing_is_followed_to_its_end(read, loop, rate):
    found = read({"learn.py": PROGRAM, "go.sh": f"{loop}\npython learn.py --lr $RATE\n"}, "bash go.sh")
    assert found.learning_rate == rate
