"""Names that mean something else where they stand, and short forms of options."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

ALGORITHM = """
import torch
from stable_baselines3 import PPO

class Alg(PPO):
    def __init__(self, policy, coefficient):
        super().__init__(policy, "CartPole-v1")
        self.coefficient = coefficient

Alg("MlpPolicy", 0.001).learn(total_timesteps=1000)
"""


def test_an_algorithm_that_is_told_to_learn_is_no_optimizer(read):
    job = read({"train.py": ALGORITHM}, "python train.py")
    assert (job.is_training, job.optimizer != "Alg", job.learning_rate != 0.001) == (True, True, True)


SHORT = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("-num_epochs", type=int, default=500)
parser.add_argument("-num_samples", type=int, default=9)
parser.add_argument("-s", type=int, default=1)
args = parser.parse_args()
train(0.25, 8, args.num_epochs)
"""


def test_options_of_one_dash_may_be_shortened_too(read):
    files = {"train.py": TORCH_HEAD + TORCH_LOOP + SHORT}
    assert read(files, "python train.py -num_epoch 250").epochs == 250
    assert read(files, "python train.py -num_ 250").epochs == 500


AROUND = """
from torch import nn
from monai.networks.nets.swin_unetr import SwinTransformer

class Pretext(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = SwinTransformer(in_chans=1)
        self.head = nn.Conv3d(8, 1, 1)
    def forward(self, x):
        return self.head(self.body(x)[4])

model = Pretext().cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for epoch in range(2):
    model(1).sum().backward()
    optimizer.step()
"""


def test_a_ready_transformer_tells_the_type_of_what_puts_a_layer_behind_it(read):
    assert read({"train.py": "import torch\n" + AROUND}, "python train.py").model_type == "transformer"


HELD = """
import pytorch_lightning as pl
import torch

class QM9(pl.LightningDataModule):
    def train_dataloader(self):
        return torch.utils.data.DataLoader(torch.load("all.pt"), batch_size=4)

class NeRFSystem(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.coarse, self.fine = torch.nn.Linear(3, 4), torch.nn.Linear(3, 4)
    def training_step(self, batch, index):
        return self.coarse(batch).sum()
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=5e-4)

pl.Trainer(max_epochs=3, devices=1).fit(NeRFSystem(), datamodule=QM9())
"""


def test_what_holds_a_network_is_called_after_it_and_own_data_after_the_set_they_read(read):
    job = read({"train.py": HELD}, "python train.py")
    assert (job.model_name, job.dataset_name, job.epochs) == ("NeRF", "QM9", 3)


SHARED = """
import sys, torch, yaml
cfg = yaml.safe_load(open("base.yaml"))
torch.distributed.init_process_group("nccl")
each = cfg["global_train_batch_size"] // torch.distributed.get_world_size()
data = torch.utils.data.DataLoader(torch.load("all.pt"), batch_size=each)
model = torch.nn.parallel.DistributedDataParallel(torch.nn.LSTM(2, 2).cuda())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in data:
    for part in batch.split(cfg["device_train_microbatch_size"]):
        model(part)[0].sum().backward()
    optimizer.step()
"""


def test_a_micro_batch_that_is_called_so_stands_beside_the_whole_batch(read):
    settings = "global_train_batch_size: 512\ndevice_train_microbatch_size: 16\n"
    job = read({"train.py": SHARED, "base.yaml": settings}, "composer train.py")
    assert (job.batch_size, job.global_batch_size) == (16, 512)


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


@pytest.mark.parametrize("loss", ["CriterionKD", "Contrast_loss_of_points"])
def test_a_loss_that_is_a_module_is_not_the_model(read, loss):
    code = """
import torch
class CriterionKD(torch.nn.Module):
    def forward(self, ours, theirs):
        return ((ours - theirs) ** 2).sum()
class Parsnip(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 2)
    def forward(self, x):
        return self.fc(x)
class Trainer:
    def __init__(self):
        self.student = Parsnip().cuda()
        self.criterion = CriterionKD().cuda()
        self.optimizer = torch.optim.SGD(self.student.parameters(), lr=0.1)
    def train(self, loader):
        for x, y in loader:
            self.criterion(self.student(x), y).backward()
            self.optimizer.step()
Trainer().train(open("x"))
"""
    assert read({"train.py": code.replace("CriterionKD", loss)}, "python train.py").model_name == "Parsnip"
