"""What a shell missed before its program ran, what a server notes of its clients, and tallies: none of them a cause."""

import pytest

from schedmate import diagnose

MODULES = [
    "Lmod has detected the following error: The following module(s) are unknown:",
    '"python"',
    'Please check the spelling or version number. Also try "module spider ..."',
]
STACK = ["Traceback (most recent call last):", '  File "fetch.py", line 66, in <module>', "    main()"]


def read(tmp_path, lines):
    (tmp_path / "job.out").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.out")


@pytest.mark.parametrize("missed", [MODULES, ["/bin/sh: 1: module: not found"]])
def test_a_program_that_ran_and_failed_of_its_own_had_been_set_up(tmp_path, missed):
    lines = [*missed, *STACK, "ValueError: too many values to unpack (expected 2)"]
    assert read(tmp_path, lines).root_line == len(lines)


@pytest.mark.parametrize(
    "lacks",
    ["ModuleNotFoundError: No module named 'torch'", "OSError: libcudart.so.12: cannot open shared object file"],
)
def test_what_the_set_up_would_have_brought_is_missed_because_of_it(tmp_path, lacks):
    assert read(tmp_path, [*MODULES, *STACK, lacks]).root_line == 1


def test_what_is_printed_between_does_not_clear_what_was_missed(tmp_path):
    plain = ["+ acme-launch -n 8 python mesh.py", *(f"the setting of {part} is read" for part in "abcdefghijklmn")]
    lacks = "ImportError: libacme.so.8: cannot open shared object file: No such file or directory"
    assert read(tmp_path, [*MODULES, *plain, *STACK, lacks]).root_line == 1


def test_a_module_that_is_missing_is_the_cause_where_nothing_ran(tmp_path):
    assert read(tmp_path, MODULES).root_line == 1


REFUSED = "srun: error: Unable to create step for job 4711: More processors requested than permitted"
APART = "At least one pair of MPI processes are unable to reach each other for"


def test_a_step_that_was_refused_is_no_cause_where_another_launcher_started_the_ranks(tmp_path):
    ranks = [f"[1,{rank}]<stderr>:Error in MPI_Isend(474, 1, 0x2b2591, 0, -27, 474) (-12)" for rank in range(2)]
    found = read(tmp_path, [REFUSED, APART, *ranks])
    assert (found.subcategory, found.root_line) == ("network", 2)
    assert read(tmp_path, [REFUSED, "srun: Job step may never run."]).root_line == 1


def test_what_a_server_answered_its_clients_is_no_service_that_is_down(tmp_path):
    served = [f'INFO:     10.0.0.9:4758{n} - "GET /health HTTP/1.1" 503 Service Unavailable' for n in range(4)]
    end = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x7 and 8x2)"
    found = read(tmp_path, [*served, *STACK, end])
    assert (found.category, found.root_line) == ("script", len(served) + len(STACK) + 1)
    assert read(tmp_path, served).category == "none"


def test_a_client_that_was_answered_so_still_is_one(tmp_path):
    told = "requests.exceptions.HTTPError: 503 Server Error: Service Unavailable for url: https://hub.example.org/x"
    assert read(tmp_path, [*STACK, told]).category == "infrastructure"


def test_a_tally_of_no_failures_is_no_failure(tmp_path):
    tally = 'time="2026-02-21T09:31:59Z" level=info msg="job=a, expected=1, running=1, failed=0"'
    lines = [tally, tally, 'time="2026-02-21T09:32:29Z" level=info msg="Pod: a-worker-0 exited with code 1"']
    assert read(tmp_path, lines).root_line == 3
    assert read(tmp_path, [tally.replace("failed=0", "failed=2")]).root_line == 1


def test_a_native_warning_and_the_exception_that_it_becomes_are_one_statement(tmp_path):
    said = "OOM when allocating tensor with shape[2,64] and type float on /device:GPU:0 by allocator GPU_0_bfc"
    warned = f"W tensorflow/core/framework/op_kernel.cc:1273] OP_REQUIRES failed: Resource exhausted: {said}"
    raised = f"tensorflow.python.framework.errors_impl.ResourceExhaustedError: {said}"
    lines = ["loading", warned, *STACK, raised]
    assert read(tmp_path, lines).root_line == len(lines)
    assert read(tmp_path, lines[:2]).root_line == 2


def test_a_warning_in_other_words_is_the_first_statement(tmp_path):
    warned = "2026-04-01 06:07:52,296 WARNING storage: GET s3://corpus/idx/33.json: 503 Slow Down"
    raised = "botocore.exceptions.ClientError: An error occurred (503) when calling the GetObject operation: Slow Down"
    lines = ["loading", warned, *STACK, raised]
    assert read(tmp_path, lines).root_line == 2


def test_a_job_that_ran_into_its_time_limit_had_got_over_its_set_up(tmp_path):
    missed = "CommandNotFoundError: Your shell has not been properly configured to use 'conda activate'."
    limit = "slurmstepd: error: *** JOB 4711 ON node3 CANCELLED AT 2031-01-27T03:29:05 DUE TO TIME LIMIT ***"
    assert read(tmp_path, [missed, limit]).category == "other"
    assert read(tmp_path, [missed]).category == "script"


def test_what_a_shell_missed_after_a_launcher_gave_up_did_not_end_the_training_before(tmp_path):
    waited = (
        "[rank0]:[E1218 20:27:21.426 ProcessGroupNCCL.cpp:629] [Rank 0] Watchdog caught collective operation timeout: "
        "WorkNCCL(SeqNum=1, OpType=BROADCAST, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600081 milliseconds"
    )
    gave_up = "[2025-12-18 20:27:24,102] [ERROR] [launch.py:325:sigkill_handler] ['python'] exits with return code = -6"
    missed = "scripts/order_1.sh: line 45: --disable_tqdm: command not found"
    path = tmp_path / "job.log"
    path.write_text("\n".join(["loading the model", waited, gave_up, missed, "+ sleep 5"]) + "\n")
    found = diagnose(path)
    assert (found.failure_id, found.root_line) == ("distributed.watchdog_timeout", 2)
    path.write_text("\n".join(["loading the model", missed, gave_up]) + "\n")
    assert diagnose(path).root_line == 2


CONDA = "CommandNotFoundError: Your shell has not been properly configured to use 'conda activate'."


@pytest.mark.parametrize("missed", [MODULES, [CONDA]])
def test_a_program_that_was_loaded_all_the_same_needed_no_set_up(tmp_path, missed):
    warned = "/opt/env/lib/python3.11/site-packages/fit/save.py:34: FutureWarning: the format will be dropped"
    assert read(tmp_path, [*missed, warned]).category == "none"
    assert read(tmp_path, [warned, *missed]).root_line == 2
    assert read(tmp_path, [*missed, warned, *STACK, "ModuleNotFoundError: No module named 'torch'"]).root_line == 1


def test_documents_that_were_built_miss_no_module(tmp_path):
    built = ["WARNING: autodoc: failed to import module 'fit'", *STACK, "AttributeError: module 'fit' has no attribute"]
    assert read(tmp_path, [*built, "", "build succeeded, 7 warnings."]).category == "none"
    assert read(tmp_path, built).category == "script"


def test_a_service_that_tells_of_a_return_code_tells_of_an_end(tmp_path):
    """What the same service prints last, whatever became of the program, proves nothing."""
    said = ["[Acme Service Log]Training end with return code: {}", "[Acme Service Log]Training completed."]
    found = [read(tmp_path, [said[0].format(code), said[1]]).category for code in (250, 0)]
    assert found == ["script", "none"]
