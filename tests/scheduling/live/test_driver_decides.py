"""A log says that a GPU has died; the driver (a compiled stand-in for NVML) is asked before a node is taken out."""

import pytest

from tests.tools.nvml_library import WELL, driver_of

CLAIMS = """
import os, sys
if not os.environ["SCHEDMATE_CHECKPOINT"]:
    open("last.ckpt", "w").write("state")
    node = os.environ["SCHEDMATE_NODES"]
    print("step 1/5 loss 1.0")
    print(f"Nov 21 05:00:01 {node} kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=77, GPU has fallen off the bus.")
    sys.exit("RuntimeError: CUDA error: unspecified launch failure")
print("went on")
"""


@pytest.mark.parametrize(
    ("gpu", "event", "detail"),
    [(WELL, "refused", "node1 passed the checks"), ("lost=handle", "done", "node1 takes no more jobs")],
)
def test_the_node_is_taken_out_only_if_the_driver_agrees(make_up, tmp_path, rules, gpu, event, detail):
    driver = driver_of(tmp_path, gpu, WELL, WELL)
    up = make_up("--slots", "gpu=1", "--nodes", "3", "--mode", "act", "--rules", str(rules), **driver)
    job = up.submit(CLAIMS)
    up.until_state("completed", jobs=[job])
    steps = {row.kind: (row.event, row.detail) for row in up.store.actions(job=job)}
    assert steps["isolate"] == (event, detail)
    assert set(up.store.marks()) == ({"node1"} if event == "done" else set())
    assert up.log(job, 2) == "went on\n"


SAYS = """
import os, sys
print("step 1/5 loss 1.0")
print(sys.argv[1])
sys.exit(1)
"""


@pytest.mark.parametrize(
    "words",
    [
        "OSError: [Errno 28] No space left on device",
        "Nov 21 05:00:01 local kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=77, GPU has fallen off the bus.",
        "Nov 21 05:00:01 local kernel: mce: [Hardware Error]: Machine check events logged",
        "OSError: [Errno 30] Read-only file system: 'model.pt'",
        "RuntimeError: mlx5_0: Got completion with error 12, opcode 0, len 0, vendor err 129",
    ],
)
def test_no_words_of_a_job_take_the_only_node_from_everybody(make_up, words):
    up = make_up("--slots", "cpu=1", "--mode", "act", "--engine", "built-in")
    hostile = up.submit(SAYS, words, user="mallory")
    other = up.submit("print('ran')", user="ada")
    up.until_state("completed", jobs=[other])
    up.until(lambda: up.store.job(hostile).state in ("held", "failed"))
    isolations = [(row.event, row.detail) for row in up.store.actions(job=hostile) if row.kind == "isolate"]
    assert all(event in ("unproven", "refused") for event, _ in isolations)
    assert up.store.marks() == {}
