"""Which last lines are those of a process that is gone, and which are trouble that may pass."""

import os

import pytest

from schedmate.watching.last_words import ending_of, looks_over, may_pass, seen_gone

STACK = ["Traceback (most recent call last):", '  File "train.py", line 3, in <module>', "    x[3]"]


@pytest.mark.parametrize(
    "lines",
    [
        [*STACK, "IndexError: list index out of range"],
        [*STACK, "torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1970"],
        [*STACK, "KeyError: 'kind'", "srun: error: node7: task 3: Exited with exit code 1"],
        ["step 3 loss 2.0", "/var/spool/slurmd/job17/slurm_script: line 4: 4711 Killed   python train.py"],
        ["slurmstepd: error: *** JOB 17 ON n1 CANCELLED AT 2026-01-01T00:00:00 ***"],
        ["Fatal Python error: Segmentation fault"],
        ["Killed"],
        ["srun: error: n7: task 3: Killed"],
        ["Memory cgroup out of memory: Killed process 4711 (python) total-vm:1kB"],
        ["  exitcode  : -9 (pid: 4711)"],
        [*STACK, "KeyError: '573'", "what was", "in a buffer"],
        [*STACK, "RuntimeError: CUDA error: no kernel image", "CUDA kernel errors might be reported at another call"],
        ["RuntimeError: Error(s) in loading", "Trial TorchTrainer_27a errored after 21 iterations. Total time: 1hr"],
        ["usage: train.py [-h] [--lr LR]", "train.py: error: unrecognized arguments: --rate 1"],
        ["MPI_ABORT was invoked on rank 7 in communicator MPI_COMM_WORLD", "with errorcode 123."],
        ["[ERROR] [launch.py:341:sigkill_handler] ['python3', 'train.py'] exits with return code = 1"],
        ["Job 17.pbs01 exit_status=265", "resources_used.walltime=04:11:52"],
        [*STACK, "socket.gaierror: [Errno -3] Temporary failure in name resolution"],
        [*STACK, "queue.Empty"],
        ["Jun 14 20:51:16 n17 ipmievd[1188]: Power Unit sensor Pwr Unit Status - Power off / power down asserted"],
        ["NVRM: Xid (PCI:0000:48:00): 79, pid=17, GPU has fallen off the bus."],
    ],
)
def test_the_end_of_a_process(lines):
    assert ending_of(lines)


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["step 3 loss 2.0"],
        [*STACK, "ConnectionError: broker is gone", "step 4 loss 1.9"],
        ["eval/timeout_frac=0.0 eval/killed=0"],
        [
            "Exception ignored in: <function _Iter.__del__>",
            *STACK,
            "AssertionError: can only test a child",
            "a warning",
        ],
        ["WARNING: could not write metrics, trying again in 30 s"],
        [*STACK, "ConnectionError: broker is gone", "will be tried again (2 of 5)"],
        ["ERROR tracker: upload failed", "fetching shard 12 again"],
        [*STACK, "OSError: the tracker is gone", "going on without it: skipping 3 uploads", "all is well"],
        [*STACK, "OSError: the tracker is gone", *[f"image {number} is written" for number in range(20)]],
        ["Job 17.pbs01 exit_status=0", "resources_used.walltime=04:11:52"],
        ["step 8 loss 2.0", "loader: process 41 exited with code 1, respawned", "step 9 loss 1.9"],
        ["the evaluator was killed; restarting it", "step 9 loss 1.9"],
        ["slurmstepd: pyxis: reusing existing container", "there are no active ports detected"],
        ["NVRM: Xid (PCI:0000:48:00): 63, pid=17, Row Remapper: New row marked for remapping"],
    ],
)
def test_trouble_that_may_pass(lines):
    assert not ending_of(lines)


@pytest.mark.parametrize(
    "line",
    [
        "E1123 api.py:1002] failed (exitcode: -15) local_rank: 3 (pid: 17) of binary: python",
        "  exitcode  : -6 (pid: 4711)",
        "mpirun noticed that process rank 1 with PID 0 on node n1 exited on signal 9 (Killed).",
        "srun: error: n7: task 3: Terminated",
        "Job 17.pbs01 exit_status=1",
        "ray.exceptions.WorkerCrashedError: The worker died unexpectedly while executing this task.",
        "Jun 14 20:51:16 n17 ipmievd[1188]: Power Unit sensor Pwr Unit Status - Power off / power down asserted",
        "slurmstepd: error: *** STEP 17.0 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***",
    ],
)
def test_who_saw_a_process_go_is_believed(line, tmp_path):
    (tmp_path / "job.log").write_text(f"step 3 loss 2.0\n{line}\n")
    assert seen_gone(str(tmp_path / "job.log"))


