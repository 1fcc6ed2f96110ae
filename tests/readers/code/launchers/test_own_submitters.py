"""A project's own submitter, which is handed the job's command behind `--`."""

PROGRAM = """
from dataclasses import dataclass, field
import torch
from datasets import load_dataset
from transformers import HfArgumentParser

@dataclass
class Options:
    lr: float = 1e-5
    sets: list[str] = field(default_factory=lambda: ["me/small", "1.0"])

args = HfArgumentParser((Options,)).parse_args_into_dataclasses()[0]
names = args.sets
for place in range(0, len(names), 2):
    data = load_dataset(names[place])
model = torch.nn.Linear(2, 2).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
model(torch.ones(2)).sum().backward()
optimizer.step()
"""
FILES = {"submit.py": "import sys\nprint(sys.argv)\n", "train.py": PROGRAM}


def test_the_command_behind_the_dashes_is_the_job(read):
    inner = "accelerate launch --num_processes 8 train.py --lr 3e-4 --sets me/large 512 me/other 3"
    job = read(FILES, f"python submit.py --cluster big --num_nodes 4 --gpus 8 -- {inner}")
    assert (job.is_training, job.learning_rate, job.num_nodes, job.num_gpus) == (True, 3e-4, 4, 32)
    assert job.dataset_name == "me/large"
    one = read(FILES, f"python submit.py --gpus 8 -- {inner}")
    assert (one.num_gpus, one.num_nodes) == (8, 1)


def test_dashes_before_a_programs_own_options_hand_nothing_over(read):
    job = read(FILES, "torchrun --nproc_per_node=2 train.py -- --lr 2e-4")
    assert (job.is_training, job.num_gpus) == (True, 2)
