"""Probes meet real small programs on PATH, good ones and bad ones."""

import pytest

from schedmate.tools import engines


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Put a small shell program of a given name on an otherwise empty PATH."""

    def program(name, body):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))

    monkeypatch.setenv("PATH", str(tmp_path))
    return program


def test_nothing_is_there(program):
    assert engines.check_slurm().status == "absent"
    assert engines.check_nccl_tests().status == "absent"
    assert "nccl-tests" in engines.check_nccl_tests().remedy


def test_slurm_answers(program):
    program("sinfo", 'echo "gpu* 4"; echo "debug 1"')
    check = engines.check_slurm()
    assert (check.status, check.detail) == ("ok", "partitions gpu*, debug")


def test_slurm_without_its_controller(program):
    program("sinfo", 'echo "slurm_load_partitions: Unable to contact slurm controller" >&2; exit 1')
    check = engines.check_slurm()
    assert check.status == "failed"
    assert "Unable to contact" in check.detail
    assert check.remedy


def test_slurm_installed_on_a_machine_of_no_cluster(program):
    program("sinfo", 'echo "sinfo: fatal: Could not establish a configuration source" >&2; exit 1')
    assert engines.check_slurm().status == "absent"


def test_slurm_that_hangs_is_given_up(program, monkeypatch):
    monkeypatch.setattr(engines, "QUICK_S", 0.2)
    program("sinfo", "exec /bin/sleep 60")
    assert engines.check_slurm().status == "failed"


def test_nccl_tests_are_found(program):
    program("all_reduce_perf", "exit 0")
    assert engines.check_nccl_tests().status == "ok"
