"""The option that names the model: what is cut out of another option comes last."""

import pytest

PROGRAM = """
import argparse
import torch
from torch import nn

class Teacher(nn.Module):
    def __init__(self, arch):
        super().__init__()
        self.layer = nn.Linear(4, 4)

class SiT(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(depth)])

def SiT_B_2(**settings):
    return SiT(depth=4)

MODELS = {"SiT-B/2": SiT_B_2}

parser = argparse.ArgumentParser()
parser.add_argument("--model")
parser.add_argument("--teachers")
args = parser.parse_args()
teachers, kinds = [], []
for told in args.teachers.split(","):
    family, arch, size = told.split("-")
    kinds.append(arch)
    teachers.append(Teacher(arch))
model = MODELS[args.model](heads=1)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(100):
    for teacher, arch in zip(teachers, kinds):
        wanted = teacher(torch.zeros(4))
    (model(torch.zeros(4)) - wanted).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    "given", ["--model SiT-B/2 --teachers dinov2-vit-b", "--teachers dinov2-vit-b --model SiT-B/2"]
)
def test_a_part_of_what_another_option_says_names_no_model(read, given):
    assert read({"go.py": PROGRAM}, f"python go.py {given}").model_name == "SiT-B/2"
