"""Where sources differ, what two of them say alike holds; and a loss is found wherever the log tells it."""

import pytest

from schedmate import Tracker


def read(rows, formats=()):
    tracker = Tracker("job.log", formats=formats)
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def clock(second):
    return f"2031-03-04 05:{second // 60:02d}:{second % 60:02d}"


def test_two_clocks_outvote_a_rate():
    found = read(
        f"{clock(29 * n)} | INFO | step {100 * n} loss=9.{n}, steps/s=0.04, wall={1200 + 29 * n}" for n in range(1, 9)
    )
    assert found.step_time_s == pytest.approx(0.29, rel=0.05)
    assert found.confidence < 0.8


def test_clocks_do_not_outvote_a_faster_rate_for_what_else_goes_on_between_reports():
    rows = [f"{clock(60 * n)} | INFO | step {100 * n} loss=9.{n}, 10.0 it/s, wall={1200 + 60 * n}" for n in range(1, 9)]
    assert read(rows).step_time_s is None


def test_one_clock_outvotes_nothing():
    found = read(f"{clock(29 * n)} | INFO | step {100 * n} loss=9.{n}, steps/s=0.04" for n in range(1, 9))
    assert found.step_time_s is None


@pytest.mark.parametrize("whole", ["wall", "total_wall_time"])
def test_of_two_clocks_on_a_line_the_one_of_fewer_words_is_the_run_s_whatever_they_show_first(whole):
    for began in (0, 3):  # both at nought, or not: what was read of the one log is no rule for the other
        rows = [f"step {100 * n} loss 9.{n}, train_wall={3 * n + began}, {whole}={30 * n}" for n in range(9)]
        assert read(rows).step_time_s == pytest.approx(0.3, rel=0.05)


@pytest.mark.parametrize("name", ["Accuracy", "Correct", "hits"])
def test_how_many_were_right_is_no_counter(name):
    rows = [f"Train it: {100 * n} loss 0.{40 - n}\nTargets: loss: 0.1{n}, {name}: {900 + 7 * n}/1134" for n in range(9)]
    found = read(rows)
    assert (found.step, found.total_steps) == (800, None)


def test_a_date_is_no_counter():
    found = read(f"Date: 06/{10 + n}/2022 loss: 0.{90 - n}" for n in range(1, 9))
    assert (found.step, found.loss) == (None, pytest.approx(0.82))


def test_work_on_a_part_of_the_data_is_no_training():
    rows = ["train: Caching images (1.0GB RAM): 100% ━━━━━━━━━━━━ 1500/1500 289.4it/s 5.2s"]
    for n in range(1, 6):
        rows.append(f"{n}/50   7.17G   1.049  0.701  0.988  394   640: 100% ━━━━━━━━━━━━ 47/47 2.0it/s 23.{n}s")
        rows.append("    Class  Images  Instances  Box(P  R  mAP50): 100% ━━━━━━━━━━━━ 24/24 2.7it/s 8.7s")
    assert read(rows, None).step_time_s == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize("piece", [1, 7, 1000])
def test_a_loss_as_a_pass_ends_is_that_of_the_bar_before(piece):
    rows = []
    for n in range(1, 25):
        rows += [f"Epoch {n}/60"]
        rows += [f"Training: {k * 10}%|█  | {k * 17}/170 [00:0{k}<00:05, 21.39it/s]" for k in range(1, 10)]
        rows += [f"Train Loss: 0.{60 - n}, Train Acc: 91.2", f"Val Loss: 0.{70 - n}, Val Acc: 90.2"]
    tracker = Tracker("job.log", formats=())
    for at in range(0, len(rows), piece):  # as it is printed, so that the bar is known before its loss is
        tracker.feed("".join(f"{row}\n" for row in rows[at : at + piece]).encode(), now_s=at)
        tracker.metrics()
    assert (tracker.metrics().loss, tracker.metrics().step) == (pytest.approx(0.36), 153)


def test_a_loss_without_any_counter_is_told():
    rows = [row for n in range(9) for row in (f"loss: 0.{39 - n}1, better: saved", f"train loss = 0.{29 - n}5")]
    found = read(rows)
    assert found.loss == pytest.approx(0.215)
    assert (found.step, found.step_time_s) == (None, None)


def test_a_loss_of_evaluations_alone_is_none():
    assert read(f"Test set: average loss: 0.{39 - n}1, top1 0.5" for n in range(9)).loss is None


def test_a_loss_under_a_heading_of_an_evaluation_is_no_training_s():
    losses = [f"loss: 0.3{n}1" for n in range(1, 6)]
    found = read(["Evaluating checkpoint a.pt on MMLU", *losses])
    assert (found.loss, found.phase) == (None, "init")
    assert read(["Training", *losses]).loss == pytest.approx(0.351)
    assert read(["Evaluating now and then", *(f"train {loss}" for loss in losses)]).loss == pytest.approx(0.351)


