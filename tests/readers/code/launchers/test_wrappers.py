"""Programs around the program: environments, containers, remote shells, recipes, tasks by name, notebooks."""

import json

import pytest


@pytest.mark.parametrize(
    "command",
    [
        "conda run -n env --no-capture-output python train.py --lr 0.5",
        "micromamba run -p /opt/env python train.py --lr 0.5",
        "uv run --with rich --python 3.12 train.py --lr 0.5",
        "uv run -- python train.py --lr 0.5",
        "poetry run python train.py --lr 0.5",
        "pixi run -e cuda python train.py --lr 0.5",
        "pipenv run python -u train.py --lr=0.5",
        "hatch run gpu:python train.py --lr 0.5",
        "docker run --rm -it --gpus all -e LR=0.5 -v $PWD:/w -w /w image:1 python train.py --lr 0.5",
        "docker run --gpus '\"device=0\"' --shm-size=8g image bash -c 'cd /w && python train.py --lr 0.5'",
        "singularity exec --nv --bind /data:/data img.sif python train.py --lr 0.5",
        "apptainer run --nv img.sif bash run.sh 0.5",
        "env LR=0.5 bash -c 'python train.py --lr $LR'",
        "LR=0.5 sh -c 'python train.py --lr ${LR:-0.9}'",
        "nohup time nice -n 10 python train.py --lr 0.5 > out.log 2>&1 &",
        "timeout -k 10 1h python train.py --lr 0.5",
        "ssh -p 22 user@host 'cd /x && python train.py --lr 0.5'",
        "ray job submit --working-dir . --address http://head:8265 -- python train.py --lr 0.5",
        "ray submit cluster.yaml train.py --lr 0.5",
        "ray exec --start cluster.yaml 'python train.py --lr 0.5'",
        "echo 0.5 | xargs python train.py --lr",
        "parallel python train.py --lr {} ::: 0.5",
        "source env.sh && python train.py --lr $RATE",
        ". ./env.sh; python train.py --lr ${RATE%x}",
        "bash getopts.sh -v -r 0.5",
        "bash nested.sh",
        "bash -x run.sh 0.5 --batch 4",
        "python -m train --lr 0.5",
        "python -m trace --count train.py --lr 0.5",
        "python -m mpi4py -m train --lr 0.5",
        "spark-submit --master yarn --num-executors 2 --conf a=b train.py --lr 0.5",
        "make train LR=0.5",
        "make -C . nested",
        "just train 0.5",
        "just LR=0.5 default-train",
        "tmux new-session -d 'python train.py --lr 0.5'",
        "screen -dmS job python train.py --lr 0.5",
        "eval \"python train.py --lr 0.5\"",
        "{ cd .; python train.py --lr 0.5; }",
        "if [ -f train.py ]; then python train.py --lr 0.5; fi",
        "set -e; trap 'echo' EXIT; python train.py --lr 0.5 || exit 1",
    ],
)  # fmt: skip
def test_the_program_is_found_within(start, command):
    files = {
        "run.sh": '#!/bin/bash\nset -euo pipefail\nLR=${1:?}\nshift\npython train.py --lr $LR "$@"\n',
        "nested.sh": "RATE=0.5 ./outer.sh\n",
        "outer.sh": 'source common.sh\nlaunch --lr "$RATE"\n',
        "common.sh": 'launch() {\n  [ $# -gt 0 ] || return 1\n  bash inner.sh "$@"\n}\n',
        "inner.sh": 'case "${2}" in\n  0.*) exec python train.py $* ;;\n  *) exit 3 ;;\nesac\n',
        "env.sh": "export RATE=0.5\n",
        "getopts.sh": """
            while getopts "vr:" option; do
              case "$option" in
                v) set -x ;;
                r) rate="$OPTARG" ;;
                *) exit 1 ;;
              esac
            done
            shift $((OPTIND - 1))
            python train.py --lr "$rate" "$@"
        """,
        "Makefile": """
            LR ?= 0.1
            ARGS := --lr $(LR)
            .PHONY: train nested
            data:
            \tpython prepare.py
            train: data
            \t@echo "training"
            \tcd . && python train.py \\
            \t\t$(ARGS)
            nested:
            \t$(MAKE) train LR=0.5
        """,
        "justfile": """
            LR := "0.1"
            # trains
            train rate="0.2" *more:
                python train.py --lr {{rate}} {{more}}

            default-train:
                #!/usr/bin/env bash
                python train.py --lr {{ LR }}
        """,
    }
    job = start(command, files)
    assert (job.is_training, job.learning_rate) == (True, 0.5)


