"""Python that the command itself hands over, files that only import what trains, and commands in one quoted text."""

TRAIN = """
import torch
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.07)
for epoch in range(11):
    model(torch.rand(4)).sum().backward()
    optimizer.step()
"""
FILES = {"fit.py": TRAIN}


def learns(job):
    return (job.is_training, job.learning_rate, job.epochs) == (True, 0.07, 11)


def test_a_file_that_only_imports_what_trains_trains(read):
    for text in ("import fit", "from fit import model", "import os, fit as other"):
        job = read({**FILES, "start.py": f"{text}\n"}, "python start.py")
        assert learns(job)
        assert job.evidence["learning_rate"][0].path == "fit.py"


def test_what_is_guarded_is_not_done_by_an_import(read):
    body = "".join(f"    {line}\n" for line in TRAIN.strip().split("\n"))
    job = read({"fit.py": f"if __name__ == '__main__':\n{body}", "start.py": "import fit\n"}, "python start.py")
    assert job.is_training is False


def test_python_is_handed_its_code_behind_a_switch_or_on_its_input(read):
    for command in (
        'python -c "import fit"',
        "python3 -u - < fit.py",
        "python < fit.py",
        "cat fit.py | python",
        "python - <<'END'\nimport fit\nEND",
        "py -3 fit.py",
        "python.exe fit.py",
    ):
        assert learns(read(FILES, command)), command


def test_what_stands_in_a_script_is_quoted_there(read):
    script = f"#!/bin/bash\n#SBATCH --gpus=1\npython - <<'END'{TRAIN}END\n"
    job = read({"job.sh": script}, "sbatch job.sh")
    assert learns(job)
    assert [(one.path, one.line) for one in job.evidence["learning_rate"]][:1] == [("job.sh", 6)]
    assert "lr=0.07" in job.evidence["learning_rate"][0].quote


def test_a_question_to_the_machine_is_not_the_job(read):
    asked = 'python -c "import torch; print(torch.cuda.is_available())"'
    assert read({}, f"{asked}; ./trainer --lr 3").is_training is None
    assert learns(read(FILES, f"{asked}; python fit.py"))
    assert not read({}, asked).is_training


def test_profilers_and_windows_are_taken_off(read):
    for command in ("kernprof -l fit.py", "scalene fit.py", "viztracer fit.py", "nsys profile -o x python fit.py"):
        assert learns(read(FILES, command)), command
    for command in ("tmux new -d 'python fit.py'", "ssh host 'python fit.py'"):
        assert learns(read(FILES, command)), command


def test_words_that_double_again_and_again_end_no_reading(read):
    doubled = 'set -- "$@" "$@"\n' * 60
    job = read({**FILES, "job.sh": f"set -- a b\n{doubled}python fit.py\n"}, "bash job.sh")
    assert learns(job)
