"""A line that nobody knows is no cause behind an effect that its own process had met, and may be one before it."""

from schedmate import diagnose

LOST = (
    "[rank3]: torch.distributed.DistBackendError: NCCL error in: /torch/csrc/NCCLUtils.hpp:268, remote process exited"
)
STRANGE = "[rank{rank}]: FATAL: the gremlin in bay 7 bit through the zorblat"
STEPS = [f"[rank0]: epoch 1 step {step} loss {3 - step / 100:.3f}" for step in range(30)]


def read(tmp_path, lines):
    path = tmp_path / "job.log"
    path.write_text("\n".join(lines) + "\n")
    return diagnose(path)


def test_a_strange_line_behind_a_known_effect_of_its_process_is_a_consequence(tmp_path):
    found = read(tmp_path, [*STEPS, LOST, STRANGE.format(rank=3)])
    assert (found.failure_id, found.root_line) == ("distributed.nccl_remote_error", len(STEPS) + 1)


def test_a_strange_line_before_it_or_of_another_process_may_be_the_cause(tmp_path):
    assert read(tmp_path, [*STEPS, STRANGE.format(rank=3), LOST]).root_line == len(STEPS) + 1
    assert read(tmp_path, [*STEPS, LOST, STRANGE.format(rank=5)]).root_line == len(STEPS) + 2
