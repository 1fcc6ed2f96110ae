"""Runs that were added to one file: what tells that one was over, and what is no sign of it."""

import pytest

from schedmate import diagnose

RAISED = [
    "Traceback (most recent call last):",
    '  File "main.py", line 10, in <module>',
    "    from pages import lookup",
    "ModuleNotFoundError: No module named 'pages'",
]
OTHER = [*RAISED[:3], "TypeError: lookup() missing 1 required positional argument: 'name'"]
STEPS = [f"epoch 1 step {step} loss {3 - step / 100:.3f}" for step in range(1, 40)]
AGAIN = "nohup: ignoring input"


def report(job, *ended):
    """Write what LSF adds to a job's output."""
    return [
        "",
        "------------------------------------------------------------",
        "Sender: LSF System <lsfadmin@host-3>",
        f"Subject: Job {job}: <train> in cluster <lab> {'Done' if ended[0].startswith('Succ') else 'Exited'}",
        "Your job looked like:",
        "# LSBATCH: User input",
        "python main.py",
        *ended,
        "Resource usage summary:",
        "    Max Memory :                                 1024 MB",
        "The output (if any) is above this job summary.",
    ]


FAILED = ("Exited with exit code 1.",)
WELL = ("Successfully completed.",)


def read(tmp_path, lines):
    (tmp_path / "job.out").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.out")


def test_the_last_of_the_jobs_that_lsf_reported_counts(tmp_path):
    lines = [*RAISED, *report(1, *FAILED), *OTHER, *report(2, *FAILED)]
    found = read(tmp_path, lines)
    assert (found.category, found.root_line, found.attempts) == ("script", lines.index(OTHER[-1]) + 1, 2)


def test_a_job_that_lsf_reports_done_outlives_the_failure_of_the_one_before(tmp_path):
    found = read(tmp_path, [*RAISED, *report(1, *FAILED), "results are in out/", *report(2, *WELL)])
    assert (found.category, found.attempts) == ("none", 2)
    assert found.confidence > 0.8


def test_what_stands_under_the_only_report_is_no_second_run(tmp_path):
    found = read(
        tmp_path, [*RAISED, *report(1, *FAILED), "", "PS:", "", "Read file <train.err> for stderr output of this job."]
    )
    assert (found.category, found.root_line, found.attempts) == ("script", 4, 1)


def test_what_a_launcher_says_under_the_last_report_belongs_to_its_run(tmp_path):
    launcher = [f"srun: error: gpu1{rank}: task {rank}: Exited with exit code 1" for rank in range(4)]
    found = read(tmp_path, [*OTHER, *report(1, *FAILED), *RAISED, *report(2, *FAILED), *launcher])
    assert (found.root_excerpt, found.attempts) == (RAISED[-1], 2)


def test_a_run_that_merely_opened_is_not_what_a_launcher_ended(tmp_path):
    opening = ["Loaded module: python/3.7.5 of the lab", "Loaded dependency: cuda/10.0 for cudnn"]
    launcher = ["srun: error: gpu17: task 3: Exited with exit code 1", "srun: Terminating StepId=4711.0"]
    found = read(tmp_path, [*opening, *OTHER, *opening, *RAISED, *opening, *launcher])
    assert (found.root_excerpt, found.attempts) == (RAISED[-1], 3)


def test_each_run_of_nohup_opens_with_its_word(tmp_path):
    lines = [AGAIN, "reading pages", *STEPS, *RAISED, AGAIN, "reading other pages", *STEPS[:9], *OTHER]
    found = read(tmp_path, lines)
    assert (found.root_line, found.attempts) == (len(lines), 2)


def test_processes_that_nohup_starts_together_are_one_run(tmp_path):
    assert read(tmp_path, [AGAIN, AGAIN, AGAIN, *STEPS, *RAISED]).attempts == 1


