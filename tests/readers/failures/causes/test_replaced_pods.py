"""A pod that was lost had been replaced where its successor found a node: what kept that from starting is the cause."""

import pytest

from tests.readers.failures.moves import verdict_of

STEPS = [f"fit-worker-0 main step {step} loss 2.{step:03d} lr 0.01" for step in range(40)]
LOST = "09:03:01  Normal   TaintManagerEviction  pod/fit-worker-2  Marking for deletion Pod ml/fit-worker-2"
PLACED = "09:03:31  Normal   Scheduled         pod/fit-worker-2  Successfully assigned ml/fit-worker-2 to node-b22"
OTHERS = PLACED.replace("worker-2", "worker-3")
PULL = (
    '09:03:49  Warning  Failed            pod/fit-worker-2  Failed to pull image "registry.lab.example/ml/fit:24.11": '
    "unexpected status from HEAD request: 502 Bad Gateway"
)
BACK_OFF = "09:04:01  Warning  Failed            pod/fit-worker-2  Error: ImagePullBackOff"
DIED = "fit-worker-0 main [rank0]: torch.distributed.DistBackendError: NCCL communicator was aborted on rank 0."
WAITED = "fit-worker-0 main torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError"


def read(tmp_path, lines):
    return verdict_of(tmp_path / "job.log", "\n".join(lines) + "\n")


def test_what_kept_the_successor_from_starting_is_the_cause(tmp_path):
    found = read(tmp_path, [*STEPS, LOST, PLACED, PULL, BACK_OFF, WAITED])
    assert (found.root.failure.id, found.root.number) == ("scheduler.k8s_image_pull", len(STEPS) + 3)
    lost = next(one for one in found.suspects if one.sighting.number == len(STEPS) + 1)
    assert lost.survived
    assert lost.history[-1].rule == "replaced pod"


@pytest.mark.parametrize("between", [[], [OTHERS], [PLACED, DIED]])
def test_one_that_nobody_replaced_or_of_which_others_died_was_the_cause(tmp_path, between):
    found = read(tmp_path, [*STEPS, LOST, *between, PULL, BACK_OFF, WAITED])
    assert (found.root.failure.id, found.root.number) == ("scheduler.k8s_node_lost", len(STEPS) + 1)
