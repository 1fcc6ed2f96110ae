"""Invent what stands in a log beside training progress, and mix it in between whole lines."""

import random

PACKAGES = (
    "numpy",
    "triton",
    "filelock",
    "jinja2",
    "sympy",
    "networkx",
    "certifi",
    "pillow",
    "tokenizers",
    "safetensors",
)
MODELS = ("encoder.layers.{n}.attn.weight", "decoder.blocks.{n}.mlp.fc1.bias", "head.{n}.norm.weight")
LINES = (
    "{host}:{pid}:{tid} [{gpu}] NCCL INFO Channel {n:02}/0 : {gpu}[{gpu}] -> {n}[{n}] via P2P/CUMEM",
    "{host}:{pid}:{tid} [{gpu}] NCCL INFO comm 0x55d0c0de{n:02} rank {gpu} nranks 64 cudaDev {gpu} - Init COMPLETE",
    "{host}:{pid}:{tid} [{gpu}] NCCL WARN NET/Socket : connection to 10.1.{n}.{gpu}<4{n:04}> timed out, retry {gpu}",
    "Requirement already satisfied: {package}>=1.{n} in ./env/lib/python3.11/site-packages (2.{n}.{gpu})",
    "Downloading {package}-{gpu}.{n}.0-py3-none-any.whl ({n}.{gpu} MB)",
    "   {percent:3}%|{bar}| {done}M/{total}M [00:{n:02}<00:{gpu:02}, {rate:.1f}MB/s]",
    "Downloading shards: {percent:3}%|{bar}| {gpu}/8 [00:{n:02}<00:{gpu:02},  {rate:.2f}s/it]",
    "Loading checkpoint shards: {percent:3}%|{bar}| {gpu}/8 [00:{n:02}<00:{gpu:02},  1.{gpu}3it/s]",
    "Map (num_proc={gpu}): {percent:3}%|{bar}| {done}000/{total}000 [00:{n:02}<00:{gpu:02}, {pid} examples/s]",
    "import time: {pid:9} | {tid:10} |     {package}._core",
    "  --train-iters ................................... {pid}00",
    "  micro_batch_size ................................ {gpu}",
    '"num_hidden_layers": {n},',
    "  max_position_embeddings: {pid},",
    "{model}  torch.Size([{pid}, {tid}])  frozen",
    "/env/lib/python3.11/site-packages/{package}/nn/functional.py:{pid}: UserWarning: {package} is deprecated",
    "  warnings.warn(message, FutureWarning, stacklevel={gpu})",
    "W1119 03:{n:02}:{gpu:02}.{pid} {tid} distributed/run.py:{n}] Setting OMP_NUM_THREADS to 1 for each process",
    "slurmstepd: task {gpu} on {host}: memory limit {pid} MiB of {tid} MiB",
    "srun: job {pid}{tid} has been allocated resources",
    "| {gpu}  GPU-80GB   On  | 00000000:{n:02}:00.0 Off |  {n}C  P0  {pid}MiB / 81559MiB | {percent:3}%  Default |",
    "[{package}] cache hit for kernel {tid} after {rate:.2f} ms, {n} configs tried",
    "Total parameters: {pid},{n:03},512 | trainable: {n},{gpu:03},960",
    "wandb: Syncing run worldly-river-{n}",
    "{package}: loaded {tid} files in {rate:.2f} seconds",
    "Building extension module {package} took {rate:.2f} seconds",
    "Epochs = {gpu}, batch size = {n}, learning rate = 1e-{gpu}",
)


def noise_line(rng: random.Random) -> str:
    """Write one line that tells nothing of progress."""
    percent = rng.randint(0, 100)
    return rng.choice(LINES).format(
        host=f"node{rng.randint(1, 64):03}", pid=rng.randint(1000, 9999), tid=rng.randint(1000, 99999),
        gpu=rng.randint(0, 7), n=rng.randint(0, 59), package=rng.choice(PACKAGES), percent=percent,
        bar=("█" * (percent // 10)).ljust(10), done=rng.randint(1, 90), total=rng.randint(90, 900),
        rate=rng.uniform(0.2, 300), model=rng.choice(MODELS).format(n=rng.randint(0, 40)),
    )  # fmt: skip


def mix(text: str, pool: list[str], rng: random.Random, count: int, among: float = 0.2) -> str:
    """Put noise before a log and between its lines; no line is changed and none changes places."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    inside = round(count * among)
    slots = sorted(rng.randrange(1, len(lines) + 1) for _ in range(inside)) if lines else []
    mixed, place = [rng.choice(pool) for _ in range(count - inside)], 0
    for number, line in enumerate(lines, 1):
        mixed.append(line)
        while place < len(slots) and slots[place] == number:
            mixed.append(rng.choice(pool))
            place += 1
    return "\n".join(mixed) + "\n"


def make_pool(seed: int, size: int = 1500) -> list[str]:
    """Give a pool of noise; lines come again and again in a real log."""
    rng = random.Random(f"noise/{seed}")
    return [noise_line(rng) for _ in range(size)]
