"""With what framework a job computes: a trainer's library in front only where its trainer runs."""

import pytest

PARTS = """
import pytorch_lightning as pl
import torch

class BrookNet(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.save_hyperparameters()
        self.layer = torch.nn.Linear(4, 4)
"""
OWN_LOOP = """
import torch
from parts import BrookNet

net = BrookNet()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    net.layer(torch.ones(4)).sum().backward()
    optimizer.step()
"""
FITTED = "import parts\nparts.pl.Trainer(max_epochs=3).fit(parts.BrookNet(), rows())\n"


@pytest.mark.parametrize(("program", "name"), [(OWN_LOOP, "PyTorch"), (FITTED, "PyTorch Lightning, PyTorch")])
def test_a_network_of_lightning_s_in_another_loop_is_pytorch(read, program, name):
    assert read({"go.py": program, "parts.py": PARTS}, "python go.py").framework == name


DRIVEN = """
import deepspeed
import torch
{more}
net = torch.nn.Linear(4, 4)
engine, *_ = deepspeed.initialize(model=net, config={{"train_batch_size": 8}})
{made}
for step in range(9):
    engine.backward(engine(torch.ones(4)).sum())
    engine.step()
"""


@pytest.mark.parametrize(
    ("more", "made", "name"),
    [
        ("", "", "DeepSpeed, PyTorch"),
        ("from accelerate import Accelerator", "", "DeepSpeed, PyTorch"),
        ("from accelerate import Accelerator", "ours = Accelerator()", "Hugging Face Accelerate, PyTorch"),
    ],
)
def test_a_library_that_is_only_imported_stands_behind_one_that_is_called(read, more, made, name):
    assert read({"go.py": DRIVEN.format(more=more, made=made)}, "deepspeed go.py").framework == name


EITHER = """
import argparse
import torch

p = argparse.ArgumentParser()
p.add_argument("framework")
args = p.parse_args()

def known(word):
    return open(word).read()

if known(args.framework) == "torch":
    from elsewhere.torch import work
else:
    import tensorflow as tf
    tf.config.set_soft_device_placement(True)
    tf.random.set_seed(3)
    from elsewhere.tf import work
work.run_train()
"""


@pytest.mark.parametrize(("word", "name"), [("torch", "PyTorch"), ("tensorflow", "TensorFlow")])
def test_the_command_says_which_of_two_frameworks_it_is(read, word, name):
    assert read({"run.py": EITHER}, f"python run.py {word}").framework == name
