"""Each scheduler's records become the same jobs; what is bad is told by line and stops nothing."""

import gzip
import io
import json
import sys
from contextlib import closing

import pytest

from schedmate.errors import InputError
from schedmate.history.database import open_database
from schedmate.history.exporting import export_jobs
from schedmate.history.importers.importing import import_file
from schedmate.history.importers.reading import open_history_file
from schedmate.history.jobs import iterate_jobs
from tests.history.importers.records import FILES, KUBERNETES, PRINTED_BY_RAY, RAY


def imported(tmp_path, text, name="jobs", **options):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    form = options.pop("form", "")
    done = import_file(tmp_path / "data", f"{path}:{form}" if form else str(path), **options)
    with closing(open_database(tmp_path / "data")) as connection:
        return done, list(iterate_jobs(connection))


@pytest.mark.parametrize("form", FILES)
def test_formats_are_known_and_read_alike(form, tmp_path):
    done, jobs = imported(tmp_path, gzip.compress(FILES[form].encode()))
    assert (done.format, done.new, done.bad) == (form.partition(" ")[0], 1, 0), done.bad_shown
    past = jobs[0]
    assert (past.job.submit_s, past.duration_s, past.job.status) == (120.0, 600.0, "completed")
    assert past.known_s in {720.0, 780.0}
    assert past.job.gpus == (0 if form.startswith("ray") else 8)
    assert past.job.user == ("" if form == "pai" else "ann")
    assert past.notes == ()
    again, _ = imported(tmp_path, FILES[form])
    assert (again.new, again.changed, again.same) == (0, 0, 1)


def test_slurm_tells_command_directory_memory_and_how_it_ended(tmp_path):
    header = "JobID|User|JobName|Submit|Start|End|Elapsed|State|AllocTRES|NNodes|WorkDir|SubmitLine|TRESUsageInMax\n"
    day = "2026-03-01T0"
    rows = [
        f"7|ann|a|{day}0:00:00|{day}0:01:00|{day}0:02:00|00:01:00|CANCELLED by 9|gres/gpu=1|1|/home/ann|sbatch a.sh|",
        f"7.batch||batch|{day}0:01:00|{day}0:01:00|{day}0:02:00|00:01:00|CANCELLED||1|||gres/gpumem=2048M,mem=1G",
        f"8_1|ann|a|{day}0:00:00|{day}0:01:00|{day}0:02:00|00:01:00|OUT_OF_MEMORY|gres/gpu:a100=4,gres/gpu=4|1|||",
        f"8_[2-9]|ann|a|{day}0:00:00|Unknown|Unknown|00:00:00|PENDING||1|||",
        f"9+0|ann|a|{day}0:00:00|{day}0:01:00|{day}0:02:00|00:01:00|TIMEOUT|cpu=4|2|||",
        f"9+1|ann|a|{day}0:00:00|{day}0:01:00|{day}0:02:00|00:01:00|NODE_FAIL|cpu=4|2|||",
        f'13|ann|a|{day}0:00:00|{day}0:01:00|{day}0:02:00|00:01:00|COMPLETED|cpu=4|2|/w|sbatch --wrap "a | b || c"|x',
        f"10|ann|a|{day}0:00:00|{day}0:01:00|Unknown|00:01:00|RUNNING|gres/gpu=2|1|||",
        "11|ann|a|Unknown|Unknown|Unknown|00:01:00|COMPLETED|gres/gpu=2|1|||",
        "12|broken",
    ]
    done, jobs = imported(tmp_path, header + "\n".join(rows) + "\n")
    by_id = {past.job.job_id: past for past in jobs}
    assert {key: past.job.status for key, past in by_id.items()} == {
        "7": "cancelled", "8_1": "failed", "8_[2-9]": "pending", "9+0": "timeout", "9+1": "node_fail", "10": "running",
        "13": "completed",
    }  # fmt: skip
    assert done.bad == 2
    assert done.bad_shown == ("line 10: Submit is 'Unknown', not a time", "line 11: 2 fields under 13 columns")
    assert (by_id["7"].job.command, str(by_id["7"].job.workdir)) == ("sbatch a.sh", "/home/ann")
    assert by_id["13"].job.command == 'sbatch --wrap "a | b || c"'
    assert by_id["7"].hardware.gpu_memory_gib == 2.0
    assert by_id["8_1"].job.extra == {"state": "OUT_OF_MEMORY", "gpu_type": "a100"}
    assert by_id["10"].known_s is None


