"""Launchers that start a process a GPU: what they say of GPUs and nodes, and what they leave to the run."""

import pytest


@pytest.mark.parametrize(
    ("command", "gpus", "nodes"),
    [
        ("torchrun --standalone --nproc_per_node=4 train.py", 4, 1),
        ("torchrun --standalone --nproc-per-node 4 -- train.py --lr 1", 4, 1),
        ("torchrun --nnodes=1:4 --nproc_per_node=8 --max_restarts=3 --rdzv_backend=c10d train.py", None, None),
        ("torchrun --nnodes 2:2 --nproc_per_node=8 train.py", 16, 2),
        ("torchrun --nnodes=$NODES --nproc_per_node=8 train.py", None, None),
        ("torchrun --nnodes=2 --nproc_per_node=gpu train.py", None, 2),
        ("PET_NPROC_PER_NODE=4 PET_NNODES=2 torchrun train.py", 8, 2),
        ("CUDA_VISIBLE_DEVICES=2,3 torchrun --nproc_per_node=auto train.py", 2, 1),
        ("python3 -m torch.distributed.run --nnodes=2 --node_rank 1 --nproc_per_node 8 train.py", 16, 2),
        ("python -m torch.distributed.launch --nproc_per_node=8 -m train", 8, 1),
        ("accelerate launch train.py", None, 1),
        ("accelerate launch --multi_gpu --num_processes=8 --num_machines=1 train.py --lr 0.2", 8, 1),
        ("accelerate launch --num_processes 16 --num_machines 2 --machine_rank 0 -m train", 16, 2),
        ("accelerate launch --gpu_ids 0,2 --num_processes 2 train.py", 2, 1),
        ("deepspeed --num_gpus=4 train.py --deepspeed ds.json", 4, 1),
        ("deepspeed --hostfile hosts train.py", 12, 2),
        ("deepspeed --hostfile=hosts --num_nodes 1 train.py", 8, 1),
        ("deepspeed --hostfile hosts --include a1:0,1@b2:3 train.py", 3, 2),
        ("deepspeed --hostfile hosts --include a1 train.py", 8, 1),
        ("deepspeed --hostfile hosts --exclude a1:0,1,2 train.py", 9, 2),
        ("deepspeed --hostfile absent train.py", None, None),
        ("echo -n > hosts; deepspeed --hostfile hosts train.py", None, None),
        ("deepspeed --include localhost:4,5 train.py", 2, 1),
        ("CUDA_VISIBLE_DEVICES=1,4,6 deepspeed train.py", 3, 1),
        ("CUDA_VISIBLE_DEVICES=1,4,6 deepspeed --num_gpus 2 train.py", 2, 1),
        ("CUDA_VISIBLE_DEVICES=$FREE deepspeed train.py", None, 1),
        ("colossalai run --nproc_per_node 4 --host a,b train.py", 8, 2),
        ("composer -n 8 train.py", 8, 1),
        ("horovodrun -np 6 -H a:2,b:2,c:2 python train.py", 6, 3),
        ("paddle.distributed.launch --gpus 0,1 train.py", 2, 1),
    ],
)
def test_processes_and_nodes(start, command, gpus, nodes):
    hosts = "# two machines\na1 slots=8\nb2 slots=4\n\n"
    job = start(command, {"hosts": hosts, "ds.json": '{"train_micro_batch_size_per_gpu": 4}'})
    assert (job.num_gpus, job.num_nodes) == (gpus, nodes)
    assert job.is_training is True


def test_accelerate_reads_its_configuration_and_options_win(start):
    files = {"acc.yaml": "num_processes: 8\nnum_machines: 2\nmixed_precision: bf16\ndistributed_type: FSDP\n"}
    job = start("accelerate launch --config_file acc.yaml train.py", files)
    assert (job.num_gpus, job.num_nodes, job.distributed) == (8, 2, "FSDP")
    assert (job.evidence["num_gpus"][0].path, job.evidence["num_gpus"][0].line) == ("acc.yaml", 1)
    job = start("accelerate launch --config_file acc.yaml --num_processes 4 --num_machines 1 train.py", files)
    assert (job.num_gpus, job.num_nodes) == (4, 1)


def test_mpi_counts_hosts_of_a_file(start):
    files = {"hosts": "a slots=4\nb slots=4\n"}
    job = start("mpirun -np 8 --hostfile hosts -x LR=0.3 -bind-to none python train.py --lr 0.3", files)
    assert (job.num_gpus, job.num_nodes, job.learning_rate) == (8, 2, 0.3)
    assert start("mpirun -n 4 python train.py").num_gpus == 4
    assert start("mpiexec -n 4 -ppn 2 python train.py").num_nodes in (2, None)


def test_a_program_below_a_launcher_knows_how_many_it_is(start):
    assert start("torchrun --nproc_per_node=2 train.py").distributed == "DDP"
    assert start("torchrun --nproc_per_node=1 train.py").distributed in ("none", None)
    assert start("torchrun --nproc_per_node=4 --nnodes=2 train.py --batch 16").global_batch_size == 16 * 8
