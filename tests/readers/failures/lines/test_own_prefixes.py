"""Names of sources that a collector puts before all lines are learned from the log; what counts is none."""

import pytest

from schedmate import diagnose
from schedmate.readers.failures.lines.own_prefixes import own_prefixes, source_names
from schedmate.tools.logfile import open_log

STEPS = [f"epoch 1 step {step} loss {3 - step / 100:.3f} lr 0.001" for step in range(30)]
RAISED = (
    "[rank1]: Traceback (most recent call last):",
    '[rank1]:   File "/home/user/train.py", line 14, in <module>',
    "[rank1]:     import ops",
    "[rank1]: ImportError: /opt/lib/ops_cuda.so: undefined symbol: _ZN2at4_ops3pad4callEv",
)
SUMMED_UP = (
    "Root Cause (first observed failure):",
    "[0]:",
    "  time      : 2026-03-04_10:57:35",
    "  rank      : 1 (local_rank: 1)",
    "  exitcode  : 1 (pid: 188626)",
)
WRITINGS = ["{name} {line}", "[{name}] {line}", "2026-03-04T10:{at:02d}:30.123456789Z {name} {line}", "{name}> {line}"]


def joined(lines, writing, names=("pretrain-7b-node-0-0", "pretrain-7b-node-0-1")):
    return [writing.format(name=names[at % 2], line=line, at=at % 60) for at, line in enumerate(lines)]


@pytest.mark.parametrize("writing", WRITINGS)
def test_an_answer_does_not_move_where_a_collector_names_its_sources(tmp_path, writing):
    lines = [*STEPS, *RAISED, *SUMMED_UP]
    path = tmp_path / "job.log"
    named = joined(lines, writing)
    traced = [writing.format(name="pretrain-7b-node-0-1", line=line, at=59) for line in RAISED]
    path.write_text("\n".join([*named[: len(STEPS)], *traced, *named[len(STEPS) + len(RAISED) :]]) + "\n")
    found = diagnose(path)
    assert (found.failure_id, found.root_line, found.root_rank) == ("torch.extension_abi", len(STEPS) + len(RAISED), 1)


@pytest.mark.parametrize(
    "lines",
    [
        [f"step-{step} loss {step / 7:.3f}" for step in range(60)],
        [f"epoch-1 batch {step} loss {step / 7:.3f}" for step in range(60)],
        [f"shard-{step:05d}.tar read in {step / 7:.3f} s" for step in range(60)],
        STEPS[:10],
    ],
)
def test_what_counts_is_no_source(lines):
    assert source_names([line.encode() for line in lines]) == frozenset()


HEADS = [
    "2026-03-04 10:{at:02d}:30,123 INFO ",
    "INFO:runner:",
    "[2026-03-04T10:{at:02d}:30.120Z][trainer-0][stdout] ",
    "2026-03-04 10:{at:02d}:30.123 | INFO     | runner:pump:88 - ",
]
KILLED = (
    *RAISED[:-1],
    "[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
    "srun: error: gpu07: task 1: Exited with exit code 1",
)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("lines", [[*STEPS, *RAISED, *SUMMED_UP], [*STEPS, *KILLED]])
def test_the_level_that_a_collector_gives_to_all_lines_softens_none(tmp_path, head, lines):
    plain, dressed = tmp_path / "plain.log", tmp_path / "dressed.log"
    plain.write_text("\n".join(lines) + "\n")
    dressed.write_text("".join(f"{head.format(at=at % 60)}{line}\n" for at, line in enumerate(lines)))
    wanted, found = diagnose(plain), diagnose(dressed)
    assert (found.failure_id, found.root_line, found.root_rank) == (wanted.failure_id, wanted.root_line, 1)


def test_a_program_that_logs_and_whose_traceback_is_bare_has_no_collector(tmp_path):
    path = tmp_path / "job.log"
    bare = [line.removeprefix("[rank1]: ") for line in RAISED]
    path.write_text("\n".join([f"INFO:train:{line}" for line in STEPS] + bare) + "\n")
    with open_log(str(path)) as log:
        assert own_prefixes(log).head is None


@pytest.mark.parametrize("writing", ["fit-{pod}/trainer> {line}", "Mar  4 10:57:{at:02d} fit-{pod}/trainer: {line}"])
def test_a_pod_and_its_container_are_learned_beside_daemons_that_have_no_such_name(tmp_path, writing):
    said = [writing.format(pod=at % 2, at=at % 60, line=line) for at, line in enumerate([*STEPS, *RAISED])]
    chatter = [f"queue-keeper/main> share of team a is 0.{at}" for at in range(14)]
    (tmp_path / "job.log").write_text("\n".join([*chatter, *said]) + "\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.category, found.root_host) == ("framework", "fit-1")


def test_a_containers_name_between_a_pods_and_a_stamp_is_taken_off(tmp_path):
    said = joined([*STEPS, *RAISED], "{name} loader 2026-03-04T10:57:{at:02d}.000000000Z {line}")
    (tmp_path / "job.log").write_text("\n".join(said) + "\n")
    assert diagnose(tmp_path / "job.log").failure_id == "torch.extension_abi"


@pytest.mark.parametrize("head", ["[cell{host}:{rank}] ", "(cell{host}/{rank}) ", "cell{host}:{rank}| "])
def test_a_host_and_a_process_before_most_lines_say_who_speaks(tmp_path, head):
    path = tmp_path / "job.log"
    heads = [head.format(host="-ab"[rank % 3], rank=rank) for rank in range(8)]
    steps = [f"{heads[at % 8]}epoch 1 step {at} loss {3 - at / 100:.3f}" for at in range(160)]
    raised = [heads[3] + line.removeprefix("[rank1]: ") for line in RAISED]
    others = [f"{heads[at]}waiting for the others" for at in (0, 1, 2)]
    path.write_text("\n".join([*steps, *raised, *others]) + "\n")
    with open_log(str(path)) as log:
        assert own_prefixes(log).by_process is not None
    found = diagnose(path)
    assert (found.root_line, found.category != "none") == (len(steps) + len(raised), True)


def test_a_host_and_a_process_are_no_mere_head_though_tracebacks_stand_behind_them(tmp_path):
    steps = [f"[kn01:0] epoch 1 step {at} loss {3 - at / 100:.3f}" for at in range(160)]
    raised = [f"[kn07:3] {line}" for line in RAISED]
    path = tmp_path / "job.log"
    path.write_text("\n".join([*steps, *raised, *(line.replace("rank1", "rank3") for line in raised)]) + "\n")
    with open_log(path) as log:
        assert own_prefixes(log).by_process is not None
