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


def trainer(read, arguments, library="pytorch_lightning"):
    code = (
        f"import {library} as pl\nimport torch\nclass Lit(pl.LightningModule):\n"
        "    def __init__(self):\n        super().__init__()\n        self.net = torch.nn.LSTM(2, 2)\n"
        "    def configure_optimizers(self):\n        return torch.optim.Adam(self.parameters(), lr=0.1)\n"
        "    def training_step(self, batch, place):\n        return self.net(batch).sum()\n"
        f"pl.Trainer({arguments}).fit(Lit())\n"
    )
    return read({"train.py": code}, "CUDA_VISIBLE_DEVICES=0,1 python train.py")


def test_lightning_takes_what_is_visible_on_each_node_and_by_default(read):
    assert trainer(read, "devices=-1, num_nodes=2, max_epochs=3").num_gpus == 4
    assert trainer(read, "accelerator='gpu', max_epochs=3").num_gpus == 2
    assert trainer(read, "max_epochs=3", "lightning.pytorch").num_gpus == 2
    assert trainer(read, "max_epochs=3").num_gpus != 2
    for elsewhere in ("'tpu'", "'hpu'", "'mps'"):
        assert trainer(read, f"accelerator={elsewhere}, max_epochs=3", "lightning.pytorch").num_gpus is None
        assert trainer(read, f"accelerator={elsewhere}, devices=-1, max_epochs=3").num_gpus is None


MODULE = """
    import pytorch_lightning as pl
    import torch
    from torch.utils.data import DataLoader

    class Net(pl.LightningModule):
        def __init__(self, rows=24, other=96):
            super().__init__()
            self.layer = torch.nn.Linear(2, 2)
            self.rows, self.other = rows, other

        def setup(self, stage=None):
            self.start = self.rollout(DataLoader(load("start"), batch_size=self.other))

        def rollout(self, loader):
            return [self.layer(batch) for batch in loader]

        def training_step(self, batch, place):
            return self.layer(batch).sum()

        def configure_optimizers(self):
            return torch.optim.Adam(self.parameters(), lr=1e-3)

        def train_dataloader(self):
            return self._loader(load("train"), self.rows)

        def val_dataloader(self):
            return self._loader(load("val"), self.other)

        def _loader(self, data, rows):
            return self._one(data, rows)

        def _one(self, data, rows):
            return DataLoader(data, batch_size=rows)

    pl.Trainer(max_epochs=3, devices=1, accelerator="gpu").fit(Net())
"""


def test_the_loader_that_the_hook_for_training_makes_counts(read):
    assert read({"learn.py": MODULE}, "python learn.py").batch_size == 24


LIGHTNING_ONE = {
    "train.py": """
        from argparse import ArgumentParser

        import pytorch_lightning as pl
        import torch
        from torch.utils.data import DataLoader

        class Speaker(pl.LightningModule):
            def __init__(self, args):
                super().__init__()
                self.args = args
                self.layer = torch.nn.Linear(8, 8)

            def configure_optimizers(self):
                return torch.optim.Adam(self.parameters(), lr=self.args.lr)

        parser = ArgumentParser()
        parser.add_argument("--lr", type=float, default=1e-3)
        parser.add_argument("--batch", type=int, default=4)
        if pl.__version__[0] == "2":
            parser.add_argument("--devices", type=int, default=1)
            parser.add_argument("--max_epochs", type=int, default=1)
            parser.add_argument("--precision", type=str, default="bf16")
            parser.add_argument("--strategy", type=str, default="auto")
        else:
            parser = pl.Trainer.add_argparse_args(parser)
        args = parser.parse_args()
        if pl.__version__[0] == "2":
            trainer = pl.Trainer(
                devices=args.devices, max_epochs=args.max_epochs, precision=args.precision, strategy=args.strategy
            )
        else:
            trainer = pl.Trainer.from_argparse_args(args, callbacks=[])
        trainer.fit(Speaker(args), DataLoader(list(range(64)), batch_size=args.batch))
        """
}


def test_lightnings_own_options_and_a_choice_by_its_version(read):
    found = read(LIGHTNING_ONE, "python train.py --devices 2 --max_epochs 7 --precision 16 --strategy ddp --lr 0.01")
    assert (found.num_gpus, found.epochs, found.precision, found.distributed) == (2, 7, "fp16", "DDP")
    assert (found.learning_rate, found.batch_size, found.global_batch_size) == (0.01, 4, 8)


def test_an_options_name_of_lightning_alone(read):
    files = {
        "train.py": LIGHTNING_ONE["train.py"].replace('pl.__version__[0] == "2"', "False"),
    }
    found = read(files, "python train.py --gpus 1 --max_steps 300 --batch 8")
    assert (found.num_gpus, found.total_steps, found.precision, found.batch_size) == (1, 300, "fp32", 8)


OLD = """
import argparse
import pytorch_lightning as pl
from torch.utils.data import DataLoader

class Net(pl.LightningModule):
    pass

args = argparse.Namespace()
args.gpus = -1
args.accelerator = {accelerator!r}
args.max_epochs = 4
trainer = pl.Trainer.from_argparse_args(args)
trainer.fit(Net(), DataLoader(range(64), batch_size=8))
"""


@pytest.mark.parametrize(("accelerator", "strategy"), [("ddp", "DDP"), ("dp", "DataParallel")])
def test_old_trainers_of_lightning_are_told_their_strategy_as_an_accelerator(read, accelerator, strategy):
    job = read({"go.py": OLD.format(accelerator=accelerator)}, "python go.py")
    assert (job.distributed, job.num_gpus, job.batch_size) == (strategy, None, 8)
    assert job.global_batch_size == (8 if accelerator == "dp" else None)


MADE_TWO_WAYS = """
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
    found = read({"learn.py": MADE_TWO_WAYS.format(test=test)}, "python learn.py")
    assert (found.is_training, found.optimizer, found.learning_rate) == (True, "RMSprop", 4e-3)
    assert (found.num_gpus, found.distributed, found.epochs) == (2, "DDP", 9)
