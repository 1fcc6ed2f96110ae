"""What is tried again, or told by a helper of itself, and what the last try means."""

import pytest

from schedmate import diagnose

LOST = "node3:71:89 [0] NCCL INFO socketPollConnect: connect returned No route to host, retrying ({}/34) after sleep"
RAISED = [
    "Traceback (most recent call last):",
    '  File "/home/ann/acme/train.py", line 12, in <module>',
    "    main()",
    "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:3 and cuda:0!",
]
TRACKER = [
    "wandb: 502 encountered (",
    "wandb: <title>502 Server Error</title>",
    "wandb: <h2>The server encountered a temporary error. <p>Please try again in 30 seconds.</h2>",
    "wandb: </body></html>), retrying request",
]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize(("last", "category"), [(34, "infrastructure"), (12, "none")])
def test_behind_the_last_of_so_many_tries_nothing_is_left(tmp_path, last, category):
    found = read(tmp_path, *(LOST.format(number) for number in range(max(1, last - 8), last + 1)))
    assert found.category == category


def test_a_tracker_that_its_server_refuses_for_a_moment_ends_no_program(tmp_path):
    found = read(tmp_path, "reading the data of the lab", *TRACKER, *RAISED)
    assert (found.category, found.root_excerpt) == ("script", RAISED[-1])
    assert found.confidence > 0.8


@pytest.mark.parametrize("said", ["Training completed.", "Training finished"])
def test_a_tracker_that_fails_after_the_training_was_done_makes_it_no_failure(tmp_path, said):
    refused = "wandb: ERROR Failed to upload file: 503 Service Unavailable"
    found = read(tmp_path, "reading the data of the lab", said, refused)
    assert found.category == "none"
    assert max(read(tmp_path, "reading the data of the lab", refused).confidence, 0) < 0.8


def test_what_a_shell_tries_again_for_want_of_processes_is_not_got_over(tmp_path):
    wanting = [
        "BlockingIOError: [Errno 11] Resource temporarily unavailable",
        "bash: fork: retry: Resource temporarily",
    ]
    assert read(tmp_path, "reading the data of the lab", *wanting).category == "infrastructure"
    skipped = (
        'E0312 04:11:10.112233    2211 kubelet.go:2386] "Skipping pod synchronization" err="PLEG is not healthy: 3m"'
    )
    assert read(tmp_path, "reading the data of the lab", skipped).category == "infrastructure"


@pytest.mark.parametrize(
    "said",
    [
        ["05/09/2026 09:44:26 - INFO - acme.tokens -   Name 'bert-tiny' not found in list."],
        ["The compiled kernel was not found. Install it for speed.", "Falling back on the slow kernel."],
        ["Failed to read: session.border", "Setting default value"],
        ["There are two options to fix this error:", "1. Use another name"],
        ["Mean corruption error: 20.280", "Mean Error: 3.1%"],
    ],
)
def test_words_about_what_is_no_trouble_make_no_failure(tmp_path, said):
    assert read(tmp_path, "reading the data of the lab", *said, "reading the next page of it").category == "none"


def test_what_a_program_says_at_the_end_and_does_nothing_about_is_one(tmp_path):
    said = "The compiled kernel was not found. Install it from the store."
    assert read(tmp_path, "reading the data of the lab", said).root_excerpt == said


def test_data_that_a_library_could_not_fetch_in_passing_end_no_program(tmp_path):
    passing = [
        "[nltk_data] Error loading stopwords: <urlopen error [Errno 101]",
        "[nltk_data]     Network is unreachable>",
    ]
    assert read(tmp_path, "reading the data of the lab", *passing, "12 pages answered").category == "none"
    assert read(tmp_path, "reading the data of the lab", *passing, *RAISED).root_excerpt == RAISED[-1]


