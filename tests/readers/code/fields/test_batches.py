"""Loaders of a repository's own that cut a text into B rows of T tokens."""

import pytest

PROGRAM = """
import torch
from torch import nn

class Pages:
    def __init__(self, B, T):
        self.B, self.T = B, T

    def next_batch(self):
        return torch.zeros(self.B, self.T)

total_batch_size = {total}
print("in all", total_batch_size)
pages = Pages(B=8, T=256)
model = nn.Linear(256, 256)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.001)
for step in range(100):
    model(pages.next_batch()).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("total", "whole"), [(8192, 32), (64, 64)])
def test_rows_are_the_batch_and_tokens_count_as_rows(read, total, whole):
    found = read({"go.py": PROGRAM.format(total=total)}, "python go.py")
    assert (found.batch_size, found.global_batch_size) == (8, whole)


NETWORK = """
import torch
from torch import nn

class Mixer(nn.Module):
    def __init__(self, B, T):
        super().__init__()
        self.B, self.T = B, T
        self.layer = nn.Linear(4, 4)

model = Mixer(3, 5)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.001)
for step in range(100):
    model(step).sum().backward()
    optimizer.step()
"""


def test_letters_of_a_network_are_no_batch(read):
    assert read({"go.py": NETWORK}, "python go.py").batch_size is None
