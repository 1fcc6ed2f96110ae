"""Files that a script copies, moves or links before it, or a program, reads them from their new place."""

import pytest

TRAIN = """
import hydra, torch, os

@hydra.main(config_path="conf", config_name="main", version_base=None)
def main(cfg):
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.optim.lr)
    for epoch in range(cfg.epochs):
        for rows in load():
            model(rows).sum().backward()
            optimizer.step()

main()
"""
HYDRA = {
    "go.py": TRAIN,
    "conf/main.yaml": "defaults:\n  - _self_\n  - optim: ???\nepochs: 7\nhydra:\n  searchpath:\n    - file://conf/mine\n",
    "shipped/mine/optim/slow.yaml": "lr: 0.02\n",
    "shipped/mine/run/long.yaml": "# @package _global_\ndefaults:\n  - override /optim: slow\nepochs: 90\n",
}


@pytest.mark.parametrize(
    "before",
    [
        "cp -r shipped/* conf/",
        "cp -r shipped/mine conf/mine",
        "mv shipped/mine conf",
        "ln -s ../shipped/mine conf/mine",
    ],
)
def test_hydra_composes_from_groups_that_were_copied(read, before):
    job = read(HYDRA, f"{before} && python go.py +run=long")
    assert (job.learning_rate, job.epochs) == (0.02, 90)
    assert job.evidence["learning_rate"][0].path == "shipped/mine/optim/slow.yaml"


def test_a_script_may_copy_them(read):
    job = read({**HYDRA, "prepare.sh": "cp -r shipped/* conf/\n"}, "bash prepare.sh && python go.py +run=long")
    assert (job.learning_rate, job.epochs) == (0.02, 90)


def test_what_nobody_copied_is_not_there(read):
    assert read(HYDRA, "python go.py +run=long").epochs == 7


@pytest.mark.parametrize(
    "place", ["hydra.searchpath=[file://shipped/mine]", "+hydra.searchpath=['file://shipped/mine']"]
)
def test_the_command_may_say_where_groups_lie(read, place):
    job = read(HYDRA, f"python go.py {place} +run=long")
    assert (job.learning_rate, job.epochs) == (0.02, 90)


TRAINS = """
    cfg = yaml.safe_load(file)
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=cfg["lr"])
for epoch in range(3):
    model(torch.zeros(4)).sum().backward()
    optimizer.step()
"""
LOADS = f"""
import shutil, torch, yaml
{{before}}
with open("conf/mine.yaml") as file:{TRAINS}"""
SHIPPED = {"shipped/usual.yaml": "lr: 0.02\n", "conf/other.yaml": "lr: 0.5\n"}


@pytest.mark.parametrize(
    ("before", "command"),
    [
        ("", "cp shipped/usual.yaml conf/mine.yaml; python go.py"),
        ("", "ln -sf ../shipped/usual.yaml conf/mine.yaml; python go.py"),
        ("shutil.copy('shipped/usual.yaml', 'conf/mine.yaml')", "python go.py"),
        ("shutil.copyfile(src='shipped/usual.yaml', dst='conf/mine.yaml')", "python go.py"),
        (
            "from pathlib import Path\nshutil.copy2(Path('shipped') / 'usual.yaml', Path('conf/mine.yaml'))",
            "python go.py",
        ),
    ],
)
def test_a_program_reads_settings_from_a_copy(read, before, command):
    job = read({"go.py": LOADS.format(before=before), **SHIPPED}, command)
    assert job.learning_rate == 0.02


@pytest.mark.parametrize(
    "after",
    [
        "sed -i 's/0.02/0.7/' conf/mine.yaml",
        "python edit.py conf/mine.yaml",
        "python gen.py > conf/mine.yaml",
        "cp conf/other.yaml conf/mine.yaml",
        "if nvidia-smi | grep -q A100; then cp conf/other.yaml conf/mine.yaml; fi",
    ],
)
def test_a_copy_that_something_may_have_changed_is_open(read, after):
    command = f"cp shipped/usual.yaml conf/mine.yaml; {after}; python go.py"
    assert read({"go.py": LOADS.format(before=""), **SHIPPED}, command).learning_rate is None


def test_a_file_of_its_own_comes_before_a_copy(read):
    files = {"go.py": LOADS.format(before=""), **SHIPPED, "conf/mine.yaml": "lr: 0.1\n"}
    assert read(files, "cp shipped/nothing.yaml conf/mine.yaml; python go.py").learning_rate == 0.1