@pytest.mark.parametrize("end", ["OSError: handle is closed", "wandb.sdk.mailbox.mailbox.MailboxClosedError"])
def test_helpers_that_find_their_process_gone_say_nothing_of_it(tmp_path, end):
    helper = [
        "Exception in thread Thread-1:",
        "Traceback (most recent call last):",
        '  File "/venv/lib/python3.11/threading.py", line 1016, in _bootstrap_inner',
        "    self.run()",
        end,
    ]
    assert read(tmp_path, [*STEPS, "End training....", *helper]).category == "none"
    found = read(tmp_path, [*STEPS, *helper, *OTHER])
    assert found.root_excerpt == OTHER[-1]


def test_an_exception_whose_message_begins_below_it_is_classed_by_what_stands_there(tmp_path):
    block = ["RuntimeError:", "  #define INFINITE __int_as_float(0x7f800000)", *["  float x;"] * 30]
    complaint = "nvrtc: error: invalid value for --gpu-architecture (-arch)"
    found = read(tmp_path, [*RAISED[:3], *block, complaint])
    assert (found.category, found.root_line) == ("framework", 36)
    said = read(tmp_path, [*RAISED[:3], "RuntimeError: the kernel was given this source:", *block[1:], complaint])
    assert (found.category, said.root_line) == ("framework", 4)
    assert read(tmp_path, [*RAISED[:3], "RuntimeError", complaint.replace("error", "note")]).category == "script"


def test_runs_that_all_ended_in_the_same_words_and_got_nowhere_have_the_firsts_place(tmp_path):
    opening = ["Loaded module: python/3.7.5 of the lab", "Loaded dependency: cuda/10.0 for cudnn"]
    run = [*opening, *RAISED]
    assert (read(tmp_path, run * 4).root_line, read(tmp_path, run * 4).attempts) == (len(run), 4)
    got_on = [*opening, *STEPS, *RAISED]
    assert read(tmp_path, got_on * 2).root_line == 2 * len(got_on)
    assert read(tmp_path, [*opening, *OTHER, *run, *run]).root_line == 3 * len(run)
    assert read(tmp_path, [*got_on, *run]).root_line == len([*got_on, *run])


def test_a_program_that_merely_warned_went_on_until_it_was_ended(tmp_path):
    warned = (
        "torch._dynamo.convert_frame: [WARNING] torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:"
    )
    limit = "TERM_RUNLIMIT: job killed after reaching LSF run time limit."
    found = read(tmp_path, ["starting", warned, warned, *report(7, limit, "Exited with exit code 140.")])
    assert (found.category, found.root_excerpt) == ("other", limit)


PREEMPTED = "slurmstepd: error: *** JOB 4711 ON node3 CANCELLED AT 2031-04-05T10:00:00 DUE TO PREEMPTION ***"
REQUEUED = [
    PREEMPTED,
    "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.",
    "Job 4711 requeued, SLURM_RESTART_COUNT=1",
]


@pytest.mark.parametrize("first_step", [1, 40, 60], ids=["anew", "the next one", "later"])
def test_a_requeued_job_is_a_new_run_wherever_its_steps_go_on(tmp_path, first_step):
    later = [f"epoch 1 step {step} loss 2.{step:03d}" for step in range(first_step, first_step + 30)]
    lines = [*STEPS, *REQUEUED, *later, *RAISED]
    found = read(tmp_path, lines)
    assert (found.category, found.root_line, found.attempts) == ("script", len(lines), 2)
    healthy = read(tmp_path, [*STEPS, *REQUEUED, *later])
    assert (healthy.category, healthy.attempts) == ("none", 2)


def test_a_count_of_restarts_opens_no_run_where_none_was_ended(tmp_path):
    more = [f"epoch 1 step {step} loss 2.{step:03d}" for step in range(40, 70)]
    lines = [*STEPS, "SLURM_RESTART_COUNT=1", *more, *RAISED]
    assert read(tmp_path, lines).attempts == 1
    assert read(tmp_path, [*STEPS, *REQUEUED]).root_line == len(STEPS) + 1


HANDLING = "During handling of the above exception, another exception occurred:"


def ended(line, error):
    return [*RAISED[:1], f'  File "main.py", line {line}, in <module>', "    main()", error]