def test_the_loss_of_a_result_is_not_that_of_the_passes():
    rows = [f"Epoch {n} - avg_train_loss: 2.{70 - n}  avg_val_loss: 2.6{n}  time: 10s" for n in range(1, 9)]
    rows += ["===== fold: 2 result =====", "MSE loss: 2.5290"]
    rows += ["Epoch 1 - avg_train_loss: 6.1  avg_val_loss: 4.4  time: 10s"]
    assert read(rows).loss == pytest.approx(6.1)


def test_a_sum_over_a_pass_is_no_loss():
    rows = [f"Epoch 2, Step: {100 * n}, Batch Loss: 3.{n}" for n in range(1, 9)]
    assert read([*rows, "Epoch 2: total training loss 116524.07"]).loss == pytest.approx(3.8)


@pytest.mark.parametrize("line", ["Epoch {} finished, train loss {}", "Epoch {} Step 900 loss {}"])
def test_a_loss_that_diverges_is_told_however_large(line):
    rows = []
    for n in range(1, 5):
        rows += [f"Epoch {n} Step {100 * n + 10 * k} loss 0.{9 - k}" for k in range(1, 9)]
        rows.append(line.format(n, 0.3 if n < 3 else 5000 * n))
    assert read(rows).loss == pytest.approx(20000)


def test_a_comma_parts_a_loss_from_its_value():
    found = read(f"epoch 5, phase train, step {10 * n}, loss_train, 0.1{n}" for n in range(5))
    assert found.loss == pytest.approx(0.14)


def test_what_wrote_a_line_is_not_what_it_says():
    rows = [f"{clock(0)},1 - INFO - mt.helpers - cfg.loss : crossentropy"]
    for n in range(1, 9):
        rows.append(f"{clock(40 * n)},1 - INFO - mt.training - Epoch 2, Step: {100 * n}, Batch Loss: 3.{n}")
        head = f"{clock(40 * n + 9)},2 - INFO - mt.training"
        rows.append(f"{head} - Validation result at step {100 * n}: loss: 98, duration: 9s")
    found = read(rows)
    assert found.step_time_s == pytest.approx(0.4, rel=0.05)
    assert found.loss == pytest.approx(3.8)


def test_a_profiler_s_rows_are_no_steps():
    rows = [
        f"  aten::op{n}   0.0{n}%   68.5{n}ms   0.2{n}%   348.{n}ms   13{n}.3us   0.000us   0.00%   0.000us   0.0{n}us"
        f"   {8 * n} b   {8 * n} b   0 b   0 b   {2600 + n}"
        for n in range(1, 30)
    ]
    found = read(["[2031-03-04 05:06:07] ---------  ---------", "Name   Self CPU %   Self CPU   # of Calls", *rows])
    assert (found.step, found.step_time_s, found.phase) == (None, None, "init")


def test_a_step_may_say_of_each_part_how_long_it_took_and_its_share():
    parts = "data 0.02s (4%) forward 0.20s (38%) backward 0.25s (48%) optimizer 0.05s (10%)"
    found = read(f"step {10 * n}/1000 time 0.52s | {parts}" for n in range(1, 15))
    assert (found.step, found.total_steps, found.step_time_s) == (140, 1000, pytest.approx(0.52))


@pytest.mark.parametrize(
    "waiting", ["EarlyStopping counter: {} out of 10", "  -> No improvement ({}/10)", "patience {}/10"]
)
def test_waiting_for_something_better_is_no_counter(waiting):
    rows = []
    for n in range(1, 7):
        rows += [
            f"[Epoch {n}/50]",
            f"Train Loss: 0.{40 - n}, Train Acc: 0.9",
            f"Val Loss: 0.{60 + n}",
            waiting.format(n),
        ]
    found = read(rows)
    assert (found.step, found.total_steps, found.loss) == (6, 50, pytest.approx(0.34))


def test_where_a_device_sits_is_no_clock():
    rows = [
        f"| {n}  910B3 | OK | 21{n}.7  58 | 0 / 0 |\n| 0 | 0000:4{n}:00.0 | 21  0 / 0  4930{n}/ 65536 |"
        for n in range(8)
    ]
    assert read(rows).step_time_s is None


def test_lines_that_tell_a_loss_and_a_time_need_no_counter():
    found = read(
        f"{clock(124 * n)} - train - INFO - rl_loss: 0.0{n}, time: 11{n}.09, l2_norm: 0.08" for n in range(1, 6)
    )
    assert found.step_time_s == pytest.approx(114, rel=0.05)
    assert found.loss == pytest.approx(0.05)


def test_the_least_of_something_takes_no_minutes():
    assert read(f"step {n} loss: 0.0{n}, IS max: 1.02, IS min: 0.08" for n in range(1, 9)).step_time_s is None


def test_of_losses_of_parts_the_plainest_is_told_and_named():
    found = read(f"step {n} actor/entropy_loss:11.{n} actor/kl_loss:0.8 actor/loss:-0.0{n}" for n in range(1, 9))
    assert found.loss == pytest.approx(-0.08)
    assert any("actor/loss" in note for note in found.notes)


