"""The optimizer of a network that judges what another one makes gives way to the other's."""

import pytest

PAIR = """
import torch

class Painter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

class Other(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

{judge} = Other()
painter = Painter()
{first} = torch.optim.Adam({judge}.parameters(), lr=4e-4)
second = torch.optim.Adam(painter.parameters(), lr=1e-4)
{judge}(painter(torch.ones(1, 2))).sum().backward()
{first}.step()
second.step()
"""


@pytest.mark.parametrize(
    ("judge", "first", "rate"),
    [("discriminator", "one", 1e-4), ("other", "d_optimizer", 1e-4), ("other", "one", 4e-4)],
)
def test_a_judge_has_a_rate_of_its_own(read, judge, first, rate):
    assert read({"main.py": PAIR.format(judge=judge, first=first)}, "python main.py").learning_rate == rate


def test_a_judge_alone_is_the_job(read):
    only = "import torch\ndiscriminator = torch.nn.Linear(2, 1)\n"
    only += "opt = torch.optim.Adam(discriminator.parameters(), lr=4e-4)\n"
    only += "discriminator(torch.ones(1, 2)).sum().backward()\nopt.step()\n"
    assert read({"main.py": only}, "python main.py").learning_rate == 4e-4