def test_runs_with_nothing_between_them_are_told_by_how_each_ended(tmp_path):
    lines = [*RAISED, "pages.py:3: UserWarning: slow", *OTHER, *ended(30, "KeyError: 'name'")]
    found = read(tmp_path, lines)
    assert (found.root_line, found.attempts) == (len(lines), 3)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([*RAISED, *RAISED], id="alike"),
        pytest.param(
            [*RAISED, *ended(30, "ConnectionResetError: [Errno 104] Connection reset by peer")], id="aftermath"
        ),
        pytest.param([*RAISED, *OTHER, "srun: error: n1: tasks 0-1: Exited with exit code 1"], id="tasks of a job"),
        pytest.param(
            [*RAISED, "", "During handling of the above exception, another exception occurred:", "", *OTHER],
            id="chained",
        ),
    ],
)
def test_processes_of_one_run_are_no_runs(tmp_path, lines):
    found = read(tmp_path, lines)
    assert (found.root_line, found.attempts) == (4, 1)


UNREAD = [
    '  File "main.py", line 71',
    "    data = torchify(data",
    "                  ^",
    "SyntaxError: '(' was never closed",
]
REFUSED = ["usage: main.py [-h] [--lr LR]", "main.py: error: argument --lr: expected one argument"]


@pytest.mark.parametrize("before", [UNREAD, REFUSED])
def test_a_run_that_never_began_was_another_than_the_one_that_raised(tmp_path, before):
    found = read(tmp_path, [*before, *OTHER])
    assert (found.root_line, found.attempts) == (len(before) + len(OTHER), 2)
    found = read(tmp_path, [*OTHER, *before])
    assert (found.root_line, found.attempts) == (len(before) + len(OTHER), 2)


@pytest.mark.parametrize("before", [UNREAD, REFUSED])
def test_another_program_that_never_began_is_of_the_same_job(tmp_path, before):
    other = [line.replace("main.py", "prepare.py") for line in before]
    assert read(tmp_path, [*other, *OTHER]).root_line == len(before)


@pytest.mark.parametrize("prefix", ["0: ", "[rank3]: ", "n7: ", "2026-04-01 10:00:00 "])
@pytest.mark.parametrize("before", [UNREAD, REFUSED, RAISED])
def test_one_process_ends_once_whatever_names_it(tmp_path, before, prefix):
    found = read(tmp_path, [prefix + line for line in (*before, *OTHER)])
    assert (found.root_line, found.attempts) == (len(before) + len(OTHER), 2)


@pytest.mark.parametrize("opening", ["Namespace(lr=0.1, epochs=10)", "TrainConfig(epochs=90, batch_size=32, lr=3e-4)"])
def test_what_a_program_was_told_opens_its_run_and_is_no_step(tmp_path, opening):
    run = [opening, "reading the pages of the lab", *STEPS, *RAISED]
    found = read(tmp_path, [*run, *run, *run])
    assert (found.attempts, found.root_line) == (3, 3 * len(run))


def test_the_next_command_of_a_job_is_no_new_run_though_a_library_opens_both(tmp_path):
    opening = [
        "E external/local_xla/xla/stream_executor/cuda/cuda_fft.cc:485] Unable to register the factory of a library",
        "I tensorflow/core/platform/cpu_feature_guard.cc:210] This binary is optimized to use what the processor has",
    ]
    memory = [*RAISED[:3], "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 320.00 MiB. GPU 6 is full"]
    second = [line.replace("main.py", "measure.py") for line in (*RAISED[:3], "FileNotFoundError: [Errno 2] a.yaml")]
    found = read(tmp_path, [*opening, *memory, *opening, *second])
    assert (found.category, found.root_excerpt, found.attempts) == ("framework", memory[-1], 1)
    again = read(tmp_path, [*opening, *memory, *opening, *second[:1], RAISED[1], *second[2:]])
    assert (again.root_excerpt, again.attempts) == (second[-1], 2)


