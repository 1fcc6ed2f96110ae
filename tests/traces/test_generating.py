"""Generated traces meet the published marginals, are the same at every run, and survive a round trip through CSV."""

import io

import numpy as np
import pytest

from schedmate.errors import InputError
from schedmate.traces.describing import describe
from schedmate.traces.generating import generate
from schedmate.traces.marginals import MARGINALS
from schedmate.traces.reading import read_trace
from schedmate.traces.reshaping import sample, scale
from schedmate.traces.writing import open_output, write_trace


@pytest.mark.parametrize("like", MARGINALS)
def test_meets_the_marginals(like):
    trace, published = generate(like, jobs=20_000, seed=1), MARGINALS[like]
    assert np.median(trace.duration_s) == pytest.approx(published.median_s, rel=0.02)
    assert trace.duration_s.mean() == pytest.approx(published.mean_s, rel=0.02)
    assert trace.gpus.mean() == pytest.approx(published.mean_gpus, rel=0.1)
    assert (trace.gpus == 1).mean() == pytest.approx(published.single, abs=0.03)
    told = describe(trace).status_share
    assert told["FAILED"] == pytest.approx(published.failed, abs=0.02)
    assert told["CANCELLED"] == pytest.approx(published.cancelled, abs=0.02)


def test_has_days_weeks_and_resubmissions():
    trace = generate(jobs=20_000, seed=2)
    hours = np.bincount((trace.submit_s % 86_400 // 3600).astype(int), minlength=24)
    assert hours[13:18].sum() > 2 * hours[1:6].sum()
    day = (trace.submit_s // 86_400).astype(int)
    weekdays, weekends = np.bincount(day % 7, minlength=7)[:5].mean(), np.bincount(day % 7, minlength=7)[5:].mean()
    assert weekends < 0.9 * weekdays
    failed = trace.status.codes == trace.status.words.index("FAILED")
    ends = dict(zip(trace.job_name.codes[failed], (trace.submit_s + trace.duration_s)[failed], strict=True))
    assert len(ends) > 100
    assert (np.diff(trace.submit_s) >= 0).all()


def test_is_the_same_at_every_run_and_round_trips(tmp_path):
    first, second = io.StringIO(), io.StringIO()
    write_trace(generate(jobs=300, seed=3, vcs=4), first)
    write_trace(generate(jobs=300, seed=3, vcs=4), second)
    assert first.getvalue() == second.getvalue()
    with open_output(tmp_path / "t.csv.gz") as stream:
        stream.write(first.getvalue())
    again = io.StringIO()
    write_trace(read_trace(str(tmp_path / "t.csv.gz")), again)
    assert again.getvalue() == first.getvalue()


def test_sample_and_scale():
    trace = generate(jobs=2_000, seed=4)
    week = sample(trace, 100, (0, 7), seed=5)
    assert len(week) == 100
    assert week.submit_s.max() < 7 * 86_400
    busier = scale(trace, rate=2.0, duration=0.5, most_gpus=4)
    assert busier.submit_s[-1] - busier.submit_s[0] == pytest.approx((trace.submit_s[-1] - trace.submit_s[0]) / 2)
    assert busier.duration_s.sum() == pytest.approx(trace.duration_s.sum() / 2)
    assert busier.gpus.max() == 4


@pytest.mark.parametrize(
    "call",
    [
        lambda: generate("mars"),
        lambda: generate(jobs=0),
        lambda: generate(days=-1),
        lambda: sample(generate(jobs=10), days=(90, 99)),
        lambda: scale(generate(jobs=10), rate=0),
    ],
)
def test_refuses_what_makes_no_trace(call):
    with pytest.raises(InputError):
        call()
