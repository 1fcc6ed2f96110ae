"""What goes wrong inside the program, at a step, on the rank that is the victim; runs where torch is."""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import nn

Bug = Callable[["Scene"], Any]


class Scene:
    """What a bug may touch."""

    def __init__(self, model: nn.Module, rank: int, step: int, folder: Path, cgroup: str) -> None:
        self.model, self.rank, self.step, self.folder, self.cgroup = model, rank, step, folder, cgroup


def loss_guard(scene: Scene) -> None:
    raise ValueError(f"loss is nan at step {scene.step}, stopping")


def missing_module(scene: Scene) -> None:
    __import__("einops_7f3a")


def checkpoint_misfit(scene: Scene) -> None:
    scene.model.load_state_dict({"head.weight": torch.zeros(3, 3)})


def cut_checkpoint(scene: Scene) -> None:
    path = scene.folder / f"cut_{scene.rank}.pt"
    torch.save(scene.model.state_dict(), path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    torch.load(path)


def own_words(scene: Scene) -> None:
    print("fatal: vocabulary has 31999 entries, the model expects 32000", file=sys.stderr)
    sys.exit(3)


def recursion(scene: Scene) -> None:
    recursion(scene)


def in_place(scene: Scene) -> None:
    weight = torch.ones(4, requires_grad=True)
    once = weight.exp()
    once += 1
    once.sum().backward()


def anomaly(scene: Scene) -> None:
    with torch.autograd.detect_anomaly():
        zero = torch.zeros(1, requires_grad=True)
        (zero.sqrt() * 0).sum().backward()


def mismatch(scene: Scene) -> None:
    dist.all_reduce(torch.ones(7))


def assertion(scene: Scene) -> None:
    raise AssertionError(f"batch of rank {scene.rank} is empty")


def disk_full(scene: Scene) -> None:
    with (scene.folder / "small" / f"state_{scene.rank}.pt").open("wb") as file:
        for _ in range(64):
            file.write(b"0" * 1_000_000)


def read_only(scene: Scene) -> None:
    os.system(f"mount -o remount,ro {scene.folder / 'small'}")  # noqa: S605
    (scene.folder / "small" / "state.pt").write_bytes(b"0")


def memory(scene: Scene) -> None:
    """Enter the small cgroup that was made for this, and grow until the kernel ends it."""
    Path(scene.cgroup).write_text(str(os.getpid()))
    hoard = []
    while True:
        hoard.append(bytearray(os.urandom(1_000_000)))
        time.sleep(0.002)


BUGS: dict[str, Bug] = {
    "missing_key": lambda scene: {"input_ids": 1}["position_ids_7f3a"],
    "shapes": lambda scene: scene.model(torch.ones(2, 5)),
    "missing_file": lambda scene: (scene.folder / "shard_7f3a.bin").read_bytes(),
    "missing_module": missing_module,
    "checkpoint_misfit": checkpoint_misfit,
    "loss_guard": loss_guard,
    "divides_by_zero": lambda scene: 1 / (scene.step - scene.step),
    "broken_json": lambda scene: json.loads('{"text": "cut off'),
    "is_directory": lambda scene: scene.folder.read_text(),
    "wrong_encoding": lambda scene: b"\x8b\xff".decode(),
    "no_attribute": lambda scene: scene.model.register_module("gone", None) or getattr(None, "logits_7f3a"),  # noqa: B009
    "wrong_argument": lambda scene: scene.model(torch.ones(2, 16), labels_7f3a=None),
    "recursion": recursion,
    "own_words": own_words,
    "mixed_types": lambda scene: torch.ones(2, 2) @ torch.ones(2, 2, dtype=torch.float64),
    "assertion": assertion,
    "cut_checkpoint": cut_checkpoint,
    "in_place": in_place,
    "anomaly": anomaly,
    "mismatch": mismatch,
    "disk_full": disk_full,
    "read_only": read_only,
    "memory": memory,
}

EARLY = {"missing_module", "checkpoint_misfit", "cut_checkpoint", "bad_option"}
"""Met before the first step, by every rank."""
