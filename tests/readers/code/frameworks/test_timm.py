"""timm: networks that a repository registers, and timm's small helpers."""

import pytest

NETWORKS = """
    import torch.nn as nn
    from functools import partial
    from timm.models.layers import to_2tuple
    from timm.models.registry import register_model

    class Patchy(nn.Module):
        def __init__(self, width=64, depth=2, num_classes=1000, drop_rate=0.0):
            super().__init__()
            side = to_2tuple(4)
            self.embed = nn.Conv2d(3, width, side[0])
            self.blocks = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
            self.head = nn.Linear(width, num_classes)

        def forward(self, x):
            x = self.embed(x).flatten(1)
            for block in self.blocks:
                x = block(x)
            return self.head(x)

    @register_model
    def patchy_small(pretrained=False, **kwargs):
        return Patchy(width=64, depth=4, **kwargs)

    @register_model
    def patchy_large(pretrained=False, **kwargs):
        return Patchy(width=256, depth=8, **kwargs)
"""
MAIN = """
    import argparse
    import torch
    from timm.models import create_model
    import networks

    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="patchy_large")
    parser.add_argument("--drop", type=float, default=0.1)
    args = parser.parse_args()
    model = create_model(args.model, pretrained=False, num_classes=10, drop_rate=args.drop, drop_block_rate=None)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x, y in torch.utils.data.DataLoader([], batch_size=4):
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("words", "name", "size"),
    [
        ("--model patchy_small", "patchy_small", str(64 * 48 + 64 + 4 * 65 * 64 + 65 * 10)),
        ("", "patchy_large", "578K"),
    ],
)
def test_a_registered_network_is_the_one_that_is_made_by_its_name(read, words, name, size):
    found = read({"networks.py": NETWORKS, "main.py": MAIN}, f"python main.py {words}")
    total = 256 * 48 + 256 + 8 * 257 * 256 + 257 * 10
    assert (found.model_name, found.param_size) == (name, str(total) if size.endswith("K") else size)


def test_a_network_that_the_repository_does_not_register_is_timms(read):
    found = read({"networks.py": NETWORKS, "main.py": MAIN}, "python main.py --model resnet50")
    assert found.model_name == "resnet50"
    assert found.param_size == "23.5M"


def test_a_network_of_an_unknown_name_has_no_size(read):
    main = MAIN.replace("create_model(args.model,", 'create_model(open("name").read(),')
    assert read({"networks.py": NETWORKS, "main.py": main}, "python main.py").param_size is None


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("to_2tuple(7)", (7, 7)),
        ("to_2tuple((3, 5))", (3, 5)),
        ("to_3tuple(2)", (2, 2, 2)),
        ("make_divisible(37, 8)", 40),
        ("make_divisible(11, 8)", 16),
        ("make_divisible(36)", 40),
    ],
)
def test_helpers_give_rows_and_rounded_widths(outcome, call, value):
    code = f"from timm.models.layers import to_2tuple, to_3tuple, make_divisible\nx = {call}"
    found = outcome(code)
    assert (tuple(found) if isinstance(found, list) else found) == value


SCHEDULED = """
    import argparse
    import torch
    from timm.scheduler import create_scheduler

    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=300)
    parser.add_argument("--sched", default="cosine")
    parser.add_argument("--cooldown-epochs", type=int, default=10)
    parser.add_argument("--lr-cycle-limit", type=int, default=1)
    args = parser.parse_args()
    net = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    schedule, rounds = create_scheduler(args, optimizer)
    for epoch in range({bound}):
        for x in torch.utils.data.DataLoader([], batch_size=4):
            net(x).sum().backward()
            optimizer.step()
"""


@pytest.mark.parametrize(
    ("bound", "words", "epochs"),
    [
        ("rounds", "", 310),
        ("rounds", "--sched step", 300),
        ("rounds", "--cooldown-epochs 0", 300),
        ("args.epochs", "", 300),
    ],
)
def test_a_schedule_that_cools_down_takes_more_epochs(read, bound, words, epochs):
    assert read({"main.py": SCHEDULED.format(bound=bound)}, f"python main.py {words}").epochs == epochs
