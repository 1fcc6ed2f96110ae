"""`read` takes what is written out into a name, as launch scripts do with the words of a trainer."""

import pytest

TRAIN = """
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument("--adam.lr", type=float, default=1.0)
parser.add_argument("--train.micro_batch_size", type=int, default=1)
args = parser.parse_args()
model = torch.nn.Linear(2, 2).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=getattr(args, "adam.lr"))
for batch in range(9):
    model(batch).backward()
    optimizer.step()
"""
WHOLE = """
read -r -d '' words <<EOF
train.py --adam.lr 0.25 \\
    --train.micro_batch_size 4
EOF
if [[ ${1} != "slurm" ]]; then
    torchrun --nproc_per_node 2 $words
fi
"""
LINE = 'read words <<< "train.py --adam.lr 0.25 --train.micro_batch_size 4"\ntorchrun --nproc_per_node 2 $words\n'


@pytest.mark.parametrize("script", [WHOLE, LINE])
def test_words_that_are_read_from_the_script_start_the_program(read, script):
    job = read({"train.py": TRAIN, "run.sh": script}, "bash run.sh")
    assert (job.is_training, job.learning_rate, job.batch_size, job.num_gpus) == (True, 0.25, 4, 2)
