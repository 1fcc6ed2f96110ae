"""Each format is read by its own rules; what is wrong with a file is told by line."""

import gzip
import json
import re

import numpy as np
import pytest

from schedmate.errors import InputError
from schedmate.traces.reading import read_trace

HEADER = "job_id,user,vc,name,submit_s,duration_s,gpus,status,extra\n"

FILES = {
    "csv": HEADER + "7,ann,vcA,train,120,600,8,COMPLETED,\n",
    "helios": "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n"
    "7,ann,vcA,8,32,1,COMPLETED,2020-04-01 00:02:00,2020-04-01 00:03:00,2020-04-01 00:13:00,600,60\n",
    "acme": "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time\n"
    "7,ann,1,8,128,SFT,COMPLETED,1970-01-01 08:02:00+08:00,1970-01-01 08:03:00+08:00,1970-01-01 08:13:00+08:00,"
    "600,60,4800.0\n",
    "pai": "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\n"
    "7,worker,4,Terminated,120,720,600,29,200.0,V100\n",
    "sia": "name,time,application,num_replicas,batch_size\n7,120,cifar10,8,512\n",
    "sacct": "JobID|User|Partition|JobName|Submit|Start|End|Elapsed|State|AllocTRES\n"
    "7|ann|vcA|train|1970-01-01T00:02:00|1970-01-01T00:03:00|1970-01-01T00:13:00|00:10:00|CANCELLED by 1|"
    "billing=1,cpu=4,gres/gpu:a100=8,gres/gpu=8\n"
    "7.batch|||batch|1970-01-01T00:03:00|1970-01-01T00:03:00|1970-01-01T00:13:00|00:10:00|COMPLETED|cpu=4\n",
    "philly": json.dumps(
        [
            {
                "jobid": "7",
                "user": "ann",
                "vc": "vcA",
                "status": "Pass",
                "submitted_time": "2017-10-01 00:02:00",
                "attempts": [
                    {
                        "start_time": "2017-10-01 00:03:00",
                        "end_time": "2017-10-01 00:13:00",
                        "detail": [{"ip": "m1", "gpus": [f"gpu{i}" for i in range(8)]}],
                    },
                    {"start_time": None, "end_time": "None", "detail": []},
                ],
            }
        ]
    ),
}


@pytest.mark.parametrize("form", FILES)
def test_formats_are_known_by_their_first_line(form, tmp_path):
    path = tmp_path / "trace"
    path.write_bytes(gzip.compress(FILES[form].encode()))
    trace = read_trace(str(path))
    assert trace.submit_s.tolist() == [120.0]
    assert trace.gpus.tolist() == [8]
    assert trace.duration_s.tolist() == [600.0] or form == "sia"
    assert read_trace(f"{path}:{form}").gpus.tolist() == [8]
    assert trace.user[0] == ("ann" if form not in {"pai", "sia"} else "")
    assert trace.kind[0] == {"pai": "V100", "sacct": "a100"}.get(form, "")


def test_sacct_json(tmp_path):
    job = {
        "job_id": 7,
        "user": "ann",
        "partition": "gpu",
        "name": "train",
        "state": {"current": ["COMPLETED"]},
        "time": {"submission": 120, "elapsed": 600},
        "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 8}]},
    }
    path = tmp_path / "sacct.json"
    path.write_text(json.dumps({"jobs": [job, {"job_id": 8}]}))
    trace = read_trace(str(path))
    assert (trace.submit_s[0], trace.duration_s[0], trace.gpus[0], trace.status[0]) == (120, 600, 8, "COMPLETED")
    assert "job 2: it has no 'time'" in trace.notes[0]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("8,ann,,x,5,-3,1,,", "line 3: job 8: duration -3 s"),
        ("8,ann,,x,5,,1,,", "line 3: job 8: no duration"),
        ("8,ann,,x,soon,3,1,,", "line 3: submit_s is 'soon', not a number"),
        ("8,ann,,x,5,3,-1,,", "line 3: job 8: -1 GPUs"),
        ("8,ann,,x,5,1e300,1,,", "line 3: job 8: duration 1e+300 s"),
        ("8,ann,,x,5,3,inf,,", "line 3: job 8: inf GPUs"),
        ("8,ann,,x,nan,3,1,,", "line 3: job 8: submit time nan"),
        ("7,ann,,x,5,3,1,,", "line 3: job id 7 was seen at line 2"),
        ("8,ann,x,5,3", "line 3: 5 fields under 9 columns"),
        (",ann,,x,5,3,1,,", "line 3: no job id"),
    ],
)
def test_bad_rows_are_named_by_line(row, told, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"{FILES['csv']}{row}\n9,ann,,x,1,3,1,,\n")
    with pytest.raises(InputError, match=re.escape(told)) as caught:
        read_trace(str(path), on_bad="stop")
    assert "--on-bad skip" in caught.value.hint
    trace = read_trace(str(path))
    assert trace.job_id.tolist() == ["9", "7"]
    assert told in trace.notes[0]


