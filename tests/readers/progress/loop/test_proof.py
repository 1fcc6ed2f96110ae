"""What counts and times steps, but says nothing of training, is no training, or is never sure."""

import pytest

from schedmate.readers.progress.tracker import Tracker


def read(text):
    """Read a log as it stands."""
    tracker = Tracker("some.log")
    tracker.feed(text.encode(), 0.0)
    tracker.finish()
    return tracker.metrics()


def bar(name, n, per_s, behind=""):
    """Draw a bar of 400."""
    spent = int(n / per_s)
    clock = f"{spent // 60:02d}:{spent % 60:02d}<10:00"
    return f"\r{name}{n // 4:3d}%|{'█' * (n // 40):10s}| {n}/400 [{clock}, {per_s:.2f}it/s]{behind}"


NO_TRAINING = {
    "solver": "".join(f"Iter {n:4d}  residual {0.7**n:.3e}  time {0.4 * n:.2f} s\n" for n in range(1, 40)),
    "sizes": "".join(f"batch={2**n:3d} latency={3.1 + n:.2f} ms throughput={900 - n:.1f} img/s\n" for n in range(6)),
    "dynamics": "".join(
        f" NSTEP = {n * 50:8d}   TIME(PS) = {n / 10:11.3f}  TEMP(K) =   278.{n:02d}  PRESS =     0.0\n"
        f" Etot   = -65{n}.3158  EKtot   =  14{n}.2148  EPtot      = -80{n}.5306\n"
        for n in range(10, 60)
    )
    + "|     Elapsed(s) =     244.70 Per Step(ms) =     489.40\n|  Run done at 22:45:31 on 06/29/2022\n",
    "energies": "".join(f"Step {n * 1000}: E_kin = 10.{n}, E_pot = -20.{n}, 0.80{n} ms/step\n" for n in range(10, 60)),
    "flow": "".join(
        f"step {n * 100}  t = 0.{n}  dt = 1.0e-04  CFL = 0.4  wall = {n * 4.2:.1f} s\n" for n in range(10, 60)
    ),
    "transfer": "".join(
        f"16581870{n}.04 -- INFO: Throughput @{n}.3s:88{n % 9}.1Mbps, rtt :5.8{n % 9}ms lossRate: 0.0005 CC:6\n"
        for n in range(10, 60)
    ),
    "network": "".join(f"[  5]   {n}.00-{n + 1}.00   sec  1.10 GBytes  9.4{n % 9} Gbits/sec\n" for n in range(10, 60)),
    "search": " Expl Unexpl |  Obj  Depth IntInf | Incumbent    BestBd   Gap | It/Node Time\n"
    + "".join(
        f" {n * 100} {n * 50}  1320.{n}   20  90  1350.0 1310.{n}  2.9%  41.2  {n * 5:4d}s\n" for n in range(1, 50)
    ),
    "files done": "".join(bar("", n, 1.4, f"✅ Skipping case_{n}, already processed.\n") for n in range(1, 200)),
    "episodes": "".join(
        f"Ep: {n * 10}, Dur: {200 + n * 7 % 90}, Step: {n * 2500 + n % 7}, Rew: 7.00, Loss: 0.{n}\n"
        for n in range(10, 60)
    ),
    "classes": "".join(
        f"2026-08-19 11:{n}:06 | classes: present 9/14 | counts [0:12, 1:44, 2:69, 3:45, 4:40, 5:30, 6:64, 7:8, 8:1]\n"
        for n in range(10, 40)
    ),
}


@pytest.mark.parametrize("what", NO_TRAINING)
def test_what_says_nothing_of_training_has_no_step_time(what):
    assert read(NO_TRAINING[what]).step_time_s is None


@pytest.mark.parametrize(
    "text",
    [
        "".join(bar("", n, 1.4) for n in range(1, 200)),
        "".join(f"[{n}/100] iteration: 0.02{n} s/iter\n" for n in range(10, 60)),
    ],
)
def test_what_only_counts_is_never_sure(text):
    got = read(text)
    assert got.step_time_s is not None
    assert got.confidence <= 0.75


@pytest.mark.parametrize("said", ["Start training\n", "Epoch 1\n"])
def test_one_word_of_training_elsewhere_is_enough(said):
    lines = "".join(f"step {n * 100}  wall = {n * 4.2:.1f} s\n" for n in range(10, 60))
    assert read(lines).step_time_s is None
    assert read(said + lines).step_time_s == pytest.approx(0.042, rel=0.01)


def test_a_date_and_minutes_are_no_clock():
    text = "".join(f"[ 03-01 | 15:2{n // 8} ] Task 1 | epoch {n}\n\nAccuracy (epoch {n}): 6.{n} %\n" for n in range(40))
    assert read(text).step_time_s is None


def test_a_clock_of_the_run_in_minutes_goes_on_through_the_passes():
    text = "".join(
        f"[{epoch}][{n}/250] loss=0.7{n} time={(epoch * 250 + n) * 0.4 / 60:.2f}min\n"
        for epoch in range(6)
        for n in range(50, 251, 50)
    )
    got = read(text)
    assert (got.step, got.total_steps, got.epoch) == (250, 250, 5)
    assert got.step_time_s == pytest.approx(0.4, rel=0.05)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("stop", [2, 4])
def test_what_is_left_of_the_run_is_shared_out_over_the_passes_to_come(first, stop):
    text = ""
    for epoch in range(stop):
        for n in range(10, 121, 10):
            left = int((4 * 120 - epoch * 120 - n) * 2.3)
            text += (
                f"[Epoch {epoch + first}/4] [Batch {n}/120] [D loss: 0.6{n}] ETA: 0:{left // 60:02d}:{left % 60:02d}\n"
            )
    assert read(text).step_time_s == pytest.approx(2.3, rel=0.15)


def test_the_time_for_a_batch_is_one():
    text = "".join(f"Epoch: 6 Batch: {n}\nloss: 0.6{n}\ntime for batch: 0.39{n % 9}\n" for n in range(50, 90))
    assert read(text).step_time_s == pytest.approx(0.394, rel=0.01)


def test_events_tell_the_pace_by_their_moments():
    text = "".join(
        f':::MLLOG {{"namespace": "", "time_ms": {1602462426696 + n * 564}, "event_type": "POINT_IN_TIME", '
        f'"key": "{key}", "value": 0.6{n}, '
        f'"metadata": {{"file": "train.py", "lineno": 416, "epoch_num": 2, "step_num": {n}}}}}\n'
        for n in range(1180, 1400, 10)
        for key in ("learning_rate", "train_loss")
    )
    got = read(text)
    assert (got.framework, got.step, got.epoch) == ("MLPerf", 1390, 2)
    assert got.step_time_s == pytest.approx(0.564, rel=0.01)


WAITS = "[{:6d}/160000]  eta: 1 day, 1:{:02d}:31  time: 0.55{:02d}  data_time: 0.00{:02d}\n"


def test_a_loop_that_waits_for_its_data_may_train():
    found = read("".join(WAITS.format(50 * n, 59 - n, n, n + 80) for n in range(1, 12)))
    assert found.step_time_s == pytest.approx(0.55, rel=0.05)
    assert found.confidence <= 0.75
    assert (found.step, found.total_steps) == (550, 160000)


def test_one_of_which_nothing_says_that_it_waits_for_data_does_not():
    text = "".join(WAITS.format(50 * n, 59 - n, n, n + 80) for n in range(1, 12))
    assert read(text.replace("data_time", "disk_use")).step_time_s is None
