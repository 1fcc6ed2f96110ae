"""Descriptions of jobs for HTCondor."""

import pytest


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("executable = run.sh\narguments = 0.5 4\nrequest_gpus = 1\nqueue\n", "condor_submit job.sub"),
        (
            'Executable = /usr/bin/python3\nArguments = "train.py --lr 0.5 --batch 4"\nqueue 1\n',
            "condor_submit job.sub",
        ),
        ("rate = 9\nexecutable = run.sh\narguments = $(rate) $(rows:4)\nqueue\n", "condor_submit job.sub rate=0.5"),
        ("rate = 0.5\nexecutable = run.sh\narguments = $(rate) 4\nqueue\nrate = 7\nqueue\n", "condor_submit job.sub"),
        (
            "a = --lr\nb = 0.5\nc = --batch\nd = 4\ne = --tag\nf = x\ng = train.py\nexecutable = /usr/bin/python3\n"
            'arguments = $(g) $(e)="$(f) y" $(a) $(b) $(c) $(d)\nqueue\n',
            "condor_submit job.sub",
        ),
    ],
)
def test_a_description_starts_its_executable(start, text, command):
    job = start(command, {"job.sub": text, "run.sh": "#!/bin/bash\npython train.py --lr $1 --batch $2\n"})
    assert (job.learning_rate, job.batch_size) == (0.5, 4)


def test_what_the_queue_tells_is_open(start):
    files = {"job.sub": "executable = /usr/bin/python\narguments = train.py --lr $(rate)\nqueue rate from rates.txt\n"}
    job = start("condor_submit job.sub", files)
    assert (job.is_training, job.learning_rate) == (True, None)


def test_macros_that_name_each_other_end(start):
    macros = f"a = {'$(b) ' * 40}\nb = {'$(a) ' * 40}\n"
    job = "executable = /usr/bin/python\narguments = train.py --lr 0.5 $(a)\nqueue\n"
    assert start("condor_submit job.sub", {"job.sub": macros + job}).learning_rate == 0.5
