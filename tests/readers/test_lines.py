"""Prefixes of every launcher come off a line and stay as facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedmate.readers.lines import clean

NOON = 1714566896.0  # 2024-05-01 12:34:56 UTC


@pytest.mark.parametrize(
    ("raw", "text", "facts"),
    [
        ("[rank7]: Traceback (most recent call last):", "Traceback (most recent call last):", {"rank": 7}),
        (" 3: step 5", "step 5", {"rank": 3}),
        ("[default0]:[rank12]: RuntimeError: x", "RuntimeError: x", {"rank": 12}),
        ("(RayTrainWorker pid=12, ip=10.0.0.4) ValueError: bad", "ValueError: bad", {"pid": 12, "host": "10.0.0.4"}),
        ("(EngineCore_DP0 pid=99) ERROR hello", "ERROR hello", {"pid": 99}),
        ("[1,3]<stderr>:Abort", "Abort", {"rank": 3}),
        ("[prterun-node07-4711@1,12]<stderr>: Abort", "Abort", {"rank": 12}),
        ("[prterun-node07-4711@1,12][node09:815]<stdout>: Abort", "Abort", {"rank": 12, "host": "node09"}),
        ("node-17: kernel panic", "kernel panic", {"host": "node-17"}),
        ("worker-0: [2024-05-01 12:34:56,000] [INFO] y", "[INFO] y", {"host": "worker-0", "time_s": NOON}),
        ("trainer-1  | epoch 3", "epoch 3", {"host": "trainer-1"}),
        ("acme-0 2024-05-01T12:34:56.000Z stderr F [rank2]: boo", "boo", {"host": None, "rank": 2, "time_s": NOON}),
        ("[Wed May  1 12:34:56 2024] habanalabs hl6: boo", "habanalabs hl6: boo", {"host": None, "time_s": NOON}),
        ("gpu01:123:140 [2] NCCL WARN Call failed", "NCCL WARN Call failed", {"host": "gpu01", "pid": 123}),
        ("slurmstepd-n17: error: x", "slurmstepd-n17: error: x", {"host": None}),
        ("ValueError: bad", "ValueError: bad", {"host": None}),
        ("epoch1: loss 3", "epoch1: loss 3", {"host": None}),
        ("100%|###| 10/10", "100%|###| 10/10", {"rank": None, "time_s": None}),
        ("\x1b[31mred\x1b[0m \x1b]0;title\x07word", "red word", {}),
        (b"caf\xe9 \xff ok", "caf� � ok", {}),
        (
            '{"log":"[rank1]: boo\\n","stream":"stderr","time":"2024-05-01T12:34:56Z"}',
            "boo",
            {"rank": 1, "time_s": NOON},
        ),
    ],
)
def test_prefixes_become_facts(raw, text, facts):
    line = clean(raw)
    assert line.text == text
    assert {name: getattr(line, name) for name in facts} == facts


@pytest.mark.parametrize(
    "stamp",
    [
        "2024-05-01T12:34:56Z",
        "2024-05-01 12:34:56,000",
        "[2024-05-01 12:34:56.000000]",
        "[2024-05-01T14:34:56+02:00]",
        "2024/05/01 12:34:56",
        "05/01/2024 12:34:56 -",
        "05/01/2024 12:34:56 PM",
        "24/05/01 12:34:56",
        "20240501-12:34:56",
        "Wed May  1 12:34:56 2024",
        "Wed May  1 12:34:56 UTC 2024",
        "[01/May/2024:12:34:56 +0000]",
        "[05/01 12:34:56]",
        "May  1 12:34:56",
        "I0501 12:34:56.000000",
        "[E501 12:34:56.000",
        "[1714566896.000000]",
    ],
)
def test_stamps_of_many_shapes(stamp):
    line = clean(f"{stamp} hello there", year=2024)
    assert (line.time_s, line.clock) == (NOON, "epoch")
    assert line.text.endswith("hello there")


def test_a_clock_without_a_date_and_a_boot_clock_say_so():
    assert (clean("12:34:56 hi").time_s, clean("12:34:56 hi").clock) == (45296.0, "day")
    assert (clean("[  123.250000] NVRM: Xid").time_s, clean("[  123.250000] NVRM: Xid").clock) == (123.25, "boot")


def test_a_kernel_line_keeps_its_host():
    line = clean("May  1 12:34:56 gpu07 kernel: [9.000001] NVRM: Xid (PCI:0000:3b:00): 79", year=2024)
    assert line.host == "gpu07"
    assert "Xid (PCI:0000:3b:00): 79" in line.text


@given(st.one_of(st.binary(max_size=200), st.text(max_size=200)))
def test_no_line_is_too_strange(raw):
    line = clean(raw)
    assert "\x1b" not in line.text


@pytest.mark.parametrize("head", ["[gpu07 kmsg] ", "[gpu07] ", "gpu07 kernel: ", "gpu07 dmesg: ", "gpu07: "])
@pytest.mark.parametrize(("stamp", "clock"), [("[Sat Jul 19 19:36:13 2031]", "epoch"), ("[  812543.000001]", "boot")])
def test_whoever_hands_on_what_a_kernel_said_names_its_host(head, stamp, clock):
    line = clean(f"{head}{stamp} NVRM: Xid (PCI:0000:db:00): 95, pid=1")
    assert (line.host, line.clock, line.text[:4]) == ("gpu07", clock, "NVRM")


@pytest.mark.parametrize("head", ["[epilog] ", "[INFO] ", "[rank5] ", "[gpu07] step 7 of "])
def test_what_stands_in_brackets_may_be_no_host(head):
    assert clean(f"{head}[  812543.000001] NVRM: Xid").host is None


def test_what_a_cluster_shell_puts_before_a_kernel_line_is_its_host():
    line = clean("hgx-a: Aug 14 03:16:19 hgx-a kernel: [812543.000001] NVRM: Xid (PCI:0000:db:00): 95, pid=1")
    assert line.host == "hgx-a"
    assert line.text.startswith("kernel: ")
    assert clean("hgx-a: [812543.000001] NVRM: Xid").host == "hgx-a"


@pytest.mark.parametrize(
    "raw", ["kernel: [812543.000001] NVRM: Xid", "INFO: Aug 14 03:16:19 begin", "time: Aug 14 03:16:19 x"]
)
def test_a_word_before_a_stamp_is_no_host(raw):
    assert clean(raw).host is None


@pytest.mark.parametrize(
    "raw",
    [
        "[   72.993087] habanalabs hl2: Failed to communicate with Device CPU",
        "26/03/17 14:36:26 ERROR YarnScheduler: Lost executor 7 on dn14",
        "2026-03-17 14:36:26 WARNING trainer: slow",
    ],
)
def test_neither_a_driver_nor_a_level_is_a_host(raw):
    assert clean(raw).host is None


@pytest.mark.parametrize(
    "said",
    [
        "cv2.error: AcmeCV(4.8.0) acme.cpp:4: the image is empty",
        "libacme.so.12: cannot open shared object file: No such file or directory",
        "acme2.py: error: unrecognized arguments: --acme",
        "lua5.3: acme.lua:7: attempt to index a nil value",
    ],
)
def test_neither_a_file_nor_an_exception_that_is_written_small_is_a_host(said):
    line = clean(f"[1,2]<stderr>:{said}")
    assert (line.text, line.rank, line.host) == (said, 2, None)


@pytest.mark.parametrize("said", ["ACME ERROR: no such target", "assertion failed: 3 == 4", "Connection refused: n7"])
def test_a_stamp_makes_no_system_log_of_two_words(said):
    line = clean(f"2031-04-03T10:31:12.551Z {said}")
    assert (line.text, line.host) == (said, None)


@pytest.mark.parametrize(
    ("raw", "rank", "host"),
    [
        ("10.0.0.5:  *  / ABORT  acme", None, "10.0.0.5"),
        ("gn05:  Error in routine acme (1):", None, "gn05"),
        ("[3@gn05] Error in routine acme", 3, "gn05"),
        ("logs/worker_3.err:Error in routine acme", 3, None),
        ("run-rank3.log:412: Error in routine acme", 3, None),
        ("2031-04-03 10:31:12.551 | rank 3 | Error in routine acme", 3, None),
    ],
)
def test_a_line_that_is_moved_in_by_one_blank_keeps_its_speaker(raw, rank, host):
    line = clean(raw.replace(" | rank", " rank"))
    assert (line.rank, line.host, line.text[:1]) == (rank, host, "*" if "ABORT" in raw else "E")


def test_a_system_log_line_names_its_host():
    line = clean("Mar 17 14:36:26 gpu07 slurmd[4711]: launch task")
    assert (line.host, line.pid, line.text) == ("gpu07", 4711, "slurmd[4711]: launch task")


def test_a_quoted_line_is_read_as_what_it_quotes():
    assert clean("> [rank3]: ValueError: no such split").rank == 3
    assert clean("> > step 7").text == "step 7"


def test_half_a_character_in_json_is_replaced():
    """A collector that cuts a message after so many units cuts an emoji in two."""
    assert clean(r'{"log": "step 7 \ud83d", "stream": "stdout"}').text == "step 7 ?"


def test_a_programs_own_level_in_json_is_kept_and_a_collectors_is_not():
    assert clean('{"level": "ERROR", "message": "the shard is gone"}').level == "ERROR"
    assert clean('{"severity": "ERROR", "message": "step 7"}').level == ""


def test_what_a_collector_of_a_cloud_wraps_is_read_as_the_pod_printed_it():
    told = (
        '{"severity":"ERROR","resource.labels.pod_name":"fit-3","timestamp":"2024-05-01T12:34:56Z","textPayload":"boo"}'
    )
    nested = '{"resource":{"labels":{"pod_name":"fit-3"}},"ts":"2024-05-01T12:34:56Z","jsonPayload":{"message":"boo"}}'
    for raw in (told, nested):
        line = clean(raw)
        assert (line.text, line.host, line.time_s, line.level) == ("boo", "fit-3", NOON, "")
    assert (
        clean('{"resource":"labels","textPayload":4,"step":3}').text == '{"resource":"labels","textPayload":4,"step":3}'
    )


def test_colours_are_taken_off_that_a_collector_wrote_in_octal():
    assert clean("#033[34mValueError: bad#033[0m").text == "ValueError: bad"
