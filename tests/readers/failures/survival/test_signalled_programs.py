"""What a shell missed is over where a signal ended the program later: that had run."""

import pytest

from schedmate import diagnose

CONDA = [
    "CommandNotFoundError: Your shell has not been properly configured to use 'conda activate'.",
    "To initialize your shell, run",
    "    $ conda init <SHELL_NAME>",
]
MODULES = ["Lmod has detected the following error: The following module(s) are unknown:", '"cuda/13.9"']
SHELL = "/var/spool/job7/slurm_script: line 22: 26123 "
ENDS = [
    (f"  0%|          | 0/1 [00:00<?, ?it/s]{SHELL}Bus error               (core dumped) python3 fit.py", "framework"),
    (f"{SHELL}Killed                  python3 fit.py", "infrastructure"),
    (f"{SHELL}Segmentation fault      python3 fit.py", "framework"),
]


def read(tmp_path, *lines):
    (tmp_path / "job.err").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.err")


@pytest.mark.parametrize("missed", [CONDA, MODULES])
@pytest.mark.parametrize(("end", "category"), ENDS)
def test_a_program_that_a_signal_ended_had_run(tmp_path, missed, end, category):
    found = read(tmp_path, *missed, "the graphs are built", end)
    assert (found.category, found.root_line) == (category, len(missed) + 2)


STACK = ["Traceback (most recent call last):", '  File "fit.py", line 6, in <module>', "    import torch"]


@pytest.mark.parametrize("behind", [["the graphs are built"], [*STACK, "ModuleNotFoundError: No module named 'torch'"]])
def test_without_such_an_end_what_was_missed_is_the_cause(tmp_path, behind):
    assert read(tmp_path, *CONDA, *behind).root_line == 1
