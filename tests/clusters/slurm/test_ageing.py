"""Short jobs go first, but not for ever."""

from schedmate.clusters.slurm.ordering import aged
from tests.clusters.slurm.test_records import job

NOW_S, DAY_S = 1_795_500_000, 86_400


def waits(name, hours, eligible_hours=None):
    """Make a job that was handed in so long ago, and could start since then, or since later."""
    told = {"SubmitTime": NOW_S - hours * 3600, "EligibleTime": NOW_S - (eligible_hours or hours) * 3600}
    return name, job(JobArrayID=name, State="PENDING", **{field: str(moment) for field, moment in told.items()})


def test_who_has_waited_for_a_day_goes_before_all_that_have_not_the_longest_first():
    found = dict([waits("1", 1), waits("2", 30), waits("3", 2), waits("4", 90), waits("5", 23)])
    order = ["3", "1", "2", "5", "4"]
    assert aged(order, found, NOW_S - DAY_S) == ["4", "2", "3", "1", "5"]
    assert aged(order, found, NOW_S - 100 * DAY_S) == order


def test_time_in_which_it_could_not_start_is_no_wait():
    found = dict([waits("1", 90, eligible_hours=2), waits("2", 30)])
    assert aged(["1", "2"], found, NOW_S - DAY_S) == ["2", "1"]
