"""Lightning: devices, and what is not known where they are whatever is there."""

import pytest

PROGRAM = """
import torch
import pytorch_lightning as pl
from torch.utils.data import DataLoader
from torchvision.datasets import MNIST

class Net(pl.LightningModule):
    def training_step(self, batch, place):
        return self.layer(batch[0]).sum()
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)

trainer = pl.Trainer({told}, accelerator="gpu", max_epochs=3)
trainer.fit(Net(), DataLoader(MNIST(".", train=True), batch_size=32))
"""


@pytest.mark.parametrize(
    ("told", "spread", "whole"), [("devices=1", "none", 32), ("devices=4", "DDP", 128), ("devices='auto'", None, None)]
)
def test_whatever_is_visible_is_neither_one_process_nor_its_batch_the_whole(read, told, spread, whole):
    job = read({"train.py": PROGRAM.format(told=told)}, "python train.py")
    assert (job.batch_size, job.distributed, job.global_batch_size) == (32, spread, whole)


LAUNCHED = """
import torch
from lightning import Fabric
from torch.utils.data import DataLoader

def work(fabric, rows, rate=0.5):
    model = torch.nn.Linear(3, 3)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
    model, optimizer = fabric.setup(model, optimizer)
    for epoch in range(9):
        for batch in fabric.setup_dataloaders(DataLoader(torch.zeros(30, 3), batch_size=rows)):
            fabric.backward(model(batch).sum())
            optimizer.step()

def kind():
    return "bf16-mixed" if torch.cuda.get_device_capability()[0] > 7 else "16-mixed"

fabric = Fabric(devices=2, strategy="ddp", precision={told})
fabric.launch(work, 6, rate=0.05)
"""


@pytest.mark.parametrize(("told", "precision"), [("'bf16-true'", "bf16"), ("kind()", None)])
def test_fabric_launches_a_function_with_itself_and_what_it_is_given(read, told, precision):
    job = read({"train.py": LAUNCHED.format(told=told)}, "python train.py")
    assert (job.is_training, job.optimizer, job.learning_rate, job.epochs) == (True, "AdamW", 0.05, 9)
    assert (job.batch_size, job.num_gpus, job.precision) == (6, 2, precision)


TASKS = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n#SBATCH --gpus-per-task=1\nsrun python train.py\n"


@pytest.mark.parametrize(
    ("told", "script", "gpus"),
    [
        ("devices=settings.devices, num_nodes=settings.nodes", TASKS, 8),
        ("devices=settings.devices", TASKS.replace("nodes=2", "nodes=1"), 4),
        ("devices=settings.devices, num_nodes=2", TASKS.replace("#SBATCH --gpus-per-task=1\n", ""), 8),
        ("devices=2, num_nodes=3", TASKS, 6),
        ("devices=settings.devices, accelerator=settings.kind", TASKS.replace("nodes=2", "nodes=1"), 4),
        ("devices=settings.devices", TASKS.replace("node=4", "node=1").replace("nodes=2", "nodes=1"), None),
        ("devices=settings.devices", TASKS.replace("srun ", ""), None),
    ],
)
def test_devices_that_are_open_are_as_many_as_slurm_starts(read, told, script, gpus):
    trainer = PROGRAM.replace(', accelerator="gpu"', "") if "accelerator" in told else PROGRAM
    program = "from elsewhere import settings\n" + trainer.format(told=told)
    assert read({"train.py": program, "job.sh": script}, "sbatch job.sh").num_gpus == gpus


LIMITED = """
import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader
class Net(pl.LightningModule):
    def training_step(self, batch, place):
        return batch.sum()
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.25)
pl.Trainer({told}).fit(Net(), DataLoader({data}, batch_size=4))
"""


@pytest.mark.parametrize(
    ("told", "data", "found"),
    [
        ("max_epochs=3", "range(402)", (3, 303)),
        ("max_epochs=3, limit_train_batches=50", "range(402)", (3, 150)),
        ("max_epochs=3, limit_train_batches=500", "range(402)", (3, 303)),
        ("max_epochs=3, limit_train_batches=0.5", "range(402)", (3, 150)),
        ("max_epochs=3, limit_train_batches=0.5", "rows()", (3, None)),
        ("max_epochs=3, limit_train_batches=share()", "range(402)", (3, None)),
        ("max_epochs=3, fast_dev_run=True", "range(402)", (3, None)),
        ("max_epochs=3, max_steps=90", "range(402)", (3, 90)),
        ("max_epochs=3, max_steps=900", "range(402)", (3, 303)),
        ("max_epochs=3, max_steps=900", "rows()", (3, None)),
        ("max_epochs=1000, max_steps=900", "rows()", (None, 900)),
        ("max_epochs=-1, max_steps=900", "rows()", (None, 900)),
    ],
)
def test_what_comes_first_ends_the_training(read, told, data, found):
    job = read({"fit.py": LIMITED.format(told=told, data=data)}, "python fit.py")
    assert (job.epochs, job.total_steps) == found
