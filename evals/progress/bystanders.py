"""What other programs print beside a training run, in blocks as they come: regular, full of numbers, and no progress of training."""

import json
import random
from collections.abc import Callable

Bystander = Callable[[random.Random, int], list[str]]
NAMES = ("encoder", "decoder", "embed", "head", "norm", "attn", "mlp", "proj")
PACKAGES = ("numpy", "triton", "filelock", "sympy", "networkx", "pillow", "safetensors", "pyarrow", "regex")


def hms(second: float) -> str:
    return f"{int(second) // 60:02d}:{int(second) % 60:02d}"


def endless_bar(dice: random.Random, count: int) -> list[str]:
    what, unit = dice.choice(
        (("Filtering", "ex"), ("tokenize", "docs"), ("", "it"), ("scan", "files"), ("Reading records", "rows"))
    )
    rate, head = dice.uniform(3, 9000), f"{what}: " if what else ""
    return [
        f"{head}{int(at * rate)}{unit} [{hms(at)}, {rate * dice.uniform(0.9, 1.1):.2f}{unit}/s]"
        for at in range(1, count + 1)
    ]


def rich_bar(dice: random.Random, count: int) -> list[str]:
    """Draw a bar of an installer or a converter, to an end."""
    what = dice.choice(("Converting", "Uploading", "Extracting", "Verifying", "Packing"))
    return [
        f"{what} ━━━━━━━━━━╸━━━━━━━━━ {at * 100 // count:3d}% {at}/{count} • 0:{hms(at)} • 0:{hms(count - at)} • {dice.uniform(2, 90):.1f} MB/s"
        for at in range(1, count + 1)
    ]


def module_tree(dice: random.Random, count: int) -> list[str]:
    return [
        f"{'  ' * dice.randrange(1, 5)}({at % 64}): {dice.choice(('Linear', 'Conv2d', 'Block', 'RMSNorm'))}(in_features={dice.choice((768, 4096))}, out_features={dice.choice((768, 11008))}, bias=False)"
        for at in range(count)
    ]


def layer_table(dice: random.Random, count: int) -> list[str]:
    rows = [
        f"│ {dice.choice(NAMES)}_{at:<20} │ (None, {dice.choice((56, 512))}, {dice.choice((64, 768))}) │ {dice.randrange(10**4, 10**7):>12,} │"
        for at in range(count)
    ]
    return [
        "┃ Layer (type)             ┃ Output Shape    ┃      Param # ┃",
        *rows,
        " Total params: 25,636,712 (97.80 MB)",
    ]


def lightning_table(dice: random.Random, count: int) -> list[str]:
    rows = [
        f"{at:<3}| {dice.choice(NAMES)}_{at:<12} | Sequential | {dice.uniform(0.1, 90):.1f} M | train"
        for at in range(count)
    ]
    return ["   | Name            | Type       | Params | Mode", "-" * 52, *rows]


def parameters(dice: random.Random, count: int) -> list[str]:
    return [
        f"{dice.choice(NAMES)}.layers.{at}.weight | shape {dice.choice((768, 4096))}x{dice.choice((768, 4096))} | mean {dice.gauss(0, 0.01):+.5f} | std {dice.uniform(0.01, 0.03):.5f}"
        for at in range(count)
    ]


def yaml_dump(dice: random.Random, count: int) -> list[str]:
    keys = (
        "batch_size",
        "decay_steps",
        "lr",
        "loss_weight",
        "warmup_steps",
        "eval_interval",
        "time_limit",
        "log_every",
        "seed",
        "step_size",
        "timeout_s",
    )
    return [
        f"{'  ' * dice.randrange(0, 3)}{dice.choice(keys)}: {dice.choice((1, 8, 64, 0.1, 3e-4, 1000, 50000, 3600))}"
        for _ in range(count)
    ]


def arguments(dice: random.Random, count: int) -> list[str]:
    keys = (
        "global_batch_size",
        "eval_iters",
        "save_interval",
        "exit_duration_in_mins",
        "lr_decay_iters",
        "loss_scale",
        "hidden_size",
        "timeout_minutes",
    )
    return [
        f"  {key} {'.' * (44 - len(key))} {dice.choice((1, 100, 2048, 500000, 0.1, None))}"
        for key in (dice.choice(keys) for _ in range(count))
    ]


def json_config(dice: random.Random, count: int) -> list[str]:
    return [
        f'  "{dice.choice(("hidden_size", "train_batch_size", "steps_per_print", "time_step_min", "time_step_max", "loss_chunk", "num_experts"))}": {dice.choice((1, 16, 4096, 0.02, 10000))},'
        for _ in range(count)
    ]


