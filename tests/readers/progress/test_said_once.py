"""Settings that are said once are no loop, shares of all are no counter, and a counter may go on within one line."""

import pytest

from schedmate import Tracker


def read(lines):
    tracker = Tracker("job.log")
    tracker.feed(("\n".join(lines) + "\n").encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def recommended(passes):
    settings = (
        "MF: data=films, factors=[32,96], layers= [48], #epoch=80, batch=256, lr=0.0200, keep=[1.0,0.7], "
        "optimizer=Adam, decay=0.99"
    )
    return [settings, "#params: 90423", "Init: \t train=0.9, validation=0.9 , test=0.9[3.1 s]"] + [
        f"Epoch {at} [{7 + at % 3 / 10:.1f} s]\ttrain={0.9 / at:.4f}, validation=0.4{at}, test=0.5{at} [2.{at % 5} s]"
        for at in range(1, passes + 1)
    ]


@pytest.mark.parametrize("passes", [5, 12, 30])
def test_a_line_of_settings_counts_no_steps(passes):
    found = read(recommended(passes))
    assert found.epoch == passes
    assert found.step_time_s == pytest.approx(7.1, rel=0.03)


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("Loss: {loss:.3f} | Top1: {share:.3f}% ({hits}/1280)", None),
        ("both: {share:.2f}% ( {hits}/ 1280)  left: 60.00% ( 768/ 1280) loss {loss:.3f}", None),
        ("Train progress: {done:.1f}% ({step}/400) loss {loss:.3f}", 90),
        ("Train Epoch: 2 [{step}/400 ({done:.0f}%)] loss {loss:.3f}", 90),
    ],
)
def test_how_many_of_all_were_so_counts_no_steps(line, step):
    rows = [
        line.format(loss=9 / at, share=40 + at % 5, hits=512 + 13 * (at % 5), step=10 * at, done=2.5 * at)
        for at in range(1, 10)
    ]
    assert read(rows).step == step


def test_a_counter_that_is_printed_on_one_line_stands_where_it_came_to():
    rows = []
    for at in range(1, 5):
        rows += [f"epoch {at}", "  train  " + "  ".join(f"{done}/930" for done in range(100, 1000, 100))]
        rows += [f"loss: {5 / at:.4f}"]
    found = read(rows)
    assert (found.step, found.total_steps) == (900, 930)


def test_a_time_left_that_is_rounded_to_nought_as_often_as_to_a_minute_tells_no_pace():
    rows = [f"epoch:{at} iter:0/16 lr:0.001 loss:{3 / (at + 1):.4f} ETA:{at % 2}.0min" for at in range(30)]
    assert read(rows).step_time_s is None


def test_what_was_counted_before_a_loop_began_is_another_count():
    games = [f"  [{at}/16]  first vs second  {30 + at}p  first W  [{11 * at}s elapsed, eta 70s]" for at in range(1, 17)]
    rounds = ["Iteration 1/8 (of all: 1)", "epoch 1/2  loss=1.9", "epoch 2/2  loss=1.7", "Iteration 2/8 (of all: 2)"]
    assert read([*games, *["Sampling positions from the store"] * 20, *rounds]).step_time_s is None


def test_a_start_that_names_its_batch_counts_no_finer_than_the_passes():
    rows = [
        "Starting run: window=24, ahead=2, batch=64",
        "Preparing series...",
        "Epoch 1/7 | Loss: 0.0213 | Time: 312.5s",
    ]
    found = read(rows)
    assert (found.step, found.step_time_s) == (1, 312.5)


@pytest.mark.parametrize(
    ("line", "step_time_s"),
    [
        ("第2轮 第{step}/800步 损失: {loss:.4f} 用时: 4.2{step:.0f}秒/10步", 0.42),
        ("epoch 1, step {step}, loss {loss:.3f}, speed 2.5{step:.0f} mini-batch/s", 0.4),
        ("[{step} | {clock:.2f}] loss={loss:.2f} avg={loss:.2f}", 0.7),
        ("TimeHistory: {took:.2f} seconds, 1280.50 examples/second between steps 0 and {step}", 1.2),
        (
            "U {step} | F {frames:06d} | FPS 2048 | D {second} | rR:μσmM 0.2 0.3 0.0 0.9 | H 1.7 | pL -0.01 | vL 0.1",
            3.0,
        ),
    ],
)
def test_what_programs_call_the_time_of_steps_is_known(line, step_time_s):
    rows = [
        line.format(step=at * 10, loss=9 / at, clock=at * 7.0, took=12 + at % 3 / 10, frames=at * 61440, second=at * 30)
        for at in range(1, 16)
    ]
    assert read(rows).step_time_s == pytest.approx(step_time_s, rel=0.05)


