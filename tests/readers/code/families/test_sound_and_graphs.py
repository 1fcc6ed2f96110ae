"""Programs on sound and on graphs: what they generate, what their loaders are called, how they start themselves."""

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
