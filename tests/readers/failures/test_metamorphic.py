"""What changes nothing about a fault must not move the answer: launcher, buffers, handled errors, dumps, order."""

import random

import pytest

from schedmate import diagnose

RANKS, VICTIM = 8, 3
TRACE = ["Traceback (most recent call last):", '  File "/home/user/train.py", line 88, in <module>', "    main()"]
CAUSES = {
    "python.key_error": [*TRACE, "KeyError: 'position_ids'"],
    "cuda.out_of_memory": [
        *TRACE,
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has 79.11 GiB",
    ],
    "storage.disk_full": [*TRACE, "OSError: [Errno 28] No space left on device: '/local/ckpt/step_40.pt'"],
    "gpu.xid_79": [
        "gpu17 kernel: [93211.118] NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, name=python, GPU has fallen off the bus."
    ],
    "network.ib_completion_error": [
        "gpu17:4711:4790 [3] NCCL WARN NET/IB : Got completion from peer 10.0.0.4<45678> with status=12 vendor err 129"
    ],
    "storage.read_only": [*TRACE, "OSError: [Errno 30] Read-only file system: '/scratch/out/events.log'"],
    "cuda.device_side_assert": [*TRACE, "RuntimeError: CUDA error: device-side assert triggered"],
    "site.maintenance": ["Emergency maintenance has started: all nodes of row F are going down for repair."],
}
FRAMES = [
    '  File "/usr/lib/python3/dist-packages/torch/distributed/distributed_c10d.py", line 2810, in all_reduce',
    "    work = group.allreduce([tensor], opts)",
]
LOST = [
    *TRACE,
    *FRAMES,
    "torch.distributed.DistBackendError: NCCL error: remote process exited or there was a network error",
]
HANDLED = [
    "Traceback (most recent call last):",
    '  File "/home/user/data.py", line 8, in fetch',
    "    return self.read(part)",
    "TimeoutError: the store did not answer in 30 s",
    "could not read part 17, trying again",
]
PREFIXES = {
    "srun": "",
    "srun -l": "{rank}: ",
    "torchrun": "[rank{rank}]: ",
    "tee": "[default{rank}]:",
    "mpirun": "[1,{rank}]<stderr>:",
    "prterun": "[prterun-node07-4711@1,{rank}]<stderr>: ",
    "k8s": "[pod/job-worker-{rank}/pytorch] ",
    "ray": "(TrainWorker pid=70{rank}, ip=10.0.0.{rank}) ",
    "pdsh": "gpu00{rank}: ",
}


def say(rank, lines, prefix):
    return [prefix.format(rank=rank) + line for line in lines]


def steps(first, last, prefix):
    return say(0, [f"epoch 1 step {step} loss {3 - step / 200:.3f} lr 1e-4" for step in range(first, last)], prefix)


class Story:
    """A run of 8 ranks of which one meets a cause and the others lose it."""

    def __init__(self, cause, prefix=""):
        self.prefix, self.before = prefix, steps(1, 150, prefix)
        self.cause = say(VICTIM, cause, "" if cause[-1].startswith(("gpu17 kernel", "Emergency")) else prefix)
        self.after = [line for rank in (1, 5, 2) for line in say(rank, LOST, prefix)]

    def lines(self):
        return [*self.before, *self.cause, *self.after]


def plain(story):
    return story.lines()


def with_steps_held_back(story):
    held, story.before = story.before[-60:], story.before[:-60]
    return [*story.before, *story.cause, *story.after, *held]


def with_handled_errors(story):
    for rank, place in ((6, 30), (7, 90), (4, 120)):
        story.before[place:place] = say(rank, HANDLED, story.prefix)
    return story.lines()


def with_an_old_dump(story):
    dump = [
        "[  100.000001] nvme0: mounted",
        "[ 5000.000001] NVRM: Xid (PCI:0000:1b:00): 94, pid=1, Contained: SM (0x1)",
        "[90000.000001] perf: interrupt took too long",
    ]
    return [*story.lines(), "---- dmesg of gpu44 ----", *dump]


