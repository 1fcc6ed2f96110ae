"""Networks that only help the one that is trained: what callbacks hold, what is frozen, and their names."""

import pytest

EMBEDDER = """
import torch
from torch import nn

class GPT2Reader(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.layer = nn.Linear(64, 64)
        self.load_state_dict(torch.load(f"{name}.pt"))

    def forward(self, x):
        return self.layer(x)

def load(model_name):
    return GPT2Reader(model_name)

def reader():
    return load("gpt2-xl")
"""
HEAD = """
import torch
from torch import nn
from embedder import reader

class FullyConnectedNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 8), nn.ReLU(), nn.Linear(8, 4)){holds}

    def forward(self, x):
        return self.net(x)

helper = reader().eval().requires_grad_(False)
head = FullyConnectedNetwork()
optimizer = torch.optim.Adam(head.parameters(), lr=0.001)
for x in torch.utils.data.DataLoader([], batch_size=8):
    head(helper(x)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("holds", "names", "sizes"), [("", False, ("556",)), ("\n        self.held = reader()", True, None)]
)
def test_a_word_that_only_makes_the_helper_names_no_network_that_is_trained(read, holds, names, sizes):
    found = read({"embedder.py": EMBEDDER, "fit.py": HEAD.format(holds=holds)}, "python fit.py")
    assert ("gpt2" in str(found.model_name)) is names
    assert sizes is None or found.param_size in sizes


CALLED = """
import torch
from torch import nn
import pytorch_lightning as pl
from elsewhere import build

class GPT2Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(64, 64)

    def forward(self, x):
        return self.layer(x)

class {cls}({base}):
    def __init__(self):
        self.reader = GPT2Reader()

helper = {cls}()
trainer = pl.Trainer(max_epochs=3, callbacks=[helper])
trainer.fit(build(), helper.loader)
"""


@pytest.mark.parametrize(
    ("cls", "base", "name"),
    [("ReadingCallback", "pl.Callback", None), ("Reading", "pl.Callback", None), ("Reading", "object", "GPT2Reader")],
)
def test_what_a_callback_holds_is_not_what_is_trained(read, cls, base, name):
    assert read({"fit.py": CALLED.format(cls=cls, base=base)}, "python fit.py").model_name == name
