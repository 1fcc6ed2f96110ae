"""`--job`: without any service, a job's log and end are found by its id."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from schedmate.cli import make_app
from schedmate.clusters.slurm.lookup import look_up
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
    """Have a job fail; it begins once the accounting has its submission, or some of that may never get there."""
    name = slurm.sbatch("echo 'step 3/9 loss 1.0'; echo 'Killed process' >&2; exit 3", "--hold", *options)
    asked = ("sacct", "-X", "-n", "-P", "-o", "State,WorkDir", "-j", name)
    for state in ("PENDING", "FAILED"):
        slurm.until(lambda wanted=f"{state}|{slurm.at}/work": slurm.run(*asked).stdout.strip() == wanted)
        slurm.run("scontrol", "release", name)
    return name


def test_a_job_is_read_by_its_id_alone(slurm):
    name = failed(slurm, "-J", "fit", "-o", "%x.%j.log")
    told = json.loads(call("diagnose", "--job", name, "--json").stdout)
    assert told["log"] == f"{slurm.at}/work/fit.{name}.log"
    said, ran = told["notes"][-2:]
    assert said == "Slurm says FAILED, NonZeroExitCode, exit code 3"
    assert ran.startswith("it ran 0:00:0")
    assert " of 1:00:00 that its limit allows, on gpu" in ran
    assert json.loads(call("track", "--job", name, "--json").stdout)["step"] == 3


def test_a_job_that_the_controller_has_forgotten_is_found_through_the_accounting(slurm):
    name = failed(slurm, "-J", "old", "-o", "%x.%j.log")
    slurm.forget_jobs()
    assert slurm.run("scontrol", "show", "job", name).returncode != 0
    assert json.loads(call("diagnose", "--job", name, "--json").stdout)["log"].endswith(f"/old.{name}.log")


PATTERNS = (
    "", "%j", "%A_%a", "%J.%s.%t.%n", "x%x-%u", "%5j_%3A-%4a", "100%%-%j", r"\\%j-b", "a%%j", "%10x.%j", "%b",
    "%2b-%j", "%12b", "%010j", "%12j", "%99999999999999999999j", "%3%j", "%3%%", "%5", "%", "%4z-%-3j%", "%%%j%%%%j",
    "%2n%3t%4s%4u", "%r-%2r", "%S", "%4é%é",
)  # fmt: skip


def test_the_name_of_a_log_is_what_slurm_makes_of_its_pattern(slurm):
    """Slurm itself makes the files: each with one element of an array, and with a job that is none."""
    asked = [(pattern, array) for pattern in PATTERNS for array in ((), ("-a", "13"))]
    names = []
    for number, (pattern, array) in enumerate(asked):
        out = ["-o", f"{number}-{pattern}"] if pattern else []
        name = slurm.sbatch("true", "-J", "7", "-n1", "--mem=10", *out, *array)
        names.append(f"{name}_13" if array else name)
    slurm.until(lambda: not slurm.run("squeue", "-h", "-o", "%i").stdout.strip())
    for name in names:
        assert Path(look_up(name).log).is_file(), look_up(name).log


def test_a_default_name_is_no_pattern_below_a_directory_that_looks_like_one(slurm):
    place = slurm.at / "work" / "a%jb"
    place.mkdir()
    for array in ((), ("-a", "13")):
        name = slurm.sbatch("true", "-n1", "--mem=10", *array, cwd=place) + ("_13" if array else "")
        slurm.until(lambda: not slurm.run("squeue", "-h", "-o", "%i").stdout.strip())
        assert Path(look_up(name).log).is_file(), look_up(name).log


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
