"""What stands in a stack states nothing, and a stack that the log's end cuts off is an end without a name."""

import pytest

from schedmate import diagnose

CALLS = (
    '[rank3]:   File "/opt/lib/python3.12/site-packages/torch/distributed/utils.py", line 281, in _verify',
    "[rank3]:     return dist._verify_params_across_processes(process_group, tensors, logger)",
)
LOST = "[rank3]: RuntimeError: NET/OFI Request 0x7f completed with error. RC: 113. Error: 2 (UNDELIVERABLE)."
CUT = (
    "Traceback (most recent call last):",
    '  File "/home/user/train.py", line 88, in <module>',
    "    main()",
    '  File "/home/user/train.py", line 60, in main',
)
FEEDER = (
    "Traceback (most recent call last):",
    '  File "/usr/lib/python3.11/multiprocessing/queues.py", line 234, in _feed',
    "    obj = _ForkingPickler.dumps(obj)",
    "RuntimeError: unable to write to file </torch_995_2167858072>",
)
STEPS = [f"epoch 1 step {step} loss {3 - step / 100:.3f}" for step in range(30)]


def read(tmp_path, lines):
    path = tmp_path / "job.log"
    path.write_text("\n".join(lines) + "\n")
    return diagnose(path)


def test_source_under_a_call_is_no_statement_where_the_head_of_its_stack_is_missing(tmp_path):
    found = read(tmp_path, [*CALLS, LOST])
    assert (found.category, found.root_line) == ("infrastructure", 3)


def test_the_same_words_count_where_the_program_prints_them(tmp_path):
    said = "[rank3]: RuntimeError: DDP expects same model across all ranks, but Rank 3 has 290 params"
    assert read(tmp_path, [*CALLS, said]).failure_id == "distributed.ddp_param_mismatch"


def test_a_stack_that_the_end_cuts_off_is_an_end_and_not_a_sure_one(tmp_path):
    found = read(tmp_path, [*STEPS, *CUT])
    assert (found.failure_id, found.root_line) == ("script.stack_cut_off", len(STEPS) + 4)
    assert found.confidence < 0.8


@pytest.mark.parametrize("signal", ["15", "2", "Signals.SIGTERM"])
def test_what_a_launcher_was_told_explains_a_stack_that_is_cut_off(tmp_path, signal):
    told = f"WARNING:torch.distributed.elastic.agent.server.api:Received {signal} death signal, shutting down workers"
    found = read(tmp_path, [*STEPS, told, *CUT])
    assert (found.category, found.root_line) == ("other", len(STEPS) + 1)


def test_a_stack_in_the_middle_that_steps_follow_ends_nothing(tmp_path):
    assert read(tmp_path, [*STEPS, *CUT, *(line.replace("epoch 1", "epoch 2") for line in STEPS)]).category == "none"


def test_what_the_thread_of_a_queue_met_explains_a_bad_end(tmp_path):
    assert read(tmp_path, [*FEEDER, *CUT]).failure_id == "dataloader.shm_too_small"
    assert read(tmp_path, [*STEPS, *FEEDER, *(line.replace("epoch 1", "epoch 2") for line in STEPS)]).category == "none"


@pytest.mark.parametrize(
    "row",
    [
        '    cf.assert %21, "index out of bounds: 0 <= tmp22 < 512"',
        '    %7 = arith.cmpi slt, %6, %c9 : i32 loc("error: index 4 out of bounds")',
        'tl.device_assert((tmp3 < 90) | ~xmask, "index out of bounds: tmp3 < 90")',
        "frame #3: acme::Error::Error(std::string) + 0x57 (0x7f2a in /opt/acme/lib/libacme.so)",
    ],
)
def test_a_compilers_listing_states_nothing(tmp_path, row):
    found = read(tmp_path, [*STEPS, row, row, "LLVM ERROR: acme rounding is not supported on this target."])
    assert (found.category, found.root_line) == ("framework", len(STEPS) + 3)


def test_what_stands_between_the_lines_of_another_processs_stack_counts(tmp_path):
    said = "[pod/acme-worker-5/main] RuntimeError: loss is not finite (nan) at step 29"
    lost = "[pod/acme-worker-6/main] torch.distributed.DistBackendError: NCCL error: remote process exited"
    stack = [f"[pod/acme-worker-6/main] {line}" for line in CUT]
    found = read(tmp_path, [*STEPS, *stack[:2], said, *stack[2:], lost])
    assert (found.category, found.root_line) == ("script", len(STEPS) + 3)


def test_what_an_entry_knows_between_a_stacks_lines_is_of_another_process(tmp_path):
    said = "Error in routine acme_bands (1):"
    lost = "torch.distributed.DistBackendError: NCCL error: remote process exited or there was a network error"
    found = read(tmp_path, [*STEPS, *CUT[:2], said, *CUT[2:], lost])
    assert (found.category, found.root_line) == ("script", len(STEPS) + 3)


@pytest.mark.parametrize("order", ["last", "first"])
def test_a_machines_fault_above_a_stack_is_told_by_its_heading(tmp_path, order):
    fault = f"GPU 5 has fallen off the bus (most recent call {order}):"
    assert read(tmp_path, [*STEPS, fault]).root_line == len(STEPS) + 1
    assert read(tmp_path, [*STEPS, f"Fatal error (most recent call {order}):"]).root_line is None


JULIA = [
    "lattice: Error During Test at /home/lea/Lattice/test/runtests.jl:31",
    "  Got exception outside of a @test",
    "  the sum of the weights is 0.98",
    "  Stacktrace:",
    "   [1] error(s::String)",
    "     @ Base ./error.jl:35",
    "   [2] sweep!(::Lattice{Float32, Failed, Killed, Error, Aborted}, ::Killed{Int64})",
    "   [3] top-level scope at /home/lea/Lattice/test/runtests.jl:31",
    "Test Summary: | Error  Total",
    "lattice       |     1      1",
    "ERROR: LoadError: Some tests did not pass: 0 passed, 0 failed, 1 errored, 0 broken.",
]


def test_of_julias_tests_the_first_that_failed_states_why_the_program_ended(tmp_path):
    found = read(tmp_path, [*STEPS, *JULIA])
    assert (found.failure_id, found.root_line) == ("languages.julia_test", len(STEPS) + 1)


def test_an_exception_of_a_kernel_goes_before_what_the_call_behind_it_meets(tmp_path):
    thrown = (
        "ERROR: a InexactError exception was thrown during kernel execution on thread (4, 1, 1) in block (2, 1, 1)."
    )
    met = "  CUDA error: unspecified launch failure (code 719, ERROR_LAUNCH_FAILED)"
    found = read(tmp_path, [*STEPS, thrown, *JULIA[:2], met, *JULIA[3:]])
    assert (found.failure_id, found.root_line) == ("languages.julia_kernel_exception", len(STEPS) + 1)


def test_where_that_stands_nowhere_its_last_word_is_all_that_is_known(tmp_path):
    found = read(tmp_path, [*STEPS, *JULIA[4:]])
    assert (found.category, found.root_line) == ("script", len(STEPS) + 7)
