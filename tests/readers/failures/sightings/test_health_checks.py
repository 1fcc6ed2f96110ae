"""A check of a node's health that passed is no trouble; one that failed is."""

import pytest

from schedmate import diagnose

STEPS = [f"[rank0]: iter {step}/90 loss {3 - step / 100:.3f}" for step in range(1, 91)]
DIED = ["Traceback (most recent call last):", '  File "/home/lea/fit.py", line 4, in <module>', "KeyError: 'width'"]
PASSED = [
    "05/12/2031 19:07:38 nhc[311] kiln3: check_fs_mount_rw /scratch ... OK",
    "05/12/2031 19:07:38 nhc[312] kiln3: check_hw_eth eth0 ... skipped",
    "nhc: check_nv_gpu_count 8: passed",
]
FAILED = [
    ("ERROR:  nhc:  Health check failed:  check_fs_mount:  /scratch not mounted", "node.nhc"),
    ("05/12/2031 19:07:38 nhc[311] kiln3: check_fs_mount_rw /scratch ... FAILED: not OK, read only", "node.nhc"),
    ("05/12/2031 19:07:38 nhc[311] kiln3: check_hw_ib 200 ... FAILED", "network.nhc"),
]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("passed", PASSED)
def test_checks_that_passed_are_no_trouble(tmp_path, passed):
    assert read(tmp_path, *STEPS, "Training finished.", passed).category == "none"
    assert read(tmp_path, *STEPS[:40], *DIED, passed).failure_id == "python.key_error"


@pytest.mark.parametrize(("failed", "entry"), FAILED)
def test_one_that_failed_is_the_cause(tmp_path, failed, entry):
    found = read(tmp_path, *STEPS[:40], PASSED[0], failed)
    assert (found.failure_id, found.root_line) == (entry, 42)
