"""An exception that nothing caught ended its process, however many steps its buffer prints behind it."""

import pytest

from schedmate import diagnose

TRACE = [
    "Traceback (most recent call last):",
    '  File "/home/user/train.py", line 88, in <module>',
    "    main()",
    '  File "/home/user/train.py", line 61, in main',
    "    loss = model(batch)",
    "KeyError: 'labels'",
]


def steps(first, last, prefix=""):
    return [f"{prefix}step {step} | loss {3 - step / 300:.4f} | lr 1.0e-04" for step in range(first, last)]


def said(prefix):
    return [prefix + line for line in TRACE]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("before", [steps(1, 40), ["model has 7.1 M parameters"]])
@pytest.mark.parametrize(("hook", "host"), [("[rank0]: ", ""), ("[rank0]: ", "n7: "), ("", "")])
def test_what_a_buffer_held_back_is_no_sign_of_life(tmp_path, before, hook, host):
    lines = [*(host + line for line in before), *said(host + hook), *steps(40, 90, host)]
    found = read(tmp_path, lines)
    assert (found.failure_id, found.root_line) == ("python.key_error", len(before) + len(TRACE))


def test_more_than_buffers_hold_is_one(tmp_path):
    for hook in ("", "[rank0]: "):
        assert read(tmp_path, [*steps(1, 10), *said(hook), *steps(10, 5000)]).category == "none"


def test_steps_that_nobody_kept_count_as_well(tmp_path):
    """Of a long run the last steps are kept: these fit a buffer, all behind the end do not."""
    short = [f"step {step} loss {3 - step / 300:.2f}" for step in range(1000)]
    told = [
        "mpirun detected that one or more processes exited with non-zero status",
        "[keeper] exit code 1, starting again",
    ]
    assert read(tmp_path, [*short[:9], *TRACE, *told, *short[9:]]).category == "none"
    assert read(tmp_path, [*short[:9], *TRACE, *told, *short[9:99]]).category == "script"


def test_a_run_that_reached_its_last_step_had_caught_it(tmp_path):
    of = [line.replace(" |", "/90 |", 1) for line in steps(1, 91)]
    assert read(tmp_path, [*of[:40], *TRACE, *of[40:]]).category == "none"
    assert read(tmp_path, [*of[:40], *said("[rank0]: "), *of[40:]]).category == "script"


def test_a_program_that_names_its_rank_on_every_line_may_have_caught_it(tmp_path):
    ranked = steps(1, 400, "[rank0]: ")
    of = [line.replace(" |", "/399 |", 1) for line in ranked]
    assert read(tmp_path, [*of[:350], *said("[rank0]: "), *of[350:]]).category == "none"


def test_what_a_file_imports_may_be_done_without(tmp_path):
    missing = [*TRACE[:2], "    import fused_kernels", "ModuleNotFoundError: No module named 'fused_kernels'"]
    assert read(tmp_path, [*missing, *steps(1, 90)]).category == "none"


def test_a_clock_that_goes_on_is_a_sign_of_life(tmp_path):
    def stamped(lines, minute):
        return [f"2026-03-01 10:{minute:02d}:{at % 60:02d},000 - INFO - {line}" for at, line in enumerate(lines)]

    lines = [*stamped(steps(1, 40), 5), *stamped(TRACE, 6), *stamped(steps(40, 90), 7)]
    assert read(tmp_path, lines).category == "none"


REFUSED = ["usage: train.py [-h] [--lr LR]", "train.py: error: unrecognized arguments: --lr-decay-style cosine"]
DOCUMENTS = [f"[prepare] document {at}000: {at * 1204}{at % 7} tokens, {at % 5} skipped" for at in range(100, 160)]
LONG = [
    *TRACE[:-1],
    "RuntimeError: Error(s) in loading state_dict for Net:",
    "\tsize mismatch for head.weight: copying a",
]
NEXT = "job-4711: container trainer terminated: reason Error, exit code 2"


def test_a_program_that_refused_its_arguments_is_gone(tmp_path):
    lines = [*DOCUMENTS[:40], *REFUSED, *DOCUMENTS[40:], NEXT]
    assert read(tmp_path, lines).root_line == 42


