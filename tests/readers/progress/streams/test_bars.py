"""Which bar trains is told by the other bars, and by the passes they are run through in."""

import pytest

from schedmate import Tracker


def read(lines):
    tracker = Tracker("job.log")
    tracker.feed(("\n".join(lines) + "\n").encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def bar(step, total, pace_s):
    left = (total - step) * pace_s
    clock = f"{int(step * pace_s) // 60:02d}:{int(step * pace_s) % 60:02d}<{int(left) // 60:02d}:{int(left) % 60:02d}"
    rate = f"{1 / pace_s:.2f}it/s" if pace_s < 1 else f"{pace_s:.2f}s/it"
    return f"{100 * step // total:3d}% {step}/{total} [{clock}, {rate}]"


def with_evaluations(last):
    """Train 600 steps with an evaluation of 24 after every 150, each drawn step by step; the log ends amid one."""
    rows = []
    for at in range(1, 4):
        rows += [f"{{'loss': {2 / at + n / 90:.4f}, 'grad_norm': 0.4, 'epoch': {at + n / 10}}}" for n in range(9)]
        rows += [bar(150 * at, 600, 0.6)] * (2 if at == 1 else 1)
        rows += [bar(step, 24, 0.05) for step in range(2, (25 if at < 3 else last) + 1)]
    return rows


@pytest.mark.parametrize("last", [2, 9, 20, 24])
def test_an_evaluation_that_is_under_way_is_no_training(last):
    found = read(with_evaluations(last))
    assert found.step_time_s == pytest.approx(0.6, rel=0.03)
    assert found.total_steps == 600


def test_a_bar_that_is_run_through_in_each_pass_of_a_wider_one_trains():
    rows = []
    for done in range(1, 5):
        rows += [bar(step, 30, 0.2) for step in range(1, 31)] + [bar(done, 50, 6.2)]
    found = read([*rows, *(bar(step, 30, 0.2) for step in range(1, 12))])
    assert found.step_time_s == pytest.approx(0.2, rel=0.05)


def test_a_pass_may_be_brief_and_its_end_may_differ():
    rows = []
    for done in range(1, 9):
        rows += [bar(step, 7 if done % 3 else 6, 0.3) for step in range(1, 8 if done % 3 else 7)] + [bar(done, 10, 2.2)]
    assert read(rows).step_time_s == pytest.approx(0.3, rel=0.05)


def test_a_brief_bar_that_a_wider_one_does_not_wait_for_is_none_of_its_passes():
    rows = []
    for done in range(1, 40):
        rows += [bar(done, 50, 2.2)] + ([bar(step, 7, 0.3) for step in range(1, 8)] if done % 8 == 0 else [])
    assert read(rows).step_time_s == pytest.approx(2.2, rel=0.05)


def alive(passes, took):
    return [
        line
        for at in range(1, passes + 1)
        for line in (
            f"[{'=' * 40}] 25/25 [100%] in {took + at % 3 / 10:.1f}s ({25 / took:.2f}/s) ",
            f"Epoch {at}/90, Train Loss: {3 / at:.4f}, Val Acc: 0.{50 + at}",
        )
    ]


def test_a_bar_that_is_shown_as_it_ends_only_tells_the_time_of_its_steps():
    found = read(alive(8, 20.0))
    assert found.step_time_s == pytest.approx(0.8, rel=0.02)
    assert (found.epoch, found.total_steps) == (8, 25)


def test_bars_that_a_containers_runtime_packs_into_one_record_are_read_one_by_one():
    states = "".join(f"\\r{bar(step, 400, 0.5)}, loss={3 / step:.3f}" for step in range(1, 120))
    record = f'{{"log":"{states}\\n","stream":"stderr","time":"2031-02-03T04:05:06.789000000Z"}}'
    found = read([record, '{"log":"broken\\r', '{"log":7,"time":"\\r"}'])
    assert found.step_time_s == pytest.approx(0.5, rel=0.02)
    assert (found.step, found.total_steps) == (119, 400)


def test_bars_of_keras_are_known_behind_a_name_that_stands_before_each():
    rows = [
        f"[INFO] job: {at}/300 [=====>......] - ETA: {(300 - at) // 20}s - loss: {3 / at:.4f}" for at in range(5, 250)
    ]
    assert read(rows).framework == "Keras"


@pytest.mark.parametrize("indent", ["", "    ", "\t", "> "])
def test_a_bar_behind_an_indent_is_not_cut_at_a_terminals_width(indent):
    found = read([indent + line for line in alive(12, 20.0)])
    assert found.step_time_s == pytest.approx(0.8, rel=0.02)


def test_bars_of_other_work_do_not_deny_the_one_that_trains():
    download = [
        f"Downloading weights ━━━━━━━━━━╸━━━━━━━━━ {at}% {at * 3}/300 • 0:00:{at % 60:02d} • 52.4 MB/s"
        for at in range(1, 99)
    ]
    assert read(download + alive(9, 20.0)).step_time_s == pytest.approx(0.8, rel=0.02)


def test_one_of_two_bars_of_the_same_looks_is_not_sure():
    rows = []
    for at in range(1, 4):
        rows += [bar(step, 90, 0.2) for step in range(10, 91, 10)] + [f"loss {1 / at:.3f}"]
        rows += [bar(step, 40, 0.1) for step in range(5, 41, 5)] + [f"accuracy 0.7{at}"]
    assert read(rows).confidence < 0.8


def test_lines_of_two_kinds_in_turn_are_not_cut():
    rows = []
    for at in range(3, 9):
        rows += [f"Epoch {at}/40", f"210/210 - 2s - loss: 0.{at}667 - accuracy: 0.8 - 2s/epoch - 9ms/step"]
    found = read(rows[1:])
    assert found.step_time_s == pytest.approx(0.009, rel=0.1)
    assert found.epoch == 8


def test_a_bar_of_an_earlier_run_is_over_and_one_of_a_test_ran_once():
    rows = []
    for total, pace in ((50, 0.09), (20, 0.4)):
        rows += [line for n in range(1, 6) for line in (bar(total, total, pace), f"EPOCH {n} valid accuracy 0.{n}1")]
        rows += [bar(31, 31, 0.2), "test accuracy 0.62"]
    found = read(rows[:-2])
    assert (found.step, found.total_steps) == (20, 20)
    assert found.step_time_s == pytest.approx(0.4, rel=0.05)


def test_a_bar_that_was_given_up_is_not_the_one_that_goes_on():
    rows = [f"{bar(n, 900, 3.0)[:-1]}, loss=0.7{n % 7}]" for n in range(1, 80)]
    rows += [f"{bar(n, 2500, 8.0)[:-1]}, loss=0.6{n % 7}]" for n in range(1, 40)]
    found = read(rows)
    assert (found.step, found.total_steps) == (39, 2500)
    assert found.step_time_s == pytest.approx(8.0, rel=0.05)


@pytest.mark.parametrize("heading", ["Finding best initial lr: ", "Sweep ", ""])
def test_a_bar_that_was_run_once_before_lines_that_learn_is_over(heading):
    rows = [heading + bar(step, 100, 0.2) for step in range(0, 101, 5)]
    rows += [
        f"2031-05-06 10:{n * 7 // 60 + 1:02d}:{n * 7 % 60:02d} step={20 * n} train_loss={9 / n:.4f}"
        for n in range(1, 30)
    ]
    found = read(rows)
    assert found.step == 580
    assert found.step_time_s == pytest.approx(0.35, rel=0.03)


def test_a_bar_drawn_while_a_longer_one_stands_at_its_end_ran_in_its_last_step():
    rows = [bar(95, 96, 0.11), bar(96, 96, 0.11), bar(540, 540, 1.5), bar(96, 96, 0.11), bar(540, 540, 1.52)]
    assert read(rows).total_steps == 540


def test_of_two_bars_in_turn_the_first_trains_where_it_takes_longer():
    rows = []
    for n in range(3):
        rows += [f"Epoch {n}", bar(400, 400, 0.5), bar(700, 700, 0.04), f"train loss 0.{9 - n} val loss 0.{8 - n}"]
    assert read(rows).step_time_s == pytest.approx(0.5, rel=0.03)


def scored(end, took_s):
    return f"g 2.54 d 3.12| step 6640: 100%|{'█' * 10}| {end}/{end} [00:{took_s:02d}<00:00, {end / took_s:.2f}it/s]"


def drawn(step, took_s=303):
    times = f"{took_s // 60:02d}:{took_s % 60:02d}<00:00, {took_s / 166:.2f}s/it"
    return f"Avg : g 1.37 d 0.00| step {step}: 100%|{'█' * 10}| 166/166 [{times}]"


def test_a_bar_that_is_run_through_once_and_sooner_behind_those_of_passes_evaluates():
    found = read([*(drawn(5976 + 166 * n, 301 + n) for n in range(5)), scored(2196, 46)])
    assert found.step_time_s == pytest.approx(1.82, rel=0.05)


def test_one_that_takes_as_long_as_all_before_it_trains():
    rows = [f"Avg : g 1.37 d 0.00| step {n}: 100%|{'█' * 10}| 166/166 [00:05<00:00, 33.2{n}it/s]" for n in range(5)]
    assert read([*rows, scored(2196, 46)]).step_time_s == pytest.approx(46 / 2196, rel=0.05)


def test_a_bar_called_after_the_passes_is_none_of_steps_however_few_lines_of_the_inner_one_are_kept():
    rows = []
    for at, minutes in ((1, 55), (2, 56), (3, 55)):
        rows.append(f"Iteration: {11 + 9 * at}%|██   | {4000 + 900 * at}/30000 [07:30<47:10, {9.0 + at / 9:.2f}it/s]")
        rows.append(f"Iteration: 100%|█████| 30000/30000 [{minutes}:10<00:00, {9.05 + at / 90:.2f}it/s]")
        left = f"{(3 - at) * 55}:10"
        rows.append(f"Epoch: {33 * at}%|███   | {at}/3 [{55 * at}:20<{left}, {3310 + at}.25s/it]")
    found = read(rows)
    assert found.total_steps == 30000
    assert found.step_time_s == pytest.approx(0.11, rel=0.05)


def test_a_bar_that_is_shown_at_the_end_of_each_pass_and_tells_its_steps_time_trains():
    tracker = Tracker("job.log")
    for epoch in range(1, 17):
        bar = f" [{'=' * 40} 1491/1491 {'=' * 34}>]  Tot: 3m{20 + epoch % 9}s | Step: {139 + epoch % 3}ms     "
        tracker.feed(f"{bar}\ne:\t{epoch}\ts:\t1493\tBest accuracy: 0.6{epoch:02}\t\n".encode(), now_s=0)
    tracker.finish()
    assert tracker.metrics().step_time_s == pytest.approx(0.14, rel=0.03)