STARTS = "torchrun --nnodes $NODES --nproc_per_node $GPUS go.py\n"
SIMPLE = LOADS.replace('open("conf/mine.yaml")', 'open("shipped/usual.yaml")').format(before="")
EXAMPLE = {".env.example": "NODES=2\nGPUS=4\n", "go.py": SIMPLE, **SHIPPED}


@pytest.mark.parametrize(
    ("source", "command"),
    [
        ("source .env\n", "cp .env.example .env && bash run.sh"),
        ("set -a\n. ./.env\nset +a\n", "cp .env.example .env; bash run.sh"),
        ("if [ -f .env ]; then source .env; fi\n", "cp -n .env.example .env && bash run.sh"),
        ("cp .env.example .env\nsource .env\n", "bash run.sh"),
    ],
)
def test_variables_come_from_the_example_that_was_copied(read, source, command):
    job = read({**EXAMPLE, "run.sh": source + STARTS}, command)
    assert (job.num_nodes, job.num_gpus) == (2, 8)


def test_variables_of_an_example_that_was_not_copied_are_open(read):
    job = read({**EXAMPLE, "run.sh": "source .env\n" + STARTS}, "bash run.sh")
    assert (job.num_nodes, job.num_gpus) == (None, None)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("set -a\nsource vars\nset +a\n", 0.3),
        ("set -o allexport\nsource vars\n", 0.3),
        ("source vars\n", 0.02),
        ("( set -a )\nsource vars\n", 0.02),
        ("if nvidia-smi | grep -q A100; then set -a; fi\nsource vars\n", 0.02),
        ("set -- --foo -a\nsource vars\n", 0.02),
        ("set +a\nsource vars\n", 0.02),
    ],
)
def test_what_is_set_is_exported_where_the_shell_is_told_so(read, source, found):
    program = SIMPLE.replace('lr=cfg["lr"]', 'lr=float(os.environ.get("RATE", cfg["lr"]))').replace(
        "import ", "import os, "
    )
    files = {"go.py": program, **SHIPPED, "vars": "RATE=0.3\n", "run.sh": source + "python go.py\n"}
    assert read(files, "bash run.sh").learning_rate == found


INTO = """
import os, shutil, subprocess, sys
from pathlib import Path
place = Path("runs") / "seven"
{make}
shutil.copy("shipped/usual.yaml", place)
{then}
"""
READS = f"""
import sys, torch, yaml
with open(sys.argv[1]) as file:{TRAINS}"""
STARTED = "subprocess.run([sys.executable, 'go.py', str(place / 'usual.yaml')], check=True)"


@pytest.mark.parametrize("make", ["os.makedirs(place)", "place.mkdir(parents=True, exist_ok=True)"])
def test_a_started_program_meets_the_copy_in_a_folder_that_was_made_for_it(read, make):
    files = {"begin.py": INTO.format(make=make, then=STARTED), "go.py": READS, **SHIPPED}
    assert read(files, "python begin.py").learning_rate == 0.02


def test_a_copy_that_was_changed_before_the_start_is_open(read):
    then = f"subprocess.run(['python', 'edit.py', str(place / 'usual.yaml')])\n{STARTED}"
    files = {"begin.py": INTO.format(make="os.makedirs(place)", then=then), "go.py": READS, **SHIPPED}
    assert read(files, "python begin.py").learning_rate is None


RATES = """
import argparse, torch
from .plan import rate

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=3)
told = parser.parse_args()
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=rate)
for epoch in range(told.rounds):
    for rows in load():
        model(rows).sum().backward()
        optimizer.step()
"""
OVERLAY = {"patch/fit.py": RATES, "patch/plan.py": "rate = 0.03\n", "mask.npy": ""}
CLONE = "git clone https://example.org/lab/beacon.git && cd beacon && mkdir -p tools && "


@pytest.mark.parametrize(
    ("copies", "known"),
    [
        ("cp ../patch/* tools/ && cp ../mask.npy ./ && ", (0.03, 8)),
        ("cp ../mask.npy ./ && ", (None, None)),
        ("", (None, None)),
    ],
)
def test_what_is_copied_into_a_clone_of_another_project_is_run_there(read, copies, known):
    job = read(OVERLAY, f"{CLONE}{copies}python -m tools.fit --rounds 8 && cd ..")
    assert (job.learning_rate, job.epochs) == known


def test_behind_the_clone_the_repository_goes_on(read):
    files = {**OVERLAY, "go.py": RATES.replace("from .plan", "from patch.plan")}
    job = read(files, "git clone https://example.org/lab/beacon.git && cd beacon && make && cd .. && python go.py")
    assert (job.learning_rate, job.epochs) == (0.03, 3)