def test_rows_are_sorted_by_submission_then_id(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(HEADER + "10,a,,x,5,3,1,,\n9,a,,x,5,3,1,,\n1,a,,x,7,0,1,,\n2,a,,x,0,3,0.5,,\n3,a,,x,0,3,0,,\n")
    trace = read_trace(str(path))
    assert trace.job_id.tolist() == ["2", "9", "10", "1"]
    assert trace.sizes() == [0.5, 1, 1, 1]
    told = "; ".join(trace.notes)
    assert "left out 1 job without GPUs" in told
    assert "end at once: 1" in told


@pytest.mark.parametrize(
    "text", ["", "\n", "a,b\n1,2\n", HEADER, "[", "{}", '{"jobs": 3}', "\0\1\2", HEADER + "\0" * 99]
)
def test_files_that_are_no_trace_get_one_line(text, tmp_path):
    path = tmp_path / "t"
    path.write_text(text)
    with pytest.raises(InputError):
        read_trace(str(path))


def test_a_missing_file_tells_where_traces_are_published(tmp_path):
    with pytest.raises(InputError, match=r"no trace file gone\.csv") as caught:
        read_trace("gone.csv", tmp_path)
    assert "HeliosData" in caught.value.hint


def test_a_gzip_that_is_cut_off(tmp_path):
    path = tmp_path / "t.gz"
    path.write_bytes(gzip.compress(FILES["csv"].encode() * 9)[:-9])
    with pytest.raises(InputError):
        read_trace(str(path))


KALOS = (
    "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,submit_time,start_time,"
    "end_time,fail_time,stop_time,duration,queue,gpu_time\n"
    "dlc7,ann,8,64,960,1000,100.0,Pretrain,FAILED,2023-05-17 11:00:58+00:00,2023-05-17 11:01:08+00:00,"
    "2023-05-17 11:01:16+00:00,2023-05-17 11:01:16+00:00,,18,10.0,1152.0\n"
    "dlc8,ann,1,8,96,1000,100.0,SFT,CANCELLED,2023-05-17 12:00:00+00:00,,,,2023-05-17 12:00:30+00:00,30,30.0,0.0\n"
)
PODS = (
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
    "pod-1,12000,16384,1,460,,LS,Succeeded,0,600,10.0\n"
    "pod-2,6000,12288,4,1000,V100M16|V100M32,BE,Failed,50,250,\n"
    "pod-3,6000,12288,0,0,,BE,Running,50,250,60.0\n"
)
TASKS = "7f,worker,4,Terminated,120.0,720.0,600.0,29.2,200.0,V100\n8e,ps,1,Failed,130.0,150.0,100.0,1.0,,MISC\n"


def test_kalos_counts_its_queue_into_its_duration(tmp_path):
    (tmp_path / "k.csv").write_text(KALOS)
    trace = read_trace(str(tmp_path / "k.csv"))
    assert trace.duration_s.tolist() == [8.0, 0.0]
    assert trace.gpus.tolist() == [64, 8]
    assert [trace.job_name[i] for i in range(2)] == ["Pretrain", "SFT"]


def test_pods_may_ask_for_a_part_of_a_gpu_and_may_never_have_run(tmp_path):
    (tmp_path / "pods.csv").write_text(PODS)
    trace = read_trace(str(tmp_path / "pods.csv"))
    assert trace.job_id.tolist() == ["pod-1", "pod-2"]
    assert trace.sizes() == [0.46, 4]
    assert trace.duration_s.tolist() == [590.0, 200.0]
    assert trace.kind[1] == "V100M16"


def test_several_gpus_and_a_part_of_one_are_rounded_up_and_told(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(HEADER + "1,a,,x,0,3,1.5,,\n2,a,,x,0,3,2,,\n")
    trace = read_trace(str(path))
    assert trace.sizes() == [2, 2]
    assert trace.gpus.dtype == np.int64, "parts make floats, and there are none"
    assert trace.notes == ("jobs that ask for several GPUs and a part of one, and get a whole one for it: 1",)


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("0.25", 0.25),
        ("1g.10gb", 1 / 7),
        ("3g.40gb", 3 / 7),
        ("1g.10gb+me", 1 / 7),
        ("mig-4g.20gb", 4 / 7),
        ("7g.80gb", 1),
        ("0.0000000001", 1e-6),
    ],
)
def test_a_part_of_a_gpu_is_a_number_or_an_instance_by_its_name(text, share, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(HEADER + f"1,a,,x,0,3,{text},,\n2,a,,x,0,3,2,,\n")
    assert read_trace(str(path)).sizes() == [pytest.approx(share, abs=1e-6), 2]


@pytest.mark.parametrize("text", ["5g.40gb", "3g", "g.40gb", "3g.40gbx", "nan", "-0.5"])
def test_what_is_no_part_of_a_gpu_is_a_bad_row(text, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(HEADER + f"1,a,,x,0,3,{text},,\n2,a,,x,0,3,2,,\n")
    with pytest.raises(InputError, match="line 2"):
        read_trace(str(path), on_bad="stop")


def test_the_task_table_has_no_header_and_counts_gpus_in_per_cent(tmp_path):
    (tmp_path / "tasks.csv").write_text(TASKS)
    trace = read_trace(f"{tmp_path / 'tasks.csv'}:pai")
    assert trace.gpus.tolist() == [8]
    assert trace.duration_s.tolist() == [600.0]
    assert "without GPUs" in trace.notes[0]
