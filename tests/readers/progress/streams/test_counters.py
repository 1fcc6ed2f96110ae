"""Counters that no name tells: they show when many lines are seen together."""

import pytest

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    return tracker.metrics()


def clock(second):
    return f"2031-04-05 {second // 3600:02.0f}:{second // 60 % 60:02.0f}:{second % 60:06.3f}"


def test_a_nameless_number_that_rises_is_the_counter():
    found = read(
        f"{clock(step * 0.5)} INFO - {step:7d} - 812.5 sent/s - MLM loss {9 / step:.4f}" for step in range(5, 205, 5)
    )
    assert (found.step, found.step_time_s, found.loss) == (200, pytest.approx(0.5), 0.045)


def test_a_number_in_brackets_behind_a_prefix_is_the_counter():
    found = read(
        f"I0405 10:00:{step // 10:02d}.000000 4242 metrics.py:71] [{step}] training_loss = {9 / step:.4f}, lr = 0.1"
        for step in range(10, 600, 10)
    )
    assert (found.step, found.step_time_s) == (590, pytest.approx(0.1))


def test_a_fraction_whose_end_rises_is_a_pass_and_its_step():
    found = read(
        f"{clock((pas * 400 + step) * 0.25)} TRAIN Batch {pas}/{step} loss {9 / (step + 1):.4f}"
        for pas in range(3)
        for step in range(0, 400, 10)
    )
    assert (found.epoch, found.step, found.step_time_s) == (2, 390, pytest.approx(0.25))


def test_two_leading_numbers_are_a_pass_and_its_step():
    found = read(f"{clock(step * 0.2)} 1 {step} loss - {9 / (step + 1):.4f}" for step in range(0, 300, 10))
    assert (found.step, found.loss) == (290, pytest.approx(9 / 291, abs=1e-4))


def test_a_number_that_stands_still_is_no_counter():
    found = read(f"{clock(row * 0.5)} INFO - 4242 - training loss {9 / (row + 1):.4f}" for row in range(40))
    assert found.step is None


def test_an_end_of_an_evaluation_bar_is_not_that_of_training():
    rows = []
    for epoch in range(1, 4):
        rows += [f"{step}/400 [00:{step // 10:02d}<00:10, 10.0it/s, train_loss=0.5]" for step in range(10, 401, 10)]
        rows += [f"{step}/60 [00:0{step // 10}<00:01, 20.0it/s]" for step in range(10, 61, 10)]
        rows += [f"train ({epoch}/3) accuracy: 0.5 | loss: 0.5"]
    found = read(rows)
    assert (found.step, found.total_steps, found.step_time_s) == (400, 400, 0.1)


def test_a_total_time_that_does_not_grow_is_that_of_a_step():
    rows = []
    for step in range(1, 20):
        rows += [f"===== Step {step}/1000 =====", "Results:", "  Loss: 0.5", f"  Total step time: {42 + step % 3}.5s"]
    found = read(rows)
    assert found.step_time_s == pytest.approx(43.5)
    assert min(found.trend) > 40


def test_one_loss_of_a_part_is_the_loss():
    found = read(f"epoch: 1, iter: {step}, l_pix: {9 / step:.4f}, lr: 0.1" for step in range(1, 30))
    assert found.loss == pytest.approx(9 / 29, abs=1e-4)


def test_a_plain_row_that_says_train_counts_steps():
    rows = []
    for epoch in range(3):
        rows.append(f"04/05 10:{epoch * 20:02d}:00 AM epoch {epoch} lr 2.5e-02")
        rows += [
            f"04/05 10:{epoch * 20 + step // 30:02d}:{step % 30 * 2:02d} AM train {step:03d} 2.1e+00 23.{step} 55.1"
            for step in range(0, 390, 10)
        ]
        rows += [f"04/05 10:{epoch * 20 + 15:02d}:{step:02d} AM valid {step:03d} 1.1e+00 50.1 90.2" for step in (0, 30)]
    found = read(rows)
    assert (found.step, found.step_time_s) == (380, pytest.approx(2.0, rel=0.05))


def test_a_fraction_beside_a_named_counter_tells_its_end():
    found = read(
        f"Train: 1/80 (1%) [{step}/3712 ({step / 37.12:.0f}%)]  Loss: 1.2 (1.3)  Acc_iter {step + 1}"
        for step in range(10, 400, 10)
    )
    assert (found.step, found.total_steps, found.total_epochs) == (391, 3712, 80)
    apart = read(f"iter {step}: loss 1.2, 3/8 devices" for step in range(10, 400, 10))
    assert (apart.step, apart.total_steps) == (390, None)


