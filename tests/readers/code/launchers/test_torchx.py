"""`torchx run`: components that stand for torchrun, Python or a shell, with the program's words behind two dashes."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

FILES = {
    "fit.py": "import argparse\n"
    + TORCH_HEAD
    + TORCH_LOOP
    + """
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.5)
parser.add_argument("--batch-size", type=int, default=8)
args = parser.parse_args()
train(args.lr, args.batch_size, 3)
""",
    "pack/__init__.py": "",
}
FILES["pack/fit.py"] = FILES["fit.py"]


@pytest.mark.parametrize(
    ("start", "processes", "nodes"),
    [
        ("run -s slurm dist.ddp -j 2x4 --script fit.py", 8, 2),
        ("run dist.ddp -j 1:2x4 -m pack.fit", 8, 2),
        ("run --workspace=. --wait dist.ddp --script=./fit.py -j 4", 4, 1),
    ],
)
def test_what_torchrun_would_start(read, start, processes, nodes):
    job = read(FILES, f"torchx {start} -- --lr 0.25 --batch-size 16")
    assert (job.learning_rate, job.batch_size, job.num_gpus, job.num_nodes) == (0.25, 16, processes, nodes)


@pytest.mark.parametrize(
    "start", ["utils.python --script fit.py --", "utils.python -m pack.fit --", "utils.sh python fit.py"]
)
def test_python_and_shells(read, start):
    assert read(FILES, f"torchx run {start} --lr 0.25").learning_rate == 0.25


@pytest.mark.parametrize(
    "start", ["", "run", "builtins", "run own.py:trainer --script fit.py", "run dist.ddp -j 2x4", "run dist.ddp -j"]
)
def test_what_starts_no_program_that_is_known(read, start):
    assert read(FILES, f"torchx {start}").is_training is None


def test_a_shape_that_is_not_read_tells_no_processes(read):
    assert read(FILES, "torchx run dist.ddp -j $N --script fit.py").num_gpus is None
    assert read(FILES, "torchx run dist.ddp --script fit.py").num_gpus == 2
