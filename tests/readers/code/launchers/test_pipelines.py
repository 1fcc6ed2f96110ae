"""Jobs that a tool of experiments starts by its file: stages of DVC, a sweep of Weights & Biases."""

TRAIN = """
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--rate", type=float, default=0.5)
parser.add_argument("--rounds", type=int, default=2)
options = parser.parse_args()
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=options.rate)
for epoch in range(options.rounds):
    model(torch.rand(4)).sum().backward()
    optimizer.step()
"""
STAGES = """
stages:
  clean:
    cmd: python clean.py
  learn:
    cmd: python fit.py --rate ${fit.rate} --rounds ${unknown}
"""
FILES = {"fit.py": TRAIN, "clean.py": "print(1)\n", "dvc.yaml": STAGES, "params.yaml": "fit:\n  rate: 0.03\n"}


def test_stages_are_run_with_their_settings(read):
    for command in ("dvc repro", "dvc exp run", "dvc repro learn"):
        job = read(FILES, command)
        assert (job.is_training, job.learning_rate) == (True, 0.03), command
    assert read(FILES, "dvc repro clean").is_training is False


def test_settings_may_be_given_with_the_command(read):
    assert read(FILES, "dvc exp run -S fit.rate=0.6").learning_rate == 0.6


def test_other_words_of_the_tool_start_nothing(read):
    for command in (
        "dvc pull",
        "dvc exp show",
        "dvc exp remove a",
        "dvc repro nothing",
        "dvc repro sub/dvc.yaml:learn",
    ):
        assert read(FILES, command).is_training is None, command


def test_stages_of_another_folder_are_read_there(read):
    files = {f"sub/{name}": text for name, text in FILES.items()}
    for command in ("dvc repro sub/dvc.yaml", "dvc repro sub/dvc.yaml:learn"):
        assert read(files, command).learning_rate == 0.03, command


def test_a_file_that_starts_itself_and_settings_of_settings_end(read):
    stages = "stages:\n" + "".join(f"  s{number}:\n    cmd: dvc repro\n" for number in range(9))
    assert read({"dvc.yaml": stages}, "dvc repro").is_training is None
    names = "".join(f"${{a{number}}}" for number in range(12))
    settings = "".join(f"a{number}: '{names}{names}'\n" for number in range(12))
    files = {"dvc.yaml": f"stages:\n  t:\n    cmd: python fit.py --note {names}\n", "params.yaml": settings}
    assert read({**files, "fit.py": TRAIN}, "dvc repro").learning_rate == 0.5


SWEEP = """
program: fit.py
method: random
parameters:
  rate:
    values: [0.1, 0.2]
  rounds:
    value: 6
"""


def test_a_sweep_gives_what_is_the_same_for_all_its_runs(read):
    files = {"fit.py": TRAIN, "search.yaml": SWEEP}
    for command in ("wandb agent search.yaml", "wandb agent somebody/project/a1b2c3"):
        job = read(files, command)
        assert (job.is_training, job.epochs, job.learning_rate) == (True, 6, None), command


def test_of_two_sweeps_the_command_has_to_name_one(read):
    files = {"fit.py": TRAIN, "search.yaml": SWEEP, "other.yaml": SWEEP.replace("6", "7")}
    assert read(files, "wandb agent somebody/project/a1b2c3").is_training is None
    assert read(files, "wandb agent other.yaml").epochs == 7


def test_a_sweep_is_only_registered(read):
    assert read({"fit.py": TRAIN, "search.yaml": SWEEP}, "wandb sweep search.yaml").is_training is None


def test_the_sweep_of_another_folder_may_be_another(read):
    assert read({"fit.py": TRAIN, "old/search.yaml": SWEEP}, "wandb agent somebody/project/a1").is_training is None


def test_a_sweep_says_itself_how_its_program_is_started(read):
    plain = SWEEP + "command: [python, fit.py]\n"
    assert read({"fit.py": TRAIN, "search.yaml": plain}, "wandb agent search.yaml").epochs == 2
    whole = SWEEP + "command:\n  - ${env}\n  - ${interpreter}\n  - ${program}\n  - --rate=0.8\n  - ${args}\n"
    job = read(
        {"fit.py": TRAIN, "search.yaml": whole.replace("rate:\n    values: [0.1, 0.2]", "rounds:\n    value: 3")},
        "wandb agent search.yaml",
    )
    assert job.learning_rate == 0.8


def test_bad_files_start_nothing(read):
    odd = ("stages: [1, 2]", "stages:\n  a: 3", "stages:\n  a: {cmd: [[1]]}", "- x", "stages: &a {b: *a}", "{", "")
    for text in odd:
        assert read({"dvc.yaml": text, "fit.py": TRAIN}, "dvc repro").is_training is not True
    for text in ("program: 3\nmethod: x\nparameters: 4", "program: fit.py\nmethod: x\nparameters: [1]"):
        read({"search.yaml": text, "fit.py": TRAIN}, "wandb agent search.yaml")
    nested = "a: &a [1]\n" + "".join(f"b{n}: &b{n} [{','.join([f'*b{n - 1}' if n else '*a'] * 9)}]\n" for n in range(9))
    read({"dvc.yaml": f"{nested}stages:\n  t:\n    cmd: *b8\n"}, "dvc repro")
    read(
        {"search.yaml": f"{nested}program: fit.py\nmethod: grid\nparameters: {{}}\ncommand: *b8\n"},
        "wandb agent search.yaml",
    )


def test_a_variable_that_nobody_sets_stands_for_python_before_its_file(read):
    for started in ("$PYTHON", "${PY}", "%run", "!python"):
        job = read({"fit.py": TRAIN}, f"{started} fit.py --rate 0.2")
        assert (job.is_training, job.learning_rate) == (True, 0.2), started


def test_settings_of_the_command_are_read_by_the_stage_too(read):
    code = TRAIN.replace("import torch\n", "import torch, yaml\n").replace("options.rate", "told['fit']['rate']")
    code = code.replace("model =", "told = yaml.safe_load(open('params.yaml'))\nmodel =", 1)
    assert read({**FILES, "fit.py": code}, "dvc exp run -S fit.rate=0.6").learning_rate == 0.6
