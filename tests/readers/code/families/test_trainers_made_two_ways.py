"""Trainers of Lightning that are made in one way or another: what their class does is the same on each."""

import pytest

PROGRAM = """
    import inspect
    import pytorch_lightning as pl
    import torch

    class Trainer(pl.LightningModule):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(2, 2)

        def training_step(self, batch, place):
            return self.layer(batch).sum()

        def configure_optimizers(self):
            return torch.optim.RMSprop(self.parameters(), lr=4e-3)

    if {test}:
        trainer = pl.Trainer(gpus=2, max_epochs=9, strategy="ddp")
    else:
        trainer = pl.Trainer(gpus=2, max_epochs=9, accelerator="ddp")
    trainer.fit(Trainer(), rows)
"""


@pytest.mark.parametrize(
    "test",
    [
        "'strategy' in [one.name for one in inspect.signature(pl.Trainer).parameters.values()]",
        "'strategy' in inspect.signature(pl.Trainer).parameters",
        "is_young(pl)",
    ],
)
def test_its_optimizer_and_rate_are_found(read, test):
    found = read({"learn.py": PROGRAM.format(test=test)}, "python learn.py")
    assert (found.is_training, found.optimizer, found.learning_rate) == (True, "RMSprop", 4e-3)
    assert (found.num_gpus, found.distributed, found.epochs) == (2, "DDP", 9)
