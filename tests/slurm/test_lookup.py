"""`--job`: without any service, a job's log and end are found by its id."""

import json

import pytest
from typer.testing import CliRunner

from schedmate.cli import make_app
from schedmate.errors import InputError
from tests.slurm.conftest import emptied

pytestmark = pytest.mark.slurm


@pytest.fixture
def slurm(four_nodes, slurm_path):
    slurm_path(four_nodes)
    yield four_nodes
    emptied(four_nodes)


def call(*arguments):
    return CliRunner().invoke(make_app(), list(arguments), catch_exceptions=False)


def failed(slurm, *options):
    name = slurm.sbatch("echo 'step 3/9 loss 1.0'; echo 'Killed process' >&2; exit 3", *options)
    asked = ("sacct", "-X", "-n", "-P", "-o", "State,WorkDir", "-j", name)
    slurm.until(lambda: slurm.run(*asked).stdout.strip() == f"FAILED|{slurm.at}/work", within_s=180)
    return name


def test_a_job_is_read_by_its_id_alone(slurm):
    name = failed(slurm, "-J", "fit", "-o", "%x.%j.log")
    told = json.loads(call("diagnose", "--job", name, "--json").stdout)
    assert told["log"] == f"{slurm.at}/work/fit.{name}.log"
    assert json.loads(call("track", "--job", name, "--json").stdout)["step"] == 3


def test_a_job_that_the_controller_has_forgotten_is_found_through_the_accounting(slurm):
    name = failed(slurm, "-J", "old", "-o", "%x.%j.log")
    slurm.forget_jobs()
    assert slurm.run("scontrol", "show", "job", name).returncode != 0
    assert json.loads(call("diagnose", "--job", name, "--json").stdout)["log"].endswith(f"/old.{name}.log")


def test_what_cannot_be_looked_up_is_said(slurm):
    for name, said in (("999999", "Slurm knows no job 999999"), ("-1; reboot", "is no id of a Slurm job")):
        with pytest.raises(InputError, match=said):
            call("diagnose", "--job", name)
    with pytest.raises(InputError, match="no log beside it|looks up the log"):
        call("diagnose", "x.log", "--job", "1")


def test_the_accounting_is_learned_and_no_name_forges_a_job(slurm):
    name = failed(slurm, "-J", "a|b\n999|forged|root|gpu|COMPLETED", "-o", "%j.log")
    told = json.loads(call("history", "import", "--slurm", "--since", "1d", "--json").stdout)
    assert (told["bad"], told["odd"]) == (0, 0)
    listed = [json.loads(line) for line in call("history", "list", "--json", "-n", "999").stdout.splitlines()]
    ids = {one["job"]["job_id"]: one["job"] for one in listed}
    assert ids[name]["status"] == "failed"
    assert "999" not in ids
    again = json.loads(call("history", "import", "--slurm", "--json").stdout)
    assert (again["new"], again["changed"]) == (0, 0)
