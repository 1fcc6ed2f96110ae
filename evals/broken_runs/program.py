"""The training program that is broken: a small model, gloo, a loader with workers, checkpoints, one of six styles."""

import argparse
import os
import random
import time
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, Dataset

from evals.broken_runs import decoys
from evals.broken_runs.bugs import BUGS, EARLY, Scene
from evals.broken_runs.styles import STYLES, prepare_logging


class Model(nn.Module):  # type: ignore[misc]
    """Two layers, and a third that takes part only where it should."""

    def __init__(self, idle: bool) -> None:
        super().__init__()
        self.head, self.tail = nn.Linear(16, 32), nn.Linear(32, 1)
        self.idle = nn.Linear(4, 4) if idle else None

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        return self.tail(torch.relu(self.head(batch))).pow(2).mean()


class Records(Dataset[torch.Tensor]):  # type: ignore[misc]
    """Random records; one of them may be broken, endless or too large for shared memory."""

    def __init__(self, fault: str, at: int) -> None:
        self.fault, self.at = fault, at

    def __len__(self) -> int:
        return 100_000

    def __getitem__(self, index: int) -> torch.Tensor:
        if index >= self.at * 4:
            if self.fault == "loader_raises":
                return torch.ones(16) * [1.0][index]
            if self.fault == "loader_hangs":
                time.sleep(3_600)
            if self.fault == "shm_full":
                return torch.ones(16 * 100_000)
        return torch.rand(16)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--style", choices=sorted(STYLES), default="plain")
    parser.add_argument("--fault", default="healthy")
    parser.add_argument("--at", type=int, default=40)
    parser.add_argument("--victim", type=int, default=1)
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--pace", type=float, default=0.02)
    parser.add_argument("--wait", type=float, default=30)
    parser.add_argument("--cgroup", default="")
    return parser.parse_args()


def who() -> tuple[int, int]:
    """Find rank and size of the world in the words of any launcher."""
    for rank, size in (
        ("RANK", "WORLD_SIZE"),
        ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
        ("SLURM_PROCID", "SLURM_NTASKS"),
    ):
        if rank in os.environ:
            return int(os.environ[rank]), int(os.environ[size])
    return 0, 1


def tell_pids(folder: Path, rank: int, step: int, loader: object) -> None:
    """Leave for the injector where we are and which processes are ours."""
    workers = getattr(loader, "_workers", [])
    text = f"{step} {os.getpid()} {' '.join(str(worker.pid) for worker in workers)}"
    note = folder / f"rank_{rank}.tmp"
    note.write_text(text)
    note.rename(folder / f"rank_{rank}")


def train(options: argparse.Namespace) -> None:
    """Run the job, until its fault ends it."""
    torch.set_num_threads(1)
    rank, size = who()
    prepare_logging(rank)
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(size))
    dist.init_process_group("gloo", timeout=timedelta(seconds=options.wait))
    fault = options.fault
    plain = Model(idle=fault == "unused_parameters")
    if fault in EARLY and fault in BUGS:
        BUGS[fault](Scene(plain, rank, 0, options.folder, options.cgroup))
    model = nn.parallel.DistributedDataParallel(plain)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    mine = fault if rank == options.victim else "healthy"
    loader = DataLoader(
        Records(mine, options.at), batch_size=4, num_workers=1, timeout=10 if fault == "loader_hangs" else 0
    )
    records, report, dice = iter(loader), STYLES[options.style], random.Random(rank)
    if rank == 0:
        print(f"{size} processes, {sum(weight.numel() for weight in plain.parameters())} parameters, error_budget=0")
    for step in range(1, options.steps + 1):
        began = time.monotonic()
        tell_pids(options.folder, rank, step, records)
        if step == options.at and mine in BUGS:
            BUGS[mine](Scene(model, rank, step, options.folder, options.cgroup))
        loss = model(next(records))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        time.sleep(options.pace)
        if step < options.at - 3 or fault == "healthy":
            decoys.maybe(dice, rank, step)
        if rank == 0:
            report(step, options.steps, loss.item(), time.monotonic() - began)
            if step % 25 == 0:
                torch.save(plain.state_dict(), options.folder / f"step_{step}.pt")
                print(f"\nsaved step_{step}.pt" if options.style in {"bar", "lightning"} else f"saved step_{step}.pt")
    dist.destroy_process_group()
    if rank == 0:
        print("training finished")


if __name__ == "__main__":
    train(read_options())
