"""What a kernel said, appended to a job's log when all was over, is put where it belongs in time."""

import os

from schedmate import diagnose

STEPS = [
    f"04/19 02:24:{second:02d} - mmengine - INFO - Epoch(train) [1][{second}/1000] loss: 2.1" for second in range(60)
]
RAISED = ["[rank17]: RuntimeError: CUDA error: unspecified launch failure"]
OLDER = ["mlx5_core 0000:5e:00.0 ib2: Link up", "docker0: port 1(veth12ab) entered disabled state"]
FATAL = "nvidia-nvswitch2: SXid (PCI:0000:86:00.0): 20034, Fatal, Link 30 LTSSM Fault Up"
PANIC = "Kernel panic - not syncing: softlockup: hung tasks"


def dumped(last):
    """Write a dump as dmesg -T does, with the year behind the time."""
    days = ["Thu Apr 17 08:01:02", "Fri Apr 18 09:01:02"]
    return [
        *(f"[{day} 2025] {text}" for day, text in zip(days, OLDER, strict=True)),
        f"[Sat Apr 19 02:25:02 2025] {last}",
    ]


def read(tmp_path, lines):
    path = tmp_path / "job.log"
    path.write_text("\n".join(lines) + "\n")
    os.utime(path, (1_790_000_000, 1_790_000_000))
    return diagnose(path)


def test_a_dump_that_tells_the_year_dates_the_steps_that_tell_none(tmp_path):
    lines = [*STEPS, *RAISED, "[epilog] kernel messages on node3:", *dumped(FATAL)]
    found = read(tmp_path, lines)
    assert (found.category, found.subcategory, found.root_line) == ("infrastructure", "nvlink", len(lines))


def test_a_kernels_panic_goes_before_the_word_that_its_node_is_gone(tmp_path):
    gone = "The actor is dead because its node has died. Node Id: 0000000000000000000000000000000000092a4d"
    lines = [*STEPS, gone, "[epilog] kernel messages on node3:", *dumped(PANIC)]
    found = read(tmp_path, lines)
    assert (found.failure_id, found.root_line) == ("node.kernel_panic", len(lines))


