"""What the lines beside a trouble say was done about it ended no program."""

import pytest

from schedmate import diagnose

MEMORY = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 68.00 MiB (GPU 0; 15.90 GiB total capacity)"
SYMBOL = "/opt/acme/lib/kernels.so: undefined symbol: _ZN3c104cuda9SetDeviceEi"
TIME_OUT = "HTTPSConnectionPool(host='hub.lab', port=443): Read timed out."
PROBE = [
    "Traceback (most recent call last):",
    '  File "/opt/acme/lib/python3.10/site-packages/fastlib/__init__.py", line 55, in _has_compiler',
    "    from fastlib.compiled import soft",
    "ModuleNotFoundError: No module named 'compilerlib'",
]
GOT_OVER = [
    [MEMORY, " Skipping batch"],
    [f"ERROR trainer: {MEMORY}", "INFO trainer: attempting to recover from it in the next pass"],
    [f"ERROR trainer: {MEMORY}", "INFO trainer: no checkpoint is left, starting from scratch"],
    [f"Failed to import kernels: {SYMBOL}", "Using the plain kernels instead."],
    [f"Failed to import kernels: {SYMBOL}, using plain kernels instead"],
    [f"ERROR request failed: {TIME_OUT}", "INFO backing off for 8 s"],
    ["ERROR could not load the cache: EOFError: Ran out of input, building it"],
    ["A matching compiler is not available, some optimizations will not be enabled.", *PROBE],
    ["[default] Worker group FAILED. 3/3 attempts left; will restart worker group"],
]


READ_ON = [f"INFO trainer: the pages of volume {volume} are read" for volume in ("two", "three", "four")]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(("the data of the lab are read", *lines)) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("said", GOT_OVER)
def test_what_was_done_without_ended_nothing(tmp_path, said):
    assert read(tmp_path, *said, *READ_ON).category == "none"


@pytest.mark.parametrize(
    "said",
    [
        [MEMORY, "the batch of 64 pages was too large"],
        [f"Failed to import kernels: {SYMBOL}"],
        [f"Failed to import kernels: {SYMBOL}", "Use the plain kernels if you need none."],
        [f"ERROR request failed: {TIME_OUT}", "INFO 8 s were spent"],
        ["the model is read", *PROBE],
    ],
)
def test_what_nothing_was_done_about_did(tmp_path, said):
    assert read(tmp_path, *said).category != "none"


TOP = ["Traceback (most recent call last):", '  File "/w/fit.py", line 90, in <module>', "    main()"]
ADVISED = [
    [*TOP, "ValueError: A tokenizer is made from scratch here. This script cannot do that."],
    [*TOP, "NotImplementedError: groups of parameters are not supported, consider using plain ones instead"],
    [*TOP, "ValueError: bf16 is not supported here, try using fp16 instead"],
    [*TOP, "FileNotFoundError: [Errno 2] No such file or directory: '/d/index.bin' (rebuilding it needs --rebuild)"],
    [f"trying to resume from /d/last.pt failed: {MEMORY}"],
    [f"ERROR: {MEMORY}", "ERROR: consider using a smaller batch instead"],
    [f"ERROR: cannot import kernels: {SYMBOL}", "hint: install the kernels from scratch", "the log is closed"],
    ["ERROR: [Errno 2] No such file or directory: '/d/last.pt'", "ERROR: give --init random to train from scratch"],
    [f"ERROR fit: {MEMORY}", "INFO fit: creating a new folder for the dump", "INFO fit: the dump is written there"],
    [f"(pid=41) ERROR: {MEMORY}", "(pid=41) will restart the actor 0 more times", "(pid=41) the actor is left"],
    [f"ERROR: {MEMORY}", "will restart worker: 0 attempts left, leaving"],
    [f"ERROR: {MEMORY}", "INFO skipping the last checkpoint", "INFO the log is closed, exiting"],
    [f"ERROR: {MEMORY}", "INFO skipping the last checkpoint"],
    [f"ERROR: {MEMORY}", "INFO skipping the last checkpoint", "INFO the dump is written to /d/9"],
]


@pytest.mark.parametrize("said", ADVISED)
def test_what_is_advised_or_does_not_help_any_more_was_not_done(tmp_path, said):
    assert read(tmp_path, *said).category != "none"


def test_a_fact_about_a_machine_is_none_the_less_for_what_stands_below_it(tmp_path):
    lost = "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus."
    assert read(tmp_path, lost, "skipping the next batch").subcategory == "gpu"


def test_who_stops_early_for_want_of_progress_has_not_diverged(tmp_path):
    assert read(tmp_path, "EarlyStopping: no improvement for 10 passes, stopping training").category == "none"
    assert read(tmp_path, "validation loss did not improve for 10 passes, stopping training").category == "none"


@pytest.mark.parametrize(
    "said",
    [
        "Loss is nan",
        "The model has diverged",
        "gradient norm 3.1e+09 exceeds the limit",
    ],
)
def test_who_stops_as_it_diverged_has(tmp_path, said):
    assert read(tmp_path, f"{said}, stopping training").failure_id == "script.nan_guard"


EPOCHS = [f"Epoch {epoch}: train_loss=0.{80 - epoch} val_loss=0.{90 - epoch}" for epoch in range(1, 7)]
CAUGHT = [
    "[2031-04-05 10:12:05,120][lab][ERROR] - Failed to score the pages",
    "Traceback (most recent call last):",
    '  File "/home/ann/acme/score.py", line 41, in score',
    "    return table[name]",
    "KeyError: 'recall'",
]


def test_what_was_caught_amid_steps_and_what_is_said_above_it_ended_nothing(tmp_path):
    assert read(tmp_path, *EPOCHS[:4], *CAUGHT, *EPOCHS[4:]).category == "none"
    assert read(tmp_path, *EPOCHS[:4], *CAUGHT).root_excerpt == CAUGHT[-1]
    assert read(tmp_path, *CAUGHT, *EPOCHS[:2]).root_excerpt == CAUGHT[-1]
    top = [line.replace("in score", "in <module>") for line in CAUGHT[1:]]
    assert read(tmp_path, *EPOCHS[:4], *top, *EPOCHS[4:]).root_excerpt == CAUGHT[-1]


@pytest.mark.parametrize(
    "said",
    [
        "/var/spool/slurmd/job12345/slurm_script: line 12: module: command not found",
        "cp: cannot stat '/scratch/data/extra.tar': No such file or directory",
        'Lmod has detected the following error: The following module(s) are unknown: "cuda/11.8"',
    ],
)
def test_what_a_shell_missed_before_steps_ended_nothing(tmp_path, said):
    assert read(tmp_path, said, *EPOCHS[:2]).category == "none"
    assert read(tmp_path, said).category == "script"


@pytest.mark.parametrize(
    "instead", ["substituting a random one", "taking another sample.", "replacing it with a blank image"]
)
def test_a_loader_that_gives_another_sample_got_over_the_bad_one(tmp_path, instead):
    raised = [
        "Traceback (most recent call last):",
        '  File "/opt/acme/plums.py", line 80, in __getitem__',
        "    sample = self.read(place)",
        "PIL.UnidentifiedImageError: cannot identify image file '/plums/16.jpg'",
    ]
    down = "Feb  5 08:09:02 kiln16 kernel: bnxt_en 0000:c1:00.0 enp193s0f0np0: NIC Link is Down"
    found = read(tmp_path, *raised, f"WARNING bad sample 21, {instead}", down)
    assert (found.category, found.root_line) == ("infrastructure", 7)
