"""Logs in which nothing trains."""

from evals.training_logs.run import Run, Told
from evals.unmet_logs import noise


def compile_only(run: Run) -> Told:
    return Told("no-progress", noise.ninja(run.dice, 90), "null", note="a build")


def serving(run: Run) -> Told:
    return Told("no-progress", noise.graphs(run.dice, 35) + noise.server_stats(run.dice, 60), "null", note="a server")


def loading(run: Run) -> Told:
    return Told(
        "no-progress", noise.split_made(run.dice, 40) + noise.shards(run.dice, 15), "null", note="data and checkpoints"
    )


def benchmark_harness(run: Run) -> Told:
    return Told("no-progress", noise.harness(run.dice, 60), "null", note="evaluation of a model")


def copies(run: Run) -> Told:
    return Told(
        "no-progress", noise.copying(run.dice, 60) + noise.docker_pull(run.dice, 40), "null", note="copies and pulls"
    )


def pipeline(run: Run) -> Told:
    return Told(
        "no-progress",
        noise.steps_of_pipeline(run.dice, 40) + noise.pytest_run(run.dice, 60),
        "null",
        note="steps of a build",
    )


def beats(run: Run) -> Told:
    return Told("no-progress", noise.health(run.dice, 80), "null", note="heartbeats: a counter and times")


def monitors(run: Run) -> Told:
    return Told("no-progress", noise.device_monitor(run.dice, 80) + noise.disk(run.dice, 40), "null", note="monitors")


PROGRAMS = [compile_only, serving, loading, benchmark_harness, copies, pipeline, beats, monitors]
