"""Jobs are kept once, told more about, found by what they ran, and never seen before their end."""

import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedmate.history.database import open_database
from schedmate.history.jobs import (
    ORDERS,
    Which,
    add_job,
    add_jobs,
    count_jobs,
    get_job,
    iterate_jobs,
    jobs_of_workload,
    list_jobs,
    remove_jobs,
)
from schedmate.schemas import Diagnosis, Evidence, Hardware, Job, Metrics, PastJob, Workload


@pytest.fixture
def connection(tmp_path):
    with closing(open_database(tmp_path)) as opened:
        yield opened


def past(job_id, submit_s=0.0, start_s=10.0, end_s=110.0, status="completed", **more):
    parts = {name: more.pop(name) for name in ("workload", "metrics", "hardware", "diagnosis", "ran_s") if name in more}
    job = Job(job_id=job_id, submit_s=submit_s, start_s=start_s, end_s=end_s, status=status, **more)
    return PastJob(job=job, **parts)


FULL = past(
    "7",
    user="ann",
    name="train",
    command="python train.py --lr 0.1",
    workdir=Path("/home/ann/code"),
    git_branch="main",
    gpus=8,
    nodes=1,
    extra={"partition": "gpu"},
    workload=Workload(
        model_name="gpt2", batch_size=8, evidence={"batch_size": (Evidence(path="a.yaml", line=3, quote="bs: 8"),)}
    ),
    metrics=Metrics(step_time_s=0.5, metrics={"acc": 0.9}, trend=(3.0, 2.5)),
    hardware=Hardware(gpu_util=0.8, gpu_memory_gib=30.5, power_w=300, samples=12),
    diagnosis=Diagnosis(category="script", failure_id="script.shape_mismatch"),
)


def test_a_job_comes_back_as_it_was(connection):
    assert add_job(connection, FULL) == (1, 0, 0)
    assert get_job(connection, "7") == FULL
    assert get_job(connection, "7", "schedmate") == FULL
    assert get_job(connection, "7", "sacct") is None
    assert get_job(connection, "8") is None


def test_the_same_job_again_changes_nothing(connection):
    assert add_jobs(connection, [FULL, past("8"), FULL]) == (2, 0, 1)
    assert add_jobs(connection, [FULL, past("8")]) == (0, 0, 2)
    assert count_jobs(connection) == 2


def test_a_job_is_told_more_about_and_loses_nothing(connection):
    add_job(connection, past("7", end_s=None, status="running", user="ann", gpus=8, command="python a.py"))
    assert count_jobs(connection, Which(ended=True)) == 0
    ended = PastJob(job=Job(job_id="7", end_s=500.0, status="completed"), hardware=Hardware(gpu_util=0.5))
    assert add_job(connection, ended) == (0, 1, 0)
    kept = get_job(connection, "7")
    assert (kept.job.user, kept.job.gpus, kept.duration_s, kept.hardware.gpu_util) == ("ann", 8, 490, 0.5)
    add_job(connection, PastJob(job=Job(job_id="7"), diagnosis=Diagnosis(category="none")))
    assert get_job(connection, "7").hardware.gpu_util == 0.5
    assert get_job(connection, "7").job.status == "completed"
    assert count_jobs(connection, Which(ended=True)) == 1


def test_one_id_in_two_sources_is_two_jobs(connection):
    add_jobs(connection, [past("7", user="ann"), past("7", user="bob").model_copy(update={"source": "sacct"})])
    assert count_jobs(connection) == 2
    assert get_job(connection, "7", "sacct").job.user == "bob"


def test_workloads_that_are_equal_are_stored_once(connection):
    same = Workload(model_name="gpt2", batch_size=8)
    add_jobs(connection, [past(str(i), end_s=100.0 + i, workload=same) for i in range(5)])
    assert connection.execute("SELECT count(*) FROM workloads").fetchone()[0] == 1
    number = connection.execute("SELECT id FROM workloads").fetchone()[0]
    assert [p.job.job_id for p in jobs_of_workload(connection, number, known_by_s=102.5)] == ["2", "1", "0"]


