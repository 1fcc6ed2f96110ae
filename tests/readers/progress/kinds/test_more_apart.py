"""Values of one line that look like others: sizes, best passes, least of several, losses of what is predicted."""

import pytest

from schedmate import Tracker
from schedmate.readers.progress.reading import usual_shapes


def read(lines):
    tracker = Tracker("job.log")
    tracker.feed("".join(f"{line}\n" for line in lines).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def roles(line):
    shape, _ = usual_shapes().read_text(line)
    return {one.name: one.role for one in shape.fields}


def test_a_batch_told_behind_the_loss_is_a_size():
    data = "CARS", "BOATS", "TREES"
    found = read(f"[{200 * n:05d}/9000] {data[n % 3]} | loss 0.{90 - n} | 2.50 it/s | batch 24" for n in range(1, 20))
    assert (found.step, found.total_steps) == (3800, 9000)


def test_a_batch_told_behind_the_loss_counts_where_nothing_else_does():
    assert read(f"Epoch 2 loss 0.{90 - n} batch {n} 0.5 s/it" for n in range(1, 20)).step == 19


def test_the_best_pass_is_not_the_one_at_work():
    rows = [f"Train: 57 [{10 * n}/200] loss: 0.{60 - n} time: 0.5s/it" for n in range(1, 20)]
    assert read([*rows, "INFO *** Best metric: 71.25 (epoch 41)"]).epoch == 57


def test_the_least_of_several_is_no_rate():
    line = "step:7 - reply/mean:301.5 - reply/max:512 - reply/min:20.5 - perf/throughput:811.25 - actor/loss:0.25"
    assert roles(line)["reply/min"] == "metric"
    assert roles("step 7 loss 0.25 speed 8200 samples/min")["speed"] == "throughput"


def test_a_loss_of_what_is_predicted_is_a_part_of_training():
    rows = [
        f"Epoch: [4]  [{10 * n}/900]  predict_loss: 0.{80 - n}  edge_loss: 0.0{30 - n}  time: 0.21"
        for n in range(1, 20)
    ]
    assert read(rows).loss == pytest.approx(0.61)


def test_a_rank_before_the_pass_is_none():
    rows = [f"0: TRAIN [3][{10 * n}/250] Time 0.25 (0.25) Loss/tok 5.{90 - n}" for n in range(1, 20)]
    noise = [f"loading {name}.bin" for name in ("owl", "elk", "eel", "ant", "hen") * 30]
    assert read([one for pair in zip(noise, (rows * 8)[:150], strict=True) for one in pair]).epoch == 3


@pytest.mark.parametrize("head", ["", "2031-04-05 10:11:12,345 - ", "INFO:root:"])
@pytest.mark.parametrize("place", ["[6][{}/250]", "[6,  {}/ 250]"])
def test_a_number_before_a_fraction_in_brackets_is_a_pass(head, place):
    found = read(f"{head}{place.format(10 * n)} - loss: 0.{80 - n} (250.0 ms)" for n in range(1, 20))
    assert (found.step, found.total_steps, found.epoch) == (190, 250, 6)


def test_what_a_function_took_is_no_step():
    rows = []
    for n in range(5, 15):
        rows += [f"suggest_point took 0.01{n} seconds", f"round uses {n}/{n} trials", f"job returned loss: 3{n}.25"]
    assert read(rows).step_time_s is None
    assert roles("train_step took 0.25 seconds")["train_step took"] == "step_time"


def test_a_pass_of_a_checkpoint_is_soon_out_of_date():
    rows = ["Checkpoint saved at step 300, epoch 2"]
    rows += [f"Step: {100 * n} | Loss: 0.{90 - n} | Grad: 0.5" for n in range(3, 20)]
    assert read(rows).epoch is None


def test_letters_among_many_names_count_nothing():
    names = "Type", "Length", "Age", "Main", "Root", "Link", "Vary", "Server", "Via", "Range", "Etag", "Allow"
    line = ", ".join(f"{name}: {at}7" for at, name in enumerate(names, 3))
    assert "step" not in roles(f"{line}, b: 4200, r: 7, q: 3").values()
    assert roles("b: 4200, r: 7, q: 3")["b"] == "step"


def test_a_table_counts_frames():
    rows = []
    for n in range(1, 12):
        rows += ["-" * 27, f"| episode_reward | -{n % 4}.5     |", f"| frame          | {2.5 * n:.3g}e+03 |"]
    assert read(rows).step == 27500