@pytest.mark.parametrize(("throughput", "known"), [("samples", False), ("tokens", True)])
def test_tokens_that_are_counted_fit_no_samples_of_a_second(throughput, known):
    rows = [
        f"step {at} loss {3 / at:.3f} num_tokens: {at * 8192} {throughput}_per_second: 16384" for at in range(1, 15)
    ]
    assert (read(rows).step_time_s is not None) is known


def test_a_first_step_alone_is_less_sure_than_those_that_follow():
    first = "step {} loss 3.21 step_time 12.5s"
    assert read([first.format(0)]).confidence < 0.8
    assert read([first.format(at) for at in range(1, 9)]).confidence > 0.8


def test_what_moves_by_miles_trains_nothing():
    assert (
        read(["=== Epoch 1/3 ===", "We know the speed of the train (40 km/h) and its time (3 hours)."]).step_time_s
        is None
    )


@pytest.mark.parametrize(
    "line", ["gen_time={:.1f}s train_time={:.1f}s total={:.1f}s", "act {:.1f}s, learn {:.1f}s, total time: {:.1f}s"]
)
def test_times_that_add_up_to_their_total_are_its_parts(line):
    rows = [f"[step {at}/90] reward={at / 9:.2f} {line.format(7 + at % 3, 3.5, 10.5 + at % 3)}" for at in range(1, 15)]
    assert read(rows).step_time_s == pytest.approx(11.5, rel=0.05)


def test_a_warning_of_a_kernel_and_a_budget_are_no_training():
    rows = [
        "STEP_BUDGET=1800",
        *["[538472.777665] perf: interrupt took too long (2500 > 2490), lowering rate to 20000"] * 9,
    ]
    assert read([*rows, "loss_decimal_place = 4", "STEP_BUDGET=7200"]).step_time_s is None


@pytest.mark.parametrize("first", [3, 4, 5, 8])
def test_three_passes_that_take_about_as_long_are_timed_one_by_one(first):
    rows = [
        f"Epoch {at}/40, loss: {3 / at:.4f}, time: {33.4 + (at - first) * 0.8:.1f} s" for at in range(first, first + 3)
    ]
    assert read(rows).step_time_s == pytest.approx(34, rel=0.05)


@pytest.mark.parametrize("epoch", [5, 10, 15])
def test_the_time_of_one_pass_alone_is_its_own(epoch):
    found = read([f"Epoch: {epoch:02} | Time: 1m 33s", "\tTrain Loss: 2.345 | Train PPL: 10.431", "\t Val. Loss: 2.5"])
    assert found.step_time_s == 93


def test_passes_whose_elapsed_times_rise_by_chance_are_timed_one_by_one():
    rows = [f"Epoch {at}/30, loss {3 / at:.3f}, elapsed: {34 + (at - 11) * 0.6:.1f}s" for at in (11, 12, 13)]
    assert read(rows).step_time_s == pytest.approx(34.6, rel=0.05)


def test_a_batch_that_is_set_before_anything_was_trained_is_no_step():
    rows = ["21:17:12 INFO: Starting training: window=24, horizon=2, batch=64", "21:17:15 INFO: Preparing series..."]
    assert read(rows).step_time_s is None


@pytest.mark.parametrize("first", [0, 40, 93])
def test_what_is_left_of_a_run_is_told_by_its_format(first):
    rows = []
    for batch in range(first, first + 4):
        left = (30 * 120 - batch) * 0.5
        clock = f"{int(left) // 3600}:{int(left) // 60 % 60:02d}:{int(left) % 60:02d}.250113"
        rows.append(f"[Epoch 0/30] [Batch {batch}/120] [D loss: 0.2{batch}] [G loss: 3.5, adv: 1.1] ETA: {clock}")
    found = read(rows)
    assert found.step_time_s == pytest.approx(0.5, rel=0.05)


def test_what_is_left_of_a_pass_is_told_by_its_format():
    rows = []
    for batch in range(40, 43):
        left = (400 - batch) * 0.5
        rows += [f"---- [Epoch 2/90, Batch {batch}/400] ----", f"Total loss {9 / batch:.4f}"]
        rows += [f"---- ETA 0:{int(left) // 60:02d}:{int(left) % 60:02d}.5"]
    assert read(rows).step_time_s == pytest.approx(0.5, rel=0.05)
