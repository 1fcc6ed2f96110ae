"""Put what the launchers settled where the followed program looks for it: counts, and the variables of each rank."""

import pytest

RANKED = {
    "train.py": """
        import argparse

        import torch
        from torch.utils.data import DataLoader

        parser = argparse.ArgumentParser()
        parser.add_argument("--local_rank", type=int, default=-1)
        args = parser.parse_args()
        model = torch.nn.Linear(3, 3)
        if args.local_rank != -1:
            torch.distributed.init_process_group("nccl")
            model = torch.nn.parallel.DistributedDataParallel(model)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
        for epoch in range(3):
            for batch in DataLoader([1, 2], batch_size=4):
                model(batch).backward()
                optimizer.step()
        """
}


def test_a_launcher_that_keeps_the_rank_to_itself(read):
    found = read(RANKED, "python -m torch.distributed.launch --use_env --nproc_per_node=2 train.py")
    assert found.distributed is None


TRAIN = """
import deepspeed, torch
net = torch.nn.Linear(4, 2)
engine, *_ = deepspeed.initialize(model=net, config={"train_micro_batch_size_per_gpu": 4})
for rows in batches():
    engine.backward(engine(rows).sum())
    engine.step()
"""
SLURM = "#SBATCH --nodes=3\n#SBATCH --gres=gpu:4\n#SBATCH --ntasks-per-node=1\n"
LISTS = [
    'scontrol show hostnames $SLURM_NODELIST | while read -r h; do\n  echo "$h slots=4"\ndone > hosts.txt\n',
    "scontrol show hostnames | sed 's/$/ slots=4/' > ./hosts.txt\n",
    "for host in $(scontrol show hostnames $SLURM_NODELIST); do echo $host slots=4 >> hosts.txt; done\n",
]
START = "deepspeed --hostfile {} train.py\n"


@pytest.mark.parametrize("lists", LISTS)
def test_the_hosts_of_the_allocation_are_those_that_are_asked_for(read, lists):
    job = f"#!/bin/bash\n{SLURM}{lists}{START.format('hosts.txt')}"
    found = read({"train.py": TRAIN, "job.sh": job}, "sbatch job.sh")
    assert (found.num_nodes, found.num_gpus) == (3, 12)


def test_so_do_those_of_pbs(read):
    job = "#!/bin/bash\n#PBS -l nodes=2\n#PBS -l ngpus=8\ncat $PBS_NODEFILE | sort -u > nodes.$PBS_JOBID\n"
    found = read({"train.py": TRAIN, "job.sh": job + START.format("nodes.$PBS_JOBID")}, "qsub job.sh")
    assert (found.num_nodes, found.num_gpus) == (2, 16)


@pytest.mark.parametrize(
    "job",
    [
        f"#!/bin/bash\n{SLURM}{START.format('hosts.txt')}",
        f"#!/bin/bash\n{SLURM}{LISTS[1]}{START.format('others.txt')}",
        f"#!/bin/bash\n{SLURM}pick_hosts > hosts.txt\n{START.format('hosts.txt')}",
        f"#!/bin/bash\n#SBATCH --gres=gpu:4\n{LISTS[1]}{START.format('hosts.txt')}",
    ],
)
def test_hosts_that_come_from_elsewhere_are_not_known(read, job):
    assert read({"train.py": TRAIN, "job.sh": job}, "sbatch job.sh").num_nodes is None


@pytest.mark.parametrize(
    "launcher", ["python -m torch.distributed.launch --nproc_per_node=2", "deepspeed --num_gpus 2"]
)
def test_launchers_that_tell_the_rank_as_an_option(read, launcher):
    assert read(RANKED, f"{launcher} train.py").distributed == "DDP"
