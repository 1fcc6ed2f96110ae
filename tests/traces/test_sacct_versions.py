"""`sacct --json` differs from version to version: numbers become objects, a state becomes a list, users move."""

import io
import json

import pytest

from schedmate.traces.formats.sacct import read


def number(value):
    return {"set": True, "infinite": False, "number": value}


UNSET = {"set": False, "infinite": False, "number": 0}
GPUS = [
    {"type": "cpu", "name": None, "id": 1, "count": 8},
    {"type": "energy", "name": None, "id": 3, "count": None},
    {"type": "gres", "name": "gpu", "id": 1001, "count": 8},
    {"type": "gres", "name": "gpu:a100", "id": 1002, "count": 8},
]
TIMES = {"elapsed": 100, "eligible": 995, "start": 1000, "end": 1100, "submission": 990, "suspended": 0}

VERSIONS = [21.08, 22.05, 23.02, 23.11, 24.05, 24.11, 25.05, 25.11]
"""22.05's form was seen on a real one; the others' stand in their own data_parser, v0.0.39 to v0.0.44."""


def record(version, **more):
    """Write a job as that version does: {set, number} and the submit line since 23.02, lists of states since 23.11."""
    new = version >= 23.02
    exit_code = {"status": ["SUCCESS"] if version >= 23.11 else "SUCCESS", "return_code": number(0) if new else 0}
    made = {
        "job_id": 42,
        "array": {"job_id": 0, "task_id": UNSET if new else None, "task": "" if new else None},
        "het": {"job_id": 0, "job_offset": UNSET if new else None},
        "association": {"account": "a", "cluster": "c", "partition": None, "user": "ann"},
        "user": "ann", "partition": "gpu", "name": "train", "allocation_nodes": 2,
        "time": {**TIMES, "limit": {"set": False, "infinite": True, "number": 0} if new else None},
        "state": {"current": ["COMPLETED"] if version >= 23.11 else "COMPLETED", "reason": "None"},
        "exit_code": exit_code, "derived_exit_code": exit_code,
        "tres": {"allocated": GPUS, "requested": GPUS},
        "working_directory": "/home/ann", "steps": [],
    }  # fmt: skip
    made |= {"submit_line": "sbatch train.sh"} if new else {}
    made |= {"stdout": "%j.out", "stdout_expanded": "/home/ann/42.out"} if version >= 24.05 else {}
    return made | ({"restart_cnt": 0} if version >= 24.11 else {}) | more


def rows(version, *records):
    meta = {"plugin": {"type": "openapi"}, "Slurm": {"version": str(version)}}
    text = {"jobs": records, "meta": meta} if version >= 24.05 else {"meta": meta, "errors": [], "jobs": records}
    return list(read(io.StringIO(json.dumps(text))))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_finished_job_is_the_same_in_all_versions(version):
    (row,) = rows(version, record(version))
    assert (row.job_id, row.user, row.gpus, row.kind, row.nodes) == ("42", "ann", 8, "a100", 2)
    assert (row.submit_s, row.start_s, row.end_s, row.duration_s) == (990, 1000, 1100, 100)
    assert (row.status, row.workdir) == ("COMPLETED", "/home/ann")
    assert row.command == ("sbatch train.sh" if version >= 23.02 else "")


def test_every_number_may_be_an_object():
    times = {name: number(value) for name, value in TIMES.items()}
    array = {"job_id": number(40), "task_id": number(7)}
    (row,) = rows(24.05, record(24.05, time=times, array=array, allocation_nodes=number(3)))
    assert (row.job_id, row.nodes, row.duration_s) == ("40_7", 3, 100)


def test_arrays_and_heterogeneous_jobs_are_named_as_in_the_table():
    old = rows(
        21.08, record(21.08, array={"job_id": 40, "task_id": 0}), record(21.08, het={"job_id": 9, "job_offset": 1})
    )
    new = rows(23.11, record(23.11, het={"job_id": 9, "job_offset": number(0)}))
    waiting = rows(23.11, record(23.11, array={"job_id": 40, "task_id": UNSET, "task": "1-10%2"}))
    assert [row.job_id for row in (*old, *new, *waiting)] == ["40_0", "9+1", "9+0", "42"]


def test_a_user_who_is_gone_stands_in_the_association():
    assert rows(23.11, record(23.11, user=""))[0].user == "ann"
    assert rows(23.11, record(23.11, user=None, association=None))[0].user == ""


def test_times_that_are_not_yet():
    waits = {"elapsed": 0, "start": UNSET, "end": UNSET, "submission": 990}
    (row,) = rows(
        24.05, record(24.05, time=waits, state={"current": ["PENDING"]}, tres={"allocated": [], "requested": GPUS})
    )
    assert (row.start_s, row.end_s, row.gpus, row.status) == (None, None, 8, "PENDING")


def test_a_limit_of_no_end_is_no_number_of_gpus():
    odd = [{"type": "gres", "name": "gpu", "count": -2}, {"type": "gres", "name": "gpumem", "count": 5}]
    assert rows(23.11, record(23.11, tres={"allocated": odd}))[0].gpus == 0


@pytest.mark.parametrize(("told", "gpus", "kind"), [("gpu:4", 4, ""), ("gpu:v100:2", 2, "v100"), ("gpu:0", 0, "")])
def test_old_versions_tell_gpus_without_tres(told, gpus, kind):
    text = f"JobID|Submit|Start|End|State|AllocGRES\n1|2019-05-01T10:00:00|Unknown|Unknown|PENDING|{told}\n"
    (row,) = read(io.StringIO(text))
    assert (row.gpus, row.kind) == (gpus, kind)


def test_where_a_job_ran_and_what_it_asked_for_beside_what_it_used():
    text = (
        "JobID|Submit|Start|End|State|AllocTRES|NodeList|TimelimitRaw|TRESUsageInTot|TRESUsageInAve\n"
        "1|5|10|70|FAILED|cpu=8,mem=64G,gres/gpu=1|gpu[01-02]|120||\n"
        "1.batch|10|10|70|FAILED|mem=64G|gpu01||cpu=00:01:00,mem=1048576K|gres/gpuutil=37,mem=9K\n"
        "1.0|10|10|70|FAILED|mem=64G|gpu[01-02]||mem=16777216K|gres/gpuutil=12\n"
        "2|5|10|70|FAILED|mem=1024M|None assigned|UNLIMITED||\n"
    )
    first, second = read(io.StringIO(text))
    assert (first.node_list, first.limit_s, first.memory_asked_gib) == ("gpu[01-02]", 7200, 64)
    assert (first.memory_used_gib, first.gpu_util) == (16, 0.37)
    assert (second.node_list, second.limit_s, second.memory_asked_gib, second.gpu_util) == ("", None, 1, None)


@pytest.mark.parametrize("version", [21.08, 24.05])
def test_json_tells_the_same(version):
    mem = {"type": "mem", "name": None, "id": 2, "count": 65536}
    used = {"type": "mem", "name": None, "id": 2, "count": 8 << 30}
    limit = number(120) if version >= 23.02 else 120
    step = {"tres": {"requested": {"max": [], "total": [used]}}}
    made = record(
        version, tres={"allocated": [*GPUS, mem]}, nodes="gpu[1-2]", time={**TIMES, "limit": limit}, steps=[step]
    )
    (row,) = rows(version, made)
    assert (row.node_list, row.limit_s, row.memory_asked_gib, row.memory_used_gib) == ("gpu[1-2]", 7200, 64, 8)
    (row,) = rows(version, record(version, nodes="None assigned"))
    assert (row.node_list, row.limit_s) == ("", None)
