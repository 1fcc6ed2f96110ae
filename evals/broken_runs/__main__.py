"""Run, break and label: python -m evals.broken_runs OUT [--seed N] [--count N] [--only FAULT]."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from evals.broken_runs import hosts, memory
from evals.broken_runs.case import LAUNCHERS, NEEDS_SLURM, PROGRAMS, Case, plan
from evals.broken_runs.label import find, row
from evals.broken_runs.launch import end, start
from evals.broken_runs.outside import scancel, strike, wait_for_step
from evals.broken_runs.slurm import slurm
from evals.broken_runs.truths import HEALTHY, OUTSIDE, truth_of
from evals.field.labels import write_labels

LIMIT_S = 240


def finish(processes: list[subprocess.Popen[bytes]], limit_s: float) -> None:
    """Wait for the end; what hangs is ended."""
    limit = time.monotonic() + limit_s
    for process in processes:
        try:
            process.wait(max(1, limit - time.monotonic()))
        except subprocess.TimeoutExpired:
            end(process, signal.SIGKILL)
            process.wait()


def run(case: Case) -> None:
    """Run one case to its end."""
    shutil.rmtree(case.folder, ignore_errors=True)
    case.folder.mkdir(parents=True)
    if case.fault == "memory" and (pids := memory.make_cgroup("broken-runs")):
        case.options = ("--cgroup", str(pids))
    began = memory.kernel_clock()
    if case.launcher == "two hosts":
        hosts.join()
        processes = hosts.start_both(case)
        if wait_for_step(case, 0, processes[0]):
            hosts.cut()
        finish(processes, LIMIT_S)
        hosts.part()
    else:
        processes = [start(case)]
        if case.fault in OUTSIDE:
            strike(case, processes[0])
        finish(processes, LIMIT_S)
        if case.fault in NEEDS_SLURM:
            scancel(case)
    if case.dump:
        with case.log.open("a") as log:
            log.write("\n".join(["==== dmesg ====", *memory.kernel_report(began)]) + "\n")


def available(launchers: list[str]) -> list[str]:
    """Leave out the launchers whose programs are not installed, and say so."""
    missing = [name for name in launchers if not shutil.which(PROGRAMS.get(name, "sh"))]
    for name in missing:
        print(f"{PROGRAMS[name]} is not installed: runs under {name} are left out", file=sys.stderr)
    return [name for name in launchers if name not in missing]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evals.broken_runs", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", help="faults whose name has this in it")
    parser.add_argument("--launchers", default=",".join(LAUNCHERS), help="separated by commas")
    options = parser.parse_args()
    if os.geteuid():
        parser.error("namespaces, mounts and Slurm need root")
    out: Path = options.out.resolve()
    launchers = available(options.launchers.split(","))
    cases = [case for case in plan(out, options.seed, options.count, launchers) if (options.only or "") in case.fault]
    with ExitStack() as stack:
        if any(case.launcher.startswith("srun") for case in cases):
            stack.enter_context(slurm(out / "work" / "slurm"))
        rows: list[dict[str, str]] = []
        for case in cases:
            rows += run_and_label(case, out)
            write_labels(out, rows)


def run_and_label(case: Case, out: Path) -> list[dict[str, str]]:
    """Run a case and keep its log and label; a log that does not state what was done to it is not kept."""
    began = time.monotonic()
    run(case)
    found = find(case)
    stated = found is not None or truth_of(case.fault) is HEALTHY
    place = f"line {found.line}" if found else "-" if stated else "NOT STATED"
    print(f"{case.name} {case.launcher:10} {case.fault:18} {time.monotonic() - began:5.0f} s  {place}", flush=True)
    if not stated:
        return []
    shutil.copy(case.log, out / f"{case.name}.log")
    return [row(case, found)]


if __name__ == "__main__":
    main()
