"""What the published simulators printed on traces that anybody can get."""

from typing import NamedTuple


class Printed(NamedTuple):
    """The figures of one run; None where the run did not print them."""

    avg_jct_s: float
    median_jct_s: float | None
    avg_queue_s: float | None
    p999_queue_s: float | None
    preemptions_a_job: float | None


VENUS = {
    "fifo": Printed(65_720, 24_467, 53_951, 587_041, 0.0),
    "sjf": Printed(21_095, 435, 9_325, 322_077, 0.0),
    "srtf": Printed(12_610, 198, 829, 126_902, 0.231),
    "qssf": Printed(15_548, 249, 3_779, 214_310, 0.0),
    "tiresias": Printed(14_700, 245, 2_915, 195_846, 0.313),
    "lucid, no sharing": Printed(15_098, 237, 3_387, 193_384, 0.0),
}
"""Lucid's simulator (commit 63685a3) on Helios Venus, September 2020."""
VENUS_LUCID = {
    "vcEwI": Printed(4_798, None, 609, None, 0.0),
    "vcWoR": Printed(7_798, None, 503, None, 0.0),
    "vcHvQ": Printed(7_792, None, 642, None, 0.0),
    "vcvGl": Printed(4_896, None, 265, None, 0.0),
    "vc8Gr": Printed(18_355, None, 457, None, 0.0),
}
"""The same with sharing, by virtual cluster; the other ten were not run."""
VENUS_LUCID_FIVE = Printed(6_516, None, 555, None, 0.0)
"""Those five together."""
SIA_AVG_JCT_S = 1_949.75
"""Sia's simulator (commit aaf7a0d) on philly/workload-1: 160 jobs on its 64 GPUs."""
SIA_APPLICATIONS = {"cifar10": 788, "bert": 1_062, "deepspeech2": 3_069, "yolov3": 13_641, "imagenet": 30_280}
"""Its average completion time by application."""
SIA_MAKESPAN_S = 55_913
