"""What Keras' progress bar writes, rendered as its versions render it, is read as it is meant."""

import random

import pytest

from schedmate.readers.progress.tracker import Tracker

EPOCHS = 6


def spent(seconds, what):
    """Write a time as `Progbar` does."""
    if seconds >= 1:
        return f"{seconds:.0f}s/{what}"
    return f"{seconds * 1e3:.0f}ms/{what}" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us/{what}"


def left(seconds):
    """Write what is left as `Progbar` does."""
    if seconds > 3600:
        return f"{int(seconds // 3600)}:{int(seconds % 3600 // 60):02d}:{int(seconds % 60):02d}"
    return f"{int(seconds // 60)}:{int(seconds % 60):02d}" if seconds > 60 else f"{int(seconds)}s"


def bar(version, step, steps):
    """Draw the bar of Keras 2 or 3."""
    count = f"{step:{len(str(steps))}d}/{steps}"
    if version == 3:
        done = 20 * step // steps
        return f"\x1b[1m{count}\x1b[0m \x1b[32m{'━' * done}\x1b[0m\x1b[37m{'━' * (20 - done)}\x1b[0m "
    done = 30 * step // steps
    return f"{count} [{'=' * max(0, done - 1)}{'>' if step < steps else '='}{'.' * (30 - done)}] - "


def fit(version, verbose, steps, step_s, first_s=4.0, val_s=1.0, joint="\r"):
    """Give the lines of a training: each with its step, its pass and the mean that it prints."""
    rng = random.Random(f"{version}{verbose}{steps}{step_s}")
    lines, now, shown = [], 0.0, -1.0
    for epoch in range(1, EPOCHS + 1):
        lines.append((f"Epoch {epoch}/{EPOCHS}\n", None))
        began = after = now
        for step in range(1, steps + 1):
            now += step_s * rng.uniform(0.9, 1.1) + (first_s if step == epoch == 1 else 0.0)
            after = now if step == 1 else after
            last = step == steps
            now += val_s if last else 0.0
            mean = (now - after) / (step - 1) if step > 1 else now - began
            if not last and (verbose == 2 or now - shown < 1.0):
                continue
            shown, loss = now, 2.5 / (epoch + step / steps)
            told = f"loss: {loss:.4f} - accuracy: 0.5123" + (f" - val_loss: {loss * 1.1:.4f}" if last else "")
            took, mean_text = f"{now - began:.0f}s", spent(mean, "step")
            if verbose == 2:
                tail = f" - {mean_text} - {told}" if version == 3 else f" - {told} - {spent(now - began, 'epoch')}"
                text = f"{step}/{steps} - {took}{tail}" + ("" if version == 3 else f" - {mean_text}")
            elif version == 3:
                clock = took if last else left(mean * (steps - step))
                text = f"{bar(3, step, steps)}\x1b[1m{clock}\x1b[0m {mean_text} - {told}"
            else:
                text = bar(2, step, steps) + (f"{took} {mean_text}" if last else f"ETA: {left(mean * (steps - step))}")
                text += f" - {told}"
            back = "\b" * len(text) + "\r" if joint == "\b" else joint
            lines.append((back * (verbose == 1) + text + "\n" * last, (step, epoch, mean, loss)))
    return lines


def read(text):
    """Read a log as it stands."""
    tracker = Tracker("keras.log")
    tracker.feed(text.encode(), 0.0)
    tracker.finish()
    return tracker.metrics()


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize(("steps", "step_s"), [(1875, 0.0024), (300, 0.02), (120, 0.4), (43, 206.0)])
@pytest.mark.parametrize(
    ("version", "verbose", "joint"), [(2, 1, "\r"), (2, 1, "\b"), (2, 1, "\n"), (3, 1, "\r"), (2, 2, ""), (3, 2, "")]
)
def test_a_training_is_read_wherever_it_stands(version, verbose, joint, steps, step_s, share):
    lines = fit(version, verbose, steps, step_s, first_s=3 * step_s, val_s=0.1 * steps * step_s, joint=joint)
    lines = lines[: max(2 * verbose, round(len(lines) * share))]
    step, epoch, mean, loss = [told for _, told in lines if told][-1]
    got = read("".join(text for text, _ in lines))
    assert got.step_time_s == pytest.approx(mean, rel=0.2)
    assert (got.framework, got.step, got.total_steps, got.total_epochs) == ("Keras", step, steps, EPOCHS)
    assert got.loss == pytest.approx(loss, abs=1e-4)
    assert got.epoch in (epoch, epoch + 1)  # the heading of the next may stand already


