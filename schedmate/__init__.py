"""SchedMate reads what a GPU cluster's scheduler never reads: source code, logs, and the jobs that ran before."""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from schedmate.choices import EngineChoice, Locator, ReaderChoice
    from schedmate.readers.progress.tracker import Tracker
    from schedmate.scheduling.simulation.options import SimulationOptions
    from schedmate.scheduling.simulation.results import Summary
    from schedmate.schemas import Classification, Diagnosis, Estimate, Extraction, Metrics

__all__ = [
    "SimulationOptions", "Tracker", "__version__", "advise", "classify", "diagnose", "extract", "jobs_in", "simulate",
    "track",
]  # fmt: skip
__version__ = "0.1.0"

CLASSES = {
    "SimulationOptions": "schedmate.scheduling.simulation.options",
    "Tracker": "schedmate.readers.progress.tracker",
}
"""What is exported and no verb, and where it stands."""


def advise(
    repo: str | Path,
    *,
    command: str = "",
    workdir: str = ".",
    user: str = "",
    gpus: float = 0,
    name: str = "",
    vc: str = "",
    engine: "ReaderChoice" = "auto",
) -> "Estimate":
    """Estimate a job from the jobs before it: duration, GPU use, chance of failure, and what this rests on."""
    from schedmate.scheduling.estimators.advising import advise as run

    return run(Path(repo), command, workdir, user=user, gpus=gpus, name=name, vc=vc, engine=engine)


def classify(
    path: str | Path, *, engine: "EngineChoice" = "auto", advance: Callable[[int, int], None] = lambda done, total: None
) -> "Classification":
    """Sort a log's lines into error, warning, progress and other; `advance` hears of bytes read and bytes to read."""
    from schedmate.graphs.classify import run_classify

    return run_classify(str(path), engine, advance)


def diagnose(
    path: str | Path | Sequence[str | Path],
    *,
    repo: str | Path | None = None,
    locator: "Locator" = "hybrid",
    engine: "EngineChoice" = "auto",
    exited: str | int = "",
    one_job: bool = False,
) -> "Diagnosis":
    """Find why a job died, from its log, its logs, or the directory of its ranks' logs; no server is needed.

    `exited` tells how it ended where that is known (137, "0:9", "TIMEOUT"): it is weighed beside the log. A directory
    with the logs of several jobs is refused: go through `jobs_in`, or say `one_job=True`.
    """
    from schedmate.graphs.diagnose import run_diagnose
    from schedmate.readers.failures.job_logs.folder_jobs import called

    files = [] if isinstance(path, str | Path) else [str(one) for one in path]
    name = str(path) if isinstance(path, str | Path) else called(files)
    return run_diagnose(name, Path(repo) if repo else None, locator, engine, exited, files, one_job=one_job)


def jobs_in(folder: str | Path) -> list[list[str]]:
    """List the jobs whose logs lie in a folder, each as its logs, for `diagnose` to be asked about each."""
    from schedmate.readers.failures.job_logs.folder_jobs import jobs_in as jobs

    return [list(job.paths) for job in jobs(str(folder)).jobs]


def track(
    path: str | Path, *, command: str = "", repo: str | Path | None = None, engine: "ReaderChoice" = "auto"
) -> "Metrics":
    """Read how a job is getting on from its log; its command and its code tell the end that the log does not."""
    from schedmate.graphs.track import run_track

    return run_track(str(path), engine, command, Path(repo) if repo is not None else None)


def extract(
    repo: str | Path, *, command: str = "", workdir: str = ".", engine: "ReaderChoice" = "auto"
) -> "Extraction":
    """Read what a job is from its source code and the command that starts it; no server is needed."""
    from schedmate.graphs.extract import run_extract

    return run_extract(Path(repo), command, workdir, engine)


def simulate(
    trace: str | Path = "",
    *,
    policies: Sequence[str] = (),
    nodes: str = "",
    vc: Path | None = None,
    seed: int | None = None,
    options: "SimulationOptions | None" = None,
) -> "tuple[Summary, ...]":
    """Run a trace under policies on a simulated cluster; without a trace, a generated month. One summary a policy.

    `options` has all that the command line offers; what is named beside it counts before it.
    """
    from dataclasses import replace

    from schedmate.scheduling.simulation.options import SimulationOptions
    from schedmate.scheduling.simulation.simulate import simulate as run

    named = {"trace": str(trace), "policies": tuple(policies), "nodes": nodes, "vc": vc, "seed": seed}
    given: dict[str, Any] = {name: value for name, value in named.items() if value not in ("", (), None)}
    return run(replace(options or SimulationOptions(), **given)).summaries


def __getattr__(name: str) -> object:
    """Import a class when it is first asked for: `import schedmate` stays light."""
    if name in CLASSES:
        return getattr(import_module(CLASSES[name]), name)
    raise AttributeError(f"module 'schedmate' has no attribute '{name}'")
