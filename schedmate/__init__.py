"""SchedMate reads what a GPU cluster's scheduler never reads: source code, logs, and the jobs that ran before."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schedmate.schemas import Diagnosis

__all__ = ["__version__", "diagnose"]
__version__ = "0.1.0"


def diagnose(
    path: str | Path, *, repo: str | Path | None = None, locator: str = "hybrid", engine: str = "auto"
) -> "Diagnosis":
    """Find why a job died, from its log or the directory of its ranks' logs; no server is needed."""
    from schedmate.graphs.diagnose import run_diagnose

    return run_diagnose(str(path), repo=Path(repo) if repo else None, locator=locator, engine=engine)
