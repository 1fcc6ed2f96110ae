"""What further logs of strangers taught: sweeps, sampled texts, listings, time left in bars."""

import pytest

from schedmate import Tracker


def metrics_of(lines):
    tracker = Tracker("job.log")
    tracker.feed(("\n".join(lines) + "\n").encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def wrapped(text, width=110):
    return [text[at : at + width] for at in range(0, len(text), width)]


def events():
    """Report a step's time in long lines that a terminal has cut."""
    losses = "".join(f"  aux_focal_loss_{one}: 0.{4171 + one}" for one in range(12))
    rows = ["Saving to /home/a_name_that_somebody_put_in_place_of_a_shorter_one/experiments/detection/long/run"]
    for at in range(1, 9):
        head = f"[12/22 22:{34 + at // 4}:{at % 4 * 15:02d} d.events]:  iter: {20 * at - 1}"
        rows += wrapped(
            f"{head}  total_loss: {4 / at:.3f}{losses}  time: 0.7{at}04  data_time: 0.3534  lr: 0.0019  max_mem: 2425M"
        )
    return rows


def keras(seconds):
    done = "[==============================]"
    return [
        line
        for at, one in enumerate(seconds)
        for line in (f"Epoch {at + 1}/120", f"1000/1000 {done} - {one}s 2s/step - loss: 3.8")
    ]


def long_pass():
    """End a pass with its step's time, and count on through most of the next with the time left alone."""
    rows = [
        "Epoch 1/50",
        "60/60 [==============================] - 1740s 29s/step - loss: 0.49 - accuracy: 0.75",
        "Epoch 2/50",
    ]
    left = [23 * (60 - at) for at in range(1, 60)]
    bar = "[=====================>........]"
    return rows + [
        f"{at + 1}/60 {bar} - ETA: {s // 60}:{s % 60:02d} - loss: 0.2355 - accuracy: 0.9" for at, s in enumerate(left)
    ]


def sweep():
    """Draw a bar over runs that take now seconds and now a quarter of an hour."""
    rows, now = [], 70000
    for at in range(240, 252):
        now += (15, 940, 12, 600, 20, 11)[at % 6]
        rows.append(f"Overall:  44%|████      | {at}/540 [{now // 3600}:{now // 60 % 60:02d}:{now % 60:02d}<12:15:14]")
    return rows


def tasks():
    """Train one task after the other, each for 20 passes, under a bar that counts tasks."""
    rows = []
    for task in range(1, 5):
        for epoch in range(20):
            rows.append(
                f"[info] Epoch: {epoch:3d} | train loss: {9 - epoch / 4 - task / 9:5.2f} | time: 1.2{epoch % 7}"
            )
        rows.append(f" {task}0%|███    | {task}/10 [{task * 43}:02<3:04:06, 2580.0s/it]")
    return rows


SAMPLED = [
    "**Step 1: Find the speed**",
    "The car goes at 62 km/h * 2 = 124 km/h",
    "* The clock loses 120 minutes in a day, so in 16 hours a step it loses 120 minutes/24 hours * 16 hours = 80.",
    "So, the number of people who did at least 60 push-ups is 3 + 7 = 10.",
]


def sampling():
    """Tell a loss now and then amid the texts that a model writes, without any clock."""
    return [line for at in range(1, 9) for line in (*SAMPLED, f"[step {at * 50}] avg_loss={1 / at:.4f} acc=0.5")]


@pytest.mark.parametrize(
    ("lines", "step_time_s"),
    [
        (events(), 0.76),
        (keras([1843, 1898, 1893, 1765]), 1.765),
        (["Epoch 1/20", "  4/411 [..............................] - ETA: 14:06:50 - loss: 11.0646"], 124.8),
        (long_pass(), 29.0),
        (
            [
                f"Epoch:[1/2]({at}00/8500) loss:2.0{at} lr:0.0004 epoch_Time:{(8500 - at * 100) // 240}.0min:"
                for at in range(46, 60)
            ],
            0.25,
        ),
        ([f"{1600 * at}/16000\t[L1: {9 / at:.4f}]\t50.{at * 7 % 10}+0.8s" for at in range(1, 9)], 51.25 / 1600),
    ],
)
def test_time_of_a_step(lines, step_time_s):
    assert metrics_of(lines).step_time_s == pytest.approx(step_time_s, rel=0.05)


def test_steps_of_one_list_without_names():
    rows = []
    for at in range(8):
        when = f"2023-05-04 10:{at * 2 + 3:02d}:00,321\trun\tINFO\t"
        rows += [
            f"{when}Train Epoch: {5 + at // 4} [{at % 4 * 25}%]",
            f"{when}[2.4{at}8, 2.2{at}, 6.012, 21.1, {2000 + at * 200}, 0.00019]",
        ]
    assert (metrics_of(rows).step, metrics_of(rows).step_time_s) == (3400, pytest.approx(0.6))


def test_bar_over_a_sweep_tells_the_mean_and_is_not_believed():
    metrics = metrics_of(sweep())
    assert metrics.confidence < 0.5


def test_bar_over_tasks_is_not_the_loop():
    metrics = metrics_of(tasks())
    assert metrics.step_time_s is None or metrics.step_time_s < 3


def test_texts_of_a_model_tell_no_time():
    metrics = metrics_of(sampling())
    assert (metrics.step_time_s, metrics.throughput, metrics.step) == (None, None, 400)


@pytest.mark.parametrize(
    "lines",
    [
        [f"-rw-r--r-- 1 root root 1437{at} Jan  5 15:4{at} frequency_study_n_step_n.pdf" for at in range(9)],
        ["hyperparameters: lr0=0.01, lrf=0.2, momentum=0.937, warmup_epochs=3.0, box=0.05, cls=0.5, obj=1.0, hsv_s=0.7"]
        * 2,
        ["trainer: task=detect, mode=train, epochs=3, patience=50, batch=16, save=True, cache=False, time=None"] * 2,
    ],
)
def test_what_is_no_training(lines):
    metrics = metrics_of(lines)
    assert (metrics.step_time_s, metrics.step, metrics.loss) == (None, None, None)


def test_dimensions_are_no_days():
    rows = []
    for at in range(1, 9):
        rows += [f" -- {at * 10} / 2297 --", f"mean loss: {2 / at:.4f}", f"box IoU (ground/3D): 0.7{at} / 0.7{at}"]
    metrics = metrics_of(rows)
    assert (metrics.step_time_s, metrics.step) == (None, 80)
