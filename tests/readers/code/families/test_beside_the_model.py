"""What stands beside the model and is none: metrics, feature extractors of losses, services, blocks, headings."""

import pytest

LOSSES = """
import torch
import torchvision
from torch import nn
from elsewhere import make

class {name}(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = torchvision.models.vgg19()

    def forward(self, x):
        return self.seen(x)

measure = {name}()
net = make()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(5):
    measure(net(step)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("name", "model"), [("ContentLoss", None), ("PSNR", None), ("Ranker", "Ranker")])
def test_a_ready_network_inside_a_loss_or_metric_is_not_the_model(read, name, model):
    assert read({"go.py": LOSSES.format(name=name)}, "python go.py").model_name == model


CHAIN = """
import torch
from torch import nn

class {part}(nn.Module):
    def __init__(self, before=None):
        super().__init__()
        self.before, self.conv = before, nn.Conv2d(4, 4, 3)

class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = {part}({part}())

net = Generator()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(5):
    net(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("part", "model"), [("GrowBlock", "Generator"), ("ReefNet", "ReefNet")])
def test_a_block_is_no_network_inside_another(read, part, model):
    assert read({"go.py": CHAIN.format(part=part)}, "python go.py").model_name == model


ASKED = """
import argparse
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="{asked}")
args = parser.parse_args()
print(args.model)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear(4, 2)

net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(5):
    net(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("asked", "taken"), [("gpt-4o", False), ("claude-3-opus", False), ("gpt2", True)])
def test_a_model_behind_a_service_is_not_trained(read, asked, taken):
    assert (read({"go.py": ASKED.format(asked=asked)}, "python go.py").model_name == asked) is taken


def test_a_heading_on_people_names_no_model(read):
    files = {"go.py": ASKED.format(asked="none"), "README.md": "**Authors:** Ada Ash, Bo Beech\n"}
    assert read(files, "python go.py").model_name != "Authors"


LANGUAGE = """
import transformers
import gym
import torch

class RowPPOTrainer:
    def __init__(self, path):
        self.model = transformers.AutoModelForCausalLM.from_pretrained(path)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-6)

    def fit(self):
        for step in range(5):
            self.model(step).loss.backward()
            self.optimizer.step()

env = gym.make("Pong-v0")
RowPPOTrainer("gpt2").fit()
"""


def test_the_trainer_of_a_language_model_gives_it_no_name(read):
    assert read({"go.py": LANGUAGE}, "python go.py").model_name == "gpt2"


COUNTED = """
import torch
from torch.utils.data import DataLoader

net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
loader = DataLoader(range(40), batch_size=4)
i = {begin}
while i < 10000000:
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
    i += 1
"""


def test_a_loop_that_nobody_waits_for_counts_no_epochs(read):
    assert read({"go.py": COUNTED.format(begin=0)}, "python go.py").epochs is None
    assert read({"go.py": COUNTED.format(begin=9999990)}, "python go.py").epochs == 10


def test_words_of_formats_are_no_names_of_data(read):
    code = "import argparse\nimport torch\nimport torchvision\nparser = argparse.ArgumentParser()\n"
    code += "parser.add_argument('--data_dir', default='{folder}')\nargs = parser.parse_args()\n"
    code += "data = torchvision.datasets.ImageFolder(args.data_dir)\nloader = torch.utils.data.DataLoader(data)\n"
    code += "net = torch.nn.Linear(4, 2)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.01)\n"
    code += "for batch in loader:\n    net(batch).sum().backward()\n    optimizer.step()\n"
    assert read({"go.py": code.replace("{folder}", "../reefs/pytorch")}, "python go.py").dataset_name == "reefs"
    assert read({"go.py": code.replace("{folder}", "./preprocess")}, "python go.py").dataset_name is None
