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


RATE = """
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument("--rate", type=float, default=9.0)
parser.add_argument("--rounds", type=int, default=99)
args = parser.parse_args()
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=args.rate)
for epoch in range(args.rounds):
    model(1).backward()
    optimizer.step()
"""
WAYS = (
    'read -r R N <<< "0.25 7"',
    'IFS=, read -ra P <<< "0.25,7"; R=${P[0]}; N=${P[1]}',
    'IFS=", " read -ra P <<< "0.25, 9,7"; R=${P[0]}; N=${P[2]}',
    "IFS=$'\\t' read -r R N <<< $(cat pair.txt)",
    "A=x/0.25; B=${A//\\//_}; R=${B#x_}; N=${A/x\\/0.25/7}",
    'P="$(echo 0.25 -- -L)"; R=${P% -- -L}; N=7',
    "mapfile -t P <<EOF\n0.25\n7\nEOF\nR=${P[0]}; N=${P[1]}",
    "C=fit_0.25_7; R=$(echo $C | cut -d_ -f2); N=$(echo $C | awk -F_ '{print $3}')",
    'R=$(echo "rate=0.25" | sed "s/rate=//"); N=$(printf "%s" 7)',
)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_taken_apart_in_the_usual_ways_is_known(read, way):
    script = f"{way}\npython fit.py --rate $R --rounds $N\n"
    job = read({"fit.py": RATE, "run.sh": script, "pair.txt": "0.25\t7\n"}, "bash run.sh")
    assert (job.learning_rate, job.epochs) == (0.25, 7)


def test_xargs_hands_over_what_it_is_fed(read):
    job = read({"fit.py": RATE, "run.sh": 'xargs python fit.py <<< "--rate 0.25 --rounds 7"\n'}, "bash run.sh")
    assert (job.learning_rate, job.epochs) == (0.25, 7)
