"""A crash is blamed on the program where nothing in its log speaks of a stack that it runs on."""

import pytest

from schedmate import diagnose

CELLS = [f"cell block {block} of 900 relaxed in {block % 7 + 3} sweeps" for block in range(30)]
SIGNALLED = ["[kiln07:323] *** Process received signal ***", "[kiln07:323] Signal: Segmentation fault (11)"]
FRAMES = {
    "mpi": "[kiln07:323] [ 3] /opt/openmpi/lib/libmpi.so.40(PMPI_Scatter+0x1fd)[0x7f]",
    "own": "[kiln07:323] [ 5] ./bin/relax[0x400bef]",
    "foreign": "[kiln07:323] [ 3] /opt/plum/lib/libplumdnn.so.4(plum_conv+0x1fd)[0x7f]",
}
SHELL = "/var/spool/job.771.shell: line 12:  1496 Segmentation fault      (core dumped) {}"
BAD_ALLOC = ["terminate called after throwing an instance of 'std::bad_alloc'", "  what():  std::bad_alloc"]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize(
    "lines",
    [
        [*CELLS, *SIGNALLED, FRAMES["own"], FRAMES["mpi"]],
        [SHELL.format("~/bin/relax --cells 900")],
        BAD_ALLOC,
        [*CELLS, "forrtl: severe (174): SIGSEGV, segmentation fault occurred"],
    ],
)
def test_the_programs_own_code_crashed(tmp_path, lines):
    found = read(tmp_path, *lines)
    assert (found.category, found.failure_id) == ("script", "languages.own_crash")


@pytest.mark.parametrize(
    "lines",
    [
        ["loading python 3.11", *CELLS, *SIGNALLED, FRAMES["own"]],
        [*CELLS, *SIGNALLED, FRAMES["own"], FRAMES["foreign"]],
        [*CELLS * 300, *SIGNALLED, FRAMES["own"], FRAMES["foreign"]],  # named far behind the start
        [SHELL.format("python relax.py --cells 900")],
        ["epoch 3 loss 0.4", *BAD_ALLOC],
        ["srun: error: kiln07: task 3: Segmentation fault (core dumped)"],
    ],
)
def test_what_runs_on_a_stack_may_have_crashed_in_it(tmp_path, lines):
    assert read(tmp_path, *lines).category == "framework"