TASKS = {
    "pixi run fit --batch 4": ("pixi.toml", "[tasks]\nfit = 'python train.py --lr 0.5'\n"),
    "pixi run fit": ("pyproject.toml", "[tool.pixi.tasks]\nfit = { cmd = ['python', 'train.py', '--lr', '0.5'] }\n"),
    "pdm run fit": ("pyproject.toml", "[tool.pdm.scripts]\nfit.cmd = 'python train.py --lr 0.5'\n"),
    "poe fit": ("pyproject.toml", "[tool.poe.tasks]\nfit = 'python train.py --lr 0.5'\n"),
    "hatch run fit": ("pyproject.toml", "[tool.hatch.envs.default.scripts]\nfit = 'python train.py --lr 0.5'\n"),
}


@pytest.mark.parametrize("command", TASKS)
def test_tasks_that_a_project_names(start, command):
    path, text = TASKS[command]
    job = start(command, {path: text})
    assert (job.is_training, job.learning_rate) == (True, 0.5)
    proof = job.evidence["learning_rate"][0]
    assert proof.path == path
    assert "0.5" in proof.quote


def test_an_entry_point_of_the_project(start):
    files = {
        "pyproject.toml": "[project]\nname = 'x'\n[project.scripts]\nfit = 'pkg.cli:main'\n",
        "pkg/__init__.py": "",
        "pkg/cli.py": """
            import torch
            def main():
                model = torch.nn.Linear(1, 1).cuda()
                optimizer = torch.optim.Adam(model.parameters(), lr=0.5)
                for epoch in range(7):
                    model(x).backward()
                    optimizer.step()
        """,
    }
    for command in ("fit", "uv run fit", "poetry run fit"):
        job = start(command, files)
        assert (job.learning_rate, job.epochs, job.optimizer) == (0.5, 7, "Adam")


NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Training\n", "lr = 9\n"]},
        {"cell_type": "code", "metadata": {"tags": ["parameters"]}, "source": ["lr = 0.1\n", "epochs = 3"]},
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "source": [
                "%matplotlib inline\n",
                "import torch\n",
                "model = torch.nn.Linear(2, 2).cuda()\n",
                "optimizer = torch.optim.AdamW(model.parameters(), lr=lr)\n",
                "for epoch in range(epochs):\n",
                "    model(x).backward()\n",
                "    optimizer.step()\n",
            ],
        },
    ],
    "nbformat": 4,
}  # fmt: skip


@pytest.mark.parametrize(
    ("command", "rate", "epochs"),
    [
        ("jupyter nbconvert --to notebook --execute train.ipynb --output out.ipynb", 0.1, 3),
        ("jupyter-nbconvert --execute train.ipynb", 0.1, 3),
        ("papermill train.ipynb out.ipynb", 0.1, 3),
        ("papermill train.ipynb out.ipynb -p lr 0.5 --parameters epochs 9", 0.5, 9),
        ("papermill train.ipynb - -y 'lr: 0.25'", 0.25, 3),
        ("papermill train.ipynb out.ipynb -f params.yaml", 0.75, 3),
        ("python -m papermill train.ipynb out.ipynb -p epochs 5", 0.1, 5),
        ("jupyter execute train.ipynb", 0.1, 3),
        ("ipython train.ipynb", 0.1, 3),
    ],
)
def test_notebooks(start, command, rate, epochs):
    job = start(command, {"train.ipynb": json.dumps(NOTEBOOK, indent=1), "params.yaml": "lr: 0.75\n"})
    assert (job.is_training, job.optimizer, job.learning_rate, job.epochs) == (True, "AdamW", rate, epochs)


def test_a_notebook_that_is_opened_or_converted_is_not_run(start):
    for command in ("jupyter notebook train.ipynb", "jupyter lab", "jupyter nbconvert --to html train.ipynb"):
        job = start(command, {"train.ipynb": json.dumps(NOTEBOOK, indent=1)})
        assert job.is_training is not True


def test_a_cluster_that_is_brought_up_trains_nothing(start):
    files = {"cluster.yaml": "cluster_name: x\nmax_workers: 2\nhead_start_ray_commands:\n  - ray start --head\n"}
    for command in ("ray up -y cluster.yaml", "ray start --head --num-gpus 8", "ray down cluster.yaml"):
        assert start(command, files).is_training is not True


