"""The published figures, where the trace lies beside the repository."""

from dataclasses import replace

import numpy as np
import pytest

from evals.fidelity import DATA, venus
from evals.published import VENUS, VENUS_LUCID, VENUS_LUCID_FIVE
from schedmate.scheduling.simulation.predictions import read_columns
from schedmate.scheduling.simulation.run_policy import run

pytestmark = pytest.mark.skipif(
    not (DATA / "venus_sept.csv.gz").is_file(), reason="../shared/traces is not here: no published figures to meet"
)


@pytest.fixture(scope="module")
def experiment():
    base = venus(DATA)
    predicted = read_columns(DATA / "lucid" / "venus_sept_profile.csv.gz", base.trace, ("ebm_pred_duration_s",))
    ga2m = predicted["ebm_pred_duration_s"]
    return replace(base, predictions={"qssf": ga2m, "lucid": ga2m})


@pytest.mark.parametrize("policy", ["fifo", "sjf", "srtf", "qssf", "tiresias"])
def test_average_jct_is_the_published_one(experiment, policy):
    assert run(experiment, policy).summary.avg_jct_s == pytest.approx(VENUS[policy].avg_jct_s, rel=0.03)


def test_lucid_is_the_published_one_by_virtual_cluster(experiment):
    outcomes = run(experiment, "lucid").outcomes
    names = np.array(experiment.trace.vc.words)[experiment.trace.vc.codes]
    for vc, (jct_s, _, queue_s, _, _) in VENUS_LUCID.items():
        assert outcomes.jct_s[names == vc].mean() == pytest.approx(jct_s, rel=0.01)
        assert outcomes.queue_s[names == vc].mean() == pytest.approx(queue_s, rel=0.01)
    assert outcomes.jct_s[np.isin(names, list(VENUS_LUCID))].mean() == pytest.approx(VENUS_LUCID_FIVE[0], rel=0.01)
