"""Batch systems: headers, options over headers, arrays, heterogeneous jobs, here-documents, other systems."""

import pytest

from schedmate.readers.code.launchers.batch_requests import gpus_of


@pytest.mark.parametrize(
    ("script", "command", "gpus", "nodes"),
    [
        ("#SBATCH -N 2\n#SBATCH --gpus-per-node=4 --ntasks-per-node=4\nsrun python train.py", "sbatch j.sh", 8, 2),
        ("#SBATCH -N2\n#SBATCH -n 8\nsrun python train.py", "sbatch j.sh", 8, 2),
        (
            "#SBATCH --gpus-per-task 1\nexport CUDA_VISIBLE_DEVICES=3,2,1,0\nsrun bash -c 'python train.py'",
            "sbatch -n 1 j.sh",
            1,
            1,
        ),
        (
            "#SBATCH --nodes=2\n#SBATCH --gres=gpu:8\nsrun torchrun --nnodes=$SLURM_NNODES --nproc_per_node=8 train.py",
            "sbatch j.sh",
            16,
            2,
        ),
        (
            "#SBATCH --nodes=2\n#SBATCH --gres=gpu:8\n"
            "srun torchrun --nnodes=$SLURM_JOB_NUM_NODES --nproc_per_node=$SLURM_GPUS_ON_NODE train.py",
            "sbatch j.sh",
            16,
            2,
        ),
        (
            "#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=1\nGPUS=${GPUS:-8}\n"
            "srun bash -c 'torchrun --nnodes=$SLURM_NNODES --nproc_per_node=8 train.py'",
            "sbatch j.sh",
            32,
            4,
        ),
        ("#SBATCH --array=0-9%2\n#SBATCH --gres=gpu:2 -N 1\ntorchrun --nproc_per_node=2 train.py", "sbatch j.sh", 2, 1),
        ("#SBATCH -N 2\n#SBATCH --ntasks-per-node=4\nsrun python train.py", "sbatch -N 3 j.sh", 12, 3),
        (
            "#SBATCH --gpus=16\n#SBATCH --nodes=2\nexport WORLD=$((SLURM_NNODES * 8))\n"
            "srun torchrun --nnodes 2 --nproc_per_node $((WORLD / SLURM_NNODES)) train.py",
            "sbatch j.sh",
            16,
            2,
        ),
        ("#SBATCH --gres=gpu:4\ntorchrun --nproc_per_node=$(nvidia-smi -L | wc -l) train.py", "sbatch j.sh", 4, 1),
    ],
)
def test_headers(start, script, command, gpus, nodes):
    job = start(command, {"j.sh": f"#!/bin/bash\n{script}\n"})
    assert (job.num_gpus, job.num_nodes) == (gpus, nodes)
    assert job.is_training is True


def test_an_array_leaves_open_what_each_task_takes(start):
    script = """
        #!/bin/bash
        #SBATCH --array=0-2
        #SBATCH --gres=gpu:1
        RATES=(0.1 0.2 0.3)
        python train.py --lr ${RATES[$SLURM_ARRAY_TASK_ID]} --batch 4
    """
    job = start("sbatch j.sh", {"j.sh": script})
    assert (job.learning_rate, job.batch_size) == (None, 4)
    job = start("sbatch j.sh", {"j.sh": script.replace("$SLURM_ARRAY_TASK_ID", "1")})
    assert job.learning_rate == 0.2


def test_the_parts_of_a_heterogeneous_job_add_up(start):
    script = """
        #!/bin/bash
        #SBATCH --nodes=1 --ntasks=4 --gpus-per-node=4
        #SBATCH hetjob
        #SBATCH --nodes=3 --ntasks=12 --gpus-per-node=4
        srun --het-group=0,1 python train.py
    """
    job = start("sbatch j.sh", {"j.sh": script})
    assert (job.num_nodes, job.num_gpus) == (4, 16)


def test_text_that_is_fed_to_sbatch(start):
    script = """
        LR=0.25
        for once in 1; do
        sbatch <<EOT
        #!/bin/bash
        #SBATCH --nodes=2
        #SBATCH --ntasks-per-node=2
        #SBATCH --gres=gpu:a100:2
        srun python train.py --lr $LR
        EOT
        done
    """
    job = start("bash submit.sh", {"submit.sh": script})
    assert (job.num_gpus, job.num_nodes, job.learning_rate, job.hardware) == (4, 2, 0.25, "A100")
    proof = job.evidence["num_nodes"][0]
    assert (proof.path, proof.line, proof.quote) == ("submit.sh", 5, "#SBATCH --nodes=2")


def test_a_script_that_is_written_and_then_submitted(start):
    script = """
        cat > job.slurm <<'EOF'
        #!/bin/bash
        #SBATCH -N 2 --ntasks-per-node=4
        srun python train.py --lr 0.4 --batch $1
        EOF
        sbatch --time 1:00:00 job.slurm 32
    """
    job = start("bash submit.sh", {"submit.sh": script})
    assert (job.num_gpus, job.num_nodes, job.learning_rate, job.batch_size) == (8, 2, 0.4, 32)


