"""Who submits what, and when: users at work on projects, their sweeps, resubmissions and changes of mind."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from evals.mars.codebase import MODELS, STEPS, config_name, data_of
from evals.mars.running import Request

USERS = 14
HOUR_S = 3600.0
RATES = (1e-5, 2e-5, 5e-5, 1e-4, 3e-4)


def draw_request(draw: Random) -> Request:
    """Begin a project."""
    kind = draw.choices(tuple(STEPS), (0.3, 0.45, 0.25))[0]
    model = draw.choice(tuple(MODELS))
    billions, layers, width = MODELS[model]
    low, high = STEPS[kind]
    gpus = (
        draw.choice((1, 2)) if kind == "evaluate" else draw.choice((2, 4, 8, 8, 16) if billions > 2 else (1, 2, 4, 8))
    )
    steps = max(100, round(draw.uniform(low, high), -2))
    return Request(
        kind,
        model,
        draw.choice(data_of(kind)),
        billions,
        width,
        layers,
        draw.choice((1, 2, 4, 8)),
        int(steps),
        gpus,
        2e-5,
    )


def command(asked: Request, run: int, draw: Random) -> str:
    """Write the command as its user types it, with this run's own output folder."""
    launcher = f"torchrun --nproc_per_node={min(asked.gpus, 8)}" + (
        f" --nnodes={asked.gpus // 8}" if asked.gpus > 8 else ""
    )
    options = f"--lr {asked.learning_rate:g} --micro-batch-size {asked.micro_batch} --max-steps {asked.steps}"
    path = config_name(asked.kind, asked.model, asked.data)
    return f"{launcher} {asked.kind}.py --config {path} {options} --output-dir runs/run_{run:05d}"


def submissions(count: int, seed: int) -> Iterator[tuple[float, str, str, Request]]:
    """Give moment, user, branch and request, in the order of submission."""
    draw = Random(seed)
    drawn: list[tuple[float, str, str, Request]] = []
    while len(drawn) < count * 1.3:
        user, branch = f"user{draw.randrange(USERS):02d}", draw.choice(("main", "main", "dev"))
        at_s = draw.uniform(0, 30 * 24 * HOUR_S)
        drawn += project(draw, at_s, user, branch)
    drawn.sort(key=lambda one: one[0])
    yield from drawn[:count]


def project(draw: Random, at_s: float, user: str, branch: str) -> list[tuple[float, str, str, Request]]:
    """Give the jobs of one user on one project: tries, sweeps and reruns over a few days."""
    asked, jobs = draw_request(draw), list[tuple[float, str, str, Request]]()
    for _ in range(draw.randint(1, 5)):
        way = draw.random()
        if way < 0.3:
            jobs += [
                (at_s + 5 * k, user, branch, replace(asked, learning_rate=rate)) for k, rate in enumerate(RATES[:4])
            ]
        else:
            jobs.append((at_s, user, branch, asked))
        at_s += draw.expovariate(1 / (10 * HOUR_S))
        asked = changed(asked, draw)
    return jobs


def changed(asked: Request, draw: Random) -> Request:
    """Run the same again, as often as not; else with another size."""
    way = draw.random()
    if way < 0.5:
        return asked
    if way < 0.65:
        return replace(asked, steps=asked.steps * draw.choice((2, 3)))
    if way < 0.8:
        return replace(asked, micro_batch=draw.choice((1, 2, 4, 8, 16)))
    if way < 0.9:
        return replace(asked, data=draw.choice(data_of(asked.kind)))
    return replace(asked, gpus=min(16, asked.gpus * 2))
