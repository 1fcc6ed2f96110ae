"""The same jobs by accounting, by the history and by logs: each source is read alike."""

import gzip
from contextlib import closing

import numpy as np
import pytest

from schedmate.errors import InputError
from schedmate.history.database import open_database
from schedmate.history.importers.importing import import_file
from schedmate.history.jobs import add_job
from schedmate.reports.failures import Costs
from schedmate.reports.logs import from_logs
from schedmate.reports.past import NUMBERS, Gathering, Told
from schedmate.reports.sources import from_file, from_history
from schedmate.schemas import Diagnosis, Job, PastJob

HEAD = (
    "JobID|User|Partition|JobName|Submit|Start|End|ElapsedRaw|State|AllocTRES|NodeList|TimelimitRaw|TRESUsageInTot|"
    "WorkDir"
)
DAY = "2026-06-01T0"
ROWS = (
    f"1|ann|gpu|a|{DAY}0:00:00|{DAY}0:10:00|{DAY}1:10:00|3600|FAILED|mem=64G,gres/gpu=8|n[1-2]|120||/w",
    f"1.batch||||{DAY}0:10:00|{DAY}0:10:00|{DAY}1:10:00|3600|FAILED|mem=64G|n1||mem=8G|",
    f"2|bob|gpu|b|{DAY}0:00:00|{DAY}0:00:00|{DAY}0:30:00|1800|NODE_FAIL|gres/gpu=1|n3|60||/w",
    f"3|bob|gpu|b|{DAY}2:00:00|Unknown|Unknown|0|PENDING|gres/gpu=1|None assigned|60||/w",
    f"4|bob|gpu|b|{DAY}2:00:00|Unknown|{DAY}3:00:00|0|CANCELLED by 5|gres/gpu=1|None assigned|60||/w",
    f"5|cyd|cpu|c|{DAY}2:00:00|{DAY}2:10:00|{DAY}2:00:00|0|COMPLETED|cpu=1|n3|60||/w",
    "broken",
)


def nothing(done, total):
    pass


def accounting(folder):
    path = folder / "jobs.sacct"
    path.write_text("\n".join((HEAD, *ROWS)) + "\n")
    return str(path)


def test_accounting_and_the_history_made_of_it_tell_the_same(tmp_path):
    one, other = Gathering(), Gathering()
    read = from_file(one, accounting(tmp_path), nothing)
    assert read.bad.count == 1
    import_file(tmp_path / "data", accounting(tmp_path))
    with closing(open_database(tmp_path / "data")) as connection:
        from_history(other, connection, nothing)
    first, second = one.past(), other.past()
    assert first.ids == second.ids == ["1", "2", "3", "4", "5"]
    for name in NUMBERS:
        np.testing.assert_array_equal(first[name], second[name], err_msg=name)
    for name in first.codes:
        assert [first.word(name, n) for n in range(5)] == [second.word(name, n) for n in range(5)]
    assert first.failed.tolist() == [True, True, False, False, False]
    assert first["memory_used_gib"][0] == 8
    assert np.isnan(first["ran_s"][3])


def test_a_job_told_of_twice_is_one_job(tmp_path):
    made = Gathering()
    path = tmp_path / "twice.sacct"
    path.write_text("\n".join((HEAD, ROWS[3], ROWS[3].replace("PENDING", "RUNNING"))) + "\n")
    from_file(made, str(path), nothing)
    assert (len(made.ids), made.past().word("status", 0)) == (1, "running")


def test_two_sources_may_number_alike(tmp_path):
    made = Gathering()
    for _ in range(2):
        from_file(made, accounting(tmp_path), nothing)
    assert len(made.ids) == 10


def test_a_diagnosis_in_the_history_names_the_class(tmp_path):
    found = Diagnosis(
        category="infrastructure", failure_id="gpu.xid_79", root_excerpt="Xid 79 at 0000:1b", faulty_components=("n1",)
    )
    with closing(open_database(tmp_path)) as connection:
        add_job(connection, PastJob(job=Job(job_id="9", status="failed", gpus=8), ran_s=3600.0, diagnosis=found))
        made = Gathering()
        from_history(made, connection, nothing)
    (group,) = Costs(made.past(), 1800.0).by_class()
    assert (group.name, group.gpu_hours) == ("infrastructure", 8.0)
    assert made.found[0].faulty == ("n1",)


TRACEBACK = (
    'step 1/9 loss 2.0\nTraceback (most recent call last):\n  File "t.py", line 1, in <module>\nIndexError: out\n'
)


@pytest.fixture
def logs(tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("slurm-1.out", "other.out", "another.out"):
        (folder / name).write_text(TRACEBACK)
    return folder


def test_logs_find_their_jobs_and_those_of_no_record_do_not_count(tmp_path, logs):
    made = Gathering()
    from_file(made, accounting(tmp_path), nothing)
    assert from_logs(made, [str(logs)], 1, nothing) == ["2 logs belong to no record, and no figure counts them"]
    past = made.past()
    assert len(past) == 5
    told = {group.name: group.failures for group in Costs(past, 1800.0).by_class()}
    assert told == {"script": 1, "node lost": 1}


def test_a_log_finds_its_job_in_whichever_file_it_is(tmp_path, logs):
    made = Gathering()
    from_file(made, accounting(tmp_path), nothing)
    (tmp_path / "more.sacct").write_text(f"{HEAD}\n{ROWS[0].replace('1|', '70|', 1)}\n")
    from_file(made, str(tmp_path / "more.sacct"), nothing)
    from_logs(made, [str(logs / "slurm-1.out")], 1, nothing)
    assert list(made.found) == [made.ids.index("1")]


def test_without_records_each_log_is_a_job(logs):
    made = Gathering()
    assert from_logs(made, [str(logs)], 1, nothing) == []
    assert int(made.past().failed.sum()) == len(made.ids) == 3


def test_records_that_are_given_as_logs_are_said_to_be_none(tmp_path, logs):
    path = accounting(tmp_path)
    with pytest.raises(InputError, match=r"is no log but a table of jobs \(sacct\)") as raised:
        from_logs(Gathering(), [path], 1, nothing)
    assert raised.value.hint == f"give it as --jobs {path}"
    packed = logs / "jobs.csv.gz"
    packed.write_bytes(gzip.compress(b"job_id,user,submit_s,duration_s\n1,ada,5,60\n"))
    made = Gathering()
    assert from_logs(made, [str(logs), str(packed)], 1, nothing) == [
        f"{packed} is no log but a table of jobs (csv): give it as --jobs"
    ]
    assert len(made.ids) == 3


@pytest.mark.parametrize(("since_s", "until_s", "left"), [(None, None, 3), (2.5e8, None, 2), (2.5e8, 3.5e8, 1)])
def test_a_span_of_time_keeps_who_was_over_in_it(since_s, until_s, left):
    made = Gathering()
    for number in (2, 3, 4):
        made.add(Told(str(number), start_s=number * 1e8, end_s=number * 1e8, status="failed"))
    assert len(made.past().over_within(since_s, until_s)) == left
