"""Where only effects are known, what somebody stated before in words of his own is the cause, steps after it or not."""

import pytest

from schedmate import diagnose

STEPS = [f"step {step} loss 2.{step:03d} lr 0.01" for step in range(300)]
WAITED = [
    f"[rank{rank}]:[E402 11:20:1{rank}.1 ProcessGroupNCCL.cpp:616] [Rank {rank}] Watchdog caught collective "
    "operation timeout: WorkNCCL(SeqNum=81, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600017 "
    "milliseconds before timing out."
    for rank in range(4)
]
STATED = [
    ("card 3 of kiln07 has spare rows no more and its sums are wrong", "gpu"),
    ("kiln07 port 9 has lost its light, no packet leaves this host any more", "network"),
    ("(frost) the cooling of row B has failed, its racks are being switched off", "other"),
]
KEY_ERROR = ["Traceback (most recent call last):", '  File "/app/a.py", line 1, in <module>', "KeyError: 'labels'"]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize(("said", "subcategory"), STATED)
@pytest.mark.parametrize("steps_after", [0, 20])
def test_it_is_the_cause_of_what_ranks_met(tmp_path, said, subcategory, steps_after):
    at = len(STEPS) - steps_after
    found = read(tmp_path, *STEPS[:at], said, *STEPS[at:], *WAITED)
    assert (found.root_line, found.category, found.subcategory) == (at + 1, "infrastructure", subcategory)
    assert found.confidence < 0.8


@pytest.mark.parametrize(
    "said",
    [
        "warning: " + STATED[0][0],
        "[info] " + STATED[0][0],
        STATED[0][0] + ", going on without it",
        STATED[0][0] + " (last week)",
        "    " + STATED[0][0],
        "User: " + STATED[0][0],
        "sample 12: " + STATED[0][0],
    ],
)
def test_what_is_soft_got_over_or_old_is_none(tmp_path, said):
    assert read(tmp_path, *STEPS, said, *WAITED).failure_id == "distributed.watchdog_timeout"


def test_what_every_rank_says_is_an_effect(tmp_path):
    said = [f"worker {rank}: {STATED[0][0]}" for rank in range(4)]
    assert read(tmp_path, *STEPS, *said, *WAITED).failure_id == "distributed.watchdog_timeout"


def test_it_explains_no_error_of_which_the_program_is_to_blame(tmp_path):
    assert read(tmp_path, *STEPS, STATED[0][0], *KEY_ERROR).failure_id == "python.key_error"


OWN = [
    "Traceback (most recent call last):",
    '  File "/app/a.py", line 7, in main',
    "MeshError: 3 parts and 4 were asked for",
]
AWAY = [*OWN[:2], "FeedError: no batch for 600 s"]


@pytest.mark.parametrize(
    ("steps_after", "raised", "line"), [(0, OWN, 304), (20, OWN, 304), (20, AWAY, 304), (0, AWAY, 301)]
)
def test_what_a_program_raised_itself_it_knows_best(tmp_path, steps_after, raised, line):
    at = len(STEPS) - steps_after
    assert read(tmp_path, *STEPS[:at], STATED[0][0], *STEPS[at:], *raised).root_line == line


def test_a_program_that_refuses_states_why_its_launcher_saw_it_leave(tmp_path):
    said = "the mesh wants 25 processes for a grid of 5 x 5 and 24 were started; choose another grid"
    found = read(tmp_path, *STEPS[:3], said, "srun: error: kiln07: task 2: Exited with exit code 4")
    assert (found.category, found.root_line) == ("script", 4)


def test_a_healthy_log_stays_healthy(tmp_path):
    found = read(tmp_path, *STEPS[:150], STATED[0][0], *STEPS[150:], "training finished, bye")
    assert found.category == "none"


def test_a_log_that_only_falls_silent_is_at_work(tmp_path):
    assert read(tmp_path, *STEPS, STATED[0][0]).category == "none"


def test_what_was_set_is_no_statement(tmp_path):
    left = "srun: error: kiln07: task 2: Exited with exit code 4"
    assert read(tmp_path, "aug.kill_green = wrong", "cache.broken_cards: /data/lost", left).root_line == 3


def test_a_limit_of_the_jobs_own_blames_no_machine(tmp_path):
    left = "srun: error: kiln07: task 2: Terminated"
    said = "the memory of worker 3 went past its limit, worker 3 was killed"
    found = read(tmp_path, *STEPS[:9], said, left)
    assert (found.root_line, found.subcategory, found.should_restart) == (10, "node", "no")
    assert found.faulty_components == ()


