"""What a network's class is built on tells its family where its own name does not; a classifier classifies any data."""

NET = """
import argparse
import torch
from torch import nn

class {base}(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(3, 3, 3)
    def forward(self, x):
        return self.body(x)

class {name}({base}):
    pass

parser = argparse.ArgumentParser()
parser.add_argument("--dataset", default="{data}")
args = parser.parse_args()
net = {name}()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(30):
    optimizer.zero_grad()
    net(load(args.dataset)).sum().backward()
    optimizer.step()
"""


def job(read, base, name, data="cifar10", script="fit.py"):
    return read({script: NET.format(base=base, name=name, data=data)}, f"python {script}")


def test_a_class_is_of_the_family_that_it_is_built_on(read):
    found = job(read, "EvenTimeDiffusion", "Warper")
    assert (found.model_name, found.model_type, found.task_fine) == ("Warper", "diffusion (cnn)", "image generation")
    assert job(read, "Frame", "Warper").task_fine == "image classification"


def test_a_classifier_classifies_what_is_mostly_for_something_else(read):
    assert job(read, "Frame", "SonnetClassify", "shakespeare").task_fine == "text classification"
    assert job(read, "Frame", "Sonnets", "shakespeare", "train_classifier.py").task_fine == "text classification"
    assert job(read, "Frame", "Sonnets", "shakespeare").task_fine == "language modeling"
