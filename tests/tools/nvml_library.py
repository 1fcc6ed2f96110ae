"""The stand-in for libnvidia-ml, compiled from `fake_nvml.c`: it checks how we read, not a driver."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

WELL = "util=0 used=4 total=81920 temp=40 ecc=0 throttle=1 limit=90 remap=none"
SOURCE = Path(__file__).with_name("fake_nvml.c")


def build(folder):
    """Compile it; a machine without a C compiler skips what needs it."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler here to build the stand-in for libnvidia-ml")
    target = folder / "libnvidia-ml.so.1"
    command = [compiler, "-shared", "-fPIC", "-Wl,-soname,libnvidia-ml.so.1", "-o", str(target), str(SOURCE)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode:
        pytest.skip(f"the stand-in for libnvidia-ml does not build here: {built.stderr[:200]}")
    return folder


def environment(library, gpus):
    """Let a process find the stand-in, and the GPUs that a file describes."""
    return {**os.environ, "LD_LIBRARY_PATH": str(library), "FAKE_GPUS": str(gpus)}


def driver_of(folder, *gpus):
    """Build a driver with these GPUs, each a line of words; give what a process needs to find it."""
    place = folder / "nvml"
    place.mkdir()
    (folder / "gpus").write_text("\n".join(gpus) + "\n")
    played = environment(build(place), folder / "gpus")
    return {name: played[name] for name in ("LD_LIBRARY_PATH", "FAKE_GPUS")}
