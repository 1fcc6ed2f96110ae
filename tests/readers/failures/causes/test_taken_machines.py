"""Behind the notice that a machine is taken away, pods that find no room tell of what came of it."""

from schedmate import diagnose

SPOT = "2031-05-22T20:46:12Z spot-handler: Spot ITN received. Instance will be interrupted at 20:48:12Z"
NO_ROOM = "2m  Warning  FailedScheduling  pod/fit-worker-1  0/9 nodes are available: 9 Insufficient nvidia.com/gpu."
GONE = "torch.distributed.DistBackendError: NCCL error in: NCCLUtils.hpp:268, remote process exited"


def steps(first, last):
    return [f"[pod/fit-worker-0/main] step {step}/900 loss 2.{step:03}" for step in range(first, last)]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_what_found_no_room_was_to_take_the_place_of_what_was_taken(tmp_path):
    found = read(tmp_path, *steps(1, 30), SPOT, *steps(30, 36), f"[pod/fit-worker-0/main] {GONE}", NO_ROOM)
    assert (found.failure_id, found.root_line) == ("scheduler.spot_reclaim", 30)


def test_without_a_notice_it_is_the_cause(tmp_path):
    found = read(tmp_path, *steps(1, 30), f"[pod/fit-worker-0/main] {GONE}", NO_ROOM)
    assert (found.failure_id, found.root_line) == ("scheduler.k8s_unschedulable", 31)
