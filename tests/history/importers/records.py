"""One job as each scheduler tells it: submitted at 120 s, started at 180 s, ended at 780 s, on 8 GPUs, by ann."""

import json

STAMPS = ("1970-01-01T00:02:00", "1970-01-01T00:03:00", "1970-01-01T00:13:00")
POD = {
    "containers": [
        {"name": "sidecar", "image": "log:1"},
        {
            "name": "main",
            "image": "train:1",
            "command": ["python", "train.py"],
            "args": ["--lr", "0.1"],
            "workingDir": "/code",
            "resources": {"limits": {"nvidia.com/gpu": "4", "memory": "8Gi"}},
        },
    ]
}


def meta(name, **more):
    return {"name": name, "namespace": "team", "uid": f"{name}-uid", "creationTimestamp": f"{STAMPS[0]}Z", **more}


def pod(name, state, phase, owners=(), resources=None):
    spec = {"containers": [{"name": "main", "resources": resources or {}}]}
    status = {"phase": phase, "startTime": f"{STAMPS[0]}Z", "containerStatuses": [{"name": "main", "state": state}]}
    return {"kind": "Pod", "metadata": meta(name, ownerReferences=list(owners)), "spec": spec, "status": status}


def ended(reason, code):
    times = {"startedAt": "1970-01-01T00:03:00Z", "finishedAt": "1970-01-01T00:04:00Z"}
    return {"terminated": {"reason": reason, "exitCode": code, **times}}


DONE = [{"type": "Suspended", "status": "False"}, {"type": "Complete", "status": "True"}]
LATE = [{"type": "Failed", "status": "True", "reason": "DeadlineExceeded", "lastTransitionTime": f"{STAMPS[2]}Z"}]
SPEC = {"parallelism": 2, "template": {"spec": POD}}
KUBERNETES = [
    {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": meta("train", labels={"example.org/user": "ann"}),
        "spec": SPEC,
        "status": {"startTime": f"{STAMPS[1]}Z", "completionTime": f"{STAMPS[2]}Z", "conditions": DONE, "succeeded": 2},
    },
    {
        "kind": "Job",
        "metadata": meta("late"),
        "spec": SPEC,
        "status": {"startTime": f"{STAMPS[1]}Z", "conditions": LATE},
    },
    {"kind": "Job", "metadata": meta("waiting"), "spec": SPEC, "status": {}},
    pod("train-x7", ended("Completed", 0), "Succeeded", [{"kind": "Job", "uid": "train-uid"}]),
    pod("web-1", {"running": {"startedAt": f"{STAMPS[1]}Z"}}, "Running", [{"kind": "ReplicaSet", "uid": "web"}]),
    pod("alone", ended("Completed", 0), "Succeeded"),
    pod("oom", ended("OOMKilled", 137), "Failed", resources={"limits": {"nvidia.com/mig-3g.20gb": 1}}),
    {"kind": "Service", "metadata": meta("svc")},
    {"kind": "Job", "metadata": {}},
]

RAY = [
    {
        "type": "SUBMISSION", "job_id": "01000000", "submission_id": "raysubmit_a1", "status": "SUCCEEDED",
        "entrypoint": "python train.py --name 'a b'", "message": "Job finished successfully.", "error_type": None,
        "start_time": 120000, "end_time": 720000, "metadata": {"user": "ann"},
        "runtime_env": {"working_dir": "/home/ann/code"}, "driver_info": {"id": "01000000", "pid": "7"},
    },
    {
        "type": "SUBMISSION", "job_id": None, "submission_id": "raysubmit_b2", "status": "STOPPED",
        "entrypoint": "sh x", "start_time": 130000, "end_time": 140000, "metadata": {}, "runtime_env": {"working_dir": "gcs://_ray_pkg_1f.zip"},
    },
    {"type": "DRIVER", "job_id": "03000000", "submission_id": None, "status": "RUNNING", "entrypoint": "",
     "start_time": 150000, "end_time": 0, "metadata": {}, "runtime_env": {}},
]  # fmt: skip