def test_slurm_json_of_old_and_new_versions(tmp_path):
    times = {"submission": 120, "start": 180, "end": 780, "elapsed": 600}
    old = {
        "job_id": 70, "array": {"job_id": 69, "task_id": 3}, "het": {"job_id": 0}, "user": "ann", "time": times,
        "state": {"current": "COMPLETED"}, "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 8}]},
    }  # fmt: skip
    new = {
        "job_id": 71, "array": {"job_id": 0, "task_id": {"set": False, "number": 0}}, "het": {"job_id": 71,
        "job_offset": {"set": True, "number": 1}}, "user": "ann", "state": {"current": ["CANCELLED"]},
        "time": {**times, "submission": {"set": True, "number": 130}}, "submit_line": "sbatch b.sh",
        "working_directory": "/w", "allocation_nodes": 2, "steps": [],
    }  # fmt: skip
    text = json.dumps({"meta": {"Slurm": {}}, "jobs": [old, new, {"job_id": 5}, 3], "errors": []})
    done, jobs = imported(tmp_path, text)
    assert [(p.job.job_id, p.job.status, p.job.gpus) for p in jobs] == [
        ("69_3", "completed", 8),
        ("71+1", "cancelled", 0),
    ]
    assert (jobs[1].job.command, jobs[1].job.nodes, jobs[1].job.submit_s) == ("sbatch b.sh", 2, 130)
    assert done.bad == 2


def test_ray_in_all_its_outputs(tmp_path):
    for number, text in enumerate((json.dumps(RAY), PRINTED_BY_RAY)):
        _, jobs = imported(tmp_path, text, source=f"ray{number}")
        jobs = [past for past in jobs if past.source == f"ray{number}"]
        assert [past.job.status for past in jobs] == ["completed", "cancelled", "running"]
        assert jobs[0].job.command == "python train.py --name 'a b'"
        assert (jobs[0].job.job_id, str(jobs[0].job.workdir)) == ("raysubmit_a1", "/home/ann/code")
        assert jobs[1].job.workdir is None
    by_id = {"raysubmit_z": {"status": "FAILED", "entrypoint": "x", "start_time": 120000, "end_time": 121000}}
    _, jobs = imported(tmp_path, json.dumps(by_id), source="old")
    assert [p.job.status for p in jobs if p.source == "old"] == ["failed"]


def test_kubernetes_jobs_and_pods(tmp_path):
    done, jobs = imported(tmp_path, json.dumps({"apiVersion": "v1", "kind": "List", "items": KUBERNETES}))
    by_name = {past.job.name: past for past in jobs}
    assert set(by_name) == {"train", "late", "waiting", "alone", "oom"}
    assert by_name["train"].job.gpus == 8
    assert by_name["train"].job.command == "python train.py --lr 0.1"
    assert by_name["late"].job.status == "timeout"
    assert by_name["waiting"].job.status == "pending"
    assert (by_name["alone"].duration_s, by_name["alone"].job.status) == (60, "completed")
    assert (by_name["oom"].job.status, by_name["oom"].job.extra["state"]) == ("failed", "OOMKilled")
    assert by_name["oom"].job.gpus == pytest.approx(3 / 7)
    assert done.bad == 1
    one, _ = imported(tmp_path, json.dumps(KUBERNETES[0], indent=4), source="alone")
    assert one.new == 1


