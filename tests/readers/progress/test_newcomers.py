"""Ways to print progress that no set before had: clocks called times, counters of many processes, glued names."""

import pytest

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def test_a_time_of_day_behind_a_plain_name_is_a_clock():
    found = read(
        f"Device={dev} Step={step} Loss={9 / step:.4f} Time=07:29:{step // 10:02d}"
        for step in (100, 130, 160, 190)
        for dev in range(2)
    )
    assert found.step_time_s == pytest.approx(0.1, rel=0.2)


def test_a_clock_that_began_in_an_earlier_pass_is_no_step():
    found = read(
        f"Epoch: [{14 + n // 4}] [{n % 4}/4] time: {226.4 + 3.9 * n:.4f}, d_loss: {3 + n % 3}.5" for n in range(7)
    )
    assert found.step_time_s == pytest.approx(3.9, rel=0.05)


def test_long_steps_that_happen_to_rise_are_no_clock():
    found = read(f"step {n} loss 2.{n} time: {250 + n * 9}.0 s" for n in range(1, 4))
    assert found.step_time_s is None or found.step_time_s > 200


def test_clipping_beside_a_clock_is_no_part_of_a_step():
    found = read(
        f"[ time:{2 * n}.0s seen:{320 * n} epochs:0.{n} time_left:{40 - 2 * n}.0s ] "
        f"{{'updates': {100 * n}, 'clip': 1.0, 'loss': {9 / n:.3f}}}"
        for n in range(1, 5)
    )
    assert found.step_time_s == pytest.approx(0.02, rel=0.1)
    assert found.epoch == pytest.approx(0.4)
    assert found.total_epochs is None


def test_each_of_many_processes_may_print_the_same_count():
    rows = [
        f"2031-01-30 18:4{minute}:{second:02d},107 DEBUG TRAIN Batch 4/{count} loss {12 + rank}.6 rank {rank}"
        for minute, second, count in ((5, 7, 203700), (7, 20, 203800))
        for rank in range(3)
    ]
    found = read(rows)
    assert found.step == 203800
    assert found.step_time_s == pytest.approx(1.33, rel=0.02)


def test_a_date_with_hours_and_minutes_alone_is_no_time_taken():
    found = read(
        f"12 Nov 21:1{n}    INFO  epoch {n} training [time: 16.{n}s, train loss: 0.{9 - n}00]" for n in range(4)
    )
    assert found.step_time_s == pytest.approx(16.2, rel=0.02)


def test_an_elapsed_time_too_coarse_to_move_is_shared_out():
    found = read(f"Epoch 0 | Training | Elapsed Time: 0:00:12 | Steps: {n} | Loss: 16.{n}" for n in range(104, 112, 2))
    assert found.step_time_s == pytest.approx(0.11, rel=0.05)


def test_a_batch_that_divides_all_counts_tells_examples_from_steps():
    rows, now = [], 0.0
    for n in range(8):
        took = (0.49, 0.47, 0.51, 0.48)[n % 4]
        now += 100 * took
        rows.append(
            f"2031-06-29,15:{int(now) // 60:02d}:{int(now) % 60:02d} | INFO | "
            f"Train Epoch: 0 [{64 + 6400 * n}/109468 (3%)] "
            f"Loss: 0.{9 - n} Batch (t): {took:.3f}"
        )
    assert read(rows).step_time_s == pytest.approx(0.49, rel=0.1)


@pytest.mark.parametrize("said", ["s/b : 1.13{n}", "bch(ms): 113{n}.1", "runtime.steptime=1.13{n}"])
def test_a_batch_may_be_called_so(said):
    found = read(f"Steps : {210 + 5 * n}, Gen Loss Total : 25.{n}, {said.format(n=n)}" for n in range(6))
    assert found.step_time_s == pytest.approx(1.13, rel=0.02)


def test_letters_for_losses_are_no_seconds():
    rows = [
        f"[{n // 4:3}] {10 * n:7} || B: 7.{n} | C: 6.{n} | M: 5.0{n} | S: 0.1{n} "
        f"|| ETA: 2 days, 9:15:{24 - 3 * n:02d} || timer: 0.29{n % 3}"
        for n in range(8)
    ]
    rows[0] = rows[0].replace("2 days, 9:15:24", "0:00:00").replace("0.290", "9.527")
    found = read(rows)
    assert found.step == 70
    assert found.step_time_s == pytest.approx(0.291, rel=0.02)


def test_the_time_of_a_batch_stands_where_only_passes_are_counted():
    found = read(
        f"I0821 10:{8 * n:02d}:34.9 Train.cpp:313] epoch: {n} | runtime: 00:08:00 | bch(ms): 68.88 | loss: 27.{9 - n}"
        for n in range(1, 5)
    )
    assert found.step_time_s == pytest.approx(0.0689, rel=0.01)
    assert "the counter counts passes, not steps" in found.notes


def test_frames_a_second_are_steps_where_something_acts():
    line = '{{"step": {n}, "actor_grad_norm": 3.1, "reward_loss": 1.7, "model_loss": 11.2, "fps": 20.4}}'
    assert read([line.format(n=1446778)]).step_time_s == pytest.approx(0.049, rel=0.01)
    still = '{{"step": {n}, "grad_norm": 3.1, "model_loss": 11.2, "fps": 20.4}}'
    assert read([still.format(n=1446778)]).step_time_s is None


