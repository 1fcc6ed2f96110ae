"""What watchers of the site print while a job stands still, and whose counter says that it does not."""

import pytest

from schedmate import diagnose

STEPS = [f"2031-07-30 04:31:{second:02d} iteration {second}/9000 | loss: 2.{second:03d}" for second in range(40)]
ENDED = "srun: error: n7: task 3: Killed"
LOST = "[warden] n7 stopped checking in 198 s ago and does not answer ping"
PREPARES = "(Worker pid=70, ip=10.0.8.2) > reading index {} of the store in 0.{:03d} seconds"


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize(
    "goes_on",
    [
        "2031-07-30 04:{}:00 INFO heartbeat - no new step for {}0 s (last 39)",
        "exporter[n3] 04:{}:00 power 4.{} kW | hottest 55 C | disk 41 %",
        "[nodemon] n3: 04:{}:00 gpu_util=0 temp_max=6{}C status=ok",
    ],
)
def test_what_watchers_go_on_to_print_is_no_sign_of_life(tmp_path, goes_on):
    watched = [goes_on.format(minute, minute) for minute in range(32, 59)]
    found = read(tmp_path, *watched[:9], *STEPS, LOST, *watched, ENDED)
    assert (found.subcategory, found.root_excerpt) == ("node", LOST)


def test_steps_are_one(tmp_path):
    later = [line.replace("04:31", "04:35") for line in STEPS]
    assert read(tmp_path, *STEPS, LOST, *later).category == "none"


def test_a_counter_of_another_process_does_not_say_that_one_found_its_peer(tmp_path):
    waits = (
        "(Worker pid=71, ip=10.0.8.9) [W0118 01:55:29.692 socket.cpp:752] [c10d] The IPv4 network addresses of "
        "(n3, 29500) cannot be retrieved (gai error: -3 - Temporary failure in name resolution)."
    )
    prepared = [PREPARES.format(number, number * 37 % 900) for number in range(1000, 1060)]
    end = "(Worker pid=71, ip=10.0.8.9) socket.gaierror: [Errno -3] Temporary failure in name resolution"
    found = read(tmp_path, *prepared[:20], waits, *prepared[20:], end)
    assert (found.subcategory, found.root_line) == ("network", 21)


def test_the_first_word_of_a_cancellation_is_its_place(tmp_path):
    step = "slurmstepd: error: *** STEP 4711.0 ON n7 CANCELLED AT 2031-05-09T18:55:55 ***"
    found = read(
        tmp_path, *STEPS, step, "srun: error: n7: tasks 0-7: Terminated", "# State: CANCELLED by 1307 (exit code 1)"
    )
    assert (found.category, found.root_line) == ("other", len(STEPS) + 1)


def test_a_server_that_is_not_ready_yet_is_no_service_that_is_down(tmp_path):
    probe = "Warning Unhealthy pod/acme-0 Readiness probe failed: HTTP probe failed with statuscode: 503"
    end = "requests.exceptions.HTTPError: 503 Server Error: Service Temporarily Unavailable for url: https://hub.acme.org/x"
    lines = [
        probe,
        *STEPS,
        "Traceback (most recent call last):",
        '  File "a.py", line 3, in <module>',
        "    main()",
        end,
    ]
    found = read(tmp_path, *lines)
    assert (found.category, found.root_line) == ("infrastructure", len(lines))


def test_a_driver_under_the_kernels_stamp_keeps_its_device(tmp_path):
    told = "n7: [Thu Sep 11 21:03:31 2031] habanalabs hl6: Failed to communicate with Device CPU (CPU-CP timeout)"
    found = read(tmp_path, *STEPS, told, "n7: terminate called after throwing an instance of 'c10::Error'")
    assert (found.subcategory, found.root_excerpt) == ("gpu", told)