def test_odd_clocks_are_kept_and_said(tmp_path):
    header = "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue,jobname\n"
    rows = [
        "1,ann,v,1,1,1,COMPLETED,2020-04-01 00:05:00,2020-04-01 00:03:00,2020-04-01 00:13:00,600,-120,",
        "2,ann,v,1,1,1,COMPLETED,2020-04-01 00:02:00,2020-04-01 00:13:00,2020-04-01 00:03:00,-600,60,",
        "3,ann,v,-1,1,1,COMPLETED,2020-04-01 00:02:00,2020-04-01 00:03:00,2020-04-01 00:13:00,600,60,",
        "4,ann,v,1,1,1,COMPLETED,never,,,600,60,",
    ]
    done, jobs = imported(tmp_path, header + "\n".join(rows))
    assert [(past.job.job_id, past.duration_s) for past in jobs] == [("2", None), ("1", 600)]
    assert (done.odd, done.bad) == (2, 2)
    assert done.odd_shown[0] == "job 1: started 120 s before it was submitted"
    assert done.odd_shown[1] == "job 2: ended 600 s before it started; a run time of -600 s is impossible and left out"
    assert done.bad_shown[0] == "line 4: job 3: -1 GPUs"


def test_times_that_count_from_a_beginning(tmp_path):
    _, jobs = imported(tmp_path, FILES["csv"], origin_s=1.6e9)
    assert jobs[0].job.submit_s == 1.6e9 + 120
    assert jobs[0].known_s == 1.6e9 + 720


def test_two_plain_tables_keep_their_jobs_apart(tmp_path):
    for name in ("venus.csv", "earth.csv.gz"):
        text = FILES["csv"].encode()
        (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
        import_file(tmp_path, str(tmp_path / name))
    with closing(open_database(tmp_path)) as connection:
        assert sorted(past.source for past in iterate_jobs(connection)) == ["earth", "venus"]


def test_a_file_that_breaks_off_is_read_up_to_there(tmp_path):
    job = json.loads(FILES["sacct json"])["jobs"][0]
    text = json.dumps({"jobs": [{**job, "job_id": number} for number in range(50)]})
    done, jobs = imported(tmp_path, text[: len(text) // 2])
    assert len(jobs) == done.new == 25
    assert "after 25 jobs" in done.bad_shown[0]
    rows = "".join(f"{number},ann,vcA,train,{number},2,8,COMPLETED,\n" for number in range(5000))
    packed = gzip.compress((FILES["csv"] + rows).encode())
    done, _ = imported(tmp_path, packed[: len(packed) // 2])
    assert 1000 < done.new < 5000
    assert "Compressed file ended" in done.bad_shown[-1]


@pytest.mark.parametrize("text", ["", "   ", "hello", "[", "{", "{}", "[1, 2", "\0\0", '{"kind": 3', "a,b\n1,2", "<>"])
def test_what_is_no_record_gets_one_line(text, tmp_path):
    with pytest.raises(InputError):
        imported(tmp_path, text)


@pytest.mark.parametrize("form", ["schedmate", "sacct", "ray", "kubernetes", "philly", "helios", "acme", "pai", "csv"])
@pytest.mark.parametrize("text", ["", "[]", "{}", '[{"a": 1}]', "JobDetails(" * 99, "[" * 2000, "\xff\0\n", "a|b\n1"])
def test_any_text_under_any_name_breaks_nothing(form, text, tmp_path):
    try:
        done, _ = imported(tmp_path, text, form=form)
    except InputError:
        return
    assert done.new == 0


def test_an_unknown_format_is_told(tmp_path):
    (tmp_path / "jobs.txt").write_text("x")
    with pytest.raises(InputError, match="no format 'lsf'"):
        import_file(tmp_path, f"{tmp_path / 'jobs.txt'}:lsf")
    with pytest.raises(InputError, match="cannot be read"):
        import_file(tmp_path, str(tmp_path / "gone"))


def test_a_format_is_named_behind_a_colon_also_of_standard_input(tmp_path, monkeypatch):
    path = tmp_path / "odd:name.csv"
    path.write_text(FILES["helios"])
    assert import_file(tmp_path, f"{path}:helios").format == "helios"
    assert import_file(tmp_path / "other", str(path)).format == "helios"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FILES["helios"].encode())))
    assert import_file(tmp_path / "third", "-:helios").new == 1


def test_standard_input(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FILES["helios"].encode())))
    assert import_file(tmp_path, "-").new == 1


