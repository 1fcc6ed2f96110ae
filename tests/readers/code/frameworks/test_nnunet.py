"""Copies of nnU-Net: the trainer is found by its class's name among the package's modules, the data by a number."""

import pytest

ENTRY = '[project]\nname = "mednet"\n[project.scripts]\nnnUNetv2_train = "mednet.run.training:main"\n'
RUN = """
import argparse
import importlib
import pkgutil
import mednet
from batchgenerators.utilities.file_and_folder_operations import join, isfile

def find_class(folder, name, module):
    found = None
    for _, modname, ispkg in pkgutil.iter_modules([folder]):
        if not ispkg:
            one = importlib.import_module(module + "." + modname)
            if hasattr(one, name):
                found = getattr(one, name)
                break
    return found

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("configuration")
    parser.add_argument("fold")
    parser.add_argument("-tr", default="PlainTrainer")
    args = parser.parse_args()
    kind = find_class(join(mednet.__path__[0], "trainers"), args.tr, "mednet.trainers")
    kind(args.data).run()
"""
TRAINER = """
import torch
from torch.cuda.amp import GradScaler
from torch import autocast

class PlainTrainer:
    def __init__(self, data):
        self.scaler = GradScaler()
        self.rate = 1e-2
        self.network = torch.nn.Conv3d(1, 2, 3).to(torch.device("cuda"))
        self.optimizer = torch.optim.SGD(self.network.parameters(), self.rate, momentum=0.99)
        self.rounds, self.num_epochs = 40, 30

    def train_step(self, batch):
        self.optimizer.zero_grad()
        with autocast("cuda"):
            loss = self.network(batch).sum()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)

    def run(self):
        for epoch in range(self.num_epochs):
            for step in range(self.rounds):
                self.train_step(next(self.batches))
"""
WITHOUT_CASTS = """
from mednet.trainers.plain import PlainTrainer

class FullTrainer(PlainTrainer):
    def train_step(self, batch):
        self.optimizer.zero_grad()
        loss = self.network(batch).sum()
        loss.backward()
        self.optimizer.step()
"""
PACKAGE = {
    "pyproject.toml": ENTRY,
    "mednet/__init__.py": "",
    "mednet/run/__init__.py": "",
    "mednet/run/training.py": RUN,
    "mednet/trainers/__init__.py": "",
    "mednet/trainers/plain.py": TRAINER,
    "mednet/trainers/full.py": WITHOUT_CASTS,
    "data/raw/Dataset131_KneeMR/dataset.json": "{}",
}


@pytest.mark.parametrize(("trainer", "precision"), [("", "fp16"), (" -tr FullTrainer", "fp32")])
def test_the_trainer_is_found_by_its_name(read, trainer, precision):
    job = read(PACKAGE, f"nnUNetv2_train 131 2d all{trainer}")
    assert (job.is_training, job.epochs, job.total_steps, job.learning_rate) == (True, 30, 1200, 0.01)
    assert (job.optimizer, job.precision, job.task) == ("SGD", precision, "CV")


@pytest.mark.parametrize(
    ("number", "name"), [("131", "Dataset131_KneeMR"), ("7", "Dataset007"), ("Dataset009_Spine", "Dataset009_Spine")]
)
def test_the_data_go_by_a_number(read, number, name):
    assert read(PACKAGE, f"nnUNetv2_train {number} 2d all").dataset_name == name