def test_a_process_that_falls_silent_did_not_get_over_it_while_others_talk(tmp_path):
    waits = (
        "n5: [W socket.cpp:752] [c10d] The IPv4 network addresses of (n3, 29500) cannot be retrieved "
        "(gai error: -3 - Temporary failure in name resolution)."
    )
    others = [
        f"n{number % 4}: reading shard {chr(97 + number % 26)}{chr(97 + number // 26)} of the store"
        for number in range(90)
    ]
    end = "n5: torch.distributed.DistStoreError: Timed out after 901 seconds waiting for clients. 1/2 clients joined."
    found = read(tmp_path, *others[:30], "n5: reading the settings of the run", waits, *others[30:], end)
    assert (found.subcategory, found.root_line) == ("network", 32)
    assert read(tmp_path, *others[:30], "n5: reading the settings of the run", waits, *others[30:]).category == "none"
    one_for_all = [f"n0: {line.partition(': ')[2]}" for line in others]
    found = read(tmp_path, *one_for_all[:30], "n5: reading the settings of the run", waits, *one_for_all[30:], end)
    assert found.root_line != 32, "rank 0 alone talks, as it mostly does"
    talks = [f"n5: reading shard {letter} of another store" for letter in "abcdefghij"]
    assert read(tmp_path, *others[:30], talks[0], waits, *talks, *others[30:]).category == "none"


def test_silence_alone_is_never_sure_and_takes_no_part_out(tmp_path):
    waits = (
        "[rank2]: [W socket.cpp:752] [c10d] The IPv4 network addresses of (n3, 29500) cannot be retrieved "
        "(gai error: -3 - Temporary failure in name resolution)."
    )
    talk = [
        f"[rank{number % 2}]: reading shard {chr(97 + number % 26)}{chr(97 + number // 26)} of the store"
        for number in range(90)
    ]
    end = (
        "[rank0]:[E304 07:50:05.118 ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective operation timeout: "
        "WorkNCCL(SeqNum=9, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600027 milliseconds"
    )
    lines = [*talk[:30], "[rank2]: reading the settings of the run", waits, *talk[30:], end]
    found = read(tmp_path, *lines)
    assert (found.root_line, found.root_rank) == (32, 2)
    assert max(found.confidence, found.root_confidence) < 0.8
    assert (found.faulty_components, found.root_host) == ((), None)
    assert not any(action.kind == "isolate" for action in found.actions)
    died = "[rank2]: torch.distributed.DistStoreError: Timed out after 901 seconds waiting for clients. 1/2 joined."
    surer = read(tmp_path, *lines, died)
    assert (surer.root_line, surer.root_rank) == (32, 2)
    assert surer.confidence > found.confidence
    assert surer.faulty_components != ()


def test_who_waits_for_another_is_no_sign_of_that_ones_life(tmp_path):
    waits = [
        f"Jul 21 18:{at:02d}:11 n2/fit: waiting for n0 to publish its address (try {at}/40)" for at in range(1, 40)
    ]
    missed = (
        "Jul 21 18:00:55 n0/agent: CannotPullContainerError: manifest for reg.local/fit:v9 not found: manifest unknown"
    )
    found = read(tmp_path, *waits[:6], missed, *waits[6:])
    assert (found.category, found.root_line) == ("script", 7)


def test_a_clock_counts_no_steps(tmp_path):
    chatter = [f"keeper/main> I1001 05:00:{at:02d} plan.go: queue a share 0.{at * 37 % 100}" for at in range(20, 50)]
    ended = ["Traceback (most recent call last):", '  File "/app/a.py", line 1, in <module>', "KeyError: 'labels'"]
    assert read(tmp_path, *ended, *chatter).root_line == 3


def test_what_rank_0_counts_it_counts_for_all_ranks(tmp_path):
    rows = [f" 0: {row * 25},{row // 9},1.{(row * 37) % 100:02},0.5622,{11000 + (row * 7) % 13}" for row in range(90)]
    missed = [
        " 3: Traceback (most recent call last):",
        ' 3:   File "/home/lea/fit.py", line 9, in <module>',
        " 3: ModuleNotFoundError: No module named 'kept'",
    ]
    assert read(tmp_path, *missed, *rows).category == "none"
    died = ["kiln2 kernel: mce: [Hardware Error]: CPU 4: Machine Check Exception: 5 Bank 1: bea0000000000108"]
    assert read(tmp_path, *missed, *rows, *(f"May 12 19:04:04 {line}" for line in died)).root_line == 94
    assert read(tmp_path, *rows[:60], *missed).root_line == 63
    others = [line.replace(" 0: ", " 5: ", 1) for line in rows]
    assert read(tmp_path, *missed, *others).root_line == 3