def test_progress_is_told_in_bytes(tmp_path):
    heard = []
    row = "{},ann,vcA,train,120,600,8,COMPLETED,\n"
    text = FILES["csv"].partition("\n")[0] + "\n" + "".join(row.format(number) for number in range(5000))
    imported(tmp_path, text, advance=lambda done, total: heard.append((done, total)))
    assert heard == sorted(heard)
    assert heard[-1] == (len(text), len(text))
    assert len(heard) > 5


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_what_is_exported_can_be_imported(form, tmp_path):
    _, jobs = imported(tmp_path, FILES["sacct"])
    written = io.StringIO()
    assert export_jobs(jobs, written, form) == 1
    other = tmp_path / "other"
    other.mkdir()
    _, back = imported(other, written.getvalue())
    assert back[0].job.command == jobs[0].job.command
    assert (back[0].duration_s, back[0].job.submit_s) == (jobs[0].duration_s, jobs[0].job.submit_s)
    assert form == "csv" or back == jobs


def test_what_was_cancelled_before_it_began_ran_for_no_known_time(tmp_path):
    path = tmp_path / "table"
    header = "JobID|User|Submit|Start|End|Elapsed|State|AllocTRES\n"
    path.write_text(header + "7|ann|2026-05-01T10:00:00|None|2026-05-01T10:05:00|00:00:00|CANCELLED by 1001|\n")
    with open_history_file(str(path)) as (_, jobs):
        (past,) = jobs
    assert past.job.status == "cancelled"
    assert past.duration_s is None
    assert past.job.end_s is not None


def test_entries_that_are_no_jobs_are_told_by_place_in_words(tmp_path):
    whole = json.loads(FILES["sacct json"])["jobs"]
    done, _ = imported(tmp_path, json.dumps({"jobs": [*whole, {"job_id": 8}, None]}))
    assert (done.new, done.bad) == (1, 2)
    assert done.bad_shown[0] == "entry 2: it has no 'time'"
    assert done.bad_shown[1].startswith("entry 3: it is not shaped like a job")


def test_attempts_whose_clocks_run_backwards_add_up_to_no_run_time(tmp_path):
    job = json.loads(FILES["philly"])[0]
    stamps = ("1970-01-01 02:00:00", "1970-01-01 01:00:00"), ("1970-01-01 03:00:00", "1970-01-01 09:00:00")
    attempts = [{"start_time": start, "end_time": end, "detail": []} for start, end in stamps]
    done, jobs = imported(tmp_path, json.dumps([job | {"attempts": attempts}]))
    assert (done.new, done.odd) == (1, 1)
    assert jobs[0].duration_s is None
    assert jobs[0].known_s == 9 * 3600
    assert jobs[0].notes == ("1 of its attempts ended before they started",)


def test_objects_of_kubernetes_without_their_list(tmp_path):
    done, jobs = imported(tmp_path, json.dumps(KUBERNETES[:1]))
    assert (done.format, done.new, jobs[0].job.status) == ("kubernetes", 1, "completed")


def test_a_format_that_is_not_known_is_named_by_an_option(tmp_path):
    with pytest.raises(InputError) as caught:
        imported(tmp_path, "what is this\n")
    assert caught.value.hint.startswith("name it: FILE:schedmate|sacct|")
