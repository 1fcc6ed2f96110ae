"""On what one process computes, where GPUs are hidden from it."""

import pytest

PROGRAM = """
import os
{first}
import torch
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    model(torch.randn(4, 8, device=device)).sum().backward()
    optimizer.step()
"""
HIDE = 'os.environ["CUDA_VISIBLE_DEVICES"] = '


@pytest.mark.parametrize(
    ("first", "command", "gpus"),
    [
        ("", "python go.py", 1),
        (HIDE + '""', "python go.py", 0),
        (HIDE + '"-1"', "python go.py", 0),
        (HIDE + '"3"', "python go.py", 1),
        ("", "CUDA_VISIBLE_DEVICES=-1 python go.py", 0),
        ("", "CUDA_VISIBLE_DEVICES= python go.py", 0),
        ("", "CUDA_VISIBLE_DEVICES='' python go.py", 0),
    ],
)
def test_gpus_that_are_hidden_are_not_used(read, first, command, gpus):
    assert read({"go.py": PROGRAM.format(first=first)}, command).num_gpus == gpus
