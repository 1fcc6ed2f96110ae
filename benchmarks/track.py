"""How fast training logs are followed: lines a second, live logs polled, the first answer of a huge log, memory."""

import tempfile
import time
import tracemalloc
from pathlib import Path

from benchmarks import Figure
from schedmate.readers.progress.tracker import Tracker
from schedmate.readers.progress.watch import Watch
from schedmate.readers.progress.whole import read_log
from schedmate.tools.logfile import open_log

LINE = (
    "[rank0] 2031-04-05 {h:02}:{m:02}:{s:02},{ms:03} INFO train step {step}/900000 loss {loss:.4f} lr 1.5e-04 "
    "grad_norm 1.{ms:03} step_time 0.51{ms:03}s tokens/s 41{ms:03}\n"
)
NOISE = "node017:4242:4711 [3] NCCL INFO Channel 07/0 : 3[3] -> 4[4] via P2P/CUMEM/read\n"
LIVE_LOGS = 10_000
HUGE_BYTES = 1 << 30


def line(step: int) -> str:
    """Write one training line."""
    now = step // 2
    return LINE.format(h=now // 3600 % 24, m=now // 60 % 60, s=now % 60, ms=step % 1000, step=step, loss=5 / (1 + step))


def warm_tracker() -> Tracker:
    """Give a tracker that knows its loop."""
    tracker = Tracker("job.log")
    tracker.feed("".join(line(step) for step in range(1, 60)).encode(), now_s=0)
    tracker.metrics()
    return tracker


def followed_lines() -> list[Figure]:
    """Feed a followed log in large pieces, of training lines alone and of four lines of noise to each."""
    figures = []
    for name, noise in (("training lines", 0), ("4 lines of noise to 1 of training", 4)):
        piece = "".join(line(step) + NOISE * noise for step in range(60, 20_060)).encode()
        lines = piece.count(b"\n")
        tracker = warm_tracker()
        started_s = time.process_time()
        for turn in range(20):
            tracker.feed(piece, now_s=float(turn))
            tracker.metrics()
        seconds = time.process_time() - started_s
        goal = 1_000_000.0
        figures.append(Figure(f"followed log, {name}", 20 * lines / seconds, "lines/s/core", goal))
    return [*figures, *(in_pieces(size, noise) for size in (4, 16, 64) for noise in (0, 4)), one_by_one()]


def in_pieces(kib: int, noise: int) -> Figure:
    """Feed a followed log in pieces as a pipe hands them over, a hundred a second, and ask once a second."""
    text = "".join(line(step) + NOISE * noise for step in range(60, 60_060)).encode()
    tracker = warm_tracker()
    started_s = time.process_time()
    for turn, start in enumerate(range(0, len(text), kib * 1024)):
        tracker.feed(text[start : start + kib * 1024], now_s=turn / 100)
        if turn % 100 == 99:
            tracker.metrics()
    seconds = time.process_time() - started_s
    name = f"followed log in pieces of {kib} kB" + (f", {noise} lines of noise to 1" if noise else "")
    return Figure(name, text.count(b"\n") / seconds, "lines/s/core", 1_000_000.0)


def one_by_one() -> Figure:
    """Feed and ask for each line alone: what a line costs when nothing can be passed over."""
    tracker = warm_tracker()
    pieces = [line(step).encode() for step in range(60, 3060)]
    started_s = time.process_time()
    for turn, one in enumerate(pieces):
        tracker.feed(one, now_s=float(turn))
        tracker.metrics()
    seconds = time.process_time() - started_s
    return Figure("followed log, asked after each line", len(pieces) / seconds, "lines/s/core")


def live_logs(folder: Path) -> list[Figure]:
    """Poll ten thousand logs, each with one new line, and ask all for their metrics."""
    paths = [folder / f"{job:05}.log" for job in range(LIVE_LOGS)]
    head = "".join(line(step) for step in range(1, 12))
    for path in paths:
        path.write_text(head)
    watch = Watch([str(path) for path in paths])
    watch.poll(0.0)
    watch.metrics(0.0)
    rounds = []
    for turn in range(3):
        new = line(20 + turn)
        for path in paths:
            with path.open("a") as log:
                log.write(new)
        started_s = time.process_time()
        watch.poll(1.0 + turn)
        polled_s = time.process_time() - started_s
        watch.metrics(1.0 + turn)
        rounds.append((polled_s, time.process_time() - started_s))
    idle_s = time.process_time()
    watch.poll(9.0)
    idle_s = time.process_time() - idle_s
    polled, answered = min(rounds)
    return [
        Figure("10,000 live logs, one new line each, one poll", polled, "CPU s", 1.0, less_is_better=True),
        Figure("the same, with the metrics of all", answered, "CPU s"),
        Figure("10,000 live logs, nothing new, one poll", idle_s, "CPU s"),
    ]


def first_answer(folder: Path) -> list[Figure]:
    """Answer for a log of a gigabyte that was never seen."""
    path = folder / "huge.log"
    piece = ("".join(line(step) + NOISE * 2 for step in range(1, 4000))).encode()
    with path.open("wb") as log:
        while log.tell() < HUGE_BYTES:
            log.write(piece)
    walls, times = [], []
    for _ in range(5):
        started_s, cpu_s = time.perf_counter(), time.process_time()
        with open_log(path) as opened:
            read_log(opened).metrics()
        walls.append(1000 * (time.perf_counter() - started_s))
        times.append(1000 * (time.process_time() - cpu_s))
    return [
        Figure("first answer for a log of 1 GiB (best of 5)", min(times), "CPU ms", 50.0, less_is_better=True),
        Figure("the same by the clock on the wall", min(walls), "ms"),
    ]


def memory_per_log(folder: Path) -> list[Figure]:
    """Measure what is kept of a log that is watched, once its loop is followed; what all share is counted apart."""
    count = 300
    data = "".join(line(step) for step in range(1, 200)).encode()
    paths = [folder / f"watched_{job:03}.log" for job in range(count)]
    warm_tracker()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    watch = Watch([str(path) for path in paths])
    for start in range(0, len(data), 4096):
        for path in paths:
            with path.open("ab") as log:
                log.write(data[start : start + 4096])
        watch.poll(float(start))
    watch.metrics(float(start))
    used = (tracemalloc.get_traced_memory()[0] - before) / count / 1000
    tracemalloc.stop()
    return [Figure("memory per followed log", used, "kB", 20.0, less_is_better=True)]


def measure() -> list[Figure]:
    """Run all; the huge log and the ten thousand lie in a temporary folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [*followed_lines(), *live_logs(folder), *first_answer(folder), *memory_per_log(folder)]
