"""Commands inside others start what they start: `id=$(sbatch job.sh)`."""

import pytest

PROGRAM = """
    import argparse
    import torch

    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    args = parser.parse_args()
    net = torch.nn.Linear(2, 2)
    best = torch.optim.SGD(net.parameters(), lr=args.lr)
    for step in range(30):
        net(torch.zeros(2)).sum().backward()
        best.step()
"""
JOB = "#!/bin/bash\n#SBATCH --nodes=2 --ntasks-per-node=2\nsrun python learn.py --lr ${RATE:-0.7}\n"


@pytest.mark.parametrize(
    ("line", "rate"),
    [
        ("id=$(sbatch --parsable job.sbatch)", 0.7),
        ("echo `sbatch job.sbatch`", 0.7),
        ('id="$(RATE=0.2 sbatch job.sbatch | cut -d" " -f4)"\nsbatch --dependency=afterok:$id after.sh', 0.2),
        ("export id=$(qsub job.sbatch)", 0.7),
        ("RATE=0.4; said=$(sbatch --export=RATE=$RATE job.sbatch 2>&1)", 0.4),
        ("out=$(bash job.sbatch)", 0.7),
        ('if [ -n "$(sbatch job.sbatch)" ]; then echo gone; fi', 0.7),
    ],
)
def test_what_is_submitted_inside_a_word_is_the_job(read, line, rate):
    files = {"learn.py": PROGRAM, "job.sbatch": JOB, "go.sh": f"set -e\n{line}\n"}
    found = read(files, "bash go.sh")
    assert (found.learning_rate, found.total_steps) == (rate, 30)


def test_what_only_asks_and_prints_is_no_job_and_leaves_no_variable(read):
    asks = "RATE=0.3\nport=$(python free_port.py)\nhost=$(scontrol show hostnames | head -1)\nn=$(bash set.sh)\n"
    files = {"learn.py": PROGRAM, "set.sh": "RATE=0.9\n", "go.sh": asks + "python learn.py --lr $RATE\n"}
    found = read({**files, "free_port.py": PROGRAM}, "bash go.sh")
    assert (found.learning_rate, found.total_steps) == (0.3, 30)
    assert found.evidence["learning_rate"][0].path == "go.sh"


POD = """
    cat <<END >> pod.yaml
    apiVersion: v1
    kind: Pod
    metadata:
      name: one
    spec:
      containers:
        - name: main
          image: there/image
          args: [python3, learn.py, "--lr=$1"]
          resources:
            limits:
              nvidia.com/gpu: 1
    END
    echo `kubectl create -f pod.yaml`
"""


@pytest.mark.parametrize("before", [None, "apiVersion: v1\nkind: Pod\nspec:\n  containers: []\n"])
def test_a_manifest_that_a_script_writes_is_what_it_hands_over(read, before):
    files = {"learn.py": PROGRAM, "go.sh": POD, **({"pod.yaml": before} if before else {})}
    found = read(files, "bash go.sh 0.6")
    assert (found.learning_rate, found.num_nodes) == (0.6, 1)
    assert found.evidence["learning_rate"][0].path == "go.sh"