def test_nothing_is_known_before_its_end(connection):
    add_jobs(connection, [past("a", end_s=100.0), past("b", end_s=50.0), past("c", end_s=None, status="running")])
    assert [p.job.job_id for p in iterate_jobs(connection, Which(known_by_s=99.0), "ended")] == ["b"]
    assert [p.job.job_id for p in iterate_jobs(connection, Which(ended=True), "ended")] == ["b", "a"]


@pytest.mark.parametrize(
    ("times", "duration_s", "known_s"),
    [
        ({"submit_s": 0, "start_s": 10, "end_s": 30}, 20, 30),
        ({"submit_s": 0, "start_s": 40, "end_s": 30}, None, 40),
        ({"submit_s": 50, "start_s": 10, "end_s": 30}, 20, 50),
        ({"submit_s": 5, "start_s": None, "end_s": None, "ran_s": 7}, 7, 12),
        ({"submit_s": 5, "start_s": None, "end_s": None, "ran_s": -7}, None, None),
        ({"submit_s": 5, "start_s": 6, "end_s": None}, None, None),
    ],
)
def test_clocks_that_run_backwards(connection, times, duration_s, known_s):
    job = past("7", **times)
    assert (job.duration_s, job.known_s) == (duration_s, known_s)
    add_job(connection, job)
    assert get_job(connection, "7") == job


def test_jobs_are_picked(connection):
    add_jobs(
        connection,
        [
            past("a", 10.0, user="ann", name="Train-big"),
            past("b", 20.0, user="bob", status="failed"),
            past("c", 30.0, user="ann", status="cancelled", workload=Workload(model_name="x")),
        ],
    )

    def ids(**which):
        return [p.job.job_id for p in list_jobs(connection, Which(**which))]

    assert ids() == ["c", "b", "a"]
    assert ids(user="ann") == ["c", "a"]
    assert ids(status=("failed", "cancelled")) == ["c", "b"]
    assert ids(name="train") == ["a"]
    assert ids(since_s=15, until_s=25) == ["b"]
    assert ids(with_workload=True) == ["c"]
    assert ids(source="sacct") == []
    assert remove_jobs(connection, Which(until_s=20)) == 2
    assert ids() == ["c"]
    assert remove_jobs(connection, Which()) == 1
    assert connection.execute("SELECT count(*) FROM workloads").fetchone()[0] == 0


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@settings(max_examples=20)
@given(st.lists(st.builds(Job, job_id=TEXT, user=TEXT, command=TEXT, gpus=st.integers(0, 9), extra=st.just({}))))
def test_any_text_is_kept(jobs):
    with tempfile.TemporaryDirectory() as folder, closing(open_database(Path(folder))) as connection:
        add_jobs(connection, [PastJob(job=job) for job in jobs])
        assert {p.job.job_id for p in iterate_jobs(connection)} == {job.job_id for job in jobs}


def test_a_job_that_tells_no_submission_is_listed_and_pruned_by_what_it_tells(connection):
    ends = {"submit_s": None, "start_s": None}
    add_jobs(connection, [past("first", submit_s=10.0), past("told", end_s=60.0, **ends), past("last", submit_s=90.0)])
    assert [kept.job.job_id for kept in list_jobs(connection)] == ["last", "told", "first"]
    assert [kept.job.job_id for kept in list_jobs(connection, Which(since_s=50.0, until_s=70.0))] == ["told"]
    assert remove_jobs(connection, Which(until_s=70.0)) == 2
    assert get_job(connection, "told") is None
    plan = connection.execute(f"EXPLAIN QUERY PLAN SELECT * FROM jobs ORDER BY {ORDERS['newest']} LIMIT 20")
    assert "jobs_by_beginning" in str([tuple(row) for row in plan])
