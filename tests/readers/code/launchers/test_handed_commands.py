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


HANDED = [
    "runai submit --name a -i img -g 1 --command -- /bin/bash -lc 'cd /home/me && python go.py --lr 0.25'",
    "farm jobs new --gpus 1 -- bash run.sh 0.25",
    "kubectl exec -it pod -n lab -- sh -c 'python go.py --lr 0.25'",
    "arena submit pytorchjob --gpus=1 --image=img 'python go.py --lr 0.25'",
    "farm jobs add 'bash run.sh 0.25'",
    "pueue add 'bash run.sh 0.25'",
    "farm -q fast submit -- 'python go.py --lr 0.25'",
    "runai training submit fit -i img -- python go.py --lr 0.25",
    "onsite -g 2 -- python go.py --lr 0.25",
    "ntfy done python go.py --lr 0.25",
    "knockknock email --recipient-emails me python go.py --lr 0.25",
    "site batch run --image img --commandline 'python go.py --lr 0.25'",
]


@pytest.mark.parametrize("command", HANDED)
def test_what_stands_behind_dashes_or_last_is_followed(read, command):
    job = read({"go.py": PROGRAM, "run.sh": "python go.py --lr $1\n"}, command)
    assert (job.is_training, job.learning_rate, job.optimizer) == (True, 0.25, "SGD")


@pytest.mark.parametrize(
    "command",
    [
        "notify 'python go.py --lr 0.25'",  # told nothing that starts a job
        "farm submit --note 'python go.py --lr 0.25'",  # an option's value
        "farm submit -- tidy 'python go.py --lr 0.25'",  # what stands behind the dashes is no program
        "farm submit 'see python go.py --lr 0.25'",
    ],
)
def test_what_starts_no_program_is_no_command(read, command):
    assert read({"go.py": PROGRAM}, command).learning_rate is None


@pytest.mark.parametrize(
    "command",
    [
        "slack post new 'python go.py --lr 0.25 is done'",
        "slack --run 'python go.py --lr 0.25'",
        "slack-send run -- python go.py --lr 0.25",
        "mail -s job -- 'python go.py --lr 0.25 is done'",
        "mail -s new 'python go.py --lr 0.25'",
        "notify-send -- 'python go.py --lr 0.25'",
        "notify-send -- python go.py --lr 0.25",
        "farm delete job 'python go.py --lr 0.25'",
        "farm jobs list run 'python go.py --lr 0.25'",
        "farm list --command 'python go.py --lr 0.25'",
        "farm cancel -- python go.py --lr 0.25",
        "farm cancel python go.py --lr 0.25",
        "slack post python go.py --lr 0.25",
        "farm logs -- 'python go.py --lr 0.25'",
        "farm -- 'python go.py --lr 0.25'",  # one text, and no word that starts it
        "farm note -s run 'python go.py --lr 0.25'",
        "farm add 'python go.py --lr 0.25'",  # a note, maybe
        "farm issue create 'python go.py --lr 0.25'",
        "echo submit -- python go.py --lr 0.25",
        "printf run 'python go.py --lr 0.25'",
        "tidy -- go.py --lr 0.25",  # a file that is looked at, maybe
    ],
)
def test_a_command_that_is_spoken_of_is_not_followed(read, command):
    job = read({"go.py": PROGRAM}, command)
    assert (job.is_training, job.learning_rate) == (None, None)


ON_GPUS = PROGRAM.replace("net = torch.nn.Linear(3, 1)", "net = torch.nn.DataParallel(torch.nn.Linear(3, 1).cuda())")


@pytest.mark.parametrize(
    ("asked", "gpus", "hardware"),
    [("--gpu 4 --node-pools a100-40g", 4, "A100"), ("-g 2", 2, None), ("", None, None)],
)
def test_a_clusters_own_tool_is_asked_for_gpus(read, asked, gpus, hardware):
    job = read({"go.py": ON_GPUS}, f"runai submit a -i img {asked} -- python go.py")
    assert (job.num_gpus, job.hardware) == (gpus, hardware)


def test_how_many_machines_workers_lie_on_is_open(read):
    job = read({"go.py": ON_GPUS}, "arena submit pytorchjob --workers=2 --gpus=2 'python go.py'")
    assert (job.num_nodes, job.learning_rate) == (None, 0.5)
