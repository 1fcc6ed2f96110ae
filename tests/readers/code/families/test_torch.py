"""A program of PyTorch from its options to what it computes: what the command says goes over what the code says."""

import pytest

TRAIN = """
    import argparse
    import torch
    import torch.distributed as dist
    import torch.nn as nn
    from torch.nn.parallel import DistributedDataParallel as DDP
    from torch.utils.data import DataLoader, DistributedSampler
    from torchvision import datasets, transforms
    from net import Tiny

    def parse():
        parser = argparse.ArgumentParser()
        parser.add_argument("--batch-size", type=int, default=64)
        parser.add_argument("--epochs", type=int, default=14)
        parser.add_argument("--lr", type=float, default=1.0)
        parser.add_argument("--opt", choices=["sgd", "adam"], default="sgd")
        parser.add_argument("--amp", action="store_true")
        parser.add_argument("--accum", type=int, default=1)
        parser.add_argument("--eval-only", action="store_true")
        return parser.parse_args()

    def train_one_epoch(args, model, loader, optimizer, scaler):
        for step, (x, y) in enumerate(loader):
            with torch.autocast("cuda", dtype=torch.bfloat16, enabled=args.amp):
                loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
            (loss / args.accum).backward()
            if (step + 1) % args.accum == 0:
                optimizer.step()

    def evaluate(model, loader):
        for x, y in loader:
            model(x)

    def main():
        args = parse()
        distributed = "RANK" in __import__("os").environ
        if distributed:
            dist.init_process_group("nccl")
        model = Tiny().cuda()
        if distributed:
            model = DDP(model)
        test_loader = DataLoader(datasets.CIFAR10("data", train=False), batch_size=1000)
        if args.eval_only:
            evaluate(model, test_loader)
            return
        data = datasets.CIFAR10("data", train=True, transform=transforms.Compose([transforms.RandomCrop(32)]))
        train_loader = DataLoader(data, batch_size=args.batch_size, shuffle=True)
        makers = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}
        world = dist.get_world_size() if distributed else 1
        optimizer = makers[args.opt](model.parameters(), lr=args.lr * world)
        for epoch in range(1, args.epochs + 1):
            train_one_epoch(args, model, train_loader, optimizer, None)
            evaluate(model, test_loader)

    if __name__ == "__main__":
        main()
"""
NET = """
    import torch.nn as nn

    class Tiny(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(3, 8, 3)
            self.head = nn.Linear(8, 10)
"""
FILES = {"train.py": TRAIN, "net.py": NET}


def test_defaults_of_a_single_process(read):
    job = read(FILES, "python train.py")
    assert job.is_training is True
    assert (job.batch_size, job.global_batch_size, job.epochs, job.learning_rate) == (64, 64, 14, 1.0)
    assert (job.optimizer, job.precision, job.distributed) == ("SGD", "fp32", "none")
    assert (job.num_gpus, job.num_nodes) == (1, 1)
    assert (job.model_name, job.model_type, job.dataset_name) == ("Tiny", "cnn", "CIFAR-10")
    assert (job.task, job.task_fine, job.framework) == ("CV", "image classification", "PyTorch")
    assert job.extra["augmentation"] == "RandomCrop"


def test_the_command_overrides_and_the_code_rescales(read):
    job = read(
        FILES, "torchrun --nproc_per_node=4 --nnodes 2 train.py --lr 0.1 --batch-size=32 --opt adam --amp --accum 2"
    )
    assert (job.num_gpus, job.num_nodes, job.distributed) == (8, 2, "DDP")
    assert job.learning_rate == pytest.approx(0.8)
    assert (job.batch_size, job.global_batch_size) == (32, 32 * 8 * 2)
    assert (job.optimizer, job.precision) == ("Adam", "bf16")
    assert job.extra["gradient_accumulation_steps"] == "2"


def test_evaluation_is_no_training_and_has_none_of_its_defaults(read):
    job = read(FILES, "python train.py --eval-only")
    assert (job.is_training, job.batch_size, job.precision) == (False, 1000, "fp32")
    for name in ("epochs", "learning_rate", "optimizer", "global_batch_size"):
        assert getattr(job, name) is None, name


def test_options_are_quoted_where_they_stand(read):
    job = read(FILES, "python train.py --lr 0.5")
    assert job.evidence["learning_rate"][0].path == "command"
    assert "--lr 0.5" in job.evidence["learning_rate"][0].quote
    batch = job.evidence["batch_size"][0]
    assert (batch.path, batch.quote) == ("train.py", 'parser.add_argument("--batch-size", type=int, default=64)')


def test_a_launcher_that_takes_every_gpu_leaves_their_number_unknown(read):
    job = read(FILES, "torchrun --nproc_per_node=gpu train.py")
    assert job.num_gpus is None
    assert job.global_batch_size is None
    assert job.distributed == "DDP"


def test_a_value_that_only_the_environment_knows_is_unknown(read):
    job = read(FILES, "python train.py --batch-size $BS --epochs ${EPOCHS}")
    assert job.batch_size is None
    assert job.epochs is None
    assert job.optimizer == "SGD"
