"""What batch systems but Slurm are told on the command line, and how MPI lays its processes out."""

import pytest

from tests.readers.code.programs import FIT_BATCHES

SCRIPT = "#!/bin/bash\ncd $HOME\n{started}\n"
PLAIN = "python train.py --lr 0.2"


@pytest.mark.parametrize(
    ("command", "started", "gpus", "nodes"),
    [
        ("qsub -l select=3:ngpus=2 -l walltime=9:00:00 -q long run.sh", "mpirun -np 6 " + PLAIN, 6, 3),
        ("qsub -A group -l walltime=1:00 -l nodes=2:ppn=4:gpus=4 run.sh", "mpirun -np 8 " + PLAIN, 8, 2),
        ('bsub -nnodes 2 -gpu "num=4" < run.sh', "mpirun -np 8 " + PLAIN, 8, 2),
        ("qsub -g group -l rt_F=4 run.sh", "mpiexec -n 16 -map-by ppr:4:node " + PLAIN, 16, 4),
        ("qsub run.sh", "mpirun --map-by ppr:8:node:PE=4 -np 24 " + PLAIN, 24, 3),
        ("qsub -V -cwd job", "mpirun -n 6 -npernode 2 " + PLAIN, 6, 3),
        ("bash run.sh", "mpirun -np 10 -ppn 4 " + PLAIN, 10, 3),
        # How processes lie on sockets says nothing of nodes, nor does a queue.
        ("qsub -q long run.sh", "mpirun -np 8 --map-by ppr:2:socket " + PLAIN, 8, None),
        ("qsub -l walltime=9:00:00 run.sh", "mpirun -np 4 " + PLAIN, 4, None),
    ],
)
def test_requests_and_layouts_count_nodes(start, command, started, gpus, nodes):
    script = SCRIPT.format(started=started)
    job = start(command, {"run.sh": script, "job": script})
    assert (job.num_gpus, job.num_nodes, job.learning_rate) == (gpus, nodes, 0.2)


@pytest.mark.parametrize(
    ("command", "nodes"),
    [
        ("mpirun -np 4 python train.py", 1),
        ("bash plain.sh", 1),
        ("mpirun -np 16 python train.py", None),
        ("mpirun -np 4 -hostfile there python train.py", None),
        ("mpirun -np 4 --map-by slot python train.py", None),
        ("bash headed.sh", None),
        ("sbatch headed.sh", None),
    ],
)
def test_a_few_processes_of_mpi_without_hosts_are_on_one_machine(start, command, nodes):
    files = {
        "plain.sh": "set -e\nmpiexec -n 8 python train.py\n",
        "headed.sh": "#!/bin/bash\n#SBATCH --ntasks=8\nmpiexec -n 8 python train.py\n",
    }
    assert start(command, files).num_nodes == nodes


def test_a_file_that_python_is_told_to_run_is_no_script_of_the_shell_that_its_first_line_names(read, start):
    program = (
        "#!/bin/bash\nimport torch\nnet = torch.nn.Linear(2, 2)\nbest = torch.optim.SGD(net.parameters(), lr=0.4)\n"
    )
    program += "for step in range(7):\n    net(torch.zeros(2)).sum().backward()\n    best.step()\n"
    files = {"learn.py": program, "run.sh": "#!/bin/sh\nmodule load python\npython3 learn.py\n"}
    found = read(files, "qsub run.sh")
    assert (found.is_training, found.learning_rate, found.total_steps) == (True, 0.4, 7)
    submitted = start("qsub really.py", {"really.py": "#!/bin/bash\npython train.py --lr 0.6\n"})
    assert submitted.learning_rate == 0.6


def test_processes_of_mindspore_are_counted_by_its_launcher(read):
    job = read({"train.py": FIT_BATCHES + "fit(0.1, 5)\n"}, "msrun --bind_core=True --worker_num 8 python train.py")
    assert job.num_gpus == 8


@pytest.mark.parametrize(("gpus", "count"), [("0,1,2", 3), ("{GPU RANKS}", None), ("$GPUS", None)])
def test_devices_that_are_not_filled_in_are_not_counted(read, gpus, count):
    code = "import paddle\nnet = paddle.nn.Linear(2, 2)\nnet(paddle.ones([1, 2])).sum().backward()\n"
    job = read({"train.py": code}, f"python -m paddle.distributed.launch --gpus={gpus} train.py")
    assert (job.is_training, job.num_gpus) == (True, count)


@pytest.mark.parametrize(
    ("command", "gpus", "nodes"),
    [
        ("python -m paddle.distributed.launch --ips=10.0.0.1,10.0.0.2 --gpus 0,1 train.py --lr 0.2", 4, 2),
        ("fleetrun --ips 10.0.0.1 --gpus 0,1 train.py --lr 0.2", 2, 1),
        ("python -m torch_xla.distributed.xla_dist --tpu=pod --conda-env=own -- " + PLAIN, None, None),
        ("podrun -icw -- " + PLAIN, None, None),
    ],
)
def test_hosts_are_counted_where_they_are_told(start, command, gpus, nodes):
    job = start(command)
    assert (job.num_gpus, job.num_nodes, job.learning_rate) == (gpus, nodes, 0.2)
