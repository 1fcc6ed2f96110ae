"""Rates of stages that one option lists."""

import pytest

CODE = """
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--rates", dest="learning_rate", default="0.002,0.0002")
parser.add_argument("--training_steps", default="900,300")
told = parser.parse_args()
rates = [float(one) for one in told.learning_rate.split(",")]
net = torch.nn.Linear(4, 2)
for step in range(1200):
    rate = rates[0] if step < int(told.training_steps.split(",")[0]) else rates[1]
    net(torch.randn(4, 4)).sum().backward()
    for weight in net.parameters():
        weight.data -= rate * weight.grad
"""


@pytest.mark.parametrize(
    ("words", "rate"),
    [
        ("", 0.002),
        ("--rates 0.01,0.001,1e-4 --training_steps 5,6,7", 0.01),
        ("--rates 0.01,0.001,1e-4", None),
        ("--rates fast,slow", None),
    ],
)
def test_the_highest_of_as_many_stages_as_have_lengths_is_taken(read, words, rate):
    assert read({"go.py": CODE}, f"python go.py {words}").learning_rate == rate