def test_settings_and_errors_tell_no_loss_and_no_time():
    settings = "config: {'warmup': 3.0, 'box': 0.05, 'cls_loss': 0.5, 'obj': 1.0, 'time': 0.7, 'iou_t': 0.2}"
    errors = [f"Process 16793{n}: Error in task {n}: no file, took 3:4{n}:54" for n in range(6)]
    assert read([settings]).step_time_s is None
    found = read(errors)
    assert (found.step_time_s, found.loss) == (None, None)


def test_a_program_s_own_text_is_no_table():
    rows = ['print(f"step:{step}/{steps} val_loss:{loss:.4f} train_time:{ms:.0f}ms step_avg:{avg:.2f}ms")']
    for n in range(40, 46):
        rows.append(f"step:{200 * n}/19074 train_loss:2.{n} train_time:{19000 * n}ms step_avg:95.5{n % 9}ms")
        rows += [f"step:{200 * n}/19074 val_loss:2.9 train_time:{19000 * n + 23}ms step_avg:95.5{n % 9}ms"] * (
            n % 5 == 0
        )
    found = read(rows)
    assert (found.step, found.loss) == (9000, pytest.approx(2.45))


def test_rich_s_sources_at_the_right_edge_are_no_values():
    rows = [f"step {n}0 loss 2.{n} step_time 0.5{n}s".ljust(90) + f"train.py:{560 + n % 2}" for n in range(1, 9)]
    head = [f"{row[:-12]}loop.py:1234" for row in rows]
    found = read(row for pair in zip(head, rows, strict=True) for row in pair)
    assert (found.step, found.loss) == (80, pytest.approx(2.8))
    assert found.step_time_s == pytest.approx(0.55, rel=0.1)


def test_a_letter_amid_a_name_is_no_second():
    found = read(
        f"S real T sketch Train Ep: {100 * n} lr0.0{n} \t Loss Classification: 0.4{n} Loss T 0.0{n}" for n in range(9)
    )
    assert (found.step, found.loss) == (800, pytest.approx(0.48))


def test_what_is_only_called_train_is_no_loss():
    rows = (f"Epoch: {n:03d}, Train: 0.5{n:03d}, Val: 0.4{n:03d}, Test: 0.4{n:03d}" for n in range(1, 60))
    found = read(rows)
    assert (found.epoch, found.loss) == (59, None), "graph networks print accuracies so"


def test_an_evaluation_that_begins_at_the_end_undoes_no_training():
    rows = [f"loss: {2.5 - n * 0.003:.3f}" for n in range(300)]
    found = read([*rows, "***** Running Evaluation *****"])
    assert (found.phase, found.loss) == ("train", pytest.approx(1.603))


def test_a_brief_bar_once_a_pass_trains():
    rows = []
    for n in range(1, 9):
        rows += [f"Epoch {n}", *(f"{k * 16}%|█  | {k}/6 [00:0{k // 2}<00:01, 1.9{k}it/s]" for k in range(1, 7))]
        rows += [f"Loss:  0.5{n}", f"Loss:  0.4{n}"]
    found = read(rows)
    assert (found.step, found.total_steps) == (6, 6)
    assert found.step_time_s == pytest.approx(0.52, rel=0.05)
    assert found.loss == pytest.approx(0.48)


def test_a_report_after_each_pass_s_first_step_shows_what_a_time_is_of():
    rows = [
        f"Epoch: [{e}/90] Iter:[{i}/78], Time: {t}, Loss: 0.8{i}"
        for e in range(3)
        for i, t in ((0, 6.31), (10, 0.97), (20, 0.83))
    ]
    assert read(rows).step_time_s == pytest.approx(0.9, rel=0.2)


def test_how_long_a_program_ran_is_no_pass():
    rows = [f"Pre-training layer 0, epoch {n}, cost 0.18{n}" for n in range(1, 9)]
    assert read([*rows[:3], "epoch 3The code for file SC_2.py ran for 797.69m", *rows]).step_time_s is None


def test_the_newest_loss_is_told_though_its_line_is_wrapped():
    rows = ["loss_mask: 0.55, loss: 1.9"]
    for n in range(1, 7):
        rows += [
            f"Epoch [1][{50 * n}/2500] lr: 0.001, time: 1.87, loss_cls: 0.33, acc: 86.3$",
            f" loss_mask: 0.5, loss: 1.{80 - n}",
        ]
    assert read(rows).loss == pytest.approx(1.74)


def test_what_a_command_names_before_its_file_names_no_option():
    rows = ["mpirun -np 1 python some_benchmarks.py --model resnet101 --batch_size 64"]
    found = read([*rows, *(f"{n}0\timages/sec: 204.8 +/- 0.1\tloss 9.{n}" for n in range(1, 9))])
    assert found.step_time_s == pytest.approx(0.3125, rel=0.01)