FULL = [
    "Traceback (most recent call last):",
    '  File "/app/a.py", line 7, in write',
    "OSError: [Errno 28] No space left on device: '/local/frames/c9.png'",
]
TAKEN = "caretaker: all inodes of /local are used up, no file can be made there any more"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (TAKEN, 301),
        (TAKEN.replace("caretaker", "INFO"), 304),
        ("caretaker: the links of switch 3 are dead, no packet leaves this host any more", 304),
        ("/local no inodes", 304),
    ],
)
def test_what_a_program_met_of_its_machine_was_stated_by_who_told_of_the_same(tmp_path, said, line):
    found = read(tmp_path, *STEPS, said, *FULL)
    assert (found.failure_id, found.root_line) == ("storage.disk_full", line)


def test_what_was_told_before_the_last_step_states_no_end(tmp_path):
    assert read(tmp_path, *STEPS[:280], TAKEN, *STEPS[280:], *FULL).root_line == 304


def test_what_a_list_of_events_tells_behind_the_end_goes_before_what_was_outlived(tmp_path):
    events = ["events of the fabric:", "  04:10 info leaf-3 fan speed normal", f"  04:20 critical {STATED[1][0]}"]
    lines = [*STEPS[:200], STATED[0][0], *STEPS[200:], *WAITED, *events]
    found = read(tmp_path, *lines)
    assert (found.subcategory, found.root_line) == ("network", len(lines))


@pytest.mark.parametrize(
    "heading", ["--- samples at temperature 0.9 ---", "=== 4 generated samples ===", "Completions:"]
)
def test_what_a_model_wrote_states_nothing(tmp_path, heading):
    written = [heading, "once upon a time", STATED[0][0], "--- end ---"]
    assert read(tmp_path, *STEPS, *written, *WAITED).failure_id == "distributed.watchdog_timeout"
    assert read(tmp_path, *STEPS, *written, STATED[1][0], *WAITED).subcategory == "network"


@pytest.mark.parametrize("level", ["", "INFO "])
def test_who_ended_a_job_is_told_before_the_scheduler_tells_its_end(tmp_path, level):
    said = (
        f"{level}the run was stopped by user ines from the console, reason given: wrong config, she will submit again"
    )
    ended = "slurmstepd: error: *** JOB 77 ON kiln07 CANCELLED AT 2031-03-04T11:22:33 ***"
    found = read(tmp_path, *STEPS, said, "leaving", ended)
    assert (found.category, found.root_line) == ("other", 301)


EMPTY = [
    "Traceback (most recent call last):",
    '  File "/app/a.py", line 7, in attend',
    "TypeError: 'NoneType' object is not callable",
]
NOT_LOADED = (
    "warning: the kernels of fastmix were not loaded, undefined symbol in fastmix_cuda.so: built for another torch"
)


def test_what_was_not_there_is_told_by_the_warning_before(tmp_path):
    found = read(tmp_path, *STEPS[:5], NOT_LOADED, *STEPS[5:], *EMPTY)
    assert (found.category, found.root_line) == ("framework", 6)
    assert found.confidence < 0.8


@pytest.mark.parametrize(
    ("said", "raised"),
    [
        ("warning: the cache of fastmix was not found, it is built anew", EMPTY),
        (NOT_LOADED, [*EMPTY[:2], "MeshError: 3 parts and 4 were asked for"]),
        ("warning: " + STATED[2][0], EMPTY),
    ],
)
def test_an_exception_that_says_what_was_wrong_needs_no_warning(tmp_path, said, raised):
    assert read(tmp_path, *STEPS[:5], said, *STEPS[5:], *raised).root_line == 304


def test_pods_that_kubernetes_lists_with_an_error_have_ended(tmp_path):
    said = "cardwatch kiln07: card 3 is held at 345 MHz by its power brake, the board must be changed"
    rows = [f"acme-worker-{number}   0/8   {{}}  0  4m" for number in range(3)]
    listed = read(tmp_path, *STEPS, said, *(row.format("Error") for row in rows))
    assert (listed.category, listed.subcategory, listed.root_line) == ("infrastructure", "gpu", 301)
    assert read(tmp_path, *STEPS, said, *(row.format("Running") for row in rows)).category == "none"


@pytest.mark.parametrize(
    ("raised", "line"),
    [
        ("RuntimeError: CUDA error: unspecified launch failure", 301),
        ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB", 304),
        ("RuntimeError: CUDA error: device-side assert triggered", 304),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'a.json'", 304),
        ("ValueError: I/O operation on closed file.", 304),
        ("KeyError: 'timeout'", 304),
    ],
)
def test_only_what_a_program_says_vaguely_of_a_part_yields_to_who_watches_it(tmp_path, raised, line):
    assert read(tmp_path, *STEPS, STATED[0][0], *OWN[:2], raised).root_line == line


def test_what_need_not_be_done_is_the_cause_of_nothing(tmp_path):
    asked = "*** SIGTERM received at time=1729917563 on cpu 2 ***"
    said = "Directory content has not changed. No need to rebuild."
    found = read(tmp_path, "lab: the room is opened for the day", said, asked)
    assert (found.category, found.root_line) == ("other", 3)


