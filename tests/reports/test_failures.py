"""What failures cost, counted by hand."""

import pytest

from schedmate.reports.failures import Costs, ends, repeats, roots, weeks
from schedmate.reports.markup import amount
from schedmate.reports.past import Found, Gathering, Told
from schedmate.reports.recovering import recovery

HOUR_S = 3600.0
MONDAY_S = 1_780_272_000.0  # 2026-06-01


def job(number, status, start_h, ran_h, gpus=8.0, thing=0, user="ann", wait_h=0.0, **more):
    start_s = MONDAY_S + start_h * HOUR_S
    return Told(
        str(number), user, "train", "gpu", status, gpus=gpus, thing=thing, submit_s=start_s - wait_h * HOUR_S,
        start_s=start_s, end_s=start_s + ran_h * HOUR_S, ran_s=ran_h * HOUR_S, **more,
    )  # fmt: skip


@pytest.fixture
def past():
    made = Gathering()
    made.add(job(1, "failed", 0, 2, thing=7))
    made.add(job(2, "completed", 5, 1, thing=7, wait_h=1))
    made.add(job(3, "node_fail", 0, 10, gpus=64, user="bob", thing=9))
    made.add(job(4, "failed", 200, 0.1, gpus=4, state="OUT_OF_MEMORY"))
    made.add(job(5, "timeout", 0, 24, gpus=1, user="cyd"))
    made.add(job(6, "cancelled", 0, 1, gpus=1, user="cyd"))
    made.add(job(7, "running", 0, 0, gpus=1))
    made.found[0] = Found("script", "", "script.shape_mismatch", "shapes <num>", "shapes 3", (), "no")
    return made.past()


def test_classes_come_from_logs_then_from_the_scheduler(past):
    costs = Costs(past, 1800.0)
    told = {group.name: (group.failures, group.gpu_hours, group.lost_gpu_hours) for group in costs.by_class()}
    assert told == {
        "node lost": (1, 640.0, 16.0),
        "time limit": (1, 24.0, 0.25),
        "script": (1, 16.0, 2.0),
        "out of memory": (1, 0.4, 0.4),
    }
    users = {group.name: (group.failures, group.jobs) for group in costs.by("user")}
    assert users == {"bob": (1, 1), "cyd": (1, 2), "ann": (2, 4)}
    assert next((one.status, one.jobs) for one in ends(past)) == ("failed", 2)


def test_a_jobs_own_memory_limit_is_out_of_memory_with_a_log_as_without(past):
    past.found[0] = Found("infrastructure", "node", "limits.slurm_memory", "x", "x", (), "no")
    past.found[2] = Found("infrastructure", "node", "node.kernel_oom", "x", "x", (), "elsewhere")
    told = {group.name: group.failures for group in Costs(past, 1800.0).by_class()}
    assert told == {"out of memory": 2, "infrastructure": 1, "time limit": 1}


def test_what_a_log_tells_of_its_last_save_goes_before_what_is_assumed(past):
    past.lost_s.update({2: 4 * HOUR_S, 3: 99 * HOUR_S})
    told = {group.name: group.lost_gpu_hours for group in Costs(past, 1800.0).by_class()}
    assert (told["node lost"], told["out of memory"], told["time limit"]) == (256.0, 0.4, 0.25)
    assert past.only(past["gpus"] > 4).lost_s == {2: 4 * HOUR_S}


def test_a_job_whose_size_changed_is_counted_by_what_it_had():
    made = Gathering()
    made.add(job(1, "failed", 0, 2, gpus=2, gpu_s=2 * 6 * HOUR_S))
    costs = Costs(made.past(), 1800.0)
    assert [(one.gpu_hours, one.lost_gpu_hours) for one in costs.by_class()] == [(12.0, 1.5)]


def test_away_lasts_until_the_same_thing_runs_again(past):
    costs = Costs(past, 1800.0)
    assert costs.away_hours.tolist() == pytest.approx([3, 0, 0, 0, 0, 0, 0])
    assert costs.idle_hours.tolist() == pytest.approx([2, 0, 0, 0, 0, 0, 0])


def test_weeks_begin_on_mondays(past):
    told = weeks(past, Costs(past, 1800.0))
    assert [(week.begins, week.failures) for week in told] == [("2026-06-01", 3), ("2026-06-08", 1)]
    assert told[1].failed_gpu_hours["out of memory"] == 0.4


def test_the_same_root_is_one_row(past):
    (root,) = roots(past, Costs(past, 1800.0))
    assert (root.failure_id, root.failures, root.example, root.first) == ("script.shape_mismatch", 1, "1", "2026-06-01")


def test_failures_in_a_row_end_with_a_run_that_completes():
    made = Gathering()
    for number, status in enumerate(
        ["failed", "failed", "completed", "failed", "failed", "failed", "failed", "completed"]
    ):
        made.add(job(number, status, 2 * number, 1, thing=3))
    past = made.past()
    costs = Costs(past, 1800.0)
    (row,) = repeats(past, costs)
    assert (row.failures, row.completed, row.gpu_hours, row.example) == (4, 2, 48.0, "6")
    told = recovery(past, costs)
    assert (told.held, told.held_gpu_hours, told.restarts) == (2, 16.0, 0)


def test_restarts_that_nobody_made_at_once():
    made = Gathering()
    for number, status in enumerate(("node_fail", "completed")):
        made.add(job(number, status, 10 * number, 1, thing=3, wait_h=2))
    past = made.past()
    told = recovery(past, Costs(past, 1800.0))
    assert (told.restarts, told.restart_hours) == (1, 6.95)


@pytest.mark.parametrize(
    ("status", "category", "failures"),
    [
        ("cancelled", "other", 0),
        ("cancelled", "infrastructure", 1),
        ("completed", "script", 0),
        ("failed", "none", 1),
        ("unknown", "other", 1),
    ],
)
def test_who_was_cancelled_has_failed_only_where_the_log_says_of_what(status, category, failures):
    made = Gathering()
    made.add(job(1, status, 0, 2, gpus=2))
    made.found[0] = Found(category, "", "", "a line", "a line", (), "no")
    assert int(made.past().failed.sum()) == failures


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "0"), (0.16, "0.16"), (3.44, "3.4"), (9.96, "10"), (1234.5, "1,234"), (0.0001, "under 0.01")],
)
def test_what_is_not_nothing_is_never_written_as_0(value, words):
    assert amount(value) == words
