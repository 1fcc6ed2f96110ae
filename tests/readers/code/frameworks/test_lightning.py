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