def test_seconds_since_1970_are_a_time_stamp():
    found = read(
        f"{1931234567.5 + step * 0.25:.3f} step {step} loss {9 / (step + 1):.4f}" for step in range(0, 400, 10)
    )
    assert (found.step, found.step_time_s) == (390, pytest.approx(0.25))


@pytest.mark.parametrize(
    "line",
    [
        "Época 3 | paso {step} | pérdida: 1.25 | 0.412 s/paso",
        "Epoche 3, Schritt {step} von 5000, Verlust 1.25, 0.412 s/Schritt",
        "Эпоха 3, шаг {step} из 5000, потери: 1.25, 0.412 с/шаг",
    ],
)
def test_units_and_ends_are_read_in_other_languages(line):
    found = read(line.format(step=step) for step in range(100, 140))
    assert (found.step, found.loss, found.step_time_s) == (139, 1.25, 0.412)
    assert found.total_steps in {None, 5000}
    assert (found.total_steps == 5000) == ("5000" in line)


def test_milliseconds_are_those_of_a_step_and_seconds_may_be_of_a_report():
    per_step = read(f"step {step} (global {step + 9000}): loss 1.25, 325ms" for step in range(10, 400, 10))
    assert per_step.step_time_s == pytest.approx(0.325)
    unsure = read(f"step {step}: loss 1.25, 0.9s" for step in range(10, 400, 10))
    assert unsure.step_time_s is None


def test_a_bar_that_tells_loss_and_throughput_is_training_although_nothing_counts():
    drawn = "█" * 5
    found = read(
        f"Training: {percent:3d}% |{drawn}     | CrossEntropyLoss: 0.61, speed: 812.50 items/sec"
        for percent in range(40)
    )
    assert (found.step, found.step_time_s, found.throughput, found.loss) == (None, None, 812.5, 0.61)
    assert (
        read(f"Loading: {percent:3d}% |{drawn}     | speed: 812.50 items/sec" for percent in range(40)).throughput
        is None
    )


def test_numbers_right_behind_words_of_a_script_without_spaces():
    found = read(
        f"第{step}步，共50000步，当前损失：1.25，每步用时：0.912秒，剩余时间：1:12:11" for step in range(100, 140)
    )
    assert (found.step, found.total_steps, found.loss, found.step_time_s) == (139, 50000, 1.25, 0.912)


def test_a_remaining_time_in_words_is_no_step_time():
    found = read(
        f"Iteration {step} of 5000: loss = 1.25 (about {(5000 - step) // 60} hours 12 minutes left)"
        for step in range(100, 140)
    )
    assert (found.step, found.total_steps) == (139, 5000)
    assert found.step_time_s != pytest.approx(81 * 3600 + 720, rel=0.5)


def test_a_fraction_of_rewards_counts_nothing():
    found = read(
        f"Update {step}, FPS 1333\n Last 10 episodes: mean/median reward {step / 10:.1f}/{step / 10 + 9:.1f}"
        for step in range(10, 800, 10)
    )
    assert found.step == 790


@pytest.mark.parametrize("stride", [12, 50])
def test_a_counter_that_goes_on_when_the_one_beside_it_is_through_counts_passes(stride):
    rows = [
        f"{clock(n * stride * 0.25)} iteration:{n * stride // 29 + 1} step:{n * stride % 29}/29, tag loss: {9 / n:.3f}"
        for n in range(1, 16)
    ]
    found = read(rows)
    assert found.epoch == 15 * stride // 29 + 1
    assert found.step_time_s == pytest.approx(0.25, rel=0.05)


def test_two_counters_of_the_same_steps_name_no_pass():
    found = read(f"iteration: {3000 + 20 * n} batch: {20 * n}/900 loss: {9 / n:.3f}" for n in range(1, 16))
    assert found.epoch is None


@pytest.mark.parametrize("passes", [2, 14])
def test_many_short_passes_are_told_from_the_steps_that_are_reported_in_them(passes):
    rows = [f"[{n}, {500 * k:5d}] loss: {2 / n + k / 99:.3f}" for n in range(1, passes + 1) for k in range(1, 6)]
    found = read(rows)
    assert (found.epoch, found.step) == (passes, 2500)


def test_a_pass_and_its_step_in_one_bracket_behind_a_logger_are_both_read():
    found = read(
        f"{clock(pas * 90 + step / 100)} | INFO | net.py:<module>:88 | [{pas}, {step:5d}] loss: {3 / step:.4f}"
        for pas in (1, 2)
        for step in range(1000, 6000, 1000)
    )
    assert (found.epoch, found.step) == (2, 5000)
