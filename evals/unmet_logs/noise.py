"""Regular lines with numbers, counters and times in them, of programs that train nothing."""

import random
from collections.abc import Callable

from evals.training_logs.run import hms

Noise = Callable[[random.Random, int], list[str]]


def ninja(dice: random.Random, count: int) -> list[str]:
    return [
        f"[{i}/{count}] /usr/bin/nvcc -O3 -std=c++17 -gencode arch=compute_90 -c csrc/kernel_{i}.cu -o build/kernel_{i}.o"
        for i in range(1, count + 1)
    ]


def pytest_run(dice: random.Random, count: int) -> list[str]:
    return [
        f"tests/unit/test_step_{i % 40}.py::test_case[{i}] PASSED{' ' * 20}[{i * 100 // count:3d}%]"
        for i in range(1, count + 1)
    ]


def server_stats(dice: random.Random, count: int) -> list[str]:
    return [
        f"INFO 06-01 12:{i // 60 % 60:02d}:{i % 60:02d} metrics.py:455] Avg prompt throughput: {dice.uniform(10, 900):.1f} tokens/s, Avg generation throughput: {dice.uniform(100, 2000):.1f} tokens/s, Running: {dice.randrange(90)} reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache usage: 41.2%"
        for i in range(count)
    ]


def device_monitor(dice: random.Random, count: int) -> list[str]:
    return [
        "# gpu     pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk",
        *(
            f"    {i % 8}   {dice.randrange(80, 690):4d}     {dice.randrange(40, 80)}      -     {dice.randrange(0, 100):2d}     {dice.randrange(0, 60):2d}      0      0   2619   1980"
            for i in range(1, count)
        ),
    ]


def docker_pull(dice: random.Random, count: int) -> list[str]:
    return [
        f"{dice.randrange(16**8):08x}: Downloading [{'=' * (i * 50 // count)}>{' ' * (50 - i * 50 // count)}]  {i * 3.1:.2f}MB/{count * 3.1:.1f}MB"
        for i in range(count)
    ]


def copying(dice: random.Random, count: int) -> list[str]:
    return [
        f"{i * 33_554_432:>15,} {i * 100 // count:3d}%  {dice.uniform(80, 120):.2f}MB/s    {hms(count - i)}"
        for i in range(count)
    ]


def shards(dice: random.Random, count: int) -> list[str]:
    return [
        f"Loading checkpoint shards: {i * 100 // count:3d}%|{'█' * (i * 10 // count):10}| {i}/{count} [{hms(i * 2)}<{hms((count - i) * 2)},  {dice.uniform(1.8, 2.2):.2f}s/it]"
        for i in range(1, count + 1)
    ]


def split_made(dice: random.Random, count: int) -> list[str]:
    return [
        f"Generating train split: {i * 1213} examples [{hms(i)}, {dice.uniform(1100, 1300):.2f} examples/s]"
        for i in range(1, count + 1)
    ]


def graphs(dice: random.Random, count: int) -> list[str]:
    return [
        f"Capturing CUDA graph shapes: {i * 100 // count:3d}%|{'█' * (i * 10 // count):10}| {i}/{count} [{hms(i / 2)}<{hms((count - i) / 2)},  {dice.uniform(1.9, 2.1):.2f}it/s]"
        for i in range(1, count + 1)
    ]


def harness(dice: random.Random, count: int) -> list[str]:
    return [
        f"Running loglikelihood requests: {i * 100 // count:3d}%|{'█' * (i * 10 // count):10}| {i * 64}/{count * 64} [{hms(i)}<{hms(count - i)}, {dice.uniform(60, 70):.2f}it/s]"
        for i in range(1, count + 1)
    ]


def cluster_events(dice: random.Random, count: int) -> list[str]:
    return [
        f'{i}m          Normal    Pulled      pod/worker-{i % 64}     Successfully pulled image "train:2.{i % 9}" in {dice.uniform(1, 90):.3f}s ({dice.uniform(1, 90):.3f}s including waiting)'
        for i in range(count)
    ]


def queue(dice: random.Random, count: int) -> list[str]:
    return [
        "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)",
        *(
            f"           {410000 + i}      gpu train_{i % 9}    u{i % 31}  R {dice.randrange(1, 23)}:{dice.randrange(60):02d}:{dice.randrange(60):02d}      {dice.randrange(1, 9)} node[{i % 90}]"
            for i in range(1, count)
        ),
    ]


def steps_of_pipeline(dice: random.Random, count: int) -> list[str]:
    return [
        f"Step {i}/{count} : RUN pip install package-{i} took {dice.uniform(0.1, 20):.1f}s" for i in range(1, count + 1)
    ]


def named_parameters(dice: random.Random, count: int) -> list[str]:
    return [
        f"  module.layers.{i}.mlp.fc1.weight: shape=({dice.choice((1024, 4096))}, 4096), mean={dice.uniform(-0.01, 0.01):.6f}, std=0.02"
        for i in range(count)
    ]


def disk(dice: random.Random, count: int) -> list[str]:
    return [
        f"nvme{i % 8}n1          {dice.uniform(1, 900):8.2f} {dice.uniform(100, 90000):10.2f} {dice.uniform(0, 9):6.2f} {dice.uniform(0, 100):6.2f}"
        for i in range(count)
    ]


def health(dice: random.Random, count: int) -> list[str]:
    return [
        f"heartbeat seq={i} rtt={dice.uniform(0.1, 9):.2f}ms peers={dice.choice((63, 64))} uptime={i * 10}s"
        for i in range(count)
    ]


NOISES: list[Noise] = [
    ninja, pytest_run, server_stats, device_monitor, docker_pull, copying, shards, split_made, graphs, harness, cluster_events, queue, steps_of_pipeline,
    named_parameters, disk, health,
]  # fmt: skip


def drown(dice: random.Random, lines: list[str], count: int) -> list[str]:
    """Put a fifth of the noise between the lines, single or in blocks, and the rest before them."""
    before, among = count * 4 // 5, count // 5
    noise: list[str] = []
    while len(noise) < before:
        noise += dice.choice(NOISES)(dice, dice.randrange(10, 300))
    out = noise[:before]
    pool = [line for each in NOISES for line in each(dice, 80)]
    left = among
    for index, line in enumerate(lines):
        out.append(line)
        share = min(left, max(0, round(dice.expovariate(len(lines) / among)))) if index < len(lines) - 1 else left // 2
        out += dice.choices(pool, k=share)
        left -= share
    return out
