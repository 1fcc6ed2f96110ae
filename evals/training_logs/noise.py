"""Lines that are regular, have numbers and times, and are no training."""

import random
from collections.abc import Callable

from evals.training_logs.run import hms

Noise = Callable[[random.Random, int], list[str]]


def endless_bar(dice: random.Random, count: int) -> list[str]:
    rate = dice.uniform(40, 900)
    return [f"reading stream: {int(i * rate)}it [{hms(i)}, {rate:.2f}it/s]" for i in range(1, count + 1)]


def preparation(dice: random.Random, count: int) -> list[str]:
    total = count * 1000
    return [
        f"Map (num_proc=8): {i * 100 // count:3d}%|{'█' * (i * 10 // count):10}| {i * 1000}/{total} [{hms(i)}<{hms(count - i)}, {dice.uniform(900, 1100):.2f} examples/s]"
        for i in range(1, count + 1)
    ]


def downloads(dice: random.Random, count: int) -> list[str]:
    return [
        f"model-0000{i % 9 + 1}-of-00009.safetensors: {i * 100 // count:3d}%|{'#' * (i * 10 // count):10}| {i * 81}M/{count * 81}M [{hms(i)}<{hms(count - i)}, {dice.uniform(70, 95):.1f}MB/s]"
        for i in range(1, count + 1)
    ]


def model_summary(dice: random.Random, count: int) -> list[str]:
    rows = [
        f"{f'block_{i} (TransformerBlock)':<34} (None, 512, {dice.choice((768, 1024))})        {dice.randrange(10**5, 10**7):>10,}"
        for i in range(count)
    ]
    return [
        "_" * 66,
        f"{'Layer (type)':<34} Output Shape            Param #",
        "=" * 66,
        *rows,
        "=" * 66,
        "Total params: 124,439,808",
    ]


def key_values(dice: random.Random, count: int) -> list[str]:
    names = (
        "hidden_size",
        "step_size",
        "time_budget_s",
        "loss_type_id",
        "num_epochs",
        "max_steps",
        "timeout_s",
        "iter_limit",
        "eval_every",
        "ms_per_tick",
    )
    return [f"  {dice.choice(names)}_{i} = {dice.choice((0.1, 16, 128, 3600, 0.95, 42))}" for i in range(count)]


def lists(dice: random.Random, count: int) -> list[str]:
    return [
        f"[{i}] worker {i % 16} on 10.0.{i % 8}.{i % 250} took {dice.uniform(0.1, 4):.3f}s to start, {dice.randrange(100, 900)} MiB"
        for i in range(count)
    ]


def requests(dice: random.Random, count: int) -> list[str]:
    return [
        f'10.2.0.{i % 250} - - "GET /metrics HTTP/1.1" 200 {dice.randrange(300, 9000)} {dice.uniform(0.001, 0.4):.3f}'
        for i in range(count)
    ]


def temperatures(dice: random.Random, count: int) -> list[str]:
    return [
        f"gpu {i % 8} | {dice.randrange(40, 80)}C | {dice.randrange(90, 690)}W / 700W | {dice.randrange(0, 80000)}MiB / 81559MiB | {dice.randrange(0, 100)}%"
        for i in range(count)
    ]


def warnings(dice: random.Random, count: int) -> list[str]:
    return [
        f"/opt/conda/lib/python3.11/site-packages/lib_{i % 40}/core.py:{dice.randrange(10, 900)}: FutureWarning: `step` will be removed in 2.{i % 9}"
        for i in range(count)
    ]


NOISES: list[Noise] = [
    endless_bar,
    preparation,
    downloads,
    model_summary,
    key_values,
    lists,
    requests,
    temperatures,
    warnings,
]


def drown(dice: random.Random, lines: list[str], count: int) -> list[str]:
    """Mix a log's lines with blocks of noise, in their own order."""
    blocks: list[list[str]] = []
    left = count
    while left > 0:
        size = min(left, dice.randrange(1, 200))
        blocks.append(dice.choice(NOISES)(dice, size))
        left -= size
    places = sorted(dice.randrange(len(blocks) + 1) for _ in lines)
    mixed: list[str] = []
    taken = 0
    for index in range(len(blocks) + 1):
        while taken < len(lines) and places[taken] == index:
            mixed.append(lines[taken])
            taken += 1
        mixed += blocks[index] if index < len(blocks) else []
    return mixed