@pytest.mark.parametrize(
    ("script", "command", "gpus", "nodes"),
    [
        ("#PBS -l select=2:ncpus=8:ngpus=4\nmpirun -np 8 python train.py", "qsub j.pbs", 8, 2),
        ("#PBS -l nodes=2:ppn=4:gpus=4\nmpirun -np 8 python train.py", "qsub j.pbs", 8, 2),
        ('#BSUB -gpu "num=4"\n#BSUB -nnodes 2\nmpirun -np 8 python train.py', "bsub j.pbs", 8, 2),
    ],
)
def test_other_batch_systems(start, script, command, gpus, nodes):
    job = start(command, {"j.pbs": f"#!/bin/bash\n{script}\n"})
    assert (job.num_gpus, job.num_nodes) == (gpus, nodes)


@pytest.mark.parametrize(
    ("command", "rate"),
    [
        ("sbatch --export=ALL,LR=0.7 j.sh", 0.7),
        ("LR=0.6 sbatch j.sh", 0.6),
        ("sbatch --wrap='python train.py --lr 0.5' --gres=gpu:1", 0.5),
        ('sbatch --wrap "bash j.sh" --export LR=0.3', 0.3),
        ("srun --gres=gpu:1 --pty bash -c 'python train.py --lr 0.2'", 0.2),
        ("salloc -N 1 srun python train.py --lr 0.9", 0.9),
    ],
)
def test_what_is_handed_through(start, command, rate):
    job = start(command, {"j.sh": "#!/bin/bash\n#SBATCH -N 1\nsrun python train.py --lr $LR\n"})
    assert job.learning_rate == rate


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("sbatch-retry j.sh", "j.sh"),
        ("oarsub ./j.sh", "j.sh"),
        ("qsub j.pbs", "j.pbs"),
        ("bash j.lsf", "j.lsf"),
        ("bash j.bsub", "j.bsub"),
    ],
)
def test_scripts_of_every_batch_system_are_followed(start, command, script):
    job = start(command, {script: "#!/bin/bash\npython train.py --lr 0.3 --batch 6\n"})
    assert (job.learning_rate, job.batch_size) == (0.3, 6)


@pytest.mark.parametrize(("header", "nodes"), [("--gres=gpu:4", 1), ("--ntasks-per-node=4", None), ("-N 2", 2)])
def test_a_job_that_asks_for_no_tasks_has_one_node(read, header, nodes):
    script = f"#!/bin/bash\n#SBATCH {header}\nsrun torchrun --nproc_per_node=4 train.py\n"
    program = (
        "import torch\nnet = torch.nn.Linear(2, 2).cuda()\noptimizer = torch.optim.SGD(net.parameters(), lr=1)\n"
        "net(1).sum().backward()\noptimizer.step()\n"
    )
    assert read({"train.py": program, "job.sh": script}, "sbatch job.sh").num_nodes == nodes


@pytest.mark.parametrize(
    ("asked", "kind", "count"),
    [
        ("gpu:1080ti:4", "1080ti", 4),
        ("gpu:3090:2", "3090", 2),
        ("gpu:2080ti", "2080ti", None),
        ("gpu:2080", "2080", None),
        ("gpu:a100:8", "a100", 8),
        ("gpu:8", "", 8),
        ("gpu:16", "", 16),
        ("gres/gpu=300", "", 300),
        ("gpu:4,nvme:1", "", 4),
    ],
)
def test_a_kind_of_gpu_may_begin_with_a_number(asked, kind, count):
    assert gpus_of(asked) == (kind, count)


def test_a_kind_that_is_a_number_is_no_count(read):
    code = "import torch\nmodel = torch.nn.Linear(2, 2).cuda()\nmodel(torch.ones(2).cuda()).sum().backward()\n"
    files = {"train.py": code, "j.sh": "#!/bin/bash\n#SBATCH --gres=gpu:1080ti:1\nsrun python train.py\n"}
    found = read(files, "sbatch j.sh")
    assert (found.num_gpus, found.hardware) == (1, "GTX 1080TI")


TRAIN = """
import sys, torch
model = torch.nn.LSTM(2, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=float(sys.argv[1]))
for epoch in range(3):
    model(1)[0].sum().backward()
    optimizer.step()
"""


def test_a_submitted_file_is_run_by_its_first_line_and_its_partition_may_name_the_card(read):
    script = "#!/bin/bash\n#SBATCH -p gpu_a100\n#SBATCH --gpus=1\npython train.py 0.3\n"
    job = read({"train.py": TRAIN, "job.py": script}, "sbatch job.py")
    assert (job.is_training, job.learning_rate, job.hardware) == (True, 0.3, "A100")


@pytest.mark.parametrize(("gpus", "nodes"), [("1", 1), ("a100:1", 1), ("4", None)])
def test_one_gpu_lies_on_one_node_and_several_in_all_on_any_number(read, gpus, nodes):
    script = f"#!/bin/bash\n#SBATCH --gpus={gpus}\nsrun python train.py 0.3\n"
    assert read({"train.py": TRAIN, "job.sh": script}, "sbatch job.sh").num_nodes == nodes
