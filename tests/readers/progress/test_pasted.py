"""Short pieces of logs as people paste them: a few lines, the last of a pass, and what was printed around them."""

import time

import pytest

from schedmate import Tracker
from schedmate.readers.progress.text.segments import parts_of


def read(lines, formats=None):
    tracker = Tracker("job.log", formats)
    tracker.feed(("\n".join(lines) + "\n").encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def test_words_between_strokes_behind_a_share_are_no_bar():
    rows = [f"pass 2/9 | {at / 10:.1f}% | loss {4 - at / 90:.4f} | step {4000 + at} | 8.00 it/s" for at in (20, 40, 60)]
    metrics = read(rows)
    assert (metrics.step, metrics.loss) == (4060, 3.3333)
    assert metrics.step_time_s == pytest.approx(0.125, rel=0.01)


def test_a_share_and_what_is_left_beside_a_step_belong_to_the_step():
    metrics = read(["ep 2/30 |   2.5% | step    3000 | loss 3.3141 | lr 2.1e-04 | 61,200 tok/s | ETA 195min"])
    assert (metrics.step, metrics.loss) == (3000, 3.3141)


def test_a_drawn_bar_with_digits_is_still_one():
    def row(at):
        drawn = f"{'#' * (at // 10)}{at % 10}{' ' * (9 - at // 10)}"
        return f" {at}%|{drawn}| {at * 8}/800 [00:{at // 2:02d}<00:49, 16.00it/s, loss=0.{at}]"

    metrics = read(map(row, (31, 42, 53)))
    assert (metrics.step, metrics.total_steps, metrics.step_time_s) == (424, 800, 1 / 16)


def test_brief_bars_of_training_and_of_its_evaluation_with_a_line_a_pass():
    rows = []
    for at in range(12, 18):
        rows += [f"Fit Epoch [{at}/60]: 100%|█████| 64/64 [00:02<00:00, 31.{at}it/s]"]
        rows += ["Validation Epoch: 100%|█████| 8/8 [00:00<00:00, 40.21it/s]"]
        rows += [f"Epoch [{at}/60], Training Loss: 0.{90 - at}, Validation Loss: 0.{95 - at}"]
    assert read(rows).step_time_s == pytest.approx(1 / 31.15, rel=0.01)


def test_a_time_that_is_told_as_the_counter_comes_to_its_end_is_that_of_the_pass():
    rows = [f"Epoch 2/7, Batch {at}/750, Loss: {3 - at / 900:.4f}" for at in (150, 300, 450, 600, 750)]
    rows += ["*** Epoch 2/7 done ***", "Mean Loss: 2.5102, Duration: 187.500 sec"]
    assert read(rows).step_time_s == pytest.approx(0.25, rel=0.05)


def test_of_two_passes_of_which_the_first_made_ready_the_second_counts():
    def passed(number, took):
        rows = [
            f"INFO:root:Epoch[{number}] Batch [{at}]\tSpeed: 9100.50 samples/sec\taccuracy=0.9{at}"
            for at in range(90, 811, 90)
        ]
        return [*rows, f"INFO:root:Epoch[{number}] Time cost={took}"]

    assert read([*passed(0, 61.2), *passed(1, 8.1)]).step_time_s == pytest.approx(0.01, rel=0.1)


def test_a_sole_time_beside_a_count_from_nought_is_that_since_the_last_report():
    assert read(["iter:499 time:612.400 cost:71.250"]).step_time_s == pytest.approx(1.22, rel=0.02)


def test_reports_within_a_pass_tell_more_than_those_with_an_evaluation_between():
    rows = [
        "2031-04-05 10:00:00,120 INFO: Epoch: 0/8, Iteration step: 900, loss: 3.52",
        "2031-04-05 10:03:00,340 INFO: Epoch: 0/8, Iteration step: 1800, loss: 3.41",
        "2031-04-05 10:06:10,110 INFO: ====Epoch: 0/8, top 1 acc: 0.21====",
        "2031-04-05 10:13:40,900 INFO: Epoch: 1/8, Iteration step: 2700, loss: 3.33",
    ]
    assert read(rows).step_time_s == pytest.approx(0.2, rel=0.02)


def test_caffe_counts_in_both_of_its_lines():
    head = "I0614 00:{:02d}:40.169325  2177 {}:228]"
    rows = [
        head.format(11, "solver.cpp") + "     Train net output #1: loss = 3.1 (* 1 = 3.1 loss)",
        head.format(11, "sgd_solver.cpp") + " Iteration 6500, lr = 0.05",
        head.format(16, "solver.cpp") + " Iteration 7000, loss = 2.75",
    ]
    metrics = read(rows)
    assert (metrics.step, metrics.loss) == (7000, 2.75)
    assert metrics.step_time_s == pytest.approx(0.6, rel=0.01)


def test_the_first_steps_of_a_pass_tell_by_the_newest_of_them():
    def drawn(number, step, rate):
        return f"Epoch {number}:   1%|          | {step}/700 [00:01<00:44, {rate}, loss=0.{step}4]"

    first = [drawn(1, 1, "2.50s/it"), drawn(1, 5, "2.40it/s"), drawn(1, 9, "6.10it/s")]
    second = [drawn(2, 1, "1.80it/s"), drawn(2, 4, "6.60it/s"), drawn(2, 8, "13.10it/s"), drawn(2, 12, "16.00it/s")]
    metrics = read([*first, *second])
    assert metrics.step_time_s == pytest.approx(1 / 16, rel=0.01)
    assert metrics.confidence <= 0.8


def test_what_a_bar_shows_before_what_is_left_is_a_clock_however_long_the_first_step_was():
    def drawn(step):
        clock, mean = f"00:{31 + step // 2}<2:10:44", (30 + 0.5 * step) / step
        return f"Epoch 0:   0%|          | {step}/600 [{clock}, {mean:.2f}s/it, loss=0.{step}8, v_num=4]"

    assert read(map(drawn, (1, 2, 3, 4))).step_time_s == pytest.approx(0.5, rel=0.1)


def test_an_average_that_rises_a_little_from_report_to_report_is_no_clock():
    rows = [f"[7, {at}/4100] - loss: 2.{at} - (lr: 2.5e-05) ({1300 + at / 11:.1f} ms)" for at in range(900, 1400, 50)]
    assert read(rows).step_time_s == pytest.approx(1.4, rel=0.05)


def test_a_host_whose_name_is_hexadecimal_tells_no_days():
    rows = [
        "[b3f7051d48d9] 2031-04-05 10:11:12,345 (driver:196) INFO: 1/1epoch started",
        "[b3f7051d48d9] 2031-04-05 10:13:12,345 (driver:243) INFO: 1epoch results: step 40, loss=30.5, step_time=0.75s",
    ]
    assert read(rows).step_time_s == 0.75


@pytest.mark.parametrize("spent", ["1h03m20s", "0d1h3m20s", "63m20s"])
def test_the_parts_of_a_duration_are_numbers(spent):
    assert read([f"step 1000 loss 2.5 elapsed {spent}", "step 2000 loss 2.4"]).step_time_s == pytest.approx(
        3.8, rel=0.01
    )


def test_settings_in_a_dictionary_time_nothing():
    told = {f"{name}_dim": 90 for name in ("in", "out", "head", "key", "mlp", "time", "edge", "node", "arm")}
    rows = [
        f"2031-04-05 20:20:12 INFO     {dict(cuda=True, time_span=24, batch_size=512, **told)}",
        "2031-04-05 20:20:32 INFO     Epoch 0/90 Loss: 0.039, reward: 0.096",
    ]
    assert read(rows).step_time_s is None


def test_of_few_times_that_lie_far_apart_the_longer_held_more():
    rows = [f"iter {at}: loss 1.8{at}, time {took}ms" for at, took in ((730, 174.7), (740, 176.66), (750, 18982.01))]
    assert read(rows).step_time_s == pytest.approx(0.176, rel=0.02)


def test_a_counter_that_goes_beyond_its_end_counts_samples():
    row = "10048/10000 [==============================] - {}s - loss: 0.4032 - acc: 0.8103"
    metrics = read(["Epoch 2/8", row.format(177), "Epoch 3/8", row.format(170)])
    assert metrics.step_time_s is None or metrics.step_time_s > 100


def test_what_is_left_falls_as_the_first_step_weighs_less():
    left = ((0, "0:13:20"), (10, "0:02:20"), (20, "0:01:38"), (30, "0:01:19"), (40, "0:01:06"), (50, "0:00:56"))
    rows = [f"Epoch: [0]  [{step}/130]  eta: {eta}  lr: 0.0001  loss: {68 - step / 5}" for step, eta in left]
    assert read(rows).step_time_s == pytest.approx(0.56, rel=0.15)


def test_passes_that_begin_anew_are_passes_as_they_were():
    spent = (("18:56:53", 1, 838.2), ("19:09:59", 2, 761.9), ("19:25:40", 3, 911.4))
    again = (("20:25:22", 1, 808.1), ("20:39:05", 2, 801.0))
    rows = [f"2031-12-14 {at},101 - INFO - Epoch {one}/3 | loss: 1.3{one} | time: {s}s" for at, one, s in spent + again]
    assert read(rows).step_time_s == pytest.approx(808, rel=0.05)


def test_a_stamp_to_which_the_message_is_glued_is_one():
    told = (("06:38:47", 109), ("06:49:43", 110), ("07:00:08", 111), ("07:10:33", 112))
    rows = [
        line
        for at, one in told
        for line in (f"[INFO] 2031-08-23 {at}:valid-acc = 0.{one}", f"[INFO] 2031-08-23 {at}:epoch = {one}/250")
    ]
    assert read(rows).step_time_s == pytest.approx(625, rel=0.06)


def test_a_pace_that_has_changed_is_that_of_the_newest_reports():
    gaps = (52, 51.5, 53, 52.4, 53.1, 5.2, 1.55, 1.56, 1.55, 1.56, 1.57)
    clock = [4 + sum(gaps[:at]) for at in range(len(gaps) + 1)]
    rows = [
        f"2031-10-18 11:{10 + int(s // 60)}:{s % 60:06.3f} Epoch[0] Batch [{100 * at}]\tTrain-loss=0.{400 - at}"
        for at, s in enumerate(clock)
    ]
    assert read(rows).step_time_s == pytest.approx(0.0156, rel=0.05)


def test_a_rate_of_an_environments_steps_is_none_of_the_iterations():
    rows = [
        "                         Learning iteration 1/30",
        "",
        "                            Total steps: 640 ",
        "                       Steps per second: 1690 ",
        "                        Collection time: 0.112s ",
        "                          Learning time: 0.070s ",
        "                         Iteration time: 0.18s",
    ]
    assert read(rows).step_time_s == 0.18
    rows = ["iteration 1/30 | loss 2.3 | iteration time 0.18s | steps per second 1690"]
    assert read(rows).step_time_s == pytest.approx(0.18)


def test_a_colour_whose_escape_was_lost_is_no_time():
    row = "[32m[05/01 07:04:51 d2.utils.events]:  eta: N/A  iter: 197900  total_loss: 0.035  lr: 0.0025"
    assert read([row]).step_time_s is None
    rows = [
        f"[36m(Worker pid=62)[0m [1;32mstep:{at}[0m - loss:[33m0.{at}5[0m - step_time: 2.{at}s" for at in range(3, 7)
    ]
    metrics = read(rows)
    assert metrics.step_time_s == pytest.approx(2.5, rel=0.05)
    assert metrics.loss == 0.65
    assert read(["step 640 loss 2.25 [32m10s<1h5m]"]).step_time_s == pytest.approx(1930 / 640, rel=0.01)


@pytest.mark.parametrize(
    ("row", "step_time"), [("[{}ms] step {} loss 2.1", 0.035), ("[{}min 10s] step {}/9000 loss 2.1", 0.6)]
)
def test_a_time_in_brackets_is_no_colour_that_lost_its_escape(row, step_time):
    rows = [row.format(34 + at, 100 * at) for at in range(3)]
    assert read(rows).step_time_s == pytest.approx(step_time, rel=0.03)


def test_a_time_before_the_first_step_is_none_of_a_step():
    rows = ["step 0 loss 3.1 step_time 0.0112 s", "step 100 loss 2.1 step_time 0.5203 s"]
    assert read(rows).step_time_s == 0.5203


@pytest.mark.parametrize(
    ("stride", "time", "rate", "step_time"),
    [(10, 0.56, 178, 0.56), (50, 8.0, 200, 0.16), (20, 1.6, 160, 1.6), (10, 2.0, 320, 0.2)],
)
def test_a_time_and_the_samples_a_second_make_a_batch(stride, time, rate, step_time):
    rows = [f"Epoch: [0][{at}/9000]\tTime {time}\tImages/sec {rate}\tLoss 10.{at}" for at in range(41, 240, stride)]
    assert read(rows).step_time_s == pytest.approx(step_time, rel=0.02)


@pytest.mark.parametrize("other", ["val loss: n/a", "val (prev val iter): None", "val_loss: nan", "val: n/a"])
def test_what_is_not_known_yet_heads_nothing(other):
    rows = [
        f"Ep 1 | iter {at} | loss train: 1.{at}5 | {other} | iter time: 1{at}4.51 ms (opt.step)" for at in range(1, 6)
    ]
    assert read(rows).step_time_s == pytest.approx(0.144, rel=0.05)


def test_keras_bars_between_which_the_returns_were_lost_are_parted():
    def drawn(step):
        eta, loss = round((60 - step) * 1.75), 2 - step / 100
        return f"{step:2}/60 [{'=' * (step // 3)}>{'.' * (20 - step // 3)}] - ETA: {eta}s - loss: {loss:.4f}"

    metrics = read(["Epoch 21/30", "".join(map(drawn, range(1, 33)))])
    assert (metrics.step, metrics.total_steps, metrics.loss) == (32, 60, 1.68)
    assert metrics.step_time_s == pytest.approx(1.75, rel=0.03)


def test_a_line_of_very_many_bars_is_parted_in_time_that_grows_as_it_does():
    row = b"".join(b"%d/400000 [===>......] - ETA: 10s - loss: 0.5" % at for at in range(10_000, 70_000))
    began = time.process_time()
    assert len(parts_of(row)) == 60_000
    assert time.process_time() - began < 2


def test_a_bar_of_an_evaluation_is_one_whatever_is_evaluated():
    rows = []
    for epoch in (4, 5):
        rows += [f"Epoch   {epoch}", f"Training: 100% 3/3 [00:10<00:00,  3.4{epoch}s/it]"]
        rows += ["Evaluation train: 100% 3/3 [00:03<00:00,  1.01s/it]", "Took 14.6354s"]
    assert read(rows).step_time_s == pytest.approx(3.45, rel=0.02)


@pytest.mark.parametrize("arrow", ["==>", "=>", "->", "-->", ":"])
def test_arrows_lead_to_a_value(arrow):
    metrics = read([f"iter {at} loss {arrow} 0.{at}5 step time {arrow} 0.{at}4" for at in range(11, 16)])
    assert (metrics.loss, metrics.step_time_s) == (0.155, pytest.approx(0.134, rel=0.1))


def test_the_bar_that_tells_parts_of_a_loss_trains_though_others_take_longer():
    rows = ["Self Play: 100% 90/90 [11:38<00:00,  7.76s/it]"]
    for epoch in range(1, 7):
        rows += [
            f"EPOCH ::: {epoch}",
            f"Fitting Net: 100% 29/29 [00:00<00:00, 13{epoch}.05it/s, L_pi=2.{epoch}, Loss_v=1.{epoch}]",
        ]
    rows += [f"Arena.rounds ({one}): 100% 20/20 [02:35<00:00,  7.7{one}s/it]" for one in (1, 2)]
    assert read(rows).step_time_s == pytest.approx(1 / 133, rel=0.05)


def test_a_thousandth_that_is_printed_so_is_one():
    rows = [f"Epoch {at}/9\n188/188 - 0s - 1ms/step - accuracy: 0.99{at} - loss: 0.01{at}" for at in range(1, 5)]
    assert read("\n".join(rows).split("\n")).step_time_s == 0.001
