"""Which value is the loss, where none is called so, or its name holds a counter."""

import pytest

from schedmate import Tracker


def read(rows, formats=()):
    tracker = Tracker("job.log", formats=formats)
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


@pytest.mark.parametrize(
    "form",
    [
        "Epoch {n} | train={loss:.5f} | val={other:.5f} | lr=0.0003 | {took}.5s",
        "[epoch {n:04d}/0040] train_total={loss:.4f} train_rec={other:.4f} val_total={other:.4f}",
        "EPOCH{n:03d} loss {loss:.4f} auc 0.7{n}",
        "{n}: curr loss: {loss:.5f}",
        "loss step {n}: {loss:.5f}",
        "train loss iter {n}: {loss:.5f}",
        "{n} train {loss:.6f}",
    ],
)
def test_the_loss_of_a_line_that_calls_it_otherwise(form):
    found = read(form.format(n=n, loss=6 / n, other=7 / n, took=n) for n in range(1, 16))
    assert found.step == 15
    assert found.loss == pytest.approx(0.4, rel=1e-3)


def test_scores_are_no_losses():
    found = read(f"Epoch {n} | train 0.{80 + n} | val 0.{70 + n} accuracy" for n in range(1, 16))
    assert found.loss is None


@pytest.mark.parametrize("best", [1, 100])
def test_values_called_after_the_data_that_rise_are_scores(best):
    found = read(
        f"Epoch {n:03d} | train {best * (0.5 + n / 50):.4f} | val {best * (0.4 + n / 60):.4f}" for n in range(1, 20)
    )
    assert found.epoch == 19
    assert found.loss is None
    assert found.metrics["train"] == pytest.approx(0.88 * best)


def test_estimates_of_both_losses_alone_are_the_training_s():
    found = read((f"step {50 * n}: train loss {6 / n:.4f}, val loss {7 / n:.4f}" for n in range(1, 16)), formats=None)
    assert found.step == 750
    assert found.loss == pytest.approx(0.4)


def test_a_file_in_a_line_names_no_loss():
    rows = ["Resumed from loss_runs/a/ckpt/model.pt at epoch 3"]
    rows += [f"epoch {n:3d} | cross=0.02{n} rr=0.01{n} | {60 + n % 2}.1s" for n in range(3, 12)]
    assert read(rows).loss is None


def test_what_a_checkpoint_was_is_no_progress():
    rows = ["Loaded runs/best.pt  meta={'iteration': 31, 'best_iteration': 12, 'train_loss': 1.61, 'policy_loss': 1.4}"]
    rows += [f"  epoch {n}/9  loss={4 / n:.4f} (p=1.2 v=0.3)  (3s)  val={5 / n:.4f}" for n in range(1, 9)]
    found = read(rows)
    assert (found.step, found.epoch, found.loss) == (8, 8, 0.5)
    assert found.step_time_s == pytest.approx(3)
