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


def test_a_file_server_that_was_reached_again_ended_nothing_and_one_that_was_not_did(tmp_path):
    lustre = "Jul 24 07:25:{} n17 kernel: Lustre: home-OST{}-osc-ff9c: Connection {}"
    lost = lustre.format("47", "0007", "to home-OST0007 (at 10.0.0.7@o2ib) was lost; in progress operations will wait")
    restored = "restored to 10.0.0.7@o2ib (at 10.0.0.7@o2ib)"
    unfinished = [f"epoch 1 step {step}/400 loss {3 - step / 100:.3f}" for step in range(1, 42)]
    own, others = lustre.format("55", "0007", restored), lustre.format("55", "0011", restored)
    assert found_in(tmp_path, unfinished[:40], lost, own, unfinished[40:]) == ("none", None)
    assert found_in(tmp_path, unfinished[:40], lost, others, TASK_ENDED) == ("infrastructure", lost)


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
    assert found_in(tmp_path, STEPS[:40], "^C", LEFT, "KeyboardInterrupt", STEPS[40:]) == ("other", "^C")


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


UCX = [
    "[n17:4711:0:4711] ib_mlx5_log.c:171  Transport retry count exceeded on mlx5_2:1/IB (synd 0x15)",
    "[n17:4711:0:4711] ib_mlx5_log.c:171  RC QP 0x1a2b wqe[411]: SEND --e [inl len 42] [rqpn 0x3c1 dlid=12]",
]
STACK = ["==== backtrace (tid: 4711) ====", " 0  /opt/ucx/lib/libucs.so.0(ucs_handle_error+0x2dc) [0x7f40]"]
OF_MANY = [f"Step {step} of 9000  loss {3 - step / 100:.3f}  8.1 s/step" for step in range(1, 81)]


def test_steps_in_a_buffer_do_not_undo_the_native_end_of_a_process(tmp_path):
    found = found_in(tmp_path, OF_MANY[:50], UCX, STACK, OF_MANY[50:], "Exited with exit code 134.")
    assert found == ("infrastructure", UCX[0])


def test_a_transfer_that_failed_and_brought_nothing_down_is_outlived(tmp_path):
    assert found_in(tmp_path, OF_MANY[:50], UCX, OF_MANY[50:]) == ("none", None)


def test_what_a_worker_of_the_loader_raised_ended_who_raised_it_again(tmp_path):
    """The steps behind it were in a buffer; the tuner's own word is an effect."""
    frames = [*LEFT, '  File "/opt/torch/_utils.py", line 715, in reraise', "    raise exception"]
    original = [
        "Original Traceback (most recent call last):",
        '  File "/opt/torch/utils/data/_utils/worker.py", line 351, in _worker_loop',
        "    data = fetcher.fetch(index)",
        "KeyError: 'answer'",
    ]
    carried = "KeyError: Caught KeyError in DataLoader worker process 3."
    said = [f"(RayTrainWorker pid=7) {line}" for line in [*frames, carried, *original]]
    steps = [f"(RayTrainWorker pid=5) {line}" for line in OF_MANY]
    tuner = "2025-09-24 16:59:56,114\tERROR tune_controller.py:1331 -- Trial task failed for trial Torch_72881d_00000"
    assert found_in(tmp_path, steps[:40], said, steps[40:], tuner) == ("script", said[-1])


def test_steps_of_the_very_moment_before_an_exception_were_not_made_after_it(tmp_path):
    """Each rank hands over the same steps as it dies; the last bears the stamp of the line above the exception."""
    logged = "I0923 18:{0:02}:10.000000 1404 logging_writer.py:48] [{0}] loss=2.{0}"
    steps = [logged.format(minute) for minute in range(2, 50)]
    again = [[line[:-2] + f"{10 + rank}" for line in steps[10:]] for rank in range(4)]
    service = "Terminating process because the JAX distributed service detected fatal errors."
    gone = f"F0923 18:51:17.656193 398 client.h:80] {service}"
    parts = [part for late in again for part in (gone, late)]
    error = "PermissionError: [Errno 13] Permission denied: '/project/ckpt'"
    assert found_in(tmp_path, steps, LEFT, error, *parts) == ("script", error)


