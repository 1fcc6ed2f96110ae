"""What ended every run that the job's own starter began is told at its first statement; else the last run decides."""

import pytest

from schedmate import diagnose

AGAIN = [
    "W0301 10:20:00.000000 77 torch/distributed/elastic/agent/server/api.py:900] [default] Worker group FAILED. "
    "2/3 attempts left; will restart worker group",
    "supervisor: worker exited 1, restart 1/2 in 120 s",
    "=== attempt 2 ===",
    "==> attempt 2 of 3 (2031-07-14 09:26:53)",
]
MEMORY = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {}.83 GiB. GPU 6 has a total capacity of 79 GiB"
STACK = ["Traceback (most recent call last):", '  File "/srv/train.py", line 88, in <module>', "    loss.backward()"]
LINK = "Jul 21 20:{}:18 {} kernel: mlx5_core 0000:9a:00.0 ibp154s0: Link down"
LOST = "[rank3]: torch.distributed.DistBackendError: NCCL error: remote process exited or there was a network error"


def steps(first, last):
    return [f"step {step}/900 loss {3 - step / 1000:.4f}" for step in range(first, last)]


def opened():
    return ["loading the model from /srv/base", "reading 91 shards of data", "training begins"]


def runs_of(*deaths, again):
    lines = []
    for number, death in enumerate(deaths):
        lines += [*opened(), *steps(100, 120 + 7 * number), *death]
        lines += [again] if again and number < len(deaths) - 1 else []
    return lines


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def memory(gib=7):
    return [*STACK, MEMORY.format(gib)]


def link(minute, host="gpu07"):
    return [LINK.format(minute, host), LOST]


@pytest.mark.parametrize("again", AGAIN)
@pytest.mark.parametrize("death", [memory, lambda: link(22)])
def test_the_first_of_all_tries_states_it(tmp_path, again, death):
    lines = runs_of(death(), death(), again=again)
    found = read(tmp_path, lines)
    assert (found.attempts, found.root_line) == (2, lines.index(next(x for x in death() if x not in STACK)) + 1)
    lines = runs_of(death(), death(), death(), again=again)
    assert read(tmp_path, lines).root_line == lines.index(next(x for x in death() if x not in STACK)) + 1


@pytest.mark.parametrize("again", AGAIN)
def test_another_part_that_failed_before_is_another_fault(tmp_path, again):
    lines = runs_of(link(22, "gpu07"), link(44, "gpu12"), again=again)
    assert read(tmp_path, lines).root_line == lines.index(LINK.format(44, "gpu12")) + 1


@pytest.mark.parametrize("again", AGAIN)
def test_a_run_between_that_died_of_something_else_leaves_the_last_one(tmp_path, again):
    other = [*STACK, "ValueError: cannot reshape array of size 12 into shape (5,)"]
    lines = runs_of(memory(), other, memory(9), again=again)
    assert read(tmp_path, lines).root_line == lines.index(MEMORY.format(9)) + 1


@pytest.mark.parametrize("again", AGAIN)
def test_what_a_run_got_over_did_not_end_it(tmp_path, again):
    lines = runs_of([*memory(), *steps(120, 140), "[rank3]: lost"], memory(9), again=again)
    assert read(tmp_path, lines).root_line == lines.index(MEMORY.format(9)) + 1


@pytest.mark.parametrize("words", ["CUDA error {}00: something", "worker node0{} did not answer"])
def test_codes_and_names_that_differ_are_other_faults(tmp_path, words):
    lines = runs_of(
        [*STACK, f"RuntimeError: {words.format(2)}"], [*STACK, f"RuntimeError: {words.format(7)}"], again=AGAIN[0]
    )
    assert read(tmp_path, lines).root_line == len(lines)


def test_what_another_fault_of_its_run_explains_is_not_the_first_statement(tmp_path):
    symptom = [*STACK, "RuntimeError: CUDA error: unspecified launch failure"]
    off_the_bus = "gpu07 kernel: NVRM: Xid (PCI:0000:9a:00): 79, pid=4711, GPU has fallen off the bus."
    lines = runs_of([off_the_bus, *symptom], symptom, again=AGAIN[1])
    assert read(tmp_path, lines).root_line == len(lines)


ROWS = "[gpu07 kmsg] [Sat Jul 19 19:36:13 2031] NVRM: Xid (PCI:0000:87:00): 64, Row Remapper: Failed to remap row 0x5c"
DEVICE = ["uncorrectable ECC error encountered", "CUDA-capable device(s) is/are busy or unavailable"]


def met(rank, error):
    return [f"[rank{rank}]: {line}" for line in [*STACK, f"RuntimeError: CUDA error: {DEVICE[error]}"]]