@pytest.mark.parametrize("ranks", [1, 4])
def test_a_message_of_two_lines_is_one_statement(tmp_path, ranks):
    died = [f"[rank{rank}]: {line}" for rank in range(ranks) for line in LONG]
    lines = [*DOCUMENTS[:40], *died, *DOCUMENTS[40:], NEXT]
    assert read(tmp_path, lines).root_line == 40 + len(LONG) - 1


def test_processes_that_a_launcher_kills_are_no_steps(tmp_path):
    died = [f"[rank0]: {line}" for line in LONG]
    killed = [f"[launch.py:319:sigkill_handler] Killing subprocess {605763 + 7 * at} of {at % 3}" for at in range(40)]
    assert read(tmp_path, ["loading", *died, *killed]).root_line == len(LONG)


def test_what_others_say_as_they_end_is_of_no_buffer(tmp_path):
    held = [f"{at}/1656 [========>............] - ETA: 6280s - loss: {3 - at / 900:.4f}" for at in range(700, 840)]
    told = [f"host-{at}: the error could be from a previous operation, restart the program now" for at in range(30)]
    lost = [f"rank {at}: UnavailableError: Collective ops is aborted by: Socket closed" for at in range(4)]
    lines = [*held[:40], *TRACE, *held[40:], *lost, *told]
    assert read(tmp_path, lines).root_line == 40 + len(TRACE)


def test_a_link_that_came_back_did_not_press_ctrl_c(tmp_path):
    hand = ["^C", *TRACE[:-1], "KeyboardInterrupt"]
    dump = [
        "===== dmesg of n7 =====",
        "[935825.471239] mlx5_core 0000:c1:00.0 eth4: Link down",
        "[935826.971239] mlx5_core 0000:c1:00.0 eth4: Link up",
    ]
    found = read(tmp_path, [*steps(1, 40), *hand, *steps(40, 60), *dump])
    assert (found.category, found.root_line) == ("other", 40)


def test_a_notice_outranks_what_a_dump_tells_of_some_time(tmp_path):
    notice = "2026-02-28 10:52:16 spot-watcher: EC2 Spot instance interruption notice: action=terminate instance=i-0a2e"
    dump = [
        "===== dmesg of n7 =====",
        "[914601.770298] mlx5_core 0000:c1:00.0 eth4: Link down",
        "[914603.270298] mlx5_core 0000:c1:00.0 eth4: Link up",
        "[914712.508583] NVRM: Xid (PCI:0000:4c:00): 63, pid='<unknown>', name=<unknown>, Row Remapper: New row marked",
    ]
    of = [line.replace(" |", "/90 |", 1) for line in steps(1, 60)]
    found = read(tmp_path, [*of[:50], notice, "Received SIGTERM, saving a checkpoint", *of[50:54], *dump])
    assert found.root_line == 51


def test_what_others_log_behind_the_exception_of_a_rank_says_nothing_of_it(tmp_path):
    """As after a cut: the stack is gone, and data is read on by the processes that are still there."""
    read_on = [
        f"2031-04-10 15:08:{second} - INFO - [Pages] index={second * 7} -> page {second}" for second in range(10, 40)
    ]
    error = "[rank0]: RuntimeError: Expected all tensors to be on the same device, but found at least two devices"
    path = tmp_path / "job.log"
    path.write_text("\n".join([*read_on[:15], error, *read_on[15:], "torchrun ends"]) + "\n")
    assert diagnose(path).root_line == 16
    path.write_text("\n".join([*read_on[:15], error.removeprefix("[rank0]: "), *read_on[15:], "torchrun ends"]) + "\n")
    assert diagnose(path).category == "none"


def test_what_native_code_says_last_is_not_got_over(tmp_path):
    chatter = [f"[n7] acme runtime: {part} is ready" for part in ("queue", "store", "cache", "table")]
    last = ["terminate called after throwing an instance of 'c10::Error'"]
    last += ['  what():  acme == 4 INTERNAL ASSERT FAILED at "acme.cpp":12, please report a bug to PyTorch.']
    last += ["[n7:4711] *** Process received signal ***", "[n7:4711] Signal: Aborted (6)"]
    found = read(tmp_path, [*chatter, *steps(1, 9), *last, *chatter])
    assert (found.failure_id, found.root_line) == ("torch.internal_assert", len(chatter) + 8 + 2)
