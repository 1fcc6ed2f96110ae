"""Commands that tools of a site's own are handed as the text of an option."""

import pytest

PROGRAM = """
    import argparse, torch
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.5)
    rate = parser.parse_args().lr
    net = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=rate)
    net(torch.ones(3)).sum().backward()
    optimizer.step()
    """


@pytest.mark.parametrize(
    "command",
    [
        "farm submit -p fast -g 2 --cmd 'MODE=1 bash run.sh 0.25'",
        "farm jobs new --name=a --command='python go.py --lr 0.25'",
        "onsite --run 'torchrun --nproc_per_node=1 go.py --lr 0.25' --tag x",
    ],
)
def test_the_command_is_followed(read, command):
    job = read({"go.py": PROGRAM, "run.sh": "python go.py --lr $1\n"}, command)
    assert (job.is_training, job.learning_rate, job.optimizer) == (True, 0.25, "SGD")


@pytest.mark.parametrize("command", ["farm submit --cmd 'hello world'", "farm submit --note 'python go.py --lr 0.25'"])
def test_other_texts_are_no_commands(read, command):
    assert read({"go.py": PROGRAM}, command).learning_rate is None


def test_a_command_that_is_not_in_quotes_is_no_options_text(read):
    assert read({"go.py": PROGRAM}, "farm --tag x --cmd python go.py --lr 0.25").learning_rate == 0.25


def test_torchpacks_launcher_starts_processes(read):
    job = read({"go.py": PROGRAM}, "torchpack dist-run -v -np 4 python go.py --lr 0.125")
    assert (job.learning_rate, job.num_gpus) == (0.125, 4)