def test_what_became_of_a_device_from_run_to_run_began_with_its_first_fault(tmp_path):
    caught = [*STACK, "ValueError: the sample is empty", "going on without it", *steps(60, 100)]
    lines = runs_of([*caught, ROWS, *steps(120, 121), *met(5, 0)], met(5, 0), met(5, 1), again=AGAIN[1])
    assert read(tmp_path, lines).root_line == len(lines)
    lines = [one for line in lines for one in ([line, "nodes: gpu07,gpu08"] if line == opened()[0] else [line])]
    found = read(tmp_path, lines)
    assert (found.subcategory, found.root_line) == ("gpu", lines.index(ROWS) + 1)


@pytest.mark.parametrize(("hosts", "first"), [("gpu01,gpu02", True), ("gpu01,gpu09", False), ("", False)])
def test_the_rank_on_another_host_has_another_device(tmp_path, hosts, first):
    lines = runs_of(met(5, 0), met(5, 1), again="=== attempt 2 ===")
    told = iter(["launcher: nodes gpu01,gpu02", f"launcher: nodes {hosts}" if hosts else "launcher: begins"])
    lines = [one for line in lines for one in ([line, next(told)] if line == opened()[0] else [line])]
    found = read(tmp_path, lines)
    assert found.root_line == (lines.index(met(5, 0)[-1]) + 1 if first else len(lines))
    assert DEVICE[0 if first else 1] in found.root_excerpt
    assert (found.failure_id == "gpu.ecc_uncorrectable") == first


def test_the_device_of_another_rank_is_another(tmp_path):
    lines = runs_of([ROWS, *met(5, 0)], met(3, 1), again=AGAIN[1])
    assert read(tmp_path, lines).root_line == len(lines)


@pytest.mark.parametrize("begun", ["ada@login1:~/job$ torchrun train.py", "=== job 4712 ==="])
def test_of_runs_that_somebody_began_the_last_one_is_asked_about(tmp_path, begun):
    lines = runs_of(memory(), memory(9), again=begun)
    found = read(tmp_path, lines)
    assert (found.attempts, found.root_line) == (2, lines.index(MEMORY.format(9)) + 1)


def test_of_runs_that_somebody_appended_the_last_one_is_asked_about(tmp_path):
    lines = runs_of(memory(), memory(9), again="")
    found = read(tmp_path, lines)
    assert (found.attempts, found.root_line) == (2, lines.index(MEMORY.format(9)) + 1)


def of_rank(rank, death):
    return [f"[rank{rank}]: {line}" for line in death]


def test_what_is_of_the_code_any_rank_may_state_first(tmp_path):
    missing = [*STACK, "ModuleNotFoundError: No module named 'rouge_cn'"]
    lines = runs_of([*of_rank(6, missing), *of_rank(3, missing)], of_rank(3, missing), again=AGAIN[1])
    assert read(tmp_path, lines).root_line == lines.index(of_rank(6, missing)[-1]) + 1


@pytest.mark.parametrize(
    ("said", "first"), [("[keeper] exit 1, restarting in 60 s", True), ("[keeper] exit 1, please look", False)]
)
def test_a_starter_speaks_soon_behind_the_end(tmp_path, said, first):
    wrong = [*STACK, "TypeError: save() got an unexpected keyword argument 'merge'"]
    death = [*wrong, "Container rank 0 status failed cmd ['python', 'fit.py'] code 1", said]
    lines = runs_of(death, death, death, again="")
    places = [place for place, line in enumerate(lines, 1) if line == wrong[-1]]
    assert read(tmp_path, lines).root_line == places[0 if first else -1]


SENT = "[{}:{}:0:{}] ib_mlx5_log.c:179  Transport retry count exceeded on mlx5_0:1/IB (synd 0x15 vend 0x81 hw_synd 0/0)"
NO_PORT = "[{}:{}:0:{}] ucp_ep.c:2113 UCX  ERROR Endpoint is not connected: no active port on mlx5_0"


@pytest.mark.parametrize(("host", "first"), [("n05", True), ("n09", False)])
def test_what_was_met_on_one_port_of_one_host_is_one_fault(tmp_path, host, first):
    over = "mpirun noticed that process rank 9 with PID 88 on node n05 exited on signal 15 (Terminated)."
    deaths = [SENT.format("n05", 88, 88), over], [NO_PORT.format(host, 90, 90)]
    lines = runs_of(*deaths, again="wrapper: resubmitting, try 2")
    assert read(tmp_path, lines).root_line == (lines.index(SENT.format("n05", 88, 88)) + 1 if first else len(lines))
