"""A script ends its helpers, and its shell tells so in the words in which it tells of the program's end."""

import pytest

from schedmate import diagnose

HELPERS = [
    "nvidia-smi dmon -s pucm",
    "dcgmi dmon -e 203",
    "tail -f fit.log",
    "python watch_gpus.py",
    "./gpu_monitor.sh",
]
MORE_PROGRAMS = ["( cd /work; python fit.py )", "python train_monitored.py 2>&1", "python common.py"]
PROGRAMS = [
    "python -u fit.py --monitor loss",
    "srun fit.sh",
    "LR=1 torchrun --nnodes 2 fit.py | tee out",
    "./fit",
]
EPOCHS = [f"epoch {epoch} loss 0.{90 - epoch}" for epoch in range(1, 5)]
MISSED = "job.sh: line 4: accelerate: command not found"
CONDA = "CommandNotFoundError: Your shell has not been properly configured to use 'conda activate'."


def read(tmp_path, *lines):
    (tmp_path / "job.out").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.out")


def told(how, command):
    return f"job.sh: line 31: 40771 {how:<23} {command}"


@pytest.mark.parametrize("how", ["Terminated", "Killed"])
@pytest.mark.parametrize("helper", HELPERS)
def test_a_helper_that_a_script_ends_is_no_bad_end_of_the_program(tmp_path, how, helper):
    found = read(tmp_path, *EPOCHS, told(how, helper), "Training completed successfully")
    assert (found.category, found.confidence > 0.8) == ("none", True)


@pytest.mark.parametrize("how", ["Terminated", "Killed"])
@pytest.mark.parametrize("helper", [*HELPERS, ""])
@pytest.mark.parametrize("missed", [MISSED, CONDA])
def test_nor_does_it_show_that_a_program_ran_in_spite_of_what_was_missed(tmp_path, how, helper, missed):
    found = read(tmp_path, missed, told(how, helper) if helper else how)
    assert (found.category, found.root_line) == ("script", 1)


@pytest.mark.parametrize("program", [*PROGRAMS, *MORE_PROGRAMS])
def test_the_program_that_was_killed_is(tmp_path, program):
    assert read(tmp_path, *EPOCHS, told("Killed", program), "Job completed").failure_id == "python.killed"
    assert read(tmp_path, CONDA, told("Killed", program)).failure_id == "python.killed"


ENDS = [
    ("Segmentation fault (core dumped)", "framework"),
    ("srun: error: gpu7: task 3: Out Of Memory", None),
    ("srun: error: gpu7: tasks 0-3: Segmentation fault (core dumped)", "framework"),
    ("State: OUT_OF_MEMORY (exit code 0)", None),
]


@pytest.mark.parametrize(("end", "category"), ENDS)
def test_words_of_completion_behind_what_a_shell_or_slurm_tells_prove_nothing(tmp_path, end, category):
    found = read(tmp_path, *EPOCHS, end, "Training completed successfully")
    assert found.category != "none"
    assert category is None or found.category == category
    assert read(tmp_path, end, *EPOCHS, "Training completed successfully").category == "none"


@pytest.mark.parametrize(
    ("said", "category"),
    [
        ("[1]    20419 killed     python train.py", "infrastructure"),
        ("zsh: killed     python train.py", "infrastructure"),
        ("[1]  + 20419 segmentation fault (core dumped)  python train.py", "framework"),
        (
            "subprocess.CalledProcessError: Command '['python', 'train.py']' died with <Signals.SIGKILL: 9>.",
            "infrastructure",
        ),
        (
            "subprocess.CalledProcessError: Command '['python', 'train.py']' died with <Signals.SIGSEGV: 11>.",
            "framework",
        ),
        ("subprocess.CalledProcessError: Command '['python', 'train.py']' returned non-zero exit status 1.", "script"),
        ("[1]    20419 done       python train.py", "none"),
    ],
)
def test_a_signal_is_told_in_other_words(tmp_path, said, category):
    (tmp_path / "job.log").write_text(f"the data of the lab are read\n{said}\n")
    assert diagnose(tmp_path / "job.log").category == category
