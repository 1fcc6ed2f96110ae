"""A fault's host, GPU, port or peer is named by whatever line of the log tells it, and by none where none does."""

import pytest

from schedmate.graphs.diagnose import run_diagnose

STEPS = "".join(f"step {step}: loss {3 - step / 100:.3f}, 2.1 it/s\n" for step in range(40))
BROKEN = "[rank3]: Traceback (most recent call last):\n" + (
    '[rank3]:   File "train.py", line 9, in <module>\n[rank3]:     loss.backward()\n'
    "[rank3]: RuntimeError: CUDA error: uncorrectable ECC error encountered\n"
)
TABLE = """\
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
============================================================
train.py FAILED
Root Cause (first observed failure):
[0]:
  time      : 2026-03-01_12:00:00
  host      : node-b07.cluster
  rank      : 3 (local_rank: 1)
  exitcode  : 1 (pid: 4711)
"""
JOINED = (
    "node-b07:811:901 [1] NCCL INFO comm 0x55d1 rank 3 nranks 4 cudaDev 1 nvmlDev 1 busId 5d000 - Init COMPLETE\n"
    "node-b06:810:900 [1] NCCL INFO comm 0x55d2 rank 1 nranks 2 cudaDev 1 nvmlDev 1 busId 1b000 - Init COMPLETE\n"
)
DEEPSPEED = (
    "[INFO] [launch.py:160:main] global_rank_mapping=defaultdict(<class 'list'>, "
    "{'node-b06': [0, 1], 'node-b07': [2, 3]})\n"
)
COMPLETION = "NCCL WARN NET/IB : Got completion from peer 10.0.0.9<5123> with status=12 opcode=0 len=0 vendor err 129"


@pytest.fixture
def diagnosed(tmp_path):
    def diagnose(text, name="job.log"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return run_diagnose(str(path), engine="built-in")

    return diagnose


@pytest.mark.parametrize(
    ("before", "after", "parts"),
    [
        ("", TABLE, ("node-b07.cluster", "GPU 1")),
        (JOINED, "", ("node-b07", "GPU 1", "0000:5d:00.0")),
        (DEEPSPEED, "", ("node-b07", "GPU 1")),
        ("", "srun: error: node-b07: task 3: Exited with exit code 1\n", ("node-b07",)),
        ("INFO rank 3 of 8 up on node: node-b07\n", "", ("node-b07",)),
        ("", "", ("rank 3",)),
    ],
)
def test_a_rank_leads_to_its_machine(diagnosed, before, after, parts):
    found = diagnosed(before + STEPS + BROKEN + after)
    assert found.faulty_components == parts
    assert found.root_rank == 3
    if parts != ("rank 3",):
        told = [item for item in found.evidence if "ran here" in item.note]
        assert parts[0] in told[0].quote


def test_a_task_is_no_rank_under_torchrun(diagnosed):
    """With one torchrun a node, srun's task 3 is the fourth node and not rank 3."""
    after = TABLE.replace("rank      : 3 ", "rank      : 5 ") + "srun: error: node-c01: task 3: Exited\n"
    assert "node-c01" not in diagnosed(STEPS + BROKEN + after).faulty_components


def test_one_report_of_the_kernel_has_many_lines(diagnosed):
    found = diagnosed(
        STEPS
        + "[Feb14 05:04] cn-17 kernel: NVRM: The NVIDIA GPU 0000:b3:00.0\n"
        + "               NVRM: (PCI ID: 10de:26b5) installed in this system has\n"
        + "               NVRM: fallen off the bus and is not responding to commands.\n"
    )
    assert found.faulty_components == ("cn-17", "0000:b3:00.0")


def test_both_ends_of_a_dead_link_are_named(diagnosed):
    introduced = "node-9:77:77 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.9<0>\n"
    assert diagnosed(STEPS + f"node-4:8:9 [2] {COMPLETION}\n").faulty_components == ("node-4", "10.0.0.9")
    assert diagnosed(introduced + STEPS + f"node-4:8:9 [2] {COMPLETION}\n").faulty_components == ("node-4", "node-9")


def test_another_line_of_the_same_failure_names_the_node(diagnosed):
    found = diagnosed(
        STEPS
        + "slurmstepd: error: *** JOB 4711 ON n1 CANCELLED AT 2026-03-01T12:00:00 DUE TO NODE FAILURE, SEE LOG ***\n"
        + "srun: error: Node failure on n5\n"
    )
    assert found.faulty_components == ("n5",)
    assert (found.systems, found.job_id) == (("slurm",), "4711")
    restart = next(action for action in found.actions if action.kind == "restart")
    assert restart.commands == {"slurm": "scontrol update JobId=4711 ExcNodeList=n5 && scontrol requeue 4711"}


def test_pods_are_known_as_pods(diagnosed):
    lines = (STEPS + BROKEN).splitlines()
    found = diagnosed("".join(f"[pod/llm-worker-2/pytorch] {line}\n" for line in lines))
    assert (found.root_pod, found.systems) == ("llm-worker-2", ("kubernetes",))
    assert not any("slurm" in action.commands for action in found.actions)
    assert any("kubectl cordon" in action.commands.get("kubernetes", "") for action in found.actions)


def test_the_number_in_slurms_file_name_is_the_jobs(diagnosed):
    assert diagnosed(STEPS + BROKEN, "slurm-4711.out").job_id == "4711"
    assert diagnosed(STEPS + BROKEN, "run-4711.out").job_id is None


def test_a_program_error_blames_no_machine(diagnosed):
    text = BROKEN.replace("CUDA error: uncorrectable ECC error encountered", "my own check failed")
    assert diagnosed(STEPS + text + TABLE).faulty_components == ()


def test_the_log_of_another_rank_tells_where_the_faulty_one_ran(tmp_path):
    for rank in range(4):
        own = BROKEN.replace("[rank3]: ", "") if rank == 3 else ""
        (tmp_path / f"rank_{rank}.log").write_text((JOINED if rank == 0 else "") + STEPS + own, "utf-8")
    found = run_diagnose(str(tmp_path), engine="built-in")
    assert found.faulty_components == ("node-b07", "GPU 1", "0000:5d:00.0")
    told = next(item for item in found.evidence if "ran here" in item.note)
    assert told.path.endswith("rank_0.log")
    assert told.quote in JOINED


SILENT_TASK = (
    "2031-05-04 10:11:12.131415: E external/tsl/coordination_service.cc:954] /job:lab_worker/replica:0/task:{} has "
    "been set to ERROR in coordination service: UNAVAILABLE: Task /job:lab_worker/replica:0/task:{} {}"
)


@pytest.mark.parametrize(
    ("said", "subcategory", "parts"),
    [
        ("heartbeat timeout.", "node", ("/job:lab_worker/replica:0/task:9",)),
        ("has been disconnected from the coordinator.", "network", ()),
    ],
)
def test_a_task_of_which_jaxs_coordinator_hears_no_more_is_named(diagnosed, said, subcategory, parts):
    found = diagnosed(STEPS + SILENT_TASK.format(9, 9, said) + "\n")
    assert (found.subcategory, found.faulty_components) == (subcategory, parts)