def test_what_a_launcher_hands_on_was_first_said_where_the_rank_said_it(tmp_path):
    told = "OSError: [Errno 30] Read-only file system: '/local/acme/4711.lock'"
    rank = "(RayTrainWorker pid=71, ip=10.0.8.9) "
    steps = [f"(RayTrainWorker pid=70, ip=10.0.8.2) step {number}/900 loss 2.{number}" for number in range(10, 60)]
    stack = ["Traceback (most recent call last):", '  File "/acme/train.py", line 8, in <module>', "    main()"]
    dump = [
        "==== dmesg tail of dgx-22 ====",
        "May 02 13:36:32 dgx-22 kernel: perf: interrupt took too long (2503 > 2500), lowering the rate to 79000",
        "May 02 16:45:19 dgx-22 kernel: IPv6: ADDRCONF(NETDEV_CHANGE): ib0: link becomes ready",
        "May 03 07:05:48 dgx-22 kernel: EXT4-fs (nvme0n1p1): Remounting filesystem read-only",
    ]
    first = [*steps, *(rank + line for line in (*stack, told))]
    (tmp_path / "job.log").write_text("\n".join([*first, *stack, told, *dump]) + "\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.subcategory, found.root_line) == ("node", len(first))


def test_a_device_that_its_driver_gave_up_goes_before_a_call_that_only_failed(tmp_path):
    steps = [f"n7: step {number}/900 loss 2.{number}" for number in range(10, 60)]
    failed = "n7: [Rank:6] FATAL ERROR :: MODULE:PT_BRIDGE Exception in Launch thread..."
    dump = [
        "==== dmesg tail of n7 ====",
        "[5433617.280775] perf: interrupt took too long (3142 > 3140), lowering the rate to 63000",
        "[5447340.502368] docker0: port 1(veth12ab) entered blocking state",
        "[5451243.594874] habanalabs hl0: Failed to communicate with Device CPU (CPU-CP timeout)",
    ]
    (tmp_path / "job.log").write_text("\n".join([*steps, failed, *dump]) + "\n")
    assert diagnose(tmp_path / "job.log").root_excerpt == dump[-1]
    own = "n7: RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 768x10)"
    (tmp_path / "job.log").write_text("\n".join([*steps, own, *dump]) + "\n")
    assert diagnose(tmp_path / "job.log").category == "script"


BARS = [f"{number}/400 [==>......] - ETA: 5:{59 - number:02d} - loss: 1.{number}" for number in range(10, 50)]
LOST = "[rank5]: torch.distributed.DistBackendError: NCCL error: remote process exited or there was a network error"
XID = "NVRM: Xid (PCI:0000:1b:00): 79, pid=4711, name=python, GPU has fallen off the bus."


def booted(*at):
    """Write a dump as dmesg does, with the seconds since the machine was started."""
    return [f"[{seconds:.6f}] {text}" for seconds, text in at]


def test_bars_tell_no_time_that_could_deny_what_a_kernel_says(tmp_path):
    dump = booted((7000.0, OLDER[0]), (91_000.1, OLDER[1]), (97_000.2, XID), (97_600.3, OLDER[1]), (97_900.4, OLDER[0]))
    lines = [*BARS, LOST, "-- ring buffer of n17 --", *dump]
    found = read(tmp_path, lines)
    assert (found.failure_id, found.root_line) == ("gpu.xid_79", lines.index(dump[2]) + 1)


def test_what_a_kernel_said_hours_before_ended_nothing(tmp_path):
    dump = booted((7000.0, OLDER[0]), (47_000.2, XID), (90_600.3, OLDER[1]), (97_900.4, OLDER[0]))
    lines = [*BARS, LOST, "-- ring buffer of n17 --", *dump]
    assert read(tmp_path, lines).root_line == lines.index(LOST) + 1


HUNG = "INFO: task python:28005 blocked for more than 120 seconds."


def test_a_process_that_still_waits_hangs_until_the_kernel_says_it_for_the_last_time(tmp_path):
    up = "[Sat Apr 12 02:25:02 2025] docker0: port 1(veth12ab) entered disabled state"
    early, late = (f"[Sat Apr 19 {hour}:25:02 2025] " for hour in ("02", "09"))
    for last, line in (
        (HUNG.replace("120", "241"), 4),
        (HUNG.replace("28005", "31"), 5),
        ("audit: pid=28005 uid=0 comm=python res=1", None),
    ):
        assert read(tmp_path, [*[up] * 3, early + HUNG, late + last]).root_line == line
    read_only = "EXT4-fs (nvme0n1p1): Remounting filesystem read-only"
    assert read(tmp_path, [*[up] * 3, early + read_only, up, late + read_only]).root_line == 6


def test_what_ranks_waited_for_places_a_dump(tmp_path):
    waited = (
        "[rank3]:[E403 11:20:31.424761003 ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught collective operation"
        " timeout: WorkNCCL(SeqNum=81, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600041 milliseconds"
    )
    dump = [
        f"Apr  3 {clock} n17 kernel: {text}"
        for clock, text in (("01:02:03", OLDER[0]), ("11:10:30", XID), ("11:25:00", OLDER[1]), ("11:26:00", OLDER[1]))
    ]
    lines = [*BARS, waited, "-- ring buffer of n17 --", *dump]
    assert read(tmp_path, lines).root_line == lines.index(dump[1]) + 1


def test_a_board_controller_says_why_the_machine_is_gone(tmp_path):
    gone = "srun: error: Node failure on n17"
    events = ["-- events of n17 --", " 31a | 04/19/2025 | 02:25:01 UTC | Power Supply PSU1 | AC lost | Asserted"]
    lines = [*STEPS, gone, *events]
    found = read(tmp_path, lines)
    assert (found.subcategory, found.root_line) == ("other", len(lines))


def test_a_link_that_was_back_at_once_is_no_end(tmp_path):
    flap = [
        "[Sat Apr 19 02:24:58 2025] mlx5_core 0000:41:00.1 eth3: Link down",
        "[Sat Apr 19 02:25:00 2025] mlx5_core 0000:41:00.1 eth3: Link up",
    ]
    dump = ["[Thu Apr 17 08:01:02 2025] docker0: port 1(veth12ab) entered disabled state", *flap]
    assert read(tmp_path, [*STEPS, "-- kernel messages of n3 --", *dump]).category == "none"
    decoded = [
        f"[n3] kern  :info  : [{150304 + 2 * at}.476294] mlx5_core 0000:41:00.1 eth3: Link {word}"
        for at, word in enumerate(("down", "up"))
    ]
    assert read(tmp_path, [*STEPS, *RAISED, ">>> n3 dmesg -x", *decoded]).root_line == len(STEPS) + 1


def test_what_was_outlived_long_before_is_no_end_where_the_last_words_were_got_over(tmp_path):
    evicted = "12:00:01  Warning  Evicted  pod/nightly-1  The node was low on resource: memory."
    tracker = [
        "Traceback (most recent call last):",
        '  File "/opt/acme/track.py", line 8, in flush',
        "urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='figures.acme', port=443): Read timed out.",
        "WARNING track.py:57 flush failed, attempt 1/5, training goes on",
    ]
    assert read(tmp_path, [*STEPS[:20], evicted, *STEPS[20:], *tracker]).category == "none"


WAITED = (
    "[rank5]:[E419 02:46:40.1 ProcessGroupNCCL.cpp:616] [Rank 5] Watchdog caught collective operation timeout: "
    "WorkNCCL(SeqNum=41, OpType=ALLREDUCE, NumelIn=64, NumelOut=64, Timeout(ms)=1200000) ran for 1200041 milliseconds"
)
QUIET = "docker0: port 1(veth12ab) entered forwarding state"


def taken(last_s):
    """Write a dump of a kernel that went on for a while after it had lost a device."""
    return [
        f"[5000.{0:06d}] {QUIET}",
        f"[7000.{0:06d}] {XID}",
        f"[7310.{0:06d}] {QUIET}",
        f"[{last_s}.{0:06d}] {QUIET}",
    ]


def test_a_dump_may_be_taken_long_after_the_end(tmp_path):
    steps = [line.replace("04/19", "2031-04-19") for line in STEPS]
    told = [*steps, WAITED, "--- messages of the kernel ---", *taken(16_000)]
    later = "2031-04-19 04:56:10 shipper: all parts of the log are written"
    found = read(tmp_path, [*told, later])
    assert (found.failure_id, found.root_line) == ("gpu.xid_79", len(steps) + 4)
    soon = "2031-04-19 02:47:02 shipper: all parts of the log are written"
    assert read(tmp_path, [*told, soon]).failure_id == "distributed.watchdog_timeout"


def test_what_a_program_did_wrong_no_lost_device_explains(tmp_path):
    steps = [line.replace("04/19", "2031-04-19") for line in STEPS]
    for error in ("KeyError: 'labels'", "TypeError: fit() got an unexpected keyword argument 'lrr'"):
        raised = ["Traceback (most recent call last):", '  File "/w/fit.py", line 9, in <module>', "    main()", error]
        found = read(tmp_path, [*steps, *raised, "--- messages of the kernel ---", *taken(7_320)])
        assert (found.category, found.root_line) == ("script", len(steps) + 4)


OOM_REPORT = [
    "Mar 14 02:11:09 kiln04 kernel: [ 2196.81] plumd invoked oom-killer: gfp_mask=0x201da, order=0, oom_score_adj=0",
    "Mar 14 02:11:09 kiln04 kernel: [ 2196.82] Mem-Info:",
    *(
        f"Mar 14 02:11:09 kiln04 kernel: [ 2196.83] [ 38{n}]     0  38{n}   166443    80359     301   python"
        for n in range(10, 40)
    ),
    "Mar 14 02:11:09 kiln04 kernel: [ 2196.84] Out of memory: Killed process {} total-vm:66kB, anon-rss:32kB",
]
UPTIME = "Mar 14 0{}:00:00 kiln04 kernel: [ {}.10] perf: interrupt took too long (2513 > 2500)"


def test_a_journal_that_is_all_there_is_tells_whom_of_the_job_it_killed(tmp_path):
    start = ["Mar 14 01:40:01 kiln04 kernel: [    2.649142] pci 0000:00:01.0: Activating ISA DMA hang workarounds"]
    after = [UPTIME.format(hour, hour * 3600) for hour in range(3, 9)]
    found = read(tmp_path, [*start, *[line.format("3882 (python)") for line in OOM_REPORT], *after])
    assert (found.failure_id, found.root_line) == ("node.kernel_oom", 2)
    other = read(tmp_path, [*start, *[line.format("3882 (plumd)") for line in OOM_REPORT], *after])
    assert other.root_line is None


LAUNCHER = "kiln04: [2031-06-02 10:47:27,949] [{}] [launch.py:319:sigkill_handler] {}"
ASIDE = "hrtimer: interrupt took 68332 ns"


def test_a_process_that_the_kernel_signals_is_the_jobs_where_the_launcher_names_it(tmp_path):
    for pid in (37314, 37399):
        killed = [LAUNCHER.format("INFO", f"Killing subprocess {number}") for number in (37312, 37314)]
        ended = LAUNCHER.format("ERROR", "['python', 'fit.py'] exits with return code = -7")
        signal = f"Memory failure: 0x1840200: Sending SIGBUS to python3:{pid} due to hardware memory corruption"
        dump = [f"[{at}.450436] {said}" for at, said in ((6690897, ASIDE), (6699279, signal), (6706245, ASIDE))]
        found = read(tmp_path, [*STEPS, *killed, ended, *dump])
        assert (found.category == "infrastructure") == (pid == 37314)


def test_a_report_of_a_kill_begins_with_who_asked_on_that_host_at_that_moment(tmp_path):
    told = [line.format("3882 (python3)") for line in OOM_REPORT]
    report = [line.replace("Mar 14 02:11:09", "Apr 19 02:25:09") for line in told]
    ended = ["srun: error: kiln04: task 3: Killed"]
    assert read(tmp_path, [*STEPS, *report, *ended]).root_line == len(STEPS) + 1
    for other in (report[0].replace("kiln04", "kiln05"), report[0].replace("02:25:09", "02:15:09")):
        assert read(tmp_path, [*STEPS, other, *report[1:], *ended]).root_line == len(STEPS) + len(report)
