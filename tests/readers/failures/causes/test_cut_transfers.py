"""A card's lost transfer goes before memory that ran out after it."""

from schedmate import diagnose

STEPS = [f"epoch 2 step {step} loss {3 - step / 100:.3f}" for step in range(60)]
LOST = (
    "libfabric:771:1790000000::efa:cq:efa_rdm_txe_handle_error():801<warn> err: 113, message: Unreachable remote "
    "Peer host id: i-0e11"
)
ROOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_a_transfer_that_was_lost_goes_before_memory_that_ran_out_later(tmp_path):
    found = read(tmp_path, *STEPS, LOST, "rank 3 begins anew in its process", ROOM)
    assert (found.subcategory, found.root_line) == ("network", len(STEPS) + 1)
    assert read(tmp_path, *STEPS, ROOM, LOST).category == "framework"
