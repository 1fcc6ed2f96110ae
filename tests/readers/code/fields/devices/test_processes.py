"""A job in which no network is met takes no GPU, where all that it uses is known to compute on none."""

import pytest

from tests.readers.code.programs import FIT_STEPS

PLAIN = "import json\nimport numpy as np\nimport parts\nprint(json.dumps(parts.add(np.zeros(3))))\n"
FILES = {"run.py": PLAIN, "parts.py": "import os\ndef add(row):\n    return float(row.sum())\n"}


@pytest.mark.parametrize(
    ("files", "command", "gpus"),
    [
        (FILES, "python run.py", 0),
        (
            {**FILES, "parts.py": "import openmm\ndef add(row):\n    return openmm.minimize(row)\n"},
            "python run.py",
            None,
        ),
        (FILES, "srun --gres=gpu:2 python run.py", None),
        ({"run.py": "import subprocess\nsubprocess.run(['gmx', 'mdrun', '-nb', 'gpu'])\n"}, "python run.py", None),
    ],
)
def test_only_what_computes_on_no_gpu_takes_none(read, files, command, gpus):
    assert read(files, command).num_gpus == gpus


JOINED = """
import argparse
import torch
import torch.distributed as dist
p = argparse.ArgumentParser()
p.add_argument("--processes", type=int, default={default})
a = p.parse_args()
dist.init_process_group("nccl", init_method="env://", rank=0, world_size=a.processes)
{place}
net = torch.nn.Linear(2, 2){to}
adam = torch.optim.Adam(net.parameters())
for step in range(9):
    net(rows()).sum().backward()
    adam.step()
"""


@pytest.mark.parametrize(
    ("default", "place", "to", "gpus"),
    [
        (1, "torch.cuda.set_device(0)", ".cuda()", 1),
        (4, "torch.cuda.set_device(0)", ".cuda()", 4),
        (1, "pass", "", 0),
    ],
)
def test_a_group_of_one_has_one_device(read, default, place, to, gpus):
    assert read({"fit.py": JOINED.format(default=default, place=place, to=to)}, "python fit.py").num_gpus == gpus


@pytest.mark.parametrize(("places", "gpus"), [("{'': 0}", 1), ("{'': 'cuda:0'}", 1), ("'auto'", None)])
def test_a_model_that_is_put_on_one_device_as_a_whole_takes_one(read, places, gpus):
    code = (
        "from transformers import AutoModelForCausalLM, Trainer, TrainingArguments\n"
        f"model = AutoModelForCausalLM.from_pretrained('gpt2', device_map={places})\n"
        "Trainer(model=model, args=TrainingArguments(output_dir='o')).train()\n"
    )
    assert read({"tune.py": code}, "python tune.py").num_gpus == gpus


def test_one_process_of_mpi_is_on_one_node(read):
    code = "import torch\nnet = torch.nn.LSTM(2, 2)\n" + FIT_STEPS
    code += "fit(net, torch.optim.SGD(net.parameters(), lr=0.1), 9, iter([]))\n"
    assert read({"train.py": code}, "mpiexec -n 1 python train.py").num_nodes == 1
    assert read({"train.py": code}, "mpiexec -n 16 python train.py").num_nodes is None


PICKS = {
    "main.py": """
    import inspect
    import hydra
    from lightning.pytorch import LightningModule, Trainer
    from omegaconf import OmegaConf
    import torch

    class Net(LightningModule):
        def configure_optimizers(self):
            return torch.optim.AdamW(self.parameters(), lr=0.002)

        def training_step(self, batch, number):
            return batch.sum()

    @hydra.main(config_path=".", config_name="job")
    def main(cfg):
        told = OmegaConf.to_container(cfg)
        valid = inspect.signature(Trainer.__init__).parameters
        told = {name: told[name] for name in valid if name in told}
        told.update({"logger": None})
        Trainer(**told).fit(Net())

    main()
    """,
    "job.yaml": """
    name: mine
    max_epochs: 12
    devices: [0, 1]
    num_nodes: 1
    strategy: ddp
    precision: 16
    """,
}


def test_options_picked_by_the_trainers_signature(read):
    workload = read(PICKS, "python main.py num_nodes=2")
    assert (workload.epochs, workload.num_nodes, workload.num_gpus) == (12, 2, 4)
    assert (workload.distributed, workload.precision) == ("DDP", "fp16")


SPAWN = """
import torch
import torch.multiprocessing as mp
def work(rank, size):
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.LSTM(2, 2).to(rank))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        model(1)[0].sum().backward()
        optimizer.step()
size = torch.cuda.device_count()
mp.spawn(work, nprocs=size, args=(size,))
"""


