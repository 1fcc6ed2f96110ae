"""Limits and reservations hold under every policy: by hand on small cases, and as what may never happen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedmate.clusters.simulation.cluster_spec import parse_nodes
from schedmate.clusters.simulation.reservations import Reservation, read_reservations
from schedmate.errors import InputError
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.run_policy import run
from schedmate.scheduling.simulation.unschedulable import drop_misfits
from schedmate.scheduling.sites.accounts import read_accounts
from schedmate.traces.columns import Labels
from schedmate.traces.generating import generate

POLICIES = (
    "fifo",
    "easy",
    "slurm",
    "sjf",
    "srtf",
    "qssf",
    "tiresias",
    "horus",
    "horus-simulated",
    "lucid",
    "schedmate",
)
HOUR = 3600.0
ASSOC = "Account|User|Share|GrpTRES|MaxJobs\nroot||1||\nvision||2|gres/gpu=4|\nvision|ada|1||1\nspeech|bob|1||\n"
QOS = "Name|Priority|MaxTRESPU|MaxJobsPU|GrpTRES\nnormal|0|gres/gpu=4|2|\nurgent|100|||gres/gpu=2\n"
ROWS = st.lists(
    st.tuples(st.integers(0, 20_000), st.integers(1, 9_000), st.sampled_from([1, 1, 2, 4, 8]), st.integers(0, 2)),
    min_size=1,
    max_size=25,
)
USERS = ("ada", "bob", "cy")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    (folder / "assoc.txt").write_text(ASSOC)
    (folder / "qos.txt").write_text(QOS)
    return read_accounts(f"{folder}/assoc.txt,{folder}/qos.txt")


def trace_of(rows, account=None, qos=None):
    """Make a trace of rows: submitted, duration, GPUs, user."""
    rows = sorted(rows)
    made = generate("helios", jobs=len(rows), seed=1)
    from dataclasses import replace

    column = lambda place: np.array([float(row[place]) for row in rows])  # noqa: E731
    users = Labels(np.array([row[3] for row in rows], np.int32), USERS)
    count = len(rows)
    return replace(
        made,
        job_id=np.arange(count).astype(str),
        submit_s=column(0),
        duration_s=column(1),
        limit_s=column(1),
        gpus=column(2).astype(np.int64),
        user=users,
        vc=Labels.same("", count),
        kind=Labels.same("", count),
        status=Labels.same("completed", count),
        account=Labels.of([account] * count) if account else made.account,
        qos=Labels.of([qos] * count) if qos else made.qos,
    )


class Watched:
    """Writes down who runs where from when to when, by wrapping the simulated cluster."""

    def __init__(self, monkeypatch):
        from schedmate.clusters.simulation.cluster import SimulatedCluster

        self.open, self.spans = {}, []
        start, leave = SimulatedCluster.start, SimulatedCluster._leave

        def started(cluster, job, placement, partner=None):
            self.open[job.number] = (cluster.now_s(), job, placement)
            start(cluster, job, placement, partner)

        def left(cluster, job, state):
            begin_s, _, placement = self.open.pop(job.number)
            self.spans.append((begin_s, cluster.now_s(), job, placement))
            leave(cluster, job, state)

        monkeypatch.setattr(SimulatedCluster, "start", started)
        monkeypatch.setattr(SimulatedCluster, "_leave", left)

    def most(self, counts, weigh):
        """Give the most of something that ran at once."""
        edges = [(b, 1, weigh(j)) for b, e, j, _ in self.spans if counts(j) and e > b]
        edges += [(e, 0, -weigh(j)) for b, e, j, _ in self.spans if counts(j) and e > b]
        level = most = 0
        for _, _, change in sorted(edges):
            level += change
            most = max(most, level)
        return most


def play(trace, policy, nodes="2x4", **more):
    given = Experiment(trace=trace, nodes=tuple(parse_nodes(nodes)), accounting="honest", profiler=None, **more)
    given = drop_misfits(given, "skip")
    return run(given, policy).outcomes


def test_a_limit_of_jobs_keeps_the_next_back_and_lets_others_pass(site):
    # Ada may run one job at a time: her second waits for her first, and Bob's starts at once.
    trace = trace_of([(0, 100, 1, 0), (1, 100, 1, 0), (2, 100, 1, 1)], qos="none")
    for policy in ("fifo", "slurm", "schedmate"):
        assert play(trace, policy, site=site).first_start_s.tolist() == [0, 100, 2], policy


def test_the_gpus_of_an_account_are_shared_by_its_users(site):
    # Vision may have 4 GPUs together: Bob's job of 2 waits until Cy's 4 are free again.
    trace = trace_of([(0, 100, 4, 2), (1, 100, 2, 1), (2, 100, 2, 1)], account="vision")
    assert play(trace, "easy", site=site).first_start_s.tolist() == [0, 100, 100]


def test_a_quality_of_service_limits_each_user_and_all_together(site):
    normal = trace_of([(0, 100, 1, 1), (0, 100, 1, 1), (0, 100, 1, 1), (0, 100, 1, 2)], qos="normal")
    assert sorted(play(normal, "slurm", site=site).first_start_s.tolist()) == [0, 0, 0, 100]
    urgent = trace_of([(0, 100, 1, 1), (0, 100, 1, 1), (0, 100, 1, 2)], qos="urgent")
    assert sorted(play(urgent, "slurm", site=site).first_start_s.tolist()) == [0, 0, 100]


def test_a_job_above_its_limit_is_named_before_anything_runs(site):
    trace = trace_of([(0, 100, 8, 1)], qos="normal")
    with pytest.raises(InputError, match="asks for 8 GPUs, which is above the limit of qos normal user bob"):
        drop_misfits(Experiment(trace=trace, nodes=tuple(parse_nodes("2x4")), site=site), "stop")


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=12, deadline=None)
@given(rows=ROWS)
def test_limits_are_never_exceeded(policy, rows, site):
    rows = [(at, ran, min(gpus, 4), user) for at, ran, gpus, user in rows]
    with pytest.MonkeyPatch.context() as patch:
        watched = Watched(patch)
        outcomes = play(trace_of(rows, account="vision", qos="normal"), policy, site=site)
        assert not np.isnan(outcomes.end_s).any()
        assert watched.most(lambda job: True, lambda job: job.gpus) <= 4
        for user, jobs in (("ada", 1), ("bob", 2), ("cy", 2)):
            assert watched.most(lambda job, user=user: job.user == user, lambda job: 1) <= jobs


def window(start_s, end_s, nodes, users=()):
    return Reservation("w", start_s, end_s, frozenset(nodes), frozenset(users))


def test_who_would_reach_into_maintenance_waits_and_who_would_not_goes_ahead():
    # One node, away from 1,000 to 2,000 s: the job of 1,200 s waits for its end, that of 900 s does not.
    trace = trace_of([(0, 900, 2, 0), (50, 1200, 4, 1), (60, 900, 2, 2)])
    found = play(trace, "easy", "1x4", reservations=(window(1000, 2000, ["gpu-1"]),))
    assert found.first_start_s.tolist() == [0, 2000, 60]


def test_a_reservation_is_open_to_its_own_users_only():
    trace = trace_of([(0, 500, 4, 0), (0, 500, 4, 1)])
    found = play(trace, "fifo", "2x4", reservations=(window(0, 5000, ["gpu-1"], ["bob"]),))
    assert found.first_start_s.tolist() == [0, 0]
    found = play(trace, "schedmate", "1x4", reservations=(window(0, 5000, ["gpu-1"], ["bob"]),))
    assert found.first_start_s.tolist() == [5000, 0]


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=12, deadline=None)
@given(rows=ROWS, begins=st.integers(0, 20_000), lasts=st.integers(1, 20_000), owner=st.sampled_from([(), ("bob",)]))
def test_no_job_reaches_into_a_reservation(policy, rows, begins, lasts, owner):
    reserved = window(begins, begins + lasts, ["gpu-1"], owner)
    with pytest.MonkeyPatch.context() as patch:
        watched = Watched(patch)
        outcomes = play(trace_of(rows), policy, reservations=(reserved,))
        assert not np.isnan(outcomes.end_s).any()
        for begin_s, end_s, job, placement in watched.spans:
            if any(node == "gpu-1" for node, _ in placement.parts) and job.user not in owner:
                assert end_s <= reserved.start_s or begin_s >= reserved.end_s
                # Nothing started there that its limit would have let run into it.
                assert not begin_s < reserved.start_s < begin_s + job.reach[0]


def test_reservations_are_read_as_slurm_prints_them(tmp_path):
    path = tmp_path / "scontrol.txt"
    path.write_text(
        "ReservationName=update StartTime=2026-01-05T08:00:00 EndTime=2026-01-05T12:00:00 Duration=04:00:00\n"
        "   Nodes=gpu-[1-2] NodeCnt=2 CoreCnt=64 Features=(null) PartitionName=(null) Flags=MAINT,SPEC_NODES\n"
        "   Users=(null) Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE\n\n"
        "ReservationName=course StartTime=2026-01-05T13:00:00 EndTime=2026-01-05T14:00:00 Nodes=ALL Users=ada,bob\n"
    )
    update, course = read_reservations(path, ["gpu-1", "gpu-2", "gpu-3"], 1767571200.0)  # 2026-01-05 00:00
    assert (update.start_s, update.end_s, sorted(update.nodes)) == (8 * HOUR, 12 * HOUR, ["gpu-1", "gpu-2"])
    assert update.is_maintenance
    assert (course.users, len(course.nodes)) == ({"ada", "bob"}, 3)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("ReservationName=a StartTime=9 EndTime=5 Nodes=gpu-1", "ends before it begins"),
        ("ReservationName=a StartTime=1 EndTime=5 Nodes=gpu-7", "has no node gpu-7"),
        ("ReservationName=a StartTime=soon EndTime=5 Nodes=gpu-1", "not a time"),
        ("ReservationName=a StartTime=1 EndTime=5 Nodes=gpu-1 Users=-bob", "says whom it is not for"),
        ("ReservationName=a StartTime=2026-01-05 EndTime=2026-01-06 Nodes=gpu-1", "has a date"),
        ("", "holds no reservation"),
    ],
)
def test_reservations_that_cannot_be_played_are_refused(tmp_path, line, told):
    (tmp_path / "r.txt").write_text(line)
    with pytest.raises(InputError, match=told):
        read_reservations(tmp_path / "r.txt", ["gpu-1"], 0.0)


def test_limits_that_are_not_kept_are_named(tmp_path):
    (tmp_path / "qos.txt").write_text("Name|MaxTRESPU|MaxWall|GrpTRESMins\nnormal|cpu=64|2-00:00:00|gres/gpu=100\n")
    assert read_accounts(str(tmp_path / "qos.txt")).unplayed == ("MaxTRESPU", "MaxWall", "GrpTRESMins")
