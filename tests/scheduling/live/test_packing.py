"""Who shares slots on a real machine: by what such jobs were measured to take, or by their owner's word."""

import os
import shlex
import sys
import time

import pytest

from schedmate.clusters import NodeSpec
from schedmate.history.jobs import add_job
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.scheduling.live.metering import MOST_POINTS, WARM_UP, Load, Meter
from schedmate.scheduling.live.service import Service, ServiceOptions
from schedmate.schemas import GpuSample, Hardware, Job, PastJob

GATE = "import os, time\nwhile not os.path.exists('gate'): time.sleep(0.02)"
LIMIT_S = 180.0


class Bench:
    """A loop in this process on one slot, in whose history a job has run before."""

    def __init__(self, folder, hardware, gpu_memory_mib, sharing=True):
        self.folder = folder
        self.store = LiveStore(folder)
        self.command = (sys.executable, "-S", "-c", GATE)
        past = Job(
            job_id="before", user="ada", command=shlex.join(self.command), workdir=folder, submit_s=1.0, start_s=1.0,
            end_s=time.time() - 60, status="completed", gpus=1,
        )  # fmt: skip
        add_job(self.store.connection, PastJob(job=past, ran_s=60.0, hardware=hardware))
        self.said = []
        reading = "tests.scheduling.live.quick_reading"
        options = ServiceOptions(
            folder, [NodeSpec("n", 1, "gpu")], reading=reading, tracks=False, sharing=sharing,
            gpu_memory_mib=gpu_memory_mib,
        )  # fmt: skip
        self.service = Service(options, self.said.append)

    def submit(self, **more):
        job = Submission(self.command, str(self.folder), {"PATH": os.environ["PATH"]}, user="ada", **more)
        return self.store.submit(job, os.urandom(8).hex(), time.time())

    def until(self, done):
        limit_s = time.monotonic() + LIMIT_S
        while not done():
            assert time.monotonic() < limit_s, self.said
            self.service.turn()

    def close(self):
        (self.folder / "gate").touch()
        self.until(lambda: not self.store.runs())
        self.service.close()
        self.store.close()


@pytest.fixture
def bench(tmp_path):
    made = []

    def make(*arguments, **options):
        made.append(Bench(tmp_path, *arguments, **options))
        return made[0]

    yield make
    made[0].close()


def measured(util, memory_gib):
    return Hardware(gpu_util=util, gpu_memory_gib=memory_gib)


def test_two_jobs_that_were_measured_to_be_light_share(bench):
    here = bench(measured(0.42, 9.3), 24_576.0)
    first, second = here.submit(), here.submit()
    here.until(lambda: here.store.job(first).state == "running")
    assert here.store.job(second).state == "running"
    assert here.store.runs(second)[0].partner == first
    assert here.service.cluster.jobs[first].profile.gpu_util == 45.0
    assert here.service.cluster.jobs[first].profile.gpu_memory_mib == 10_240.0


@pytest.mark.parametrize(
    ("hardware", "gpu_memory_mib", "options"),
    [
        (measured(0.75, 9.3), 24_576.0, {}),
        (measured(0.42, 12.3), 24_576.0, {}),
        (measured(0.42, None), 24_576.0, {}),
        (measured(None, 9.3), 24_576.0, {}),
        (None, 24_576.0, {}),
        (measured(0.42, 9.3), 0.0, {}),
        (measured(0.42, 9.3), 24_576.0, {"alone": True}),
    ],
    ids=["busy", "memory", "memory unknown", "load unknown", "never measured", "machine unknown", "asked to be alone"],
)
def test_nobody_shares_on_unknown_figures_or_too_large_ones(bench, hardware, gpu_memory_mib, options):
    here = bench(hardware, gpu_memory_mib)
    first, second = here.submit(), here.submit(**options)
    here.until(lambda: here.store.job(first).state == "running")
    assert here.store.job(second).state == "pending"


def test_packing_can_be_forbidden(bench):
    here = bench(measured(0.1, 1.0), 24_576.0, sharing=False)
    first, second = here.submit(share=0.3), here.submit(share=0.3)
    here.until(lambda: here.store.job(first).state == "running")
    assert here.store.job(second).state == "pending"


def test_an_owners_word_goes_together_with_a_measurement(bench):
    here = bench(measured(0.42, 9.3), 24_576.0)
    first, second, third = here.submit(), here.submit(share=0.7), here.submit(share=0.5)
    here.until(lambda: here.store.job(first).state == "running")
    assert here.store.job(second).state == "pending", "45 % and 70 % are too much"
    assert here.store.runs(third)[0].partner == first


def sample(index, util, memory_gib):
    return GpuSample(index=index, utilization=util, memory_used_gib=memory_gib, power_w=200.0)


def test_a_meter_counts_its_own_gpus_after_they_have_warmed_up():
    meter = Meter([0, 2])
    for _ in range(WARM_UP):
        meter.add([sample(0, 0.0, 20.0), sample(1, 1.0, 70.0), sample(2, 0.0, 2.0)])
    assert meter.told() is None
    for util in (0.5, 0.7):
        meter.add([sample(0, util, 10.0), sample(1, 1.0, 70.0), sample(2, 1.0, 11.0)])
    told = meter.told()
    assert (told["gpu_util"], told["gpu_memory_gib"], told["power_w"]) == (0.8, 20.0, 200.0)


def test_a_load_of_any_length_is_kept_in_few_points():
    load, moments = Load(), 40_000
    for moment in range(moments):
        load.add(float(moment), moment / moments)
    assert MOST_POINTS / 2 <= len(load.points) < MOST_POINTS
    assert all(abs(share - at_s / moments) < 0.02 for at_s, share in load.points)
    assert load.points[-1][0] > 0.98 * moments


def test_a_meter_tells_the_load_of_its_own_gpus_over_time():
    clock = iter((5.0, 10.0))
    meter = Meter([0, 2], lambda: next(clock))
    for util in (0.5, 0.7):
        meter.add([sample(0, util, 10.0), sample(1, 1.0, 70.0), sample(2, 1.0, 11.0)])
    meter.add([GpuSample(index=0, utilization=None), GpuSample(index=2, utilization=None)])
    assert meter.load.points == [(5.0, 0.75), (10.0, 0.85)]


def test_a_meter_without_a_driver_says_nothing():
    meter = Meter([0])
    for _ in range(3 * WARM_UP):
        meter.add(())
    assert meter.told() is None
    for _ in range(3 * WARM_UP):
        meter.add([GpuSample(index=0, utilization=None, memory_used_gib=None)])
    assert meter.told() is None
