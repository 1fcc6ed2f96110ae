"""A log says that a GPU has died; the driver (a compiled stand-in for NVML) is asked before a node is taken out."""

import pytest

from tests.tools.nvml_library import build, environment

WELL = "util=0 used=4 total=81920 temp=40 ecc=0 throttle=1 limit=90 remap=none"
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
    folder = tmp_path / "nvml"
    folder.mkdir()
    (tmp_path / "gpus").write_text(f"{gpu}\n{WELL}\n{WELL}\n")
    played = environment(build(folder), tmp_path / "gpus")
    driver = {name: played[name] for name in ("LD_LIBRARY_PATH", "FAKE_GPUS")}
    up = make_up("--slots", "gpu=1", "--nodes", "3", "--mode", "act", "--rules", str(rules), **driver)
    job = up.submit(CLAIMS)
    up.until_state("completed", jobs=[job])
    steps = {row.kind: (row.event, row.detail) for row in up.store.actions(job=job)}
    assert steps["isolate"] == (event, detail)
    assert set(up.store.marks()) == ({"node1"} if event == "done" else set())
    assert up.log(job, 2) == "went on\n"
