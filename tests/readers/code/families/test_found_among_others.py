"""Values among others of their name: of the right loader, at the top of a configuration, of one device's share."""

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
