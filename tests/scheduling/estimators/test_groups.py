"""What groups tell of jobs that were sent before, whether they have ended or not."""

import math

from schedmate.scheduling.estimators.groups import LASTED, LATEST, JobGroup, sent_before

LONG = math.log(7200.0)


def lasted(values):
    return values[4 * LATEST :]


def test_what_still_runs_tells_that_it_takes_no_less():
    group = JobGroup()
    group.begin("a", 0.0)
    assert all(math.isnan(share) for share in lasted(sent_before(group, 10.0))), "ten seconds tell of no limit"
    assert lasted(sent_before(group, 400.0))[:2] == [1.0, 1.0], "it has passed a minute and five minutes"
    assert math.isnan(lasted(sent_before(group, 400.0))[2])


def test_ended_and_running_jobs_are_told_apart_latest_first():
    group = JobGroup()
    group.begin("a", 0.0)
    group.begin("b", 100.0)
    group.learn("a", LONG, "failed", 7200.0)
    age, took, still, fate = sent_before(group, 8000.0)[4:8]
    assert (age, took, fate) == (math.log1p(8000.0), LONG, 1.0)
    assert math.isnan(still)
    age, took, still, fate = sent_before(group, 8000.0)[:4]
    assert (age, still, fate) == (math.log1p(7900.0), math.log1p(7900.0), -1.0)
    assert math.isnan(took)
    assert not math.isnan(lasted(sent_before(group, 8000.0))[0])


def test_there_are_as_many_numbers_before_anything_was_sent():
    empty, full = JobGroup(), JobGroup()
    for number in range(40):
        full.begin(str(number), 10.0 * number)
    assert len(sent_before(empty, 0.0)) == len(sent_before(full, 900.0)) == 4 * LATEST + len(LASTED)