def environment(dice: random.Random, count: int) -> list[str]:
    return [
        f"{dice.choice(('NCCL_TIMEOUT', 'OMP_NUM_THREADS', 'STEP_BUDGET', 'LOCAL_WORLD_SIZE', 'MAX_JOBS', 'TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC'))}={dice.choice((1, 8, 1800, 7200))}"
        for _ in range(count)
    ]


def kernel(dice: random.Random, count: int) -> list[str]:
    now, out = dice.uniform(1e4, 1e6), []
    for at in range(count):
        now += dice.uniform(0, 3)
        out.append(f"[{now:.6f}] {dice.choice((f'nvidia-nvlink: IBMNPU Link {at % 18} state 1', f'mlx5_core 0000:{at % 200:02x}:00.0: port {at % 4} carrier up', f'perf: interrupt took too long ({at * 7 + 2500} > {at * 7 + 2490}), lowering rate to {20000 + at}'))}")  # fmt: skip
    return out


def json_service(dice: random.Random, count: int) -> list[str]:
    now = 1_931_000_000.0
    return [
        json.dumps(
            {
                "ts": round(now + at * 0.7, 3),
                "level": "info",
                "svc": "gateway",
                "msg": "request done",
                "id": at,
                "status": 200,
                "latency_ms": round(dice.uniform(1, 900), 2),
                "bytes": dice.randrange(99, 9999),
            }
        )
        for at in range(count)
    ]


def access(dice: random.Random, count: int) -> list[str]:
    return [
        f'10.0.{at % 8}.{at % 250} - - [05/Apr/2031:10:{at // 60 % 60:02d}:{at % 60:02d} +0000] "POST /v1/completions HTTP/1.1" 200 {dice.randrange(200, 9000)} "-" "python/3.11" {dice.uniform(0.01, 9):.3f}'
        for at in range(count)
    ]


def exporter(dice: random.Random, count: int) -> list[str]:
    families = (
        "node_cpu_seconds_total",
        "DCGM_FI_DEV_GPU_UTIL",
        "vllm:time_per_output_token_seconds_sum",
        "process_cpu_seconds_total",
        "train_queue_depth",
    )
    out = []
    for at in range(count):
        name = families[at % len(families)]
        out.append(
            f"# TYPE {name} counter"
            if at % 40 == 0
            else f'{name}{{gpu="{at % 8}",host="n{at % 16}"}} {dice.uniform(0, 1e5):.3f}'
        )
    return out


def pip(dice: random.Random, count: int) -> list[str]:
    out = []
    for at in range(count):
        name, size = dice.choice(PACKAGES), dice.uniform(0.1, 900)
        out.append(dice.choice((
            f"Collecting {name}>={at % 9}.{at % 30} (from -r requirements.txt (line {at % 80}))",
            f"     ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ {size:.1f}/{size:.1f} MB {dice.uniform(1, 300):.1f} MB/s eta 0:00:00",
            f"  Downloading {name}-{at % 9}.{at % 30}.0-cp311-cp311-manylinux_2_17_x86_64.whl ({size:.1f} MB)",
            f"Requirement already satisfied: {name} in /opt/venv/lib/python3.11/site-packages (2.{at % 30}.1)",
        )))  # fmt: skip
    return out


def markdown_scores(dice: random.Random, count: int) -> list[str]:
    rows = [
        f"|task_{at:<12}|      {at % 4}|none  |     {at % 6}|acc   |{dice.random():.4f}|±  |{dice.random() / 50:.4f}|"
        for at in range(count)
    ]
    return [
        "|    Tasks     |Version|Filter|n-shot|Metric|Value |   |Stderr|",
        "|--------------|------:|------|-----:|------|-----:|---|-----:|",
        *rows,
    ]


def sql_table(dice: random.Random, count: int) -> list[str]:
    rows = [
        f" {at:5d} | node-{at % 64:02d} | {dice.choice(('RUNNING', 'DONE', 'PENDING'))} | {dice.uniform(0, 86400):10.2f} | {dice.randrange(0, 80000):8d}"
        for at in range(1, count + 1)
    ]
    return [
        "   id  |  node   |  state  |  seconds   |  memory  ",
        "-------+---------+---------+------------+----------",
        *rows,
        f"({count} rows)",
    ]


def vmstat(dice: random.Random, count: int) -> list[str]:
    head = [" r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st"]
    return head + ["".join(f"{dice.randrange(0, 9000):7d}" for _ in range(15)) for _ in range(count)]


