"""A log's own layout beats what is known of formats, and what stands nearer to a counter beats what merely fits."""

import pytest

from schedmate import Tracker


def read(text, formats=None):
    tracker = Tracker("job.log", formats=formats)
    tracker.feed(text if isinstance(text, bytes) else "".join(f"{row}\n" for row in text).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def test_the_end_of_a_bar_belongs_to_it_although_it_tells_its_time_otherwise():
    rows = [f"{n}/422 [====>......] - ETA: 0s - loss: 0.{700 - n}" for n in range(1, 422, 20)]
    found = read([*rows, "422/422 [=======] - 1s 2ms/step - loss: 0.2790"])
    assert (found.step, found.step_time_s, found.loss) == (422, 0.002, 0.279)


def test_a_bar_goes_on_although_another_line_is_glued_to_it():
    rows = [f" {n}%|##  | {n}/100 [00:{n:02d}<01:39,  1.00it/s]" for n in range(10, 20)]
    found = read([*rows, " 20%|##  | 20/100 [00:20<01:39,  1.00it/s]/usr/lib/loader.py:87: UserWarning: slow"])
    assert found.step == 20


def test_the_names_of_columns_beat_a_format():
    header = "     Epoch   gpu_mem       box       obj       cls     total    labels  img_size"
    rows = [
        f"      3/9     2.31G   0.0{70 - n}   0.0{30 - n}         0     0.{140 - n}        12       640: "
        f" {n}%|##  | {n}/99 [00:{n:02d}<01:20,  1.00it/s]"
        for n in range(10, 20)
    ]
    found = read([header, *rows])
    assert (found.step, found.total_steps, found.epoch, found.loss) == (19, 99, 3, 0.121)


@pytest.mark.parametrize("loss", ["total: 0.{}", "train/total_count: 0.{}"])
def test_what_is_called_total_and_nothing_else_is_the_loss(loss):
    found = read(f"[epoch: 1/2, iter: {n}/400] {loss.format(900 - n)}" for n in range(25, 325, 25))
    assert found.loss == (0.6 if loss.startswith("total") else None)


def test_a_pass_and_its_step_stand_in_fractions_beside_a_counter_of_the_run():
    found = read(
        f"Train:  5/9 ( 56%) [{n}/464 ({n * 100 // 464}%)]  Loss: 0.{900 - n}  Acc_iter {1856 + n}"
        for n in range(50, 300, 50)
    )
    assert (found.step, found.total_steps, found.epoch, found.total_epochs) == (250, 464, 5, 9)


def test_the_summary_of_a_pass_takes_no_name_from_the_loss_of_its_steps():
    rows = []
    for epoch in range(1, 4):
        rows += [f"Epoch[{epoch}/9], Step[{n}/200], Avg Loss: 2.{epoch}{n:03d}" for n in (0, 100)]
        rows += [f"----- Epoch[{epoch}/9], Train Loss: 1.{epoch}, time: 70.5"]
    found = read([*rows, "Epoch[4/9], Step[0/200], Avg Loss: 1.95"])
    assert found.loss == 1.95


def test_of_losses_in_one_line_the_one_of_fewest_words_is_the_whole():
    found = read(
        f"batch {n}, batch avg ctc loss 0.{n}1, batch avg att loss 0.{n}2, batch avg loss 0.{n}3" for n in (7, 8)
    )
    assert found.loss == 0.83


def test_cross_entropy_is_a_loss_and_entropy_is_none():
    assert read(f"Step {n}: Cross entropy = 1.{9 - n}" for n in range(1, 6)).loss == 1.4
    assert read(f"Step {n}: entropy = 1.{9 - n}" for n in range(1, 6)).loss is None


def test_a_loggers_name_before_the_level_says_nothing_of_the_work():
    found = read(
        f"2031-03-10 00:{n:02d}:00,500 kind_benchmark INFO: iter: {60 * n}  loss: 1.{50 - n}" for n in range(10, 20)
    )
    assert (found.step, found.loss, found.step_time_s) == (1140, 1.31, 1.0)


def test_a_name_and_its_number_are_no_line_of_a_source():
    rows = []
    for n in range(5, 15):
        rows += [f"2031-06-05 03:46:{n * 3:02d}, batch i:{n}, episode_len:1{n}", f"kl:0.0{n},loss:2.{40 - n}"]
    found = read(rows)
    assert (found.step, found.loss, found.step_time_s) == (14, 2.26, 3.0)


def test_a_first_column_of_six_digits_numbers_no_lines():
    head = "steps\tepisodes\telapsed\tmean\tmedian\taverage_loss"
    found = read(
        [head, *(f"{n * 50_000 + 7}\t{50 * n}\t{n * 1000}.25\t-1{n}.8\t[ 0.3]\t0.{9 - n}5" for n in range(2, 9))]
    )
    assert (found.step, found.step_time_s) == (400_007, 0.02)


def test_lines_of_one_pass_tell_its_loss_and_what_grows_with_them_is_no_passes_time():
    rows = []
    for n in range(30):
        rows += [f"Epoch 3 Loss 0.{900 - n} Accuracy 0.4{n}", f"Time taken for 1 epoch: {25 + n / 6:.4f} secs", ""]
    found = read(rows)
    assert (found.epoch, found.loss, found.step_time_s) == (3, 0.871, None)


def test_how_long_a_run_is_may_be_told_once_by_its_steps():
    found = read(["train_steps           : 4000", *(f"[{n}] | lr 0.1 | loss 2.{n}" for n in range(100, 600, 100))])
    assert found.total_steps == 4000


def bar(name, n, total, pace_s, loss):
    spent = n * pace_s
    clock = f"{spent // 3600}:{spent // 60 % 60:02d}:{spent % 60:02d}"
    return f"{name}: {n * 100 // total}%|##| {n}/{total} [{clock}<1:00:00, {pace_s}.0s/it, {loss}]"


def test_a_first_stage_is_over_when_training_begins_behind_it():
    first = [bar("pretrain the net", n, 200, 70, "loss=4.6") for n in range(0, 201, 2)]
    then = [bar("train it", n, 150, 50, "train_loss=0.69") for n in range(1, 10)]
    found = read([*first, *then, *["nothing new, step 8 of it"] * 400])
    assert (found.step, found.total_steps, found.step_time_s) == (9, 150, 50.0)


def test_a_cell_that_names_another_value_makes_no_row():
    rows = [f"{n},1.2{n},1.26,0.40,3:38:4{n}" for n in range(8)]
    noise = ["Epochs = 3, batch size = 36, learning rate = 1e-3", "Total parameters: 6662,016,512 | trainable: 16,006"]
    found = read(["epoch,train_loss,valid_loss,accuracy,time", *rows, *noise])
    assert (found.step, found.loss) == (7, 1.27)


def test_chinese_of_windows_and_words_of_two_scripts_are_read():
    rows = "".join(f"当前Batch：{n}/6035 | 当前epoch:6/50 | 当前损失值：2.{n}\n" for n in range(100, 900, 100))
    found = read(rows.encode("gb18030"))
    assert (found.step, found.total_steps, found.epoch, found.loss) == (800, 6035, 6, 2.8)


def test_other_bytes_than_chinese_stay_what_they_are():
    assert read("".join(f"caf\xe9 step {n} loss 0.{n}\n" for n in range(3, 9)).encode("latin-1")).step == 8


def test_one_pass_has_no_mean():
    found = read(["Epoch  1, 25300/ 9477; acc:  46.97; xent:   2.80; 149 src tok/s; 179660 s elapsed"])
    assert found.step_time_s is None


def test_a_time_in_a_bracket_is_the_clock_that_the_word_behind_it_names():
    found = read(
        f"  [{n}/48]  loss 0.{n}  kept iter_{n // 4}  [{20 * n}s elapsed, eta {960 - 20 * n}s]" for n in range(10, 16)
    )
    assert found.step_time_s == 20


def test_what_is_cut_short_with_a_point_turns_no_line_into_an_evaluation():
    rows = [
        f"Epoch: {n}/90, Train. loss: 0.{99 - n}, Val. loss: 0.{98 - n}, Time_Elapsed: {n * 2.5:.3f} secs"
        for n in range(20, 32)
    ]
    found = read(rows)
    assert (found.epoch, found.loss, found.step_time_s) == (31, 0.68, pytest.approx(2.5))


def test_a_score_beside_a_pass_and_its_time_is_no_evaluation():
    rows = [f"Epoch: {n}, ROC score: 0.9{n}, time elapsed: {81 + n % 2 * 0.4}" for _ in range(3) for n in range(1, 6)]
    assert read(rows).step_time_s == pytest.approx(81.2, rel=0.01)


def test_a_time_of_the_pass_on_a_line_of_its_own_belongs_to_the_number_in_its_heading():
    rows = [
        text
        for n in range(1, 7)
        for text in (f"Epoch: {n}", f"epoch train time: 3.{n} ; val time: 0.5; val ap: 0.9{n}")
    ]
    assert read(rows).step_time_s == pytest.approx(3.5, rel=0.1)
