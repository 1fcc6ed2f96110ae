"""The incremental tracker: bytes as they come, cut anywhere, in bounded memory."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedmate import Tracker
from schedmate.schemas import Metrics


def lines(first, last, step_s=0.5, stamp=True):
    for step in range(first, last):
        at = 36000 + step * step_s
        clock = f"2031-05-06 {int(at // 3600):02}:{int(at // 60) % 60:02}:{at % 60:06.3f} " if stamp else ""
        yield f"{clock}INFO train step {step}/900 loss {5 - step / 1000:.4f} lr 1e-4\n"


LOG = "".join(lines(1, 60)).encode()


def test_reads_what_the_log_says():
    tracker = Tracker("job.log")
    tracker.feed(LOG, now_s=0)
    metrics = tracker.metrics()
    assert metrics.step_time_s == pytest.approx(0.5)
    assert (metrics.step, metrics.total_steps, metrics.loss) == (59, 900, 4.941)
    assert metrics.eta_s == pytest.approx((900 - 59) * 0.5)
    text = LOG.decode().splitlines()
    assert all(one.quote in text[one.line - 1] for one in metrics.evidence)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, len(LOG) - 1), max_size=12))
def test_the_answer_does_not_depend_on_how_the_bytes_are_cut(cuts):
    whole, pieces = Tracker(), Tracker()
    whole.feed(LOG, now_s=0)
    for start, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(LOG)], strict=True):
        pieces.feed(LOG[start:end], now_s=0)
    assert pieces.metrics() == whole.metrics()


def test_a_half_written_line_waits():
    tracker = Tracker()
    tracker.feed(LOG + b"2031-05-06 10:00:30 INFO train step 70/900 loss 0.0", now_s=0)
    assert tracker.metrics().step == 59
    tracker.feed(b"001\n", now_s=1)
    assert (tracker.metrics().step, tracker.metrics().loss) == (70, 0.0001)


def test_large_pieces_are_not_read_line_by_line_but_numbered_right():
    tracker = Tracker()
    tracker.feed(LOG, now_s=0)
    noise = b"NCCL INFO Channel 00 : 0[1a000] -> 1[1c000] via P2P/IPC\n" * 9000
    tracker.feed(noise + b"".join(line.encode() for line in lines(60, 80)) + noise, now_s=10)
    metrics = tracker.metrics()
    assert metrics.step == 79
    assert {one.line for one in metrics.evidence} == {59 + 9000 + 20}


def test_stalled_after_many_times_the_usual_gap():
    tracker = Tracker()
    for place, line in enumerate(lines(1, 40)):
        tracker.feed(line.encode(), now_s=place * 10.0)
    assert tracker.metrics(now_s=400).phase == "train"
    assert tracker.metrics(now_s=2000).phase == "stalled"


def test_slowdown_is_told_with_its_interval():
    tracker = Tracker()
    now = 0.0
    for step in range(1, 81):
        now += (1.0 if step <= 40 else 1.6) * (1 + 0.02 * (step % 5))
        tracker.feed(f"train step {step} loss {3.0 / step:.4f}\n".encode(), now_s=now)
    found = tracker.slowdown(42.0)
    assert found is not None
    assert found.is_slower
    assert found.low < 1.6 < found.high
    assert found.ratio == pytest.approx(1.6, rel=0.05)
    assert found.before_per_s / found.after_per_s == pytest.approx(1.6, rel=0.05)
    change = tracker.pace.speed.change()
    assert change is not None
    assert change.moment_s == pytest.approx(42.0, abs=8)
    assert tracker.slowdown(0.0) is None, "nothing came before"


def test_an_even_pace_is_no_slowdown():
    tracker = Tracker()
    for step in range(1, 81):
        tracker.feed(f"train step {step} loss 0.5 step_time {1 + 0.05 * (step % 7):.2f}s\n".encode(), now_s=step * 1.2)
    found = tracker.slowdown(48.0)
    assert found is not None
    assert not found.is_slower
    assert found.high >= 1
    assert tracker.pace.speed.change() is None


def test_another_loop_takes_over():
    tracker = Tracker()
    tracker.feed(LOG, now_s=0)
    tracker.metrics()
    for step in range(1, 60):
        tracker.feed(
            f"[stage2] iteration {step} | lm loss: {2 / step:.3E} | elapsed time per iteration (ms): 250.0\n".encode()
        )
    metrics = tracker.metrics()
    assert (metrics.step, metrics.step_time_s) == (59, 0.25)


def test_a_loss_that_is_not_a_number_is_worth_knowing():
    tracker = Tracker()
    tracker.feed(LOG + b"2031-05-06 10:00:30 INFO train step 60/900 loss nan lr 1e-4\n", now_s=0)
    metrics = tracker.metrics()
    assert metrics.loss is None
    assert "loss is nan at line 60" in metrics.notes


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00" * 5000,
        bytes(range(256)) * 100,
        b"\xff\xfe" + "step 1 loss 2\n".encode("utf-16-le"),
        b"a" * 3_000_000,
        b"1" * 300_000 + b"\n",
        b"step: " + b"9" * 5000 + b" loss: 1e99999\n" * 50,
        b"\r" * 10_000,
        "step \u0661\u0662 loss \u0663.\u0664\n".encode(),
        b"\x1b[2K\x1b[1A" * 1000 + b"\n",
        b"step 1/0 loss inf -1.00 ms/it inf it/s\n" * 20,
        b"[" * 4000 + b"1\n",
        b"(1/2 " * 1000 + b"\n",
    ],
)  # fmt: skip
def test_bad_input_is_no_accident(data):
    tracker = Tracker()
    tracker.feed(data, now_s=0)
    tracker.finish()
    metrics = tracker.metrics()
    assert metrics.step_time_s is None
    metrics.model_dump_json()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet="step los:=/[]()|%.,-eE+0123456789infasx\t", max_size=60), max_size=12))
def test_no_line_breaks_it(rows):
    tracker = Tracker()
    tracker.feed("\n".join(rows).encode() + b"\n", now_s=0)
    metrics = tracker.metrics()
    assert metrics.step_time_s is None or metrics.step_time_s > 0
    assert Metrics.model_validate_json(metrics.model_dump_json()) == metrics


def test_what_comes_in_small_pieces_is_read_when_someone_asks():
    tracker = Tracker()
    tracker.feed(LOG, now_s=0)
    tracker.metrics()
    text = "".join(lines(60, 400)).encode()
    for place in range(0, len(text), 100):
        tracker.feed(text[place : place + 100], now_s=1.0 + place / 1e6)
    metrics = tracker.metrics()
    assert (metrics.step, metrics.step_time_s) == (399, pytest.approx(0.5))
    assert {one.line for one in metrics.evidence} == {399}


def test_a_lone_training_line_amid_much_else_is_found():
    tracker = Tracker()
    tracker.feed(LOG, now_s=0)
    tracker.metrics()
    noise = b"NCCL INFO Channel 00 : 0[1a000] -> 1[1c000] via P2P/IPC\n" * 400
    tracker.feed(noise + next(lines(60, 61)).encode() + noise, now_s=10)
    metrics = tracker.metrics()
    assert metrics.step == 60
    assert 59 + 400 + 1 in {one.line for one in metrics.evidence}
    tracker.feed(next(lines(61, 62)).encode(), now_s=20)
    assert 59 + 800 + 2 in {one.line for one in tracker.metrics().evidence}