def test_it_says_more_than_a_watcher_who_hears_the_hosts_no_longer(tmp_path):
    lost = "jobwatch: 71 ended, lost contact with 6 of 8 nodes"
    found = read(tmp_path, *STEPS, STATED[2][0], *WAITED, lost)
    assert (found.root_line, found.subcategory) == (len(STEPS) + 1, "other")
    assert read(tmp_path, *STEPS, *WAITED, lost).failure_id == "site.node_lost"


PART = "DIMM A3 of this host has an uncorrectable error"
SPEAKERS = [
    "[rack-scout@kn07] {}",
    "rack-scout kn07 {}",
    "kn07 rack-scout: {}",
    "2031-03-04T08:20:00|kn07|rack-scout|{}",
]
SPEAKERS += ['time=2031-03-04T08:20:00Z level=warn component=rack-scout host=kn07 msg="{}"']


@pytest.mark.parametrize("speaker", SPEAKERS)
def test_trouble_with_a_part_in_words_that_were_never_fitted_is_heard_however_its_speaker_begins(tmp_path, speaker):
    found = read(tmp_path, *STEPS[:250], speaker.format(PART), *STEPS[250:], *WAITED)
    assert (found.root_line, found.category, found.subcategory) == (251, "infrastructure", "node")
    assert found.confidence < 0.8


@pytest.mark.parametrize(
    "said", [f"[rank3]: {PART}", f"rack-scout kn07 INFO {PART}", f"rack-scout kn07 {PART}, corrected"]
)
def test_what_a_rank_says_or_a_level_of_no_trouble_is_not(tmp_path, said):
    found = read(tmp_path, *STEPS[:250], said, *STEPS[250:], *WAITED)
    assert found.failure_id == "distributed.watchdog_timeout"


def test_a_measure_of_an_exporter_states_nothing(tmp_path):
    measure = 'DCGM_FI_DEV_THERMAL_VIOLATION{gpu="0",UUID="GPU-1b2c3d4e",device="nvidia0",Hostname="kiln07"} 1'
    assert read(tmp_path, *STEPS[:200], measure, *STEPS[200:], *WAITED).failure_id == "distributed.watchdog_timeout"


def test_the_name_of_a_logger_is_no_part_of_a_sentence(tmp_path):
    raised = [*KEY_ERROR[:2], "AttributeError: 'NoneType' object has no attribute 'size'"]
    found = read(tmp_path, "ERROR:train_and_eval:Failed after 0:01:32!", *raised)
    assert found.root_line == 4


RULER = "-" * 74
ABSENT = "kiln07 port 9 has lost its light, no packet leaves this host any more"
DIED = "[kiln07:04711] Signal: Segmentation fault (11)"


@pytest.mark.parametrize(
    ("below", "line"),
    [
        ("The other fabric will be used in its place, although this may lead to lower performance.", 7),
        ("NOTE: You can turn off this warning by setting warn_absent to 0.", 7),
        ("Ask the keeper of the lab to have it looked at.", 2),
    ],
)
def test_what_a_notice_says_is_done_instead_goes_for_all_of_it(tmp_path, below, line):
    found = read(tmp_path, RULER, ABSENT, "", f"  {below}", RULER, "the kiln is lit", DIED)
    assert found.root_line == line


@pytest.mark.parametrize(
    "said",
    [
        "Guide for a lost network and dead links of the fabric, troubleshooting guide:",
        "For help with lost links of the network see the documentation of the fabric",
        " [9] #sweep#2(::Bool, ::Kiln{Fabric, Lost, Dead, Network, Failed, Shelf{Float32,3}}, ::Rack, ::Port, ::Net)",
    ],
)
def test_who_points_to_a_guide_or_calls_a_function_states_nothing(tmp_path, said):
    left = "srun: error: kiln07: task 2: Exited with exit code 4"
    assert read(tmp_path, *STEPS[:9], said, left).root_line == 11


def test_what_a_program_does_without_explains_no_host_that_cannot_be_reached(tmp_path):
    notice = "plumlib was compiled without GPU support for 8-bit plums; {}"
    route = "kiln04:15:16 [1] misc/socket.cc:484 NCCL WARN Connect to 10.9.8.7<45930> failed : No route to host"
    for rest in ("not used in this run", "see its pages"):
        assert read(tmp_path, notice.format(rest), *["ready"] * 20, route, *WAITED).failure_id == "network.no_route"


@pytest.mark.parametrize(
    "how", ["plums.h(590): warning #177-D: {}", "plums.cu:7:9: warning: {}", "plums.cpp(3): warning C4101: {}"]
)
def test_what_a_compiler_warned_of_is_not_why_nothing_was_there(tmp_path, how):
    warned = how.format('variable "layer" was declared but never referenced')
    raised = [*KEY_ERROR[:2], "AttributeError: 'NoneType' object has no attribute 'shape'"]
    assert read(tmp_path, warned, *["built"] * 9, *raised).failure_id == "python.attribute_error"
