"""How many lines a CPU-second the embedder, the masks and the Log Classifier take, on a generated training log."""

import time
from collections.abc import Callable, Sequence
from random import Random
from tempfile import TemporaryDirectory

from benchmarks import Figure
from evals.embedding.log_lines import generate_lines, read_statements

LINES = 100_000
DIFFERENT = 5_000


def training_log(lines: int = LINES) -> list[str]:
    """Generate a log as a job writes it: thousands of different statements, and two that come all the time."""
    draw = Random(7)
    statements = read_statements(held_out=False)
    rare = [line for _, line in generate_lines(statements, 1 + DIFFERENT // len(statements), seed=7)][:DIFFERENT]
    steps = (
        "[2024-05-01 10:{m:02}:{s:02}] step {n}/90000 | loss {f:.4f} | lr {f:.2e} | {m}.{s} s/step | grad norm {f:.3f}",
        "Epoch 3:  {m}%|███▌      | {n}/90000 [10:{m:02}<1:{s:02}:00,  {f:.2f}it/s, loss={f:.4f}, v_num=4]",
    )
    often = [
        draw.choice(steps).format(m=draw.randrange(60), s=draw.randrange(60), n=number, f=draw.random())
        for number in range(lines - len(rare))
    ]
    log = rare + often
    draw.shuffle(log)
    return log


def lines_per_cpu_s(work: Callable[[Sequence[str]], object], lines: Sequence[str]) -> float:
    """Divide lines by the CPU time that working on them takes."""
    started = time.process_time()
    work(lines)
    return len(lines) / (time.process_time() - started)


def measure() -> list[Figure]:
    """Measure each on the whole log, and the embedder on statements that it has not seen."""
    from schedmate.models.embedders.built_in import open_built_in
    from schedmate.readers import LineClassifier, mask_line

    log = training_log()
    rare = training_log(DIFFERENT)
    embedder = open_built_in()
    started = time.process_time()
    classifier = LineClassifier(embedder)
    ready_s = time.process_time() - started
    return [
        Figure(
            "masking a log",
            lines_per_cpu_s(lambda lines: [mask_line(line) for line in lines], log),
            "lines/CPU s",
            100_000,
        ),
        Figure("embedding statements never seen", lines_per_cpu_s(embedder.embed, rare), "lines/CPU s", 3_000),
        Figure("embedding a log, each line anew", lines_per_cpu_s(embedder.embed, log), "lines/CPU s", 10_000),
        Figure("Log Classifier on a log", lines_per_cpu_s(classifier.classify, log), "lines/CPU s", 50_000),
        Figure(
            "Log Classifier on the same log again", lines_per_cpu_s(classifier.classify, log), "lines/CPU s", 50_000
        ),
        Figure("Log Classifier made ready", ready_s, "CPU s", 0.5, less_is_better=True),
        Figure("schedmate classify on the log", classify_file(log), "lines/CPU s", 30_000),
    ]


def classify_file(log: Sequence[str]) -> float:
    """Classify the log as a file, reading and report included."""
    from schedmate import classify

    with TemporaryDirectory() as folder:
        path = f"{folder}/train.log"
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(log))
        return lines_per_cpu_s(lambda lines: classify(path, engine="built-in"), log)