def with_the_cause_said_again(story):
    return [*story.lines(), *(line if not line else f"again: {line}" for line in story.cause[-1:])]


def with_the_traceback_under_another_prefix(story):
    return [
        *story.lines(),
        *say(
            VICTIM,
            [line[len(story.prefix.format(rank=VICTIM)) :] for line in story.cause],
            "[default{rank}]:[rank{rank}]: ",
        ),
    ]


def with_effects_first(story):
    return [*story.before, *story.after[: len(LOST)], *story.cause, *story.after[len(LOST) :]]


def with_ranks_mixed(story):
    draws, mixed = random.Random(7), []
    streams = [list(story.cause), *(story.after[at : at + len(LOST)] for at in range(0, len(story.after), len(LOST)))]
    mixed.append(streams[0].pop(0))
    while any(streams):
        stream = draws.choice([one for one in streams if one])
        mixed.append(stream.pop(0))
    return [*story.before, *mixed]


def with_an_epilog(story):
    return [*story.lines(), "epilog: scratch of job 4711 removed", "epilog: 0 errors", "epilog: node checks passed"]


def with_words_of_fear(story):
    for place in (10, 60, 140):
        story.before[place:place] = say(
            0,
            [
                "eval: fatal_rate=0.0 killed=0 error_max=0.12 timeout_frac=0.0",
                "args: --on-failure abort --panic-dir /logs/fatal",
            ],
            story.prefix,
        )
    return story.lines()


CHANGES = (
    plain,
    with_steps_held_back,
    with_handled_errors,
    with_an_old_dump,
    with_the_cause_said_again,
    with_effects_first,
    with_an_epilog,
    with_words_of_fear,
)
TOLD_APART = [name for name, prefix in PREFIXES.items() if prefix]


def in_turn(causes, changes, launchers):
    """Give each cause with each change, under one launcher after the other."""
    pairs = [(cause, change) for cause in causes for change in changes]
    for number, (cause, change) in enumerate(pairs):
        yield pytest.param(cause, change, launchers[(number + number // len(launchers)) % len(launchers)])


def check(tmp_path, cause, change, launcher):
    story = Story(CAUSES[cause], PREFIXES[launcher])
    lines = change(story)
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.failure_id, found.root_line) == (cause, lines.index(story.cause[-1]) + 1)


@pytest.mark.parametrize(("cause", "change", "launcher"), list(in_turn(CAUSES, CHANGES, list(PREFIXES))))
def test_nothing_moves_the_answer(tmp_path, cause, change, launcher):
    check(tmp_path, cause, change, launcher)


RAISED = [cause for cause, lines in CAUSES.items() if lines[0] == TRACE[0]]
MIXED = (with_ranks_mixed, with_the_traceback_under_another_prefix)


@pytest.mark.parametrize(("cause", "change", "launcher"), list(in_turn(RAISED, MIXED, TOLD_APART)))
def test_neither_mixing_nor_repeating_tracebacks_moves_it(tmp_path, cause, change, launcher):
    check(tmp_path, cause, change, launcher)


@pytest.mark.parametrize("margin", ["    ", "> "])
@pytest.mark.parametrize(("cause", "launcher"), [(cause, launcher) for cause in RAISED for launcher in ("ray", "k8s")])
def test_a_log_that_was_pasted_with_a_margin_says_the_same(tmp_path, cause, launcher, margin):
    story = Story(CAUSES[cause], PREFIXES[launcher])
    (tmp_path / "job.log").write_text("".join(f"{margin}{line}\n" for line in story.lines()))
    found = diagnose(tmp_path / "job.log")
    assert (found.failure_id, found.root_line) == (cause, story.lines().index(story.cause[-1]) + 1)
