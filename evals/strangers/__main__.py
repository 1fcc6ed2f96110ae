"""Write a set of logs: python -m evals.strangers OUT [--seed N] [--count N] [--healthy SHARE]."""

import argparse
import math
import random
from pathlib import Path

from evals.field.labels import COLUMNS, write_labels
from evals.strangers.decoys import tell_decoys
from evals.strangers.dress import DRESSES, write_out
from evals.strangers.faults import FAULTS
from evals.strangers.faults.kinds import Fault
from evals.strangers.job import Job, Truth, draw_job
from evals.strangers.training import tell_prelude, tell_training

HEALTHY = Truth("none", reason="the run was healthy")
WEIGHTS = {"infrastructure": 50, "framework": 17, "script": 22, "other": 11}


def draw_fault(rng: random.Random, job: Job) -> Fault:
    """Draw a class first: there are many more ways to fail of some than of others."""
    fitting = [each for each in FAULTS if job.stack in each.stacks and (not each.dresses or job.dress in each.dresses)]
    wanted = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    return rng.choice([fault for fault in fitting if fault.category == wanted] or fitting)


def tell(rng: random.Random, dress: str, *, healthy: bool, largest: int) -> tuple[Job, Truth, str]:
    """Live one job through: start, train, meet its fault or the end."""
    steps = int(200 * math.exp(rng.random() * math.log(largest / 200)))
    job = draw_job(rng, rng.choice(DRESSES[dress]), dress, steps)
    began = tell_prelude(job)
    fault = None if healthy else draw_fault(rng, job)
    if fault and fault.early:
        job.now = began + 30
        return job, fault.tell(job), fault.name
    last = tell_training(job, began, steps, steps if healthy else steps * rng.randrange(2, 6))
    tell_decoys(job, began, last, rng.randrange(2, 14))
    job.now = last + rng.uniform(0.5, 3)
    if fault:
        return job, fault.tell(job), fault.name
    job.say(job.now + 5, 0, ["Training completed.", "final checkpoint written"], stream="stdout")
    return job, HEALTHY, "healthy"


def row_of(name: str, job: Job, truth: Truth, family: str, text: str, root: int, also: list[int]) -> dict[str, str]:
    row = dict.fromkeys(COLUMNS, "") | {
        "name": name, "category": truth.category, "subcategory": truth.subcategory, "faulty_component": truth.component, "reason": truth.reason,
        "confidence": "high", "accept_also": truth.accept_also, "launcher": job.dress, "family": family, "ranks": str(job.ranks),
        "should_restart": "yes" if truth.category == "infrastructure" and truth.restart_helps else "no", "lines": str(text.count("\n")),
    }  # fmt: skip
    if root:
        row |= {"root_line": str(root), "root_span": str(truth.span), "also_root_lines": "|".join(map(str, also))}
    return row


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evals.strangers", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=140)
    parser.add_argument("--healthy", type=float, default=0.1, help="the share of healthy jobs")
    parser.add_argument("--largest", type=int, default=5_000, help="steps of the longest log, about")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rows, dresses = [], list(DRESSES)
    for index in range(options.count):
        rng = random.Random(f"stranger:{options.seed}:{index}")
        job, truth, family = tell(rng, dresses[index % len(dresses)], healthy=rng.random() < options.healthy, largest=options.largest)  # fmt: skip
        text, root, also = write_out(job)
        (options.out / f"job_{index:04d}.log").write_text(text, encoding="utf-8")
        rows.append(row_of(f"job_{index:04d}", job, truth, family, text, root, also))
    write_labels(options.out, rows)


if __name__ == "__main__":
    main()