def test_a_remaining_time_that_wavers_tells_no_pace():
    found = read(
        f"step {10 * n} loss 2.{n} ETA: {hours}:15:24" for n, hours in enumerate((70, 66, 65, 65, 64, 64, 64), 1)
    )
    assert found.step_time_s is None


def test_episodes_in_an_epoch_are_no_number_of_passes():
    found = read(
        f"Epoch #{n}: 50001it [00:40, 1244.5it/s, env_step={50000 * n}, loss=0.{n}, n/ep=13, n/st=2000]"
        for n in range(1, 5)
    )
    assert found.total_epochs is None
    assert found.eta_s is None


def test_a_day_may_stand_behind_its_month():
    found = read(
        f"06/26/2031 07:{minute}:18 INFO     {said}"
        for minute in (32, 33)
        for said in ("saved models", f"iterations: 29{minute}7")
    )
    assert found.total_steps is None
    assert (found.step_time_s or 0) < 1


def test_an_elapsed_time_that_falls_by_little_is_each_records_own():
    rows = []
    for n, took in enumerate((106.1, 98.7, 100.1, 100.7)):
        rows += [
            f"Iteration: \t {n}",
            f"Loss: \t 0.{n + 1}2",
            f"MeanLen: \t 162.{n}",
            f"Elapsed time\t {took} seconds",
            "---",
        ]
    assert read(rows).step_time_s == pytest.approx(100, rel=0.02)


def test_a_report_that_stands_alone_tells_not_of_how_many_steps():
    found = read(["------Round 8------", "Loss: 0.25", "Time Cost: 114.7s"])
    assert found.step_time_s is None or found.step_time_s == pytest.approx(114.7)


TABLE = (
    "step  loss     time/step",
    "----  -------  ---------",
    *(f"{100 * n:4}  0.{9 - n}1     0.25{n}" for n in range(1, 6)),
)
CARRIED = {
    "a service of compose": "trainer-0  | {}",
    "a bar of a terminal": "│ {}",
    "a handbook's logger": "2031-04-05 10:11:12,000 - train - INFO - {}",
    "a colour logger": "[2031-04-05 10:11:12,000][llm-7b][INFO] - {}",
    "a notebook's file": '"{}\\n",',
    "a level and a name": "[INFO] train: {}",
}


@pytest.mark.parametrize("carrier", CARRIED.values(), ids=CARRIED)
def test_what_carries_a_table_is_no_part_of_it(carrier):
    found = read(carrier.format(row) for row in TABLE)
    assert (found.step, found.step_time_s) == (500, pytest.approx(0.253, rel=0.02))


def test_lines_may_be_numbered_although_they_are_of_few_kinds():
    rows = [f"   epoch: 2 step: {5 * n}, loss is 0.{9 - n}5" for n in range(1, 7)]
    rows.append("   Train epoch time: 1372.5 ms, per step time: 91.5 ms")
    found = read(f"{at}:{row}" for at, row in enumerate(rows, 1))
    assert (found.step, found.epoch) == (30, 2)
    assert found.step_time_s == pytest.approx(0.0915)


def test_a_counter_before_a_colon_is_no_number_of_a_line():
    assert read(f"{n}: loss 0.{9 - n}5 time 0.25{n % 3}s" for n in range(1, 8)).step == 7


def test_a_bar_behind_a_level_opens_a_row():
    rows = [("fps", "142"), ("nupdates", "782"), ("value_loss", "0.447")]
    found = read(f"10:11:12 INFO | {name:<10} | {value:<8} | what it means" for name, value in rows)
    assert found.step == 782


def test_a_copied_logs_clock_is_worth_less_than_what_its_program_says():
    rows = [f"2031-04-05 10:11:{12 + n * 0.5:06.3f} step {100 * n} loss 2.{n}" for n in range(1, 6)]
    assert (read(rows).confidence or 0) < 0.5


def test_a_mean_since_a_slow_start_is_not_the_time_of_a_step():
    rows = [
        f"Train Epoch: 0/9 Step: {10 * n}/900 | {0.8 + 13 / (10 * n):.3f}s/batch | loss 1.{n}" for n in range(1, 17)
    ]
    assert read(rows).step_time_s == pytest.approx(0.8, rel=0.02)


def test_the_first_report_of_a_pass_waits_for_what_lies_between_passes_and_its_length_is_no_step():
    rows = [
        "  speed: 0.18s/iter; left time: 165.5s",
        "Epoch: 2, Steps: 225 | Train Loss: 0.16",
        "Updating rate to 5e-05",
    ]
    for epoch in (3, 4, 5):
        rows += [f"  iters: 100, epoch: {epoch} | loss: 0.1{epoch}", "  speed: 0.335s/iter; left time: 267.9s"]
        rows += [f"  iters: 200, epoch: {epoch} | loss: 0.1{epoch}", "  speed: 0.181s/iter; left time: 127.8s"]
        rows += [f"Epoch: {epoch}, Steps: 225 | Train Loss: 0.14", "Updating learning rate to 2.5e-05"]
    found = read(rows)
    assert (found.step, found.epoch) == (200, 5)
    assert found.step_time_s == pytest.approx(0.181, rel=0.02)


def test_words_of_a_step_by_words_a_second_are_its_time():
    found = read(f"| epoch 010 {n}000 / 8223 loss=1.{n}, wps=962, wpb=908, bsz=32" for n in range(2, 8))
    assert found.step_time_s == pytest.approx(908 / 962, rel=0.01)
