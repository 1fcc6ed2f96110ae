"""Expand shell words with what is known; a variable that nobody has set stays as it is written."""

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

LAUNCHER = """
import os
import subprocess
from argparse import REMAINDER, ArgumentParser

parser = ArgumentParser()
parser.add_argument("--nnodes", type=int, default=1)
parser.add_argument("--nproc_per_node", type=int, default=1)
parser.add_argument("script")
parser.add_argument("script_args", nargs=REMAINDER)
args = parser.parse_args()
env = os.environ.copy()
env["WORLD_SIZE"] = str(args.nproc_per_node * args.nnodes)
for local_rank in range(0, args.nproc_per_node):
    env["RANK"] = str(local_rank)
    subprocess.Popen([args.script] + args.script_args, env=env)
"""
RANKS = (
    TORCH_HEAD
    + """
import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--batch_size", type=int, default=4)
args = parser.parse_args()
if "RANK" in os.environ and "WORLD_SIZE" in os.environ:
    torch.distributed.init_process_group("nccl", world_size=int(os.environ["WORLD_SIZE"]))
"""
    + TORCH_LOOP.replace("Linear(4, 2)", "Linear(4, 2)\n    model = torch.nn.parallel.DistributedDataParallel(model)")
    + "\ntrain(args.lr, args.batch_size, 7)\n"
)


def test_a_launcher_in_python_starts_a_shell_script_once_a_gpu(read):
    files = {
        "tools/launch.py": LAUNCHER,
        "tools/dist.sh": """
            GPUS=$1
            GPUS_PER_NODE=${GPUS_PER_NODE:-4}
            let "NNODES=GPUS/GPUS_PER_NODE"
            python tools/launch.py --nnodes ${NNODES} --nproc_per_node ${GPUS_PER_NODE} ${@:2}
        """,
        "configs/base.sh": "PY_ARGS=${@:1}\npython -u main.py --batch_size 2 ${PY_ARGS}\n",
        "main.py": RANKS,
    }
    job = read(files, "GPUS_PER_NODE=4 bash tools/dist.sh 8 ./configs/base.sh --lr 0.3")
    assert (job.num_gpus, job.num_nodes, job.distributed) == (8, 2, "DDP")
    assert (job.batch_size, job.global_batch_size, job.epochs, job.learning_rate) == (2, 16, 7, 0.3)
    alone = read(files, "bash tools/dist.sh 4 ./configs/base.sh")
    assert (alone.num_gpus, alone.num_nodes, alone.learning_rate) == (4, 1, 0.1)
