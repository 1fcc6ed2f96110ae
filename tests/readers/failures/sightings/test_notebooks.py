"""A notebook that is run as a job ends in a word of its runner: the exception of the cell stands below it."""

import pytest

from schedmate import diagnose

PAPERMILL = [
    "Executing:  24%|##3       | 5/21 [00:04<00:14,  1.07cell/s]",
    "Traceback (most recent call last):",
    '  File "/opt/acme/bin/papermill", line 8, in <module>',
    "    sys.exit(papermill())",
    "papermill.exceptions.PapermillExecutionError: ",
    "---------------------------------------------------------------------------",
    'Exception encountered at "In [5]":',
]
NBCONVERT = [
    "[NbConvertApp] Executing notebook with kernel: python3",
    "Traceback (most recent call last):",
    '  File "/opt/acme/bin/jupyter-nbconvert", line 8, in <module>',
    "    sys.exit(main())",
    "nbclient.exceptions.CellExecutionError: An error occurred while executing the following cell:",
    "------------------",
    "trainer.train()",
    "------------------",
]
STATED = [
    ("RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 11.17 GiB total)", "framework"),
    ("OSError: [Errno 28] No space left on device", "infrastructure"),
    ("NameError: name 'trainer' is not defined", "script"),
]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("runner", [PAPERMILL, NBCONVERT])
@pytest.mark.parametrize(("stated", "category"), STATED)
def test_the_cells_exception_is_the_cause(tmp_path, runner, stated, category):
    name = stated.split(":")[0]
    cell = [f"{name:<42}Traceback (most recent call last)", "<ipython-input-5> in <module>", "----> 1 run()", ""]
    lines = [*runner, *cell, stated]
    found = read(tmp_path, *lines)
    assert (found.category, found.root_line) == (category, len(lines))


@pytest.mark.parametrize("runner", [PAPERMILL, NBCONVERT])
def test_without_it_the_runners_word_is_all_that_is_known(tmp_path, runner):
    found = read(tmp_path, *runner[:5])
    assert (found.category, found.root_line) == ("script", 5)
    assert found.confidence < 0.8
