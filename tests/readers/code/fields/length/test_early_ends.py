"""Loops that their body may break off: not where what it asks for is switched off."""

import pytest

PROGRAM = """
    import argparse
    import torch
    from torch.utils.data import DataLoader, TensorDataset

    parser = argparse.ArgumentParser()
    parser.add_argument("--dry_run", action="store_true")
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--most", type=int, default=-1)
    parser.add_argument("--epochs", type=int, default=4)
    args = parser.parse_args()
    loader = DataLoader(TensorDataset(torch.randn(640, 4)), batch_size=32)
    net = torch.nn.Linear(4, 2)
    best = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(args.epochs):
        for place, batch in enumerate(loader):
            net(batch[0]).sum().backward()
            best.step()
            if {test}:
                break
"""


@pytest.mark.parametrize(
    ("test", "words", "steps"),
    [
        ("args.dry_run", "", 80),
        ("place > 0 and args.dry_run", "", 80),
        ("args.limit is not None and place >= args.limit", "", 80),
        ("args.most > 0 and place > args.most", "", 80),
        ("args.dry_run or (args.limit and place > args.limit)", "", 80),
        ("args.dry_run", "--dry_run", None),
        ("args.limit is not None and place >= args.limit", "--limit 3", 16),
        ("args.most > 0 and place > args.most", "--most 5", 28),
        ("args.dry_run or place > 7", "", None),
        ("place > 7", "", 36),
        ("place > 7 and unsure()", "", None),
        ("place > 700", "", 80),
        ("not args.dry_run", "", None),
    ],
)
def test_a_break_that_is_switched_off_leaves_the_epochs_whole(read, test, words, steps):
    found = read({"learn.py": PROGRAM.replace("{test}", test)}, f"python learn.py {words}")
    assert (found.epochs, found.total_steps) == (4, steps)
