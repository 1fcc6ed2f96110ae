"""The project's title names a network of a usual name, less what a title says before the name."""

import pytest

CODE = """
import torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
    def forward(self, x):
        return self.layer(x)

net = Model()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.zeros(1, 4)).sum().backward()
optimizer.step()
"""


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Official PyTorch implementation of OrchardNet: growing trees", "OrchardNet"),
        ("Implementation of the Orchard-VAE", "Orchard-VAE"),
        ("Code for OrchardNet - growing trees", "OrchardNet"),
        ("OrchardNet: growing trees", "OrchardNet"),
    ],
)
def test_what_stands_before_the_name_is_no_part_of_it(read, title, name):
    assert read({"train.py": CODE, "README.md": f"# {title}\n"}, "python train.py").model_name == name
