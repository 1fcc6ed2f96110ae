"""Find what the machine offers: GPUs, nccl-tests, Ray, Slurm. Nothing is started, nothing changed."""

import os
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version

from schedmate.counts import how_many
from schedmate.schemas import Check

QUICK_S = 10.0

NO_CLUSTER = "Could not establish a configuration source"
"""What Slurm's programs say where there is neither a slurm.conf nor a controller to ask for one."""


def check_nvml() -> Check:
    """Ask NVML for the GPUs and the driver; a machine without a driver is normal, a broken driver is not."""
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        if error.value in (pynvml.NVML_ERROR_LIBRARY_NOT_FOUND, pynvml.NVML_ERROR_DRIVER_NOT_LOADED):
            return Check(
                name="NVML", status="absent", detail="no NVIDIA driver here", remedy="run on a GPU node to sample GPUs"
            )
        return Check(
            name="NVML", status="failed", detail=str(error), remedy="compare with nvidia-smi; reload the driver"
        )
    try:
        count = pynvml.nvmlDeviceGetCount()
        driver = pynvml.nvmlSystemGetDriverVersion()
        return Check(name="NVML", status="ok", detail=f"{how_many(count, 'GPU')}, driver {driver}")
    except pynvml.NVMLError as error:
        return Check(
            name="NVML", status="failed", detail=str(error), remedy="compare with nvidia-smi; reload the driver"
        )
    finally:
        pynvml.nvmlShutdown()


def check_nccl_tests() -> Check:
    """Look for all_reduce_perf, which pinpoints the faulty node of a group."""
    found = shutil.which("all_reduce_perf")
    if found:
        return Check(name="nccl-tests", status="ok", detail=found)
    return Check(
        name="nccl-tests",
        status="absent",
        detail="all_reduce_perf is not on PATH",
        remedy="build github.com/NVIDIA/nccl-tests and put its build/ folder on PATH",
    )


def check_ray() -> Check:
    """Tell Ray's version from its metadata: importing it would cost seconds."""
    try:
        return Check(name="Ray", status="ok", detail=f"ray {version('ray')}")
    except PackageNotFoundError:
        return Check(name="Ray", status="absent", detail="not installed", remedy="pip install ray")


def check_slurm() -> Check:
    """Ask sinfo for the partitions: installed commands alone do not make a cluster."""
    sinfo = shutil.which("sinfo")
    if sinfo is None:
        return Check(
            name="Slurm", status="absent", detail="sinfo is not on PATH", remedy="run on a login or compute node"
        )
    try:
        answer = subprocess.run(
            [sinfo, "--noheader", "--format=%P %D"],
            capture_output=True,
            text=True,
            timeout=QUICK_S,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check(name="Slurm", status="failed", detail=f"sinfo: {error}", remedy="is slurmctld up? scontrol ping")
    if answer.returncode != 0:
        if NO_CLUSTER in answer.stderr:
            return Check(
                name="Slurm", status="absent", detail="installed, but this machine belongs to no cluster",
                remedy="run on a login or compute node",
            )  # fmt: skip
        detail = (answer.stderr.strip().splitlines() or [f"sinfo exited with {answer.returncode}"])[-1]
        return Check(name="Slurm", status="failed", detail=detail, remedy="is slurmctld up? scontrol ping")
    partitions = [line.split()[0] for line in answer.stdout.splitlines() if line.strip()]
    return Check(name="Slurm", status="ok", detail=f"partitions {', '.join(partitions) or 'none'}")
