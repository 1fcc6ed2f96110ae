"""What is measured of the reading of remaining times is what the simulator errs by."""

import pytest

from evals.remaining import covered, legibility, ratios, share, told
from schedmate.schemas import Metrics

HEAD = "name,framework,step_time_s,step_time_tol\n"


def test_told_over_true_in_order():
    found = [(Metrics(eta_s=30.0, eta_low_s=20.0, eta_high_s=40.0), 20.0), (Metrics(eta_s=5.0), 10.0), (Metrics(), 9.0)]
    assert ratios(found) == [0.5, 1.5]
    assert covered(found) == 1.0
    assert share([one for one, _ in found]) == pytest.approx(2 / 3)


def test_invented_jobs_have_something_left_and_are_read():
    found = told(seed=3, count=40)
    assert found
    assert all(left_s > 0 for _, left_s in found)
    assert any(one.eta_s == pytest.approx(left_s, rel=0.1) for one, left_s in found)


def test_the_share_is_that_of_the_labelled_logs_and_the_drift_widens_the_errors(tmp_path):
    (tmp_path / "labels.csv").write_text(HEAD + "a,x,1.0,\nb,x,,\n")
    (tmp_path / "a.log").write_text(
        "".join(f"step {step}/900 loss {9 / step:.3f} 1.0 s/step\n" for step in range(1, 30))
    )
    (tmp_path / "b.log").write_text("nothing\n")
    exact, wide = (legibility(tmp_path, drift, count=40) for drift in (0.0, 0.5))
    assert exact.share == wide.share == 0.5
    assert wide.ratios[-1] / wide.ratios[0] > 2 * exact.ratios[-1] / exact.ratios[0]
