"""What holds of every step, and the small ones by themselves."""

import json

import pytest

from schedmate.scheduling.recovery.registry import STEPS
from schedmate.scheduling.recovery.smaller_batch import batch_size
from schedmate.scheduling.recovery.steps import SlowStep, load_case
from tests.scheduling.recovery.cases import CASE, row


def test_a_case_survives_the_way_to_another_process():
    assert load_case(json.loads(json.dumps(CASE.dump()))) == CASE


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("python train.py --batch-size 32", ("--batch-size", 32)),
        ("python train.py --per_device_train_batch_size=8 --lr 1", ("--per_device_train_batch_size", 8)),
        ("python train.py --batch-size", None),
        ("python train.py --minibatch auto", None),
        ("python train.py", None),
    ],
)
def test_the_batch_size_is_read_off_the_command(command, expected):
    assert batch_size(command.split()) == expected


@pytest.mark.parametrize("kind", STEPS)
def test_every_step_says_what_it_would_do_and_what_it_can_harm(kind):
    assert STEPS[kind].kind == kind
    assert STEPS[kind].describe(row(kind, "node2"), CASE)
    assert STEPS[kind].radius in ("nothing", "job", "node")
    assert isinstance(STEPS[kind], SlowStep) == (kind in ("health_check", "nccl_test", "notify"))
