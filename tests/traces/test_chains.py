"""Attempts at one piece of work: found in a trace, and put together."""

import numpy as np
import pytest

from schedmate.traces.chains import merged, resumptions
from schedmate.traces.columns import Labels, Trace

COMPLETED, FAILED = 0, 1


def trace(*rows):
    """Make jobs of (submit, duration, user, GPUs, failed)."""
    submit, duration, user, gpus, ends = (np.array(column) for column in zip(*rows, strict=True))
    count = len(rows)
    return Trace(
        name="made",
        job_id=np.arange(count),
        submit_s=submit.astype(float),
        duration_s=duration.astype(float),
        gpus=gpus.astype(np.int64),
        user=Labels.of([str(one) for one in user]),
        vc=Labels.same("", count),
        job_name=Labels.same("train", count),
        status=Labels(ends.astype(np.int32), ("COMPLETED", "FAILED")),
        kind=Labels.same("", count),
        line=np.zeros(count, np.int64),
    )


def test_a_failed_job_is_resumed_by_the_next_like_one_after_its_end():
    made = trace(
        (0, 100, "ann", 8, FAILED),
        (50, 10, "ann", 8, COMPLETED),  # came while it still ran
        (120, 10, "bob", 8, COMPLETED),
        (130, 10, "ann", 4, COMPLETED),
        (140, 300, "ann", 8, FAILED),
        (500, 20, "ann", 8, COMPLETED),
        (90_000, 20, "ann", 8, COMPLETED),
    )
    assert resumptions(made) == {0: 4, 4: 5}
    assert resumptions(made, within_s=30.0) == {}


def test_one_job_resumes_one_failure():
    made = trace((0, 10, "ann", 1, FAILED), (0, 10, "ann", 1, FAILED), (20, 5, "ann", 1, COMPLETED))
    assert resumptions(made) == {0: 2}


def test_attempts_become_one_job_that_is_interrupted_where_they_failed():
    made = trace(
        (0, 100, "ann", 8, FAILED),
        (120, 10, "bob", 8, COMPLETED),
        (140, 300, "ann", 8, FAILED),
        (500, 20, "ann", 8, COMPLETED),
    )
    whole, left = merged(made, resumptions(made))
    assert whole.duration_s.tolist() == [420.0, 10.0]
    assert [whole.status[number] for number in range(2)] == ["COMPLETED", "COMPLETED"]
    assert left == {0: (320.0, 20.0)}
    assert whole.duration_s.sum() == pytest.approx(made.duration_s.sum())


def test_only_the_links_given_are_merged():
    made = trace((0, 10, "ann", 1, FAILED), (20, 5, "ann", 1, COMPLETED))
    whole, left = merged(made, {})
    assert len(whole) == 2
    assert left == {}
