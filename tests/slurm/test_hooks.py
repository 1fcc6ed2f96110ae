"""The hooks in a real Slurm: they tell the loop of ends and jobs of checkpoints, and hurt nobody when we are gone."""

import os
import signal
import subprocess
import time

import pytest
from typer.testing import CliRunner

from schedmate.cli import make_app
from schedmate.errors import InputError
from tests.slurm.conftest import emptied

pytestmark = pytest.mark.slurm


@pytest.fixture
def hooked(four_nodes, slurm_path, tmp_path):
    """Install the hooks, and take them back after the test."""
    slurm_path(four_nodes)
    folder, spool = four_nodes.at / "hooks", four_nodes.at / "spooled"
    where = ("--conf", str(four_nodes.conf), "--spool", str(spool), "--folder", str(folder))
    before = four_nodes.conf.read_text()
    call("slurm", "install", "--place", "--user", "root", *where)
    renewed(four_nodes)
    yield four_nodes, spool, folder
    call("slurm", "uninstall", *where)
    assert four_nodes.conf.read_text() == before
    assert not [*folder.iterdir()]
    assert not (four_nodes.conf.parent / "job_submit.lua").exists()
    renewed(four_nodes)
    emptied(four_nodes)


def renewed(real):
    """Let Slurm read its configuration anew; a submit plugin comes and goes with a restart only."""
    real.kill("slurmctld", signal.SIGTERM)  # killed hard it forgets, and gives numbers of jobs anew
    real.start_controller()
    real.check("scontrol", "reconfigure")


def call(*arguments):
    return CliRunner().invoke(make_app(), list(arguments), catch_exceptions=False)


def test_ends_and_checkpoints_pass_through_the_spool(hooked):
    real, spool, _ = hooked
    name = real.sbatch('echo "from $SCHEDMATE_CHECKPOINT"', "--hold", "-o", "told-%j")
    (spool / "checkpoints" / name).write_text("/ckpt/step 7.pt\n")
    real.check("scontrol", "release", name)
    real.until(lambda: (spool / "ended").exists() and name in (spool / "ended").read_text().split())
    assert (real.at / "work" / f"told-{name}").read_text() == "from /ckpt/step 7.pt\n"


@pytest.mark.parametrize("fault", ["gone", "full", "hung"])
def test_with_schedmate_gone_its_disk_full_or_its_folder_hung_jobs_are_as_without_it(hooked, fault):
    """Fifty jobs are handed in, run and end; a submit plugin that hears no heartbeat holds nothing."""
    real, spool, _ = hooked
    if fault == "full":
        (spool / "ended").unlink(missing_ok=True)
        (spool / "ended").symlink_to("/dev/full")
    elif fault == "hung":
        (spool / "ended").unlink(missing_ok=True)
        os.mkfifo(spool / "ended")
    else:
        (spool / "ended").unlink(missing_ok=True)
        spool.rename(spool.with_name("elsewhere"))
    try:
        array = real.sbatch("true", "-a", "1-50", "-o", "/dev/null", "-n1", "--mem=100", user="games")
        done = ("sacct", "-n", "-X", "-j", array, "-s", "CD", "-o", "JobID")
        real.until(lambda: len(real.run(*done).stdout.split()) == 50, "jobs do not end", within_s=120)
    finally:
        if fault == "gone":
            spool.with_name("elsewhere").rename(spool)
        (spool / "ended").unlink(missing_ok=True)


def test_the_submit_plugin_puts_jobs_off_while_the_loop_is_there_only(hooked):
    real, spool, _ = hooked
    mark = "AdminComment=schedmate: to be placed"
    (spool / "alive").write_text(f"{time.time():.0f}\n")
    name = real.sbatch("true", user="games")
    assert mark in real.run("scontrol", "show", "job", name).stdout
    real.until(lambda: real.run("squeue", "-h", "-j", name, "-o", "%t %r").stdout.strip() == "PD BeginTime")
    for own in (["--hold"], ["--begin=now+1hour"], [f"--dependency=afterany:{name}"]):
        assert mark not in real.run("scontrol", "show", "job", real.sbatch("true", *own, user="games")).stdout
    for words in (f"{time.time() - 3600:.0f}\n", "nonsense\n", ""):
        (spool / "alive").write_text(words)
        assert mark not in real.run("scontrol", "show", "job", real.sbatch("true", user="games")).stdout


def test_the_epilog_is_quick_and_runs_no_command_of_slurms(hooked):
    _, spool, folder = hooked
    script = (folder / "epilog.sh").read_text()
    assert not any(word in script for word in ("squeue", "sacct", "scontrol", "sinfo"))
    subprocess.run([folder / "epilog.sh"], env={"SLURM_JOB_ID": "7", "PATH": os.environ["PATH"]}, check=True)
    assert (spool / "ended").read_text().split()[-1] == "7"


def test_a_sites_own_hook_is_left_alone(hooked, tmp_path):
    conf = tmp_path / "slurm.conf"
    conf.write_text("ClusterName=x\nEpilogSlurmctld=/opt/site.sh\n")
    with pytest.raises(InputError, match="EpilogSlurmctld of its own"):
        call("slurm", "install", "--conf", str(conf), "--spool", str(tmp_path / "s"), "--folder", str(tmp_path / "f"))
    assert conf.read_text() == "ClusterName=x\nEpilogSlurmctld=/opt/site.sh\n"
    said = call("slurm", "install", "--dry-run", "--conf", str(conf)).stdout
    assert "EpilogSlurmctld=" in said
    assert not (tmp_path / "f").exists()
