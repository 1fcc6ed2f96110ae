"""The strangers' sets: reproducible, every fault under each launcher that it fits, labelled where it is stated."""

import random

import pytest

from evals.strangers.__main__ import tell
from evals.strangers.decoys import tell_decoys
from evals.strangers.dress import DRESSES, write_out
from evals.strangers.faults import FAULTS
from evals.strangers.job import draw_job


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_label_is_the_line_that_states_the_fault(fault):
    told = 0
    for dress, stacks in DRESSES.items():
        if fault.dresses and dress not in fault.dresses:
            continue
        for stack in set(stacks) & set(fault.stacks):
            job = draw_job(random.Random(f"{fault.name}{dress}{stack}"), stack, dress, 200)
            tell_decoys(job, 0.0, 900.0, 4)
            job.now = 1000.0
            truth = fault.tell(job)
            text, root, also = write_out(job)
            lines = text.split("\n")
            spoken = [*job.lines, *(said for _, said in job.kernel_tail)]
            stated = tuple(said.text for said in spoken if said.root or said.also)
            assert truth.category == fault.category
            assert root
            assert all(lines[number - 1].endswith(stated) for number in (root, *also))
            told += 1
    assert told


def test_the_same_seed_tells_the_same_story():
    first, second = (write_out(tell(random.Random(7), "srun -l", healthy=False, largest=300)[0]) for _ in range(2))
    assert first == second


def test_a_healthy_job_states_no_fault():
    job, truth, family = tell(random.Random(3), "cri", healthy=True, largest=300)
    assert (truth.category, family, write_out(job)[1:]) == ("none", "healthy", (0, []))
