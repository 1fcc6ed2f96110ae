"""Jobs whose logs name no node: the faulty one is found by group testing, taken out, replaced; the job goes on."""

import pytest

XID = """NVRM: Xid (PCI:0000:3b:00): 79, pid=77, GPU has fallen off the bus.
RuntimeError: CUDA error: unspecified launch failure
"""
WATCHDOG = """[rank1]:[E ProcessGroupNCCL.cpp:616] [Rank 1] Watchdog caught collective operation timeout: \
WorkNCCL(SeqNum=42, OpType=ALLREDUCE, NumelIn=1024, NumelOut=1024, Timeout(ms)=600000) ran for 600021 milliseconds \
before timing out.
RuntimeError: NCCL communicator was aborted on rank 1.
"""
TRAIN = """
import os, sys
begin = 0
if os.environ["SCHEDMATE_CHECKPOINT"]:
    begin = int(open(os.environ["SCHEDMATE_CHECKPOINT"]).read())
    print(f"resumed at step {begin}")
for step in range(begin, 9):
    print(f"step {step}/9 loss {9 / (step + 1):.4f}")
    if step == 6 and begin == 0:
        open("pretrain.ckpt", "w").write("7")
        print("saved checkpoint to ./pretrain.ckpt")
        sys.exit(sys.argv[1])
print("done")
"""


@pytest.mark.parametrize("what", [XID, WATCHDOG])
def test_who_is_at_fault_is_found_among_four_and_replaced(make_up, rules, what):
    up = make_up("--slots", "gpu=1", "--nodes", "5", "--spares", "1", "--mode", "act", "--rules", str(rules))
    job = up.submit(TRAIN, what, slots=4, user="ada", name="pretrain")
    up.until_state("completed", jobs=[job])
    first, second = up.store.runs(job)
    assert [node for node, _ in first.parts] == ["node1", "node2", "node3", "node4"]
    assert sorted(node for node, _ in second.parts) == ["node1", "node3", "node4", "node5"]
    steps = {row.kind: row for row in up.store.actions(job=job)}
    assert steps["nccl_test"].nodes == ("node2",)
    assert steps["nccl_test"].detail.startswith("node2 failed (all_reduce_perf: 6 tests in 4 rounds over 4 nodes; ")
    assert steps["isolate"].nodes == ("node2",)
    assert steps["replace"].detail == "spare node5 takes jobs"
    assert up.store.marks() == {"node2": ("isolated", steps["isolate"].id)}
    assert "resumed at step 7\n" in up.log(job, 2)
    groups = (rules.parent / "calls").read_text().split()
    assert sorted(groups) == sorted(
        ["node1,node2,node3,node4", "node1,node2", "node3,node4", "node1", "node2", "node1,node3"]
    )


def test_where_all_pass_nobody_is_taken_out_and_the_job_goes_on_from_its_checkpoint(make_up, rules):
    """Without nccl-tests bytes go around over sockets; they find nothing here, and the log alone takes no node out."""
    rules.write_text("[tools]\nnccl_test = '/nowhere/all_reduce_perf'\n")
    up = make_up("--slots", "cpu=1", "--nodes", "3", "--mode", "act", "--rules", str(rules))
    job = up.submit(TRAIN, WATCHDOG, slots=3, user="ada", name="pretrain")
    up.until_state("completed", jobs=[job])
    steps = {row.kind: (row.event, row.detail) for row in up.store.actions(job=job)}
    assert steps["nccl_test"][0] == "done"
    assert steps["nccl_test"][1].startswith(
        "all passed (socket ring check: 1 test in 1 round over 3 nodes; it sees hosts"
    )
    assert steps["isolate"] == ("refused", "the tests found no faulty node")
    assert steps["restart"][0] == "done"
    assert up.store.marks() == {}
