"""Programs on sound and on graphs: what they generate, what their loaders are called, how they start themselves."""

import pytest

SOUND = {
    "train.py": """
        import {library}
        import torch
        from model import VQVAE

        model = VQVAE().cuda()
        optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)
        for epoch in range(4):
            for sound in torch.utils.data.DataLoader([0.0], batch_size=2):
                loss = model(sound).sum()
                loss.backward()
                optimizer.step()
        """,
    "model.py": """
        import torch

        class VQVAE(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.encode = torch.nn.Conv1d(1, 8, 3)
        """,
}


@pytest.mark.parametrize(("library", "task"), [("librosa", "audio"), ("torchvision", "CV")])
def test_what_generates_anything_generates_what_is_read(read, library, task):
    files = SOUND | {"train.py": SOUND["train.py"].replace("{library}", library)}
    assert read(files, "python train.py").task == task


GRAPHS = {
    "train.py": """
        import torch
        from dgl.data import GINDataset
        from dgl.dataloading import GraphDataLoader
        from dgl.nn import GINConv

        class GIN(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.first = GINConv(torch.nn.Linear(4, 4))

        model = GIN().cuda()
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        train_loader = GraphDataLoader(GINDataset("NCI1"), batch_size=48)
        for epoch in range(9):
            for graphs, labels in train_loader:
                loss = torch.nn.functional.cross_entropy(model(graphs), labels)
                loss.backward()
                optimizer.step()
        """,
}


def test_graphs_have_loaders_of_their_own(read):
    found = read(GRAPHS, "python train.py")
    assert (found.batch_size, found.epochs, found.task, found.model_type) == (48, 9, "graph", "gnn")


ITSELF = {
    "train.py": """
        import subprocess
        import sys

        import hydra
        import torch
        from torch.nn.parallel import DistributedDataParallel

        def start_workers(args):
            count = torch.cuda.device_count()
            for rank in range(count):
                words = list(sys.argv) + [f"world_size={count}", f"rank={rank}"]
                subprocess.Popen([sys.executable] + words)

        def work(args):
            model = torch.nn.Linear(4, 2).cuda()
            if args.ddp:
                torch.distributed.init_process_group("nccl", world_size=args.world_size, rank=args.rank)
                model = DistributedDataParallel(model)
                args.batch_size //= args.world_size
            optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
            for epoch in range(args.epochs):
                for x in torch.utils.data.DataLoader([0.0], batch_size=args.batch_size):
                    loss = model(x).sum()
                    loss.backward()
                    optimizer.step()

        @hydra.main(config_path="conf/config.yaml")
        def main(args):
            if args.ddp and args.rank is None:
                start_workers(args)
            else:
                work(args)

        main()
        """,
    "conf/config.yaml": "ddp: false\nrank:\nworld_size:\nlr: 3e-4\nepochs: 70\nbatch_size: 96\n",
}


def test_a_program_that_starts_itself_for_each_gpu_is_followed_as_the_first_of_them(read):
    found = read(ITSELF, "python train.py ddp=1 epochs=5")
    assert (found.is_training, found.epochs, found.learning_rate, found.optimizer) == (True, 5, 3e-4, "Adam")
    assert (found.distributed, found.num_gpus, found.global_batch_size) == ("DDP", None, 96)


def test_the_same_program_started_plainly_is_one(read):
    found = read(ITSELF, "python train.py")
    assert (found.distributed, found.num_gpus, found.batch_size) == ("none", 1, 96)


RECIPE = {
    "settings.py": """
        from dataclasses import dataclass

        from trainer import TrainerConfig

        @dataclass
        class VoiceConfig(TrainerConfig):
            lr: float = 2e-3
            optimizer: str = "RAdam"
            epochs: int = 1000
        """,
    "train_voice.py": """
        import torch
        from trainer import Trainer, TrainerArgs
        from settings import VoiceConfig

        config = VoiceConfig(batch_size=24, mixed_precision=True, epochs=300)
        model = torch.nn.Linear(4, 2)
        trainer = Trainer(TrainerArgs(), config, "out", model=model, train_samples=[1])
        trainer.fit()
        """,
}


def test_coquis_trainer_does_what_its_configuration_says(read):
    found = read(RECIPE, "python train_voice.py")
    assert (found.is_training, found.batch_size, found.epochs, found.num_gpus) == (True, 24, 300, 1)
    assert (found.learning_rate, found.optimizer, found.precision) == (2e-3, "RAdam", "fp16")


RECOGNIZER = {
    "train.py": """
        import copy
        import k2
        import torch
        from tracking import Tracker

        class Schedule:
            def __init__(self):
                self.batch = 0

            def step_batch(self):
                self.batch = self.batch + 1
                return 0.1 / (self.batch + 1)

        class Tdnn(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.first = torch.nn.Conv1d(80, 32, 3)

        tracker, schedule, model = Tracker(), Schedule(), Tdnn().cuda()
        average = copy.deepcopy(model).to(torch.float64)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.02)

        @tracker.track("train", 100)
        def train_one(sounds):
            with torch.cuda.amp.autocast(enabled=True):
                loss = model(sounds).sum()
            loss.backward()
            optimizer.step()
            schedule.step_batch()

        for epoch in range(7):
            train_one(torch.zeros(1, 80, 10))
        """,
}


def test_a_schedules_counter_is_no_batch_and_an_averaged_copy_no_precision(read):
    found = read(RECOGNIZER, "python train.py")
    assert (found.batch_size, found.precision, found.epochs) == (None, "fp16", 7)
    assert (found.model_type, found.task_fine) == ("tdnn", "speech recognition")


EITHER = {
    "train.py": """
        import os
        import torch
        import lightning.pytorch as pl

        class Part(pl.LightningModule):
            def configure_optimizers(self):
                return torch.optim.Adagrad(self.parameters(), lr=0.03)

        class One(Part):
            pass

        class Many(Part):
            pass

        model = One() if os.path.exists("single") else Many()
        trainer = pl.Trainer(max_epochs=6, devices=1)
        trainer.fit(model, torch.utils.data.DataLoader([0.0], batch_size=8))
        """,
}


def test_either_of_two_modules_makes_the_optimizer(read):
    found = read(EITHER, "python train.py")
    assert (found.optimizer, found.learning_rate, found.epochs) == ("Adagrad", 0.03, 6)


BOUND = {
    "train.py": """
        import argbind
        import torch

        @argbind.bind(without_prefix=True)
        def train(rate: float = 1e-3, batch_size: int = 12, num_iters: int = 250000):
            model = torch.nn.Linear(4, 2).cuda()
            optimizer = torch.optim.Adam(model.parameters(), lr=rate)
            loader = torch.utils.data.DataLoader([0.0], batch_size=batch_size)
            for step, sound in zip(range(num_iters), loader):
                loss = model(sound).sum()
                loss.backward()
                optimizer.step()

        if __name__ == "__main__":
            args = argbind.parse_args()
            with argbind.scope(args):
                train()
        """,
    "conf/large.yml": "batch_size: 72\nnum_iters: 400000\n",
}


def test_what_argbinds_file_says_counts_and_not_the_defaults(read):
    found = read(BOUND, "python train.py --args.load conf/large.yml")
    assert (found.is_training, found.optimizer, found.batch_size, found.total_steps) == (True, "Adam", 72, 400000)
