"""Names that mean something else where they stand, and short forms of options."""

import pytest


@pytest.mark.parametrize("text", ["./model", "???", "outputs/net/"])
def test_a_place_for_any_model_names_none(read, text):
    code = """
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument("--model", default="{text}")
args = parser.parse_args()
net = torch.nn.Sequential(torch.nn.Linear(4, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(3):
    net(torch.zeros(1, 4)).sum().backward()
    optimizer.step()
torch.save(net.state_dict(), args.model)
"""
    job = read({"train.py": code.replace("{text}", text)}, "python train.py")
    assert job.model_name == "MLP"
