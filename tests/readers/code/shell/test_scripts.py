"""Find the shell script that a command means, and follow it."""

from schedmate.readers.code.reader import read_code
from schedmate.tools.repository import Repository

TRAINER = (
    "python ../../src/train_bash.py --stage dpo --do_train --model_name_or_path acme/Llama-2-7b-hf --dataset pairs \\\n"
    "    --template default --finetuning_type lora --per_device_train_batch_size 2 --gradient_accumulation_steps 8 \\\n"
    "    --learning_rate 1e-5 --num_train_epochs 1.0 --fp16\n"
)
OUTER = """
#!/bin/bash
cp inner.sh local/app/examples/demo.sh
singularity exec --nv --pwd $HOME/.local/app/examples -B ./local:$HOME/.local image.sif bash -c "X=1 bash demo.sh"
"""
SRUN = "srun --nodes 1 --gpus-per-node 1 --ntasks-per-node 1 --partition gp1d bash -c './outer.sh' &\n"


def test_a_copy_is_run_under_its_new_name_in_a_container(read):
    job = read({"inner.sh": TRAINER, "outer.sh": OUTER, "job.sh": SRUN}, "bash job.sh")
    assert (job.model_name, job.batch_size, job.learning_rate) == ("acme/Llama-2-7b-hf", 2, 1e-5)
    assert (job.task_fine, job.precision) == ("preference tuning (dpo) (lora)", "fp16")
    assert (job.num_gpus, job.distributed, job.global_batch_size) == (1, "none", 16)


def test_of_two_copies_under_one_name_none_is_taken(read):
    outer = "cp inner.sh a/demo.sh\ncp other.sh b/demo.sh\nbash $SOMEWHERE/demo.sh\n"
    job = read({"inner.sh": TRAINER, "other.sh": "echo no\n", "outer.sh": outer}, "bash outer.sh")
    assert job.model_name is None


def test_a_file_of_secrets_that_is_sourced_is_told_of_and_never_read(write):
    root = write({"keys.env": "TOKEN=abc\nRATE=0.5\n", "run.sh": "source keys.env\npython go.py --lr $RATE\n"})
    reading = read_code(Repository(root), "bash run.sh")
    assert "keys.env may hold secrets and is never read: what it sets is open" in reading.notes
    assert reading.workload.learning_rate is None
