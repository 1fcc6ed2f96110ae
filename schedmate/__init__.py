"""SchedMate reads what a GPU cluster's scheduler never reads: source code, logs, and the jobs that ran before."""

__all__ = ["__version__"]
__version__ = "0.1.0"