def test_what_a_driver_says_again_within_minutes_was_first_said_at_its_first_line(tmp_path):
    first = "[ 4711.302465] NVRM: GPU6 _kgspIsHeartbeatTimedOut: Heartbeat timed out, currentTimeMs 81"
    later = "[ 4771.300488] NVRM: GPU6 _kgspLogRpcTimeout: **************************** GSP Timeout *******"
    boot = "[   14.650646] NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  550.54.15  Release Build"
    assert found_in(tmp_path, boot, first, later) == ("infrastructure", first)


def test_what_a_runner_puts_before_each_line_makes_no_two_lines_alike(tmp_path):
    who = "2023-04-29 06:01:12.977 [177/train/578 (pid 28936)] [09c561ee-a44c-4795-967c-7183a83b3160] "
    lines = ["2023-04-29 06:01:12 ERROR [__main__] main failed", *LEFT, "OSError: [Errno 28] No space left on device"]
    found = found_in(tmp_path, [who + line for line in lines])
    assert found == ("infrastructure", who + lines[-1])


def test_a_count_of_what_was_skipped_says_nothing_of_the_exception_beside_it(tmp_path):
    counts = [f"[prepare] document {1000 * n}: {300 * n} tokens, {n % 4} skipped, 0 errors" for n in range(1, 60)]
    error = "OSError: [Errno 98] Address already in use"
    ended = "srun: error: n17: task 3: Exited with exit code 1"
    assert found_in(tmp_path, counts[:45], LEFT, error, counts[45:], ended)[1] == error


def test_what_a_driver_said_before_the_exception_counts_though_the_job_told_no_end_of_its_work(tmp_path):
    counts = [f"[prepare] document {1000 * n}: {300 * n} tokens, {n % 4} skipped, 0 errors" for n in range(1, 60)]
    lost = "Unable to determine the device handle for GPU 0000:4E:00.0: Unknown Error"
    error = "RuntimeError: CUDA error: invalid device ordinal"
    assert found_in(tmp_path, counts[:45], lost, LEFT, error, counts[45:], TASK_ENDED) == ("infrastructure", lost)


LOST = "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:589] Connection closed by peer [10.0.0.4]:2222"
FRAMES = LEFT[1:]


def raised_by(rank, error):
    return [f"[rank{rank}]: {line}" for line in [LEFT[0], *FRAMES, error]]


def test_the_first_task_that_aborted_is_the_cause_though_one_buffer_comes_out_before_the_last_process_ends(tmp_path):
    aborted = "srun: error: n18: task 3: Aborted"
    ends = [f"srun: error: n17: task {task}: Exited with exit code 1" for task in range(3)]
    parts = [aborted, *raised_by(2, LOST), *raised_by(0, LOST), *STEPS[:40], *raised_by(1, LOST), *ends]
    assert found_in(tmp_path, *parts) == ("framework", aborted)


def test_a_fault_in_the_programs_own_words_is_not_undone_by_a_buffer_between_two_ends(tmp_path):
    fault = "fatal: vocabulary has 31999 entries, the model expects 32000"
    ends = [f"srun: error: n17: task {task}: Exited with exit code {code}" for task, code in ((3, 3), (0, 1), (1, 1))]
    parts = [STEPS[:20], fault, raised_by(0, LOST), raised_by(2, LOST), ends[0], STEPS[20:40], ends[1:]]
    assert found_in(tmp_path, *parts) == ("script", fault)


def test_what_few_processes_said_early_is_undone_by_the_steps_after_it(tmp_path):
    early = [*LEFT, "KeyError: 'image_id'"]
    error = "ValueError: cannot reshape array of size 4711"
    ends = [f"srun: error: n17: task {task}: Exited with exit code 1" for task in range(3)]
    parts = [STEPS[:20], early, STEPS[20:60], raised_by(0, error), ends]
    assert found_in(tmp_path, *parts) == ("script", f"[rank0]: {error}")


def test_steps_in_a_buffer_do_not_undo_that_somebody_cancelled_the_job(tmp_path):
    cancelled = "slurmstepd-n17: error: *** JOB 4711 ON n17 CANCELLED AT 2025-07-24T07:25:47 ***"
    ends = ["srun: error: n17: tasks 0-1: Terminated"]
    assert found_in(tmp_path, cancelled, "srun: forcing job termination", STEPS[:40], ends) == ("other", cancelled)