PRINTED_BY_RAY = """Job submission server address: http://127.0.0.1:8265
[JobDetails(type=<JobType.SUBMISSION: 'SUBMISSION'>, job_id='01000000', submission_id='raysubmit_a1',
 driver_info=DriverInfo(id='01000000', node_ip_address='127.0.0.1', pid='7'), status=<JobStatus.SUCCEEDED: 'SUCCEEDED'>,
 entrypoint="python train.py --name 'a b'", message='Job finished successfully.', error_type=None, start_time=120000,
 end_time=720000, metadata={'user': 'ann'}, runtime_env={'working_dir': '/home/ann/code'}, driver_exit_code=0),
 JobDetails(type=<JobType.SUBMISSION: 'SUBMISSION'>, job_id=None, submission_id='raysubmit_b2', driver_info=None,
 status=<JobStatus.STOPPED: 'STOPPED'>, entrypoint='sh x', message='', error_type=None, start_time=130000,
 end_time=140000, metadata={}, runtime_env={'working_dir': 'gcs://_ray_pkg_1f.zip'}, driver_exit_code=None),
 JobDetails(type=<JobType.DRIVER: 'DRIVER'>, job_id='03000000', submission_id=None, driver_info=None,
 status=<JobStatus.RUNNING: 'RUNNING'>, entrypoint='', start_time=150000, end_time=None, metadata={}, runtime_env={})]
"""

FILES = {
    "csv": "job_id,user,vc,name,submit_s,duration_s,gpus,status,extra\n7,ann,vcA,train,120,600,8,COMPLETED,\n",
    "helios": "job_id,user,vc,jobname,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n"
    "7,ann,vcA,1f,8,32,1,COMPLETED,1970-01-01 00:02:00,1970-01-01 00:03:00,1970-01-01 00:13:00,600,60\n",
    "acme": "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,fail_time\n"
    "7,ann,1,8,9,SFT,COMPLETED,1970-01-01 00:02:00+00:00,1970-01-01 00:03:00+00:00,1970-01-01 00:13:00+00:00,660,60,\n",
    "pai": "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\n"
    "7,worker,4,Terminated,120,720,600,29,200.0,V100\n",
    "sacct": "JobID|User|Partition|JobName|Submit|Start|End|Elapsed|State|AllocTRES|SubmitLine\n"
    f"7|ann|vcA|train|{'|'.join(STAMPS)}|00:10:00|COMPLETED|billing=1,gres/gpu:a100=8,gres/gpu=8|sbatch 'a, b'\n",
    "sacct json": json.dumps(
        {
            "jobs": [
                {
                    "job_id": 7,
                    "user": "ann",
                    "state": {"current": ["COMPLETED"]},
                    "time": {"submission": 120, "start": 180, "end": 780, "elapsed": 600},
                    "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 8}]},
                }
            ]
        }
    ),
    "philly": json.dumps(
        [
            {
                "jobid": "7",
                "user": "ann",
                "vc": "vcA",
                "status": "Pass",
                "submitted_time": "1970-01-01 00:02:00",
                "attempts": [
                    {
                        "start_time": "1970-01-01 00:03:00",
                        "end_time": "1970-01-01 00:13:00",
                        "detail": [{"ip": "m1", "gpus": [f"gpu{i}" for i in range(8)]}],
                    }
                ],
            }
        ]
    ),
    "ray": json.dumps(RAY[:1]),
    "ray printed": PRINTED_BY_RAY.partition(",\n JobDetails")[0] + "]\n",
    "kubernetes": json.dumps({"apiVersion": "v1", "kind": "List", "items": KUBERNETES[:1]}),
    "schedmate": '{"job": {"job_id": "7", "user": "ann", "gpus": 8, "submit_s": 120, "start_s": 180, "end_s": 780,'
    ' "status": "completed"}}\n',
}
