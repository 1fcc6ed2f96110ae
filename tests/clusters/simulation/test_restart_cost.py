"""What a stop costs a simulated job, what its log tells, and what is believed of it: the truth and its shadows."""

import numpy as np
import pytest

from schedmate.clusters import Learned, LiveJob, NodeSpec, Placement, Profile
from schedmate.clusters.simulation.cluster import SimulatedCluster
from schedmate.clusters.simulation.measured_profiles import AFTER_S, AGREED, Measuring
from schedmate.clusters.simulation.restart_cost import NONE, PUBLISHED, REAL, Saving, read_saving
from schedmate.clusters.simulation.rigid_jobs import RigidPhysics
from schedmate.clusters.simulation.told_remaining import Legibility, Telling, planned_s
from schedmate.errors import InputError

WORK = np.array([10_000.0])
PLACE = Placement("gpu", (("n", 1),))


def cluster(saving=PUBLISHED, **options):
    job = LiveJob(0, "0", 1, 0.0)
    made = SimulatedCluster([NodeSpec("n", 1)], iter([job]), RigidPhysics(WORK, saving), **options)
    made.wait(0.0)
    made.start(job, PLACE)
    job.placement = PLACE
    return made, job


@pytest.mark.parametrize(
    ("saving", "end_s"),
    [(PUBLISHED, 10_040.0), (Saving(40.0, 60.0, every_s=600.0), 10_440.0), (Saving(40.0, 60.0, share=0.0), 11_040.0)],
)
def test_a_stop_costs_the_start_and_what_was_not_saved(saving, end_s):
    made, job = cluster(saving)
    made.wait(1000.0)
    made.preempt(job)
    made.start(job, PLACE)
    made.wait(None)
    assert made.now_s() == end_s


@pytest.mark.parametrize(
    ("text", "saving"),
    [
        ("published", PUBLISHED),
        ("real", REAL),
        ("none", NONE),
        ("share=0.5, every_min=10", Saving(120.0, 180.0, share=0.5, every_s=600.0)),
        ("start_s=90,every_min=0", Saving(90.0, 90.0, share=0.6)),
    ],
)
def test_what_people_write_of_saving(text, saving):
    assert read_saving(text) == saving


@pytest.mark.parametrize("text", ["", "often", "share=2", "share=nan", "every_min=-1", "start_s=1e99", "share", "a=1"])
def test_what_is_no_saving_is_refused(text):
    with pytest.raises(InputError, match="not known"):
        read_saving(text)


@pytest.mark.parametrize(
    ("stop_s", "share", "end_s"),
    [(1000.0, 1.0, 10_400.0), (1000.0, 0.0, 11_000.0), (50.0, 1.0, 10_050.0), (50.0, 0.0, 10_050.0)],
)
def test_while_a_program_starts_it_saves_nothing_and_a_start_cut_short_is_paid_once(stop_s, share, end_s):
    made, job = cluster(Saving(every_s=600.0, share=share, starts_s=(100.0,)))
    made.wait(stop_s)
    made.preempt(job)
    made.start(job, PLACE)
    made.wait(None)
    assert made.now_s() == end_s


def test_the_first_checkpoint_comes_so_long_after_the_first_step():
    made, job = cluster(Saving(every_s=600.0, starts_s=(100.0,)))
    for moment_s, saved_s in ((50.0, None), (650.0, None), (750.0, 700.0)):
        made.wait(moment_s)
        assert made.progress(job).saved_s == saved_s


def test_who_went_on_from_a_checkpoint_has_one_from_the_start():
    made, job = cluster(Saving(0.0, 0.0, every_s=600.0))
    made.wait(500.0)
    assert made.progress(job).saved_s is None
    made.wait(1000.0)
    assert made.progress(job).saved_s == 600.0
    made.preempt(job)
    made.wait(2000.0)
    made.start(job, PLACE)
    job.started_s = 2000.0
    made.wait(2100.0)
    assert made.progress(job).saved_s == 2000.0


def test_the_same_jobs_save_whenever_one_asks():
    shares = [sum(Saving(share=0.6, seed=seed).saves(number) for number in range(4000)) / 4000 for seed in (0, 1)]
    assert shares == pytest.approx([0.6, 0.6], abs=0.03)
    assert [REAL.saves(number) for number in range(50)] == [REAL.saves(number) for number in range(50)]


def test_a_log_tells_late_wrongly_and_not_that_the_job_will_break_off():
    planned = planned_s(WORK, np.array([True]), 1)
    assert planned[0] > WORK[0]
    telling = Telling(Legibility(1.0, (1.2,)), WORK, planned)
    made, job = cluster(telling=telling)
    made.wait(100.0)
    assert made.progress(job).remaining_s is None
    made.wait(1000.0)
    told = made.progress(job)
    assert told.remaining_s == pytest.approx(1.2 * (planned[0] - 1000.0))
    assert told.low_s <= told.remaining_s / 1.2 <= told.high_s
    mute, job = cluster(telling=Telling(Legibility(0.0), WORK, planned))
    mute.wait(1000.0)
    assert mute.progress(job).remaining_s is None


def test_nothing_is_believed_before_it_was_measured():
    truth = Profile("m", "d", 1, 0, 50.0, 0.0, 1000.0, 1)
    measuring = Measuring(lambda number: truth)
    made, job = cluster(measuring=measuring)
    assert job.profile is None
    assert made.wait(None) == [Learned(job)]
    assert (made.now_s(), job.profile) == (AFTER_S, truth)
    again = LiveJob(1, "1", 1, 0.0)
    measuring.believe(again)
    assert again.profile is None, "one alone proves nothing of its kind"
    for _ in range(AGREED - 1):
        measuring.measure(again)
    measuring.believe(again)
    assert again.profile == truth
