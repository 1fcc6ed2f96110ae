"""Train a vision transformer on CIFAR-100; launched by run.sh."""

import argparse
import os

import torch
import torch.distributed as dist
import yaml
from torch.nn.parallel import DistributedDataParallel
from torchvision.datasets import CIFAR100
from torchvision.models import vit_b_16
from torchvision.transforms import RandAugment


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", required=True)
    parser.add_argument("--batch-size", type=int, default=32, help="images per GPU and step")
    parser.add_argument("--epochs", type=int, default=None)
    parser.add_argument("--accumulate", type=int, default=1)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    with open(arguments.config) as handle:
        config = yaml.safe_load(handle)
    epochs = arguments.epochs or config["epochs"]

    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    model = DistributedDataParallel(vit_b_16(num_classes=100).to(device))
    optimizer = torch.optim.AdamW(model.parameters(), lr=config["lr"], weight_decay=config["weight_decay"])
    dataset = CIFAR100("data", transform=RandAugment())
    loader = torch.utils.data.DataLoader(dataset, batch_size=arguments.batch_size)

    for epoch in range(epochs):
        for step, (images, labels) in enumerate(loader):
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = torch.nn.functional.cross_entropy(model(images.to(device)), labels.to(device))
            (loss / arguments.accumulate).backward()
            if (step + 1) % arguments.accumulate == 0:
                optimizer.step()
                optimizer.zero_grad()


if __name__ == "__main__":
    main()
