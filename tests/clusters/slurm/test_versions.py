"""The same jobs, as each version from 20.11 to 25.11 prints them (versions.toml), are the same jobs."""

import tomllib
from pathlib import Path

import pytest

from schedmate.clusters.slurm.dialects import FIELDS_SINCE, SACCT_JOB, SQUEUE
from schedmate.clusters.slurm.log_names import log_of
from schedmate.clusters.slurm.lookup import accounted_jobs
from schedmate.clusters.slurm.records import job_of, merged
from schedmate.clusters.slurm.versions import version

SAMPLES = tomllib.loads((Path(__file__).parent / "versions.toml").read_text())
MEANING = SAMPLES.pop("meaning")
VERSIONS = sorted(SAMPLES)


def sample(name):
    """Put a version together from those that it is like."""
    made = SAMPLES[name]
    return sample(made["like"]) | made if "like" in made else made


def printed(told):
    """Give squeue's rows."""
    for each in told["squeue"]:
        row = {**told["shared"], **each}
        row["exit_code"] = told.get("exit_code", {}).get(row["exit_code"], row["exit_code"])
        if "made_up" in told and row["StdOut"] == f"/w/slurm-{row['JobID']}.out":
            row["StdOut"] = told["made_up"]["element" if "_" in row["JobArrayID"] else "job"]
        assert row.keys() == {*SQUEUE}
        yield row


class Accounting:
    """Answers as sacct does, and as that it refuses a field which it does not know."""

    def __init__(self, told, known):
        self.told, self.known = told, known

    def table(self, program, fields, *options, letters):
        assert (program, letters, [*fields]) == ("sacct", True, self.known)
        out = self.told.get("sacct_out", {})
        rows = [{**row, "StdOut": out.get(row["JobID"], "")} for row in self.told["sacct"]]
        return [[row[name] for name in fields] for row in rows]


@pytest.fixture(params=VERSIONS)
def slurm(request, slurm_of):
    told = sample(request.param)
    slurm_of(told["says"])
    return told


def meaning(one):
    return {"phase": one.phase, "code": one.code, "gpus": one.gpus, "nodes": [*one.nodes], "log": log_of(one)}


def test_the_queue_means_the_same_in_all_versions(slurm):
    found = merged(job_of(row) for row in printed(slurm))
    assert {one.name: meaning(one) for one in found} == MEANING


def test_the_accounting_means_the_same_in_all_versions_that_keep_it(slurm):
    known = [name for name in SACCT_JOB if version() >= FIELDS_SINCE.get(name, (0, 0))]
    for one in accounted_jobs(Accounting(slurm, known)):
        log = slurm.get("sacct_log", {}).get(one.name, MEANING[one.name]["log"])
        assert meaning(one) == MEANING[one.name] | {"log": log}


def test_a_job_without_an_exit_code_has_none():
    """From 23.02 on squeue prints nothing there."""
    row = next(printed(sample("23.02"))) | {"exit_code": ""}
    assert job_of(row).code is None