BEGUN_BY_OTHERS = [
    "[launcher 2031-04-05 10:00:00] run ended with an error, restarting from the last checkpoint (try 2 of 4)",
    "[run.sh] exit code 1, restarting in 30 s (retry 1/3)",
    "Job 4711 requeued (restart count 1), started at Sat Apr 05 10:00:00 2031",
    "2031-04-05T10:00:00Z Normal  PyTorchJobRestarting  pytorchjob/a  a is restarting because replica(s) failed.",
    "2031-04-05 10:00:00,271 INFO tune_controller.py -- Restoring trial from latest checkpoint, failure 1/3",
    "[managed-job] recovering: relaunching cluster (recovery 1)",
    "========== attempt 2 ==========  2031-04-05 10:00:00",
]
LAUNCHERS_WORD = "srun: error: gpu17: task 3: Exited with exit code 1"


@pytest.mark.parametrize("word", BEGUN_BY_OTHERS)
def test_what_follows_the_word_of_a_restart_is_another_run_even_if_it_never_gets_on(tmp_path, word):
    lines = [*STEPS, *OTHER, LAUNCHERS_WORD, word, "loading pages", *RAISED]
    found = read(tmp_path, lines)
    assert (found.root_excerpt, found.attempts) == (RAISED[-1], 2)


@pytest.mark.parametrize("word", BEGUN_BY_OTHERS)
def test_a_restart_that_got_nowhere_leaves_the_run_before_it(tmp_path, word):
    found = read(tmp_path, [*STEPS, *OTHER, LAUNCHERS_WORD, word, "loading pages"])
    assert found.root_excerpt == OTHER[-1]


@pytest.mark.parametrize("word", BEGUN_BY_OTHERS[:2])
def test_a_part_that_is_restarted_while_the_steps_go_on_makes_no_run(tmp_path, word):
    more, last = ([f"epoch 1 step {step} loss 2.{step:03d}" for step in range(n, n + 30)] for n in (40, 70))
    assert read(tmp_path, [*STEPS, word, *more, *RAISED]).attempts == 1
    failed_loader = ["Traceback (most recent call last):", '  File "load.py", line 3, in <module>', *OTHER[2:]]
    assert read(tmp_path, [*STEPS, *failed_loader, *more, word, *last, *RAISED]).attempts == 1


@pytest.mark.parametrize("code", [0, 1])
def test_a_job_that_finished_with_an_exit_code_was_well_only_if_that_is_nought(tmp_path, code):
    end = f"Job finished with exit code {code} at Sat Apr 05 10:00:00 UTC 2031"
    found = read(tmp_path, [*STEPS, "node3 kernel: NVRM: Xid (PCI:0000:5d:00): 79, GPU has fallen off the bus", end])
    assert found.category == ("infrastructure" if code else "none")


def test_advice_to_restart_a_run_begins_none(tmp_path):
    driver = [
        "Traceback (most recent call last):",
        '  File "launch.py", line 88, in <module>',
        "ray.train.base_trainer.TrainingFailedError: The Ray Train run failed. After fixing the issue, you can restart"
        " the run from scratch or continue this run.",
    ]
    found = read(tmp_path, [*STEPS, *OTHER, LAUNCHERS_WORD, *driver])
    assert (found.root_excerpt, found.attempts) == (OTHER[-1], 1)


def left_by(script, error):
    return ["Traceback (most recent call last):", f'  File "{script}", line 6, in <module>', "    main()", error]


def test_another_script_behind_runs_of_one_is_a_run_as_well(tmp_path):
    wrong = [left_by("train.py", error) for error in ("NameError: name 'lr' is not defined", "KeyError: 'labels'")]
    last = left_by("test.py", "IndexError: too many indices for array")
    found = read(tmp_path, [line for run in (*wrong, last) for line in run])
    assert (found.root_excerpt, found.attempts) == (last[-1], 3)


def test_two_scripts_that_fail_one_after_the_other_are_commands_of_one_job(tmp_path):
    both = [left_by("train.py", "KeyError: 'labels'"), left_by("test.py", "FileNotFoundError: no checkpoint")]
    found = read(tmp_path, [line for run in both for line in run])
    assert (found.root_excerpt, found.attempts) == (both[0][-1], 1)


OPTIONS = ["------ options ------", "layers: 12", "folder: E:/data/seven", "lr: 0.001", "name: seven", "workers: 4"]
LOADED = ["images of the set are read", "the net was made anew", "weights are on the card"]


