"""The order of waiting jobs is told to Slurm in its own terms, and taken back whole."""

import signal

import pytest
from typer.testing import CliRunner

from schedmate.cli import make_app
from tests.slurm.conftest import emptied, freed
from tests.slurm.slurm_up import SlurmUp

pytestmark = pytest.mark.slurm


@pytest.fixture
def up(four_nodes, slurm_path, tmp_path, monkeypatch, kind):
    slurm_path(four_nodes)
    conf = four_nodes.conf.read_text()
    if kind == "nice":
        four_nodes.conf.write_text(conf.replace("priority/multifactor", "priority/basic"))
        restarted(four_nodes)
    made = SlurmUp(tmp_path, four_nodes, "--mode", "act", "--option", "weight=800")
    monkeypatch.setenv("SCHEDMATE_DATA_DIR", str(made.data_dir))
    made.start()
    yield made
    made.close()
    try:
        emptied(four_nodes)
    finally:
        if kind == "nice":
            four_nodes.conf.write_text(conf)
            restarted(four_nodes)


def restarted(real):
    real.kill("slurmctld", signal.SIGTERM)  # killed hard it forgets, and gives numbers of jobs anew
    real.start_controller()
    freed(real)


def values(real, kind, names):
    """Give each job's site factor, or how nice it is."""
    if kind == "nice":
        return [int(real.run("squeue", "-h", "-j", name, "-o", "%y").stdout) for name in names]
    return [int(real.run("sprio", "-h", "-j", name, "-o", "%S").stdout or 0) for name in names]


@pytest.mark.parametrize("kind", ["site factor", "nice"])
def test_what_was_set_is_bounded_taken_back_whole_and_no_time_limit_is_touched(up, kind):
    real = up.real
    blocks = [up.batch("games", "sleep 600", "-N1", "--gpus-per-node=8") for _ in real.nodes]
    up.until(lambda: all((row := up.row(name)) is not None and row.state == "running" for name in blocks))
    options = (["--nice=7"], ["-t", "77"], [])
    names = [up.batch("news", "exit 0", "--gpus=1", *each) for each in options]
    own, wanted = ([7, 0, 0], [0, 100, 200]) if kind == "nice" else ([0, 0, 0], [600, 700, 800])

    def added():
        return [value - before for value, before in zip(values(real, kind, names), own, strict=True)]

    up.until(lambda: sorted(added()) == wanted)
    limits = [real.run("squeue", "-h", "-j", name, "-o", "%l").stdout.strip() for name in names]
    assert limits == ["1:00:00", "1:17:00", "1:00:00"]
    up.ask("down")
    up.process.wait(60)
    for count in (3, 0):
        said = CliRunner().invoke(make_app(), ["slurm", "reset"], catch_exceptions=False).stdout
        assert said.startswith(f"{count} waiting job")
        assert values(real, kind, names) == own
