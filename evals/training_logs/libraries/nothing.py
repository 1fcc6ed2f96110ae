"""Logs in which nothing trains: whatever is read from them as a step is wrong."""

from evals.training_logs import noise
from evals.training_logs.run import Run, Told


def endless_bar(run: Run) -> Told:
    return Told("no-progress", noise.endless_bar(run.dice, 60), "null", note="bars without an end")


def preparation(run: Run) -> Told:
    return Told("no-progress", noise.preparation(run.dice, 80), "null", note="data preparation")


def summary_of_model(run: Run) -> Told:
    return Told("no-progress", noise.model_summary(run.dice, 60), "null", note="a table of layers")


def dump(run: Run) -> Told:
    return Told("no-progress", noise.key_values(run.dice, 80), "null", note="options, dumped")


def elapsed_only(run: Run) -> Told:
    lines = [f"still working, elapsed {i // 60:02d}:{i % 60:02d}:00" for i in range(1, 60)]
    return Told("no-progress", lines, "null", note="an elapsed clock and no counter")


def downloads(run: Run) -> Told:
    return Told("no-progress", noise.downloads(run.dice, 60), "null", note="downloads")


def benchmark(run: Run) -> Told:
    lines = [
        "#       size         count      type   redop    root     time   algbw   busbw #wrong",
        *(
            f"{2**i:>12} {2 ** (i - 2):>12}     float     sum      -1    {20 + 2 ** (i - 20):6.2f}    0.{i}    0.{i}      0"
            for i in range(8, 30)
        ),
    ]
    return Told("no-progress", lines, "null", note="a table of nccl-tests")


LIBRARIES = [endless_bar, preparation, summary_of_model, dump, elapsed_only, downloads, benchmark]