def died(error):
    return ["Traceback (most recent call last):", '  File "train.py", line 53, in <module>', "    run()", error]


def test_a_run_behind_the_last_exception_that_opens_as_those_before_is_one_more(tmp_path):
    runs = [*OPTIONS, *LOADED, *died("KeyError: 'a'"), *OPTIONS, *LOADED, *died("IndexError: too many indices")]
    (tmp_path / "job.log").write_text("\n".join([*died("NameError: name 'os' is not defined"), *runs]) + "\n")
    assert diagnose(tmp_path / "job.log").category == "script"
    more = [*OPTIONS, *LOADED, "1", "2", "accuracy of the test is 0.91"]
    (tmp_path / "job.log").write_text("\n".join([*died("NameError: name 'os' is not defined"), *runs, *more]) + "\n")
    assert diagnose(tmp_path / "job.log").category == "none"


def test_a_server_that_is_up_at_last_got_over_those_that_did_not_start(tmp_path):
    begun = ["INFO 04-18 14:10:42 server.py:756] reading the model", "INFO 04-18 14:10:44 server.py:757] on 4 cards"]
    served = [f'INFO:     10.0.0.7:4{number} - "POST /v1/chat HTTP/1.1" 200 OK' for number in range(100, 140)]
    up = ["INFO:     Started server process [71342]", "INFO:     Application startup complete."]
    lines = [*begun, *died("RuntimeError: Engine process failed to start."), *begun, *up, *served]
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    assert diagnose(tmp_path / "job.log").category == "none"


UNREAD = [
    '  File "/home/acme/nets.py", line 17',
    "    x = self.up(x",
    "            ^",
    "SyntaxError: '(' was never closed",
]
IMPORTED = ["Traceback (most recent call last):", '  File "/home/acme/run.py", line 3, in <module>', *UNREAD]
AS_MODULE = [
    "Traceback (most recent call last):",
    '  File "<frozen runpy>", line 198, in _run_module_as_main',
    '  File "<frozen runpy>", line 88, in _run_code',
    '  File "/home/acme/run.py", line 3, in <module>',
]
FULL = "OSError: [Errno 28] No space left on device"
CUT_SHORT = [
    "RuntimeError: ios_base::badbit set: iostream stream error",
    "",
    "During handling of the above exception, another exception occurred:",
    "",
    *AS_MODULE,
    "RuntimeError: [enforce fail at inline_container.cc:672] . unexpected pos 228 vs 112",
]


def test_a_start_that_could_not_be_read_is_over_where_the_script_ended_otherwise_later(tmp_path):
    ends = [
        ([*IMPORTED, *IMPORTED[:2], "    main()", FULL], FULL),
        ([*AS_MODULE, *UNREAD, *AS_MODULE, FULL], FULL),
        ([*AS_MODULE, *UNREAD, *AS_MODULE, *CUT_SHORT], CUT_SHORT[0]),
    ]
    for lines, last in ends:
        found = read(tmp_path, lines)
        assert (found.root_excerpt, found.attempts) == (last, 2)


def test_a_start_that_could_not_be_read_is_the_cause_where_nothing_came_behind_it(tmp_path):
    assert read(tmp_path, IMPORTED).root_excerpt == UNREAD[-1]
    assert read(tmp_path, [*AS_MODULE, *UNREAD]).attempts == 1


@pytest.mark.parametrize("step", [0, 1])
def test_a_bar_that_stands_at_its_beginning_shows_no_step(tmp_path, step):
    """Where every run raised the same before its first step, its first statement is the root."""
    begun = ["lab: reading the shelves of the archive", "lab: the catalogue has 4711 books", "lab: epoch: 0, lr: 0.01"]
    bar = f"{step}%|          | {step}/100 [00:0{step}<?, ?it/s]"
    stack = [
        "Traceback (most recent call last):",
        '  File "fit.py", line 9, in <module>',
        "    tune()",
        "KeyError: 'lr'",
    ]
    run = [*begun, bar, *stack]
    assert read(tmp_path, run * 4).root_line == len(run) * (1 if step == 0 else 4)
