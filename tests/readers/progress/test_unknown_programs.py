"""What programs without a format of their own taught: where they tell the time, and what only seems to; made here."""

import pytest

from schedmate import Tracker


def read(text):
    tracker = Tracker("job.log")
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def clock(seconds):
    return f"{9 + int(seconds) // 3600:02d}:{int(seconds) // 60 % 60:02d}:{int(seconds) % 60:02d}"


def lines(text, count=8):
    return "\n".join(text(at) for at in range(count)) + "\n"


def date_before(at):
    return f"Sat Sep  5 {clock(50 * at)} UTC 2031\nstep {100 * at + 100} loss {3 - 0.1 * at:.4f}"


def date_behind(at):
    return f"step {100 * at + 100}: loss {3 - 0.1 * at:.4f}\nTime now: 2031-09-05 {clock(50 * at)}"


def heading(at):
    return f"2031-09-05 {clock(50 * at)}.123456: I train.cc:33]\nstep={100 * at}\nloss={3 - 0.1 * at:.3f}"


def boxed(at):
    return f"┌ Info: 2031-09-05T{clock(50 * at)}\n│   step = {100 * at}\n└   loss = {3 - 0.1 * at:.5f}"


def behind_a_loss(at):
    return f"step {100 * at}: loss = {3 - 0.1 * at:.2f} ({0.5 + at % 3 / 100:.3f} sec)"


def nameless(at):
    return f"[{10 * at + 10} | {5.1 * at + 5.4 + at % 3 * 0.1:.2f}] loss={3 - 0.1 * at:.2f} avg={3.1 - 0.1 * at:.2f}"


def by_number_only(at):
    return f"[{clock(29 * at)}][#{1234 + 58 * at:06d}][{500 + at % 3:04d}ms][0.{5120 - at}][0.{4120 - at}]"


def in_words(at):
    spent = 5 * at + 5
    return f"0m {spent}s (- {20 - at}m 45s) ({10 * at + 10} {at + 1}%) {3 - 0.1 * at:.4f}"


def over_a_hundred(at):
    return f"iter {100 * at + 100}: loss {3 - 0.1 * at:.4f}, time for last 100: {50 + at % 3 * 0.1:.1f}s"


def lagging(at):
    one, other = f"step {20 * at + 100} loss {3 - 0.1 * at:.3f}", f"step {20 * at + 80} loss {3.1 - 0.1 * at:.3f}"
    return f"{clock(10 * at)} {one}\n{clock(10 * at)} {other}"


def short_dates(at):
    return f"[09.05.31|{clock(50 * at)}] \tIter {100 * at} Done. | loss: {3 - 0.1 * at:.4f} | lr: 0.01"


def fed_by_leader_dots(at):
    heads = "  train_batch_size ................ 32\n  seed ................ 1\n" if not at else ""
    return f"{heads}step {100 * at}: loss {3 - 0.1 * at:.3f} samples_per_sec {64 + at % 3 * 0.2:.1f}"


def fed_by_dashes(at):
    heads = "--batch_size 16\n" if not at else ""
    return f"{heads}0 {10 * at} loss - {3 - 0.1 * at:.5f}\n0 {10 * at} samples_per_sec - {32 + at % 3 * 0.1:.1f}"


@pytest.mark.parametrize(
    "text",
    [
        *(date_before, date_behind, heading, boxed, behind_a_loss, nameless, by_number_only, in_words),
        *(over_a_hundred, lagging, short_dates, fed_by_leader_dots, fed_by_dashes),
    ],
)
def test_step_of_half_a_second(text):
    assert read(lines(text)).step_time_s == pytest.approx(0.5, rel=0.1)


def stamped_at_the_passes_ends(at):
    batches = "".join(f" ---- batch: {50 * part:03d} ----\nmean loss: {2 / (at + part):.4f}\n" for part in (1, 2))
    return f"**** EPOCH {at:03d} ****\n2031-09-05 {clock(60 * at)}.100000\n{batches}2031-09-05 {clock(60 * at + 50)}.1"


def test_stamps_that_are_not_those_of_steps():
    assert read(lines(stamped_at_the_passes_ends)).step_time_s is None


def encoded(at):
    return f"pair merges {1000 * at + 1000}/32000  vocab {1000 * at + 1256} time {2.1 * at + 2.1:.1f}s"


def loaded(at):
    return f"Loaded {100 * at + 100} / 1000 videos, {10.0 * at + 10:.1f} s elapsed"


def heard(at):
    return f"utt {at + 1}/2620 wer 3.{at} rtf 0.1{at} time {1.1 + at % 3 / 10}s"


def settings(at):
    return "SOLVER:\n  NUM_ITER: 200\n  VIS_PERIOD: 0\ncompiled with CUDA 10.1\n" if at < 2 else "done"


def accuracy(at):
    return f"step {100 * at} {40 + 7 * at % 5}.{at}"


@pytest.mark.parametrize("text", [encoded, loaded, heard, settings, accuracy])
def test_nothing_to_read(text):
    assert read(lines(text)).step_time_s is None


