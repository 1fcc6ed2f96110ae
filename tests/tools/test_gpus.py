"""GPUs through NVML, against a stand-in library that is compiled here: it checks how we read, not a driver."""

import json
import subprocess
import sys

import pytest

from tests.tools.nvml_library import build, environment

CODE = """
import json
from schedmate.tools.gpus import Gpus
gpus = Gpus()
samples = gpus.sample()
print(json.dumps({"absent": gpus.absent, "gpus": samples and [one.model_dump() for one in samples]}))
gpus.close()
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return build(tmp_path_factory.mktemp("nvml"))


def sample(library, gpus):
    command = [sys.executable, "-c", CODE]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, env=environment(library, gpus))
    return json.loads(answer.stdout)


def test_devices_processes_ecc_and_xids(library, tmp_path):
    gpus = tmp_path / "gpus"
    gpus.write_text(
        "util=93 used=40960 total=81920 temp=61 power=350000 ecc=2 xid=79 pid=4242 pmem=30720 psm=88\n"
        "util=0 used=512 total=81920 temp=30 power=60500 ecc=0\n"
    )
    first, second = sample(library, gpus)["gpus"]
    assert first["utilization"] == 0.93
    assert (first["memory_used_gib"], first["memory_total_gib"]) == (40, 80)
    assert (first["power_w"], first["temperature_c"], first["ecc_uncorrected"]) == (350, 61, 2)
    assert first["xids"] == [79]
    assert first["processes"] == [{"pid": 4242, "memory_gib": 30, "utilization": 0.88}]
    assert (first["uuid"], first["name"]) == ("GPU-0", "Stand-in GPU")
    assert (second["utilization"], second["power_w"], second["xids"], second["processes"]) == (0, 60.5, [], [])


def test_what_a_gpu_does_not_tell_is_null(library, tmp_path):
    gpus = tmp_path / "gpus"
    gpus.write_text("pid=7 \n")
    (only,) = sample(library, gpus)["gpus"]
    unknown = ("utilization", "memory_used_gib", "power_w", "temperature_c", "ecc_uncorrected")
    assert [only[name] for name in unknown] == [None] * 5
    assert only["processes"][0]["utilization"] is None


def test_without_a_driver_all_is_null_and_said_once(library, tmp_path):
    answer = sample(library, tmp_path / "none")
    assert answer["gpus"] is None
    assert "no GPU is sampled" in answer["absent"]


def test_a_gpu_off_the_bus_leaves_a_gap_and_no_other_takes_its_number(library, tmp_path):
    gpus = tmp_path / "gpus"
    gpus.write_text("temp=30\nlost=handle\ntemp=50\n")
    samples = sample(library, gpus)["gpus"]
    assert [(one["index"], one["temperature_c"]) for one in samples] == [(0, 30), (2, 50)]