def process_table(dice: random.Random, count: int) -> list[str]:
    head = ["    PID USER      PR  NI    VIRT    RES  S  %CPU  %MEM     TIME+ COMMAND"]
    return head + [
        f"{4000 + at:7d} u{at % 30:<8} 20   0 {dice.uniform(1, 90):6.1f}g {dice.uniform(1, 40):5.1f}g S {dice.uniform(0, 800):5.1f} {dice.uniform(0, 20):5.1f} {dice.randrange(9999):5d}:{dice.uniform(0, 59.99):05.2f} python"
        for at in range(count)
    ]


def git_clone(dice: random.Random, count: int) -> list[str]:
    return [
        f"Receiving objects: {at * 100 // count:3d}% ({at}/{count}), {at * 0.7:.2f} MiB | {dice.uniform(2, 30):.2f} MiB/s"
        for at in range(1, count + 1)
    ]


def cmake(dice: random.Random, count: int) -> list[str]:
    return [
        f"[{at * 100 // count:3d}%] Building CXX object src/CMakeFiles/core.dir/op_{at}.cpp.o"
        for at in range(1, count + 1)
    ]


def garbage(dice: random.Random, count: int) -> list[str]:
    return [
        f"[{at * 0.37:.3f}s][info][gc] GC({at}) Pause Young (Normal) (G1 Evacuation Pause) {dice.randrange(100, 900)}M->{dice.randrange(10, 99)}M(1024M) {dice.uniform(1, 60):.3f}ms"
        for at in range(count)
    ]


def stages(dice: random.Random, count: int) -> list[str]:
    return [f"[Stage {at // 50}:{'=' * (at % 50)}>{' ' * (49 - at % 50)}({at % 50} + 8) / 50]" for at in range(count)]


def queries(dice: random.Random, count: int) -> list[str]:
    return [
        f"query {at} finished in {dice.uniform(0.01, 9):.3f} s, {dice.randrange(1, 10**6)} rows, cost {dice.uniform(0, 5000):.2f}"
        for at in range(count)
    ]


def ping(dice: random.Random, count: int) -> list[str]:
    return [
        f"64 bytes from 10.0.0.{at % 16}: icmp_seq={at} ttl=64 time={dice.uniform(0.05, 3):.3f} ms"
        for at in range(1, count + 1)
    ]


def bandwidth(dice: random.Random, count: int) -> list[str]:
    head = ["#       size         count      type   redop    root     time   algbw   busbw #wrong"]
    return head + [
        f"{8 << at % 30:12d}  {2 << at % 30:12d}     float     sum      -1 {dice.uniform(10, 9000):8.2f} {dice.uniform(0, 300):7.2f} {dice.uniform(0, 400):7.2f}      0"
        for at in range(count)
    ]


def serving(dice: random.Random, count: int) -> list[str]:
    return [
        f"Decode batch. #running-req: {at % 60}, #token: {at * 31}, token usage: {dice.random():.2f}, gen throughput (token/s): {dice.uniform(100, 4000):.2f}, #queue-req: {at % 7}"
        for at in range(count)
    ]


def autotune(dice: random.Random, count: int) -> list[str]:
    return [
        f"  triton_mm_{at} {dice.uniform(0.01, 2):.4f} ms {dice.uniform(20, 100):.1f}% ACC_TYPE='tl.float32', BLOCK_K={dice.choice((32, 64))}, BLOCK_M=128, num_stages={at % 5}"
        for at in range(count)
    ]


BYSTANDERS: dict[str, Bystander] = {
    one.__name__.replace("_", " "): one
    for one in (
        endless_bar, rich_bar, module_tree, layer_table, lightning_table, parameters, yaml_dump, arguments, json_config, environment, kernel, json_service, access,
        exporter, pip, markdown_scores, sql_table, vmstat, process_table, git_clone, cmake, garbage, stages, queries, ping, bandwidth, serving,
        autotune,
    )
}  # fmt: skip


def stood_by(dice: random.Random, text: str, count: int, kinds: list[str]) -> str:
    """Put blocks of noise before a log, single lines and small blocks between its lines, and some behind it."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    among = count // 5
    out: list[str] = []
    while len(out) < count - among:
        out += BYSTANDERS[dice.choice(kinds)](dice, dice.randrange(10, 300))
    del out[count - among :]
    share = among / len(lines)
    for line in lines:
        out.append(line)
        size = min(120, round(dice.expovariate(1 / share)))
        noise = BYSTANDERS[dice.choice(kinds)](dice, max(size, 1)) if size else []
        out += noise[:size]
    return "\n".join(out) + "\n"
