"""Who starts the program: how many processes, on how many nodes, and what the batch system was asked for."""

import pytest

TRAIN = """
    import argparse, os
    import torch
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--local_rank", type=int, default=-1)
    args = parser.parse_args()
    model = torch.nn.Linear(4, 4).cuda()
    if int(os.environ.get("WORLD_SIZE", os.environ.get("SLURM_NTASKS", os.environ.get("OMPI_COMM_WORLD_SIZE", 1)))) > 1:
        dist.init_process_group("nccl")
        model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for epoch in range(3):
        model(x).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("command", "gpus", "nodes"),
    [
        ("python train.py", 1, 1),
        ("CUDA_VISIBLE_DEVICES=0,1 nohup nice -n 5 torchrun --nproc_per_node 2 train.py > log 2>&1 &", 2, 1),
        ("torchrun --nproc_per_node=8 --nnodes=4 --node_rank=0 train.py", 32, 4),
        ("torchrun train.py", 1, 1),
        ("torchrun --nproc-per-node=auto train.py", None, 1),
        ("torchrun --nnodes=1:4 --nproc_per_node=8 train.py", None, None),
        ("python -m torch.distributed.run --nproc_per_node 4 train.py --lr 1", 4, 1),
        ("python -u -m torch.distributed.launch --nproc_per_node=4 --use_env train.py", 4, 1),
        ("accelerate launch --num_processes 16 --num_machines 2 --multi_gpu train.py", 16, 2),
        ("accelerate launch --config_file acc.yaml train.py", 8, 2),
        ("deepspeed --num_gpus 4 --num_nodes 2 train.py", 8, 2),
        ("deepspeed --include localhost:0,2,3 train.py", 3, 1),
        ("deepspeed train.py", None, 1),
        ("mpirun -np 4 --allow-run-as-root -x NCCL_DEBUG=INFO -mca btl ^openib python train.py", 4, 1),
        ("horovodrun -np 8 -H a:4,b:4 python train.py", 8, 2),
        ("srun -N 2 --ntasks-per-node=4 --gres=gpu:4 python train.py", 8, 2),
        ("srun -n16 -N2 python train.py", 16, 2),
        ("uv run --no-sync torchrun --nproc_per_node=2 train.py", 2, 1),
        ("conda run -n env python train.py", 1, 1),
        ("singularity exec --nv -B /data image.sif python train.py", 1, 1),
        ("docker run --gpus all --rm -v /a:/b image:tag torchrun --nproc_per_node=2 train.py", 2, 1),
        ("nsys profile -o out torchrun --nproc_per_node 2 train.py", 2, 1),
        ("composer -n 4 train.py", 4, 1),
        ("colossalai run --nproc_per_node 4 train.py", 4, 1),
        ("bash -c 'cd . && torchrun --nproc_per_node=2 train.py'", 2, 1),
        ("sh wrap.sh 4", 4, 1),
        ("sbatch job.sbatch", 16, 2),
        ("sbatch --nodes=3 job.sbatch", 24, 3),
        ("bash array.sh", 6, 3),
        ("make train", 2, 1),
        ("sbatch --wrap 'torchrun --nproc_per_node=2 train.py'", 2, 1),
    ],
)
def test_processes_and_nodes(read, command, gpus, nodes):
    files = {
        "train.py": TRAIN,
        "acc.yaml": "num_processes: 8\nnum_machines: 2\nmixed_precision: bf16\ndistributed_type: MULTI_GPU\n",
        "wrap.sh": 'N=${1:-8}\nexec bash inner.sh "$N" --lr 0.5\n',
        "inner.sh": 'GPUS=$1\nshift\ntorchrun \\\n  --nproc_per_node=$GPUS \\\n  train.py "$@"\n',
        "job.sbatch": """
            #!/bin/bash
            #SBATCH --nodes=2
            #SBATCH --ntasks-per-node=8
            #SBATCH --gres=gpu:a100:8
            export LR=0.25
            srun python train.py --lr $LR
        """,
        "array.sh": """
            PER_NODE=2
            NODES=$((PER_NODE + 1))
            LAUNCH=(
                --nproc_per_node $PER_NODE   # each
                --nnodes $NODES
            )
            OPTS="--lr 0.3"
            OPTS+=" --batch 16"
            if [ "$PER_NODE" -gt 1 ]; then
                torchrun "${LAUNCH[@]}" train.py $OPTS
            else
                python train.py
            fi
        """,
        "Makefile": "N ?= 2\n\nother:\n\techo no\n\ntrain: other\n\t@torchrun --nproc_per_node=$(N) train.py\n",
    }
    job = read(files, command)
    assert (job.num_gpus, job.num_nodes) == (gpus, nodes)
    assert job.is_training is True


@pytest.mark.parametrize(
    ("command", "rate", "batch"),
    [
        ("sh wrap.sh 4 --batch 2", 0.5, 8),
        ("sbatch job.sbatch", 0.25, 8),
        ("bash array.sh", 0.3, 16),
        ("bash cases.sh --rate 0.7 --big", 0.7, 64),
        ("bash functions.sh", 0.9, 8),
        ("bash loop.sh", None, 8),
        ("bash heredoc.sh", 0.6, 8),
    ],
)
def test_what_scripts_hand_to_the_program(read, command, rate, batch):
    files = {
        "train.py": TRAIN,
        "wrap.sh": "bash inner.sh --lr 0.5\n",
        "inner.sh": 'python train.py "$@"\n',
        "job.sbatch": "#!/bin/bash\n#SBATCH -N 1\nexport LR=0.25\nsrun python train.py --lr $LR\n",
        "array.sh": 'A=(--lr 0.3)\nA+=(--batch 16)\npython train.py "${A[@]}"\n',
        "cases.sh": """
            BATCH=8
            while [[ $# -gt 0 ]]; do
                case "$1" in
                    --rate) LR="$2"; shift 2 ;;
                    --big|-b) BATCH=64; shift ;;
                    *) shift ;;
                esac
            done
            python train.py --lr ${LR:?needed} --batch=$BATCH
        """,
        "functions.sh": "run() {\n  local lr=$1\n  python train.py --lr $lr\n}\nrun 0.9\n",
        "loop.sh": "for lr in 0.1 0.2; do\n  python train.py --lr $lr\ndone\n",
        "heredoc.sh": "cat <<EOF > note\npython train.py --lr 5\nEOF\npython train.py --lr 0.6 # --lr 7\n",
    }
    job = read(files, command)
    assert (job.learning_rate, job.extra.get("batch", None)) == (rate, None)
    assert job.batch_size == batch


def test_a_quote_names_the_script_that_sets_the_value(read):
    files = {"train.py": TRAIN, "run.sh": "LR=0.125\n\npython train.py --lr $LR\n"}
    job = read(files, "bash run.sh")
    proof = job.evidence["learning_rate"][0]
    assert (proof.path, proof.line, proof.quote) == ("run.sh", 1, "LR=0.125")


def test_hardware_only_where_it_is_asked_for(read):
    files = {
        "train.py": TRAIN,
        "a.sbatch": "#!/bin/bash\n#SBATCH --gres=gpu:h100:4\n#SBATCH -N 1\ntorchrun --nproc_per_node 4 train.py\n",
        "b.sbatch": "#!/bin/bash\n#SBATCH --constraint=v100-32g\nsrun python train.py\n",
        "c.sh": "# runs well on an A100\npython train.py\n",
    }
    assert read(files, "sbatch a.sbatch").hardware == "H100"
    assert "V100" in read(files, "sbatch b.sbatch").hardware
    assert read(files, "bash c.sh").hardware is None


def test_submitit_asks_for_nodes_and_gpus(read):
    files = {
        "submit.py": """
            import argparse, submitit, main
            class Trainer:
                def __init__(self, args):
                    self.args = args
                def __call__(self):
                    env = submitit.JobEnvironment()
                    self.args.rank = env.global_rank
                    main.main(self.args)
            parser = argparse.ArgumentParser()
            parser.add_argument("--nodes", type=int, default=2)
            parser.add_argument("--ngpus", type=int, default=8)
            args = parser.parse_args()
            executor = submitit.AutoExecutor(folder="x")
            executor.update_parameters(gpus_per_node=args.ngpus, tasks_per_node=args.ngpus, nodes=args.nodes)
            executor.submit(Trainer(args))
        """,
        "main.py": """
            import torch
            def main(args):
                model = torch.nn.Linear(2, 2).cuda()
                torch.distributed.init_process_group("nccl")
                model = torch.nn.parallel.DistributedDataParallel(model)
                lr = 0.001 * torch.distributed.get_world_size()
                opt = torch.optim.AdamW(model.parameters(), lr=lr)
                model(1).backward()
                opt.step()
        """,
    }
    job = read(files, "python submit.py --nodes 4")
    assert (job.num_gpus, job.num_nodes, job.distributed, job.learning_rate) == (32, 4, "DDP", 0.032)


def test_a_wrapper_in_python_that_starts_the_training(read):
    files = {
        "multi.py": """
            import subprocess, sys, torch
            for rank in range(torch.cuda.device_count()):
                subprocess.Popen([sys.executable] + sys.argv[1:] + [f"--rank={rank}"])
        """,
        "train.py": TRAIN.replace('"--local_rank"', '"--rank"'),
    }
    job = read(files, "python multi.py train.py --lr 0.75")
    assert (job.is_training, job.learning_rate, job.num_gpus) == (True, 0.75, None)


def test_spawned_processes(read):
    source = """
        import torch, torch.multiprocessing as mp
        def work(rank, world, rate):
            torch.distributed.init_process_group("nccl", rank=rank, world_size=world)
            model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2).to(rank))
            opt = torch.optim.Adam(model.parameters(), lr=rate * world)
            for epoch in range(4):
                model(1).backward()
                opt.step()
        if __name__ == "__main__":
            world = WORLD
            mp.spawn(work, args=(world, 0.01), nprocs=world)
    """
    known = read({"train.py": source.replace("WORLD", "4")}, "python train.py")
    assert (known.num_gpus, known.learning_rate, known.distributed) == (4, 0.04, "DDP")
    every = read({"train.py": source.replace("WORLD", "torch.cuda.device_count()")}, "python train.py")
    assert (every.num_gpus, every.learning_rate, every.distributed) == (None, None, "DDP")
