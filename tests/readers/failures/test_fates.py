"""What became of a line that may be a cause: a part that came back, an end behind which buffers are printed."""

import pytest

from schedmate import diagnose

STEPS = [f"step {step} loss {3 - step / 100:.3f}" for step in range(1, 81)]
LEFT = ["Traceback (most recent call last):", '  File "/home/user/train.py", line 88, in <module>', "    main()"]
DOWN = "Jul 24 07:25:47 n17 kernel: [950349.914853] mlx5_core 0000:c1:00.0 eth4: Link down"
UP = "Jul 24 07:25:49 n17 kernel: [950351.414853] mlx5_core 0000:c1:00.0 eth4: Link up"
OTHERS_UP = UP.replace("eth4", "eth5")
XID = "Jul 24 07:25:47 n17 kernel: [9.9] NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, name=x, GPU has fallen off the bus."
TASK_ENDED = "srun: error: n17: task 3: Exited with exit code 1"


def found_in(tmp_path, *parts):
    lines = [line for part in parts for line in ([part] if isinstance(part, str) else part)]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    found = diagnose(tmp_path / "job.log")
    return found.category, lines[found.root_line - 1] if found.root_line else None


@pytest.mark.parametrize("steps_after", [0, 40])
def test_a_link_that_came_back_yields_to_what_a_program_raised(tmp_path, steps_after):
    error = "KeyError: 'position_ids'"
    after = STEPS[40 : 40 + steps_after]
    assert found_in(tmp_path, STEPS[:40], DOWN, UP, after, LEFT, error, TASK_ENDED) == ("script", error)


def test_a_link_that_stayed_down_or_another_that_came_up_is_the_cause(tmp_path):
    assert found_in(tmp_path, STEPS, DOWN, OTHERS_UP, TASK_ENDED) == ("infrastructure", DOWN)


def test_a_link_that_came_back_explains_peers_that_lost_each_other(tmp_path):
    lost = (
        "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:589] Connection closed by peer [10.0.0.4]:2222"
    )
    assert found_in(tmp_path, STEPS, DOWN, UP, LEFT, lost, TASK_ENDED)[0] == "infrastructure"


def test_what_the_kernel_said_before_the_exception_is_as_close_to_the_end(tmp_path):
    error = "RuntimeError: CUDA error: unspecified launch failure"
    unfinished = [f"epoch 1 step {step}/400 loss {3 - step / 100:.3f}" for step in range(1, 81)]
    held_back = unfinished[40:]
    assert found_in(tmp_path, unfinished[:40], XID, LEFT, error, held_back) == ("infrastructure", XID)


@pytest.mark.parametrize(
    "end",
    [
        "slurmstepd: error: *** STEP 4711.0 ON n17 CANCELLED AT 2025-07-24T07:25:47 DUE TO TIME LIMIT ***",
        "=>> PBS: job killed: walltime 86432 exceeded limit 86400",
    ],
)
def test_steps_in_a_buffer_do_not_undo_that_the_job_was_stopped(tmp_path, end):
    assert found_in(tmp_path, STEPS[:40], end, STEPS[40:]) == ("other", end)


def test_steps_in_a_buffer_do_not_undo_an_interrupt(tmp_path):
    assert found_in(tmp_path, STEPS[:40], "^C", LEFT, "KeyboardInterrupt", STEPS[40:]) == ("other", "KeyboardInterrupt")


def test_a_file_that_could_not_be_written_and_was_written_later_is_no_cause(tmp_path):
    failed = "[checkpoint] upload of shard 3 failed: OSError: [Errno 5] Input/output error"
    tried = "[checkpoint] retrying upload in 10 s (attempt 2 of 5)"
    error = "KeyError: 'position_ids'"
    assert found_in(tmp_path, STEPS[:79], failed, tried, STEPS[79], LEFT, error) == ("script", error)


def test_steps_that_nobody_knows_are_steps_where_a_number_rises_evenly(tmp_path):
    ocean = [
        f" kt = {step:8d}  |ssh|max = {1 + step % 7 / 10:.6E}  elapsed = {step * 4.5:.2f}" for step in range(1, 90)
    ]
    gone = "OSError: [Errno 116] Stale file handle: '/gpfs/corpus/part_018.bin'"
    down = DOWN.replace("Link down", "Fatal error 1 detected")
    assert found_in(tmp_path, ocean[:40], down, ocean[40:], LEFT, gone) == ("infrastructure", gone)


def test_streamed_lines_of_the_kernel_that_steps_follow_are_no_dump(tmp_path):
    ended = "srun: error: Node failure on n17"
    steps = [f"epoch 1 step {step}/4000 loss {3 - step / 400:.3f} time: 4.8 data: 0.003" for step in range(1, 400)]
    streamed = [XID.replace("07:25:47", f"07:2{minute}:47") for minute in (1, 3, 5)]
    assert found_in(tmp_path, steps[:40], streamed, steps[40:], ended) == ("infrastructure", ended)


@pytest.mark.parametrize(
    "said",
    [
        "The actor is dead because its node has died. Node Id: b1d7d50a",
        "srun: error: n17: tasks 8-15: Killed",
    ],
)
def test_a_notice_explains_what_ends_some_steps_later(tmp_path, said):
    notice = (
        "2025-07-24T07:25:47Z termination-handler: spot interruption notice for instance i-0a1 (n17): action=terminate"
    )
    lost = (
        "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:589] Connection closed by peer [10.0.0.4]:2222"
    )
    assert found_in(tmp_path, STEPS[:40], notice, STEPS[40:60], LEFT, lost, said) == ("infrastructure", notice)