@pytest.mark.parametrize("line", ["step 3 loss 2.0", "the evaluation exited early", "srun: Step created for job 50"])
def test_who_saw_none_go_says_none_of_that(line, tmp_path):
    (tmp_path / "job.log").write_text(f"{line}\n")
    assert not seen_gone(str(tmp_path / "job.log"))


def test_what_rays_workers_had_in_their_buffers_comes_after_the_drivers_end(tmp_path):
    path = tmp_path / "job.log"
    echoes = ["\x1b[36m(work pid=17)\x1b[0m step 50 of 120 loss 0.1", "(work pid=18, ip=192.0.2.2) saved step_50.pt"]
    path.write_text("\n".join([*STACK, "ValueError: loss is nan at step 51", *echoes, ""]))
    assert looks_over(str(path))
    path.write_text("\n".join([*STACK, "ValueError: loss is nan at step 51", "trial 3 is given up", *echoes, ""]))
    assert not looks_over(str(path))
    path.write_text("\n".join([*(f"(work pid=17) {line}" for line in STACK), *echoes, ""]))
    assert not looks_over(str(path))


def test_a_kernels_report_behind_an_exception_is_not_the_programs(tmp_path):
    path = tmp_path / "job.log"
    dump = [
        "===== dmesg of n7 =====",
        *(f"[{number}.807217] nfs: server filer02 not responding, still trying" for number in range(900_000, 900_020)),
        "[Sat Aug  9 00:03:44 2025] EDAC MC3: 1 CE",
        "Aug  9 00:03:44 n7 kernel: [929249.580969] nfs: server filer02 OK",
    ]
    path.write_text("\n".join([*STACK, "KeyboardInterrupt", *dump, ""]))
    assert looks_over(str(path)) == "raised"
    path.write_text("\n".join(["step 3 loss 0.1", *dump, ""]))
    assert looks_over(str(path)) == ""


def test_what_srun_says_of_its_step_counts_where_nothing_comes_after_it(tmp_path):
    path = tmp_path / "job.log"
    ends = ["srun: error: c2: task 5: Exited with exit code 1", "srun: Force Terminated StepId=2.0"]
    path.write_text("\n".join(["step 3 loss 0.1", *ends, ""]))
    assert seen_gone(str(path)) == ends[0]
    path.write_text("\n".join(["step 3 loss 0.1", *ends, "trying the next", "loading", "step 1 loss 0.9", ""]))
    assert not seen_gone(str(path))


def test_what_jobs_live_through():
    assert may_pass("libibverbs: Warning: couldn't load driver 'libvmw_pvrdma-rdmav34.so'")
    assert may_pass("NVRM: Xid (PCI:0000:48:00): 63, pid=17, Row Remapper: New row marked for remapping")
    assert may_pass("wandb: 429 encountered (retrying in 2.3 seconds.), retrying request")
    assert not may_pass("RuntimeError: CUDA error: an illegal memory access was encountered")


def test_a_file_that_is_gone_ends_in_nothing(tmp_path):
    assert not looks_over(str(tmp_path / "none.log"))


@pytest.mark.parametrize("aside", ["train.log.1", "train.log-20261130", "train-old.log.gone"])
@pytest.mark.parametrize("is_seen", [True, False])
def test_a_job_that_dies_as_its_log_is_moved_aside_is_told_of(site, aside, is_seen):
    site.train("train.log", 1, 20)
    site.write("train.log", 'Traceback (most recent call last):\n  File "t.py", line 1, in <module>\nIndexError: out\n')
    if is_seen:
        site.look()
    os.rename(site.path("train.log"), site.path(aside))
    site.write("train.log", "")
    site.pass_by(60)
    assert site.kinds == ["died"]
    assert site.told[0].diagnosis.failure_id == "python.index_error"
