"""Samples that a class of the repository's own makes up when it is asked to."""

import pytest

CODE = """
import numpy as np
import torch

class {cls}:
    def __init__(self, {given}):
        self.width = 4

    def {method}(self, rows):
        return torch.from_numpy({draws})

made = {cls}({value})
net = torch.nn.GRU(4, 4)
optimizer = torch.optim.Adam(net.parameters())
for step in range(60):
    net(made.{method}(8))[0].sum().backward()
    optimizer.step()
"""
RANDOM, READ = "np.random.randn(rows, 4)", "np.load('x.npy')"


@pytest.mark.parametrize(
    ("cls", "method", "draws", "name"),
    [
        ("PickAndPullTask", "generate_trials", RANDOM, "PickAndPullTask (synthetic data)"),
        ("Ponds", "sample_batch", RANDOM, "Ponds (synthetic data)"),
        ("Ponds", "sample_batch", READ, None),
        ("Ponds", "measure", RANDOM, None),
        ("Ponds", "step", RANDOM, None),
    ],
)
def test_what_makes_trials_up_is_the_data(read, cls, method, draws, name):
    code = CODE.format(cls=cls, given="width", value=4, method=method, draws=draws)
    assert read({"go.py": code}, "python go.py").dataset_name == name


def test_a_class_that_is_given_rows_does_not_make_them_up(read):
    code = CODE.format(cls="Ponds", given="rows", value="[1]", method="get_batch", draws=RANDOM)
    assert read({"go.py": code}, "python go.py").dataset_name is None
