"""What a terminal, a launcher, a logger or a mail adds to lines changes nothing of what is read."""

from functools import cache
from pathlib import Path

import pytest

from evals.metrics import invented, labelled
from evals.progress.rendered import RENDERINGS
from schedmate import Tracker
from schedmate.readers.progress.lines.head import message_start
from schedmate.readers.progress.text.dress import Dress

ROOT = Path(__file__).parents[4]
VISIBLE = next((place / "shared/logs/progress" for place in ROOT.parents if (place / "shared/logs").is_dir()), None)
READ = ("step_time_s", "step", "total_steps", "loss", "epoch", "phase")


def read(data):
    tracker = Tracker("job.log")
    tracker.feed(data, now_s=0)
    tracker.finish()
    return tracker.metrics()


def answers(data):
    metrics = read(data)
    return {name: getattr(metrics, name) for name in READ}


def dressed(data, rendering):
    return RENDERINGS[rendering](data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def changed(cases, rendering):
    """Name the logs of which another thing is read when they are dressed."""
    return [name for name, data, plain in cases if answers(dressed(data, rendering)) != plain]


@cache
def real_logs():
    """Give each real log with what is read of it as it stands."""
    return [(case.name, case.data, answers(case.data)) for case in labelled(VISIBLE)]


@cache
def invented_logs():
    return [(case.name, case.data, answers(case.data)) for case in invented(5, 80)]


def rows(count, line):
    return "".join(
        line.format(step=5 * n, loss=3 / n, took=0.5 + n % 3 / 1000) + "\n" for n in range(1, count)
    ).encode()


LONG = (
    "Iteration {step:>6}/  400 | consumed samples: 4096 | elapsed time per iteration (ms): 512.5 | "
    "learning rate: 1.5E-04 | lm loss: {loss:.4f}"
)
OWN = {
    "long lines": b"Some words of a setup\nloaded 3 shards of data\n" + rows(30, LONG),
    "a table": b"step,loss,step_time\n" + rows(20, "{step},{loss:.4f},{took}"),
    "a table of spaces": b"  step    loss   s/it\n" + rows(20, "{step:6}  {loss:.4f}  {took:.4f}"),
    "boosting": b"[0]\ttrain-rmse:9.5\n" + rows(20, "[{step}]\ttrain-rmse:{loss:.4f}"),
    "a bar": rows(20, " 40%|####      | {step}/200 [00:40<01:00,  2.00it/s, loss={loss:.3f}]"),
    "pairs": b"world size 8\nusing bf16\n" + rows(20, "step {step} loss {loss:.4f} took {took}s"),
}


@pytest.mark.parametrize("rendering", RENDERINGS)
@pytest.mark.parametrize("name", OWN)
def test_dress_changes_nothing(name, rendering):
    plain = answers(OWN[name])
    assert plain["step"] is not None
    assert answers(dressed(OWN[name], rendering)) == plain


@pytest.mark.skipif(VISIBLE is None, reason="../shared/logs is not here")
@pytest.mark.parametrize("rendering", RENDERINGS)
def test_dress_changes_nothing_of_real_logs(rendering):
    assert changed(real_logs(), rendering) == []


@pytest.mark.parametrize("rendering", ["indented", "quoted", "under torchrun", "coloured", "under docker compose"])
def test_dress_changes_nothing_of_invented_formats(rendering):
    assert changed(invented_logs(), rendering) == []


def test_each_of_many_processes_counts_once():
    text = "".join(
        f"[rank{rank}]: step {step} loss {2 / step:.3f} step_time 0.5{rank}\n"
        for step in range(1, 30)
        for rank in (0, 1)
    )
    assert read(text.encode()).step_time_s == 0.5


def test_the_quote_is_the_line_as_it_stands():
    data = dressed(OWN["long lines"], "wrapped at 80 columns")
    metrics = read(data)
    lines = data.decode().split("\n")
    assert metrics.evidence
    assert all(one.quote in lines[one.line - 1] for one in metrics.evidence)


@pytest.mark.parametrize("cut", [1, 57, 400, 1203])
def test_a_cut_record_that_comes_in_pieces(cut):
    data = dressed(OWN["long lines"], "wrapped at 80 columns")
    tracker = Tracker("job.log")
    tracker.feed(data[:2500], now_s=0)
    for place in range(2500, len(data), cut):
        tracker.feed(data[place : place + cut], now_s=place)
    tracker.finish()
    metrics = tracker.metrics()
    assert (metrics.step, metrics.step_time_s) == (145, 0.5125)


def test_lines_of_one_length_are_not_cut():
    data = "".join(
        f"step {step:5} loss 0.5000 lr 0.0010 norm 1.0000 took 0.5000s and waited 0.01\n" for step in range(9)
    )
    dress = Dress()
    dress.learn(data.encode())
    assert dress.width == 0


def test_a_counter_is_no_rank():
    dress = Dress()
    dress.learn("".join(f"{step}: 0.5, 0.4 avg loss, 0.001 rate\n" for step in range(60)).encode())
    assert dress.prefixes == ()
    assert dress.label == ""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("2031-04-05 10:11:12,345 - INFO - [10] train", "[10] train"),
        ("I0405 10:11:12.000000 4242 metrics.py:71] [10] loss", "[10] loss"),
        ("Apr  5 10:11:12 gpu7 train[4821]: step 1", "step 1"),
        ("2031-04-05T10:11:12Z [rank0]: > step 1", "step 1"),
        ("epoch | loss", "epoch | loss"),
        ("1/10 [00:12<00:34]", "1/10 [00:12<00:34]"),
        ("10: 0.5", "10: 0.5"),
        ("12:30 left", "12:30 left"),
    ],
)
def test_where_a_message_begins(line, message):
    assert line[message_start(line) :] == message


def test_lines_of_one_length_before_headings_were_not_cut():
    rows = []
    for n in range(1, 9):
        rows += [
            f"Epoch {n}/8",
            f"700/700 {'━' * 20} 315s 45ms/step - accuracy: 0.7{n}12 - loss: 0.8{n}34 - val_loss: 0.8{n}36",
        ]
    tracker = Tracker("job.log")
    tracker.feed(
        ("\n".join([*rows, "done fitting", "90/90 ━━━━━━━━━━━━━━━━━━━━ 2s 16ms/step"]) + "\n").encode(), now_s=0
    )
    tracker.finish()
    assert (tracker.metrics().epoch, tracker.metrics().loss) == (8, 0.8834)


@pytest.mark.parametrize("mark", ["+ ", "; ", "* ", ">", "> "])
def test_a_mark_before_every_line_of_what_was_pasted_is_none_of_it(mark):
    rows = ["Logging to /tmp/walker", "step\tloss", *(f"{10 * n}\t{4 / n:.5f}" for n in range(1, 30))]
    tracker = Tracker("job.log")
    tracker.feed("".join(f"{mark}{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    assert (tracker.metrics().step, tracker.metrics().loss) == (290, pytest.approx(4 / 29, abs=1e-5))