@pytest.mark.parametrize(
    "said",
    [
        "declare -x DRAIN_ON_XID=48,79",
        "export DRAIN_ON_XID='79'",
        "retry.codes: [ECC, XID79, NODE_FAIL]",
        "drain_on = ['xid 79', 'xid 48']",
        "retry_on_error = ['xid 79', 'xid 48']",
        "ignoreErrors: ['xid 79', 'xid 48']",
        "error_patterns='NCCL|Xid 79'",
        "environment: {'DRAIN_IF': 'NCCL|Xid 79', 'RETRIES': '3'}",
        "fatal_xids=[48,79] retries=3",
        '{"ts": 12, "msg": "DRAIN_IF: \'NCCL|Xid 79\'"}',
        "DRAIN_ON (from user): xid79,xid95",
        "| DRAIN_ON        | xid79,xid95      |",
        "raise RuntimeError('CUDA error: an illegal memory access was encountered')",
        "5fa1197 docs: what to do after Xid 63",
        "nodes with Xid 79 are drained by the site within the hour",
        'disks{state="failed"} 0',
        "the array is whole, no failed members",
        "sample (T=0.8): Q: why did my node die? A: the log says Xid 79, GPU has fallen off the bus",
        "[gen] prompt='once' -> the log says Xid 79, GPU has fallen off the bus",
        "board changed after Xid 79 (RMA 881 closed)",
    ],
)
def test_what_somebody_set_is_no_report(tmp_path, said):
    assert read(tmp_path, said, "reading the data of the lab", *RAISED).root_excerpt == RAISED[-1]
    assert read(tmp_path, said, "reading the data of the lab").category == "none"


XID = "NVRM: Xid (PCI:0000:52:00): 79, GPU has fallen off the bus"


@pytest.mark.parametrize(
    "said",
    [
        f"1919243345 kernel: {XID}",
        f"3f2a9c81d4e5 trainer: {XID}",
        f"{XID} (session closed)",
        f"connection #1234 closed: {XID}",
        "Nodes that failed: kiln07 (Xid 79, GPU has fallen off the bus)",
        "GPUs with uncorrectable ECC errors: GPU 3 on kiln07, Xid 48",
        f'level=error failure_message="{XID}"',
        f'{{"level": "error", "kernel_message": "{XID}"}}',
        f'{{"severity": "ERROR", "log.record.original": "{XID}"}}',
        f'level=error last_nccl_error="{XID}"',
        f'gpu_3="{XID}"',
        f'event.type="gpu" event.detail="{XID}"',
        f'- message: "{XID}"',
        f'- failureMessage: "{XID}"',
        f'level=error raw_line="{XID}"',
        f"worker=3 last_words='{XID}'",
        f'worker=3 crash_info="{XID}"',
        f'worker=3 rank_output="{XID}"',
        "- kiln-07: 'Xid 79, GPU has fallen off the bus'",
        'errors: ["Xid 79, GPU has fallen off the bus"]',
        "node health kiln-07: [Xid 79, GPU has fallen off the bus]",
        f'KILL_REASON="{XID}"',
        "Out of memory: Killed process 44 (python) total-vm:91kB, anon-rss:81kB (swap is disabled)",
    ],
)
def test_what_is_told_in_fields_or_lists_or_of_what_is_closed_is_a_report(tmp_path, said):
    assert read(tmp_path, "reading the data of the lab", said).root_line == 2


def test_what_is_no_drill_is_no_news(tmp_path):
    steps = [f"step {step} loss 2.{step:03d}" for step in range(80)]
    said = "Broadcast message from root@kiln07: a coolant leak under row 3, its power is cut in 60 s. This is {} drill."
    lost = "RuntimeError: NCCL communicator was aborted"
    assert read(tmp_path, *steps, said.format("not a"), lost).root_line == 81
    assert read(tmp_path, *steps, said.format("a"), lost).root_line == 82


CODES = [
    ("Failed with exit code: 137", "infrastructure"),
    ("failed with status: 139", "framework"),
    ("Failed with error code: 1", "script"),
    ("Number of failed nodes: 1", "infrastructure"),
    ("Failed GPU health checks: 2 of 8", "infrastructure"),
    ("Failed with signal: 9", "framework"),
]


@pytest.mark.parametrize(("said", "category"), CODES)
def test_a_code_or_a_part_of_the_machine_that_failed_is_no_count_of_results(tmp_path, said, category):
    assert read(tmp_path, "step 1 loss 2.5", "step 2 loss 2.1", said).category == category


@pytest.mark.parametrize(
    "said", ["Failed test cases: 41", "Failed samples: 3 of 70 (4.3 %)", "Failures in documents: 2", "Failed: 3 of 70"]
)
def test_results_are_counted(tmp_path, said):
    assert read(tmp_path, "step 1 loss 2.5", "step 2 loss 2.1", said).category == "none"
    assert read(tmp_path, "reading the data", said).category == "none"


def test_what_its_reader_could_do_instead_has_not_been_done(tmp_path):
    advice = ["", "You can suppress this exception and fall back to eager by setting:", "    suppress_errors = True"]
    assert read(tmp_path, *RAISED, *advice).category == "script"
    assert (
        read(tmp_path, *RAISED[:1], '  File "/srv/a.py", line 1, in run', RAISED[-1], "falling back to eager").category
        == "none"
    )