def test_newest_of_several_runs():
    runs = ((12, 0.1), (4, 0.3))
    text = "".join(
        f"epoch: {at + 1}/30, iter: 40/47, loss: 1.{at}, iter_time: {took + at % 2 / 1000:.3f}s\n"
        for count, took in runs
        for at in range(count)
    )
    assert read(text).step_time_s == pytest.approx(0.3, rel=0.05)


def test_units_that_a_known_table_leaves_out():
    rows = "".join(f"{at}\t{147 + 2 * at + at % 3}\t{(900 - at) * 2 + at % 5}\n" for at in range(300))
    assert read("iter\tPassed\tRemaining\n" + rows).step_time_s == pytest.approx(0.002, rel=0.2)


def test_end_in_brackets_of_its_own():
    text = lines(lambda at: f"Epoch[009] Batch [{50 * at + 49}]/[3760] loss={3 - 0.1 * at:.3f} 0.5 s/batch")
    assert read(text).total_steps == 3760


def test_a_single_block_that_no_counter_counts():
    block = "actor/loss: 0.12\ntiming/step: 12.3\ntiming/update: 4.2\ntiming/rollout: 7.1\n"
    metrics = read(block)
    assert (metrics.step_time_s, metrics.confidence <= 0.8) == (12.3, True)


def timer_first(at):
    parts = f"->> one conf loss:1.{at}207 || one loc loss:0.7{at}01\n->>lr:0.0005\n"
    return f"Timer: 0.5{at % 3}12\nepoch:18 || iter:{24080 + 10 * at} || Loss:5.{90 - at}\n{parts}".rstrip()


def spaced_rate(at):
    heads = "global batch size: 896\n" if not at else ""
    return f"{heads}Iteration: {20 * at}, Loss function: {4 - at / 9:.3f}, avg. samples / sec: {1792 + at % 3:.2f}"


def whole_bars(at):
    cells = f"{at + 1}/50      14.3G     0.9942     0.9614      0.972        560        640"
    return f"{cells}: 100% ━━━━━━━━━━━━ 216/216 {0.5 + at % 3 / 50:.2f}s/it 1:48"


def glued_to_passed(at):
    spent = f"passed: 0.{49 + at % 3} sec      total: 3m {13 + at // 2}s   remaining: 3h 42m"
    return f"{at}:      learn 0.{6355974416 - at}{spent}"


@pytest.mark.parametrize("text", [timer_first, spaced_rate, whole_bars, glued_to_passed])
def test_step_of_half_a_second_of_programs_that_are_known(text):
    assert read(lines(text)).step_time_s == pytest.approx(0.5, rel=0.15)


def test_elapsed_time_of_each_iteration():
    blocks = ((1, 98.68), (2, 100.07), (3, 100.70))
    said = "Iteration: \t {}\nLoss:     \t 0.1\nElapsed time\t {} seconds\n---\n"
    said = "Iteration: \t {}\nLoss:     \t 0.1\nElapsed time\t {} seconds\n---\n"
    text = "".join(said.format(at, took) for at, took in blocks)
    assert read(text).step_time_s == pytest.approx(100.07, rel=0.02)


def test_elapsed_time_that_began_long_before():
    text = lines(lambda at: f"Iteration: {at + 1} loss: 0.{9 - at} elapsed time {100 + 1.01 * at:.2f} seconds", 4)
    assert read(text).step_time_s == pytest.approx(1.0, rel=0.05)


def test_batches_that_only_their_pass_is_named_of():
    def batch(at):
        return f"2031-09-05 {clock(1.3 * at)},000 - INFO - Epoch {1 + at // 60} - Batch loss: 0.0{at % 7}31"

    assert read(lines(batch, 200)).step_time_s is None


def test_few_times_far_apart_are_not_sure():
    text = "".join(
        f"epoch: 1 step: {10 * at}, loss is 0.5, per step time: {took} ms\n"
        for at, took in ((1, 1151), (2, 1151), (3, 91))
    )
    assert read(text).confidence <= 0.8


def test_time_that_follows_each_of_few_steps_through_noise():
    def other(at):
        return "\n".join(f"cache {at * 37 + one} of shard {one * 3 % 7}: {one * 11 % 13} hits" for one in range(60))

    def step(at):
        spent = f"Time elapsed: {17.3 * at + 18.6:.3f}"
        return f"Epoch [7/50], Step [{10 * at + 10}/724], Mel Loss: 0.7{at}\n{other(at)}\n{spent}"

    assert read(lines(lambda at: f"{other(at)}\n{step(at)}", 3)).step_time_s == pytest.approx(1.73, rel=0.05)


def test_an_order_of_dates_is_not_carried_from_one_log_to_the_next():
    def over_midnight(days):
        at = [(days[0], "23:59:54"), (days[0], "23:59:57"), (days[1], "00:00:00"), (days[1], "00:00:03")]
        return [
            f"{day} {clock} INFO step {20 + place}/900 loss {2 - place / 9:.3f}"
            for place, (day, clock) in enumerate(at)
        ]

    for days in (("01/15/24", "01/16/24"), ("2024/01/15", "2024/01/16"), ("24/01/15", "24/01/16")):
        assert read("".join(f"{line}\n" for line in over_midnight(days))).step_time_s == pytest.approx(3.0, rel=0.1), (
            days
        )