def test_the_first_step_alone_tells_no_time():
    first = "Epoch 1/10\n   1/1726 [..............................] - ETA: 4:14:32 - loss: 0.8467 - accuracy: 0.5000"
    assert read(first).step_time_s is None
    second = "\r   2/1726 [..............................] - ETA: 2:22:19 - loss: 0.7794 - accuracy: 0.5000"
    assert read(first + second).step_time_s == pytest.approx(8539 / 1724, rel=0.01)


def test_a_pass_slower_than_the_last_is_told_by_what_is_left():
    text = "Epoch 1/9\n43/43 [==============================] - 6853s 159s/step - loss: 59.4\nEpoch 2/9\n"
    text += "".join(
        f"{n:2d}/43 [=====>........................] - ETA: {left(234 * (43 - n))} - loss: 57.{n}\n"
        for n in range(1, 19)
    )
    assert read(text).step_time_s == pytest.approx(234, rel=0.02)


@pytest.mark.parametrize(
    ("train", "evaluation"),
    [
        ("1875/1875 - 4s - loss: 0.{} - accuracy: 0.54", "313/313 - 1s - loss: 0.{} - accuracy: 0.51"),
        (
            "1875/1875 - 4s - 2ms/step - accuracy: 0.5 - loss: 0.{}",
            "313/313 - 1s - 4ms/step - accuracy: 0.5 - loss: 0.{}",
        ),
        ("1875/1875 [=====] - 4s 2ms/step - loss: 0.{}", "313/313 [=====] - 1s 4ms/step - loss: 0.{}"),
    ],
)
@pytest.mark.parametrize("every", [1, 8])
def test_what_counts_to_another_end_behind_a_pass_evaluates(train, evaluation, every):
    text = ""
    for epoch in range(1, 9):
        text += f"Epoch {epoch}/20\n{train.format(990 - epoch)}\n"
        text += f"{evaluation.format(500)}\n" if epoch % every == 0 else ""
    got = read(text)
    assert (got.step, got.total_steps, got.phase) == (1875, 1875, "eval")
    assert got.loss == pytest.approx(0.982)
    assert got.step_time_s == pytest.approx(4 / 1875, rel=0.1)


def test_processes_that_print_each_pass_several_times_change_no_time():
    text = ""
    for epoch, took in ((1, 29), (2, 17), (3, 17), (4, 12)):
        text += f"Epoch {epoch}/9\n256/256 - {took}s - loss: 1.7{epoch}84 - mean_absolute_error: 1.2\n" * 6
    got = read(text + "Epoch 5/9\n" * 4)
    assert got.step_time_s == pytest.approx(12 / 256, rel=0.01)
    assert (got.step, got.total_steps, got.total_epochs) == (256, 256, 9)


def test_samples_that_are_counted_are_timed_one_by_one():
    text = "Train on 60000 samples, validate on 10000 samples\n"
    text += "".join(
        f"Epoch {n}/12\n60000/60000 [=====] - 6s 97us/sample - loss: 0.2{n} - acc: 0.92\n" for n in range(1, 8)
    )
    assert read(text).step_time_s == pytest.approx(97e-6)


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("verbose", [1, 2])
def test_a_bar_that_begins_anew_behind_the_last_pass_evaluates(version, verbose):
    lines = fit(version, verbose, 118, 0.4, first_s=1.2)
    trained = "".join(text for text, _ in lines)
    mean, loss = [told for _, told in lines if told][-1][2:]
    shown = (f"{bar(2, at, 118)}ETA: 0s - loss: 0.0312 - accuracy: 0.9" for at in (1, 42, 84))
    got = read(trained + "\r".join([*shown, f"{bar(2, 118, 118)}0s 1ms/step - loss: 0.0312 - accuracy: 0.9"]) + "\n")
    assert got.step_time_s == pytest.approx(mean, rel=0.2)
    assert got.loss == pytest.approx(loss, abs=1e-4)
