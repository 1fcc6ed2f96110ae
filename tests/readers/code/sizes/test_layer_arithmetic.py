"""One layer's parameters: its table's arithmetic over the arguments that the layer was made with."""


def test_a_deep_network_of_many_blocks_is_counted_to_its_end(read):
    code = """
import torch
from torch import nn

class Ahead(nn.Module):
    def __init__(self, dim, factor):
        super(Ahead, self).__init__()
        hidden = int(dim * factor)
        self.first = nn.Conv2d(dim, hidden * 2, kernel_size=1, bias=False)
        self.middle = nn.Conv2d(hidden * 2, hidden * 2, kernel_size=3, padding=1, groups=hidden * 2, bias=False)
        self.last = nn.Conv2d(hidden, dim, kernel_size=1, bias=False)
    def forward(self, x):
        return self.last(self.middle(self.first(x)))

class Block(nn.Module):
    def __init__(self, dim, factor):
        super(Block, self).__init__()
        self.one = Ahead(dim, factor)
        self.two = Ahead(dim, factor)
        self.three = Ahead(dim, factor)
    def forward(self, x):
        return self.three(self.two(self.one(x)))

class Turnip(nn.Module):
    def __init__(self):
        super(Turnip, self).__init__()
        self.low = nn.Sequential(*[Block(dim=8, factor=2) for i in range(40)])
        self.high = nn.Sequential(*[Block(dim=16, factor=2) for i in range(40)])
        self.top = Block(dim=24, factor=2)
    def forward(self, x):
        return self.top(self.high(self.low(x)))

net = Turnip()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    net(torch.zeros(1, 8, 4, 4)).sum().backward()
    optimizer.step()
"""

    def ahead(dim):
        hidden = 2 * dim
        return 2 * hidden * dim + 2 * hidden * 9 + hidden * dim

    total = 3 * (40 * ahead(8) + 40 * ahead(16) + ahead(24))
    assert read({"train.py": code}, "python train.py").param_size in (str(total), f"{total / 1e6:.3g}M")