def test_a_file_that_python_did_not_find_in_the_middle_of_training_is_no_shells_affair(tmp_path):
    error = "FileNotFoundError: [Errno 2] No such file or directory: '/data/shard_7.bin'"
    ends = [f"srun: error: n17: task {task}: Exited with exit code 1" for task in (3, 0)]
    found = found_in(tmp_path, STEPS[:40], raised_by(3, error), STEPS[40:44], raised_by(0, LOST), ends)
    assert found == ("script", f"[rank3]: {error}")


@pytest.mark.parametrize("logged", ["completed step: {0}, seconds: 6.3, loss: {0}.5", "step {0} loss {0}.5"])
def test_what_a_kernel_noted_behind_a_run_that_ended_well_ended_nothing(tmp_path, logged):
    steps = [f"0: {logged.format(step)}" for step in range(1, 800)]
    done = ["0: Training completed.", "0: final checkpoint written", "===== dmesg of n17 ====="]
    noted = "[904846.528912] mce: [Hardware Error]: Machine check events logged"
    assert found_in(tmp_path, steps, done, noted) == ("none", None)
    assert found_in(tmp_path, steps[:400], done[:1], steps[400:], XID, TASK_ENDED) == ("infrastructure", XID)


@pytest.mark.parametrize(("when", "category"), [("in 60 s", "infrastructure"), ("", "none")])
def test_a_machine_that_said_when_it_will_be_off_was_off_then(tmp_path, when, category):
    alarm = f"[rackwatch] smoke detected in rack B4, powering off {when}"
    lost = "Connection to node61 closed by remote host."
    told = found_in(tmp_path, STEPS[:40], alarm, STEPS[40:60], *([lost] if when else STEPS[60:]))
    assert told == (category, alarm if when else None)


def test_the_same_step_of_other_ranks_is_no_progress(tmp_path):
    nan = "RuntimeError: loss is nan at step 7065, stopping"
    raised = [f"[rank0]: {line}" for line in [*LEFT, nan]]
    stamp = "INFO 2031-05-06 07:08:09,{:03d} fit.py:12 [rank {}/32] step={} loss=2.4"
    steps = [stamp.format(90, 8, step) for step in range(6000, 7060, 20)]
    late = [stamp.format(91 + rank, rank, 7060) for rank in (0, 16, 24)]
    assert found_in(tmp_path, steps, raised, late) == ("script", raised[-1])


def test_a_gpu_that_gives_another_result_the_next_time_is_the_fault_behind_a_nan(tmp_path):
    logger = "ERROR:megatron.core.rerun_state_machine:"
    nan = f"{logger}Unexpected result nan at /home/ann/train.py line 271, try #1 (message='found NaN in loss')"
    other = f"{logger}Rank 19, node node07, device 3: Possible transient error!"
    assert found_in(tmp_path, STEPS[:40], nan, other, "[exiting program at iteration 40]") == ("infrastructure", nan)
    assert found_in(tmp_path, STEPS[:40], nan, "[exiting program at iteration 40]") == ("script", nan)


def test_a_process_had_caught_what_it_printed_before_it_raised_something_else(tmp_path):
    caught = [LEFT[0], '  File "/home/user/plots.py", line 9, in draw', "    import acmeplot"]
    lacks, error = "ModuleNotFoundError: No module named 'acmeplot'", "AssertionError: (2049, 2048)"
    others = [f"[rank0]: the figures of part {name} were written" for name in ("one", "two")]
    by_rank = [[f"[rank4]: {line}" for line in part] for part in ([*caught, lacks], [*LEFT, error])]
    assert found_in(tmp_path, by_rank[0], others, by_rank[1]) == ("script", f"[rank4]: {error}")
    assert found_in(tmp_path, [*caught, lacks], others, [*LEFT, error])[1] == lacks


FULL = "(raylet) file_system_monitor.cc:1: /tmp/ray/session_7 is over 95% full, available space: 2 GB; capacity: 87 GB"


def test_a_disk_that_may_fill_up_ends_nobody_who_was_asked_to_end(tmp_path):
    """Ray says so every ten seconds; helpers go on for a moment while `ray stop` ends one after the other."""
    asked = "*** SIGTERM received at time=1765654651 on cpu 5 ***"
    stopping = [f"INFO scripts.py:{n} -- Send termination request to `/opt/env/bin/{n}` (pid {n})" for n in range(40)]
    lines = (STEPS[:1], [FULL] * 6, asked, "worker: the room is ready", stopping)
    assert found_in(tmp_path, *lines) == ("other", asked)