def test_one_process_that_spawns_one_for_each_gpu_leaves_their_number_open(read):
    job = read({"train.py": SPAWN}, "torchrun --nproc_per_node=1 train.py")
    assert (job.is_training, job.num_gpus, job.num_nodes) == (True, None, 1)
    script = "#!/bin/bash\n#SBATCH --nodes=3\n#SBATCH --ntasks-per-node={}\nsrun python train.py\n"
    job = read({"train.py": SPAWN, "run.sh": script.format(1)}, "sbatch run.sh")
    assert (job.num_gpus, job.num_nodes) == (None, 3)
    job = read({"train.py": SPAWN, "run.sh": script.format(4)}, "sbatch run.sh")
    assert (job.num_gpus, job.num_nodes) == (12, 3)


def test_a_program_without_any_network_takes_no_gpu(read):
    code = (
        "import numpy, sys, urllib.request\nfor n in range(int(sys.argv[1])):\n    urllib.request.urlretrieve(str(n))\n"
    )
    job = read({"data/get.py": code}, "python data/get.py 27")
    assert (job.is_training, job.num_gpus, job.num_nodes, job.distributed) == (False, 0, 1, "none")
    assert read({"data/get.py": code}, "sbatch -N 3 --wrap 'srun python data/get.py 27'").num_nodes == 3
    boosted = read({"data/get.py": f"import xgboost\n{code}"}, "python data/get.py 27")
    assert (boosted.num_gpus, boosted.distributed) == (None, None)


LOOP = """
import torch
net = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    net(torch.ones(4)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("command", "nodes"),
    [
        ("mpirun -np 4 python ghosts.py", 1),
        ("horovodrun -np 4 python ghosts.py", 1),
        ("mpirun -np 16 -hostfile machines python ghosts.py", None),
        ("mpirun -np 16 -H $HOSTS python ghosts.py", None),
        ("horovodrun -np 4 --min-np 2 --host-discovery-script ./found.sh python ghosts.py", None),
    ],
)
def test_options_tell_of_other_hosts_and_no_words_that_hold_the_same_letters(read, command, nodes):
    assert read({"ghosts.py": LOOP}, command).num_nodes == nodes


FACTOR = """
import torch

class Job:
    def __init__(self, options):
        self.gpus_per_node = {count}
        self.net = torch.nn.Linear(2, 2).to(options["device"])
        self.adam = torch.optim.Adam(self.net.parameters())

    def learn(self):
        self.net(torch.ones(4 * self.gpus_per_node, 2)).sum().backward()
        self.adam.step()

Job(load()).learn()
"""


def test_the_one_with_which_a_program_begins_to_count_is_no_gpu(read):
    assert read({"main.py": FACTOR.format(count=1)}, "python main.py").num_gpus is None


CHUNKS = """#!/bin/bash
#PBS -l select={chunks}:ngpus=2:ncpus=8
mpiexec --ppn 1 --np $(wc -l < $PBS_NODEFILE) ./each.sh
"""
EACH = """
cards=$(qstat -f $PBS_JOBID | grep ngpus | cut -d= -f2)
accelerate launch --multi_gpu --num_machines $(sort -u $PBS_NODEFILE | wc -l) --num_processes $cards train.py
"""


@pytest.mark.parametrize(("chunks", "gpus"), [(3, 6), (1, 2)])
def test_gpus_of_a_chunk_are_those_of_each_machine_asked_for(read, chunks, gpus):
    files = {"job.sh": CHUNKS.format(chunks=chunks), "each.sh": EACH, "train.py": f"{FIT_STEPS}fit(0.1, 9)\n"}
    assert read(files, "qsub job.sh").num_gpus == gpus


SHARED = """
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--on", default="cuda:0", type=lambda text: text.split(","))
told = parser.parse_args()
net = torch.nn.DataParallel(torch.nn.Linear(8, 2).to(told.on[0]), device_ids=told.on)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    net(torch.randn(4, 8, device=told.on[0])).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("told", "gpus", "spread"), [("cuda:0", 1, "none"), ("cuda:0,cuda:1", 2, "DataParallel")])
def test_a_program_that_is_told_fewer_devices_leaves_the_others_idle(read, told, gpus, spread):
    files = {"go.py": SHARED, "job.sh": f"#!/bin/bash\n#SBATCH --gpus-per-node=2\npython go.py --on {told}\n"}
    found = read(files, "sbatch job.sh")
    assert (found.num_gpus, found.distributed) == (gpus, spread)
