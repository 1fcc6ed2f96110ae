"""Fig. 14: errors of durations and of GPU utilisation, on the Mars-like set that stands in for the paper's Mars."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evals.duration import Answers, answered, errors_of, plot_share, utilisation_errors
from evals.durations.errors import Errors, Floats
from evals.durations.sets import load
from evals.fidelity import DATA
from evals.mars import LAW
from evals.report import Cell, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEFT_OUT = {"LightGBM", "user mean", "best without trees"}
PAPER_WITHIN = {"advisor": 0.857, "GA2M": 0.277}
PAPER_UTILISATION = {"advisor": 0.281, "profiler, first 100 s": 0.193}
TITLE = "Fig. 14: Mars-like set"


@dataclass(frozen=True)
class Estimated:
    """What was said, held against the truth."""

    durations: dict[str, Errors]
    utilisation: dict[str, Floats]


def measure(limit: int | None = None) -> Estimated:
    """Ask every estimator about each job when it comes."""
    jobs = load("mars", DATA, limit)
    found = answered(jobs, LEFT_OUT)
    answers: Answers = found.answers
    durations = {name: errors_of(found.asked, said) for name, said in answers.items()}
    own = {name: said for name, said in answers.items() if name != LAW}
    return Estimated(durations, utilisation_errors(jobs, found.asked, own))


def table(found: Estimated) -> Table:
    """Give shares of small errors of durations, and mean errors of utilisation, beside the paper's."""
    rows: list[list[Cell]] = []
    for name in dict.fromkeys([*found.durations, *found.utilisation]):
        error, busy = found.durations.get(name), found.utilisation.get(name)
        known = None if busy is None else busy[~np.isnan(busy)]
        rows.append(
            [
                name,
                None if error is None else error.within(1.0),
                PAPER_WITHIN.get(name),
                None if error is None else error.factor(),
                None if known is None or not len(known) else float(known.mean()),
                PAPER_UTILISATION.get(name),
            ]
        )
    columns = ("", "durations within 100 %", "the paper's", "within 2x", "utilisation, mean error", "the paper's mean")
    return Table(f"{TITLE}, durations and GPU utilisation", columns, rows)


def draw(axes: "Axes", found: Estimated) -> None:
    """Draw the share of jobs below each relative error of the duration."""
    for name, error in found.durations.items():
        plot_share(axes, error.relative(), name)
    for name, share in PAPER_WITHIN.items():
        axes.plot([1.0], [share], "kx")
        axes.annotate(f"the paper, {'SchedMate' if name == 'advisor' else 'Lucid'}", (1.02, share - 0.035), fontsize=7)
    finish(axes, "Fig. 14a: durations")


def draw_utilisation(axes: "Axes", found: Estimated) -> None:
    """Draw the same of GPU utilisation."""
    for name, busy in found.utilisation.items():
        plot_share(axes, np.where(np.isnan(busy), np.inf, busy), name)
    finish(axes, "Fig. 14b: GPU utilisation")


def finish(axes: "Axes", title: str) -> None:
    """Set the axes as the paper has them."""
    axes.set_xlim(0, 2)
    axes.set_ylim(0, 1)
    axes.set_xlabel("relative error")
    axes.set_ylabel("share of jobs")
    axes.set_title(title)
    axes.legend(fontsize=7, loc="lower right")
