"""What is handed in at the door of a shared loop, before anybody believes it."""

import pytest

from schedmate.errors import InputError
from schedmate.scheduling.live.reception import checked

JOB = {"command": ["train"], "workdir": "/", "environment": {}}


def test_an_elastic_job_comes_in_as_it_was_asked_for():
    made = checked({**JOB, "slots": 2, "most_slots": 8})
    assert (made.slots, made.most_slots) == (2, 8)
    assert checked({**JOB, "slots": 2}).most_slots == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"slots": 2, "most_slots": 2},
        {"slots": 2, "most_slots": 1},
        {"slots": 2, "most_slots": -8},
        {"slots": 2, "most_slots": (1 << 20) + 1},
        {"slots": 1, "most_slots": 8, "share": 0.5},
    ],
)
def test_a_size_that_no_elastic_job_can_have_is_refused(wrong):
    with pytest.raises(InputError, match="asks for what no machine has"):
        checked({**JOB, **wrong})