def test_a_script_that_is_meant_to_be_started_in_its_own_folder(start):
    files = {
        "jobs/small/run.sh": "python fit.py --config conf.yaml\n",
        "jobs/small/scripts/deep.sh": "deepspeed --bind_cores_to_rank --num_gpus 2 fit.py --config conf.yaml\n",
        "jobs/small/conf.yaml": "lr: 0.5\n",
        "jobs/small/fit.py": """
            import argparse, torch, yaml
            parser = argparse.ArgumentParser()
            parser.add_argument("--config")
            config = yaml.safe_load(open(parser.parse_known_args()[0].config))
            model = torch.nn.Linear(1, 1).cuda()
            optimizer = torch.optim.Adam(model.parameters(), lr=config["lr"])
            for epoch in range(7):
                model(x).backward()
                optimizer.step()
        """,
    }
    for command in ("bash jobs/small/run.sh", "cd jobs/small && bash run.sh", "bash jobs/small/scripts/deep.sh"):
        job = start(command, files)
        assert (job.is_training, job.learning_rate, job.epochs) == (True, 0.5, 7), command
    assert start("bash jobs/small/scripts/deep.sh", files).num_gpus == 2


def test_lsf_is_fed_its_script_and_jsrun_starts_it(read):
    files = {
        "job.lsf": """
            #!/bin/bash
            #BSUB -nnodes 2
            jsrun -n 2 -a 1 -g 6 -c 42 torchrun --nnodes=2 --nproc_per_node=6 go.py
            """,
        "go.py": """
            import torch
            torch.distributed.init_process_group("nccl")
            model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2).cuda())
            model(1).backward()
            """,
    }
    found = read(files, "bsub < job.lsf")
    assert (found.is_training, found.num_nodes, found.num_gpus, found.distributed) == (True, 2, 12, "DDP")


MODULE = """
import torch
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.07)
for epoch in range(11):
    model(torch.rand(4)).sum().backward()
    optimizer.step()
"""


def test_a_script_that_is_not_here_starts_the_module_that_it_is_told(read):
    files = {"acme/__init__.py": "", "acme/fit.py": MODULE}
    job = read(files, "MODE=fast ./scripts/python.sh -m acme.fit")
    assert (job.is_training, job.learning_rate, job.epochs) == (True, 0.07, 11)
    assert read(files, "./scripts/python.sh -m elsewhere.fit").is_training is None


@pytest.mark.parametrize(
    "code",
    [
        "from torch.distributed.run import main\nmain(['--nproc_per_node=4', 'train.py', '--lr', '0.5'])\n",
        "import shlex, subprocess\nsubprocess.run(shlex.split('torchrun --nproc_per_node=4 train.py --lr 0.5'))\n",
        "import sys\nfrom torch.distributed import run\n"
        "sys.argv = ['x', '--nproc_per_node=4', 'train.py', '--lr', '0.5']\n"
        "run.main()\n",
    ],
)
def test_a_program_starts_torchrun(start, code):
    job = start("python go.py", {"go.py": code})
    assert (job.learning_rate, job.num_gpus) == (0.5, 4)


def test_words_that_a_program_sets_are_those_of_what_it_runs(start):
    code = (
        "import runpy, sys\nsys.argv = ['train.py', '--lr', '0.5']\nrunpy.run_path('train.py', run_name='__main__')\n"
    )
    assert start("python go.py --lr 9", {"go.py": code}).learning_rate == 0.5


def test_elastic_processes_run_a_function(read):
    code = """
import torch
from torch.distributed.launcher.api import LaunchConfig, elastic_launch
def work(rate):
    torch.distributed.init_process_group("nccl")
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2).cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    model(1).sum().backward()
    optimizer.step()
elastic_launch(LaunchConfig(min_nodes=1, max_nodes=1, nproc_per_node=4), work)(0.5)
"""
    job = read({"go.py": code}, "python go.py")
    assert (job.learning_rate, job.num_gpus, job.num_nodes) == (0.5, 4, 1)


@pytest.mark.parametrize(
    "command",
    [
        "parallel 'python train.py --lr {1} --batch {2}' ::: 0.5 ::: 4",
        "parallel -j 2 python train.py --lr {1} --batch {2} ::: 0.5 ::: 4",
        "parallel 'python train.py --lr {} --batch 4' ::: 0.5",
        "tmux send-keys -t fit 'python train.py --lr 0.5 --batch 4' Enter",
    ],
)
def test_quoted_commands_of_parallel_and_tmux(start, command):
    job = start(command)
    assert (job.learning_rate, job.batch_size) == (0.5, 4)


def test_lists_of_several_items_stay_open(start):
    job = start("parallel 'python train.py --lr {1} --batch {2}' ::: 0.5 0.25 ::: 4")
    assert (job.learning_rate, job.batch_size) == (None, 4)


@pytest.mark.parametrize("command", ["nohup bash run.sh", "srun ./run.sh", "sbatch run.sh"])
def test_a_shell_script_whose_first_line_starts_python(start, command):
    assert start(command, {"run.sh": "python train.py --lr 0.5\n"}).learning_rate == 0.5
    assert start(command, {"run.sh": "#!/usr/bin/env python\nprint(1)\n"}).learning_rate is None
